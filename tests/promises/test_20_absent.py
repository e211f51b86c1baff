"""Promise 20: an absent player is handled by the book: five books, over the wire, each with the ruling its record names."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from letitride.engine.events import RoundEnded, Ruled
from letitride.ledger.transfers import balances_of
from letitride.records.reader import read_record
from letitride.rules import catalog
from letitride.storage.codec import decode
from letitride.storage.memory.opening import memory_stores
from tests.server.virtual import Player, opened, run, until, virtual

RECORDS = Path(__file__).parent.parent / "records" / "irregularities"


def ruled_in(record: Path) -> set[str]:
    """Return the names of the rulings in a record."""
    read = read_record(record.read_text(encoding="utf-8"), record.name)
    return {action.ruled[0] for one in read.rounds for action in one.actions if action.ruled}


@pytest.mark.parametrize("kind", ["absent", "absent-looked"])
@pytest.mark.parametrize("house", catalog.rulebook_ids())
def test_a_player_who_goes_silent_holds_no_one_up_and_is_ruled_by_the_book(house: str, kind: str) -> None:
    async def go() -> tuple[list[object], float]:
        store = memory_stores()
        async with opened(store, house) as (inside, app):
            room = inside.rooms[house]
            players = [Player(inside, app, house, seat) for seat in (1, 2, 3)]
            players[1].silent, players[1].looks = "choice_1", kind == "absent-looked"
            tasks = [asyncio.create_task(player.play()) for player in players]
            await until(lambda: room.table.phase == "choice_1")
            started = asyncio.get_running_loop().time()
            await until(lambda: room.table.phase in {"between", "idle", "banking", "betting"})
            took = asyncio.get_running_loop().time() - started
            for task in tasks:
                task.cancel()
            return [event for row in store.journal.rows(house) for event in decode(row.events)], took

    with virtual(f"absent {house}") as (loop, _):
        happened, took = run(loop, go())
    named = {event.ruling.name.removeprefix("absent:") for event in happened if isinstance(event, Ruled)}
    assert named == ruled_in(RECORDS / kind / f"{house}.round")
    assert any(isinstance(event, RoundEnded) for event in happened)
    assert sum(balances_of(event.chips for event in happened).values()) == 0
    assert took < 60
