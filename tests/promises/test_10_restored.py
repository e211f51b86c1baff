"""Promise 10: an interrupted round is restored exactly, and dealing goes on: five books, killed before and after writes
in every phase of a round. (Void and refund: tests/server/.)"""

from __future__ import annotations

import asyncio
from contextlib import suppress
from typing import Any
from unittest.mock import patch

import pytest

from letitride.engine.state import Table
from letitride.errors import StoreDown
from letitride.rules import catalog
from letitride.server.host import rebuilt
from letitride.server.house import House
from letitride.storage.memory import MemoryStore
from letitride.storage.store import Outcome, Write
from letitride.storage.verify import verify
from tests.server.virtual import InlineCommitter, Player, opened, run, until, virtual

PHASES = ("opening", "between", "banking", "betting", "dealing", "choice_1", "choice_2", "settling")


class Interrupted(InlineCommitter):
    """Writes until a table comes to a phase; there it dies, before or after the next write, and nothing works any more."""

    phase = ""
    after = False
    dead = False

    async def commit(self, write: Write) -> Outcome:
        self._check()
        table = rebuilt(list(self._store.rows(write.table_id))) if self._store.last(write.table_id).number else None
        dies = table is not None and table.phase == self.phase
        type(self).dead = dies or self.dead
        if dies and not self.after:
            self._check()
        done = await super().commit(write)
        self._check()
        return done

    async def call(self, act: Any) -> Any:
        self._check()
        return await super().call(act)

    def _check(self) -> None:
        if self.dead:
            raise StoreDown("interrupted")


def interrupted(book: str, phase: str, after: bool) -> tuple[MemoryStore, Table | None]:
    """Play until a phase, be killed there, start again, and play on to the next round; return the table as it was when
    it was taken up again, if it came to that phase at all."""
    store = MemoryStore()
    dies = type("Dies", (Interrupted,), {"phase": phase, "after": after, "dead": False})

    async def live(node: str, rounds: int, known: list[tuple[str, str]]) -> Table | None:
        taken: list[Table] = []
        take_up = House._room

        def noted(house: House, record: Any, table: Table, *rest: Any, **more: Any) -> Any:
            taken.append(table)
            return take_up(house, record, table, *rest, **more)

        with patch.object(House, "_room", noted):
            return await played(node, rounds, known, taken)

    async def played(node: str, rounds: int, known: list[tuple[str, str]], taken: list[Table]) -> Table | None:
        async with opened(store, book, node=node) as (house, app):
            players = [Player(house, app, book, seat) for seat in (1, 2)]
            for player, (token, name) in zip(players, known, strict=False):
                player.token, player.name = token, name
            tasks = [asyncio.create_task(player.play()) for player in players]
            await until(lambda: dies.dead or house.rooms[book].table.round >= rounds)  # type: ignore[attr-defined]
            for task in tasks:
                task.cancel()
            known[:] = [(player.token, player.name) for player in players if player.token]
        return taken[0]

    known: list[tuple[str, str]] = []
    # A house that cannot write cannot close its books either.
    with virtual(f"interrupted {book}", dies) as (loop, _), suppress(StoreDown):
        run(loop, live("first", 2, known))
    if not dies.dead:  # type: ignore[attr-defined]
        return store, None
    before = rebuilt(list(store.rows(book)))
    with virtual(f"restored {book}") as (loop, clock):
        dies.dead = False  # type: ignore[attr-defined]
        clock.wrong_ms = 60_000
        restored = run(loop, live("second", before.round + 1, known))
    assert restored == before
    return store, restored


@pytest.mark.parametrize("house", catalog.rulebook_ids())
def test_a_round_that_was_cut_in_any_phase_is_taken_up_where_it_was(house: str) -> None:
    met = set()
    for number, phase in enumerate(PHASES):
        store, restored = interrupted(house, phase, after=bool(number % 2))
        assert verify(store).good
        assert store.total() == 0
        met |= {phase} if restored is not None else set()
    assert {"betting", "dealing", "choice_1", "choice_2", "settling"} <= met
