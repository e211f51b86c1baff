"""Money orders: which commands of staff move money by their word, and how much; whether they may is not asked here."""

from __future__ import annotations

from collections.abc import Collection

import msgspec

from letitride.engine import commands
from letitride.engine.refusal import Refusal
from letitride.engine.state import Table
from letitride.ledger.accounts import Kind, parse
from letitride.rules.money import dollars
from letitride.rules.roles import ROLES, Role
from letitride.server.people.approval_records import Wish
from letitride.server.runtime.requests import Guard

Moving = commands.Order | commands.DecideDispute
"""The commands that can."""


def wish_of(command: commands.AnyCommand, table: Table, table_id: str) -> Wish | None:
    """Return what a command of staff does with money, or nothing where it moves none by their word."""
    body = msgspec.json.encode(command)
    match command:
        case commands.DecideDispute(cents=cents) if cents > 0:
            player = next((one.player for one in table.disputes if one.number == command.number), "")
            return Wish(
                act="award",
                cents=cents,
                about=f"pay {dollars(cents)} to {player} for dispute {command.number}",
                why=command.why,
                reference=f"dispute {command.number} by {command.by}, {cents}",
                body=body,
                to=player,
                table=table_id,
            )
        case commands.Order(kind="annul"):
            cents = stakes(table)
            about = f"annul round {table.round} with {dollars(cents)} on the felt"
        case commands.Order(kind="void_bets"):
            cents = stakes(table, command.seats)
            about = (
                f"void the bets of seat {', '.join(map(str, command.seats))}, {dollars(cents)}, in round {table.round}"
            )
        case _:
            return None
    return Wish(
        act="annulment",
        cents=cents,
        about=about,
        why=command.why,
        reference=f"{command.kind} {command.seats} in round {table.round}",
        body=body,
        table=table_id,
        round=table.round,
    )


def stakes(table: Table, seats: Collection[int] = ()) -> int:
    """Return what lies on the felt, at some seats or at all."""
    accounts = ((parse(name), cents) for name, cents in table.accounts.items())
    return sum(cents for one, cents in accounts if one.kind is Kind.FELT and (not seats or one.seat in seats))


def refuse_own(command: commands.AnyCommand, table: Table, name: str) -> Refusal | None:
    """Return why a person may not rule on a dispute: it is their own."""
    if not isinstance(command, commands.DecideDispute):
        return None
    own = any(one.number == command.number and one.player == name for one in table.disputes)
    return Refusal("own_dispute", "This is your own dispute, so another person rules on it.") if own else None


def of_round(number: int) -> Guard:
    """Refuse what was approved for a round that is over."""
    sentence = f"That was approved for round {number}, which is over."
    return lambda table: Refusal("round_over", sentence) if table.round != number else None


def account_of(role: str) -> tuple[str, ...]:
    """Return the roles of an account that count for what is done in a role of a table."""
    known: Role | None = next((one for one in ROLES if one == role), None)
    return () if known is None else (ROLES[known].account,)
