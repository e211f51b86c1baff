"""Rulings: a ruling asked for and judged: decision, effect on the wagers, clause; all of it by the engine's word."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final, cast

from letitride.engine import events
from letitride.engine.state import Ruling, Table
from letitride.errors import InvalidData
from letitride.rules import catalog
from letitride.rules.keyspec import KEYS
from letitride.rules.rulebook import Source
from letitride.rules.rulings import THEN, Decision, Situation, rule
from letitride.rules.table_rules import TableRules
from letitride.training.chance import Chance, shuffled
from letitride.training.staff.elsewhere import cited, rulings_elsewhere
from letitride.training.staff.questions import (
    Field,
    Judged,
    Mark,
    Option,
    choice_field,
    new_mark,
    text_of,
)

EFFECTS: Final = {
    "stay": "every bet stays in play",
    "all_back": "every bet of the round is returned",
    "seat_back": "the bets of that seat are returned; the others stay",
    "excess_back": "the amount above the maximum is returned; the rest plays",
    "made_equal": "that player makes the three bets equal; the others stay",
    "rides": "every remaining bet of that seat rides; the others stay",
    "withdrawn": "the bets that seat may take back are returned; the others stay",
}
"""What a ruling can do to the wagers."""
HOUSE: Final = "house"
MISS_POINTS: Final = 4
"""What a miss costs: the catch, the decision, what happens to the bets, the clause."""
_DECISIONS: Final = 5
_CLAUSES: Final = 4
_LIKELY: Final[tuple[Decision, ...]] = ("misdeal", "hand_void", "go_on", "hands_void", "round_void", "turned_over")


def effect_of(happened: Sequence[events.AnyEvent]) -> str:
    """Return what a ruling does to the wagers, as the engine's own events have it."""
    ruled = ruled_in(happened)
    kinds = {step.kind for step in ruled.agenda}
    choices = [one.choice for one in happened if isinstance(one, events.ChoiceMade)]
    if ruled.void_seat:
        return "seat_back"
    if ruled.voids_round:
        return "all_back"
    if "return_excess" in kinds:
        return "excess_back"
    if "await_correction" in kinds:
        return "made_equal"
    if choices:
        return "rides" if choices[0] == "ride" else "withdrawn"
    return "stay"


def ruled_in(happened: Sequence[events.AnyEvent]) -> events.Ruled:
    """Return the ruling among some events."""
    return next(one for one in happened if isinstance(one, events.Ruled))


def decision_of(ruling: Ruling) -> str:
    """Return what was decided: 'hand_void' of 'hand_count:hand_void'."""
    return ruling.name.partition(":")[2]


def ruling_fields(rules: TableRules, ruling: Ruling, chance: Chance) -> tuple[Field, ...]:
    """Return what is asked about a ruling: the decision among what could be decided, and what happens to the bets."""
    right = decision_of(ruling)
    could = _alternatives(rules, ruling) if ruling.case is not None else ()
    named = dict.fromkeys((right, *shuffled(chance, could), *_LIKELY))
    few = shuffled(chance, tuple(named)[:_DECISIONS])
    return (
        choice_field("decision", "ruling", tuple(Option(name, THEN[cast("Decision", name)]) for name in few)),
        choice_field("effect", "what happens to the bets", tuple(Option(name, text) for name, text in EFFECTS.items())),
    )


def _alternatives(rules: TableRules, ruling: Ruling) -> tuple[str, ...]:
    """What other values of the deciding key would decide, and what the other books do."""
    case = cast("Situation", ruling.case)
    found = [rule(catalog.rulebook(one).rules, case).decision for one in catalog.rulebook_ids()]
    for value in KEYS[ruling.key].meanings:
        try:
            other = rules.book.with_values({ruling.key: value}, Source.TABLE, "a drill")
        except InvalidData:
            continue  # a value that does not go with the others
        found.append(rule(other.rules, case).decision)
    return tuple(dict.fromkeys(one for one in found if one != decision_of(ruling)))


def judge_ruling(
    table: Table, happened: Sequence[events.AnyEvent], fields: tuple[Field, ...], given: Mapping[str, str | int]
) -> Mark:
    """Return what happens to a trainee's ruling."""
    ruling = ruled_in(happened).ruling
    right = {"decision": decision_of(ruling), "effect": effect_of(happened)}
    judged = tuple(
        Judged(
            one.name, one.label, text_of(one, given[one.name]), text_of(one, right[one.name]), _same(one, given, right)
        )
        for one in fields
    )
    if len(table.dealt_in) == 1 and {right["effect"], given["effect"]} == {"seat_back", "all_back"}:
        judged = tuple(one if one.name == "decision" else _rightly(one) for one in judged)
    points = sum(one.right for one in judged)
    return told_ruling(table.rules, ruling, outcome_right=points == len(judged), judged=judged, points=points)


def _same(one: Field, given: Mapping[str, str | int], right: dict[str, str]) -> bool:
    return given[one.name] == right[one.name]


def _rightly(one: Judged) -> Judged:
    """With one hand at the table its bets are all bets."""
    return Judged(one.name, one.label, one.given, one.expected, right=True)


def told_ruling(
    rules: TableRules, ruling: Ruling, *, outcome_right: bool, judged: tuple[Judged, ...], points: int
) -> Mark:
    """Return a mark that tells a ruling: its sentence, its clauses, and what the other books would rule."""
    elsewhere = rulings_elsewhere(rules, ruling.case) if ruling.case is not None else ()
    return new_mark(
        outcome="right" if outcome_right else "wrong",
        sentence=f"{ruling.sentence[:1].upper()}{ruling.sentence[1:]}.",
        judged=judged,
        points=points,
        points_max=len(judged),
        clauses=cited(ruling.clauses),
        house_default=ruling.house,
        elsewhere=() if outcome_right else elsewhere,
    )


def missed(rules: TableRules, ruling: Ruling, judged: Judged, start: str) -> Mark:
    """Return the mark for something wrong that was let pass: it costs the ruling as well, which it tells."""
    told = told_ruling(rules, ruling, outcome_right=False, judged=(judged,), points=0)
    return replace(told, outcome="miss", sentence=f"{start}{told.sentence}", points_max=MISS_POINTS)


def clause_field(rules: TableRules, clauses: tuple[str, ...], own: tuple[str, ...], chance: Chance) -> Field:
    """Return the question which clause says so, among others of the book; or none of them, where the house decides.

    Of all clauses behind something, one of its `own` is offered.
    """
    others = {name for names in rules.ruling_clauses.values() for name in names} - {*clauses, *own}
    wrong = shuffled(chance, sorted(others))[: _CLAUSES - bool(clauses)]
    offered = shuffled(chance, (*shuffled(chance, own)[:1], *wrong))
    options = [Option(name, f"{name}: {catalog.clause(name).demand}") for name in offered]
    return choice_field("clause", "clause", (*options, Option(HOUSE, "none: the documents are silent, house rule")))


def judge_clause(field: Field, clauses: tuple[str, ...], given: str) -> Judged:
    """Return whether a clause is one of those behind something; none where the house decides."""
    right = given in clauses if clauses else given == HOUSE
    expected = next((option.text for option in field.options if option.id in clauses), text_of(field, HOUSE))
    return Judged("clause", field.label, text_of(field, given), expected, right)
