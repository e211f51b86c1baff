"""Loop: asks those who act without a person, one after another, until a person must act; it decides nothing itself."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TypeAlias

from letitride.engine import commands
from letitride.engine.decide import Events, play
from letitride.engine.refusal import Refusal
from letitride.engine.state import Table
from letitride.errors import InvariantBroken

Party: TypeAlias = Callable[[Table], commands.AnyCommand | None]
"""One who may act: what it does at a table now, or None where it waits."""
CarryOut: TypeAlias = Callable[[Table, commands.AnyCommand], tuple[Table, Events | Refusal]]


@dataclass(frozen=True, slots=True)
class Acted:
    """A command that was carried out: what happened, and the table before and after."""

    command: commands.AnyCommand
    events: Events
    before: Table
    after: Table


def next_act(table: Table, *parties: Party) -> commands.AnyCommand | None:
    """Return what the first party that does not wait does now; None: a person must act."""
    for party in parties:
        if (act := party(table)) is not None:
            return act
    return None


def play_on(table: Table, *parties: Party, carry_out: CarryOut = play) -> Iterator[Acted]:
    """Carry out what the parties do, one command at a time, until a person must act."""
    while (act := next_act(table, *parties)) is not None:
        after, outcome = carry_out(table, act)
        if isinstance(outcome, Refusal):
            raise InvariantBroken(f"expected an act that is allowed, got {outcome.code}: {act}")
        yield Acted(act, outcome, table, after)
        table = after
