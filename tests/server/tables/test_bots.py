"""Bots: they keep people company, play as well as can be, and see no more than their seats."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import pytest

from letitride.analysis.features import feature_of
from letitride.analysis.strategy import best_strategy
from letitride.engine import commands, places
from letitride.engine.events import ChoiceMade, RoundEnded, TableOpened
from letitride.engine.evolve import evolve, new_table
from letitride.engine.state import Table
from letitride.server.people.accounts import LoginRefused
from letitride.server.runtime.pace import Pace
from letitride.server.tables.house import House
from letitride.server.tables.room import Room
from letitride.storage.codec import decode
from letitride.storage.past import rebuilt
from letitride.storage.urls import open_store
from tests.server.staffed import Visitor, asked, base, comes, open_house, seated, until
from tests.server.virtual import run, virtual

QUICK = Pace(step=0, bets=1000, choice=1000, retry=0)


@pytest.mark.parametrize("house_book", ["nsw-1", "shufflemaster-1", "hand-dealt-1"])
def test_bots_play_rounds_by_the_best_strategy(house_book: str) -> None:
    async def play() -> None:
        async with open_house(house_book, pace=QUICK, bots=3) as house:
            room = house.room(house_book)
            watching = Visitor(room, "Ann")

            def ended() -> int:
                happened = (event for row in house.stores.journal.rows(house_book) for event in decode(row.events))
                return sum(isinstance(event, RoundEnded) for event in happened)

            await comes(room, lambda: ended() >= 3)
            seated = [seat.player for seat in room.table.seats.values() if seat.player]
            assert sorted(seated) == ["Bot 1", "Bot 2", "Bot 3"]
            watching.leave()
            rows = list(house.stores.journal.rows(house_book))
            assert rebuilt(rows).rules == room.table.rules
            decisions = 0
            table: Table | None = None
            for event in (event for row in rows for event in decode(row.events)):
                if isinstance(event, ChoiceMade) and table is not None:
                    pays = best_strategy(table.rules.pays["base"])
                    shown = [card.face for card in table.community() if card.up]
                    held = [card.face for card in table.at(places.hand(event.seat))]
                    rides = feature_of([*held, *shown]) in (pays.bet1 if event.bet == 1 else pays.bet2)
                    assert (event.choice == "ride") == rides
                    decisions += 1
                table = new_table(event) if isinstance(event, TableOpened) else evolve(_there(table), event)
            assert decisions >= 12
            proofs = [room.shuffles.proof(number, 1) for number in range(1, 3)]
            assert any(
                proof and proof["commitment"]["seats"] for proof in proofs
            )  # they take their share in the shuffles
            assert house.stores.wallets.total() == 0
            with pytest.raises(LoginRefused):
                await house.people.login("Bot 1", "")

    def _there(table: Table | None) -> Table:
        assert table is not None
        return table

    asyncio.run(play())


def test_bots_do_not_play_at_an_empty_table() -> None:
    async def wait() -> None:
        async with open_house("nsw-1", pace=QUICK, bots=2) as house:
            room = house.room("nsw-1")
            await comes(room, lambda: room.table.phase == "idle")
            assert not any(seat.player for seat in room.table.seats.values())
            Visitor(room, "Ann")
            await comes(room, lambda: sum(bool(seat.player) for seat in room.table.seats.values()) == 2)

    asyncio.run(wait())


def test_bots_whose_time_ran_out_come_back_so_that_the_bank_is_taken() -> None:
    async def play() -> None:
        async with open_house("california-1", pace=QUICK, bots=2) as house:
            room = house.room("california-1")
            Visitor(room, "Ann")
            await comes(room, lambda: bool(room.seat_of("Bot 1") and room.seat_of("Bot 2")))
            for seat in (room.seat_of("Bot 1"), room.seat_of("Bot 2")):
                assert (await room.submit("house", "", commands.SitOut(by=f"seat:{seat}", seat=seat))).accepted
            before = room.table.round
            await comes(room, lambda: room.table.round > before + 2)

    asyncio.run(play())


def test_bots_leave_a_seat_for_a_person() -> None:
    async def sit() -> None:
        async with open_house("hand-dealt-1", pace=QUICK, bots=9) as house:
            room = house.room("hand-dealt-1")
            Visitor(room, "Ann")
            await comes(room, lambda: sum(bool(seat.player) for seat in room.table.seats.values()) == 6)
            await house.committer.run(lambda: house.stores.wallets.fund("Ann", 50_000, "test", at=1, who="test"))
            assert (await Visitor(room, "Ann").ask("Sit", seat=1, player="", cents=20_000))["accepted"]

    asyncio.run(sit())


def test_a_bank_does_not_go_round_an_empty_table_and_does_when_someone_comes() -> None:
    pace, store = Pace(step=0.1, bets=5, choice=5, sits_out=20), open_store("memory:")

    async def plays_a_round(house: House, seat: int, name: str) -> Visitor:
        room = house.room("california-1")
        player = await seated(house, room, seat, name)
        async with asyncio.timeout(600):
            while not room.table.seats[seat].dealt_in:
                changed = room.host.changed
                if asked(room.table, "await_bank", seat):
                    await player.ask("DeclineBank", seat=seat)
                elif room.table.phase == "betting" and not room.table.seats[seat].wagers:
                    await player.ask("PlaceWagers", seat=seat, wagers=base())
                await changed.wait()
        await until(room, lambda table: not table.seats[seat].dealt_in, 600)
        return player

    async def stands_still(house: House) -> None:
        await asyncio.sleep(1_000)  # players who are not connected have left by now
        rows = sum(1 for _ in store.journal.rows("california-1"))
        await asyncio.sleep(7_200)
        assert rows == sum(1 for _ in store.journal.rows("california-1"))
        assert {"Bot 1", "Bot 2"} == {seat.player for seat in house.room("california-1").table.seats.values()} - {""}

    async def days() -> None:
        async with open_house("california-1", pace=pace, store=store, bots=2) as house:
            room = house.room("california-1")
            watching = Visitor(room, "Ann")
            await comes(room, lambda: sum(bool(seat.player) for seat in room.table.seats.values()) == 2)
            watching.leave()
            await stands_still(house)
            (await plays_a_round(house, 1, "Ben")).leave()
            await stands_still(house)
        async with open_house("california-1", pace=pace, store=store, bots=2, node="two") as house:
            await stands_still(house)
            await plays_a_round(house, 2, "Cy")
            assert not house.room("california-1").host.halted
        assert 0 == store.wallets.total()

    with virtual("nobody there") as (loop, _):
        run(loop, days())


def test_a_bot_comes_when_asked_for_and_gets_up_for_a_person_and_with_the_last_of_them() -> None:
    async def play() -> None:
        async with open_house("shufflemaster-1", pace=replace(QUICK, choice=0, bets=0)) as house:
            room = house.room("shufflemaster-1")
            people = [await seated(house, room, 1)]
            for _ in range(9):
                room.change_bots(1)
            assert (5, 5) == (room.standing().bots, room.standing().bots_max)
            await comes(room, lambda: bots_at(room) == {"Bot 1", "Bot 2", "Bot 3", "Bot 4", "Bot 5"})
            listed = house.listing()["shufflemaster-1"]
            assert (6, bots_at(room)) == (listed.seated, set(listed.bots))
            (free,) = (number for number, seat in room.table.seats.items() if not seat.player)
            people.append(await seated(house, room, free))  # the last free seat: one is made for the next person
            await comes(room, lambda: len(bots_at(room)) == 4)
            room.change_bots(-3)
            await comes(room, lambda: len(bots_at(room)) == 2)
            watching = Visitor(room, "Cat")
            for person in people:
                await room.get_up(person.name)
            await comes(room, lambda: not any(seat.player for seat in room.table.seats.values()))
            assert 0 == room.standing().bots
            watching.leave()

    asyncio.run(play())


def bots_at(room: Room) -> set[str]:
    """Who of the house's own players sits at a table."""
    return {seat.player for seat in room.table.seats.values() if seat.player.startswith("Bot ")}


def test_bots_that_a_server_before_this_one_was_asked_for_get_up() -> None:
    async def play() -> None:
        store = open_store("memory:")
        async with open_house("nsw-1", pace=replace(QUICK, choice=0, bets=0), store=store) as house:
            room = house.room("nsw-1")
            await seated(house, room, 1)
            room.change_bots(2)
            await comes(room, lambda: len(bots_at(room)) == 2)
        async with open_house("nsw-1", pace=replace(QUICK, choice=0, bets=0), store=store, node="two") as house:
            room = house.room("nsw-1")
            assert len(bots_at(room)) == 2
            watching = Visitor(room, "Ann")
            await comes(room, lambda: not bots_at(room))
            watching.leave()

    asyncio.run(play())


def test_bots_that_have_bet_wait_for_the_only_person_for_whom_no_clock_runs() -> None:
    async def play() -> None:
        async with open_house("nsw-1", pace=replace(QUICK, bets=0), bots=2) as house:
            room = house.room("nsw-1")
            await house.committer.run(lambda: house.stores.wallets.fund("Ann", 50_000, "test", at=1, who="test"))
            ann = Visitor(room, "Ann")
            await ann.say(type="clock", on=False)
            await ann.ask("Sit", seat=1, player="", cents=10_000)
            table = await until(room, lambda table: sum(bool(seat.wagers) for seat in table.seats.values()) == 2)
            assert ("betting", None) == (table.phase, room.standing().clock)
            await ann.ask("PlaceWagers", seat=1, wagers=base())
            table = await until(room, lambda table: table.phase != "betting")
            assert (1, True) == (table.round, table.seats[1].dealt_in)
            ann.leave()

    asyncio.run(play())
