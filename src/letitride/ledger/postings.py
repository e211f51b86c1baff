"""Postings: event to double-entry transfers, and balances that are checked at every one; never a decision."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from letitride.engine.events import AnyEvent
from letitride.errors import InvariantBroken
from letitride.ledger.accounts import MAY_OWE, kind_of


@dataclass(frozen=True, slots=True)
class Transfer:
    """An amount that leaves one account and enters another."""

    source: str
    target: str
    cents: int


def postings(event: AnyEvent) -> tuple[Transfer, ...]:
    """Return the transfers an event makes."""
    return tuple(Transfer(chips.source, chips.target, chips.cents) for chips in event.chips)


def post(balances: Mapping[str, int], transfers: Iterable[Transfer]) -> dict[str, int]:
    """Return balances after transfers; refuse, as our own bug, an amount or a balance that cannot be.

    Every transfer takes from one account what it gives to another, so the sum of all balances never changes. Balances
    are checked when all transfers of an event are made: a payment and the stake beside it are one act.
    """
    after = dict(balances)
    touched = set()
    for transfer in transfers:
        if transfer.cents <= 0 or transfer.source == transfer.target:
            raise InvariantBroken(f"a transfer moves an amount between two accounts, not {transfer}")
        after[transfer.source] = after.get(transfer.source, 0) - transfer.cents
        after[transfer.target] = after.get(transfer.target, 0) + transfer.cents
        touched |= {transfer.source, transfer.target}
    for account in touched:
        kind = kind_of(account)  # an account of no known kind is a bug, too
        if after[account] < 0 and kind not in MAY_OWE:
            raise InvariantBroken(f"the account {account} would owe {-after[account]} cents")
        if not after[account]:
            del after[account]
    return after


def balances_of(events: Iterable[AnyEvent]) -> dict[str, int]:
    """Return the balances that events leave behind."""
    balances: dict[str, int] = {}
    for event in events:
        balances = post(balances, postings(event))
    return balances
