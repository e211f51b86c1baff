"""Scripted trainees for the dealer's and the floor's drills: one who is always right, and some who never look."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from letitride.engine.legal import legal
from letitride.engine.script import script
from letitride.engine.steps import KINDS, say
from letitride.rules.banking import order_of_action, settle_banked
from letitride.rules.cards import Card
from letitride.rules.settlement import Hand, settle_round
from letitride.training.staff.cases import Called, Counted, DisputeRole, MayBe, PayDispute
from letitride.training.staff.dealing import Dealing
from letitride.training.staff.drill import Drill
from letitride.training.staff.elsewhere import key_clauses
from letitride.training.staff.flooring import Flooring
from letitride.training.staff.irregularities import what_is_wrong
from letitride.training.staff.paying import Paying
from letitride.training.staff.questions import Question
from letitride.training.staff.rulings import decision_of, effect_of, ruled_in
from letitride.training.staff.watching import Watching

Trainee = Callable[[Any, Question], dict[str, str | int]]


def run(drill: Drill, trainee: Trainee) -> Drill:
    """Let a trainee answer a drill to its end."""
    while (question := drill.question) is not None:
        drill.answer(trainee(drill, question))
    return drill


def perfect(drill: Drill, question: Question) -> dict[str, str | int]:
    """Answer by the engine's script, rulings and settlement."""
    match drill:
        case Dealing():
            line = script(drill._practice.table)[0]
            text = f"{KINDS[line.step.kind].actor}: {say(line.step)}"
            return {"step": next(option.id for option in question.fields[0].options if option.text == text)}
        case Paying():
            return _paid(drill, question)
        case Watching():
            return _watched(drill, question)
        case Flooring():
            return _ruled(drill, question)
    raise AssertionError(drill)


def _paid(drill: Paying, question: Question) -> dict[str, str | int]:
    """Work the pays out from what lies open on the table, as the question shows it, and from nothing else."""
    table, seen = drill._position.table, question.scene
    hands = {}
    for seat in seen.seats:
        stakes = {**seat.wagers, **seat.taken}
        if stakes:
            hands[seat.number] = Hand(seat.number, tuple(map(Card.parse, seat.cards)), stakes)
    community = [Card.parse(card) for card in seen.community]
    if table.bank_stake:
        order = order_of_action(drill.rules.rules, tuple(hands), table.action_seat)
        results = settle_banked(table.rules, community, [hands[seat] for seat in order], table.bank_stake)
    else:
        results = settle_round(table.rules, community, list(hands.values()))
    paid: dict[str, str | int] = {one.name: 0 for one in question.fields}
    for seat, rows in results.items():
        for row in rows:
            name = f"{seat}:{table.rules.by_spot[row.wager]}"
            paid[name] = int(paid[name]) + row.paid_cents
    return paid


def _watched(drill: Watching, question: Question) -> dict[str, str | int]:
    if question.kind == "notice":
        if drill._counted:
            return {"what": ruled_in(drill._counted).ruling.name.partition(":")[0], "seat": "0"}
        wrong = what_is_wrong(drill._practice.table, drill._signals)
        return {"what": wrong[0].kind, "seat": str(wrong[0].seat)} if wrong else {"what": "ok", "seat": "0"}
    return _tried(drill._trial, question)


def _tried(trial: Any, question: Question) -> dict[str, str | int]:
    if question.kind == "rule":
        return {"decision": decision_of(trial.ruling), "effect": effect_of(trial.happened)}
    return clause_among(question, trial.ruling.clauses)


def clause_among(question: Question, clauses: tuple[str, ...]) -> dict[str, str | int]:
    """Answer with the clause that is offered, or that there is none."""
    return {"clause": next((one.id for one in question.fields[0].options if one.id in clauses), "house")}


def _ruled(drill: Flooring, question: Question) -> dict[str, str | int]:
    case = drill._case
    match case:
        case MayBe() if question.kind == "clause":
            return clause_among(question, key_clauses(case.rules, case.found.stopped_by))
        case MayBe():
            return {"ruling": "yes" if legal(case.found.table, case.found.command) is None else "no"}
        case PayDispute():
            due = sum(one.paid_cents for one in case.found.results(case.seat, case.wager))
            return {"decision": "upheld" if due > case.got else "rejected", "owed": due - case.got}
        case DisputeRole():
            return {"who": case.table.disputes[0].heard_by[0]}
        case Called() | Counted() if case._trial is not None:
            return _tried(case._trial, question)
        case Called():
            return {"so": "yes" if case._so else "no"}
        case Counted():
            return {"so": "yes" if case._wrong else "no"}
    raise AssertionError(case)


def cries_misdeal(_: Drill, question: Question) -> dict[str, str | int]:
    """See a wrong hand everywhere, rule a misdeal, stop everything, uphold every complaint."""
    wanted = {"what": "hand_count", "seat": "1", "decision": "misdeal", "effect": "all_back", "ruling": "no"}
    return _say(question, {**wanted, "so": "yes", "owed": "100"}, "upheld")


def looks_away(_: Drill, question: Question) -> dict[str, str | int]:
    """Let everything be."""
    wanted = {"what": "ok", "seat": "0", "decision": "go_on", "effect": "stay", "ruling": "yes", "so": "no"}
    return _say(question, wanted, "rejected")


def _say(question: Question, wanted: dict[str, str], decided: str) -> dict[str, str | int]:
    said: dict[str, str | int] = {}
    for one in question.fields:
        ids = [option.id for option in one.options]
        given = decided if decided in ids else wanted.get(one.name, "")
        said[one.name] = int(wanted.get(one.name, 0)) if not ids else given if given in ids else ids[-1]
    return said
