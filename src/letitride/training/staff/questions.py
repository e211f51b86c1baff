"""Questions: what a drill asks, what is answered, and what happens to an answer; never how it is judged."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from letitride.errors import InvalidData
from letitride.rules.words import show_value
from letitride.training.staff.scene import Scene

Answer = Mapping[str, str | int]
"""The answer in each field: the id of an option, or an amount in cents."""
Outcome = Literal["right", "wrong", "catch", "miss", "false_alarm", "clear"]
"""Of a question about what is wrong: a catch or a miss where something was, a false alarm or all clear where not."""
Kind = Literal["step", "pay", "notice", "rule", "clause", "may", "who"]
CENTS_MAX = 10**12


@dataclass(frozen=True, slots=True)
class Option:
    """One thing that may be answered."""

    id: str
    text: str


@dataclass(frozen=True, slots=True)
class Field:
    """One thing that is asked: one of some options, or an amount where there are none."""

    name: str
    label: str
    options: tuple[Option, ...]
    seat: int
    """The seat it is about, if it is about one."""


def choice_field(name: str, label: str, options: tuple[Option, ...]) -> Field:
    """Return a field that is answered by one of some options."""
    return Field(name, label, options, 0)


def amount_field(name: str, label: str, seat: int) -> Field:
    """Return a field that is answered by an amount in cents."""
    return Field(name, label, (), seat)


@dataclass(frozen=True, slots=True)
class Question:
    """What a drill asks at one moment."""

    number: int
    kind: Kind
    text: str
    scene: Scene
    fields: tuple[Field, ...]
    level: int
    seconds: int
    """The clock: how long it may take; 0: as long as it takes."""


def new_question(kind: Kind, text: str, seen: Scene, fields: tuple[Field, ...], seconds: int = 0) -> Question:
    """Return a question that the drill numbers and sets the level of."""
    return Question(0, kind, text, seen, fields, 0, seconds)


@dataclass(frozen=True, slots=True)
class Cited:
    """A clause, with what it demands in our own words."""

    id: str
    demand: str


@dataclass(frozen=True, slots=True)
class Elsewhere:
    """What another book says about the same thing."""

    book: str
    says: str
    clauses: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Judged:
    """One field of an answer: what was said, what is right, in words."""

    name: str
    label: str
    given: str
    expected: str
    right: bool


@dataclass(frozen=True, slots=True)
class Mark:
    """What happened to an answer: right or not, field by field, with the clauses behind it."""

    outcome: Outcome
    sentence: str
    """What is so, in one sentence."""
    judged: tuple[Judged, ...]
    points: int
    points_max: int
    clauses: tuple[Cited, ...]
    house_default: bool
    """Whether the documents of the book are silent, so that the house decides."""
    elsewhere: tuple[Elsewhere, ...]
    number: int
    kind: str
    level: int
    seconds: float
    late: bool
    """Whether it took longer than the clock allowed."""
    right: bool
    """Whether nothing about the answer is wrong."""


def new_mark(
    outcome: Outcome,
    sentence: str,
    judged: tuple[Judged, ...],
    *,
    points: int,
    points_max: int,
    clauses: tuple[Cited, ...] = (),
    house_default: bool = False,
    elsewhere: tuple[Elsewhere, ...] = (),
) -> Mark:
    """Return a mark that the drill adds its question and the time to."""
    return Mark(
        outcome=outcome,
        sentence=sentence,
        judged=judged,
        points=points,
        points_max=points_max,
        clauses=clauses,
        house_default=house_default,
        elsewhere=elsewhere,
        number=0,
        kind="",
        level=0,
        seconds=0.0,
        late=False,
        right=points == points_max,
    )


@dataclass(slots=True)
class Sheet:
    """All marks of a drill, and their totals."""

    marks: list[Mark] = field(default_factory=list)

    @property
    def points(self) -> int:
        """What was right."""
        return sum(mark.points for mark in self.marks)

    @property
    def points_max(self) -> int:
        """What could have been right; a miss costs the ruling as well."""
        return sum(mark.points_max for mark in self.marks)

    def count(self, outcome: Outcome) -> int:
        """Return how many answers had this outcome."""
        return sum(mark.outcome == outcome for mark in self.marks)

    @property
    def late(self) -> int:
        """How many answers came after their time."""
        return sum(mark.late for mark in self.marks)

    @property
    def seconds(self) -> float:
        """How long all answers took."""
        return round(sum(mark.seconds for mark in self.marks), 1)


def check_answer(question: Question, answer: Answer) -> dict[str, str | int]:
    """Return an answer to all fields of a question and to nothing else, or refuse it."""
    names = [one.name for one in question.fields]
    if set(answer) != set(names):
        raise InvalidData(f"expected an answer to {', '.join(names)}, got one to {', '.join(answer) or 'nothing'}")
    for one in question.fields:
        given = answer[one.name]
        if one.options and given not in {option.id for option in one.options}:
            listed = ", ".join(option.id for option in one.options)
            raise InvalidData(f"expected one of {listed} for {one.name}, got {show_value(given)}")
        if not one.options and not (isinstance(given, int) and 0 <= given <= CENTS_MAX):
            raise InvalidData(f"expected an amount in cents for {one.name}, got {show_value(given)}")
    return {name: answer[name] for name in names}


def text_of(one: Field, given: str | int) -> str:
    """Return an option of a field in words."""
    return next((option.text for option in one.options if option.id == given), str(given))
