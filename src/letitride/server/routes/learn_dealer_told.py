"""Learn to deal, as it is told: the questions and marks of the dealer's and the floor's drills; computes nothing."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

from letitride.server.routes.learn import ResultTold

DrillName = Literal["deal", "pay", "watch", "floor"]
Level = Annotated[int, Field(ge=1, le=5)]
Length = Annotated[int, Field(ge=0, le=60)]
"""One that is taken up again is played anew, answer by answer: longer ones would keep others waiting."""


class _Told(BaseModel):
    model_config = ConfigDict(from_attributes=True)


class DrillTold(BaseModel):
    """A drill there is for those who run a table."""

    drill: DrillName
    trade: Literal["dealer", "floor"]
    title: str
    length: int


class DrillGoingOn(BaseModel):
    """A drill of yours that is not at its end."""

    drill: DrillName
    book: str
    answered: int


class DrillsTold(BaseModel):
    """The drills there are, the books they can be done by, and what you have begun."""

    drills: list[DrillTold]
    books: list[str]
    going_on: list[DrillGoingOn]


class DrillOption(_Told):
    """One thing that may be answered."""

    id: str
    text: str


class DrillField(_Told):
    """One thing that is asked: one of some options, or an amount in cents where there are none."""

    name: str
    label: str
    options: list[DrillOption]
    seat: int


class DrillSeat(_Told):
    """One seat as it is seen from behind the table."""

    number: int
    player: str
    wagers: dict[str, int]
    cards: list[str]
    looked: bool
    away: bool
    choices: dict[str, str]
    banks: bool
    bonus: bool
    hand: str


class DrillScene(_Told):
    """A table at one moment, and what has just happened there."""

    book: str
    phase: str
    round: int
    limits: str
    seats: list[DrillSeat]
    community: list[str]
    packet: int
    drawn: list[str]
    deck: int
    rack: int
    told: list[str]
    signals: list[str]


class DrillQuestion(_Told):
    """What is asked at one moment."""

    number: int
    kind: Literal["step", "pay", "notice", "rule", "clause", "may", "who"]
    text: str
    scene: DrillScene
    fields: list[DrillField]
    level: int
    seconds: int
    """The clock; 0: as long as it takes."""


class DrillCited(_Told):
    """A clause, with what it demands in our own words."""

    id: str
    demand: str


class DrillElsewhere(_Told):
    """What another book says about the same thing."""

    book: str
    says: str
    clauses: list[str]


class DrillJudged(_Told):
    """One field of an answer."""

    name: str
    label: str
    given: str
    expected: str
    right: bool


class DrillMark(_Told):
    """What became of an answer."""

    number: int
    kind: str
    level: int
    outcome: Literal["right", "wrong", "catch", "miss", "false_alarm", "clear"]
    right: bool
    sentence: str
    judged: list[DrillJudged]
    points: int
    points_max: int
    clauses: list[DrillCited]
    house_default: bool
    elsewhere: list[DrillElsewhere]
    seconds: float
    late: bool


class DrillSummary(BaseModel):
    """What a drill has come to so far; the score in percent of the points there were."""

    drill: str
    book: str
    level_at_start: int
    level: int
    questions: int
    points: int
    points_max: int
    score: float
    catches: int
    misses: int
    false_alarms: int
    all_clear: int
    late: int
    seconds: float


class DrillState(BaseModel):
    """The open question of a drill, how many seconds ago it was first shown, and what the drill has come to."""

    question: DrillQuestion
    open_seconds: float
    assignment: str
    summary: DrillSummary


class DrillMarked(BaseModel):
    """What an answer came to; after the last one the result."""

    mark: DrillMark
    summary: DrillSummary
    result: ResultTold | None


class DrillWish(BaseModel):
    """How a new drill begins; an assignment says it itself."""

    model_config = ConfigDict(extra="forbid")

    level: Level = 1
    length: Length = 0
    """0: as long as such drills are."""
    assignment: str = Field("", max_length=40)


class DrillSaid(BaseModel):
    """An answer to the open question: for each field the id of an option, or cents."""

    model_config = ConfigDict(extra="forbid")

    number: Annotated[int, Field(ge=1, le=10_000)]
    answer: Annotated[dict[str, str | int], Field(max_length=60)]
