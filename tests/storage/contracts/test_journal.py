"""The contract of journals, the same for every store."""

from __future__ import annotations

import threading

import pytest

from letitride.ledger.transfers import Transfer
from letitride.storage.journal import Head, check
from letitride.storage.roles.audit import Note
from letitride.storage.roles.documents import Document
from letitride.storage.roles.journal import Ack, Conflict, Stale, Write, Written
from letitride.storage.roles.stores import Stores
from tests.storage.helpers import BAD_TEXTS, is_written, row, write


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


@pytest.mark.parametrize("together", [True, False])
def test_a_mark_is_taken_once_whichever_table_brings_it_and_with_it_the_money(store: Stores, together: bool) -> None:
    """A voucher's mark is such an answer: of two tables that redeem it one moves money, and the other writes nothing."""
    for table_id in ("t1", "t2"):
        store.tables.create(table_id, table_id, {})
    given = [Transfer("promotions", "stack:1", 2_500)]
    batch = [
        write(
            Head(), table_id, transfers=given, acks=[Ack("ann", table_id, b"{}"), Ack("voucher", "ann/spring", b"{}")]
        )
        for table_id in ("t1", "t2")
    ]
    first, second = store.journal.append(batch) if together else [*(store.journal.append([one])[0] for one in batch)]
    assert is_written(first)
    assert isinstance(second, Conflict)
    assert "command" == second.code
    assert (1, 0) == (store.journal.last("t1").number, store.journal.last("t2").number)
    assert store.journal.reply("ann", "t2") is None  # nothing of the second was kept
    assert {"promotions": -2_500, "stack:1": 2_500} == store.wallets.balances("t1")
    assert {} == store.wallets.balances("t2")
    assert 0 == store.wallets.total()


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


def test_a_write_is_judged_before_the_next_of_its_batch(store: Stores) -> None:
    for table_id in ("t1", "t2"):
        store.tables.create(table_id, table_id, {})
    lends = write(Head(), "t1", transfers=[Transfer("wallet:Ann", "stack:1", 5)])
    gives = write(Head(), "t2", transfers=[Transfer("tray", "wallet:Ann", 5)])
    assert ["Conflict", "Written"] == [type(one).__name__ for one in store.journal.append([lends, gives])]


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


def test_a_document_is_kept_with_the_rows_it_is_about_or_not_at_all_and_replaces_none(store: Stores) -> None:
    store.tables.create("t1", "First", {})
    store.tables.create("t2", "Second", {})
    kept = Document(kind="vouchers", id="Ann/rest/t1/1", version=1, body='{"why":"Grüße"}'.encode())
    lost = Document(kind="vouchers", id="Ann/rest/t2/7", version=1, body=b"{}")
    other = Document(kind="vouchers", id=kept.id, version=1, body=b"{}")
    first = row(Head())
    batch = [
        Write(table_id="t1", number=1, rows=[first], documents=[kept]),
        Write(table_id="t2", number=7, rows=[row(Head(6, first.hash), "t2")], documents=[lost]),
    ]
    assert [Written, Conflict] == [type(one) for one in store.journal.append(batch)]
    second = Write(table_id="t1", number=2, rows=[row(Head(1, first.hash))], documents=[other])
    assert [Written] == [type(one) for one in store.journal.append([second])]
    assert [kept] == store.documents.find("vouchers")


@pytest.mark.parametrize("text", BAD_TEXTS)
def test_a_command_that_no_database_keeps_was_never_answered(store: Stores, text: str) -> None:
    assert store.journal.reply("ann", text) is None


def test_after_a_number_that_no_database_keeps_there_are_no_rows(store: Stores) -> None:
    store.tables.create("t1", "First", {})
    assert [] == list(store.journal.rows("t1", after=10**30))


def test_one_who_may_add_to_journals_is_told_so(store: Stores) -> None:
    assert store.journal.may_write()
