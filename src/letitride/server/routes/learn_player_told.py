"""Learn to play, as it is told: the answers of the player's drill and exam over HTTP; computes nothing."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, Field

from letitride.analysis.exact import Exact
from letitride.errors import InvariantBroken
from letitride.server.routes.learn import ResultTold
from letitride.training import player_drill, player_exam
from letitride.training.player import Lesson, best_of
from letitride.training.player_drill import SET_OF, Progress, Question
from letitride.training.player_exam import Exam

ChoiceMade = Literal["ride", "withdraw"]
Number = Annotated[int, Field(ge=1, le=10**9)]


class LessonStanding(BaseModel):
    """How far somebody has come with the kinds of decision of a paytable."""

    kinds: int
    new: int
    learning: int
    known: int
    due: int
    asked: int
    right: int


class LessonTold(BaseModel):
    """A paytable that can be learned, and how far you have come with it."""

    paytable: str
    title: str
    drill: str
    exam: str
    standing: LessonStanding | None
    """Null for somebody without a session."""


class ChoiceValues(BaseModel):
    """What both choices are worth, per unit bet."""

    ride: Exact
    withdraw: Exact


class DecisionKind(BaseModel):
    """One kind of decision: what is best, what it is worth, and how well you know it."""

    kind: str
    words: str
    bet: int
    best: list[ChoiceMade]
    value: Exact
    frequency: Exact
    cost_per_hundred_rounds: Exact
    state: Literal["new", "learning", "known"]
    asked: int
    right: int


class LessonInFull(LessonTold):
    """A paytable that can be learned, with its rules of thumb and every kind of decision."""

    rules: dict[str, list[str]]
    """By bet, '1' and '2': it rides with any of these."""
    terms: str
    kinds: list[DecisionKind]
    exam_answered: int | None
    """Of an exam that goes on, how many questions are answered."""
    exam_questions: int
    conventions: dict[str, str]


class PlayerQuestion(BaseModel):
    """One hand: what would you do?"""

    number: int
    """What an answer names."""
    place: int
    """Its place in the set of questions, or in the exam."""
    of: int
    bet: int
    cards: list[str]
    """The three cards of the hand, and for bet 2 the first community card."""


class LookedUp(BaseModel):
    """What to do with some cards, and why."""

    cards: list[str]
    bet: int
    kind: str
    words: str
    best: list[ChoiceMade]
    value: ChoiceValues
    frequency: Exact
    cost: Exact
    cost_per_hundred_rounds: Exact
    rule: str | None
    near: list[str]
    why: str


class PlayerJudgement(BaseModel):
    """What is to be said about an answer."""

    choice: ChoiceMade
    right: bool
    lost: Exact
    lost_per_hundred_rounds: Exact
    advice: LookedUp


class DrillAnswered(BaseModel):
    """What an answer came to, and the next question."""

    judged: PlayerJudgement
    standing: LessonStanding
    result: ResultTold | None
    """Of the set that this answer ended, if it did."""
    question: PlayerQuestion


class DrillAnswer(BaseModel):
    """An answer: to which question, which choice, and after how many seconds."""

    number: Number
    choice: ChoiceMade
    seconds: Annotated[float, Field(ge=0, le=86_400)] | None = None


class ExamAnswer(BaseModel):
    """An answer in an exam."""

    number: Number
    choice: ChoiceMade


class ExamBetScore(BaseModel):
    """Right answers about one bet."""

    bet: int
    right: int
    asked: int


class ExamMistake(BaseModel):
    """A class that was played wrongly in an exam."""

    kind: str
    words: str
    bet: int
    asked: int
    wrong: int
    best: list[ChoiceMade]
    value: Exact
    lost_per_hundred_rounds: Exact
    why: str
    cards: list[str]


class ExamReport(BaseModel):
    """What an exam came to."""

    drill: str
    paytable: str
    title: str
    asked: int
    right: int
    score: float
    passed: bool
    pass_percent: int
    bets: list[ExamBetScore]
    lost_per_hundred_rounds: Exact
    house_edge_best_play: Exact
    house_edge_as_answered: Exact
    mistakes: list[ExamMistake]
    conventions: dict[str, str]


class ExamTold(BaseModel):
    """An exam: the question that is next, or at its end the report."""

    answered: int
    of: int
    question: PlayerQuestion | None
    report: ExamReport | None


def lesson_told(lesson: Lesson, progress: Progress | None, now_ms: int) -> LessonTold:
    """Return a lesson in short, and how far somebody has come."""
    standing = None if progress is None else player_drill.standing(progress, lesson, now_ms)
    return LessonTold(
        paytable=lesson.paytable,
        title=lesson.title,
        drill=lesson.drill,
        exam=lesson.exam,
        standing=None if standing is None else LessonStanding.model_validate(standing),
    )


def kinds_told(lesson: Lesson, progress: Progress) -> list[DecisionKind]:
    """Return every kind of decision, and how well it is known."""
    told = []
    for kind, one in lesson.classes.items():
        memory = progress.known.get(kind)
        told.append(
            DecisionKind(
                kind=kind,
                words=one.feature.words,
                bet=one.feature.cards - 2,
                best=list(best_of(one)),
                value=Exact.of(one.value),
                frequency=Exact.of(one.frequency),
                cost_per_hundred_rounds=Exact.of(100 * one.frequency * one.cost),
                state="new" if memory is None else "learning" if memory.learning else "known",
                asked=memory.asked if memory else 0,
                right=memory.right if memory else 0,
            )
        )
    return told


def open_question(progress: Progress) -> PlayerQuestion:
    """Return the question that is open in a drill."""
    if progress.question is None:
        raise InvariantBroken("a question was asked, and none is open")
    return question_told(progress.question, len(progress.answers) + 1, SET_OF)


def question_told(question: Question, place: int, of: int) -> PlayerQuestion:
    """Return a question as it is told: nothing in it says what is right."""
    return PlayerQuestion(number=question.number, place=place, of=of, bet=question.bet, cards=question.cards.split())


def exam_told(exam: Exam, lesson: Lesson) -> ExamTold:
    """Return an exam as it is told: at its end with the report."""
    answered, of = len(exam.answers), len(exam.questions)
    return ExamTold(
        answered=answered,
        of=of,
        question=None if exam.question is None else question_told(exam.question, answered + 1, of),
        report=None
        if exam.question is not None
        else ExamReport.model_validate(player_exam.report_data(player_exam.report(exam, lesson))),
    )
