"""What a check-up asks a real PostgreSQL: its clock, and whether it can be written."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from letitride.errors import StoreDown
from letitride.rules.catalog import ready_rules
from letitride.server.ops import checkup
from letitride.storage.sql.postgres import PostgresDatabase
from letitride.storage.urls import open_store
from tests.storage.helpers import play_into


def test_a_postgresql_database_is_looked_into(address: Callable[[str], str]) -> None:
    url = address("postgres")
    (found,) = checkup.database(url)
    assert ("database", "fail") == (found.what, found.verdict)  # there is no store in it yet
    store = open_store(url)
    play_into(store, "t1", ready_rules("nsw-1"), 40)
    store.close()
    by = {one.what: one for one in checkup.database(url)}
    assert by.pop("replicas").verdict == "note"
    assert {"database", "rights", "durability", "clock of the database", "journals"} == by.keys()
    assert {"ok"} == {one.verdict for one in by.values()}, by


def test_what_a_statement_brings_is_in_no_error(address: Callable[[str], str]) -> None:
    url = address("postgres")
    open_store(url).close()
    database = PostgresDatabase(url)
    try:
        with pytest.raises(StoreDown) as failed:
            database.transact(lambda session: session.run("SELECT :card FROM nowhere", card="the queen of hearts"))
    finally:
        database.close()
    assert "nowhere" in str(failed.value.__cause__)
    assert "queen" not in f"{failed.value} {failed.value.__cause__}"
