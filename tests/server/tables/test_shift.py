"""Shifts: a human dealer deals, the automatic one stands aside, and no person brings cards of their own."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from typing import Any

import pytest
from websockets.asyncio.client import connect

from letitride.engine import commands, places
from letitride.engine.directing import reports
from letitride.engine.events import RoundEnded, StepDone
from letitride.engine.state import Table
from letitride.engine.steps import KINDS
from letitride.engine.view import view
from letitride.server.net.access import COOKIE
from letitride.server.runtime.pace import Pace
from letitride.storage.codec import decode
from letitride.storage.memory.opening import memory_stores
from tests.server.staffed import (
    PATIENT,
    Visitor,
    asked,
    asking,
    base,
    betting,
    comes,
    open_house,
    seated,
    serving,
    session,
    until,
)


async def deal_round(dealer: Visitor, player: Visitor, seat: int) -> None:
    """Deal one round by hand: the dealer does what the script says, the player what they are asked."""
    room = dealer.room
    for _ in range(300):
        table = room.table
        if any(
            isinstance(event, RoundEnded)
            for row in room.house.stores.journal.rows(room.record.id)
            for event in decode(row.events)
        ):
            return
        if asked(table, "await_inspection"):
            answer = await player.ask("LookOver", seat=seat)
        elif asked(table, "await_choice"):
            assert table.next_step is not None
            answer = await player.ask("Choose", seat=seat, bet=table.next_step.number, choice="ride")
        elif table.phase == "betting" and not table.seats[seat].wagers:
            answer = await player.ask("PlaceWagers", seat=seat, wagers=base())
        elif table.next_step is None:
            await until(room, lambda now, before=table: now is not before)
            continue
        else:
            answer = await dealer.say(type="next", id=f"step {table.version}", version=table.version)
            if answer.get("code") in {"stale", "not_your_role"}:  # the floor's own step
                await until(room, lambda now, before=table: now is not before)
                continue
        assert answer["accepted"], answer
    raise AssertionError("the round did not end")


@pytest.mark.parametrize("house_book", ["nsw-1", "hand-dealt-1", "shufflemaster-1"])
def test_a_human_dealer_deals_a_round_and_the_automatic_one_stands_aside(house_book: str) -> None:
    async def deal() -> None:
        async with open_house(house_book, pace=PATIENT) as house:
            room = house.room(house_book)
            dora = Visitor(room, "Dora", "dealer", role="dealer")
            assert await dora.say(type="take_shift") == {}
            assert room.standing().dealer == "Dora"
            before = room.host.head.number
            ann = await seated(house, room, 1)
            await deal_round(dora, ann, 1)
            rows = list(house.stores.journal.rows(house_book, before))
            steps = [row for row in rows if any(isinstance(event, StepDone) for event in decode(row.events))]
            assert all(row.command for row in steps if row.by == "dealer")  # each was asked for by a person
            mixed = [event for row in rows for event in decode(row.events) if isinstance(event, StepDone)]
            assert any("shuffle" in event.step.kind or "mix" in event.step.kind for event in mixed)
            assert await dora.say(type="end_shift") == {}
            assert room.standing().dealer == "automatic"
            await betting(room)
            assert (await ann.ask("PlaceWagers", seat=1, wagers=base()))["accepted"]
            await until(room, lambda table: table.phase == "choice_1")  # dealt by itself
            told = [(row.who, row.what) for row in house.stores.audit.rows() if row.what.startswith("shift")]
            assert told == [("Dora", f"shift.taken {house_book}"), ("Dora", f"shift.ended {house_book}")]

    asyncio.run(deal())


def test_a_dealer_brings_no_cards_no_cut_and_no_dice_of_their_own() -> None:
    async def cheat() -> None:
        async with open_house("nsw-1", pace=PATIENT) as house:
            room = house.room("nsw-1")
            dora = Visitor(room, "Dora", "dealer", role="dealer")
            await dora.say(type="take_shift")
            await seated(house, room, 1)
            for own in ({"order": ["Ah"] * 52}, {"cut": 20}, {"throw": 9}):
                table = room.table
                answer = await dora.ask("Do", kind="shuffle_deck", number=1, **own)
                assert answer["sentence"] == (
                    "expected a step without cards, cut or dice of its own, got one that brings them"
                )
                assert answer["type"] == "error"
                assert room.table is table

    asyncio.run(cheat())


async def deal_until(dealer: Visitor, player: Visitor, holds: Callable[[Table], bool]) -> None:
    """Deal by hand until a table is so: the dealer does what the script says, the player at seat 1 bets."""
    room = dealer.room
    while not holds(room.table):
        if room.table.phase == "betting" and not room.table.seats[1].wagers:
            assert (await player.ask("PlaceWagers", seat=1, wagers=base()))["accepted"]
        elif room.table.agenda and KINDS[room.table.agenda[0].kind].actor == "dealer":
            await dealer.say(type="next", id=f"n{room.table.version}", version=room.table.version)
        else:
            await until(room, lambda now, before=room.table: now is not before)


def test_uneven_bets_on_seen_cards_are_corrected_at_a_live_table_as_its_view_offers() -> None:
    async def deal() -> None:
        async with open_house("nsw-1", pace=PATIENT) as house:
            room = house.room("nsw-1")
            dora = Visitor(room, "Dora", "dealer", role="dealer")
            await dora.say(type="take_shift")
            ann = await seated(house, room, 1)
            await deal_until(dora, ann, lambda table: bool(table.at(places.hand(1))))
            lies = commands.Mishap(
                by="table", kind="bets", seat=1, wagers={"base-1": 4_000, "base-2": 5_000, "base-$": 4_500}
            )
            assert (await room.submit("table", "bets", lies)).accepted
            await deal_until(dora, ann, lambda table: table.phase == "choice_1")
            assert (await ann.ask("Look", seat=1))["accepted"]
            assert (await dora.ask("Report", kind="uneven_bets", seat=1))["accepted"]
            offered = [one for one in view(room.table, "seat:1").offers if isinstance(one, commands.Correct)]
            assert [4_500, 5_000] == [one.cents for one in offered]
            assert "below_staying" == (await ann.ask("Correct", seat=1, cents=500))["code"]
            assert (await ann.ask("Correct", seat=1, cents=4_500))["accepted"]
            assert [4_500] * 3 == [room.table.cents(f"felt:1:base-{spot}") for spot in "12$"]

    asyncio.run(deal())


def test_an_exposed_burn_card_is_seen_offered_and_ruled_at_a_live_table() -> None:
    async def deal() -> None:
        async with open_house("shufflemaster-1", pace=PATIENT) as house:
            room = house.room("shufflemaster-1")
            dora = Visitor(room, "Dora", "dealer", role="dealer")
            await dora.say(type="take_shift")
            ann = await seated(house, room, 1)
            await deal_until(dora, ann, lambda table: bool(table.at(places.PACKET)))
            burn = str(room.table.at(places.PACKET)[-1].face)
            assert burn not in view(room.table, "dealer").packet
            assert not (await dora.ask("Report", kind="exposed_burn"))["accepted"]
            happened = await room.submit("table", "burn", commands.Mishap(by="table", kind="exposed_burn"))
            assert happened.accepted
            assert view(room.table, "seat:1").packet[-1] == burn
            offered = [one.command for one in reports(room.table, "floor")]
            assert commands.Report(by="floor", kind="exposed_burn") in offered
            assert commands.Report(by="dealer", kind="exposed_burn") in view(room.table, "dealer").offers
            assert (await dora.ask("Report", kind="exposed_burn"))["accepted"]
            assert [one.name for one in room.table.rulings] == ["exposed_burn:burned"]
            assert (await dora.say(type="next", id="down"))["accepted"]
            assert burn not in view(room.table, "seat:1").packet

    asyncio.run(deal())


def test_only_the_dealer_who_has_the_shift_deals() -> None:
    async def try_it() -> None:
        async with (
            open_house("nsw-1", pace=PATIENT) as house,
            asking(house, "Ann") as player,
            asking(house, "Dan", "dealer") as dan,
            asking(house, "Fay", "floor") as fay,
        ):
            room, shift = house.room("nsw-1"), "/api/tables/nsw-1/shift"
            await seated(house, room, 1, "Sam")
            dora = Visitor(room, "Dora", "dealer", role="dealer")
            assert (await dora.say(type="next", id="too early"))["code"] == "not_your_shift"
            assert (await Visitor(room, "Sam").say(type="take_shift"))["type"] == "error"
            assert (await player.post(shift, json={"act": "take"})).status_code == 403
            await dora.say(type="take_shift")
            assert (await dan.post(shift, json={"act": "take"})).status_code == 409
            assert (await dan.post(shift, json={"act": "end"})).status_code == 403
            assert (await player.get("/api/tables/nsw-1/state")).json()["dealer"] == "Dora"
            ended = await fay.post(shift, json={"act": "end"})  # the floor relieves a dealer
            assert ended.json()["dealer"] == "automatic"
            assert (await fay.post(shift, json={"act": "end"})).status_code == 409
            assert (await dan.post(shift, json={"act": "take"})).json()["dealer"] == "Dan"
            assert (await dan.post("/api/tables/nowhere/shift", json={"act": "take"})).status_code == 404
            assert (await dan.post(shift, json={"act": "juggle"})).status_code == 422
            sat = Visitor(room, "Sam", "player", "dealer")
            assert (await sat.say(type="take_shift"))["type"] == "error"

    asyncio.run(try_it())


def test_a_dealer_who_is_gone_too_long_loses_the_shift() -> None:
    async def be_gone() -> None:
        async with open_house("nsw-1", pace=Pace(step=0, bets=1000, choice=1000, grace=0.02)) as house:
            room = house.room("nsw-1")
            dora = Visitor(room, "Dora", "dealer", role="dealer")
            await dora.say(type="take_shift")
            await seated(house, room, 1)
            table = room.table
            dora.leave()
            await comes(room, lambda: not room.shift.person)
            await until(room, lambda now: now is not table)  # the automatic dealer resumes
            assert [row.who for row in house.stores.audit.rows() if row.what.startswith("shift.ended")] == ["house"]

    async def come_back() -> None:
        async with open_house("nsw-1", pace=PATIENT) as house:
            room = house.room("nsw-1")
            dora = Visitor(room, "Dora", "dealer", role="dealer")
            await dora.say(type="take_shift")
            dora.leave()
            assert room.shift._timer is not None
            Visitor(room, "Dora", "dealer", role="dealer")
            assert room.shift._timer is None
            assert room.shift.person == "Dora"

    asyncio.run(be_gone())
    asyncio.run(come_back())


def test_everybody_is_told_who_deals_over_the_network() -> None:
    async def listen() -> list[dict[str, Any]]:
        async with open_house("nsw-1", pace=PATIENT) as house, serving(house) as base_url:
            address = f"{base_url.replace('http', 'ws', 1)}/api/tables/nsw-1/socket"
            ann = {"Cookie": f"{COOKIE}={await session(house, 'Ann')}"}
            dora = {"Cookie": f"{COOKIE}={await session(house, 'Dora', 'dealer')}"}
            async with (
                connect(address, additional_headers=ann) as player,
                connect(f"{address}?role=dealer", additional_headers=dora) as dealer,
            ):
                await dealer.send(json.dumps({"type": "take_shift"}))
                told: list[dict[str, Any]] = []
                async with asyncio.timeout(120):
                    while not told or told[-1]["dealer"] != "Dora":
                        message = json.loads(await player.recv())
                        told += [message] if message["type"] == "table" else []
                    viewer = ""
                    while not viewer:
                        message = json.loads(await dealer.recv())
                        viewer = message.get("view", {}).get("viewer", "")
                assert viewer == "dealer"
            room = house.room("nsw-1")
            await comes(room, lambda: not any(room.staff.values()))
            return told

    told = asyncio.run(listen())
    assert told[0] == {
        "type": "table",
        "table": "nsw-1",
        "state": "open",
        "dealer": "automatic",
        "clock": None,
        "pace": "normal",
        "bots": 0,
        "bots_max": 5,
    }


def test_a_shift_that_a_kill_cut_off_is_ended_on_record_before_the_automatic_dealer_deals() -> None:
    async def go() -> None:
        store = memory_stores()
        async with open_house("nsw-1", pace=PATIENT, store=store) as house:
            dora = Visitor(house.room("nsw-1"), "Dora", "dealer", role="dealer")
            await dora.say(type="take_shift")
        assert ["Dora"] == [row.who for row in store.audit.rows() if row.what.startswith("shift.")]
        async with open_house("nsw-1", pace=PATIENT, store=store) as after:
            await seated(after, after.room("nsw-1"), 1)
            await betting(after.room("nsw-1"))
            rows = [row for row in store.audit.rows() if row.what.startswith("shift.")]
            assert [("Dora", "shift.taken nsw-1"), ("house", "shift.ended nsw-1")] == [(r.who, r.what) for r in rows]
            again = Visitor(after.room("nsw-1"), "Dora", "dealer", role="dealer")
            assert {} == await again.say(type="take_shift")

    asyncio.run(go())


def test_a_dealer_deals_at_one_table_at_a_time() -> None:
    async def go() -> None:
        async with open_house("nsw-1", "washington-1", pace=PATIENT) as house:
            one, two = (
                Visitor(house.room(name), "Dora", "dealer", role="dealer") for name in ("nsw-1", "washington-1")
            )
            assert {} == await one.say(type="take_shift")
            told = await two.say(type="take_shift")
            assert "deals at nsw-1" in told["sentence"]
            assert not house.room("washington-1").shift.person
            assert {} == await one.say(type="end_shift")
            assert {} == await two.say(type="take_shift")
            assert "Dora" == house.room("washington-1").shift.person

    asyncio.run(go())
