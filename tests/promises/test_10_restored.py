"""Promise 10: an interrupted round is restored exactly, or void and refunded, once; and dealing goes on.

Restored: five books, killed before and after writes in every phase of a round. Void: four books here, at every decision of
a round, twice at the same moment and once more; an exception in every phase and a restart in tests/server/tables/test_halts.py.
"""

from __future__ import annotations

import asyncio
from contextlib import suppress
from functools import partial
from typing import Any
from unittest.mock import patch

import pytest

from letitride.engine.events import RoundVoided
from letitride.engine.state import Table
from letitride.errors import StoreDown
from letitride.rules import catalog
from letitride.server.tables.house import House
from letitride.storage.codec import decode
from letitride.storage.memory.opening import memory_stores
from letitride.storage.past import rebuilt
from letitride.storage.roles.journal import Outcome, Write
from letitride.storage.roles.stores import Stores
from letitride.storage.verify import verify
from tests.server.staffed import MONEY, PATIENT, Visitor, asked, asking, base, betting, open_house, seated
from tests.server.staffed import until as until_so
from tests.server.virtual import InlineCommitter, Player, opened, run, until, virtual

PHASES = ("opening", "between", "banking", "betting", "dealing", "choice_1", "choice_2", "settling")


class Interrupted(InlineCommitter):
    """Writes until a table comes to a phase; there it dies, before or after the next write, and nothing works any more."""

    phase = ""
    after = False
    dead = False

    async def commit(self, write: Write) -> Outcome:
        self._check()
        table = rebuilt(list(self._journal.rows(write.table_id))) if self._journal.last(write.table_id).number else None
        dies = table is not None and table.phase == self.phase
        type(self).dead = dies or self.dead
        if dies and not self.after:
            self._check()
        done = await super().commit(write)
        self._check()
        return done

    async def run(self, act: Any) -> Any:
        self._check()
        return await super().run(act)

    def _check(self) -> None:
        if self.dead:
            raise StoreDown("interrupted")


def interrupted(book: str, phase: str, after: bool) -> tuple[Stores, Table | None]:
    """Play until a phase, be killed there, start again, and play on to the next round; return the table as it was when
    it was taken up again, if it reached that phase at all."""
    store = memory_stores()
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
            await until(lambda: dies.dead or house.rooms[book].table.round >= rounds)
            for task in tasks:
                task.cancel()
            known[:] = [(player.token, player.name) for player in players if player.token]
        return taken[0]

    known: list[tuple[str, str]] = []
    # A house that cannot write cannot close its books either.
    with virtual(f"interrupted {book}", dies) as (loop, _), suppress(StoreDown):
        run(loop, live("first", 2, known))
    if not dies.dead:
        return store, None
    before = rebuilt(list(store.journal.rows(book)))
    with virtual(f"restored {book}") as (loop, clock):
        dies.dead = False
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
        assert store.wallets.total() == 0
        met |= {phase} if restored is not None else set()
    assert {"betting", "dealing", "choice_1", "choice_2", "settling"} <= met


@pytest.mark.parametrize("phase", ["choice_1", "choice_2"])
@pytest.mark.parametrize("house_book", ["hand-dealt-1", "nsw-1", "shufflemaster-1", "washington-1"])
def test_a_round_that_cannot_go_on_is_void_once_and_refunded_and_dealing_goes_on(house_book: str, phase: str) -> None:
    async def go() -> None:
        async with open_house(house_book, pace=PATIENT) as house, asking(house, "Fay", "floor") as floor:
            room = house.room(house_book)
            players = [await seated(house, room, seat) for seat in (1, 2)]

            async def bet() -> None:
                await betting(house.room(house_book))
                for seat in (1, 2):
                    player = Visitor(house.room(house_book), f"Guest-{seat}")
                    assert (await player.ask("PlaceWagers", seat=seat, wagers=base()))["accepted"]

            await bet()
            await until_so(room, lambda table: table.phase == "choice_1")
            for seat, player in enumerate(players, 1) if phase == "choice_2" else ():
                await until_so(room, partial(asked, kind="await_choice", seat=seat, number=1))
                assert (await player.ask("Choose", seat=seat, bet=1, choice="ride"))["accepted"]
            await until_so(room, lambda table: table.phase == phase)
            await room.host.halt("a promise was broken")
            wish = {"how": "void", "why": "it cannot go on"}
            address = f"/api/tables/{house_book}/recover"
            both = await asyncio.gather(*(floor.post(address, json=wish) for _ in range(2)))
            assert sorted(one.status_code for one in both) == [200, 409]
            assert (await floor.post(address, json=wish)).status_code == 409
            room = house.room(house_book)
            happened = [event for row in house.stores.journal.rows(house_book) for event in decode(row.events)]
            assert sum(isinstance(event, RoundVoided) for event in happened) == 1
            for seat in (1, 2):
                stack, wallet = room.table.cents(f"stack:{seat}"), house.stores.wallets.balance(f"Guest-{seat}")
                assert stack + wallet == MONEY
            assert house.stores.wallets.total() == 0
            await bet()  # and dealing goes on
            await until_so(room, lambda table: table.phase == "choice_1")
            assert verify(house.stores).good

    asyncio.run(go())
