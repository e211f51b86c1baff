"""Fail-over: a primary that dies under load is replaced by its replica, and nothing that was acknowledged is lost."""

from __future__ import annotations

import threading

import psycopg
import pytest

from letitride.errors import StoreDown
from letitride.server.ops import checkup
from letitride.storage.roles.journal import Ack
from letitride.storage.urls import open_store
from letitride.storage.verify import verify
from tests.storage.helpers import is_written, write
from tests.storage.replicas import WAIT_SECONDS, pair

ENOUGH = 20


@pytest.mark.slow
def test_a_replica_takes_over_with_everything_acknowledged_and_the_old_primary_is_refused() -> None:
    with pair() as servers:
        store = open_store(servers.url)
        store.tables.create("t1", "First", {})
        assert "replicas" not in {one.what for one in store.journal.hazards()}  # it is waited for, and keeps up
        rights = next(one for one in checkup.database(servers.replica.url) if one.what == "rights")
        assert ("fail", "grant them, and use the primary, not a copy") == (rights.verdict, rights.todo)
        acknowledged: list[str] = []
        failed, went_on = threading.Event(), threading.Event()

        def load() -> None:
            number = 0
            while not went_on.is_set():
                number += 1
                ack = Ack(client="client", command=f"c-{number}", reply=b"done")
                try:
                    if all(map(is_written, store.journal.append([write(store.journal.last("t1"), acks=[ack])]))):
                        acknowledged.append(ack.command)
                except StoreDown:
                    failed.set()
                    went_on.wait(0.05)
                    continue
                if failed.is_set() or len(acknowledged) == ENOUGH:
                    enough.set()
                if failed.is_set():
                    went_on.set()

        enough = threading.Event()
        writing = threading.Thread(target=load, daemon=True)
        writing.start()
        assert enough.wait(WAIT_SECONDS)
        servers.fail_over()
        assert failed.wait(WAIT_SECONDS)
        assert went_on.wait(WAIT_SECONDS)
        writing.join()
        assert len(acknowledged) > ENOUGH
        assert all(store.journal.reply("client", name) == b"done" for name in acknowledged)
        assert verify(store).tables[0].bad is None

        servers.replica.start()  # a primary of old, that does not know what has happened, and is asked first
        last = store.journal.last("t1")
        with psycopg.connect(servers.primary.url, autocommit=True) as connection:
            connection.execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid()")
        with pytest.raises(StoreDown, match=r"is a primary that another has replaced: expected timeline 2, got 1"):
            store.journal.append([write(last)])
        assert all(map(is_written, store.journal.append([write(last)])))  # the other one is asked then
        store.close()
