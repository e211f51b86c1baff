"""Money orders: awards, annulments and void rounds above a ceiling wait for a second person, and so does their table."""

from __future__ import annotations

import asyncio
from typing import Any

import httpx

from letitride.autoplay.steps import plain
from letitride.rules.roles import CEILINGS
from letitride.server.people.ceilings import Ceilings
from letitride.server.tables.house import House
from tests.server.staffed import PATIENT, Visitor, asking, base, betting, open_house, seated, until

HOUSE = "nsw-1"
SENT = {"why": "seen on camera"}


async def decide(judge: Visitor, cents: int) -> dict[str, Any]:
    return await judge.ask("DecideDispute", number=1, upheld=True, why="The cards show it", cents=cents)


async def disputed(house: House) -> Visitor:
    ann = await seated(house, house.room(HOUSE), 1, "Ann")
    assert (await ann.ask("RaiseDispute", seat=1, about="My flush"))["accepted"]
    return ann


async def the_one(client: httpx.AsyncClient) -> Any:
    (one,) = [one for one in (await client.get("/api/approvals")).json() if one["state"] == "waiting"]
    return one


def test_one_floor_account_pays_no_fortune_to_a_guest_who_bet_nothing() -> None:
    async def rob() -> None:
        async with (
            open_house(HOUSE, pace=PATIENT) as house,
            asking(house, "Carl", "casino_supervisor") as carl,
            asking(house, "Flo", "floor") as flo,
            asking(house, "Fay", "floor") as fay,
        ):
            room = house.room(HOUSE)
            await disputed(house)
            had = room.chips_of("Ann")
            games = Visitor(room, "Flo", "floor", role="games_supervisor")
            huge = await decide(games, 1_000_000_00 + 1)
            assert (huge["type"], "at most $1,000,000" in huge["sentence"]) == ("error", True)
            assert [] == (await carl.get("/api/approvals")).json()
            large = await decide(games, 20_000_00)
            assert (large["type"], "casino supervisor" in large["sentence"]) == ("error", True)
            again = await decide(games, 20_000_00)
            assert again["sentence"] == large["sentence"]
            one = await the_one(carl)
            assert ("award", 20_000_00, "Flo", HOUSE) == (one["act"], one["cents"], one["asked_by"], one["table"])
            assert "to Ann for dispute 1" in one["about"]
            for client in (flo, fay):
                told = await client.post(f"/api/approvals/{one['id']}/approve", json=SENT)
                assert 403 == told.status_code, told.text
            assert had == room.chips_of("Ann")
            assert room.table.disputes
            done = await carl.post(f"/api/approvals/{one['id']}/approve", json=SENT)
            assert ("done", had + 20_000_00) == (done.json()["state"], room.chips_of("Ann"))
            assert 409 == (await carl.post(f"/api/approvals/{one['id']}/approve", json=SENT)).status_code
            assert had + 20_000_00 == room.chips_of("Ann")
            (row,) = [row for row in house.stores.audit.rows() if row.what == f"dispute.upheld {HOUSE}"]
            assert row.who == "Flo"
            assert row.why.endswith("approved by Carl")

    asyncio.run(rob())


def test_what_was_ruled_meanwhile_is_not_ruled_again_when_it_is_approved() -> None:
    async def late() -> None:
        async with open_house(HOUSE, pace=PATIENT) as house, asking(house, "Carl", "casino_supervisor") as carl:
            room = house.room(HOUSE)
            await disputed(house)
            games = Visitor(room, "Flo", "floor", role="games_supervisor")
            await decide(games, 2_000_00)
            one = await the_one(carl)
            assert (await decide(games, 100_00))["accepted"]
            had = room.chips_of("Ann")
            told = (await carl.post(f"/api/approvals/{one['id']}/approve", json=SENT)).json()
            assert ("failed", True) == (told["state"], "no dispute" in told["outcome"])
            assert had == room.chips_of("Ann")

    asyncio.run(late())


def test_no_one_rules_on_their_own_dispute() -> None:
    async def own() -> None:
        async with open_house(HOUSE, pace=PATIENT) as house:
            room = house.room(HOUSE)
            ann = await disputed(house)
            assert (await ann.ask("Leave", seat=1))["accepted"]
            judge = Visitor(room, "Ann", "floor", role="games_supervisor")
            assert "own_dispute" == (await decide(judge, 100))["code"]

    asyncio.run(own())


def test_a_round_that_may_be_annulled_waits_until_that_is_decided() -> None:
    async def go() -> None:
        async with open_house(HOUSE, pace=PATIENT) as house, asking(house, "Carl", "casino_supervisor") as carl:
            house.approvals.ceilings = Ceilings({"floor_alone_cents": 1_000})
            room = house.room(HOUSE)
            ann = await seated(house, room, 1, "Ann")
            await betting(room)
            assert (await ann.ask("PlaceWagers", seat=1, wagers=base()))["accepted"]
            await room.do("dealer", "", _next(room.table))
            await until(room, lambda table: table.phase == "choice_1")
            had = room.chips_of("Ann")
            games = Visitor(room, "Flo", "floor", role="games_supervisor")
            order = {"kind": "annul", "ground": "disturbance", "why": "the lights went out"}
            assert "error" == (await games.ask("Order", **order))["type"]
            assert house.approvals.holds(HOUSE)
            # Ann decides, and yet the dealer does not go on.
            assert (await ann.ask("Choose", seat=1, bet=1, choice="ride"))["accepted"]
            stands = room.table
            one = await the_one(carl)
            assert stands is room.table
            assert ("annulment", 1_500) == (one["act"], one["cents"])
            done = await carl.post(f"/api/approvals/{one['id']}/approve", json=SENT)
            assert "done" == done.json()["state"]
            assert not house.approvals.holds(HOUSE)
            await until(room, lambda table: not table.accounts.get("felt:1:base-1"))
            assert had + 1_500 == room.chips_of("Ann")

    asyncio.run(go())


def test_a_declined_annulment_lets_the_round_go_on() -> None:
    async def go() -> None:
        async with open_house(HOUSE, pace=PATIENT) as house, asking(house, "Carl", "casino_supervisor") as carl:
            house.approvals.ceilings = Ceilings({"floor_alone_cents": 1_000})
            room = house.room(HOUSE)
            ann = await seated(house, room, 1, "Ann")
            await betting(room)
            await ann.ask("PlaceWagers", seat=1, wagers=base())
            await room.do("dealer", "", _next(room.table))
            await until(room, lambda table: table.phase == "choice_1")
            games = Visitor(room, "Flo", "floor", role="games_supervisor")
            await games.ask("Order", kind="annul", ground="disturbance", why="noise")
            await ann.ask("Choose", seat=1, bet=1, choice="ride")
            one = await the_one(carl)
            told = await carl.post(f"/api/approvals/{one['id']}/decline", json={"why": "it was short"})
            assert "declined" == told.json()["state"]
            await until(room, lambda table: table.phase == "choice_2")

    asyncio.run(go())


def test_the_round_of_a_halted_table_is_void_when_a_second_person_says_so() -> None:
    async def go() -> None:
        async with (
            open_house(HOUSE, pace=PATIENT) as house,
            asking(house, "Carl", "casino_supervisor") as carl,
            asking(house, "Flo", "floor") as flo,
        ):
            house.approvals.ceilings = Ceilings({"floor_alone_cents": 1_000})
            room = house.room(HOUSE)
            ann = await seated(house, room, 1, "Ann")
            await betting(room)
            await ann.ask("PlaceWagers", seat=1, wagers=base())
            await room.do("dealer", "", _next(room.table))
            await until(room, lambda table: table.phase == "choice_1")
            had = room.chips_of("Ann")
            await room.host.halt("a test")
            told = await flo.post(f"/api/tables/{HOUSE}/recover", json={"how": "void", "why": "it broke"})
            assert (409, "awaits_approval") == (told.status_code, told.json()["code"])
            assert house.room(HOUSE).host.halted
            one = await the_one(carl)
            assert ("void", 1_500) == (one["act"], one["cents"])
            assert "done" == (await carl.post(f"/api/approvals/{one['id']}/approve", json=SENT)).json()["state"]
            assert not house.room(HOUSE).host.halted
            assert had + 1_500 == house.room(HOUSE).chips_of("Ann")
            (row,) = [row for row in house.stores.audit.rows() if row.what == f"table.void {HOUSE}"]
            assert (row.who, row.why) == ("Flo", "it broke; approved by Carl")

    asyncio.run(go())


def _next(table: Any) -> Any:
    assert table.next_step is not None
    return plain(table.next_step)


def test_the_same_dispute_number_at_two_tables_counts_twice() -> None:
    async def go() -> None:
        async with open_house(HOUSE, "washington-1", pace=PATIENT) as house:
            paid = []
            for book in (HOUSE, "washington-1"):
                room = house.room(book)
                player = await seated(house, room, 1, f"Ann of {book}")
                assert (await player.ask("RaiseDispute", seat=1, about="My flush"))["accepted"]
                role = room.table.disputes[0].heard_by[0]
                judge = Visitor(room, "Flo", "floor", "casino_supervisor", role=role)
                paid.append((await decide(judge, CEILINGS["floor"].alone)).get("accepted", False))
            assert [True, False] == paid

    asyncio.run(go())
