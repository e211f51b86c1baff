"""The contract of the ledger and its wallets, the same for every store."""

from __future__ import annotations

import pytest

from letitride.errors import InvalidData
from letitride.ledger.transfers import Transfer
from letitride.storage.journal import Head
from letitride.storage.roles.journal import Ack, Conflict, Written
from letitride.storage.roles.stores import Stores
from letitride.storage.roles.wallets import Moved
from tests.storage.helpers import BAD_TEXTS, write


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
    assert [2] * len(won) == [one.number for one in store.wallets.transfers("t1", after=1)]
    assert list(store.wallets.transfers("t1")) == list(store.wallets.transfers("t1", after=0))
    assert [] == list(store.wallets.transfers("t1", after=2))


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


@pytest.mark.parametrize("text", BAD_TEXTS)
def test_a_reason_that_no_database_keeps_moves_no_money(store: Stores, text: str) -> None:
    with pytest.raises(InvalidData, match="expected a text in Unicode without NUL"):
        store.wallets.fund("Ann", 5, text, at=1, who="x")
    assert {} == store.wallets.balances(text)
    assert {} == store.wallets.balances(None)
    assert [] == list(store.audit.rows())
