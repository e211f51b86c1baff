"""A person with two hands at a live table: both seats are theirs alone, seen by them, limited together, freed together."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import Any

from letitride.server.people import visits
from letitride.server.people.bounds import Bounds
from letitride.server.people.visits import FollowedJournal, PlayerVisits
from letitride.server.routes.coach import _advice
from letitride.server.routes.lobby import lobby
from letitride.server.runtime.pace import Pace
from letitride.server.tables.house import House
from letitride.server.tables.room import Room
from tests.server.staffed import MONEY, PATIENT, Visitor, asked, base, betting, open_house, seated, until

ID = "two"


@asynccontextmanager
async def two_handed(pace: Pace = PATIENT) -> AsyncIterator[tuple[House, Room, Visitor, Visitor]]:
    """A table of two hands a player, with Ann at seats 3 and 4 and Bob at seat 6."""
    async with asyncio.timeout(60), open_house(pace=pace) as house:
        await house.open(ID, ID, "shufflemaster-1", {"hands_per_player": 2})
        room = house.room(ID)
        ann, bob = await seated(house, room, 4, "Ann"), await seated(house, room, 6, "Bob")
        assert (await ann.ask("Sit", seat=3, player="", cents=30_000))["accepted"]
        yield house, room, ann, bob


def seen(visitor: Visitor) -> dict[str, Any]:
    """What a person sees now."""
    frame = visitor.room.frames.frame_for(visitor.room.table, visitor.viewer.name)
    view: dict[str, Any] = json.loads(frame.whole())["view"]
    return view


def test_a_person_sits_side_by_side_and_acts_for_no_seat_but_their_own() -> None:
    async def live() -> None:
        async with two_handed() as (_, room, ann, bob):
            assert (3, (3, 4), "seat:3") == (room.seat_of("Ann"), room.seats_of("Ann"), ann.viewer.name)
            assert "seated" == (await ann.ask("Sit", seat=5, player="", cents=10_000))["code"]
            assert "not_adjacent" == (await bob.ask("Sit", seat=1, player="", cents=10_000))["code"]
            for seat in (3, 4):
                assert (await ann.ask("BuyChips", seat=seat, cents=1_000))["accepted"]
            refused = await bob.ask("SitOut", seat=4, out=True)
            assert "expected a command for your own seat 6, got one for seat 4" == refused["sentence"]
            refused = await ann.ask("SitOut", seat=6, out=True)
            assert "expected a command for your own seat 3 or 4, got one for seat 6" == refused["sentence"]

    asyncio.run(live())


def test_a_round_of_two_hands_is_seen_decided_and_coached_hand_by_hand() -> None:
    async def live() -> None:
        async with two_handed() as (house, room, ann, bob):
            await betting(room)
            for who, seat in ((ann, 3), (ann, 4), (bob, 6)):
                assert (await who.ask("PlaceWagers", seat=seat, wagers=base(500 * seat)))["accepted"]
            await until(room, lambda table: asked(table, "await_choice"))
            for who, seat in ((ann, 3), (ann, 4), (bob, 6)):
                assert (await who.ask("Look", seat=seat))["accepted"]
            hands = {n: [str(card.face) for card in room.table.at(f"hand:{n}")] for n in (3, 4, 6)}
            told, others = seen(ann)["seats"], seen(bob)["seats"]
            assert (hands[3], hands[4], ["[red]"] * 3) == tuple(told[n]["cards"] for n in ("3", "4", "6"))
            assert (["[red]"] * 3, ["[red]"] * 3, hands[6]) == tuple(others[n]["cards"] for n in ("3", "4", "6"))
            due: list[int] = []
            while room.table.phase in {"choice_1", "choice_2"}:
                step = room.table.next_step
                if step is None or step.kind != "await_choice":
                    await room.host.changed.wait()
                    continue
                who = bob if step.seat == 6 else ann
                if who is ann:
                    offers = {one["seat"] for one in seen(ann)["offers"] if one["type"] == "Choose"}
                    advice = _advice(ID, room.table, "Ann")
                    assert ({step.seat}, step.seat) == (offers, advice.seat)
                    assert advice.decision is not None
                    assert hands[step.seat] == list(advice.decision.cards)
                    due.append(step.seat)
                answer = await who.ask("Choose", seat=step.seat, bet=step.number, choice="withdraw")
                assert answer["accepted"], answer
            assert [3, 4, 3, 4] == due
            await until(room, lambda table: table.round == 2)
            (listed,) = [one for one in lobby(house, ann.viewer.person) if one.id == ID]
            table = room.table
            assert (3, table.cents("stack:3") + table.cents("stack:4")) == (listed.your_seat, listed.your_chips_cents)

    asyncio.run(live())


def test_a_loss_limit_counts_both_hands_and_what_one_brings_back() -> None:
    async def live() -> None:
        async with open_house(pace=PATIENT) as house:
            await house.open(ID, ID, "shufflemaster-1", {"hands_per_player": 2})
            house.limits.house = Bounds(loss_day_cents=60_000)
            room = house.room(ID)
            ann = await seated(house, room, 3, "Ann")
            assert "loss_limit" == (await ann.ask("Sit", seat=4, player="", cents=10_001))["code"]
            assert (await ann.ask("Sit", seat=4, player="", cents=10_000))["accepted"]
            assert "loss_limit" == (await ann.ask("BuyChips", seat=3, cents=1))["code"]
            assert (await ann.ask("Leave", seat=3))["accepted"]  # with all of it
            assert (await ann.ask("BuyChips", seat=4, cents=50_000))["accepted"]
            assert MONEY - 60_000 == await house.wallets.balance("Ann")
            play = await house.limits.play("Ann")
            assert [(3, 0), (4, 60_000)] == [(one.seat, one.lost_cents()) for one in play.visits]
            (open_visit,) = [one for one in play.visits if not one.until_ms]
            assert 4 == open_visit.seat
            rows = house.stores.journal.rows(ID, 0)
            again = visits.read(PlayerVisits(following={ID: FollowedJournal(0, 0)}), "Ann", ID, rows)
            assert again.visits == play.visits

    asyncio.run(live())


def test_both_seats_of_a_player_who_is_gone_are_freed() -> None:
    async def live() -> None:
        pace = replace(PATIENT, sits_out=0.02, leaves=0.05)
        async with two_handed(pace) as (house, room, ann, _):
            ann.leave()
            await until(room, lambda table: not table.seats[3].player and not table.seats[4].player)
            assert ("Bob", MONEY) == (room.table.seats[6].player, await house.wallets.balance("Ann"))

    asyncio.run(live())


def test_a_player_who_does_not_decide_is_waited_for_once() -> None:
    async def live() -> None:
        async with two_handed(replace(PATIENT, choice=0.05)) as (_, room, ann, bob):
            await betting(room)
            for who, seat in ((ann, 3), (ann, 4), (bob, 6)):
                assert (await who.ask("PlaceWagers", seat=seat, wagers=base()))["accepted"]
            clocks = set()
            while not room.table.seats[4].away:
                clocks.add(room.dealer.clock.seat if room.dealer.clock else None)
                await room.host.changed.wait()
            assert room.table.seats[3].away
            assert 3 in clocks

    asyncio.run(live())
