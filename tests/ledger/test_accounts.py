"""Accounts: what is built is read back, and one module says where an account is kept and whether it may owe."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from letitride.errors import InvariantBroken
from letitride.ledger import accounts
from letitride.ledger.accounts import Account, Kind

SOURCE = Path(accounts.__file__).parent.parent


@pytest.mark.parametrize(
    ("name", "account"),
    [
        (accounts.wallet("Ann: 1"), Account(Kind.WALLET, player="Ann: 1")),
        (accounts.WALLETS, Account(Kind.WALLET)),
        (accounts.stack(3), Account(Kind.STACK, 3)),
        (accounts.tokens(12), Account(Kind.TOKENS, 12)),
        (accounts.felt(2, "base-$"), Account(Kind.FELT, 2, "base-$")),
        (accounts.TRAY, Account(Kind.TRAY)),
        (accounts.BANK, Account(Kind.BANK)),
        (accounts.FEES, Account(Kind.FEES)),
        (accounts.PROMOTIONS, Account(Kind.PROMOTIONS)),
        (accounts.CAGE, Account(Kind.CAGE)),
    ],
)
def test_a_name_is_read_as_it_was_built(name: str, account: Account) -> None:
    assert account == accounts.parse(name)


@pytest.mark.parametrize(
    "name", ["", "pocket:1", "stack", "stack:", "stack:x", "stack:1:2", "felt:1", "tray:1", "cage:2"]
)
def test_a_name_that_nothing_builds_is_our_bug(name: str) -> None:
    with pytest.raises(InvariantBroken, match="the account"):
        accounts.parse(name)


def test_wallets_and_the_cage_belong_to_no_table() -> None:
    names = [accounts.wallet("Ann"), accounts.CAGE, accounts.stack(1), accounts.TRAY]
    assert ["", "", "t1", "t1"] == [accounts.scope_of(name, "t1") for name in names]
    assert ["wallet", "cage", "stack:1", "tray"] == [accounts.at_table(name) for name in names]
    assert [False, True, False, True] == [accounts.may_owe(name) for name in names]


def test_no_other_module_builds_or_takes_apart_the_name_of_an_account() -> None:
    spelled = re.compile(r"""["'](wallet|stack|tokens|felt):""")
    found = [
        str(path.relative_to(SOURCE))
        for path in SOURCE.rglob("*.py")
        if path.name != "accounts.py" and spelled.search(path.read_text(encoding="utf-8"))
    ]
    assert ["server/people/visits.py"] == found  # it looks for the bytes in rows that it has not decoded
