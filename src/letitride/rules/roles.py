"""Roles: who works at a table and in the house, how they rank, what each sees and may do; never whether a thing is so.

A role of a table is a duty that its book names. A role of an account is what a person was given by the house. The
supervisor who oversees the game at the table is one of the floor, and the operator, whose word on a dispute is the last
one in the house, speaks through an administrator.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, Literal, NamedTuple, get_args

Role = Literal["dealer", "floor", "games_supervisor", "casino_supervisor", "operator", "inspector"]
AccountRole = Literal["player", "dealer", "floor", "casino_supervisor", "inspector", "administrator"]
Viewer = Literal["dealer", "floor", "inspector", "spectator"]

PLAYER: Final = "player"
"""Every player at the table, where roles are listed; a command names the seat."""
SPECTATOR: Final[Viewer] = "spectator"
MACHINE: Final = "machine"
"""The device, which reports about itself alone."""
TABLE: Final = "table"
"""The table's own record of what happened."""


class Powers(NamedTuple):
    """What belongs to a role."""

    account: AccountRole
    """The role of an account that can take it."""
    view: Viewer
    """Whose view it has."""


ROLES: Final[Mapping[Role, Powers]] = {
    "dealer": Powers("dealer", "dealer"),
    "floor": Powers("floor", "floor"),
    "games_supervisor": Powers("floor", "floor"),
    "casino_supervisor": Powers("casino_supervisor", "floor"),
    "operator": Powers("administrator", "floor"),
    "inspector": Powers("inspector", "inspector"),
}
STAFF: Final[tuple[Role, ...]] = tuple(ROLES)
HOUSE: Final = tuple(role for role in STAFF if role != "inspector")
"""Those who decide for the house, lowest first: an inspector rules on disputes with it, and stands apart."""
EVERYWHERE: Final = tuple(role for role in STAFF if role == ROLES[role].account)
"""The roles that every table has; the others are there where a book names them."""
STAFF_VIEWERS: Final[tuple[Viewer, ...]] = tuple(dict.fromkeys(ROLES[role].view for role in STAFF))
VIEWERS: Final[tuple[Viewer, ...]] = (*STAFF_VIEWERS, SPECTATOR)
OVERSEES: Final = frozenset(role for role in STAFF if ROLES[role].view == "floor")
"""Who sees what the floor sees, and may end a dealer's shift."""
RUNS: Final[tuple[Role, ...]] = ("dealer", "floor")
"""Who does the steps of the script, and sees which player is away."""

ACCOUNT_ROLES: Final[tuple[AccountRole, ...]] = get_args(AccountRole)
STAFF_ACCOUNTS: Final = tuple(role for role in ACCOUNT_ROLES if role != PLAYER)
SUPERVISORS: Final = tuple(role for role in ACCOUNT_ROLES if any(ROLES[one].account == role for one in OVERSEES))
"""The accounts of those who oversee a table."""
REVIEWERS: Final[tuple[AccountRole, ...]] = ("inspector", *SUPERVISORS)
"""The accounts that read shift reports."""
MANAGERS: Final[tuple[AccountRole, ...]] = ("casino_supervisor", "administrator")
"""The accounts that open, close and recover tables, and that give lessons."""
AUDITORS: Final[tuple[AccountRole, ...]] = ("inspector", "administrator")
"""The accounts that read the audit."""
ACCOUNT_VIEWS: Final[Mapping[AccountRole, Viewer]] = {
    role: ROLES[role].view for role in ("inspector", "floor", "casino_supervisor", "dealer")
} | {"administrator": "inspector"}
"""Whose view of past rounds an account has; of several roles the first counts."""

DEVICE_REPORTS: Final = frozenset({"device_miscount", "device_jam", "device_failure"})
"""What the device itself reports, and no player."""
_STAFF_REPORTS: Final = DEVICE_REPORTS | {"absent"}

MoneyAct = Literal["award", "void", "annulment", "deposit", "withdrawal", "voucher", "fill", "credit"]
"""What moves money by a person's word, and not by the game."""
MONEY_ACTS: Final[tuple[MoneyAct, ...]] = get_args(MoneyAct)


class Ceiling(NamedTuple):
    """How much money a role moves by its word, in cents, where a house states nothing else."""

    alone: int
    """In acts of one kind by one person within a day, without a second person."""
    approves: int
    """In one act that another person asks for."""


CEILINGS: Final[Mapping[AccountRole, Ceiling]] = {
    "dealer": Ceiling(0, 0),
    "floor": Ceiling(100_000, 500_000),
    "casino_supervisor": Ceiling(1_000_000, 10_000_000),
    "inspector": Ceiling(100_000, 0),
    "administrator": Ceiling(1_000_000, 100_000_000),
}
APPROVERS: Final[Mapping[MoneyAct, tuple[AccountRole, ...]]] = {
    act: MANAGERS if act in {"deposit", "withdrawal", "voucher"} else SUPERVISORS for act in MONEY_ACTS
}
"""Whose word counts for an act that another person asks for; up to which amount, the ceilings say."""

ORDERS_RECUT: Final[Role] = "casino_supervisor"
"""The lowest role that may order a second cut."""


def may(by: str, least: str) -> bool:
    """Whether a role stands as high in the house as another."""
    return by in HOUSE and least in HOUSE and HOUSE.index(by) >= HOUSE.index(least)


def reporters(kind: str) -> tuple[str, ...]:
    """Return who may report an irregularity of a kind: roles, and 'player' for every player at the table."""
    return STAFF if kind in _STAFF_REPORTS else (*STAFF, PLAYER)


def least_to_order(kind: str, supervisor: Role) -> Role:
    """Return the lowest role that may give an order, at a table whose book names its supervisor."""
    return ORDERS_RECUT if kind == "recut" else supervisor


def view_of(role: str) -> str:
    """Return the viewer whose view a role has."""
    return ROLES[role].view if role in ROLES else role  # type: ignore[index]  # just asked


def spoken(role: str) -> str:
    """Return a role as it is said: 'casino supervisor'."""
    return role.replace("_", " ")
