"""A player who is no longer connected sits out, so that no one waits, and leaves at last with their chips."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import pytest

from letitride.engine import commands
from letitride.server.runtime.pace import Pace
from letitride.server.tables.vacancies import Vacancies
from tests.server.staffed import MONEY, Visitor, asked, base, betting, open_house, seated, until
from tests.server.virtual import run, virtual


def test_a_player_who_is_gone_sits_out_and_leaves_with_their_chips() -> None:
    async def live() -> None:
        pace = Pace(step=0, bets=1000, choice=1000, sits_out=0.02, leaves=1000)
        async with asyncio.timeout(120), open_house("nsw-1", pace=pace) as house:
            room = house.room("nsw-1")
            for name in ("Ann", "Ben"):
                house.stores.wallets.fund(name, MONEY, "chips", at=0, who="test")
            ann, ben = Visitor(room, "Ann"), Visitor(room, "Ben")
            assert (await ann.ask("Sit", seat=1, player="", cents=50_000))["accepted"]
            assert (await ben.ask("Sit", seat=2, player="", cents=50_000))["accepted"]
            ben.viewer.leave()
            while not room.table.seats[2].sitting_out:
                await room.host.changed.wait()
            assert not room.table.seats[1].sitting_out
            house.pace = replace(
                pace, leaves=0.2
            )  # not before: a test that stands still would see the player leave at once
            while room.table.seats[2].player:
                await room.host.changed.wait()
            assert room.table.seats[1].player == "Ann"
            assert await house.wallets.balance("Ben") == MONEY

    asyncio.run(live())


def test_how_long_a_player_is_gone_is_counted_on_by_the_next_owner_of_the_table() -> None:
    async def live() -> None:
        pace = Pace(step=0, bets=1000, choice=1000, sits_out=0, leaves=300)
        async with asyncio.timeout(120), open_house("nsw-1", pace=pace) as house:
            room = house.room("nsw-1")
            ann, ben = await seated(house, room, 1, "Ann"), await seated(house, room, 2, "Ben")
            now_ms = house.clock_ms()
            house.clock_ms = lambda: now_ms
            ann.leave()
            await room.vacancies.look()
            assert ("Ann", True) == (room.table.seats[1].player, room.table.seats[1].sitting_out)
            for later_seconds, players in ((290, ["Ann", "Ben"]), (310, ["", "Ben"])):
                house.clock_ms = lambda later=later_seconds: now_ms + 1000 * later
                await Vacancies(room).look()  # as after a restart, or at another server
                assert players == [room.table.seats[seat].player for seat in (1, 2)]
            assert await house.wallets.balance("Ann") == MONEY
            ben.leave()
            await Vacancies(room).look()
            assert room.table.seats[2].player == "Ben"

    asyncio.run(live())


def test_a_player_who_takes_a_vacated_seat_is_not_taken_for_the_last_one() -> None:
    """Others are sent home one after the other: a seat may have another player when its turn comes."""

    async def live() -> None:
        pace = Pace(step=0, bets=1000, choice=1000, sits_out=0, leaves=0)
        async with asyncio.timeout(120), open_house("nsw-1", pace=pace) as house:
            room = house.room("nsw-1")
            seats = {1: "Ann", 2: "Ben", 3: "Cy"}
            for name in (*seats.values(), "Dee"):
                house.stores.wallets.fund(name, MONEY, "chips", at=0, who="test")
            there = {seat: Visitor(room, name) for seat, name in seats.items()}
            for seat, one in there.items():
                assert (await one.ask("Sit", seat=seat, player="", cents=50_000))["accepted"]
            there[1].viewer.leave()
            there[3].viewer.leave()
            room.note_connected("Dee", "")
            # All three are decided together; only then does the look go on to seat 3.
            await asyncio.gather(
                room.vacancies.look(),
                room.submit("test", "", commands.Leave(by="seat:3", seat=3)),
                room.submit("test", "", commands.Sit(by="seat:3", seat=3, player="Dee", cents=50_000)),
            )
            assert [room.table.seats[seat].player for seat in (1, 2, 3)] == ["", "Ben", "Dee"]

    asyncio.run(live())


def test_no_clock_runs_for_one_who_wants_none_as_long_as_no_one_else_waits() -> None:
    async def live() -> None:
        async with asyncio.timeout(120), open_house("nsw-1", pace=Pace(step=0, bets=0, choice=0.05)) as house:
            room = house.room("nsw-1")
            for name in ("Ann", "Ben"):
                house.stores.wallets.fund(name, MONEY, "chips", at=0, who="test")
            ann = Visitor(room, "Ann")
            await ann.say(type="clock", on=False)
            await ann.ask("Sit", seat=1, player="", cents=50_000)
            while room.table.phase != "betting":
                await room.host.changed.wait()
            await ann.ask("PlaceWagers", seat=1, wagers={"base-1": 500, "base-2": 500, "base-$": 500})
            while room.table.next_step is None or room.table.next_step.kind != "await_choice":
                await room.host.changed.wait()
            await asyncio.sleep(0.2)  # four times what a clock would give
            assert (None, "await_choice") == (room.dealer.clock, room.table.next_step.kind)
            await Visitor(room, "Ben").ask("Sit", seat=2, player="", cents=50_000)
            while room.table.next_step.kind == "await_choice":
                await room.host.changed.wait()
            assert room.table.seats[1].away

    asyncio.run(live())


@pytest.mark.parametrize("house_book", ["washington-1", "shufflemaster-1", "nsw-1"])
def test_one_missed_clock_costs_no_seat_and_ten_minutes_away_do(house_book: str) -> None:
    async def live() -> None:
        pace = Pace(step=0.1, bets=15, choice=30, sits_out=20)
        async with open_house(house_book, pace=pace) as house:
            room = house.room(house_book)
            ann = await seated(house, room, 1, "Ann")
            await betting(room)
            assert (await ann.ask("PlaceWagers", seat=1, wagers=base()))["accepted"]
            await until(room, lambda table: table.seats[1].away, 600)  # the page is open, and the player does nothing
            await until(room, lambda table: table.seats[1].sitting_out, 600)
            await asyncio.sleep(3_600)  # as long as the player is connected
            assert ("Ann", True) == (room.table.seats[1].player, room.table.seats[1].sitting_out)
            assert room.table.cents("stack:1")
            assert (await ann.ask("SitOut", seat=1, out=False))["accepted"]
            await betting(room)
            assert (await ann.ask("PlaceWagers", seat=1, wagers=base()))["accepted"]
            await until(room, lambda table: asked(table, "await_choice", 1), 600)
            assert (await ann.ask("Choose", seat=1, bet=1, choice="ride"))["accepted"]
            await until(room, lambda table: asked(table, "await_choice", 1, 2), 600)
            assert (await ann.ask("Choose", seat=1, bet=2, choice="ride"))["accepted"]
            await until(room, lambda table: table.phase == "betting", 600)
            assert not room.table.seats[1].sitting_out
            ann.leave()
            await asyncio.sleep(60)
            assert ("Ann", True) == (room.table.seats[1].player, room.table.seats[1].sitting_out)
            await asyncio.sleep(600)
            assert not room.table.seats[1].player
            assert 0 == house.stores.wallets.total()

    with virtual(f"one clock {house_book}") as (loop, _):
        run(loop, live())


def test_a_player_who_misses_one_clock_and_then_acts_does_not_sit_out() -> None:
    async def live() -> None:
        async with open_house("nsw-1", pace=Pace(step=0.1, bets=15, choice=30, sits_out=20)) as house:
            room = house.room("nsw-1")
            ann = await seated(house, room, 1, "Ann")
            await betting(room)
            await ann.ask("PlaceWagers", seat=1, wagers=base())
            await until(room, lambda table: table.seats[1].away, 600)
            assert (await ann.ask("BuyChips", seat=1, cents=100))["accepted"]
            assert not room.table.seats[1].away
            round_ = room.table.round
            await until(room, lambda table: table.phase == "betting" and table.round > round_, 600)
            assert ("Ann", False) == (room.table.seats[1].player, room.table.seats[1].sitting_out)

    with virtual("acts again") as (loop, _):
        run(loop, live())


def test_a_player_who_banks_and_is_gone_gives_the_bank_back_and_leaves_with_all_of_it() -> None:
    async def live() -> None:
        async with open_house("california-1", pace=Pace(step=0.1, bets=15, choice=30, sits_out=20)) as house:
            room = house.room("california-1")
            ann = await seated(house, room, 1, "Ann")
            await until(room, lambda table: asked(table, "await_bank", 1), 600)
            assert (await ann.ask("TakeBank", seat=1, cents=20_000))["accepted"]
            await until(room, lambda table: table.phase == "betting", 600)
            ann.leave()
            await asyncio.sleep(60)
            assert (True, 0) == (room.table.seats[1].sitting_out, room.table.bank_stake)
            await asyncio.sleep(600)
            assert not room.table.seats[1].player
            assert await house.wallets.balance("Ann") == MONEY

    with virtual("a bank alone") as (loop, _):
        run(loop, live())
