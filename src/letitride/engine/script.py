"""Script: what the dealer does next under the book in force, in words and with clause ids; it only tells."""

from __future__ import annotations

import re

import msgspec

from letitride.engine import places
from letitride.engine.state import Ruling, Table
from letitride.engine.steps import KINDS, Actor, Step, say
from letitride.ledger import accounts
from letitride.rules.money import dollars
from letitride.rules.table_rules import TableRules
from letitride.rules.wager_table import BASE


class ScriptLine(msgspec.Struct, frozen=True):
    """One line of the script: who does what, and which clauses say so (none: house procedure)."""

    step: Step
    actor: Actor
    text: str
    clauses: tuple[str, ...]


def script(table: Table) -> tuple[ScriptLine, ...]:
    """Return everything left to do in this part of the procedure, next line first."""
    return tuple(line(table, step) for step in table.agenda)


def coming(table: Table, most: int = 12) -> tuple[ScriptLine, ...]:
    """Return the next lines as far as they give away nothing that lies face down."""
    found: list[ScriptLine] = []
    opened = True
    for step in table.agenda[:most]:
        # What is paid and taken after a hand is opened follows from its cards.
        if not opened and step.kind != "open_hand":
            break
        opened = step.kind != "open_hand"
        found.append(line(table, step))
    return tuple(found)


def line(table: Table, step: Step) -> ScriptLine:
    """Return one step as a line of the script."""
    text = say(step, table.rules.by_spot) + _coupon_words(table, step)
    return ScriptLine(step, KINDS[step.kind].actor, text, clauses_of(table, step))


def _coupon_words(table: Table, step: Step) -> str:
    """Return what is done with the coupon that lies beside a bet which is paid or taken."""
    if step.kind not in {"pay", "take"} or step.wager != BASE.spot:
        return ""
    cents = table.cents(accounts.laid_coupon(step.seat))
    if not cents:
        return ""
    return (
        f", with {dollars(cents)} for the coupon, and take the coupon in" if step.kind == "pay" else ", and its coupon"
    )


def clauses_of(table: Table, step: Step) -> tuple[str, ...]:
    """Return the clauses a step carries out, those of its own number or wager where they are told apart."""
    # The guide is followed with the same deck, or with a new one that waits in its box.
    new = step.kind == "resume_by_guide" and bool(table.at(places.CHEST))
    own = table.rules.step_clauses.get(f"{step.kind}:new_deck", ()) if new else clauses_in(table.rules, step)
    if not table.rulings:
        return own
    ruling = _ruling_behind(table, step)
    if ruling.name.endswith(":redealt") and (again := table.rules.step_clauses.get(f"redeal:{step.kind}", ())):
        return again
    if not KINDS[step.kind].mends or step.kind == "return_bets":  # returning stakes has clauses of its own, or none
        return own
    # What carries out a ruling rests on clauses of that ruling's paragraph, or on the ruling's own.
    stems = {_stem(clause) for clause in ruling.clauses}
    return tuple(clause for clause in own if _stem(clause) in stems) or ruling.clauses


def _ruling_behind(table: Table, step: Step) -> Ruling:
    """Return the ruling that a step carries out: the last, or where a replacement was still to come, the one before."""
    replaces = step.kind in {"replace_card", "replace_community"}
    before = (ruling for ruling in reversed(table.rulings) if replaces and ruling.name.endswith(":replaced"))
    return next(before, table.rulings[-1])


def _stem(clause: str) -> str:
    """The paragraph a clause belongs to: 'sm:bonus.irreg.3' of 'sm:bonus.irreg.3b.s1'."""
    return re.sub(r"(?<=\d)[a-z]?(\.s\d+)?$", "", clause)


def clauses_in(rules: TableRules, step: Step) -> tuple[str, ...]:
    """Return the clauses of a book that a step carries out; no document speaks of a house's own wager."""
    wager = step.wager.partition("-")[0]
    if any(one.id == wager and not one.published for one in rules.sides):
        return ()
    names = [step.kind]
    names += [f"{step.kind}:{step.number}"] if step.number else []
    names += [f"{step.kind}:{wager}"] if wager else []
    return tuple(clause for name in names for clause in rules.step_clauses.get(name, ()))
