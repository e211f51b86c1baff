"""Duties: as what somebody may work at a table, by his account's roles and the table's book; never what he may do.

A book may name instances that no account is called after: the supervisor who oversees the game at the table is one of
the floor, and the operator, whose word on a complaint is the last one in the house, speaks through an administrator.
"""

from __future__ import annotations

from typing import Final, Literal, get_args

from letitride.engine import commands
from letitride.engine.state import Table
from letitride.rules.keys import Rules
from letitride.server.people.accounts import Person, Role

Duty = Literal["dealer", "floor", "games_supervisor", "casino_supervisor", "operator", "inspector"]
DUTIES: Final[tuple[Duty, ...]] = get_args(Duty)
HOLDERS: Final[dict[Duty, Role]] = {
    "dealer": "dealer",
    "floor": "floor",
    "games_supervisor": "floor",
    "casino_supervisor": "casino_supervisor",
    "operator": "administrator",
    "inspector": "inspector",
}
"""The role of an account that can be each."""
OVERSEES: Final = frozenset({"floor", "games_supervisor", "casino_supervisor", "operator"})
"""Who sees what the floor sees, and may end a dealer's shift."""


def duties(person: Person, rules: Rules | None) -> tuple[Duty, ...]:
    """Return as what somebody may be at a table by some rules; where those are not at hand, at any table."""
    return tuple(duty for duty in DUTIES if HOLDERS[duty] in person.roles and (rules is None or _is_known(duty, rules)))


def _is_known(duty: Duty, rules: Rules) -> bool:
    """Whether a book knows somebody of that name, or every table has one."""
    return duty == HOLDERS[duty] or duty in {rules.supervisor, *rules.dispute}


def who_can(table: Table, command: commands.AnyCommand) -> str:
    """Return who can do what was refused for the role, where that role is no account's own; nothing for all else."""
    needed = ""
    if isinstance(command, commands.DecideDispute):
        found = (one.heard_by for one in table.disputes if one.number == command.number)
        needed = next((role for role in next(found, ()) if role not in command.absent), "")
    elif isinstance(command, commands.Order) and command.kind != "recut":
        needed = table.rules.rules.supervisor
    match needed:
        case "games_supervisor":
            return "Somebody of the floor can, who comes to the table as games supervisor."
        case "operator":
            return "An administrator can, who comes to the table as operator."
        case _:
            return ""
