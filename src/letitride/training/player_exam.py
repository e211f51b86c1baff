"""Player's exam: 200 decisions without a word in between, then a score and what such play costs; it draws no chance.

Every class of three and of four cards comes at least twice, so that the answers are a whole way to play.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Final

import msgspec
from msgspec.structs import replace

from letitride.analysis.base import price
from letitride.analysis.exact import Exact
from letitride.analysis.strategy import ClassValue
from letitride.engine.state import Choice
from letitride.errors import InvalidData
from letitride.rules.cards import parse_cards, show
from letitride.rules.plain import plain
from letitride.training.chance import Chance, shuffled, weighted
from letitride.training.hands import draw_hand
from letitride.training.player import CONVENTIONS, Judged, Lesson, judge, key_of
from letitride.training.player_drill import PlayerQuestion, Question, closeness, numbered
from letitride.training.results import Result, score_of

QUESTIONS: Final = 200
EACH: Final = 2
"""How often every class is asked at least."""
PASS_PERCENT: Final = 95
_LOST: Final = (
    "units of one bet given away in a hundred rounds against best play, with every "
    "class played wrongly as often as it was in the exam"
)


class Exam(msgspec.Struct, frozen=True, kw_only=True):
    """An exam in progress: all its questions, and the answers given."""

    digest: str
    questions: tuple[Question, ...]
    answers: tuple[Choice, ...] = ()

    @property
    def question(self) -> Question | None:
        """What is to be answered next; None at the end."""
        return self.questions[len(self.answers)] if len(self.answers) < len(self.questions) else None


def exam_from(body: bytes | None, lesson: Lesson) -> Exam | None:
    """Return the exam that goes on, if one does and the table still pays the same."""
    if body is None:
        return None
    try:
        kept = msgspec.json.decode(body, type=Exam)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise InvalidData(f"expected an exam in {lesson.exam}, got something else: {error}") from None
    return kept if kept.digest == lesson.digest else None


def begin(lesson: Lesson, chance: Chance, questions: int = QUESTIONS) -> Exam:
    """Return a new exam: each class twice, the rest about the close ones, in any order."""
    kinds = list(lesson.classes)
    if questions < EACH * len(kinds):
        raise InvalidData(f"expected {EACH * len(kinds)} questions or more, got {questions}")
    close = closeness(lesson)
    weights = [close[kind] - 1 for kind in kinds] if max(close.values()) > 1 else [1] * len(kinds)
    more = [weighted(chance, kinds, weights) for _ in range(questions - EACH * len(kinds))]
    order = shuffled(chance, [*kinds * EACH, *more])
    hands = [show(draw_hand(lesson.classes[kind].feature, chance)) for kind in order]
    asked = (
        Question(number=number, cards=cards, kind=kind)
        for number, (kind, cards) in enumerate(zip(order, hands, strict=True), 1)
    )
    return Exam(digest=lesson.digest, questions=tuple(asked))


def take(exam: Exam, number: int, choice: Choice) -> Exam:
    """Return an exam with one more answer, which has to be to the question that is next."""
    if exam.question is None:
        raise InvalidData(f"expected no more answers, got one to question {number}")
    if number != exam.question.number:
        raise InvalidData(f"expected an answer to question {exam.question.number}, got one to question {number}")
    return replace(exam, answers=(*exam.answers, choice))


@dataclass(frozen=True, slots=True)
class Played:
    """One class as a player played it in an exam."""

    found: ClassValue
    asked: int
    rode: int
    example: Judged
    """The first answer that was wrong, or else the first."""

    @property
    def wrong(self) -> int:
        """How many answers were wrong: none where riding is worth nothing."""
        return 0 if not self.found.value else self.asked - self.rode if self.found.value > 0 else self.rode

    @property
    def cost_per_hundred(self) -> Fraction:
        """What it costs in a hundred rounds to play the class wrongly as often as in the exam."""
        return 100 * self.found.frequency * self.found.cost * Fraction(self.wrong, self.asked)


@dataclass(frozen=True, slots=True)
class Report:
    """The result of an exam."""

    lesson: Lesson
    asked: int
    right: int
    right_of: dict[int, tuple[int, int]]
    """By bet: right answers, and questions."""
    played: tuple[Played, ...]
    """Every class that was asked, dearest mistakes first."""
    best_edge: Fraction

    @property
    def score(self) -> float:
        """Right answers in percent."""
        return score_of(self.right, self.asked)

    @property
    def passed(self) -> bool:
        """Whether it is a pass."""
        return 100 * self.right >= PASS_PERCENT * self.asked

    @property
    def cost_per_hundred(self) -> Fraction:
        """What playing as answered gives away in a hundred rounds against best play, in units of one bet."""
        return sum((one.cost_per_hundred for one in self.played), Fraction(0))

    @property
    def edge(self) -> Fraction:
        """The house's edge against play as answered."""
        return self.best_edge + self.cost_per_hundred / 100


def report(exam: Exam, lesson: Lesson) -> Report:
    """Return the result of an exam, also of one that was broken off."""
    answered = zip(exam.questions[: len(exam.answers)], exam.answers, strict=True)
    judged = [judge(lesson, parse_cards(question.cards), choice) for question, choice in answered]
    by_class: dict[ClassValue, list[Judged]] = {}
    for one in judged:
        by_class.setdefault(one.advice.found, []).append(one)
    played = [_played(found, ones) for found, ones in by_class.items()]
    bets = {bet: [one.right for one in judged if one.advice.bet == bet] for bet in (1, 2)}
    return Report(
        lesson,
        len(judged),
        sum(one.right for one in judged),
        {bet: (sum(right), len(right)) for bet, right in bets.items()},
        tuple(sorted(played, key=lambda one: one.cost_per_hundred, reverse=True)),
        price(lesson.pays).house_edge,
    )


def _played(found: ClassValue, ones: Sequence[Judged]) -> Played:
    example = next((one for one in ones if not one.right), ones[0])
    return Played(found, len(ones), sum(one.choice == "ride" for one in ones), example)


@dataclass(frozen=True, slots=True, kw_only=True)
class ExamBetScore:
    """Right answers about one bet."""

    bet: int
    right: int
    asked: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ExamMistake:
    """A class that was played wrongly in an exam."""

    kind: str
    words: str
    bet: int
    asked: int
    wrong: int
    best: tuple[Choice, ...]
    value: Exact
    lost_per_hundred_rounds: Exact
    why: str
    cards: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ExamReport:
    """The result of an exam."""

    drill: str
    paytable: str
    title: str
    asked: int
    right: int
    score: float
    passed: bool
    pass_percent: int
    bets: tuple[ExamBetScore, ...]
    lost_per_hundred_rounds: Exact
    house_edge_best_play: Exact
    house_edge_as_answered: Exact
    mistakes: tuple[ExamMistake, ...]
    conventions: dict[str, str]

    @classmethod
    def of(cls, found: Report) -> ExamReport:
        """Return a report for a page or a program, with the conventions of its figures."""
        return cls(
            drill=found.lesson.exam,
            paytable=found.lesson.paytable,
            title=found.lesson.title,
            asked=found.asked,
            right=found.right,
            score=found.score,
            passed=found.passed,
            pass_percent=PASS_PERCENT,
            bets=tuple(ExamBetScore(bet=n, right=right, asked=asked) for n, (right, asked) in found.right_of.items()),
            lost_per_hundred_rounds=Exact.of(found.cost_per_hundred),
            house_edge_best_play=Exact.of(found.best_edge),
            house_edge_as_answered=Exact.of(found.edge),
            mistakes=tuple(_mistake(one) for one in found.played if one.wrong),
            conventions={**CONVENTIONS, "lost_per_hundred_rounds": _LOST},
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class ExamState:
    """An exam: the question that is next, or at its end the report."""

    answered: int
    of: int
    question: PlayerQuestion | None
    report: ExamReport | None


def state(exam: Exam, lesson: Lesson) -> ExamState:
    """Return where an exam stands: at its end with the report."""
    answered, of = len(exam.answers), len(exam.questions)
    return ExamState(
        answered=answered,
        of=of,
        question=None if exam.question is None else numbered(exam.question, answered + 1, of),
        report=None if exam.question is not None else ExamReport.of(report(exam, lesson)),
    )


def _mistake(one: Played) -> ExamMistake:
    advice = one.example.advice
    return ExamMistake(
        kind=key_of(one.found.feature),
        words=one.found.feature.words,
        bet=advice.bet,
        asked=one.asked,
        wrong=one.wrong,
        best=advice.best,
        value=Exact.of(one.found.value),
        lost_per_hundred_rounds=Exact.of(one.cost_per_hundred),
        why=advice.why,
        cards=tuple(map(str, advice.cards)),
    )


def result_of(found: Report, person: str, now_ms: int) -> Result:
    """Return a report as the result that is kept."""
    return Result(
        person=person,
        drill=found.lesson.exam,
        asked=found.asked,
        right=found.right,
        score=found.score,
        details=plain(ExamReport.of(found)),
        finished_ms=now_ms,
    )
