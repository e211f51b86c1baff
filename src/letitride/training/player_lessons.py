"""Lessons: the paytables a player can learn, in short and in full, with a player's progress; it asks nothing."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from letitride.analysis.exact import Exact
from letitride.engine.state import Choice
from letitride.rules.plain import extended
from letitride.training.player import CONVENTIONS, TERMS, Lesson, best_of
from letitride.training.player_drill import LessonStanding, Progress, standing
from letitride.training.player_exam import QUESTIONS, Exam


@dataclass(frozen=True, slots=True, kw_only=True)
class LessonSummary:
    """A paytable that can be learned, and how far you have come with it."""

    paytable: str
    title: str
    drill: str
    exam: str
    standing: LessonStanding | None
    """None without a session."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DecisionKind:
    """One kind of decision: what is best, what it is worth, and how well you know it."""

    kind: str
    words: str
    bet: int
    best: tuple[Choice, ...]
    value: Exact
    frequency: Exact
    cost_per_hundred_rounds: Exact
    state: Literal["new", "learning", "known"]
    asked: int
    right: int


@dataclass(frozen=True, slots=True, kw_only=True)
class LessonInFull(LessonSummary):
    """A paytable that can be learned, with its rules of thumb and every kind of decision."""

    rules: dict[str, tuple[str, ...]]
    """By bet, '1' and '2': it rides with any of these."""
    rule_codes: dict[str, tuple[str, ...]]
    """The same for clients that word them."""
    terms: str
    kinds: tuple[DecisionKind, ...]
    exam_answered: int | None
    """Of an exam that goes on, how many questions are answered."""
    exam_questions: int
    conventions: dict[str, str]


def summary(lesson: Lesson, progress: Progress | None, now_ms: int) -> LessonSummary:
    """Return a lesson in short, with a player's progress."""
    return LessonSummary(
        paytable=lesson.paytable,
        title=lesson.title,
        drill=lesson.drill,
        exam=lesson.exam,
        standing=None if progress is None else standing(progress, lesson, now_ms),
    )


def in_full(lesson: Lesson, progress: Progress, exam: Exam | None, now_ms: int, *, with_standing: bool) -> LessonInFull:
    """Return a lesson with everything there is to learn, and an exam that goes on."""
    return extended(
        LessonInFull,
        summary(lesson, progress if with_standing else None, now_ms),
        rules={"1": lesson.rules(3), "2": lesson.rules(4)},
        rule_codes={"1": tuple(lesson.codes(3).values()), "2": tuple(lesson.codes(4).values())},
        terms=TERMS,
        kinds=tuple(_kinds(lesson, progress)),
        exam_answered=None if exam is None else len(exam.answers),
        exam_questions=QUESTIONS,
        conventions=CONVENTIONS,
    )


def _kinds(lesson: Lesson, progress: Progress) -> Iterator[DecisionKind]:
    for kind, one in lesson.classes.items():
        memory = progress.known.get(kind)
        yield DecisionKind(
            kind=kind,
            words=one.feature.words,
            bet=one.feature.cards - 2,
            best=best_of(one),
            value=Exact.of(one.value),
            frequency=Exact.of(one.frequency),
            cost_per_hundred_rounds=Exact.of(100 * one.frequency * one.cost),
            state="new" if memory is None else "learning" if memory.learning else "known",
            asked=memory.asked if memory else 0,
            right=memory.right if memory else 0,
        )
