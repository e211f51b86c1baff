"""Accounts: how an account is named and read, where it is kept and whether it may owe; never an amount."""

from __future__ import annotations

from enum import StrEnum
from functools import lru_cache
from typing import Final, NamedTuple

from letitride.errors import InvariantBroken


class Kind(StrEnum):
    """A kind of account; the part of an account's name before its first colon."""

    WALLET = "wallet"
    """What a player has outside the table."""
    STACK = "stack"
    """The chips beside a seat's betting area."""
    TOKENS = "tokens"
    """The promotional tokens of a seat."""
    COUPONS = "coupons"
    """The match-play coupons of a seat that lie on no bet."""
    FELT = "felt"
    """The chips on one spot."""
    TRAY = "tray"
    """The house's chips; a house that pays more than it takes owes its cage."""
    BANK = "bank"
    """What a player-dealer staked, plus what the bank has won, less what it has lost since."""
    FEES = "fees"
    """What the house was paid for the use of the table."""
    PROMOTIONS = "promotions"
    """What the house gave away in vouchers."""
    METER = "meter"
    """What a progressive bet has gathered for those who win it."""
    SHARED_METER = "shared_meter"
    """What a progressive bet has gathered at all tables of the house that offer it."""
    TAKEN = "taken"
    """What hands of a round have taken of a shared meter, until the round is over."""
    CAGE = "cage"
    """Money outside the house: it owes what all wallets and tables hold."""


TRAY: Final[str] = Kind.TRAY.value
BANK: Final[str] = Kind.BANK.value
FEES: Final[str] = Kind.FEES.value
PROMOTIONS: Final[str] = Kind.PROMOTIONS.value
CAGE: Final[str] = Kind.CAGE.value
WALLETS: Final[str] = Kind.WALLET.value
"""The wallets of all players, as a table keeps them: it knows only what came from them and went back."""

OUTSIDE: Final = frozenset({Kind.WALLET, Kind.CAGE, Kind.SHARED_METER})
"""The kinds that belong to no table."""
MAY_OWE: Final = frozenset({Kind.TRAY, Kind.PROMOTIONS, Kind.CAGE})
"""The kinds that hold the house's own money, and so may be below zero."""
MAY_OWE_A_TABLE: Final = MAY_OWE - OUTSIDE | {Kind.WALLET, Kind.SHARED_METER}
"""The kinds that may be below zero in a table's own books, which know neither what a wallet held before nor what other
tables put into a shared meter."""
_OF_WAGERS: Final = frozenset({Kind.METER, Kind.SHARED_METER, Kind.TAKEN})


class Account(NamedTuple):
    """What an account's name says."""

    kind: Kind
    seat: int = 0
    """The seat it belongs to; 0: to none."""
    spot: str = ""
    """The spot on the felt, or the wager whose meter it is."""
    player: str = ""
    """Whose wallet it is."""


def wallet(player: str) -> str:
    """Return the account of a player's money outside the table."""
    return f"wallet:{player}"


def stack(seat: int) -> str:
    """Return the account of a seat's chips beside its betting area."""
    return f"stack:{seat}"


def tokens(seat: int) -> str:
    """Return the account of a seat's promotional tokens."""
    return f"tokens:{seat}"


def coupons(seat: int) -> str:
    """Return the account of a seat's match-play coupons."""
    return f"coupons:{seat}"


def laid_coupon(seat: int) -> str:
    """Return the account of the coupon that lies beside a seat's third bet."""
    return felt(seat, "match-play")  # no wager's name has a hyphen, but for the spots of the base game


def felt(seat: int, spot: str) -> str:
    """Return the account of the chips on one spot."""
    return f"felt:{seat}:{spot}"


def meter(wager: str) -> str:
    """Return the account of a wager's meter."""
    return f"meter:{wager}"


def shared_meter(wager: str) -> str:
    """Return the account of a meter that tables of the house share."""
    return f"shared_meter:{wager}"


def taken(wager: str) -> str:
    """Return the account of what a round has taken of a shared meter."""
    return f"taken:{wager}"


@lru_cache(maxsize=4096)
def parse(name: str) -> Account:
    """Return what an account's name says; a name that none of the builders makes is our own bug."""
    head, _, rest = name.partition(":")
    try:
        kind = Kind(head)
    except ValueError:
        raise InvariantBroken(f"the account {name} is of no known kind") from None
    seat, _, spot = rest.partition(":")
    match kind:
        case Kind.WALLET:
            return Account(kind, player=rest)
        case Kind.STACK | Kind.TOKENS | Kind.COUPONS if seat.isascii() and seat.isdecimal() and not spot:
            return Account(kind, int(seat))
        case Kind.FELT if seat.isascii() and seat.isdecimal() and spot:
            return Account(kind, int(seat), spot)
        case Kind.METER | Kind.SHARED_METER | Kind.TAKEN if rest:
            return Account(kind, spot=rest)
        case _ if rest or kind in {Kind.STACK, Kind.TOKENS, Kind.COUPONS, Kind.FELT} | _OF_WAGERS:
            raise InvariantBroken(f"the account {name} is not named as a {kind} account is")
    return Account(kind)


@lru_cache(maxsize=4096)
def at_table(name: str) -> str:
    """Return the name under which a table keeps an account: all wallets are one there."""
    return WALLETS if name.startswith("wallet:") else name


def scope_of(name: str, table_id: str) -> str:
    """Return under which table an account that a table's transfer names is kept; empty: under none."""
    return "" if name.partition(":")[0] in OUTSIDE else table_id


def may_owe(name: str) -> bool:
    """Whether an account may be below zero in the books of the house. The databases check the same."""
    return parse(name).kind in MAY_OWE
