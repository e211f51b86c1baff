"""Promise 11: recall: every step of the last round and of nine before it, as each viewer saw it then. Five books."""

from __future__ import annotations

import asyncio

import msgspec
import pytest

from letitride.engine.events import TableOpened
from letitride.engine.evolve import evolve, new_table
from letitride.engine.state import Table
from letitride.engine.view import view
from letitride.rules import catalog
from letitride.storage.codec import decode
from letitride.storage.memory.opening import memory_stores
from letitride.storage.roles.stores import Stores
from tests.server.virtual import Player, opened, run, until, virtual

ROUNDS = 10


@pytest.mark.parametrize("house", catalog.rulebook_ids())
def test_the_journal_alone_gives_every_view_of_ten_rounds_again(house: str) -> None:
    async def go() -> tuple[Stores, list[Player]]:
        store = memory_stores()
        async with opened(store, house) as (inside, app):
            players = [Player(inside, app, house, seat, choice="withdraw") for seat in (1, 2)]
            tasks = [asyncio.create_task(player.play()) for player in players]
            await until(lambda: inside.rooms[house].table.round > ROUNDS)
            for task in tasks:
                task.cancel()
        return store, players

    with virtual(f"recall {house}") as (loop, _):
        store, players = run(loop, go())
    then: dict[int, Table] = {}
    table: Table | None = None
    for row in store.journal.rows(house):
        for event in decode(row.events):
            table = new_table(event) if isinstance(event, TableOpened) else evolve(table, event)
        assert table is not None
        then[table.version] = table
    recalled = 0
    for player in players:
        shown = [frame["view"] for frame in player.frames if frame["type"] == "view"]
        for one in shown[:: max(1, len(shown) // 150)]:
            again = view(then[one["version"]], one["viewer"])
            assert msgspec.json.decode(msgspec.json.encode(again)) == one
            recalled += 1
    assert recalled > 150
