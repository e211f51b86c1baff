"""Two houses in one process on one PostgreSQL, each with its own wrong clock: who owns what, and what a loser may do."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import replace

import psycopg
import pytest

from letitride.engine.events import DeckLooked
from letitride.errors import StoreDown
from letitride.rules import catalog
from letitride.server.app import create
from letitride.server.ops.opening import TableRequest, register_table
from letitride.server.people.tickets import TICKET_MS
from letitride.server.runtime.requests import TableLost
from letitride.server.runtime.table_facts import facts_of_rules
from letitride.server.runtime.write_batching import Committer
from letitride.server.tables.house import House, Pace, demo_name
from letitride.server.tables.shuffles import Shuffles
from letitride.server.tables.stored_shuffles import DEALT, KIND, AnyKept, read
from letitride.storage.journal import Head
from letitride.storage.memory.opening import memory_stores
from letitride.storage.roles.documents import DocumentStore
from letitride.storage.roles.journal import Outcome, Write, Written, prepare
from letitride.storage.roles.stores import Stores
from letitride.storage.sql.postgres import SCHEMA
from letitride.storage.urls import open_store
from letitride.storage.vault import Vault, fresh_key
from tests.server.cluster import database, until, wait_for
from tests.server.inside import HOUR_MS, Inside, inside
from tests.server.instead import Instead
from tests.server.journals import rules_of
from tests.server.virtual import Player, connect, run, virtual
from tests.server.virtual import opened as virtual_house
from tests.server.virtual import until as becomes
from tests.storage.conftest import postgres

__all__ = ["postgres"]
TABLE = "hand-dealt-1"
LEASE_MS = 60_000
"""Longer than any step of a test takes on a slow machine: leases end when a test says so."""
SHORT_MS = 1_500


@asynccontextmanager
async def opened(url: str, node: str, wrong_ms: int = 0, lease_ms: int = LEASE_MS) -> AsyncIterator[Inside]:
    """A house on a shared database, whose clock is wrong, and which looks at the others only when it is told to."""
    pace = Pace(step=0.0)
    house = House(open_store(url), node=node, address=f"http://{node}", pace=pace, lease_ms=lease_ms)
    one = Inside(house, create(house, demo=False))
    one.now_ms += wrong_ms
    await house.start(demo=False)
    try:
        yield one
    finally:
        await one.close()


def end_leases(url: str) -> None:
    """Let time pass for the leases."""
    with psycopg.connect(url) as connection:
        connection.execute(f"UPDATE {SCHEMA}.game_tables SET until_ms = 1 WHERE node <> ''")  # noqa: S608 - ours
        connection.execute(f"DELETE FROM {SCHEMA}.documents WHERE kind = 'node'")  # noqa: S608 - ours


def test_a_server_that_lost_a_table_writes_nothing_more_and_says_where_it_is(postgres: str) -> None:
    async def go(url: str) -> None:
        async with AsyncExitStack() as both:
            one = await both.enter_async_context(opened(url, "one", wrong_ms=-5 * HOUR_MS))
            other = await both.enter_async_context(opened(url, "other", wrong_ms=5 * HOUR_MS))
            await one.house.open(TABLE, "Table", TABLE)
            boss, _ = await one.account("Boss", "administrator")
            client, person = await one.guest()
            # However wrong the clocks are, the database's counts.
            await other.house.nodes.run_once(other.house)
            assert not other.house.rooms
            told = (await other.client(client.cookies["letitride_session"]).post(f"/api/tables/{TABLE}/join")).json()
            assert told["address"] == "http://one"
            assert (await one.sit(person, TABLE))["accepted"]
            token = await one.house.people.sessions.begin(person.name)
            socket = await connect(one.app, TABLE, token)
            room = one.house.rooms[TABLE]
            await room.shuffles.begin(1, 1)

            end_leases(url)
            await other.house.nodes.run_once(other.house)
            (begun,) = (read(one.body) for one in other.house.stores.documents.find(KIND))
            assert (begun.epoch, begun.ended) == (other.house.rooms[TABLE].host.epoch, False)
            assert other.house.rooms[TABLE].host.epoch > room.host.epoch
            assert other.house.rooms[TABLE].seat_of(person.name)

            # Before it knows: its door and its dealer change nothing.
            with pytest.raises(TableLost):
                await room.keep_state("halted", "mistaken", who="house", what="table.halted", why="mistaken")
            answer = await one.act(person, TABLE, {"type": "BuyChips", "seat": room.seat_of(person.name), "cents": 100})
            assert "moved to another server" in answer["sentence"]
            await until(lambda: bool(socket.code))
            assert (socket.code, room.host.lost) == (1012, True)
            assert (other.house.stores.tables.get(TABLE).state, b"letitride_lease_losses_total 1.0") == (
                "open",
                next(
                    line
                    for line in one.house.metrics.text().splitlines()
                    if line.startswith(b"letitride_lease_losses_total")
                ),
            )
            for path, wish in (
                ("state", {"state": "closing", "why": "night"}),
                ("recover", {"how": "resume", "why": "try"}),
                ("shift", {"act": "end"}),
            ):
                no = await boss.post(f"/api/tables/{TABLE}/{path}", json=wish)
                assert (no.status_code, "http://other" in no.json()["detail"]) == (409, True), no.text
            await one.house.nodes.run_once(one.house)
            assert not one.house.rooms
            no = await boss.post(f"/api/tables/{TABLE}/state", json={"state": "closing", "why": "night"})
            assert (no.status_code, "http://other" in no.json()["detail"]) == (409, True)
            # At the other it is done, and known here.
            await other.house.rooms[TABLE].door.close("Boss", "night")
            assert (await boss.get(f"/api/tables/{TABLE}/state")).json()["state"] in {"closing", "closed"}

    with database(postgres) as url:
        asyncio.run(go(url))


def test_a_house_that_was_away_lets_others_speak_first(postgres: str) -> None:
    async def go(url: str) -> None:
        short = SHORT_MS
        async with opened(url, "one", lease_ms=short) as one, opened(url, "other", lease_ms=short) as other:
            await one.house.open(TABLE, "Table", TABLE)
            await other.house.nodes.run_once(other.house)
            await asyncio.sleep(1.1 * SHORT_MS / 1000)  # neither could be heard for longer than a lease
            await other.house.nodes.run_once(other.house)
            assert not other.house.rooms
            await one.house.nodes.run_once(one.house)
            assert list(one.house.rooms) == [TABLE]
            # One who stays silent is dead after all.
            async with asyncio.timeout(120):
                while not other.house.rooms:
                    await asyncio.sleep(SHORT_MS / 5000)
                    await other.house.nodes.run_once(other.house)

    with database(postgres) as url:
        asyncio.run(go(url))


def test_a_server_whose_loop_is_busy_keeps_its_tables(postgres: str) -> None:
    async def go(url: str) -> None:
        async with opened(url, "one", lease_ms=SHORT_MS) as one:
            await one.house.open(TABLE, "Table", TABLE)
            keeping = asyncio.create_task(one.house.nodes.run(one.house))
            looked = one.house.nodes.seen
            await until(lambda: one.house.nodes.seen is not looked)
            with psycopg.connect(url) as connection:
                connection.execute(f"UPDATE {SCHEMA}.game_tables SET until_ms = 1")  # noqa: S608 - ours

            def is_ours() -> bool:
                lease = one.house.stores.leases.owner(TABLE)
                return lease is not None and lease.until_ms > one.house.stores.leases.now_ms(0)

            wait_for(is_ours)  # without ever giving the loop a moment
            keeping.cancel()

    with database(postgres) as url:
        asyncio.run(go(url))


def test_tables_that_are_closed_count_in_no_share() -> None:
    async def go() -> None:
        async with inside("t1", "t2") as here:
            await here.house.room("t1").door.close("Boss", "night")
            room = here.house.room("t1")
            while room.state != "closed":
                await room.host.changed.wait()
            register_table(
                here.house.stores,
                TableRequest(name="New", rulebook=TABLE, values=dict(catalog.stated_values(TABLE))),
                at=1,
                who="Boss",
            )
            await here.house.nodes.run_once(here.house)
            assert {"t1", "t2", "new"} == set(here.house.rooms)

    asyncio.run(go())


def test_a_journal_that_cannot_be_read_halts_its_table_and_no_other() -> None:
    async def go() -> None:
        store = memory_stores()
        store.tables.create("broken", "Broken", facts_of_rules(rules_of(TABLE)).stored())
        (outcome,) = store.journal.append(
            [prepare(Head(), table_id="broken", at=1, by="house", happened=[DeckLooked(seat=1)])]
        )
        assert isinstance(outcome, Written)
        async with inside("t1", store=store) as here:
            assert list(here.house.rooms) == ["t1"]
            record = store.tables.get("broken")
            assert (record.state, record.reason.startswith("it cannot be resumed")) == ("halted", True)
            assert ("house", "table.halted broken") in here.audited()

    asyncio.run(go())


def test_a_table_whose_server_died_while_it_was_opened_is_opened() -> None:
    async def go() -> None:
        store = memory_stores()
        store.tables.create(TABLE, demo_name(TABLE), facts_of_rules(rules_of(TABLE)).stored())
        async with inside(store=store) as here:
            await here.house.start(demo=True)
            assert set(catalog.rulebook_ids()) == set(here.house.rooms)

    asyncio.run(go())


def test_a_ticket_is_good_once_soon_and_at_its_table() -> None:
    async def go() -> None:
        async with inside("t1") as here:
            tickets = here.house.tickets
            first, second, third, fourth = [await tickets.give("Ann", "session", "t1") for _ in range(4)]
            assert (await tickets.use(first, "t1")) is not None
            assert (await tickets.use(first, "t1")) is None
            assert (await tickets.use(second, "t2")) is None
            assert (await tickets.use(secrets.token_urlsafe(32), "t1")) is None
            here.now_ms += TICKET_MS
            assert (await tickets.use(third, "t1")) is None
            await tickets.tidy()
            assert not here.house.stores.documents.find("ticket")
            assert (await tickets.use(fourth, "t1")) is None

    asyncio.run(go())


def kept(store: Stores, shuffle: int) -> AnyKept:
    return read(store.documents.find(KIND, "t/")[shuffle - 1].body)


def owners(store: Stores, committer: Committer) -> list[Shuffles]:
    """The shuffles of one table at an owner of old and at a later one, of one house, where deck 1 has no faces."""
    vault = Vault(fresh_key())
    return [
        Shuffles(
            "t",
            store.documents,
            committer,
            lambda _: None,
            vault=vault,
            epoch=epoch,
            wait_seconds=1,
            unbound=lambda: {1: ()},
            seated=dict,
        )
        for epoch in (1, 2)
    ]


def test_an_owner_of_old_changes_no_deck_of_a_later_one() -> None:
    async def go() -> None:
        store = memory_stores()
        committer = Committer(store.journal)
        old, new = owners(store, committer)
        order, _ = await new.order(1, 1, set())
        with pytest.raises(TableLost):
            await old.order(1, 1, set())
        assert (kept(store, 1).state, kept(store, 1).epoch) == ("final", 2)
        assert (order, 1) == ((await new.order(1, 1, set()))[0], len(store.documents.find(KIND, "t/")))
        committer.close()

    asyncio.run(go())


def test_a_deck_that_an_owner_of_old_committed_to_too_late_is_void_in_public() -> None:
    async def go() -> None:
        store = memory_stores()
        committer = Committer(store.journal)
        old, new = owners(store, committer)
        await old.order(1, 1, set())
        assert kept(store, 1).state == "final"
        await new.order(1, 1, set())
        new.note_dealt(1)
        assert (kept(store, 2).state, kept(store, 2).epoch) == ("final", 2)
        await new.open_decks({1})  # the round is over
        await new.end_stale()
        assert [kept(store, number).state for number in (1, 2)] == ["void", "opened"]
        committer.close()

    asyncio.run(go())


class DownAfter(Instead):
    """A journal that writes the row of the first card of all, and says that it could not."""

    decks: Decks

    def append(self, batch: Sequence[Write]) -> list[Outcome]:
        done: list[Outcome] = self.real.append(batch)
        dealt = [doc.id for write in batch for doc in write.documents if doc.kind == DEALT]
        if dealt and not self.decks.dealt:
            self.decks.dealt = dealt[0]
            raise StoreDown("the line went dead")
        return done


class Decks(Instead):
    """Documents that remember what happens to the deck that was dealt from when the store failed."""

    def __init__(self, real: DocumentStore) -> None:
        super().__init__(real)
        self.dealt = ""
        self.states: list[str] = []

    def put(self, kind: str, doc_id: str, body: bytes, version: int) -> int | None:
        if doc_id == self.dealt:
            self.states.append(read(body).state)
        now: int | None = self.real.put(kind, doc_id, body, version)
        return now


def test_a_deck_that_may_be_in_play_is_not_published_when_the_store_fails() -> None:
    async def go() -> Decks:
        real = memory_stores()
        journal, decks = DownAfter(real.journal), Decks(real.documents)
        journal.decks = decks
        async with virtual_house(replace(real, journal=journal, documents=decks), TABLE) as (house, app):
            player = Player(house, app, TABLE, 1, choice="ride")
            task = asyncio.create_task(player.play())
            await becomes(lambda: house.rooms[TABLE].table.round >= 2)
            task.cancel()
        return decks

    with virtual("down after a first card") as (loop, _):
        decks = run(loop, go())
    assert decks.dealt
    assert decks.states == ["opened"]  # after its round
