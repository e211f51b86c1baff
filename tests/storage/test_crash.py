"""Crashes: what was confirmed is there after a kill, and a database that vanished is said and got over."""

from __future__ import annotations

import gc
import random
import subprocess
import sys
import time
import warnings
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from typing import Any

import psycopg
import pytest

from letitride.errors import StoreDown
from letitride.ledger.transfers import Transfer
from letitride.storage.journal import Head, check
from letitride.storage.sql.opening import sql_stores
from letitride.storage.sql.postgres import PostgresDatabase, PostgresSession
from letitride.storage.sql.session import Session
from letitride.storage.sql.sqlite import SqliteDatabase
from letitride.storage.sql.writes import append
from letitride.storage.urls import open_store
from tests.storage.conftest import running_postgres, start_again
from tests.storage.helpers import is_written, write

ROOT = Path(__file__).parent.parent.parent


def test_every_confirmed_write_outlives_a_killed_writer(address: Callable[[str], str]) -> None:
    url = address("sqlite")
    store = open_store(url)
    for table_id in ("t1", "t2"):
        store.tables.create(table_id, table_id, {})
    store.close()
    chance = random.Random(20260401)
    killed_after = 0
    for _ in range(10):
        command = [sys.executable, "-m", "tests.storage.writer", url]
        writer = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True)
        assert writer.stdout is not None
        first = [writer.stdout.readline() for _ in range(chance.randrange(1, 13))]  # however slow the disk is
        time.sleep(chance.uniform(0.0, 0.05))
        writer.kill()
        confirmed = [
            int(line) for line in (*first, *writer.stdout.read().splitlines(keepends=True)) if line.endswith("\n")
        ]
        writer.stdout.close()
        writer.wait()
        killed_after += len(confirmed)
        store = open_store(url)
        for table_id in ("t1", "t2"):
            last = store.journal.last(table_id)
            assert last.number >= confirmed[-1]
            assert check(store.journal.rows(table_id), table_id, last) is None
            assert {"stack:1": last.number, "tray": -last.number} == store.wallets.balances(table_id)
            assert all(b"done" == store.journal.reply("client", f"{table_id}-{number}") for number in confirmed)
            assert store.journal.reply("client", f"{table_id}-{last.number + 1}") is None
        assert store.journal.last("t1").number == store.journal.last("t2").number  # one batch, one transaction
        assert 0 == store.wallets.total()
        store.close()
    assert killed_after > 50


ONE_SENTENCE = "^the database postgresql://.* cannot be reached or used: [^\n]*$"


@pytest.mark.slow
def test_a_server_that_was_stopped_is_said_in_one_sentence_and_got_over() -> None:
    with running_postgres() as server:
        store = open_store(server.get_uri())
        store.tables.create("t1", "First", {})
        assert all(map(is_written, store.journal.append([write(Head())])))
        server.stop()
        for _ in range(2):
            with pytest.raises(StoreDown, match=ONE_SENTENCE):
                store.journal.append([write(Head())])
        start_again(server)
        assert all(map(is_written, store.journal.append([write(store.journal.last("t1"))])))
        assert check(store.journal.rows("t1"), "t1", store.journal.last("t1")) is None
        store.close()


def test_a_database_that_vanished_is_said_in_one_sentence_and_got_over(postgres: str) -> None:
    cut_off = (
        "ALTER DATABASE vanishing ALLOW_CONNECTIONS false",
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = 'vanishing'",
    )
    with psycopg.connect(postgres, autocommit=True) as other:
        other.execute("DROP DATABASE IF EXISTS vanishing WITH (FORCE)")
        other.execute("CREATE DATABASE vanishing")
        store = open_store(postgres.replace("/postgres?", "/vanishing?"))
        store.tables.create("t1", "First", {})
        for statement in cut_off:
            other.execute(statement)
        for ask in (
            lambda: store.journal.append([write(Head())]),
            store.tables.all,
            lambda: list(store.journal.rows("t1")),
        ):
            with pytest.raises(StoreDown, match=ONE_SENTENCE):
                ask()
        other.execute("ALTER DATABASE vanishing ALLOW_CONNECTIONS true")
        assert all(map(is_written, store.journal.append([write(Head())])))
        store.close()
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ResourceWarning)  # a connection that was cut may be dropped, not closed
            gc.collect()


def test_a_connection_cut_in_the_middle_of_a_write_leaves_nothing(address: Callable[[str], str]) -> None:
    database = PostgresDatabase(address("postgres"))
    store = sql_stores(database)
    store.tables.create("t1", "First", {})

    def work(session: Session) -> None:
        append(session, [write(Head())])
        with session.savepoint():
            session.run("SELECT pg_terminate_backend(pg_backend_pid())")

    with pytest.raises(StoreDown, match=ONE_SENTENCE):
        database.transact(work)
    assert 0 == store.journal.last("t1").number
    assert all(map(is_written, store.journal.append([write(Head())])))
    store.close()


def test_a_deadlock_is_got_over(address: Callable[[str], str]) -> None:
    url = address("postgres")
    store = open_store(url)
    store.tables.create("t1", "First", {})
    store.wallets.fund("Ann", 100, "", at=1, who="x")
    moved = [Transfer("wallet:Ann", "stack:1", 1)]
    waits = "SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock'"
    tries, victim = 0, False
    with ThreadPoolExecutor() as pool, psycopg.connect(url, autocommit=True) as watching:
        while not victim:  # it looks for a deadlock after a second: if this machine stood still then, we are the victim
            tries += 1
            assert tries < 6, "expected a write that was the victim of a deadlock, got none"
            with psycopg.connect(url, options="-csearch_path=letitride -cdeadlock_timeout=5s") as other:
                other.execute("UPDATE accounts SET cents = cents WHERE name = 'wallet:Ann'")
                outcome = pool.submit(store.journal.append, [write(store.journal.last("t1"), transfers=moved)])
                while watching.execute(waits).fetchone() == (0,) and not outcome.done():
                    time.sleep(0.01)  # until it has locked its table, and waits for Ann
                try:
                    other.execute("UPDATE game_tables SET reason = reason")
                    victim = True
                except psycopg.errors.DeadlockDetected:
                    other.rollback()
            assert all(map(is_written, outcome.result()))
    assert {"cage": -100, "wallet:Ann": 100 - tries} == store.wallets.balances(None)
    store.close()


def test_a_batch_locks_wallets_in_one_order_whatever_order_it_moves_them_in(address: Callable[[str], str]) -> None:
    url = address("postgres")
    store = open_store(url)
    for number, name in enumerate(("Ann", "Bob", "Bob")):
        store.tables.create(f"t{number}", "A table", {})
        store.wallets.fund(name, 100, "", at=1, who="x")
    waits = "SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock'"
    batch = [
        write(Head(), f"t{number}", transfers=[Transfer(f"wallet:{name}", "stack:1", 1)])
        for number, name in enumerate(("Bob", "Bob", "Ann"))
    ]
    with ThreadPoolExecutor() as pool, psycopg.connect(url, autocommit=True) as watching:
        with psycopg.connect(url, options="-csearch_path=letitride -clock_timeout=300") as other:
            other.execute("SELECT FROM accounts WHERE name = 'wallet:Ann' FOR UPDATE")
            outcome = pool.submit(store.journal.append, batch)
            while watching.execute(waits).fetchone() == (0,) and not outcome.done():
                time.sleep(0.01)
            # A move that waits for Ann has no lock on Bob.
            other.execute("SELECT FROM accounts WHERE name = 'wallet:Bob' FOR UPDATE")
        with suppress(StoreDown):  # on a machine that stood still
            assert all(map(is_written, outcome.result()))
    store.close()


def test_a_server_that_froze_amid_a_pipeline_does_not_keep_its_rows_for_ever(address: Callable[[str], str]) -> None:
    url = address("postgres")
    store = open_store(url)
    store.tables.create("t1", "First", {})
    connection = psycopg.connect(url, options="-cidle_in_transaction_session_timeout=3000")
    frozen = connection.pgconn
    frozen.enter_pipeline_mode()
    for statement in (b"BEGIN", b"UPDATE letitride.game_tables SET reason = reason"):
        frozen.send_query_params(statement, None)
    frozen.send_flush_request()  # both are done there, and the end of the pipeline never comes
    frozen.flush()
    lease, end = None, time.monotonic() + 300
    while lease is None:
        with suppress(StoreDown):
            lease = store.leases.take("t1", "other", "http://other", 1, 1_000)
        assert time.monotonic() < end
    assert (lease.node, lease.epoch) == ("other", 1)
    connection.close()
    store.close()


def test_a_commit_waits_for_the_disk(address: Callable[[str], str]) -> None:
    database = SqliteDatabase(Path(address("sqlite").removeprefix("sqlite:///")))
    asked = [database._writer.execute(f"PRAGMA {name}").fetchone()[0] for name in ("synchronous", "journal_mode")]
    assert [2, "wal"] == asked
    database.close()


def test_connections_that_were_cut_are_replaced(address: Callable[[str], str]) -> None:
    url = address("postgres")
    store = open_store(url)
    store.tables.create("t1", "First", {})
    with psycopg.connect(url, autocommit=True) as other:
        other.execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid()")
    assert all(map(is_written, store.journal.append([write(Head(), transfers=[Transfer("tray", "stack:1", 1)])])))
    store.close()


def test_a_connection_in_use_when_the_store_is_closed_is_closed_when_it_comes_back(
    address: Callable[[str], str],
) -> None:
    database, lent = PostgresDatabase(address("postgres")), list[psycopg.Connection[Any]]()

    def work(session: Session) -> None:
        assert isinstance(session, PostgresSession)
        lent.append(session._raw)
        database.close()

    database.transact(work)
    assert lent[0].closed
    with pytest.raises(StoreDown, match=r"^the database postgresql://.* is closed$"):
        database.read("SELECT 1")


def test_a_database_that_another_holds_is_said(address: Callable[[str], str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("letitride.storage.sql.sqlite._BUSY_SECONDS", 0.1)
    url = address("sqlite")
    store, other = open_store(url), SqliteDatabase(Path(url.removeprefix("sqlite:///")))
    store.tables.create("t1", "First", {})
    other._writer.execute("BEGIN IMMEDIATE")
    with pytest.raises(StoreDown, match="cannot be used: database is locked"):
        store.journal.append([write(Head())])
    assert 0 == store.journal.last("t1").number  # readers do not wait
    other._writer.execute("ROLLBACK")
    assert all(map(is_written, store.journal.append([write(Head())])))
    store.close()
    other.close()
    with pytest.raises(StoreDown, match="closed"):
        store.tables.all()
    with pytest.raises(StoreDown, match="closed"):
        store.journal.append([write(Head())])
