"""One trip: a batch goes to PostgreSQL and back once, whatever the size of the house; what is refused is found out."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import psycopg
import pytest

from letitride.errors import StoreDown
from letitride.ledger.transfers import Transfer
from letitride.storage.journal import Head
from letitride.storage.roles.documents import Document
from letitride.storage.roles.stores import Stores
from letitride.storage.sql import one_trip
from letitride.storage.urls import open_store
from tests.server.proxy import proxied
from tests.storage.helpers import is_written, write

BYSTANDERS = 20_000
"""Accounts of a house that no command is about."""
START = Head()
WARM = 12
"""Batches after which PostgreSQL keeps a plan."""


@pytest.fixture
def url(address: Callable[[str], str]) -> str:
    return address("postgres")


def batches(store: Stores, many: int, head: Head = START, cents: int = 1) -> Head:
    """Write batches of one row each, which move money."""
    for _ in range(many):
        moved = [Transfer("wallet:Ann", "stack:1", cents)]
        assert [True] == [is_written(one) for one in store.journal.append([write(head, transfers=moved)])]
        head = store.journal.last("t1")
    return head


def opened(url: str) -> Stores:
    store = open_store(url)
    store.tables.create("t1", "First", {})
    store.wallets.fund("Ann", 1_000, "chips", at=0, who="house")
    return store


def asked(url: str, sql: str) -> Any:
    with psycopg.connect(url, autocommit=True) as connection:
        found = connection.execute(sql).fetchone()
        return None if found is None else found[0]


def test_a_plan_made_while_a_house_was_young_does_not_read_every_account_later(url: str) -> None:
    store = opened(url)
    head = batches(store, WARM)
    made = f"INSERT INTO letitride.accounts SELECT 'x', 'a' || i, 0 FROM generate_series(1, {BYSTANDERS}) i RETURNING 1"  # noqa: S608 - ours
    asked(url, made)
    batches(store, WARM, head)
    store.close()  # a session that ends says what it has read
    read = "SELECT seq_tup_read FROM pg_stat_user_tables WHERE schemaname = 'letitride' AND relname = 'accounts'"
    assert asked(url, read) < BYSTANDERS


def test_a_batch_is_sent_and_answered_once(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    store = opened(url)
    head = batches(store, 2)
    waits: list[int] = []
    exchanged = one_trip._exchange

    def counted(line: Any, *given: Any) -> list[list[bytes]]:
        waits.append(line.backend_pid)
        return exchanged(line, *given)

    monkeypatch.setattr(one_trip, "_exchange", counted)
    monkeypatch.setattr(type(store.tables._database), "transact", None)  # type: ignore[attr-defined]  # the longer way
    batches(store, 3, head)
    store.documents.put("thing", "a", b"{}", 0)
    assert len(waits) == 4
    assert len(set(waits)) == 1  # and on one connection
    monkeypatch.undo()
    store.close()


def test_of_a_batch_with_a_write_that_cannot_be_the_others_are_kept(url: str) -> None:
    store = opened(url)
    store.tables.create("t2", "Second", {})
    head = batches(store, 1)
    too_much = write(head, transfers=[Transfer("wallet:Ann", "stack:1", 1_000_000)])
    one, other = store.journal.append([too_much, write(Head(), "t2")])
    assert ("balance", True) == (getattr(one, "code", ""), is_written(other))
    assert (1, 1) == (store.journal.last("t1").number, store.journal.last("t2").number)
    batches(store, 2, head)
    store.close()


@pytest.mark.parametrize("lately", [True, False])
def test_a_connection_that_died_is_replaced_and_asked_for_first_where_it_was_idle(
    url: str, lately: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = opened(url)
    head = batches(store, 1)
    asked(url, "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity WHERE application_name = ''"
               " AND pid <> pg_backend_pid() AND backend_type = 'client backend'")  # fmt: skip
    if lately:
        monkeypatch.setattr(one_trip, "IDLE_SECONDS", 60.0)
        with pytest.raises(StoreDown, match="cannot be reached or used"):
            store.journal.append([write(head)])
    else:
        monkeypatch.setattr(one_trip, "IDLE_SECONDS", 0.0)
    assert is_written(store.journal.append([write(head)])[0])
    store.close()


def test_two_servers_that_wait_for_one_another_both_get_through(url: str) -> None:
    """A trip that PostgreSQL ends because of a deadlock is made again, the longer way."""
    store = opened(url)
    head = batches(store, 1)
    ended = psycopg.errors.DeadlockDetected("deadlock detected")

    def refused(*_: Any) -> list[list[bytes]]:
        raise ended

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(one_trip, "_exchange", refused)
        assert is_written(store.journal.append([write(head)])[0])
    store.close()


def test_a_write_whose_line_is_cut_is_not_said_to_be_kept(url: str) -> None:
    with proxied(url) as proxy:
        store = open_store(proxy.url)
        store.tables.create("t1", "First", {})
        assert is_written(store.journal.append([write(Head())])[0])
        head = store.journal.last("t1")
        proxy.cut()
        with pytest.raises(StoreDown):
            store.journal.append([write(head)])
        proxy.heal()
        assert is_written(store.journal.append([write(head)])[0])
        store.close()


def test_documents_that_are_kept_together_are_those_of_their_versions(url: str) -> None:
    store = open_store(url)
    store.documents.put("thing", "b", b'{"n":1}', 0)
    wanted = [Document(kind="thing", id=one, version=version, body=b'{"n":2}') for one, version in
              (("a", 0), ("b", 1), ("c", 5))]  # fmt: skip
    assert store.documents.put_all(wanted) == {("thing", "a"), ("thing", "b")}
    store.close()
