"""A failing store under a running house: a full disk, a locked database, a database that vanishes and comes back.

Whatever happens, a client gets an answer or a clear refusal, what was acknowledged is there, and no chip is lost or doubled.
"""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, closing
from pathlib import Path
from typing import Any
from unittest.mock import AsyncMock

import psycopg
import pytest

from letitride.errors import StoreDown
from letitride.server.app import create
from letitride.server.tables.house import House, Pace
from letitride.storage.roles.stores import Stores
from letitride.storage.sql.opening import sql_stores
from letitride.storage.sql.sqlite import SqliteDatabase
from letitride.storage.urls import open_store
from letitride.storage.verify import verify
from tests.server.virtual import Socket, connect
from tests.storage.conftest import address, postgres

__all__ = ["address", "postgres"]
TABLE = "nsw-1"


@asynccontextmanager
async def at_a_table(store: Stores, node: str) -> AsyncIterator[tuple[House, Any, Socket]]:
    """A guest who sits at a table of a house in real time, whose dealer waits for longer than any test."""
    house = House(store, node=node, pace=Pace(step=1000.0, bets=1000.0, choice=1000.0))
    app = create(house, demo=False)
    async with app.router.lifespan_context(app):
        await house.open(TABLE, "Table", TABLE)
        _, token = await house.people.guest()
        socket = await connect(app, TABLE, token)
        socket.send(buy(0, {"type": "Sit", "player": ""}))
        assert (await socket.answer())["accepted"]
        yield house, app, socket
        await socket.close()


def buy(number: int, kind: dict[str, Any] | None = None) -> dict[str, Any]:
    command = {**(kind or {"type": "BuyChips"}), "seat": 1, "cents": 1_000}
    return {"type": "command", "id": f"b{number}", "command": command}


async def told(socket: Socket) -> dict[str, Any]:
    return await asyncio.wait_for(socket.answer(), 60)


def judge(url: str, acknowledged: int, sent: int) -> None:
    """The journal is good, and the stack is between what was acknowledged and what was sent."""
    store = open_store(url)
    try:
        assert verify(store).good
        assert store.wallets.total() == 0
        stack = store.wallets.balances(TABLE)["stack:1"]
        assert 1_000 * acknowledged <= stack <= 1_000 * sent
        bought = [row for row in store.journal.rows(TABLE) if row.command.startswith("b")]
        assert stack == 1_000 * len(bought)
    finally:
        store.close()


def is_clear(answer: dict[str, Any]) -> bool:
    """Whether an answer says yes, or says why not."""
    return bool(answer.get("accepted")) or len(answer.get("sentence", "")) > 10


def test_a_full_disk_is_refused_in_a_sentence_and_costs_no_chip(tmp_path: Path) -> None:
    url = str(tmp_path / "house.db")

    async def go() -> tuple[int, int, list[dict[str, Any]]]:
        database = SqliteDatabase(Path(url))
        answers = []
        async with at_a_table(sql_stores(database), "one") as (_, _, socket):
            writer: Any = database._writer
            ((pages,),) = writer.execute("PRAGMA page_count").fetchall()
            writer.execute(f"PRAGMA max_page_count = {pages + 2}")  # what a full disk is to SQLite
            for number in range(1, 60):
                socket.send(buy(number))
                answers.append(await told(socket))
                if not answers[-1].get("accepted"):
                    break
            writer.execute("PRAGMA max_page_count = 1000000")
        return 1 + sum(bool(one.get("accepted")) for one in answers), 1 + len(answers), answers

    acknowledged, sent, answers = asyncio.run(go())
    assert not answers[-1].get("accepted")
    assert all(map(is_clear, answers))
    judge(url, acknowledged, sent)


def test_a_locked_database_is_waited_for_and_then_refused_in_a_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("letitride.storage.sql.sqlite._BUSY_SECONDS", 0.2)
    url = str(tmp_path / "house.db")

    async def go() -> dict[str, Any]:
        async with at_a_table(open_store(url), "one") as (_, _, socket):
            with closing(sqlite3.connect(url, isolation_level=None)) as other:
                other.execute("BEGIN EXCLUSIVE")
                socket.send(buy(1))
                answer = await told(socket)
                other.execute("ROLLBACK")
        return answer

    answer = asyncio.run(go())
    assert not answer.get("accepted")
    assert is_clear(answer)
    judge(url, acknowledged=1, sent=1)


def test_a_database_that_vanishes_takes_nothing_with_it(address: Callable[[str], str]) -> None:
    url = address("postgres")
    vanishing = url.replace("/postgres?", "/vanishing?")

    async def go() -> list[dict[str, Any]]:
        answers = []
        with psycopg.connect(url, autocommit=True) as other:
            other.execute("DROP DATABASE IF EXISTS vanishing WITH (FORCE)")
            other.execute("CREATE DATABASE vanishing")
            try:
                async with at_a_table(open_store(vanishing), "one") as (_, _, socket):
                    socket.send(buy(1))
                    answers.append(await told(socket))
                    other.execute("ALTER DATABASE vanishing ALLOW_CONNECTIONS false")
                    other.execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = 'vanishing'")
                    socket.send(buy(2))
                    answers.append(await told(socket))
                    other.execute("ALTER DATABASE vanishing ALLOW_CONNECTIONS true")
            except StoreDown:
                pass  # it may still be away when the house gives its leases back
            other.execute("ALTER DATABASE vanishing ALLOW_CONNECTIONS true")
        return answers

    first, second = asyncio.run(go())
    assert first["accepted"]
    assert is_clear(second)
    assert not second.get("accepted")
    judge(vanishing, acknowledged=2, sent=3)


def test_a_house_that_cannot_close_its_books_leaves_no_thread_and_no_file_open(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def go() -> House:
        house = House(open_store(str(tmp_path / "house.db")), node="one", pace=Pace())
        await house.start(demo=False)
        monkeypatch.setattr(house.meters, "close", AsyncMock(side_effect=StoreDown("the disk is full")))
        with pytest.raises(StoreDown, match="the disk is full"):
            await house.close()
        return house

    house = asyncio.run(go())
    assert not house.committer._thread.is_alive()
    with pytest.raises(StoreDown, match="is closed"):
        house.stores.tables.all()
