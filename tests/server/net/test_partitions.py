"""Partitions: a node whose line to the database is cut or goes silent loses its tables, and does nothing twice."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from letitride.errors import StoreDown
from letitride.storage.journal import Head
from letitride.storage.sql.opening import sql_stores
from letitride.storage.sql.postgres import PostgresDatabase
from letitride.storage.sql.session import Session
from letitride.storage.sql.writes import append
from letitride.storage.urls import open_store
from letitride.storage.verify import verify
from tests.server.cluster import database, until
from tests.server.net.test_nodes_inside import TABLE, end_leases, opened
from tests.server.proxy import proxied
from tests.storage.conftest import postgres
from tests.storage.helpers import is_written, write

__all__ = ["postgres"]


def bought(cents: int) -> dict[str, Any]:
    return {"type": "BuyChips", "seat": 1, "cents": cents}


def test_a_command_held_up_on_a_silent_line_is_not_carried_out_beside_the_new_owner(postgres: str) -> None:
    async def go(url: str) -> None:
        with proxied(url) as line:
            async with opened(line.url, "one") as one, opened(url, "other") as other:
                await one.house.open(TABLE, "Table", TABLE)
                _, person = await one.guest()
                assert (await one.sit(person, TABLE, seat=1))["accepted"]
                line.stall()
                held = asyncio.create_task(one.act(person, TABLE, bought(100), "once"))
                assert await asyncio.to_thread(line.held.wait, 60)
                end_leases(url)
                await other.house.nodes.run_once(other.house)
                there = other.house.people.find(person.name)
                again = await other.act(there, TABLE, bought(100), "once")  # the same command, at its new owner
                assert again["accepted"], again
                line.heal()
                late = await held
                assert "another server" in late["sentence"], late
                await until(lambda: one.house.rooms[TABLE].host.lost)
                rows = [row.command for row in other.house.stores.journal.rows(TABLE)]
                assert rows.count("once") == 1
                assert (await other.act(there, TABLE, bought(200), "twice"))["accepted"]

    with database(postgres) as url:
        asyncio.run(go(url))
        store = open_store(url, read_only=True)
        assert verify(store).good
        store.close()


def test_a_node_whose_line_was_cut_says_so_and_goes_on_when_it_is_back(postgres: str) -> None:
    async def go(url: str) -> None:
        with proxied(url) as line:
            async with opened(line.url, "one") as one:
                await one.house.open(TABLE, "Table", TABLE)
                _, person = await one.guest()
                assert (await one.sit(person, TABLE, seat=1))["accepted"]
                line.cut()
                with pytest.raises(StoreDown, match="cannot be reached or used"):
                    await one.house.nodes.renew(one.house)
                assert "send the command again" in (await one.act(person, TABLE, bought(100), "once"))["sentence"]
                line.heal()
                await until(lambda: not one.house.rooms[TABLE].host.down)
                assert (await one.act(person, TABLE, bought(100), "once"))["accepted"]
                rows = [row.command for row in one.house.stores.journal.rows(TABLE)]
                assert rows.count("once") == 1

    with database(postgres) as url:
        asyncio.run(go(url))


def test_a_line_that_stays_silent_is_given_up_and_another_is_used(postgres: str) -> None:
    with database(postgres) as url, proxied(url) as line:
        PostgresDatabase(line.url).close()  # makes the tables; what is asked after that is quickly told
        lasting = PostgresDatabase(line.url, silence_seconds=3.0)
        store = sql_stores(lasting)
        store.tables.create("t1", "First", {})

        def silent(session: Session) -> None:
            append(session, [write(Head())])
            line.stall()
            session.run("SELECT 1")

        with pytest.raises(StoreDown, match="cannot be reached or used"):
            lasting.transact(silent)
        line.heal()
        assert 0 == store.journal.last("t1").number
        line.stall()
        with pytest.raises(StoreDown, match="cannot be reached or used"):
            store.tables.all()
        assert line.held.is_set()
        line.heal()
        assert all(map(is_written, store.journal.append([write(store.journal.last("t1"))])))
        store.close()
