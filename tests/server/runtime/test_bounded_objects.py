"""Bounded objects: what a house holds in memory does not grow with the rounds that are played in it."""

from __future__ import annotations

import asyncio
import gc
import json
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from types import CodeType, ModuleType
from weakref import ref

import pytest

from letitride.server.net.sockets import Viewer
from letitride.server.people.accounts import Person
from letitride.server.runtime.pace import Pace
from letitride.server.runtime.rates import changed
from letitride.server.runtime.requests import Answer
from letitride.server.tables import history, table_owner
from letitride.server.tables.house import House
from letitride.server.tables.room import Room
from tests.server.inprocess import running

ROUNDS = 6
"""Rounds that are played before what is there is counted, and as many again before it is counted a second time."""
COMMANDS = 30
"""Commands of a player in each round, each by an id of its own."""
REMEMBERED = 20
"""Answers that a table keeps at hand in this test, so that it has as many as it may before the first count."""


def held(house: House) -> Counter[str]:
    """Return what a house leads to, by type; modules, classes and code are there once and for all."""
    gc.collect()
    seen = {id(getattr(module, "__dict__", None)) for module in list(sys.modules.values())}
    found, waiting = Counter[str](), [house]
    while waiting:
        one = waiting.pop()
        if id(one) in seen or isinstance(one, type | ModuleType | CodeType | ref):
            continue
        seen.add(id(one))
        found[type(one).__qualname__] += 1
        waiting += gc.get_referents(one)
    return found


def ids() -> Iterator[str]:
    """Yield ids of commands."""
    number = 0
    while True:
        number += 1
        yield f"c{number}"


async def play(room: Room, viewer: Viewer, names: Iterator[str], rounds: int) -> None:
    """Let bots play so many rounds while a player buys chips."""
    until, bought = room.table.round + rounds, 0
    while room.table.round < until or room.table.phase != "betting":
        changed = room.host.changed
        if room.table.phase == "betting" and bought < COMMANDS * room.table.round:
            bought += 1
            command = {"type": "BuyChips", "seat": 1, "cents": 100}
            answer = await viewer.take(json.dumps({"type": "command", "id": next(names), "command": command}), 0.0)
            assert isinstance(answer, Answer)
            assert answer.accepted
        else:
            await changed.wait()


async def count_twice(folder: Path) -> tuple[Counter[str], Counter[str], Counter[str]]:
    """Return what a house holds after some rounds and after as many more, and what a viewer was sent meanwhile."""
    async with running(folder) as app:
        house: House = app.state.house
        house.pace = Pace(step=0.0, share=0.0, bets=0.02)
        house.rates = changed(house.rates, {"messages_of": 1e6, "messages_by": 1e6})
        await house.open("t1", "Table", "nsw-1")
        house.stores.wallets.fund("Ann", 10_000_000, "chips", at=0, who="house")
        room, names = house.room("t1"), ids()
        viewer, sent = Viewer(room, Person(name="Ann", guest=True), changes=True), Counter[str]()

        async def send(message: bytes) -> None:
            sent[json.loads(message)["type"]] += 1

        viewer.enter()
        sending = asyncio.create_task(viewer.send_all(send))
        sit = {"type": "Sit", "seat": 1, "player": "", "cents": 10_000}
        await viewer.take(json.dumps({"type": "command", "id": "sit", "command": sit}), 0.0)
        room.change_bots(3)
        await play(room, viewer, names, ROUNDS)
        first = held(house)
        await play(room, viewer, names, ROUNDS)
        second = held(house)
        sending.cancel()
    return first, second, sent


def test_what_a_house_holds_does_not_grow_with_the_rounds(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(table_owner, "REMEMBERED", REMEMBERED)
    monkeypatch.setattr(history, "LOOK_SECONDS", 0.01)  # it looks at a table for the first time before the first count
    first, second, sent = asyncio.run(count_twice(tmp_path))
    grown = second - first
    assert sent["change"] > ROUNDS * COMMANDS
    assert second.total() - first.total() < 2 * ROUNDS * COMMANDS, grown.most_common(8)  # not even two for a command
