"""Own rounds by HTTP: statistics, history, files, and links that show a round to everybody who has them."""

from __future__ import annotations

import asyncio
import csv
import io
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from fractions import Fraction
from functools import cache
from typing import Any

import httpx
import msgspec
import pytest

from letitride.server.people.limits import PLAY
from letitride.server.people.visits import PlayerVisits, Visit
from letitride.server.runtime.rates import Rate
from letitride.server.tables import own_rounds
from letitride.server.tables.history import History
from letitride.server.tables.house import House
from letitride.storage.memory.opening import memory_stores
from letitride.storage.roles.stores import Stores
from letitride.training.own_rounds import OwnRound
from letitride.training.own_rounds import own_rounds as own_rounds_of
from tests.server.journals import START_MS, enter, fuzz_into, opened, past_of, rules_of

BOOKS = {"t1": "hand-dealt-1", "t2": "nsw-1"}


def fuzzed_house() -> Stores:
    """A store with two tables that really played; made anew, since it is written to."""
    store = memory_stores()
    for table, book in BOOKS.items():
        fuzz_into(store, table, rules_of(book), 1_200)
    return store


@cache
def regular() -> str:
    """Someone who played at both tables."""
    store = fuzzed_house()
    names = [
        {seat.player for moment in past_of(store, table).moments() for seat in moment.after.seats.values()}
        for table in BOOKS
    ]
    both = sorted(name for name in names[0] & names[1] if len(name or "") > 2)
    return max(both, key=lambda name: sum(one.mistakes for one in rounds_of(name)))


def seat_in(store: Stores, name: str, *, until_ms: int = 0) -> None:
    """Let the house know where a person sat."""
    visits = tuple(Visit(table=table, seat=1, since_ms=START_MS, until_ms=until_ms) for table in BOOKS)
    store.documents.put(PLAY, name, msgspec.json.encode(PlayerVisits(visits=visits)), 0)


@asynccontextmanager
async def played(name: str, until_ms: int = 0) -> AsyncIterator[tuple[House, httpx.AsyncClient]]:
    store = fuzzed_house()
    seat_in(store, name, until_ms=until_ms)
    async with opened(store) as (house, client):
        await enter(house, client, name)
        yield house, client


async def got(client: httpx.AsyncClient, address: str, **query: Any) -> Any:
    answer = await client.get(address, params=query)
    assert answer.status_code == 200, answer.text
    return answer.json()


def rounds_of(name: str) -> list[OwnRound]:
    """What a person played, as the journals have it."""
    store = fuzzed_house()
    return [
        mine
        for table in BOOKS
        for one in past_of(store, table).rounds()
        for mine in own_rounds_of(one, table, frozenset({name}))
    ]


def expected_of(name: str) -> dict[tuple[str, int, int], int]:
    return {(mine.table, mine.round, mine.seat): mine.result_cents for mine in rounds_of(name)}


def test_statistics_and_history_are_those_of_the_journals_also_where_a_book_forbids_advice(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(own_rounds, "PIECE", 3)  # several pieces and blocks
    monkeypatch.setattr(own_rounds, "BLOCK", 4)
    monkeypatch.setattr(own_rounds, "SECONDS", 600.0)  # one request reads it all, on a busy machine too

    async def look() -> None:
        known = expected_of(regular())
        assert {table for table, _, _ in known} == set(BOOKS)
        async with played(regular()) as (house, client):
            found = await got(client, "/api/me/statistics", scope="all")
            sums = found["sums"]
            assert (sums["hands"], sums["result_cents"], found["more"]) == (len(known), sum(known.values()), False)
            parts = (Fraction(sums[f"{name}_cents"]["exact"]) for name in ("expected", "mistakes", "luck"))
            expected, mistakes, luck = parts
            assert sums["judged_cents"] == expected - mistakes + luck
            judged = {book["book"]: book["sums"]["judged_hands"] for book in found["books"]}
            assert judged.keys() == set(BOOKS.values())
            assert judged["nsw-1"] > 0  # advice is forbidden there during play; the round is over
            table = await got(client, "/api/me/statistics", scope="table", table="t1")
            mine = [cents for (place, _, _), cents in known.items() if place == "t1"]
            assert (table["sums"]["hands"], table["sums"]["result_cents"]) == (len(mine), sum(mine))
            assert found["titles"]["tables"] == {"t1": "Table t1", "t2": "Table t2"}
            pages, before = [], ""
            while True:
                page = await got(client, "/api/me/rounds", limit=3, before=before)
                pages += page["rounds"]
                assert page["found"] == len(known)
                if (before := page["next_before"] or "") == "":
                    break
            assert {(one["table"], one["round"], one["seat"]): one["result_cents"] for one in pages} == known
            assert [one["ended_ms"] for one in pages] == sorted((one["ended_ms"] for one in pages), reverse=True)
            for query, fits in (
                ({"book": "nsw-1"}, lambda one: one["book"] == "nsw-1"),
                ({"table": "t1"}, lambda one: one["table"] == "t1"),
                ({"outcome": "won"}, lambda one: one["result_cents"] > 0),
                ({"outcome": "lost"}, lambda one: one["result_cents"] < 0),
                ({"hand": "low_pair"}, lambda one: one["hand"] == 1),
                ({"mistake": True}, lambda one: any((made["cost"] or {}).get("value") for made in one["decisions"])),
                ({"from": "2023-11-14T22:20:00Z"}, lambda one: one["ended_ms"] >= 1_700_000_400_000),
            ):
                some = (await got(client, "/api/me/rounds", limit=50, **query))["rounds"]
                assert some == [one for one in pages if fits(one)], query
                assert 0 < len(some) < len(pages), query
            file = await client.get("/api/me/rounds/file?format=csv&table=t1")
            rows = list(csv.DictReader(io.StringIO(file.text)))
            assert [round(float(row["result"]) * 100) for row in rows] == [
                one["result_cents"] for one in reversed(pages) if one["table"] == "t1"
            ]
            assert (await got(client, "/api/me/rounds/file", format="json"))["rounds"] == pages[::-1]
            await enter(house, client, "Stranger")
            assert (await got(client, "/api/me/rounds"))["rounds"] == []

    asyncio.run(look())


def test_what_was_read_is_not_read_again_and_stays_when_the_journal_is_gone(monkeypatch: pytest.MonkeyPatch) -> None:
    async def look() -> None:
        async with played(regular(), until_ms=START_MS + 10**9) as (_, client):
            before = await got(client, "/api/me/statistics")
            monkeypatch.setattr(own_rounds, "_read", None)  # no journal is read from here on
            assert await got(client, "/api/me/statistics") == before
            assert before["sums"]["hands"] > 3

    asyncio.run(look())


def test_an_account_has_the_rounds_links_and_coach_of_the_guest_it_was() -> None:
    async def look() -> None:
        store = fuzzed_house()
        async with opened(store) as (house, client):
            guest = (await client.post("/api/guest")).json()["name"]
            seat_in(store, guest, until_ms=START_MS + 10**9)
            known = own_rounds.OwnRounds(house, History(house))
            # The fuzz run's player is the guest: their rounds are kept under the guest's name.
            hands = rounds_of(regular())
            block = own_rounds.Block(through=99, read_ms=own_rounds.EVER - 1, rounds=hands)
            assert await known._keep(guest, "t1", own_rounds.StoredBlock(), block)
            await client.put("/api/me/settings", json={"coach": "before"})
            assert (await got(client, "/api/me"))["coach"] == "before"
            wish = {"name": "Anna", "password": "quite long enough to keep"}
            assert (await client.post("/api/accounts", json=wish)).status_code == 201
            await client.post("/api/login", json=wish)
            assert (await got(client, "/api/me"))["coach"] == "before"
            found = await got(client, "/api/me/statistics")
            assert found["sums"]["hands"] == len(hands) > 0

    asyncio.run(look())


def test_a_link_shows_what_the_player_saw_to_all_who_have_it_until_it_is_withdrawn() -> None:
    async def look() -> None:
        async with played(regular()) as (house, client):
            one = next(
                mine
                for mine in (await got(client, "/api/me/rounds", limit=50, table="t1"))["rounds"]
                if mine["cards"] and mine["community"] and mine["worth"]
            )
            place = {name: one[name] for name in ("table", "round", "seat")}
            made = (await client.post("/api/me/links", json=place)).json()
            again = (await client.post("/api/me/links", json=place)).json()
            assert again["token"] == made["token"]
            public = httpx.AsyncClient(transport=client._transport, base_url="http://test")
            shown = await got(public, f"/api{made['address']}")
            assert shown == {**shown, "player": "", "round": {**one, "table": ""}}
            told = str(shown)
            assert regular() not in told
            assert "t1" not in told
            others = {
                str(card.face)
                for moment in past_of(house.stores, "t1").moments()
                if moment.after.round == one["round"]
                for seat in moment.after.seats
                for card in moment.after.at(f"hand:{seat}")
                if seat != one["seat"]
            } - {*one["cards"], *one["community"]}
            assert others
            assert not any(f"'{card}'" in told for card in others)
            page = await public.get(made["address"])
            assert page.status_code == 200
            assert f'content="http://test/api{made["address"]}/picture.png"' in page.text
            assert '<meta name="robots" content="noindex">' in page.text
            picture = await public.get(f"/api{made['address']}/picture.png")
            assert picture.headers["content-type"] == "image/png"
            assert picture.content[:8] == b"\x89PNG\r\n\x1a\n"
            assert int.from_bytes(picture.content[16:20], "big") == 1200
            named = (await client.post("/api/me/links", json={**place, "name": True})).json()
            assert named["token"] == made["token"]
            assert (await got(public, f"/api{made['address']}"))["player"] == regular()
            assert [each["token"] for each in await got(client, "/api/me/links")] == [made["token"]]
            for address in ("/api/rounds/" + "0" * 32, "/rounds/" + "0" * 32, "/rounds/nothing"):
                assert (await public.get(address)).status_code == 404, address
            assert (await public.get("/api/rounds/nothing")).status_code == 422
            assert (await public.delete(f"/api/me/links/{made['token']}")).status_code == 401
            await enter(house, public, "Stranger")
            assert (await public.post("/api/me/links", json=place)).status_code == 404  # they did not sit there
            assert (await public.delete(f"/api/me/links/{made['token']}")).status_code == 404
            assert (await client.delete(f"/api/me/links/{made['token']}")).status_code == 204
            for address in (f"/api{made['address']}", f"/api{made['address']}/picture.png", made["address"]):
                assert (await public.get(address)).status_code == 404, address
            house.rates = msgspec.structs.replace(house.rates, shared_rounds_from=Rate(2, 1))
            house.buckets._buckets.clear()
            codes = [(await public.get("/api/rounds/" + f"{guess:032x}")).status_code for guess in range(4)]
            assert codes == [404, 404, 429, 429]
            await public.aclose()

    asyncio.run(look())
