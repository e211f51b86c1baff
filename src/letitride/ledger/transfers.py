"""Transfers: amounts that go from account to account, and balances as the one fold of them; never a decision."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

import msgspec

from letitride.errors import InvariantBroken
from letitride.ledger.accounts import MAY_OWE_A_TABLE, parse


class Transfer(msgspec.Struct, frozen=True, gc=False):
    """An amount that leaves one account and enters another: wallet:NAME, stack:3, tokens:3, felt:3:base-1, tray."""

    source: str
    target: str
    cents: int


class Unbalanced(InvariantBroken):
    """Money that would be made, lost or owed by an account that must not owe."""


def changes(transfers: Iterable[Transfer], name: Callable[[str], str] = str) -> dict[str, int]:
    """Return what transfers change of each account, under the name it is kept by; the sum is always zero."""
    changed: dict[str, int] = {}
    for transfer in transfers:
        source, target = name(transfer.source), name(transfer.target)
        changed[source] = changed.get(source, 0) - transfer.cents
        changed[target] = changed.get(target, 0) + transfer.cents
    return changed


def post(
    balances: Mapping[str, int], transfers: Iterable[Transfer], name: Callable[[str], str] = str
) -> dict[str, int]:
    """Return a table's balances after transfers; refuse, as our own bug, an amount or a balance that cannot be.

    Balances are checked when all transfers of an event are made: a payment and the stake beside it are one act.
    """
    after, moved = dict(balances), tuple(transfers)
    for transfer in moved:
        if transfer.cents <= 0 or transfer.source == transfer.target:
            raise Unbalanced(f"a transfer moves an amount between two accounts, not {transfer}")
    for account, change in changes(moved, name).items():
        left = after.get(account, 0) + change
        if left > 0 and account in balances:  # it was judged when it came to be
            after[account] = left
            continue
        kind = parse(account).kind  # an account of no known kind is a bug, too
        if left < 0 and kind not in MAY_OWE_A_TABLE:
            raise Unbalanced(f"the account {account} would owe {-left} cents")
        if left:
            after[account] = left
        else:
            after.pop(account, None)
    return after


def balances_of(acts: Iterable[Iterable[Transfer]]) -> dict[str, int]:
    """Return the balances that acts leave behind, each act the transfers of one event."""
    balances: dict[str, int] = {}
    for transfers in acts:
        balances = post(balances, transfers)
    return balances
