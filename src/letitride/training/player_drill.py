"""Player's drill: which decision a player is asked next, and what is remembered of the answer; it draws no chance.

What is missed and what is close is asked more. New kinds of decision come a few at a time, due ones before them.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Final

import msgspec
from msgspec.structs import replace

from letitride.analysis.exact import Exact
from letitride.analysis.strategy import ClassValue
from letitride.engine.state import Choice
from letitride.errors import InvalidData, InvariantBroken
from letitride.rules.cards import parse_cards, show
from letitride.rules.plain import plain
from letitride.training.chance import Chance, weighted
from letitride.training.hands import draw_hand
from letitride.training.player import Judged, Lesson, PlayerJudgment, judge, key_of
from letitride.training.results import Result, score_of
from letitride.training.spacing import Memory, need, reviewed

LEARNING_MAX: Final = 12
"""Kinds of decision that are learned at the same time at most."""
SET_OF: Final = 20
"""Questions after which a drill takes stock."""
NEW_ONE_IN: Final = 4
"""While others are due, one question in so many is about something new."""
NEW_NEED: Final = 4


class Question(msgspec.Struct, frozen=True, kw_only=True):
    """One hand: what would you do with it?"""

    number: int
    cards: str
    kind: str
    """The kind of decision: the class of the cards."""

    @property
    def bet(self) -> int:
        """Which bet it is about: 1 on three cards, 2 on four."""
        return len(parse_cards(self.cards)) - 2


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerQuestion:
    """One hand: what would you do?"""

    number: int
    """What an answer names."""
    place: int
    """Its place in the set of questions, or in the exam."""
    of: int
    bet: int
    cards: tuple[str, ...]
    """The three cards of the hand, and for bet 2 the first community card."""


def numbered(question: Question, place: int, of: int) -> PlayerQuestion:
    """Return a question in its place: nothing in it says what is right."""
    cards = tuple(question.cards.split())
    return PlayerQuestion(number=question.number, place=place, of=of, bet=question.bet, cards=cards)


@dataclass(frozen=True, slots=True, kw_only=True)
class LessonStanding:
    """A player's progress in the kinds of decision of a paytable."""

    kinds: int
    new: int
    learning: int
    known: int
    due: int
    asked: int
    right: int


@dataclass(frozen=True, slots=True, kw_only=True)
class MissedKind:
    """A kind of decision that was missed in a set, and what it costs if it is always played so."""

    cards: str
    words: str
    choice: Choice
    lost_per_hundred_rounds: Exact
    kind: str = ""
    """Of the decision, as '3:suited:2:1'."""


@dataclass(frozen=True, slots=True)
class SetDetails:
    """The result of a set of questions: the kinds that were missed, most expensive first."""

    missed: tuple[MissedKind, ...]
    lost_per_hundred_rounds: Exact


@dataclass(frozen=True, slots=True)
class DrillAnswered:
    """The judgment of an answer, and the next question."""

    judged: PlayerJudgment
    standing: LessonStanding
    result: Result | None
    """Of the set that this answer ended, if it did."""
    question: PlayerQuestion


class Answer(msgspec.Struct, frozen=True, kw_only=True):
    """What a player would do with a hand."""

    cards: str
    kind: str
    choice: Choice


class Progress(msgspec.Struct, frozen=True, kw_only=True):
    """A player's progress with a paytable."""

    digest: str
    known: dict[str, Memory] = {}
    asked: int = 0
    """In all, under these pays."""
    question: Question | None = None
    """What was asked and is not answered."""
    last: str = ""
    """The kind that was asked last: it does not come twice in a row."""
    answers: tuple[Answer, ...] = ()
    """Of the set that goes on."""


def progress_from(body: bytes | None, lesson: Lesson) -> Progress:
    """Return what is kept, or a new beginning where nothing is, or where the table pays otherwise by now."""
    fresh = Progress(digest=lesson.digest)
    if body is None:
        return fresh
    try:
        kept = msgspec.json.decode(body, type=Progress)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise InvalidData(f"expected progress in {lesson.drill}, got something else: {error}") from None
    return kept if kept.digest == lesson.digest else fresh


def ask(progress: Progress, lesson: Lesson, chance: Chance, now_ms: int) -> Progress:
    """Return progress with a question that is to be answered; one that is open stays."""
    if progress.question is not None:
        return progress
    kind = _choose(progress, lesson, chance, now_ms)
    cards = draw_hand(lesson.classes[kind].feature, chance)
    return replace(progress, question=Question(number=progress.asked + 1, cards=show(cards), kind=kind))


def answer(
    progress: Progress, lesson: Lesson, choice: Choice, *, now_ms: int, seconds: float | None = None
) -> tuple[Progress, Judged]:
    """Return progress after an answer to the question that is open, and what is to be said about it."""
    question = progress.question
    if question is None:
        raise InvalidData("expected an answer to a question, got one where none was asked")
    judged = judge(lesson, parse_cards(question.cards), choice)
    memory = reviewed(progress.known.get(question.kind), right=judged.right, seconds=seconds, now_ms=now_ms)
    given = Answer(cards=question.cards, kind=question.kind, choice=choice)
    after = replace(
        progress,
        known={**progress.known, question.kind: memory},
        asked=progress.asked + 1,
        question=None,
        last=question.kind,
        answers=(*progress.answers, given),
    )
    return after, judged


def finish(progress: Progress, lesson: Lesson, person: str, now_ms: int) -> tuple[Progress, Result]:
    """Return progress with a new set begun, and the result of the one that was answered."""
    judged = [judge(lesson, parse_cards(one.cards), one.choice) for one in progress.answers]
    right = sum(one.right for one in judged)
    result = Result(
        person=person,
        drill=lesson.drill,
        asked=len(judged),
        right=right,
        score=score_of(right, len(judged)),
        details=plain(_details(judged)),
        finished_ms=now_ms,
    )
    return replace(progress, answers=()), result


def _details(judged: list[Judged]) -> SetDetails:
    """Return the kinds that were missed, dearest first, and what they cost together if they are always played so."""
    missed = {one.advice.found.feature: one for one in judged if not one.right}
    dear = sorted(missed.values(), key=lambda one: one.cost_per_hundred, reverse=True)
    return SetDetails(
        tuple(
            MissedKind(
                cards=show(one.advice.cards),
                words=one.advice.found.feature.words,
                choice=one.choice,
                lost_per_hundred_rounds=Exact.of(one.cost_per_hundred),
                kind=key_of(one.advice.found.feature),
            )
            for one in dear
        ),
        Exact.of(sum((one.cost_per_hundred for one in dear), Fraction(0))),
    )


def standing(progress: Progress, lesson: Lesson, now_ms: int) -> LessonStanding:
    """Return a player's progress."""
    known = {kind: one for kind, one in progress.known.items() if kind in lesson.classes}
    return LessonStanding(
        kinds=len(lesson.classes),
        new=len(lesson.classes) - len(known),
        learning=sum(one.learning for one in known.values()),
        known=sum(not one.learning for one in known.values()),
        due=sum(one.due_ms <= now_ms for one in known.values()),
        asked=progress.asked,
        right=sum(one.right for one in known.values()),
    )


def open_question(progress: Progress) -> PlayerQuestion:
    """Return the question that is open in a drill."""
    if progress.question is None:
        raise InvariantBroken("a question was asked, and none is open")
    return numbered(progress.question, len(progress.answers) + 1, SET_OF)


def _choose(progress: Progress, lesson: Lesson, chance: Chance, now_ms: int) -> str:
    """Return the kind of decision to ask about: what is due, else something new, else what is known least."""
    known = progress.known
    due = [kind for kind in lesson.classes if kind in known and known[kind].due_ms <= now_ms]
    learning = sum(known[kind].learning for kind in lesson.classes if kind in known)
    new = [kind for kind in lesson.classes if kind not in known] if learning < LEARNING_MAX else []
    seen = [kind for kind in lesson.classes if kind in known]
    pools = [new, due, seen] if chance.below(NEW_ONE_IN) == 0 else [due, new, seen]
    pool = next(rest for one in pools if (rest := [kind for kind in one if kind != progress.last]))
    close = closeness(lesson)
    needs = [need(known[kind], now_ms) if kind in known else NEW_NEED for kind in pool]
    return weighted(chance, pool, [close[kind] * needed for kind, needed in zip(pool, needs, strict=True)])


def closeness(lesson: Lesson) -> dict[str, int]:
    """Return how close each decision is: 4 for the closest quarter, 2 for the next, 1 for the rest and for ties."""
    open_ones = sorted((one for one in lesson.classes.items() if one[1].value), key=_cost)
    quarter = len(open_ones) / 4
    weights = dict.fromkeys(lesson.classes, 1)
    weights |= {kind: 4 if place < quarter else 2 for place, (kind, _) in enumerate(open_ones) if place < 2 * quarter}
    return weights


def _cost(item: tuple[str, ClassValue]) -> Fraction:
    return item[1].cost
