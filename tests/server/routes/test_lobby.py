"""The lobby tells players where they sit and who is there, as the house allows, and what each bet costs."""

from __future__ import annotations

import asyncio
from fractions import Fraction
from typing import Any

import httpx
import pytest

from letitride import paytable
from letitride.analysis.base import price
from letitride.server.tables.house import NamesInLobby
from tests.server.inside import Inside, inside


def test_the_lobby_knows_ones_own_seat_and_the_chips_there() -> None:
    async def check() -> None:
        async with inside("t1", "t2") as here:
            client, ann = await here.account("Ann", cents=50_000)
            other, _ = await here.account("Bob")
            assert (await here.sit(ann, "t2", cents=10_000, seat=3))["accepted"]
            for asks, seat, chips in ((client, 3, 10_000), (other, None, 0), (here.client(), None, 0)):
                found = {one["id"]: one for one in (await asks.get("/api/tables")).json()}
                assert (found["t2"]["your_seat"], found["t2"]["your_chips_cents"]) == (seat, chips)
                assert (found["t1"]["your_seat"], found["t1"]["your_chips_cents"]) == (None, 0)
            await here.leave(ann, "t2")
            assert [one["your_seat"] for one in (await client.get("/api/tables")).json()] == [None, None]

    asyncio.run(check())


@pytest.mark.parametrize(("told", "strangers", "players"), [("everybody", 1, 1), ("players", 0, 1), ("none", 0, 0)])
def test_who_sits_where_is_told_to_whom_the_house_wants(told: NamesInLobby, strangers: int, players: int) -> None:
    async def check() -> None:
        async with inside("t1") as here:
            here.house.names_in_lobby = told
            mine, ann = await here.account("Ann", cents=50_000)
            other, _ = await here.account("Bob")
            assert (await here.sit(ann, "t1"))["accepted"]
            for asks, names in ((mine, []), (other, ["Ann"] * players), (here.client(), ["Ann"] * strangers)):
                (table,) = (await asks.get("/api/tables")).json()
                assert (1, 0, names) == (table["seated"], table["bots"], table["names"])

    asyncio.run(check())


def test_every_bet_at_a_table_has_its_exact_edge() -> None:
    async def check() -> None:
        async with inside("t1") as here:
            await here.house.open("t2", "Two", "washington-1")
            found = {one["table"]: one["edges"] for one in (await here.client().get("/api/edges")).json()}
            base, three = found["t1"]
            assert ("base", "4.2160%") == (base["wager"], base["text"])
            exact = price(paytable("HD-BASE").pays["base"])
            assert (exact.house_edge, exact.element_of_risk) == (Fraction(base["exact"]), Fraction(base["risk_exact"]))
            assert ("three_card", None) == (three["wager"], three["risk_exact"])
            hands = [one["hands"] for one in found["t2"] if one["wager"] == "cover_all"]
            assert list(range(1, 8)) == hands

    asyncio.run(check())


def test_a_bot_is_asked_for_by_people_who_sit_there_and_only_so_many() -> None:
    async def check() -> None:
        async with inside("t1") as here:
            client, ann = await here.account("Ann", cents=50_000)
            path = "/api/tables/t1/bots"
            assert 409 == (await client.post(path)).status_code
            assert (await here.sit(ann, "t1"))["accepted"]
            assert [1, 2, 3, 4, 5] == [(await client.post(path)).json()["bots"] for _ in range(5)]
            assert 409 == (await client.post(path)).status_code
            assert 4 == (await client.delete(path)).json()["bots"]
            here.house.bots_asked_max = 0  # as in a house with a cashier
            assert 409 == (await client.post(path)).status_code

    asyncio.run(check())


async def _opened(here: Inside, client: httpx.AsyncClient, **wish: Any) -> Any:
    answer = await client.post("/api/private-tables", json={"name": "Ours", "rulebook": "nsw-1"} | wish)
    assert 201 == answer.status_code, answer.text
    return here.house.room(answer.json()["id"])


def test_a_private_table_is_as_its_owner_wants_it() -> None:
    async def check() -> None:
        async with inside() as here:
            client, _ = await here.account("Ann")
            wish = {"limits_cents": [300, 900], "paytables": {"base": "LIRX-02"}, "choice_seconds": 90, "bots": 2}
            room = await _opened(here, client, rulebook="california-1", **wish)
            rules = room.table.rules
            assert (300, 900) == (rules.rules.limit.cents_min, rules.rules.limit.cents_max)
            assert "LIRX-02" == rules.paytables["base"]
            assert (90, 2) == (room.choice_seconds, room.standing().bots)
            (listed,) = (await client.get("/api/tables")).json()
            assert (90, [300, 900]) == (listed["choice_seconds"], listed["limits_cents"])

    asyncio.run(check())


OWN = 'id = "ours-1"\ntitle = "Kitchen rules"\nextends = "hand-dealt-1"\n[rules]\nseats = 4\n'


def test_a_private_table_is_dealt_by_a_book_of_its_owners_and_a_mistake_in_it_is_told() -> None:
    async def check() -> None:
        async with inside() as here:
            client, _ = await here.account("Ann")
            own = {"rulebook": "kitchen.toml", "texts": {"kitchen.toml": OWN}}
            room = await _opened(here, client, **own)
            assert 4 == room.table.rules.rules.seats
            (listed,) = (await client.get("/api/tables")).json()
            assert ("Kitchen rules", 4) == (listed["rulebook_title"], listed["seats"])
            wrong = {"name": "Ours", **own, "texts": {"kitchen.toml": OWN + "seats_of = 3\n"}}
            answer = await client.post("/api/private-tables", json=wrong)
            assert (422, "own_book") == (answer.status_code, answer.json()["code"])
            assert "kitchen.toml" in answer.json()["detail"]
            assert "seats_of" in answer.json()["detail"]

    asyncio.run(check())


def test_where_chips_are_money_no_one_makes_their_own_pays() -> None:
    async def check() -> None:
        async with inside() as here:
            client, _ = await here.account("Ann")
            here.house.wallets.use_cashier("tests.server.cashiers:Bank")
            for wish in (
                {"texts": {"a.toml": OWN}},
                {"paytables": {"base": "LIRX-02"}},
                {"bots": 1},
                {"limits_cents": [1, 9]},
            ):
                answer = await client.post("/api/private-tables", json={"name": "Ours", "rulebook": "nsw-1"} | wish)
                assert 422 == answer.status_code
                assert "money" in answer.json()["detail"]

    asyncio.run(check())
