"""Durability: what a PostgreSQL is set to underneath us, what we set ourselves, what is said of it and what is refused."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import quote

import psycopg
import pytest

from letitride.errors import InvalidData, StoreDown
from letitride.server.ops import checkup, durability
from letitride.server.ops.settings import resolve
from letitride.server.running import listen, run
from letitride.storage.roles.journal import Outcome
from letitride.storage.sql import replication
from letitride.storage.sql.opening import sql_stores
from letitride.storage.sql.postgres import PostgresDatabase, _url
from letitride.storage.urls import open_store
from tests.server.proxy import proxied
from tests.storage.helpers import is_written, write

SET = "SELECT current_setting('synchronous_commit')"


@contextmanager
def setting(url: str, name: str, value: str) -> Iterator[None]:
    """A server with one setting changed, all else as it was."""
    with psycopg.connect(url, autocommit=True) as connection:

        def change(how: str, wanted: Any) -> None:
            connection.execute(f"ALTER SYSTEM {how}")
            connection.execute("SELECT pg_reload_conf()")
            while connection.execute(f"SHOW {name}").fetchone() != wanted:
                pass  # until the server has read it, which takes a moment

        before = connection.execute(f"SHOW {name}").fetchone()
        try:
            change(f"SET {name} = {value}", (value.strip("'"),))
            yield
        finally:
            change(f"RESET {name}", before)


def said(url: str) -> dict[str, tuple[str, str]]:
    return {one.what: (one.verdict, one.found) for one in checkup.database(url)}


@pytest.mark.parametrize(
    ("change", "back"),
    [
        ("ALTER ROLE CURRENT_USER SET synchronous_commit = off", "ALTER ROLE CURRENT_USER RESET synchronous_commit"),
        ("ALTER DATABASE postgres SET synchronous_commit = off", "ALTER DATABASE postgres RESET synchronous_commit"),
    ],
    ids=["role", "database"],
)
def test_a_commit_waits_for_the_disk_whatever_is_set(address: Callable[[str], str], change: str, back: str) -> None:
    url = address("postgres")
    with psycopg.connect(url, autocommit=True) as other:
        other.execute(change)
        try:
            database = PostgresDatabase(url)
            try:
                assert [("on",)] == database.transact(lambda session: session.run(SET))
                assert {"note"} == {one.severity for one in database.hazards()}
            finally:
                database.close()
        finally:
            other.execute(back)


def test_a_commit_waits_for_the_disk_whatever_the_server_says(address: Callable[[str], str]) -> None:
    url = address("postgres")
    with setting(url, "synchronous_commit", "off"):
        database = PostgresDatabase(url)
        assert [("on",)] == database.transact(lambda session: session.run(SET))
        database.close()


def test_a_commit_waits_for_the_disk_whatever_the_url_says(address: Callable[[str], str]) -> None:
    url = address("postgres")
    database = PostgresDatabase(f"{url}{'&' if '?' in url else '?'}options={quote('-csynchronous_commit=off')}")
    assert [("on",)] == database.transact(lambda session: session.run(SET))
    database.close()


def test_a_house_does_not_open_where_fsync_is_off_unless_told_so(
    address: Callable[[str], str], caplog: pytest.LogCaptureFixture
) -> None:
    url = address("postgres")
    store = open_store(url)
    durability.check(store.journal)
    with setting(url, "fsync", "off"):
        with pytest.raises(
            InvalidData, match=r"keeps what it confirms, got one where fsync is off: .*, or set unsafe_d"
        ):
            durability.check(store.journal)
        assert ("fail", "fsync is off: a crash of the machine loses or damages what was acknowledged") == said(url)[
            "fsync"
        ]
        with caplog.at_level(logging.WARNING):
            durability.check(store.journal, unsafe_database=True)
        assert ["fsync"] == [record.getMessage().partition(":")[0] for record in caplog.records]
    store.close()


def test_serving_ends_in_a_sentence_where_fsync_is_off(address: Callable[[str], str], tmp_path: Path) -> None:
    url = address("postgres")
    asked = resolve({"db": url, "data_dir": str(tmp_path), "port": 0})
    with (
        setting(url, "fsync", "off"),
        listen(asked.settings) as listening,
        pytest.raises(InvalidData, match="expected a database that keeps what it confirms"),
    ):
        run(asked, open_store(url), listening, lambda _app, _where: pytest.fail("it opened"))


def test_half_written_pages_and_replicas_are_told_of(address: Callable[[str], str]) -> None:
    url = address("postgres")
    store = open_store(url)
    with setting(url, "full_page_writes", "off"):
        assert ("warn", "full_page_writes is off: a power failure can leave half-written pages") == said(url)[
            "full_page_writes"
        ]
        durability.check(store.journal)  # told, not refused: some file systems write pages whole
    found = said(url)
    assert ("ok", "note") == (found["durability"][0], found["replicas"][0])
    with setting(url, "synchronous_standby_names", "nowhere"):
        verdict, sentence = said(url)["replicas"]
        assert ("warn", True) == (verdict, "no such replica is streaming" in sentence)
    store.close()


@pytest.mark.parametrize(
    ("rows", "named", "severity", "sentence"),
    [
        ([], "", "note", "none: a machine that is lost"),
        ([(None, None)], "", "note", "may not look at"),
        ([("async", 0)], "", "warn", "1 streaming, none is waited for"),
        ([("sync", 0), ("async", 2**30)], "one", "warn", "the slowest is 1024 MiB behind"),
    ],
)
def test_replicas_are_judged(
    rows: list[tuple[str | None, int | None]], named: str, severity: str, sentence: str
) -> None:
    asked = {replication._SETTINGS: [("on", "on", "on", named, False)], replication._REPLICAS: rows}
    (found,) = replication.hazards(asked.__getitem__)
    assert ("replicas", severity, True) == (found.what, found.severity, sentence in found.found)


def test_good_replicas_and_a_replica_itself_are_nothing_to_tell_of() -> None:
    for named, is_replica, rows in (("one", False, [("sync", 0)]), ("", True, None)):
        asked = {replication._SETTINGS: [("on", "on", "remote_apply", named, is_replica)], replication._REPLICAS: rows}
        assert [] == replication.hazards(asked.__getitem__)


def test_a_pooler_that_swallows_what_a_session_sets_is_told_of() -> None:
    asked = {replication._SETTINGS: [("on", "on", "off", "", True)]}
    (found,) = replication.hazards(asked.__getitem__)
    assert ("synchronous_commit", "fail") == (found.what, found.severity)


def test_a_url_may_name_a_primary_and_its_replicas() -> None:
    made = _url("postgresql://house:secret@one:6001,two/cards?application_name=x")
    assert (("one:6001", "two:5432"), "read-write", "cards") == (
        made.query["host"],
        made.query["target_session_attrs"],
        made.database,
    )
    assert "any" == _url("postgresql://one,two/cards?target_session_attrs=any").query["target_session_attrs"]


def test_who_only_reads_finds_the_primary_among_several_hosts_too(postgres: str) -> None:
    with proxied(postgres) as one, proxied(postgres) as two:
        hosts = ",".join(line.url.partition("@")[2].partition("/")[0] for line in (one, two))
        several = one.url.partition("@")[0] + f"@{hosts}/postgres"
        open_store(several).close()
        for url in (several, f"{several}?target_session_attrs=read-write"):
            store = open_store(url, read_only=True)
            assert isinstance(store.tables.all(), list)
            with pytest.raises(StoreDown, match="read-only transaction"):
                store.tables.create("t1", "First", {})
            store.close()


def test_a_commit_that_no_replica_confirmed_is_not_taken_for_written(address: Callable[[str], str]) -> None:
    url = address("postgres")
    database = PostgresDatabase(url)
    store = sql_stores(database)
    store.tables.create("t1", "First", {})
    waits = "SELECT pid FROM pg_stat_activity WHERE wait_event = 'SyncRep'"

    def append() -> Sequence[Outcome]:
        return store.journal.append([write(store.journal.last("t1"))])

    with (
        setting(url, "synchronous_standby_names", "nowhere"),
        psycopg.connect(url, autocommit=True) as other,
        ThreadPoolExecutor() as pool,
    ):
        outcome = pool.submit(append)
        while not (waiting := other.execute(waits).fetchall()):
            if outcome.done():  # the process of the server that has commits wait had not read the setting yet
                assert all(map(is_written, outcome.result()))
                outcome = pool.submit(append)
        other.execute("SELECT pg_cancel_backend(%s)", waiting[0])
        with pytest.raises(StoreDown, match="wrote what its replicas have not confirmed"):
            outcome.result()
    assert all(map(is_written, append()))
    store.close()
