"""Audit notes: how a command of those who run the house reads in the audit; it neither decides nor writes anything."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

from letitride.engine import commands
from letitride.rules.money import dollars
from letitride.storage.journal import Row
from letitride.storage.roles.audit import AuditRow, Note

_AT_A_TABLE: Final = ("order.", "dispute.", "report.", "step.", "advice ")
_IN_ROW: Final = re.compile(r"row (\d+), as ")


def note_of(command: commands.AnyCommand, person: str, table_id: str, row: Row, second: str = "") -> Note:
    """Return who did what at a table, as what, in which row of its journal, and why."""
    what, details = _command_words(command)
    approved = [f"approved by {second}"] if second else []
    where = f"row {row.number}, as {command.by.replace('_', ' ')}"
    return Note(
        at=row.at, who=person, what=f"{what} {table_id}", why=": ".join([where, *(d for d in details if d), *approved])
    )


def people_of(rows: Iterable[AuditRow], table_id: str) -> dict[tuple[int, int], str]:
    """Return who of the house did what is in which row of a table's journal, by its number and time."""
    found = ((one, _IN_ROW.match(one.why)) for one in rows if one.what.startswith(_AT_A_TABLE))
    return {(int(row[1]), one.at): one.who for one, row in found if row and one.what.endswith(f" {table_id}")}


def _command_words(command: commands.AnyCommand) -> tuple[str, tuple[str, ...]]:
    match command:
        case commands.Order():
            return f"order.{command.kind}", (_of_order(command), command.why)
        case commands.DecideDispute():
            award = f", {dollars(command.cents)} paid" if command.cents else ""
            absent = ", ".join(role.replace("_", " ") for role in command.absent)
            missing = f", without {absent}" if absent else ""
            decision = "upheld" if command.upheld else "rejected"
            return f"dispute.{decision}", (f"dispute {command.number}{award}{missing}", command.why)
        case commands.Report():
            return f"report.{command.kind}", (_place(command.seat, command.number),)
        case commands.WentAway():
            return "report.away", (f"seat {command.seat}",)
        case commands.CameBack():
            return "report.back", (f"seat {command.seat}",)
        case commands.Advise():
            return "advice", (f"seat {command.seat}", command.words)
        case commands.Do():
            return f"step.{command.kind}", (_place(command.seat, command.number),)
        case _:
            return type(command).__name__, ()


def _of_order(order: commands.Order) -> str:
    parts = (
        f"seats {', '.join(map(str, order.seats))}" if order.seats else "",
        f"deck {order.number}" if order.kind == "change_deck" else "",
        f"cards {', '.join(order.cards)}" if order.cards else "",
        f"minimum {dollars(order.cents_min)}" if order.cents_min else "",
        f"maximum {dollars(order.cents_max)}" if order.cents_max else "",
        f"at {order.when // 60:02}:{order.when % 60:02} UTC" if order.kind.startswith("announce_") else "",
        order.ground.replace("_", " "),
    )
    return ", ".join(part for part in parts if part)


def _place(seat: int, number: int) -> str:
    return ", ".join(f"{word} {given}" for word, given in (("seat", seat), ("number", number)) if given)
