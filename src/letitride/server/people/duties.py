"""Duties: the roles in which a person may work at a table, by account and book; never what they may do there."""

from __future__ import annotations

from letitride.engine import commands
from letitride.engine.state import Table
from letitride.rules.keys import Rules
from letitride.rules.roles import EVERYWHERE, ROLES, STAFF, Role, least_to_order
from letitride.server.people.accounts import Person


def duties(person: Person, rules: Rules | None) -> tuple[Role, ...]:
    """Return the roles a person may work in at a table by some rules; without rules, at any table."""
    return tuple(role for role in STAFF if ROLES[role].account in person.roles and _is_known(role, rules))


def _is_known(role: Role, rules: Rules | None) -> bool:
    """Whether every table has the role, or the book names it."""
    return rules is None or role in EVERYWHERE or role in {rules.supervisor, *rules.dispute}


def who_can(table: Table, command: commands.AnyCommand) -> str:
    """Return who can do what was refused for the role, where that role is no account's own; nothing for all else."""
    needed = ""
    if isinstance(command, commands.DecideDispute):
        found = (one.heard_by for one in table.disputes if one.number == command.number)
        needed = next((role for role in next(found, ()) if role not in command.absent), "")
    elif isinstance(command, commands.Order):
        needed = least_to_order(command.kind, table.rules.rules.supervisor)
    match needed:
        case "games_supervisor":
            return "A floor supervisor who joins the table as games supervisor can do it."
        case "operator":
            return "An administrator who joins the table as operator can do it."
        case _:
            return ""
