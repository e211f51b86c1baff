"""Promise 13: an append-only, hash-chained journal: 24 single bytes changed behind the store's back, each named by row."""

from __future__ import annotations

import asyncio
import random
import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Any

import psycopg
import pytest

from letitride.storage.roles.stores import Stores
from letitride.storage.sql.schema import APPEND_ONLY
from letitride.storage.urls import open_store
from letitride.storage.verify import verify
from tests.server.virtual import Player, opened, run, until, virtual
from tests.storage.conftest import address, postgres

__all__ = ["address", "postgres"]
TABLE = "nsw-1"
COLUMNS = ("events", "who", "previous", "hash")


def play(store: Stores) -> None:
    """Play a round at a table of a store, over the wire."""

    async def go() -> None:
        async with opened(store, TABLE) as (house, app):
            tasks = [asyncio.create_task(Player(house, app, TABLE, seat).play()) for seat in (1, 2)]
            await until(lambda: house.rooms[TABLE].table.round >= 2)
            for task in tasks:
                task.cancel()

    with virtual("one byte") as (loop, _):
        run(loop, go())


@pytest.mark.parametrize("kind", ["sqlite", "postgres"])
def test_a_change_of_one_byte_of_a_row_is_found(kind: str, address: Callable[[str], str], tmp_path: Path) -> None:
    url = address(kind)
    store = open_store(url)
    play(store)  # the house closes its store
    store = open_store(url)
    rows = store.journal.last(TABLE).number
    raw: Any
    if kind == "sqlite":
        raw = sqlite3.connect(tmp_path / "store.db", isolation_level=None)
        mark = "?"
        triggers = [name for (name,) in raw.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'")]
        with pytest.raises(sqlite3.IntegrityError):
            raw.execute("UPDATE journal SET who = 'x' WHERE number = 1")
        for name in triggers:
            raw.execute(f"DROP TRIGGER {name}")
    else:
        raw = psycopg.connect(url, autocommit=True, options="-csearch_path=letitride")
        mark = "%s"
        with pytest.raises(psycopg.Error):
            raw.execute("UPDATE journal SET who = 'x' WHERE number = 1")
        raw.execute("ALTER TABLE journal DISABLE TRIGGER USER")
    assert "journal" in APPEND_ONLY
    assert verify(store).good
    chance = random.Random(13)
    for turn in range(12):
        column, number = COLUMNS[turn % len(COLUMNS)], chance.randint(1, rows)
        ((held,),) = raw.execute(f"SELECT {column} FROM journal WHERE number = {number}").fetchall()  # noqa: S608 - our own names
        data = held.encode() if isinstance(held, str) else bytes(held)
        at = chance.randrange(len(data))
        changed: Any = data[:at] + bytes([data[at] ^ 1]) + data[at + 1 :]
        changed = changed.decode() if isinstance(held, str) else changed
        put = f"UPDATE journal SET {column} = {mark} WHERE number = {number}"  # noqa: S608 - as above
        raw.execute(put, (changed,))
        (found,) = (table for table in verify(store).tables if table.table_id == TABLE)
        assert found.bad is not None, (column, number)
        assert found.bad.number in {number, number + 1} if column == "hash" else found.bad.number == number
        raw.execute(put, (held,))
    assert verify(store).good
    raw.close()
    store.close()
