"""Accounts: what transfers change of accounts and what no account may hold; never a balance itself."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final, Literal

from letitride.errors import InvariantBroken
from letitride.ledger import accounts
from letitride.ledger.transfers import Transfer, changes
from letitride.storage.roles.texts import is_text

CENTS_MAX: Final = 10**15
"""No account holds or owes more: sums stay far from the edge of 64 bits."""


def deltas(table_id: str, transfers: Iterable[Transfer]) -> dict[tuple[str, str], int]:
    """Return what transfers change of each account, in the one order in which accounts are locked."""
    return dict(
        sorted(((accounts.scope_of(name, table_id), name), cents) for name, cents in changes(transfers).items())
    )


def bad_balance(balances: Mapping[tuple[str, str], int]) -> Literal["balance", "bounds"] | None:
    """Return what is wrong with balances that accounts would have, or nothing."""
    if any(cents < 0 and not accounts.may_owe(name) for (_, name), cents in balances.items()):
        return "balance"
    return "bounds" if any(abs(cents) > CENTS_MAX for cents in balances.values()) else None


def bad_holding(account: str, cents: int) -> str:
    """Return why an account outside a table cannot be meant to hold so much, or nothing."""
    try:
        outside = accounts.parse(account).kind in accounts.OUTSIDE
    except InvariantBroken as error:
        return str(error)
    if not outside or not is_text(account) or not 0 <= cents <= CENTS_MAX:
        return f"expected an account outside the table and what it holds, got {account!r} and {cents}"
    return ""


def bad_transfer(transfer: Transfer) -> str:
    """Return why a transfer at a table cannot be meant, or nothing."""
    if not 0 < transfer.cents <= CENTS_MAX or transfer.source == transfer.target:
        return f"expected an amount between two accounts, got {transfer}"
    for account in (transfer.source, transfer.target):
        try:
            kind = accounts.parse(account).kind
        except InvariantBroken as error:
            return str(error)
        if kind is accounts.Kind.CAGE:
            return "expected accounts of a table and wallets, got the cage"
        if not is_text(account):
            return f"expected an account without control characters, got {account!r}"
    return ""
