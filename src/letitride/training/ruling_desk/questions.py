"""Questions: the facts a ruling depends on, three at most, as a floor supervisor is asked for them; none is ruled."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from itertools import product
from typing import Final, Literal

import msgspec

from letitride.engine.reporting import can_meet
from letitride.rules.rulings import REPORTED, WHAT, Irregularity, Situation, rule
from letitride.rules.table_rules import TableRules

HANDS: Final = 3
"""How many hands are in the round that a ruling is worked out for."""
QuestionId = Literal["when", "looked", "own", "many", "seen", "out", "uneven"]
Given = dict[QuestionId, str]
"""The answer to each question, by its id."""


@dataclass(frozen=True, slots=True)
class FactChoice:
    """One answer to a question."""

    id: str
    text: str


@dataclass(frozen=True, slots=True)
class FactAsked:
    """One fact that a ruling depends on."""

    id: QuestionId
    text: str
    choices: tuple[FactChoice, ...]


def _question(name: QuestionId, text: str, **choices: str) -> FactAsked:
    return FactAsked(name, text, tuple(FactChoice(one, said) for one, said in choices.items()))


WHEN: Final = _question("when", "When was it noticed?", deal="while cards are dealt", after="after the deal")
QUESTIONS: Final = (
    WHEN,
    _question("looked", "Who has looked at their cards?", none="no player", some="some players", all="every player"),
    _question("own", "Has the player concerned looked at the cards?", no="no", yes="yes"),
    _question("many", "How many cards were exposed in this deal?", one="1 card", more="2 cards or more"),
    _question("seen", "Was a face seen?", no="no", yes="yes"),
    _question("out", "Has a card of this round been dealt?", yes="yes", no="no"),
    _question("uneven", "Does the player have three equal bets?", no="yes", yes="no"),
)
"""In the order in which they are asked. The first answer of each is the usual one."""
_IN_DEAL: Final = frozenset({"exposed_burn", "drawn_card"})
"""What comes to light only while cards are dealt."""
_SET: Final[Mapping[QuestionId, Callable[[str], Mapping[str, object]]]] = {
    "when": lambda said: {"in_deal": said == "deal"},
    "looked": lambda said: {"looked": {"none": 0, "some": 1, "all": HANDS}[said]},
    "own": lambda said: {"own_look": said == "yes"},
    "many": lambda said: {"exposed": 2 if said == "more" else 1},
    "seen": lambda said: {"seen": said == "yes"},
    "out": lambda said: {"cards_out": said == "yes"},
    "uneven": lambda said: {"uneven": True} if said == "yes" else {},
}


def kinds_of(rules: TableRules) -> tuple[Irregularity, ...]:
    """Return what can go wrong under a book."""
    return tuple(kind for kind in REPORTED if can_meet(rules.rules, kind))


def case_of(kind: Irregularity, given: Given) -> Situation:
    """Return the situation that answers describe; what is not answered is as it usually is."""
    found = Situation(kind=kind, hands=HANDS, cards_out=True, in_deal=kind in _IN_DEAL)
    for name, said in given.items():
        found = msgspec.structs.replace(found, **_SET[name](said))
    return found


def questions_of(kind: Irregularity, books: tuple[TableRules, ...]) -> tuple[FactAsked, ...]:
    """Return the questions on which a ruling of some books depends."""
    asked = [one for one in QUESTIONS if not (one.id == "when" and kind in _IN_DEAL)]
    every = [dict(zip((q.id for q in asked), answers, strict=True)) for answers in _all_answers(asked)]
    possible = [given for given in every if is_possible(kind, given)]
    ruled = {_key(given): tuple(rule(one.rules, case_of(kind, given)) for one in books) for given in possible}

    def matters(question: FactAsked) -> bool:
        return any(
            ruled[_key(given)] != ruled[_key(other)]
            for given in possible
            for choice in question.choices
            if _key(other := {**given, question.id: choice.id}) in ruled
        )

    return tuple(one for one in asked if matters(one))


def answers_to(kind: Irregularity, questions: tuple[FactAsked, ...]) -> Iterator[Given]:
    """Yield every way to answer some questions that can be so."""
    for answers in _all_answers(questions):
        given: Given = dict(zip((one.id for one in questions), answers, strict=True))
        if is_possible(kind, given):
            yield given


def is_possible(kind: Irregularity, given: Given) -> bool:
    """Whether answers go together: no player looks before all cards are dealt, and the one concerned is a player."""
    looked = given.get("looked", "none")
    if looked != "none" and (given.get("when") == "deal" or kind in _IN_DEAL):
        return False
    own = given.get("own")
    if "looked" in given and ((own == "yes" and looked == "none") or (own == "no" and looked == "all")):
        return False
    if given.get("when") == "deal" and own == "yes":
        return False
    return not (given.get("out") == "no" and (given.get("when") == "after" or looked != "none" or own == "yes"))


def what(kind: Irregularity) -> str:
    """Return what is wrong, as the title of a situation."""
    return f"{WHAT[kind][:1].upper()}{WHAT[kind][1:]}"


def _all_answers(questions: list[FactAsked] | tuple[FactAsked, ...]) -> Iterator[tuple[str, ...]]:
    return product(*([choice.id for choice in one.choices] for one in questions))


def _key(given: Given) -> tuple[tuple[str, str], ...]:
    return tuple(sorted(given.items()))
