"""The contract of a store, the same for all of them."""

from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from letitride.errors import InvalidData, MissingData
from letitride.ledger.transfers import Transfer
from letitride.storage.dump import AckLine, RowLine, TransferLine, read_dump, write_dump
from letitride.storage.journal import START, Head, check
from letitride.storage.roles.audit import Note
from letitride.storage.roles.journal import Ack, Conflict, Stale, Write, Written
from letitride.storage.roles.stores import Stores
from letitride.storage.roles.wallets import Moved
from letitride.storage.urls import open_store
from tests.storage.conftest import KINDS
from tests.storage.helpers import is_written, row, write


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


def test_rows_come_back_as_they_were_written(store: Stores) -> None:
    store.tables.create("t1", "First", {})
    head, sealed = Head(), []
    for number in range(5):
        sealed.append(row(head, words=f"Grüße {number}"))
        head = Head(sealed[-1].number, sealed[-1].hash)
    outcome = store.journal.append([Write(table_id="t1", number=1, rows=sealed)])
    assert [Written(table_id="t1", number=5, hash=head.hash)] == outcome
    assert sealed == list(store.journal.rows("t1"))
    assert sealed[2:4] == list(store.journal.rows("t1", after=2, limit=2))
    assert head == store.journal.last("t1")
    assert check(store.journal.rows("t1"), "t1", store.journal.last("t1")) is None


def test_a_long_journal_is_read_page_by_page(store: Stores) -> None:
    store.tables.create("t1", "First", {})
    head, sealed = Head(), []
    for _ in range(2_100):
        sealed.append(row(head))
        head = Head(sealed[-1].number, sealed[-1].hash)
    store.journal.append([Write(table_id="t1", number=1, rows=sealed)])
    assert sealed == list(store.journal.rows("t1"))
    assert 1_500 == len(list(store.journal.rows("t1", after=10, limit=1_500)))


def test_one_bad_write_does_not_hurt_the_others_of_its_batch(store: Stores) -> None:
    for table_id in ("t1", "t2", "t3", "t4"):
        store.tables.create(table_id, table_id, {})
    ahead = write(Head(4, "f" * 64), "t2")
    poor = write(Head(), "t3", transfers=[Transfer("wallet:Ann", "stack:1", 100)])
    nowhere = write(Head(), "none")
    good = write(Head(), "t4", acks=[Ack("c", "1", b"yes")])
    outcomes = store.journal.append([write(Head(), "t1"), ahead, poor, nowhere, good])
    assert ["Written", "number", "balance", "table", "Written"] == [
        one.code if isinstance(one, Conflict) else type(one).__name__ for one in outcomes
    ]
    assert [1, 0, 0, 1] == [table.number for table in store.tables.all()]
    assert {} == store.wallets.balances("t3")
    assert b"yes" == store.journal.reply("c", "1")
    assert 0 == store.wallets.total()


def test_a_batch_may_hold_several_writes_of_one_table(store: Stores) -> None:
    store.tables.create("t1", "First", {})
    first = write(Head(), acks=[Ack("c", "1", b"a")])
    head = Head(1, first.rows[0].hash)
    second = write(head, acks=[Ack("c", "2", b"b")])
    assert [True, True] == list(map(is_written, store.journal.append([first, second])))
    assert 2 == store.journal.last("t1").number


def test_what_does_not_follow_is_a_conflict(store: Stores) -> None:
    store.tables.create("t1", "First", {})
    store.journal.append([write(Head())])
    (again, other) = store.journal.append([write(Head()), write(Head(1, "0" * 64))])
    assert isinstance(again, Conflict)
    assert "number" == again.code
    assert isinstance(other, Conflict)
    assert "previous" == other.code


def test_what_cannot_be_meant_is_a_conflict(store: Stores) -> None:
    store.tables.create("t1", "First", {})
    good = row(Head())
    malformed = [
        Write(table_id="t1", number=1),
        Write(table_id="t1", number=1, transfers=[Transfer("tray", "stack:1", 1)]),
        Write(table_id="t1", number=2, rows=[good]),
        Write(table_id="t2", number=1, rows=[good]),
        Write(table_id="t1", number=1, epoch=3, rows=[good]),
        write(Head(), transfers=[Transfer("tray", "stack:1", 0)]),
        write(Head(), transfers=[Transfer("cage", "stack:1", 5)]),
        write(Head(), acks=[Ack("c", "a\0b", b"")]),
    ]
    for outcome in store.journal.append(malformed):
        assert isinstance(outcome, Conflict)
        assert "malformed" == outcome.code
    assert 0 == store.journal.last("t1").number


def test_a_command_is_answered_once(store: Stores) -> None:
    store.tables.create("t1", "First", {})
    first = write(Head(), acks=[Ack("ann", "7", b'{"ok":true}')])
    store.journal.append([first])
    head = store.journal.last("t1")
    (again,) = store.journal.append([write(head, acks=[Ack("ann", "7", b"other")])])
    assert isinstance(again, Conflict)
    assert "command" == again.code
    assert head == store.journal.last("t1")
    assert b'{"ok":true}' == store.journal.reply("ann", "7")
    assert store.journal.reply("bob", "7") is None


def test_a_refused_command_is_answered_without_a_row(store: Stores) -> None:
    store.tables.create("t1", "First", {})
    store.journal.append([write(Head())])
    head = store.journal.last("t1")
    answer = Write(table_id="t1", number=2, acks=[Ack("ann", "8", b"no")])
    assert [Written(table_id="t1", number=1, hash=head.hash)] == store.journal.append([answer])
    assert b"no" == store.journal.reply("ann", "8")
    late = Write(table_id="t1", number=1, acks=[Ack("ann", "9", b"no")])
    (outcome,) = store.journal.append([late])
    assert isinstance(outcome, Conflict)
    assert "number" == outcome.code


def test_money_goes_from_the_cage_through_a_wallet_to_a_table_and_back(store: Stores) -> None:
    store.tables.create("t1", "First", {})
    assert Moved(wallet="Ann", cents=500) == store.wallets.fund("Ann", 500, "cash", at=1, who="cashier:1")
    store.journal.append([write(Head(), transfers=[Transfer("wallet:Ann", "stack:1", 300)])])
    assert {"cage": -500, "wallet:Ann": 200} == store.wallets.balances(None)
    assert (200, 0) == (store.wallets.balance("Ann"), store.wallets.balance("Bob"))
    assert {"stack:1": 300} == store.wallets.balances("t1")
    won = [Transfer("stack:1", "felt:1:base-1", 300), Transfer("tray", "stack:1", 900)]
    store.journal.append([write(store.journal.last("t1"), transfers=won)])
    assert {"felt:1:base-1": 300, "stack:1": 900, "tray": -900} == store.wallets.balances("t1")
    assert Moved(wallet="Ann", cents=50) == store.wallets.withdraw("Ann", 150, "cash out", at=2, who="cashier:1")
    assert 0 == store.wallets.total()
    assert [("cashier:1", "fund Ann 500", "cash"), ("cashier:1", "withdraw Ann 150", "cash out")] == [
        (one.who, one.what, one.why) for one in store.audit.rows()
    ]
    assert [(1, "wallet:Ann", "stack:1", 300), (2, "stack:1", "felt:1:base-1", 300), (2, "tray", "stack:1", 900)] == [
        (one.number, one.source, one.target, one.cents) for one in store.wallets.transfers("t1")
    ]
    assert [("cage", "wallet:Ann", 500), ("wallet:Ann", "cage", 150)] == [
        (one.source, one.target, one.cents) for one in store.wallets.transfers(None)
    ]


def test_two_tables_have_accounts_of_their_own(store: Stores) -> None:
    for table_id in ("t1", "t2"):
        store.tables.create(table_id, table_id, {})
        store.journal.append([write(Head(), table_id, transfers=[Transfer("tray", "stack:1", 100)])])
    assert {"stack:1": 100, "tray": -100} == store.wallets.balances("t1") == store.wallets.balances("t2")


@pytest.mark.parametrize("account", ["stack:1", "felt:1:base-1", "tokens:2", "bank", "fees", "wallet:Ann"])
def test_only_the_house_may_owe(store: Stores, account: str) -> None:
    store.tables.create("t1", "First", {})
    target = "stack:2" if account != "stack:2" else "stack:1"
    owing, lending = Transfer(account, target, 5), Transfer("promotions", "tokens:1", 5)
    (refused, fine) = store.journal.append([write(Head(), transfers=[owing]), write(Head(), transfers=[lending])])
    assert isinstance(refused, Conflict)
    assert "balance" == refused.code
    assert isinstance(fine, Written)
    assert {"promotions": -5, "tokens:1": 5} == store.wallets.balances("t1")


def test_a_write_is_judged_before_the_next_of_its_batch(store: Stores) -> None:
    for table_id in ("t1", "t2"):
        store.tables.create(table_id, table_id, {})
    lends = write(Head(), "t1", transfers=[Transfer("wallet:Ann", "stack:1", 5)])
    gives = write(Head(), "t2", transfers=[Transfer("tray", "wallet:Ann", 5)])
    assert ["Conflict", "Written"] == [type(one).__name__ for one in store.journal.append([lends, gives])]


def test_no_account_grows_beyond_its_bounds(store: Stores) -> None:
    assert isinstance(store.wallets.fund("Ann", 10**15, "rich", at=1, who="x"), Moved)
    refused = store.wallets.fund("Ann", 1, "richer", at=1, who="x")
    assert isinstance(refused, Conflict)
    assert "bounds" == refused.code
    for cents in (0, -5, 10**19):
        outcome = store.wallets.fund("Ann", cents, "", at=1, who="x")
        assert isinstance(outcome, Conflict)
        assert "malformed" == outcome.code


def test_a_wallet_is_not_overdrawn_and_cash_moves_once(store: Stores) -> None:
    ack = Ack("desk", "1", b"done")
    assert isinstance(store.wallets.fund("Ann", 100, "cash", at=1, who="x", ack=ack), Moved)
    again = store.wallets.fund("Ann", 100, "cash", at=1, who="x", ack=ack)
    assert isinstance(again, Conflict)
    assert "command" == again.code
    over = store.wallets.withdraw("Ann", 101, "cash", at=1, who="x")
    assert isinstance(over, Conflict)
    assert "balance" == over.code
    assert {"cage": -100, "wallet:Ann": 100} == store.wallets.balances(None)
    assert 1 == len(list(store.audit.rows()))
    assert b"done" == store.journal.reply("desk", "1")


def test_one_wallet_hands_over_to_another_once_and_never_more_than_it_holds(store: Stores) -> None:
    store.wallets.fund("Ann", 100, "cash", at=1, who="x")
    ack = Ack("desk", "1", b"done")
    assert Moved(wallet="Bob", cents=70) == store.wallets.hand_over(
        "Ann", "Bob", 70, "a gift", at=2, who="Ann", ack=ack
    )
    refused = [
        store.wallets.hand_over("Ann", "Bob", 30, "a gift", at=2, who="Ann", ack=ack),
        store.wallets.hand_over("Ann", "Bob", 31, "a gift", at=2, who="Ann"),
        store.wallets.hand_over("", "Bob", 1, "a gift", at=2, who="Ann"),
        store.wallets.hand_over("Ann", "", 1, "a gift", at=2, who="Ann"),
        store.wallets.hand_over("Bob", "Ann", 0, "a gift", at=2, who="Ann"),
    ]
    assert ["command", "balance", *["malformed"] * 3] == [getattr(one, "code", one) for one in refused]
    assert {"cage": -100, "wallet:Ann": 30, "wallet:Bob": 70} == store.wallets.balances(None)
    assert ["fund Ann 100", "hand over Ann 70 to Bob"] == [one.what for one in store.audit.rows()]


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
    # Late, but nobody has taken them: what it wrote since is still the whole truth.
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


def test_documents_are_found_by_their_names_all_at_once(store: Stores) -> None:
    for doc_id in ("a", "b", "c'\"\\ü\u2660"):
        store.documents.put("thing", doc_id, b"{}", 0)
    store.documents.put("other", "d", b"{}", 0)
    found = store.documents.named("thing", ["a", "c'\"\\ü\u2660", "d", "a", "no"])
    assert {one.id: (one.kind, one.version, one.body) for one in found} == dict.fromkeys(
        ("a", "c'\"\\ü♠"), ("thing", 1, b"{}")
    )
    assert len(found) == 2
    assert store.documents.named("thing", []) == []


def test_documents_are_found_by_the_beginning_of_their_ids(store: Stores) -> None:
    for doc_id in ("a/1", "a/2", "a/3", "a_/1", "b/1"):
        store.documents.put("thing", doc_id, b"{}", 0)
    store.documents.put("other", "a/9", b"{}", 0)
    assert [one.id for one in store.documents.find("thing", "a/")] == ["a/1", "a/2", "a/3"]
    assert [one.id for one in store.documents.find("thing", "a/", last=2)] == ["a/2", "a/3"]
    assert [one.id for one in store.documents.find("thing", last=0)] == []
    assert [one.id for one in store.documents.find("thing", "%")] == []


def test_a_node_that_comes_back_after_its_lease_expired_gets_a_new_epoch(store: Stores) -> None:
    store.tables.create("t1", "First", {})
    store.leases.take("t1", "a", "", now_ms=0, ttl_ms=10)
    back = store.leases.take("t1", "a", "", now_ms=10, ttl_ms=10)
    assert back is not None
    assert 2 == back.epoch


def test_a_stale_owner_writes_nothing(store: Stores) -> None:
    store.tables.create("t1", "First", {})
    store.leases.take("t1", "a", "", now_ms=0, ttl_ms=10)
    assert all(map(is_written, store.journal.append([write(Head(), epoch=1)])))
    store.leases.take("t1", "b", "", now_ms=10, ttl_ms=10)
    head = store.journal.last("t1")
    answer = Write(table_id="t1", epoch=1, number=2, acks=[Ack("ann", "1", b"no")])
    future = write(head, epoch=3)
    outcomes = store.journal.append([write(head, epoch=1), answer, future])
    assert [Stale(table_id="t1", epoch=2)] * 2 == outcomes[:2]
    assert isinstance(outcomes[2], Conflict)
    assert "epoch" == outcomes[2].code
    assert head == store.journal.last("t1")
    assert store.journal.reply("ann", "1") is None
    assert all(map(is_written, store.journal.append([write(head, epoch=2)])))


def test_documents_have_versions(store: Stores) -> None:
    assert store.documents.get("person", "ann") is None
    assert 1 == store.documents.put("person", "ann", b'{"name":"Ann"}', 0)
    assert store.documents.put("person", "ann", b"{}", 0) is None
    assert 2 == store.documents.put("person", "ann", b'{"name":"Anne"}', 1)
    assert store.documents.put("person", "ann", b"{}", 1) is None
    kept = store.documents.get("person", "ann")
    assert kept is not None
    assert (2, b'{"name":"Anne"}') == (kept.version, kept.body)
    store.documents.put("person", "bob", b"{}", 0)
    store.documents.put("key", "ann", b"{}", 0)
    assert ["ann", "bob"] == [one.id for one in store.documents.find("person")]
    assert not store.documents.delete("person", "ann", 1)
    assert store.documents.delete("person", "ann", 2)
    assert store.documents.get("person", "ann") is None


def test_what_no_database_keeps_is_refused_and_never_found(store: Stores) -> None:
    store.tables.create("t1", "First", {})
    for text in ("a\0b", "\ud800"):
        with pytest.raises(InvalidData, match="expected a text in Unicode without NUL"):
            store.audit.add(1, "x", "y", text)
        with pytest.raises(InvalidData, match="expected a text in Unicode without NUL"):
            store.wallets.fund("Ann", 5, text, at=1, who="x")
        with pytest.raises(InvalidData, match="expected the kind of a document"):
            store.documents.put(text, "id", b"{}", 0)
        assert store.journal.reply("ann", text) is None
        assert store.documents.get("person", text) is None
        assert {} == store.wallets.balances(text)
        with pytest.raises(MissingData):
            store.tables.get(text)
    with pytest.raises(InvalidData, match="expected JSON for the document ann, got other bytes"):
        store.documents.put("person", "ann", b"{", 0)
    assert [] == list(store.journal.rows("t1", after=10**30))
    assert [] == list(store.audit.rows())
    store.audit.add(1, "x", "Grüße\nin two lines", "")


def test_the_audit_is_read_in_order(store: Stores) -> None:
    for at in range(5):
        store.audit.add(at, "floor:Flo", f"act {at}", "because")
    found = list(store.audit.rows())
    assert list(range(5)) == [one.at for one in found]
    assert found[2:4] == list(store.audit.rows(after=found[1].number, limit=2))


def test_others_read_while_one_writes(store: Stores) -> None:
    store.tables.create("t1", "First", {})
    wrong: list[str] = []
    done = threading.Event()

    def read() -> None:
        while not done.is_set():
            bad = check(store.journal.rows("t1"), "t1")
            if bad or store.wallets.total():
                wrong.append(str(bad))

    readers = [threading.Thread(target=read) for _ in range(3)]
    for reader in readers:
        reader.start()
    for _ in range(40):
        store.journal.append([write(store.journal.last("t1"), transfers=[Transfer("tray", "stack:1", 1)])])
    done.set()
    for reader in readers:
        reader.join()
    assert not wrong
    assert {"stack:1": 40, "tray": -40} == store.wallets.balances("t1")


def everything(store: Stores) -> object:
    tables = store.tables.all()
    return (
        tables,
        [list(store.journal.rows(table.id)) for table in tables],
        [store.leases.owner(table.id) for table in tables],
        [store.wallets.balances(scope) for scope in [None, *(table.id for table in tables)]],
        [list(store.wallets.transfers(scope)) for scope in [None, *(table.id for table in tables)]],
        store.documents.find("person"),
        [(one.at, one.who, one.what, one.why) for one in store.audit.rows()],
        [store.journal.reply("c", str(number)) for number in range(8)],
    )


def fill(store: Stores) -> None:
    store.tables.create("t1", "First", {"a": 1})
    store.tables.create("t2", "Second", {})
    store.wallets.fund("Ann", 1_000, "cash\nin hand", at=1, who="x", ack=Ack("c", "0", b"\x00\xff"))
    store.journal.append(
        [write(Head(), "t1", transfers=[Transfer("wallet:Ann", "stack:1", 1)], acks=[Ack("c", "1", b"1")])]
    )
    store.leases.take("t1", "a", "a:1", now_ms=0, ttl_ms=10)
    store.journal.append([Write(table_id="t1", epoch=1, number=2, acks=[Ack("c", "2", b"2")])])
    store.journal.append([write(store.journal.last("t1"), "t1", epoch=1, acks=[Ack("c", "3", b"3")])])
    store.leases.take("t1", "b", "b:1", now_ms=50, ttl_ms=10)
    store.journal.append(
        [write(store.journal.last("t1"), "t1", epoch=2), write(Head(), "t2", acks=[Ack("c", "4", b"4")])]
    )
    store.leases.take("t2", "b", "b:1", now_ms=50, ttl_ms=10)
    store.tables.set_state("t2", "closed", "night")
    store.documents.put("person", "ann", b"{}", 0)
    store.documents.put("person", "ann", b"[]", 1)


@pytest.mark.parametrize("target", KINDS)
def test_a_backup_of_any_store_is_restored_into_any_other(
    store: Stores, target: str, address: Callable[[str], str], tmp_path: Path
) -> None:
    fill(store)
    before, file = everything(store), tmp_path / "backup"
    store.backups.write(file)
    with pytest.raises(InvalidData, match="expected the path of a new file"):
        store.backups.write(file)
    with pytest.raises(InvalidData, match="expected an empty store"):
        store.backups.restore(file)
    url = address(target)  # empties the PostgreSQL database, where that is the store itself
    if target == "sqlite":
        url = f"sqlite:///{tmp_path / 'restored.db'}"
    other = open_store(url)
    try:
        other.backups.restore(file)
        assert before == everything(other)
        assert 0 == other.wallets.total()
        head, epoch = other.journal.last("t1"), other.tables.get("t1").epoch
        assert all(map(is_written, other.journal.append([write(head, "t1", epoch=epoch)])))
        other.audit.add(9, "x", "goes on", "")
    finally:
        other.close()


def test_what_is_no_backup_is_refused_and_leaves_the_store_empty(store: Stores, tmp_path: Path) -> None:
    source = open_store("memory:")
    fill(source)
    source.backups.write(tmp_path / "whole")
    lines = (tmp_path / "whole").read_bytes().splitlines(keepends=True)
    bad = {
        "cut": b"".join(lines[:-1]),
        "changed": b"".join([*lines[:-2], lines[-2].replace(b"fund Ann", b"fund Eve"), lines[-1]]),
        "other": b'{"hello": 1}\n',
        "empty": b"",
        "long": b"".join([*lines, lines[-2]]),
    }
    for name, content in bad.items():
        (tmp_path / name).write_bytes(content)
        with pytest.raises(InvalidData, match="expected"):
            store.backups.restore(tmp_path / name)
        assert [] == store.tables.all()
    with pytest.raises(MissingData, match="does not exist"):
        store.backups.restore(tmp_path / "none")


def test_a_backup_with_a_true_checksum_but_a_row_too_few_is_refused(store: Stores, tmp_path: Path) -> None:
    source = open_store("memory:")
    fill(source)
    source.backups.write(tmp_path / "whole")
    whole = list(read_dump(tmp_path / "whole"))
    for number in (1, 3):
        lacking = [
            line
            for line in whole
            if not isinstance(line, TransferLine | AckLine)
            and not (isinstance(line, RowLine) and (line.table_id, line.number) == ("t1", number))
        ]
        write_dump(tmp_path / str(number), lacking)
        with pytest.raises(InvalidData, match="expected"):
            store.backups.restore(tmp_path / str(number))
        assert [] == store.tables.all()


def test_a_note_is_in_the_audit_with_what_it_is_about_or_not_at_all(store: Stores) -> None:
    store.tables.create("t1", "First", {})
    store.tables.create("t2", "Second", {})
    note = Note(at=5, who="Sue", what="order.bar t1", why="row 1")
    first = row(Head())
    batch = [
        Write(table_id="t1", number=1, rows=[first], notes=[note, note]),
        Write(table_id="t2", number=7, rows=[row(Head(6, first.hash), "t2")], notes=[note]),
    ]
    outcomes = store.journal.append(batch)
    assert [Written, Conflict] == [type(one) for one in outcomes]
    assert [(5, "Sue", "order.bar t1", "row 1")] * 2 == [(a.at, a.who, a.what, a.why) for a in store.audit.rows()]
    broken = Note(at=5, who="Sue", what="two\nlines", why="")
    (no,) = store.journal.append([Write(table_id="t1", number=2, rows=[row(Head(1, first.hash))], notes=[broken])])
    assert isinstance(no, Conflict)
    assert "malformed" == no.code
