"""What a check-up asks a real PostgreSQL: its clock, and whether it can be written."""

from __future__ import annotations

from collections.abc import Callable

from letitride.rules.catalog import ready_rules
from letitride.server.ops import checkup
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
