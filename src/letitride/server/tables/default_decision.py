"""Default decision: what is decided for a player who is away, as they chose, where the book leaves it open."""

from __future__ import annotations

import asyncio
from typing import Literal

from msgspec.json import decode

from letitride.engine import commands
from letitride.engine.state import Choice, Table
from letitride.engine.steps import Step
from letitride.server.people.accounts import Person
from letitride.server.people.names import key_of
from letitride.server.tables.live_table import LiveTable
from letitride.training.coach import decision_of


async def decision_for_the_absent(room: LiveTable, step: Step) -> commands.Choose | None:
    """Return the decision that is made for a player who does not make it; None: the table rules on them."""
    table = room.table
    if step.kind != "await_choice" or not table.rules.absent_open:
        return None
    wanted = await asyncio.to_thread(_wanted, room, table.seats[step.seat].player)
    if not wanted:
        return None
    choice = await asyncio.to_thread(_choice, table, step.seat, wanted)
    bet: Literal[1, 2] = 1 if step.number == 1 else 2
    return commands.Choose(by=f"seat:{step.seat}", seat=step.seat, bet=bet, choice=choice)


def _wanted(room: LiveTable, name: str) -> str:
    kept = room.house.stores.documents.get("person", key_of(name))
    return decode(kept.body, type=Person).when_absent if kept is not None else ""


def _choice(table: Table, seat: int, wanted: str) -> Choice:
    """Take the bet back, or decide as the coach does where the book allows advice and the player saw their cards."""
    if wanted != "coach" or not table.rules.rules.coach:
        return "withdraw"
    decision = decision_of(table, seat)
    return decision.best if decision is not None else "withdraw"
