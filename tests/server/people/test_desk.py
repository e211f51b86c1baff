"""The desk of those who run tables: what they see and may do, and a journal whose hashes anybody can work out."""

from __future__ import annotations

import asyncio
import hashlib
import json
import random
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import httpx
import pytest

from letitride.engine import places
from letitride.engine.events import StepDone
from letitride.engine.faults import ROUND
from letitride.server.routes.desk import _desk
from letitride.server.tables.disclosure import disclosure
from letitride.server.tables.live_table import spent_decks
from letitride.storage.codec import decode
from letitride.storage.journal import START, Head
from letitride.storage.memory.opening import memory_stores
from tests.server.instead import Instead
from tests.server.journals import HOUSES, enter, fuzz_into, fuzzed, opened, past_of, rules_of
from tests.server.learn.test_coach import other_world
from tests.server.staffed import PATIENT, Visitor, asked, asking, base, betting, open_house, seated, until


def sealed(table: str, head: str, row: dict[str, Any]) -> str:
    """The hash of a row by the words of its description alone."""
    fields = [table, row["number"], row["at_ms"], row["by"], row["command"], row["epoch"], row["previous"]]
    line = json.dumps(fields, separators=(",", ":"), ensure_ascii=False)
    return hashlib.sha256(f"{head}{line}\n{row['events']}".encode()).hexdigest()


@pytest.mark.parametrize("house", HOUSES)
def test_an_inspector_reads_rows_whose_hashes_follow_from_what_they_say(house: str) -> None:
    async def read() -> None:
        async with opened(fuzzed(house)) as (here, client):
            await enter(here, client, "Ina", "inspector")
            rows, after, hidden = [], 0, 0
            while after is not None:
                told = (await client.get(f"/api/tables/t1/journal?after={after}&limit=400")).json()
                rows += told["rows"]
                after = told["next_after"]
            assert [row["number"] for row in rows] == list(range(1, told["end"]["number"] + 1))
            previous: str | None = START
            for row in rows:
                assert row["previous"] == previous
                previous = row["hash"]
                hidden += previous is None
                if previous is not None:
                    assert previous == sealed("t1", told["format"], row)
            assert previous == told["end"]["hash"]
            assert hidden < len(rows) / 3
            one = (await client.get("/api/tables/t1/journal?round=2&limit=500")).json()
            steps = (await client.get("/api/tables/t1/rounds/2?role=inspector")).json()["steps"]
            assert one["rows"][0]["number"] <= steps[0]["row"]
            assert one["rows"][-1]["number"] == steps[-1]["row"]
            assert (await client.get("/api/tables/t1/journal?round=999")).status_code == 404
            assert (await client.get("/api/tables/nowhere/journal")).status_code == 404
            await enter(here, client, "Flo", "floor", "dealer")
            assert (await client.get("/api/tables/t1/journal")).status_code == 403
            client.cookies.clear()
            assert (await client.get("/api/tables/t1/journal")).status_code == 401

    asyncio.run(read())


@pytest.mark.parametrize("house", HOUSES)
@pytest.mark.parametrize("turns", [157, 260, 333, 470])
def test_no_row_that_is_told_says_where_a_hidden_card_lies(house: str, turns: int) -> None:
    store = memory_stores()
    fuzz_into(store, "t1", rules_of(house), turns)
    past = past_of(store, "t1")
    table, _ = past.present()
    secret = disclosure(past)
    rows = list(store.journal.rows("t1"))
    spent = spent_decks(table)
    in_use = {card.deck for held in table.cards.values() for card in held} - spent
    mixed = {0: 0}
    for row in rows:
        for event in decode(row.events):
            if isinstance(event, StepDone) and event.step.kind in {"start_shuffle", "mix_deck", "shuffle_deck"}:
                mixed |= {move.card.deck: row.number for move in event.moves}
    told = [row for row in rows if not secret.withholds(row)]
    for row in told:
        moved = {move.card.deck for event in decode(row.events) for move in getattr(event, "moves", ())}
        assert all(row.number < mixed.get(deck, 0) for deck in moved & in_use if deck in mixed)
    hands = any(table.at(places.hand(number)) for number in table.seats)
    assert len(told) < len(rows) if hands else told


def test_a_round_that_is_on_tells_the_inspector_nothing_of_its_cards() -> None:
    async def look() -> None:
        async with open_house("nsw-1", pace=PATIENT) as house:
            room = house.room("nsw-1")
            ann = await seated(house, room, 1)
            await betting(room)
            assert (await ann.ask("PlaceWagers", seat=1, wagers=base()))["accepted"]
            table = await until(room, lambda now: asked(now, "await_choice"))
            async with asking(house, "Ina", "inspector") as client:
                told = (await client.get("/api/tables/nsw-1/journal?limit=500")).json()
            hidden = [row["number"] for row in told["rows"] if row["events"] is None]
            assert hidden
            assert hidden[-1] == told["end"]["number"]
            shown = "".join(row["events"] or "" for row in told["rows"][hidden[0] - 1 :])
            assert not any(f'"{card.face}"' in shown for card in table.at(places.hand(1)))

    asyncio.run(look())


def test_no_hash_is_told_from_which_a_hidden_card_could_be_guessed() -> None:
    """A row that deals one card has one of 52 contents: knowing its hash, or any later one, is enough to try them all."""

    async def look() -> None:
        async with open_house("nsw-1", pace=PATIENT) as house:
            room = house.room("nsw-1")
            ann = await seated(house, room, 1)
            await betting(room)
            assert (await ann.ask("PlaceWagers", seat=1, wagers=base()))["accepted"]
            await until(room, lambda now: asked(now, "await_choice"))  # the last row of the dealer's for now
            async with asking(house, "Ina", "inspector") as client:
                answer = await client.get("/api/tables/nsw-1/journal?limit=500")
                later = await client.get(f"/api/tables/nsw-1/journal?after={room.host.head.number - 1}")
            told = answer.json()
            first = next(row["number"] for row in told["rows"] if row["events"] is None)
            kept = list(house.stores.journal.rows("nsw-1", after=first - 1))
            assert any("deal_" in row.events.decode() for row in kept)
            for row in kept:
                assert row.hash not in answer.text
                assert row.hash not in later.text
            assert told["end"] == {"number": kept[-1].number, "hash": None}

    asyncio.run(look())


class DealsOn(Instead):
    """A journal whose table is played on while someone looks where it ends."""

    then: Callable[[], None] = staticmethod(lambda: None)

    def last(self, table_id: str) -> Head:
        now, self.then = self.then, lambda: None
        now()
        head: Head = self.real.last(table_id)
        return head


@pytest.mark.parametrize("house", HOUSES)
def test_a_deck_that_is_mixed_while_the_journal_is_read_is_not_told(house: str) -> None:
    """After a round its deck hides nothing any more; by the time the rows are read it may be mixed for the next."""

    async def read() -> None:
        rules, whole = rules_of(house), memory_stores()
        fuzz_into(whole, "t1", rules, 200)
        rows = list(whole.journal.rows("t1"))
        mixed = next(row for row in rows if row.number > 24 and any(map(_mixes, decode(row.events))))
        for before in range(mixed.number - 1, 0, -1):
            real = memory_stores()
            journal = DealsOn(real.journal)
            store = replace(real, journal=journal)
            fuzz_into(store, "t1", rules, 200, until=before)
            if not disclosure(past_of(store, "t1")).withholds(mixed):
                break
        async with opened(store) as (here, client):
            await enter(here, client, "Ina", "inspector")
            journal.then = lambda: fuzz_into(store, "t1", rules, 200, since=before + 1, until=mixed.number)
            told = (await client.get(f"/api/tables/t1/journal?after={before - 1}")).json()
            assert store.journal.last("t1").number == mixed.number
            assert told["rows"]
            assert not [row for row in told["rows"] if row["number"] == mixed.number and row["events"]]

    asyncio.run(read())


def _mixes(event: object) -> bool:
    return isinstance(event, StepDone) and event.step.kind in {"start_shuffle", "mix_deck", "shuffle_deck"}


def test_the_desk_shows_every_table_and_what_a_role_may_do_there() -> None:
    async def look() -> None:
        async with open_house("nsw-1", "shufflemaster-1", pace=PATIENT) as house:
            room = house.room("shufflemaster-1")
            dora = Visitor(room, "Dora", "dealer", role="dealer")
            await dora.say(type="take_shift")
            await seated(house, room, 3, "Ann")
            async with asking(house, "Dora", "dealer") as client:
                tables = {one["id"]: one for one in (await client.get("/api/desk")).json()}
                assert tables["shufflemaster-1"]["dealer"] == "Dora"
                assert tables["shufflemaster-1"]["players"] == ["Ann"]
                assert tables["nsw-1"]["dealer"] == "automatic"
                desk = (await client.get("/api/tables/shufflemaster-1/desk?role=dealer")).json()
                assert desk["version"] == room.table.version
                assert desk["script"][0]["text"] == tables["shufflemaster-1"]["waits_for"]
                assert all(one["demand"] for line in desk["script"] for one in line["clauses"])
                refused = await client.get("/api/tables/shufflemaster-1/desk?role=floor")
                assert (refused.status_code, "role floor" in refused.json()["detail"]) == (403, True)
                assert (await client.get("/api/tables/shufflemaster-1/desk?role=king")).status_code == 422
            async with asking(house, "Flo", "floor", "casino_supervisor") as client:
                high = (await client.get("/api/tables/nsw-1/desk?role=casino_supervisor")).json()
                low = (await client.get("/api/tables/nsw-1/desk?role=floor")).json()
                assert {one["kind"] for one in low["orders"]} < {one["kind"] for one in high["orders"]}
            async with asking(house, "Ann") as client:
                assert (await client.get("/api/desk")).status_code == 403

    asyncio.run(look())


@pytest.mark.parametrize("house", HOUSES)
def test_the_desk_says_the_same_whatever_lies_face_down(house: str) -> None:
    chance, seen = random.Random(house), set()
    for moment in past_of(fuzzed(house), "t1").moments():
        table = moment.after
        if table.phase not in ROUND or moment.number % 17:
            continue
        seen.add(table.phase)
        other = other_world(table, 0, chance)
        assert _desk("t1", table, "floor", 5) == _desk("t1", other, "floor", 5)
    assert len(seen) > 2


def test_the_latest_of_the_audit_comes_without_the_rest() -> None:
    async def look() -> None:
        store = memory_stores()
        async with opened(store) as (here, client):
            await enter(here, client, "Ina", "inspector")
            numbers = await _numbers(client, "latest=true")
            for at in range(37):
                store.audit.add(at, "Flo", f"act {at}", "")
                numbers = await _numbers(client, "limit=5&latest=true")
                assert numbers == [one.number for one in store.audit.rows()][-5:]

    asyncio.run(look())


async def _numbers(client: httpx.AsyncClient, asked: str) -> list[int]:
    return [one["number"] for one in (await client.get(f"/api/audit?{asked}")).json()]
