"""Script: what the dealer does next under the book in force, in words and with clause ids; it only tells."""

from __future__ import annotations

import msgspec

from letitride.engine.rulings import MENDING
from letitride.engine.state import Table
from letitride.engine.steps import KINDS, Actor, Step, say


class ScriptLine(msgspec.Struct, frozen=True):
    """One line of the script: who does what, and which clauses say so (none: house procedure)."""

    step: Step
    actor: Actor
    text: str
    clauses: tuple[str, ...]


def script(table: Table) -> tuple[ScriptLine, ...]:
    """Return everything left to do in this part of the procedure, next line first."""
    return tuple(line(table, step) for step in table.agenda)


def line(table: Table, step: Step) -> ScriptLine:
    """Return one step as a line of the script."""
    return ScriptLine(step, KINDS[step.kind].actor, say(step), clauses_of(table, step))


def clauses_of(table: Table, step: Step) -> tuple[str, ...]:
    """Return the clauses a step carries out, those of its own number or wager where they are told apart."""
    names = [step.kind]
    names += [f"{step.kind}:{step.number}"] if step.number else []
    names += [f"{step.kind}:{step.wager.partition('-')[0]}"] if step.wager else []
    own = tuple(clause for name in names for clause in table.rules.step_clauses.get(name, ()))
    if not own and step.kind in MENDING and table.rulings:
        return table.rulings[-1].clauses  # what carries out a ruling rests on the ruling's own clauses
    return own
