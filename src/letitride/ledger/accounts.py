"""Accounts: the kinds of account a table's money lies in, and which of them may owe."""

from __future__ import annotations

from enum import StrEnum

from letitride.errors import InvariantBroken


class Kind(StrEnum):
    """A kind of account; the part of an account's name before its first colon."""

    WALLET = "wallet"
    """What a player has outside the table; the cashier answers for it, so at a table it may owe."""
    STACK = "stack"
    """The chips beside a seat's betting area."""
    TOKENS = "tokens"
    """The promotional tokens of a seat."""
    FELT = "felt"
    """The chips on one spot."""
    TRAY = "tray"
    """The house's chips; a house that pays more than it takes owes its cage."""
    BANK = "bank"
    """What a player-dealer staked, with what he has won and not lost since."""
    FEES = "fees"
    """What the house was paid for the use of the table."""
    PROMOTIONS = "promotions"
    """What the house gave away in vouchers."""


MAY_OWE = frozenset({Kind.WALLET, Kind.TRAY, Kind.PROMOTIONS})
"""The kinds that stand for money outside the table."""


def kind_of(account: str) -> Kind:
    """Return the kind of an account by its name."""
    try:
        return Kind(account.partition(":")[0])
    except ValueError:
        raise InvariantBroken(f"the account {account} is of no known kind") from None
