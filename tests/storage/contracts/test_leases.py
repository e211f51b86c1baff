"""The contract of leases, the same for every store."""

from __future__ import annotations

import pytest

from letitride.errors import InvalidData
from letitride.storage.roles.stores import Stores


def test_a_lease_is_renewed_taken_over_and_given_back(store: Stores) -> None:
    store.tables.create("t1", "First", {})
    assert store.leases.owner("t1") is None
    first = store.leases.take("t1", "a", "a:1", now_ms=1_000, ttl_ms=500)
    assert first is not None
    assert (1, 1_500) == (first.epoch, first.until_ms)
    renewed = store.leases.take("t1", "a", "a:1", now_ms=1_400, ttl_ms=500)
    assert renewed is not None
    assert (1, 1_900) == (renewed.epoch, renewed.until_ms)
    assert store.leases.take("t1", "b", "b:1", now_ms=1_899, ttl_ms=500) is None
    assert renewed == store.leases.owner("t1")
    taken = store.leases.take("t1", "b", "b:1", now_ms=1_900, ttl_ms=500)
    assert taken is not None
    assert (2, "b", "b:1") == (taken.epoch, taken.node, taken.address)
    assert not store.leases.release("t1", "a", 1)
    assert not store.leases.release("t1", "a", 2)
    assert store.leases.release("t1", "b", 2)
    assert store.leases.owner("t1") is None
    again = store.leases.take("t1", "b", "b:1", now_ms=1_950, ttl_ms=500)
    assert again is not None
    assert 3 == again.epoch == store.tables.get("t1").epoch


def test_a_node_renews_all_its_leases_at_once_and_keeps_their_epochs(store: Stores) -> None:
    for table_id in ("t1", "t2", "t3"):
        store.tables.create(table_id, "One", {})
    store.leases.take("t1", "a", "a:1", now_ms=0, ttl_ms=10)
    store.leases.take("t2", "b", "b:1", now_ms=0, ttl_ms=10)
    store.leases.take("t2", "a", "a:1", now_ms=10, ttl_ms=10)
    store.leases.take("t3", "b", "b:1", now_ms=10, ttl_ms=10)
    # Late, but no one has taken them: what it wrote since is still the whole truth.
    assert store.leases.renew("a", now_ms=1_000, ttl_ms=500) == {"t1": 1, "t2": 2}
    assert [(one.table_id, one.node, one.epoch, one.until_ms) for one in store.leases.all()] == [
        ("t1", "a", 1, 1_500),
        ("t2", "a", 2, 1_500),
        ("t3", "b", 1, 20),
    ]
    assert store.leases.take("t1", "b", "", now_ms=1_499, ttl_ms=10) is None
    store.leases.take("t1", "b", "", now_ms=1_500, ttl_ms=10)
    assert store.leases.renew("a", now_ms=1_500, ttl_ms=500) == {"t2": 2}
    store.leases.forget()
    assert store.leases.all() == []
    assert store.leases.renew("a", now_ms=1_600, ttl_ms=500) == {}
    taken = store.leases.take("t2", "c", "", now_ms=0, ttl_ms=10)
    assert taken is not None
    assert taken.epoch == 3


def test_a_node_that_comes_back_after_its_lease_expired_gets_a_new_epoch(store: Stores) -> None:
    store.tables.create("t1", "First", {})
    store.leases.take("t1", "a", "", now_ms=0, ttl_ms=10)
    back = store.leases.take("t1", "a", "", now_ms=10, ttl_ms=10)
    assert back is not None
    assert 2 == back.epoch


def test_leases_go_by_the_clock_that_all_share_and_else_by_the_callers(store: Stores) -> None:
    shared = store.leases.shared_clock_ms()
    told = store.leases.now_ms(5)
    assert told == 5 if shared is None else told >= shared > 5


def test_a_node_without_a_name_holds_no_lease(store: Stores) -> None:
    store.tables.create("t1", "First", {})
    with pytest.raises(InvalidData, match="expected the name of a node"):
        store.leases.take("t1", "", "", now_ms=0, ttl_ms=10)
    with pytest.raises(InvalidData, match="expected the name of a node"):
        store.leases.renew("", now_ms=0, ttl_ms=10)
    assert not store.leases.release("t1", "", 0)
