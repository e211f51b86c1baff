"""The contract of the register of tables, the same for every store."""

from __future__ import annotations

import pytest

from letitride.errors import InvalidData, MissingData
from letitride.storage.journal import START, Head
from letitride.storage.roles.stores import Stores
from tests.storage.helpers import BAD_TEXTS, is_written, write


def test_a_new_table_is_open_and_its_journal_empty(store: Stores) -> None:
    store.tables.create("t2", "Second", {"book": "b", "seats": 7})
    store.tables.create("t1", "First", {})
    assert [("t1", "First", {}), ("t2", "Second", {"book": "b", "seats": 7})] == [
        (one.id, one.name, one.about) for one in store.tables.all()
    ]
    assert ("open", "", 0) == (
        store.tables.get("t1").state,
        store.tables.get("t1").reason,
        store.tables.get("t1").epoch,
    )
    assert Head(0, START) == store.journal.last("t1")
    assert [] == list(store.journal.rows("t1"))


def test_an_id_is_used_once_and_a_table_must_exist(store: Stores) -> None:
    store.tables.create("t1", "First", {})
    with pytest.raises(InvalidData, match="expected an id for a new table, got 't1'"):
        store.tables.create("t1", "Again", {})
    for ask in (
        store.tables.get,
        store.journal.last,
        store.leases.owner,
        lambda one: store.tables.set_state(one, "halted"),
    ):
        with pytest.raises(MissingData, match="expected the id of a table, got 'none'"):
            ask("none")
    with pytest.raises(InvalidData, match="expected the id of a table"):
        store.tables.create("", "Nameless", {})


def test_a_table_is_halted_and_closed_with_a_reason(store: Stores) -> None:
    store.tables.create("t1", "First", {})
    store.tables.set_state("t1", "halted", "a promise broke")
    assert ("halted", "a promise broke") == (store.tables.get("t1").state, store.tables.get("t1").reason)
    with pytest.raises(InvalidData, match="expected open, halted or closed"):
        store.tables.set_state("t1", "gone")


@pytest.mark.parametrize("text", BAD_TEXTS)
def test_a_table_whose_id_no_database_keeps_is_never_found(store: Stores, text: str) -> None:
    store.tables.create("t1", "First", {})
    with pytest.raises(MissingData):
        store.tables.get(text)


def test_the_state_of_a_table_is_set_only_by_the_owner_in_force(store: Stores) -> None:
    store.tables.create("t1", "First", {})
    store.leases.take("t1", "a", "", now_ms=0, ttl_ms=10)
    assert not store.tables.set_state("t1", "halted", "too late", epoch=0)
    assert ("open", "") == (store.tables.get("t1").state, store.tables.get("t1").reason)
    assert store.tables.set_state("t1", "halted", "a promise broke", epoch=1)
    assert "halted" == store.tables.get("t1").state


def test_the_open_tables_with_a_journal_stand_with_their_leases(store: Stores) -> None:
    for table_id in ("t1", "t2", "t3", "t4"):
        store.tables.create(table_id, "One", {})
    store.leases.take("t2", "a", "a:1", now_ms=1_000, ttl_ms=500)
    written = [write(Head(), table_id, epoch=int(table_id == "t2")) for table_id in ("t1", "t2", "t4")]
    assert all(is_written(one) for one in store.journal.append(written))
    store.tables.set_state("t4", "halted", "broken")
    assert store.tables.standings() == [("t1", "", 0), ("t2", "a", 1_500)]
