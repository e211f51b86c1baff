"""Ordered: what a supervisor may order where people, and not the cards, break the rules; the engine judges it."""

from __future__ import annotations

from typing import Final

from letitride.engine import commands, events
from letitride.engine.decide import play
from letitride.engine.orders import ORDERED
from letitride.engine.refusal import Refusal
from letitride.engine.state import Table
from letitride.rules.chapters import clause_texts
from letitride.rules.table_rules import TableRules
from letitride.training.ruling_desk.moments import moment
from letitride.training.ruling_desk.phrases import phrases
from letitride.training.ruling_desk.told import OtherBook, RulingAnswer, SituationTold, steps_told, wagers_told
from letitride.training.staff.elsewhere import others

BY_ORDER: Final[dict[str, tuple[str, tuple[tuple[commands.OrderKind, commands.Ground], ...]]]] = {
    "fire": ("A fire, a riot or another disturbance stops the round", (("annul", "disturbance"),)),
    "fraud": ("A person is suspected of fraud", (("annul", "fraud"),)),
    "device_breach": ("A player uses a forbidden device", (("void_bets", "device"), ("bar", "device"))),
    "collusion": (
        "Players are suspected of sharing what they hold",
        (("act_first", ""), ("separate", ""), ("english_only", ""), ("bar", "collusion")),
    ),
}
"""What else the floor is called for, and the orders that the books know for it."""


def ordered(rules: TableRules, name: str) -> SituationTold:
    """Return a situation that a supervisor ends by an order."""
    return SituationTold(name, BY_ORDER[name][0], phrases().said[name], (), (_answer(rules, name),))


def _answer(rules: TableRules, name: str) -> RulingAnswer:
    table, found = _tried(rules, name)
    given = [happened for _, happened in found]
    first = given[0] if given else None
    clauses = tuple(dict.fromkeys(one for happened in given for one in happened.ruling.clauses))
    return RulingAnswer(
        given={},
        ruling=_sentence(found),
        decision="ordered" if given else "none",
        steps=tuple(steps_told(table, first)) if first is not None else (),
        wagers=tuple(wagers_told(table, first, "")) if first is not None else (),
        clauses=clause_texts(clauses),
        house_default=bool(given) and not clauses,
        elsewhere=tuple(
            OtherBook(other.book.id, other.book.title, _sentence(_tried(other, name)[1])) for other in others(rules)
        ),
    )


def _tried(rules: TableRules, name: str) -> tuple[Table, list[tuple[str, events.Ruled]]]:
    """Return the orders that the engine takes in a situation, in words, with what follows."""
    table, found = moment(rules, {"looked": "some"}, asked=True), []
    for kind, ground in BY_ORDER[name][1]:
        seats = () if kind in {"annul", "english_only"} else table.dealt_in[: 2 if kind == "separate" else 1]
        order = commands.Order(by=rules.rules.supervisor, kind=kind, ground=ground, seats=seats, why=name)
        _, outcome = play(table, order)
        if not isinstance(outcome, Refusal):
            happened = next(one for one in outcome if isinstance(one, events.Ruled))
            found.append((ORDERED[kind], happened))
    return table, found


def _sentence(found: list[tuple[str, events.Ruled]]) -> str:
    if not found:
        return "The rules provide for no order in this case."
    said = "; or ".join(text for text, _ in found)
    return f"The supervisor may order: {said}."
