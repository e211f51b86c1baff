"""Clocks and absent players: a decision has one time, and then the book says what happens to it."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import msgspec
import pytest
from websockets.asyncio.client import ClientConnection, connect

from letitride.engine.events import PlayerWentAway, RoundEnded, RoundVoided, Ruled
from letitride.server.net.access import COOKIE
from letitride.server.people.accounts import WhenAbsent
from letitride.server.runtime.budgets import Budgets
from letitride.server.runtime.pace import Pace
from letitride.server.runtime.rates import Rate, Rates
from letitride.server.tables.messages import Clock
from letitride.server.tables.room import Room
from letitride.storage.codec import decode
from letitride.training.coach import value_cards
from tests.server.staffed import (
    PATIENT,
    asked,
    base,
    betting,
    comes,
    open_house,
    seated,
    serving,
    session,
    until,
)
from tests.server.virtual import run, virtual


class Player:
    """A client on the network that does what a test says, and then nothing any more."""

    def __init__(self, socket: ClientConnection) -> None:
        self.socket = socket
        self.sent = 0
        self.clocks: list[dict[str, Any]] = []

    async def until(self, phase: str) -> dict[str, Any]:
        """Read until the table is in a phase."""
        async with asyncio.timeout(120):
            while True:
                message = json.loads(await self.socket.recv())
                if message["type"] == "table" and message["clock"]:
                    self.clocks.append(message["clock"])
                view = message.get("view", {})
                if view.get("phase") == phase:
                    return dict(view)
                if any(offer["type"] == "LookOver" for offer in view.get("offers", ())):
                    await self.ask({"type": "LookOver", "seat": 1})

    async def ask(self, command: dict[str, Any]) -> None:
        """Send a command."""
        self.sent += 1
        await self.socket.send(json.dumps({"type": "command", "id": f"c{self.sent}", "command": command}))


@pytest.mark.parametrize("looks", [False, True])
@pytest.mark.clause("nsw:12.13", "nsw:12.14")
def test_a_player_who_does_not_act_is_absent_by_the_book_over_the_network(looks: bool) -> None:
    async def vanish() -> None:
        async with open_house("nsw-1", pace=PATIENT) as house, serving(house) as address:
            cookie = await session(house, "Ann")
            await house.committer.run(lambda: house.stores.wallets.fund("Ann", 100_000, "test", at=1, who="test"))
            url = f"{address.replace('http', 'ws', 1)}/api/tables/nsw-1/socket"
            async with connect(url, additional_headers={"Cookie": f"{COOKIE}={cookie}"}) as socket:
                ann = Player(socket)
                await ann.ask({"type": "Sit", "seat": 1, "player": "", "cents": 20_000})
                await ann.until("betting")
                await ann.ask({"type": "PlaceWagers", "seat": 1, "wagers": base()})
                await ann.until("choice_1")
                if looks:
                    await ann.ask({"type": "Look", "seat": 1})
                    await until(house.room("nsw-1"), lambda table: table.seats[1].looked)
            # From here on no one is there, and the time is over.
            room = house.room("nsw-1")
            await comes(room, lambda: room.dealer.clock is not None and room.dealer.clock.what == "choice")
            over(room)
            if looks:
                await until(room, lambda table: table.phase == "settling")
                assert set(room.table.seats[1].choices.values()) <= {"ride"}
            await until(room, lambda table: table.seats[1].sitting_out)  # and the seat is still theirs
            assert room.table.seats[1].player == "Ann"
            happened = [event for row in house.stores.journal.rows("nsw-1") for event in decode(row.events)]
            assert sum(isinstance(event, PlayerWentAway) for event in happened) == 1
            ruled = {event.ruling.name for event in happened if isinstance(event, Ruled)}
            assert ruled == ({"absent:ride"} if looks else {"absent:hand_void"})
            if not looks:
                assert room.table.cents("stack:1") == 20_000
            assert house.stores.wallets.total() == 0

    asyncio.run(vanish())


@pytest.mark.parametrize(
    ("house_book", "wanted", "choices"),
    [
        ("washington-1", "withdraw", {"withdraw"}),
        ("washington-1", "coach", set()),
        ("washington-1", "", {"ride"}),
        ("nsw-1", "withdraw", {"ride"}),
    ],
)
def test_where_the_book_leaves_it_open_a_player_chooses_what_becomes_of_a_decision(
    house_book: str, wanted: WhenAbsent, choices: set[str]
) -> None:
    """With washington-1 it is the player's to choose; nsw-1 says itself that a hand that was looked at rides."""

    async def vanish() -> None:
        async with open_house(house_book, pace=PATIENT) as house:
            room = house.room(house_book)
            await house.people.register("Ann", "long enough now")
            await house.people.change("Ann", lambda one: msgspec.structs.replace(one, when_absent=wanted))
            ann = await seated(house, room, 1, "Ann")
            await betting(room)
            await ann.ask("PlaceWagers", seat=1, wagers=base())
            await until(room, lambda table: asked(table, "await_choice", number=1))
            assert (await ann.ask("Look", seat=1))["accepted"]
            await comes(room, lambda: room.dealer.clock is not None and room.dealer.clock.what == "choice")
            held = [str(card.face) for card in room.table.at("hand:1")]
            over(room)
            table = await until(room, lambda table: table.phase == "settling")
            if wanted == "coach":
                first = [str(table.community()[0].face)]
                best = {bet: value_cards(table.rules, 500, held, first[: bet - 1]).best for bet in (1, 2)}
                assert best == table.seats[1].choices
            else:
                assert choices == set(table.seats[1].choices.values())
            await until(room, lambda table: table.seats[1].sitting_out)

    asyncio.run(vanish())


def over(room: Room) -> None:
    """Let the running clock be over."""
    room.dealer._ends = 0.0
    room.host.wake()


def test_what_others_do_does_not_give_a_player_more_time() -> None:
    async def wait() -> None:
        async with open_house("nsw-1", pace=PATIENT) as house:
            room = house.room("nsw-1")
            house.clock_ms = lambda: 1_000_000
            ann, bob = await seated(house, room, 1), await seated(house, room, 2)
            await betting(room)
            await ann.ask("PlaceWagers", seat=1, wagers=base())
            await comes(room, lambda: room.dealer.clock is not None)
            clock, ends = room.standing().clock, room.dealer._ends
            assert clock == Clock(what="bets", seat=None, ends_ms=2_000_000)
            house.clock_ms = lambda: 1_500_000
            await bob.ask("BuyChips", seat=2, cents=100)
            assert (await bob.ask("PlaceWagers", seat=2, wagers={"base-1": 500}))["accepted"]
            assert (room.standing().clock, room.dealer._ends) == (clock, ends)
            await bob.ask("PlaceWagers", seat=2, wagers=base())
            table = await until(room, lambda table: asked(table, "await_choice"))
            assert table.next_step is not None
            first = table.next_step.seat
            await comes(room, lambda: room.dealer.clock is not None)
            clock, ends = room.standing().clock, room.dealer._ends
            assert clock == Clock(what="choice", seat=first, ends_ms=2_500_000)
            house.clock_ms = lambda: 1_600_000
            for player in (ann, bob):
                assert (await player.ask("BuyChips", seat=1 if player is ann else 2, cents=100))["accepted"]
                assert (await player.ask("Look", seat=1 if player is ann else 2))["accepted"]
            await asyncio.sleep(0)
            assert (room.standing().clock, room.dealer._ends) == (clock, ends)
            mover = ann if first == 1 else bob
            await mover.ask("Choose", seat=first, bet=1, choice="ride")
            await until(room, lambda table: asked(table, "await_choice", 3 - first))
            await comes(room, lambda: room.dealer.clock is not None and room.dealer.clock.seat == 3 - first)
            assert room.standing().clock.ends_ms == 2_600_000  # the next player has a clock of their own

    asyncio.run(wait())


def test_a_bet_that_cannot_be_dealt_to_goes_back_when_the_time_for_bets_is_over() -> None:
    async def wait() -> None:
        async with open_house("nsw-1", pace=PATIENT) as house:
            room = house.room("nsw-1")
            ann, bob = await seated(house, room, 1), await seated(house, room, 2)
            await betting(room)
            assert (await bob.ask("PlaceWagers", seat=2, wagers={"base-1": 500}))["accepted"]
            assert room.dealer.clock is None  # no one can be dealt to yet
            await ann.ask("PlaceWagers", seat=1, wagers=base())
            await comes(room, lambda: room.dealer.clock is not None)
            over(room)
            table = await until(room, lambda table: table.phase == "choice_1")
            assert table.dealt_in == (1,)
            assert table.cents("stack:2") == 50_000

    asyncio.run(wait())


@pytest.mark.parametrize("house_book", ["nsw-1", "california-1", "washington-1", "shufflemaster-1", "hand-dealt-1"])
def test_no_one_at_the_table_can_hold_it_up(house_book: str) -> None:
    """Two players who take the bank and bet where they are let, and never answer anything else."""

    async def never_answer() -> None:
        async with open_house(house_book, pace=Pace(step=0, bets=0.01, choice=0.01)) as house:
            room = house.room(house_book)
            players = {seat: await seated(house, room, seat) for seat in (1, 2, 3)}
            over, read = False, 0
            async with asyncio.timeout(120):
                while not over:
                    table, changed = room.table, room.host.changed
                    acted = False
                    for seat, player in players.items():
                        one = table.seats[seat]
                        if asked(table, "await_bank", seat) and not table.bank_stake:
                            acted |= (await player.ask("TakeBank", seat=seat, cents=20_000)).get("accepted", False)
                        elif table.phase == "betting" and one.player and not one.wagers and not table.banks(seat):
                            acted |= (await player.ask("PlaceWagers", seat=seat, wagers=base())).get("accepted", False)
                    if not acted:
                        await changed.wait()
                    rows = list(house.stores.journal.rows(house_book, read))
                    read += len(rows)
                    happened = (event for row in rows for event in decode(row.events))
                    over = any(isinstance(event, RoundEnded | RoundVoided) for event in happened)
            assert not room.host.halted
            assert house.stores.wallets.total() == 0

    asyncio.run(never_answer())


@pytest.mark.parametrize("seats", [(1,), (1, 2)])
def test_no_one_holds_the_table_up_by_changing_their_bets_for_ever(seats: tuple[int, ...]) -> None:
    """Each new bonus bet has the dealer look at the lamps again before calling no more bets."""

    async def change_for_ever() -> None:
        async with open_house("shufflemaster-1", pace=Pace(step=0.05, bets=0.2, choice=0.01)) as house:
            house.budgets, house.rates = Budgets(rows_max=10**9), Rates(messages_by=Rate(10**9, 1))
            room = house.room("shufflemaster-1")
            players = {seat: await seated(house, room, seat) for seat in (1, 2, 3)}
            table = await betting(room)
            for seat in {1, 2, 3} - set(seats) - {3}:  # the third sits there and does not bet: the time has to run out
                await players[seat].ask("PlaceWagers", seat=seat, wagers=base())
            codes: set[str] = set()
            async with asyncio.timeout(120):
                while table.phase == "betting":
                    for seat in seats:
                        for wagers in (base() | {"bonus": 100}, base()):
                            await asyncio.sleep(0.005)  # no one is quicker than that
                            answer = await players[seat].ask("PlaceWagers", seat=seat, wagers=wagers)
                            codes.add(answer.get("code", ""))
                    table = room.table
            assert codes <= {"", "betting_closed"}
            assert all(table.seats[seat].has_base for seat in seats)  # what was down last is in play

    with virtual(f"for ever {seats}") as (loop, _):
        run(loop, change_for_ever())
