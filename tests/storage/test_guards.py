"""What the databases refuse by themselves, whatever a client thinks; and what verify finds where a guard was taken away."""

from __future__ import annotations

import os
import sqlite3
import threading
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import psycopg
import pytest
from msgspec.structs import replace

from letitride.errors import InvalidData, MissingData, StoreDown
from letitride.ledger.transfers import Transfer
from letitride.records.account_names import account_name
from letitride.rules.catalog import ready_rules
from letitride.storage import dump
from letitride.storage.journal import Head, hash_of
from letitride.storage.roles.journal import Ack, Write
from letitride.storage.roles.stores import Stores
from letitride.storage.sql import lines
from letitride.storage.sql.documents import id_range
from letitride.storage.sql.opening import sql_stores
from letitride.storage.sql.postgres import PostgresDatabase
from letitride.storage.sql.schema import APPEND_ONLY, VERSION
from letitride.storage.sql.sqlite import SqliteDatabase
from letitride.storage.urls import open_store
from letitride.storage.verify import verify
from tests.storage.helpers import is_written, play_into, row, write

Run = Callable[..., Any]


@pytest.fixture(params=["sqlite", "postgres"])
def database(request: pytest.FixtureRequest, address: Callable[[str], str]) -> Iterator[tuple[Stores, Run, str]]:
    """A store, and a way into its database past the store."""
    url = address(request.param)
    store = open_store(url)
    if request.param == "sqlite":
        raw = sqlite3.connect(url.removeprefix("sqlite:///"), isolation_level=None)
        yield store, raw.execute, url
        raw.close()
    else:
        with psycopg.connect(url, autocommit=True, options="-csearch_path=letitride") as connection:

            def run(sql: str, values: tuple[object, ...] = ()) -> Any:
                return connection.execute(sql.replace("?", "%s"), values)

            yield store, run, url
    store.close()


REFUSED = (sqlite3.IntegrityError, psycopg.errors.IntegrityError)
INSERT = "INSERT INTO journal VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)"


def values(table_id: str, head: Head, epoch: int) -> tuple[object, ...]:
    one = row(head, table_id, epoch=epoch)
    return table_id, one.number, one.at, one.by, one.command, one.epoch, one.events, one.previous, one.hash


def test_the_database_itself_refuses_a_stale_epoch(database: tuple[Stores, Run, str]) -> None:
    store, run, _ = database
    store.tables.create("t1", "First", {})
    store.leases.take("t1", "a", "", now_ms=0, ttl_ms=10)
    store.journal.append([write(Head(), epoch=1)])
    store.leases.take("t1", "b", "", now_ms=10, ttl_ms=10)
    head = store.journal.last("t1")
    with pytest.raises(REFUSED, match="stale_epoch"):
        run(INSERT, values("t1", head, 1))
    with pytest.raises(REFUSED, match="stale_epoch"):
        run("INSERT INTO acks VALUES (?, ?, ?, ?, ?, ?)", ("c", "1", b"x", "t1", 1, 1))
    with pytest.raises(REFUSED, match="wrong_number"):
        run(INSERT, values("t1", Head(7, head.hash), 2))
    with pytest.raises(REFUSED, match="wrong_previous"):
        run(INSERT, values("t1", Head(1, "0" * 64), 2))
    with pytest.raises(REFUSED, match="epochs only grow"):
        run("UPDATE game_tables SET epoch = 1")
    run(INSERT, values("t1", head, 2))
    assert 2 == store.journal.last("t1").number


def test_the_database_itself_lets_no_one_owe_and_nothing_change(database: tuple[Stores, Run, str]) -> None:
    store, run, _ = database
    store.tables.create("t1", "First", {})
    store.wallets.fund("Ann", 5, "cash", at=1, who="x")
    store.journal.append([write(Head(), transfers=[Transfer("tray", "stack:1", 5)], acks=[Ack("c", "1", b"x")])])
    with pytest.raises(REFUSED, match="never_owes"):
        run("UPDATE accounts SET cents = -1 WHERE name = 'wallet:Ann'")
    for table in APPEND_ONLY:
        with pytest.raises(REFUSED, match="append-only"):
            run("DELETE FROM " + table)  # noqa: S608 - our names
    for change in ("UPDATE journal SET at = 0", "UPDATE transfers SET cents = 1", "UPDATE audit SET who = ''"):
        with pytest.raises(REFUSED, match="append-only"):
            run(change)
    with pytest.raises(REFUSED, match="never changes"):
        run("UPDATE acks SET reply = ?", (b"y",))


def unguard(run: Run, url: str, *names: str) -> None:
    for name in names:
        table = name.partition("_")[0]
        run(f"DROP TRIGGER {name}" if url.startswith("sqlite") else f"DROP TRIGGER {name} ON {table}")


@pytest.fixture
def played(database: tuple[Stores, Run, str]) -> tuple[Stores, Run, str]:
    """Two tables that were really played at."""
    store, run, url = database
    play_into(store, "t1", ready_rules("shufflemaster-1"), 150)
    store.tables.create("t2", "Empty", {})
    store.journal.append([write(Head(), "t2")])
    assert verify(store).good
    unguard(run, url, "journal_update", "journal_delete", "transfers_delete")
    return store, run, url


def test_verify_names_the_row_of_which_one_byte_was_changed(played: tuple[Stores, Run, str]) -> None:
    store, run, _ = played
    (events,) = run("SELECT events FROM journal WHERE table_id = 't1' AND number = 7").fetchone()
    changed = bytearray(events)
    changed[len(changed) // 2] ^= 1
    run("UPDATE journal SET events = ? WHERE table_id = 't1' AND number = 7", (bytes(changed),))
    found = verify(store)
    assert not found.good
    bad = found.tables[0].bad
    assert bad is not None
    assert ("t1", 7) == (bad.table_id, bad.number)
    assert "expected the hash" in bad.reason
    assert found.tables[1].bad is None


@pytest.mark.parametrize(
    ("change", "number", "reason"),
    [
        ("UPDATE journal SET at = at + 1 WHERE table_id = 't1' AND number = 3", 3, "expected the hash"),
        ("UPDATE journal SET who = 'Eve' WHERE table_id = 't1' AND number = 3", 3, "expected the hash"),
        ("UPDATE journal SET previous = hash WHERE table_id = 't1' AND number = 4", 4, "expected the previous hash"),
        ("DELETE FROM journal WHERE table_id = 't1' AND number = 1", 1, "expected row 1, got row 2"),
        ("UPDATE game_tables SET number = 5 WHERE id = 't1'", 6, "expected the journal to end at row 5"),
        ("UPDATE game_tables SET hash = 'x' WHERE id = 't1'", 0, "expected a last row with the hash x"),
    ],
)
def test_verify_names_every_kind_of_bad_row(
    played: tuple[Stores, Run, str], change: str, number: int, reason: str
) -> None:
    store, run, url = played
    last = store.journal.last("t1").number
    if url.startswith("sqlite"):
        run("PRAGMA foreign_keys = OFF")
    elif change.startswith("DELETE"):
        run("ALTER TABLE transfers DROP CONSTRAINT transfers_table_id_number_fkey")
    run(change)
    bad = verify(store).tables[0].bad
    assert bad is not None
    assert (number or last) == bad.number
    assert reason in bad.reason


def test_verify_sees_a_journal_that_was_cut_off(played: tuple[Stores, Run, str]) -> None:
    store, run, _ = played
    last = store.journal.last("t1").number
    run("DELETE FROM transfers WHERE table_id = 't1' AND number >= ?", (last - 1,))
    run("DELETE FROM journal WHERE table_id = 't1' AND number >= ?", (last - 1,))
    bad = verify(store).tables[0].bad
    assert bad is not None
    assert last - 1 == bad.number
    assert f"expected the journal to end at row {last}, got its end at {last - 2}" in bad.reason


def test_verify_holds_the_ledger_against_the_journal(played: tuple[Stores, Run, str]) -> None:
    store, run, _ = played
    wallet = next(name for name in store.wallets.balances(None) if name.startswith("wallet:"))
    run("UPDATE accounts SET cents = cents + 5 WHERE scope = '' AND name = ?", (wallet,))
    found = verify(store)
    assert not found.good
    name = account_name(wallet, {})
    assert wallet not in name
    assert any(f"in the account '{name}' by all transfers" in one for one in found.wrong)
    assert any(f"in the account '{name}' by all events" in one for one in found.wrong)
    assert "expected all accounts to balance at 0 cents, got 5 cents" in found.wrong
    run("UPDATE accounts SET cents = cents - 5 WHERE scope = '' AND name = ?", (wallet,))
    run("UPDATE accounts SET cents = cents - 5 WHERE scope = 't1' AND name = 'tray'")
    found = verify(store, "t1")
    assert any("in the account 'chip tray' by its events" in one for one in found.tables[0].wrong)


def test_verify_misses_a_transfer_that_is_gone(played: tuple[Stores, Run, str]) -> None:
    store, run, _ = played
    run("DELETE FROM transfers WHERE id = (SELECT MIN(id) FROM transfers WHERE table_id = 't1')")
    found = verify(store)
    assert any("by its transfers" in one for one in found.tables[0].wrong)
    assert any("by all transfers" in one for one in found.wrong)


def test_verify_sees_an_event_that_no_one_can_read(database: tuple[Stores, Run, str]) -> None:
    store, _, _ = database
    store.tables.create("t1", "First", {})
    sealed = row(Head())

    odd = replace(sealed, events=b'[["dance-danced/9",{}]]')
    store.journal.append([Write(table_id="t1", number=1, rows=[replace(odd, hash=hash_of(odd))])])
    bad = verify(store).tables[0].bad
    assert bad is not None
    assert 1 == bad.number
    assert "its events cannot be read: expected an event that is known here" in bad.reason


def test_two_servers_that_think_they_own_a_table_never_write_the_same_row(database: tuple[Stores, Run, str]) -> None:
    store, _, url = database
    store.tables.create("t1", "First", {})
    others = [open_store(url) for _ in range(2)]
    counts = [0, 0]

    def compete(place: int) -> None:
        for _ in range(25):
            head = others[place].journal.last("t1")
            counts[place] += all(map(is_written, others[place].journal.append([write(head, words=f"{place}")])))

    threads = [threading.Thread(target=compete, args=(place,)) for place in (0, 1)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for other in others:
        other.close()
    assert sum(counts) == store.journal.last("t1").number > 0
    assert verify(store).good


def test_batches_that_lock_accounts_crosswise_both_succeed(database: tuple[Stores, Run, str]) -> None:
    store, _, url = database
    for wallet in ("Ann", "Bob"):
        store.wallets.fund(wallet, 10_000, "", at=1, who="x")
    for table_id in ("a1", "a2", "b1", "b2"):
        store.tables.create(table_id, table_id, {})
    refused: list[object] = []

    def play(tables: tuple[str, str], wallets: tuple[str, str]) -> None:
        mine = open_store(url)
        for _ in range(30):
            batch = [
                write(mine.journal.last(table_id), table_id, transfers=[Transfer(f"wallet:{wallet}", "stack:1", 1)])
                for table_id, wallet in zip(tables, wallets, strict=True)
            ]
            refused.extend(one for one in mine.journal.append(batch) if not is_written(one))
        mine.close()

    threads = [
        threading.Thread(target=play, args=(("a1", "a2"), ("Ann", "Bob"))),
        threading.Thread(target=play, args=(("b1", "b2"), ("Bob", "Ann"))),
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not refused
    assert {"cage": -20_000, "wallet:Ann": 9_940, "wallet:Bob": 9_940} == store.wallets.balances(None)


def test_who_only_reads_changes_nothing(database: tuple[Stores, Run, str]) -> None:
    store, run, url = database
    store.tables.create("t1", "First", {})
    reader = open_store(url, read_only=True)
    assert ["t1"] == [table.id for table in reader.tables.all()]
    with pytest.raises(StoreDown):
        reader.tables.create("t2", "Second", {})
    reader.close()
    run("INSERT INTO schema_versions VALUES (99)")
    for read_only in (True, False):
        with pytest.raises(InvalidData, match=f"expected a schema of version {VERSION} or older, got version 99"):
            open_store(url, read_only=read_only)


def test_a_path_that_is_no_store_is_refused_in_one_sentence(tmp_path: Path) -> None:
    with pytest.raises(MissingData, match="expected a SQLite database, got '.*none', which does not exist"):
        open_store(str(tmp_path / "none"), read_only=True)
    assert not (tmp_path / "none").exists()
    (tmp_path / "text").write_text("I am no database, but a text that is long enough to be looked at." * 20)
    with pytest.raises(InvalidData, match="expected a SQLite database, got '.*text'"):
        open_store(str(tmp_path / "text"))
    with closing(sqlite3.connect(tmp_path / "other.db")) as other:
        other.execute("CREATE TABLE mine (x)")
    with pytest.raises(InvalidData, match="expected a database of letitride"):
        open_store(str(tmp_path / "other.db"), read_only=True)
    with pytest.raises(StoreDown, match="cannot be used"):
        open_store(str(tmp_path / "no" / "folder.db"))
    for url in ("mysql://x", "", "a\nb"):
        with pytest.raises(InvalidData, match="expected memory:, sqlite:///PATH, a path or postgresql"):
            open_store(url)


@pytest.mark.skipif(os.name != "posix", reason="rights as POSIX has them")
def test_a_database_and_its_backups_are_their_owners_alone(tmp_path: Path) -> None:
    database = SqliteDatabase(tmp_path / "house.db")
    store = sql_stores(database)
    store.tables.create("t", "T", {})
    store.backups.write(tmp_path / "copy.db")
    with database.snapshot() as query:
        dump.write_dump(tmp_path / "copy.jsonl", lines.export(query))
    assert {0o600} == {path.stat().st_mode & 0o777 for path in tmp_path.iterdir()}
    store.close()


@pytest.mark.parametrize(
    ("kind", "plan", "told"),
    [
        ("sqlite", "EXPLAIN QUERY PLAN", "id>? AND id<?"),
        ("postgres", "EXPLAIN", "documents_by_signs"),
    ],
)
def test_documents_that_begin_alike_are_found_without_a_look_at_all_others(
    kind: str, plan: str, told: str, address: Callable[[str], str]
) -> None:
    url = address(kind)
    sqlite = kind == "sqlite"
    database = SqliteDatabase(Path(url.removeprefix("sqlite:///"))) if sqlite else PostgresDatabase(url)
    database.transact(
        lambda session: session.run("INSERT INTO documents (kind, id, version, body) VALUES ('kind', 'a/1', 1, '{}')")
    )
    if kind == "postgres":  # so few rows are read faster than looked up
        more = "INSERT INTO documents SELECT 'kind', 'b/' || n, 1, '{}' FROM generate_series(1, 5000) AS n"
        database.transact(lambda session: session.run(more))
        database.transact(lambda session: session.run("ANALYZE documents"))
    asked = f"{plan} SELECT id FROM documents WHERE kind = 'kind' AND {id_range(database, 'a/')} true"  # noqa: S608 - ours
    assert told in str(database.read(asked, prefix="a/", length=2))
    database.close()
