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


def test_accounts_have_the_names_that_the_databases_keep() -> None:
    """Journals and ledgers of years ago have these names: another name is another account."""
    assert [accounts.wallet("Ann"), accounts.stack(3), accounts.tokens(3), accounts.felt(3, "bonus")] == [
        "wallet:Ann",
        "stack:3",
        "tokens:3",
        "felt:3:bonus",
    ]
    alone = [accounts.WALLETS, accounts.TRAY, accounts.BANK, accounts.FEES, accounts.PROMOTIONS, accounts.CAGE]
    assert alone == ["wallet", "tray", "bank", "fees", "promotions", "cage"]
    assert [accounts.parse(name).kind for name in alone] == [
        *(Kind.WALLET, Kind.TRAY, Kind.BANK, Kind.FEES, Kind.PROMOTIONS, Kind.CAGE),
    ]
    assert accounts.parse("tray") == Account(Kind.TRAY, seat=0, spot="", player="")
    assert [name for name in (*alone, "stack:1", "tokens:1", "felt:1:bonus") if accounts.may_owe(name)] == [
        "tray",
        "promotions",
        "cage",
    ]


@pytest.mark.parametrize(
    "name",
    [
        "",
        "pocket:1",
        "stack",
        "stack:",
        "stack:x",
        "stack:1:2",
        "tokens",
        "tokens:x",
        "felt",
        "felt:1",
        "felt:x:bonus",
        "felt::bonus",
        "tray:1",
        "cage:2",
    ],
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
