"""Catalogue: the drills there are, by name; how one is begun, taken up again, and made a result of."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Literal, get_args

import msgspec

from letitride.errors import InvalidData, InvariantBroken, MissingData
from letitride.rules.plain import plain
from letitride.rules.table_rules import TableRules
from letitride.rules.words import one_of
from letitride.training.chance import Chance
from letitride.training.results import Result
from letitride.training.staff.dealing import Dealing
from letitride.training.staff.drill import Drill
from letitride.training.staff.elsewhere import round_of
from letitride.training.staff.flooring import Flooring
from letitride.training.staff.paying import Paying
from letitride.training.staff.questions import Mark, Question
from letitride.training.staff.tape import Tape
from letitride.training.staff.watching import Watching

DrillName = Literal["deal", "pay", "watch", "floor"]
Trade = Literal["dealer", "floor"]
_DRILLS: Final[Mapping[str, type[Drill]]] = {"deal": Dealing, "pay": Paying, "watch": Watching, "floor": Flooring}
LENGTHS: Final[Mapping[str, int]] = {"deal": 30, "pay": 8, "watch": 12, "floor": 15}
"""How long each is by default: questions, tables to pay, moments to look, cases."""
TRADES: Final[Mapping[str, Trade]] = {"deal": "dealer", "pay": "dealer", "watch": "dealer", "floor": "floor"}
TITLES: Final = {
    "deal": "Deal a round by the rules",
    "pay": "Pay the table against the clock",
    "watch": "Spot irregularities and rule on them",
    "floor": "Calls to the floor",
}


@dataclass(frozen=True, slots=True)
class DrillEntry:
    """A drill there is for those who run a table."""

    drill: DrillName
    trade: Trade
    title: str
    length: int


def entries() -> tuple[DrillEntry, ...]:
    """Return every drill there is."""
    return tuple(DrillEntry(name, TRADES[name], TITLES[name], LENGTHS[name]) for name in get_args(DrillName))


class Plan(msgspec.Struct, frozen=True, kw_only=True):
    """Which drill it is: its name, where it begins, how long it is."""

    name: str
    level: int = 1
    length: int = 0
    """0: as long as such drills are."""

    def drill_of(self, book: str) -> str:
        """Return the name under which its results are kept, as 'dealer:nsw-1:pay'."""
        return f"{TRADES[self.name]}:{book}:{self.name}"


class Answered(msgspec.Struct, frozen=True):
    """An answer that was given, and how long it took."""

    answer: dict[str, str | int]
    seconds: float = 0.0


class Kept(msgspec.Struct, frozen=True, kw_only=True):
    """A drill that can be taken up again: what was planned, drawn and answered."""

    plan: Plan
    digest: str
    """That of the rule book it is by."""
    drawn: list[int]
    answers: list[Answered]


def kept_from(body: bytes) -> Kept:
    """Return a drill that was kept; what cannot be one is refused."""
    try:
        return msgspec.json.decode(body, type=Kept)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise InvalidData(f"expected a drill to go on with, got something else: {error}") from None


def begin(plan: Plan, rules: TableRules, chance: Chance) -> Drill:
    """Return a drill at its beginning."""
    if plan.name not in _DRILLS:
        raise MissingData(f"expected {one_of(_DRILLS)}, got the drill '{plan.name}'")
    try:
        round_of(rules)
    except (LookupError, InvariantBroken):  # keys that are each legal, and together no game
        raise InvalidData(
            f"expected a rule book by which a round can be dealt to its end, got '{rules.book.id}', by which none can"
        ) from None
    return _DRILLS[plan.name](rules, chance, level=plan.level, length=plan.length or LENGTHS[plan.name])


class Sitting:
    """A drill in progress, with all that is needed to take it up again."""

    def __init__(self, plan: Plan, rules: TableRules, source: Chance, kept: Kept | None = None) -> None:
        self.plan, self.answers = plan, list(kept.answers) if kept else []
        self.tape = Tape(source, kept.drawn if kept else ())
        self.drill = begin(plan, rules, self.tape)
        for one in self.answers:
            self.drill.answer(one.answer, one.seconds)
        self.question: Question | None = self.drill.question

    def answer(self, answer: dict[str, str | int], seconds: float = 0.0) -> Mark:
        """Return what happens to an answer, and ask on."""
        mark = self.drill.answer(answer, seconds)
        self.answers.append(Answered(answer, seconds))
        self.question = self.drill.question
        return mark

    @property
    def kept(self) -> Kept:
        """What is kept of it."""
        digest = self.drill.rules.book.digest
        return Kept(plan=self.plan, digest=digest, drawn=list(self.tape.drawn), answers=list(self.answers))


def result_of(drill: Drill, plan: Plan, person: str, finished_ms: int, **more: str) -> Result:
    """Return what a drill has come to for a person."""
    return Result(
        person=person,
        drill=plan.drill_of(drill.rules.book.id),
        asked=drill.sheet.points_max,
        right=drill.sheet.points,
        score=drill.score,
        details={**plain(drill.summary()), **more},
        finished_ms=finished_ms,
    )
