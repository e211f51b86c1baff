"""No bank: a live table by a book whose players bank, where none of them does, says so and goes on when one does."""

from __future__ import annotations

import asyncio
from functools import partial

from letitride.engine.agenda import NO_BANK
from letitride.engine.state import Table
from letitride.engine.view import view
from letitride.rules.roles import SPECTATOR
from tests.server.staffed import PATIENT, asked, asking, base, open_house, seated, until

BOOK = "california-1"


def says(table: Table) -> str:
    bank = view(table, SPECTATOR).bank
    assert bank is not None
    return bank.sentence


def test_a_table_where_all_decline_the_bank_says_so_and_goes_on_when_a_player_takes_it() -> None:
    async def check() -> None:
        async with open_house(BOOK, pace=PATIENT) as house:
            room = house.room(BOOK)
            ann, ben = await seated(house, room, 1, "Ann"), await seated(house, room, 3, "Ben")
            for player, seat in ((ann, 1), (ben, 3)):
                table = await until(room, partial(asked, kind="await_bank", seat=seat))
                assert "" == says(table)
                assert (await player.ask("DeclineBank", seat=seat))["accepted"]
            assert (NO_BANK, "banking") == (says(room.table), room.table.phase)
            async with asking(house, "Flo", "floor") as floor:
                (shown,) = (await floor.get("/api/desk")).json()
                assert NO_BANK == shown["waits_for"]
            assert not (await ben.ask("PlaceWagers", seat=3, wagers=base()))["accepted"]
            # Who comes now is offered it, and passes; then a player who declined takes it after all.
            cy = await seated(house, room, 5, "Cy")
            await until(room, partial(asked, kind="await_bank", seat=5))
            assert "" == says(room.table)
            assert (await cy.ask("DeclineBank", seat=5))["accepted"]
            assert NO_BANK == says(room.table)
            assert (await ann.ask("TakeBank", seat=1, cents=20_000))["accepted"]
            table = await until(room, lambda table: table.phase == "betting")
            assert ("", 1, 1) == (says(table), table.bank_seat, table.round)

    asyncio.run(check())
