"""Vouchers in a store: whether what was issued, what is marked as spent and what journals tell agree."""

from __future__ import annotations

import msgspec
import pytest

from letitride.engine.events import VoucherExchanged
from letitride.ledger.transfers import Transfer
from letitride.storage.roles.journal import Ack, prepare
from letitride.storage.roles.stores import Stores
from letitride.storage.urls import open_store
from letitride.storage.verify import verify
from letitride.storage.vouchers import CLIENT, KIND, Redeemed, Voucher
from tests.storage.helpers import is_written, write

SPRING = "Ann/spring-1"


@pytest.fixture
def store() -> Stores:
    """A house with two tables of one row each that issued a voucher of $25."""
    house = open_store("memory:")
    for table in ("t1", "t2"):
        house.tables.create(table, table, {})
        house.journal.append([write(house.journal.last(table), table)])
    issue(house, SPRING, 2_500)
    return house


def issue(house: Stores, name: str, cents: int) -> None:
    voucher = Voucher(id=name, person="Ann", cents=cents, into="tokens", why="spring", issued_ms=1, issued_by="Boss")
    house.documents.put(KIND, name, msgspec.json.encode(voucher), 0)


def exchange(house: Stores, table: str, name: str, cents: int = 2_500, mark: Redeemed | None = None) -> None:
    """Write a row by which a voucher is exchanged for tokens, and with it the mark that it is spent."""
    given = (Transfer("promotions", "tokens:1", cents),)
    acks = [Ack(CLIENT, SPRING, msgspec.json.encode(mark))] if mark else []
    event = VoucherExchanged(seat=1, voucher=name, chips=given)
    head = house.journal.last(table)
    (outcome,) = house.journal.append([prepare(head, table_id=table, at=1, by="seat:1", happened=[event], acks=acks)])
    assert is_written(outcome), outcome


def at(table: str, row: int) -> Redeemed:
    return Redeemed(table=table, row=row, at_ms=1)


@pytest.mark.parametrize("name", [SPRING, ""])
def test_a_voucher_that_was_redeemed_once_is_found_so_though_older_rows_do_not_name_it(
    store: Stores, name: str
) -> None:
    assert verify(store).good  # nothing is redeemed yet
    exchange(store, "t1", name, mark=at("t1", 2))
    assert () == verify(store).wrong
    assert verify(store).good
    exchange(store, "t2", "", 700)  # where the house kept no account of vouchers
    assert verify(store).good


def test_a_voucher_redeemed_twice_is_named_with_its_rows_and_its_money(store: Stores) -> None:
    exchange(store, "t1", SPRING, mark=at("t1", 2))
    exchange(store, "t2", SPRING)
    assert (
        "expected the voucher Ann/spring-1 to be redeemed once, got it at table t1, row 2 and table t2, row 2",
        "expected 2500 cents to leave promotions for the vouchers that are spent, got 5000",
    ) == verify(store).wrong
    assert () == verify(store, "t1").wrong  # one table alone cannot tell


def test_a_voucher_without_its_mark_is_named_before_it_is_redeemed_again(store: Stores) -> None:
    exchange(store, "t1", SPRING)
    assert (
        "expected the voucher Ann/spring-1 to be marked as spent at table t1, row 2, got no mark",
        "expected 0 cents to leave promotions for the vouchers that are spent, got 2500",
    ) == verify(store).wrong


def test_a_mark_points_to_the_row_that_redeemed_the_voucher(store: Stores) -> None:
    store.journal.append(
        [write(store.journal.last("t2"), "t2", acks=[Ack(CLIENT, SPRING, msgspec.json.encode(at("t2", 2)))])]
    )
    missing = "expected the voucher Ann/spring-1 redeemed at table t2, row 2, as it is marked, got"
    assert f"{missing} no such row" == verify(store).wrong[0]
    assert "expected 2500 cents to leave promotions for the vouchers that are spent, got 0" == verify(store).wrong[1]
    exchange(store, "t1", SPRING)
    assert (f"{missing} table t1, row 2",) == verify(store).wrong


def test_a_voucher_is_worth_what_it_was_issued_for_and_was_issued(store: Stores) -> None:
    exchange(store, "t1", SPRING, 9_900, mark=at("t1", 2))
    exchange(store, "t2", "Ann/autumn-1", 100)
    assert (
        "expected a voucher that was issued, got Ann/autumn-1 at table t2, row 2",
        "expected the voucher Ann/autumn-1 to be marked as spent at table t2, row 2, got no mark",
        "expected 2500 cents for the voucher Ann/spring-1, got 9900 at table t1, row 2",
        "expected 2500 cents to leave promotions for the vouchers that are spent, got 10000",
    ) == verify(store).wrong
