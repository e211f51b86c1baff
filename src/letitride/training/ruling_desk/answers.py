"""Answers: what a book rules on a situation: the ruling, the steps, each wager, the clauses, and the other books.

Nothing is stored: the engine rules on a round of the book that stands where the answers say.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

from letitride.engine import commands
from letitride.engine.reporting import can_meet
from letitride.engine.rulings import ruled
from letitride.engine.state import Table
from letitride.rules import catalog
from letitride.rules.chapters import clause_texts
from letitride.rules.irregularities import Irregularity
from letitride.rules.rulings import Verdict, rule
from letitride.rules.table_rules import TableRules
from letitride.training.ruling_desk.moments import moment
from letitride.training.ruling_desk.ordered import BY_ORDER, ordered
from letitride.training.ruling_desk.phrases import phrases
from letitride.training.ruling_desk.questions import Given, answers_to, case_of, kinds_of, questions_of, what
from letitride.training.ruling_desk.told import (
    OtherBook,
    RulingAnswer,
    RulingDesk,
    SituationTold,
    steps_told,
    wagers_told,
)
from letitride.training.staff.elsewhere import others
from letitride.training.staff.practice import published_rules


def situations(rules: TableRules) -> dict[str, Callable[[], SituationTold]]:
    """Return what makes each situation that a book has, by name."""
    irregular = {str(kind): partial(situation, rules, kind) for kind in kinds_of(rules)}
    return {**irregular, **{name: partial(ordered, rules, name) for name in BY_ORDER}}


def desk(rules: TableRules) -> RulingDesk:
    """Return every ruling of a book."""
    found = tuple(make() for make in situations(rules).values())
    known = phrases()
    return RulingDesk(rules.book.id, rules.book.title, known.same, tuple(sorted(known.silent)), found)


def situation(rules: TableRules, kind: Irregularity) -> SituationTold:
    """Return a situation with all its answers under a book."""
    published = tuple(map(published_rules, catalog.rulebook_ids()))
    questions = questions_of(kind, (rules, *(one for one in published if can_meet(one.rules, kind))))
    answers = tuple(answer(rules, kind, given) for given in answers_to(kind, questions))
    return SituationTold(kind, what(kind), phrases().said[kind], questions, answers)


def answer(rules: TableRules, kind: Irregularity, given: Given) -> RulingAnswer:
    """Return what the engine rules on a situation."""
    case = case_of(kind, given)
    table = moment(rules, given, asked=kind == "absent")
    seat = _seat(table, kind)
    number = 2 if kind == "exposed_community" else 0
    happened = ruled(table, commands.Report(by="floor", kind=kind, seat=seat, number=number), case)
    verdict = rule(rules.rules, case)
    return RulingAnswer(
        given={str(name): said for name, said in given.items()},
        ruling=_sentence(verdict),
        decision=verdict.decision,
        steps=tuple(steps_told(table, happened)),
        wagers=tuple(wagers_told(table, happened, verdict.decision)),
        clauses=clause_texts(happened.ruling.clauses),
        house_default=not happened.ruling.clauses,
        elsewhere=tuple(_elsewhere(rules, kind, given)),
    )


def _seat(table: Table, kind: Irregularity) -> int:
    """Return the seat that a situation is about: one of those dealt in, or one without a bet."""
    if kind in {"exposed_card", "hand_count", "uneven_bets", "under_minimum", "over_maximum"}:
        return next((n for n in table.dealt_in if table.seats[n].handled), table.dealt_in[0])
    if kind == "absent":
        return table.next_step.seat if table.next_step is not None else table.dealt_in[0]
    if kind == "stray_hand":
        return next((n for n, one in table.seats.items() if not one.dealt_in and not table.banks(n)), 0)
    return 0


def _sentence(verdict: Verdict) -> str:
    """Return a ruling without what is wrong, which is the title."""
    said = verdict.sentence.partition(": ")[2]
    return f"{said[:1].upper()}{said[1:]}."


def _elsewhere(rules: TableRules, kind: Irregularity, given: Given) -> Iterator[OtherBook]:
    for other in others(rules):
        met = can_meet(other.rules, kind)
        said = _sentence(rule(other.rules, case_of(kind, given))) if met else "This can't happen there."
        yield OtherBook(other.book.id, other.book.title, said)
