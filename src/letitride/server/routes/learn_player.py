"""Learn to play: the player's drill, exam and look-up over HTTP; what is right is for training to say."""

from __future__ import annotations

import asyncio
from typing import Annotated, Final

import msgspec
from fastapi import APIRouter, Path, Query
from pydantic import BaseModel, Field

from letitride.chance.live import Live
from letitride.engine.state import Choice
from letitride.errors import MissingData
from letitride.rules import catalog
from letitride.rules.cards import parse_cards
from letitride.rules.wager_table import BASE
from letitride.server.learn.progress import Change, refuse_other_question
from letitride.server.net.access import ANYWHERE, CurrentPerson, OptionalPerson, TheHouse, refusals
from letitride.server.routes.learn import Learner, TheLearning
from letitride.training import player_drill, player_exam, player_lessons
from letitride.training.player import Lesson, LookedUp, PlayerJudgment, lesson_of, look_up
from letitride.training.player_drill import SET_OF, DrillAnswered, PlayerQuestion, open_question
from letitride.training.player_exam import ExamState
from letitride.training.player_lessons import LessonInFull, LessonSummary

router = APIRouter(prefix="/api/learn/player", tags=["learn"], responses=ANYWHERE)
REFUSALS: Final = refusals(401, 404, 409, 422)
Number = Annotated[int, Field(ge=1, le=10**9)]
Ref = Annotated[str, Path(max_length=100, description="The id of a published paytable with the base game.")]


class DrillAnswer(BaseModel):
    """An answer: to which question, which decision, and after how many seconds."""

    number: Number
    choice: Choice
    seconds: Annotated[float, Field(ge=0, le=86_400)] | None = None


class ExamAnswer(BaseModel):
    """An answer in an exam."""

    number: Number
    choice: Choice


@router.get("", responses=refusals(422))
async def lessons(house: TheHouse, learning: TheLearning, person: OptionalPerson) -> list[LessonSummary]:
    """Every paytable that can be learned."""
    found = [one for one in map(catalog.paytable, catalog.paytable_ids()) if BASE.id in one.pays]
    bodies = {} if person is None else await learning.all_progress(person.name, "player:")

    def tell() -> list[LessonSummary]:
        told = []
        for lesson in map(lesson_of, found):
            progress = player_drill.progress_from(bodies.get(lesson.drill), lesson)
            told.append(player_lessons.summary(lesson, progress if person else None, house.clock_ms()))
        return told

    return await asyncio.to_thread(tell)


@router.get("/{paytable}", responses=refusals(404, 422))
async def lesson_in_full(house: TheHouse, learning: TheLearning, person: OptionalPerson, paytable: Ref) -> LessonInFull:
    """One paytable to learn: its rules of thumb, and every kind of decision with its exact value."""
    lesson = await asyncio.to_thread(_of, paytable)
    body = await learning.progress(person.name, lesson.drill) if person else None
    exam_body = await learning.progress(person.name, lesson.exam) if person else None
    progress = player_drill.progress_from(body, lesson)
    exam = player_exam.exam_from(exam_body, lesson)
    return player_lessons.in_full(lesson, progress, exam, house.clock_ms(), with_standing=person is not None)


@router.get("/{paytable}/lookup", responses=refusals(404, 422))
async def lookup(paytable: Ref, cards: Annotated[str, Query(max_length=40, examples=["Ts Js Qs"])]) -> LookedUp:
    """What to do with three cards, or with three and the first community card: 'Ts Js Qs 2d'."""
    lesson = await asyncio.to_thread(_of, paytable)
    return LookedUp.of(look_up(lesson, parse_cards(cards)))


@router.post("/{paytable}/question", responses=REFUSALS)
async def question(house: TheHouse, learning: TheLearning, person: Learner, paytable: Ref) -> PlayerQuestion:
    """The question that is open, or a new one."""
    lesson = await asyncio.to_thread(_of, paytable)

    def act(body: bytes | None) -> Change[PlayerQuestion]:
        before = player_drill.progress_from(body, lesson)
        after = player_drill.ask(before, lesson, Live(), house.clock_ms())
        return Change(open_question(after), body if after is before else msgspec.json.encode(after))

    return await learning.change(person.name, lesson.drill, act)


@router.post("/{paytable}/answer", responses=REFUSALS)
async def answer(
    house: TheHouse, learning: TheLearning, person: Learner, paytable: Ref, said: DrillAnswer
) -> DrillAnswered:
    """Answer the open question; you are told at once what it was worth, and asked the next one."""
    lesson = await asyncio.to_thread(_of, paytable)

    def act(body: bytes | None) -> Change[DrillAnswered]:
        now_ms = house.clock_ms()
        progress = player_drill.progress_from(body, lesson)
        refuse_other_question(said.number, progress.question.number if progress.question else None)
        progress, judged = player_drill.answer(progress, lesson, said.choice, now_ms=now_ms, seconds=said.seconds)
        result = None
        if len(progress.answers) >= SET_OF:
            progress, result = player_drill.finish(progress, lesson, person.name, now_ms)
        progress = player_drill.ask(progress, lesson, Live(), now_ms)
        told = DrillAnswered(
            judged=PlayerJudgment.of(judged),
            standing=player_drill.standing(progress, lesson, now_ms),
            result=result,
            question=open_question(progress),
        )
        return Change(told, msgspec.json.encode(progress), result)

    return await learning.change(person.name, lesson.drill, act)


@router.delete("/{paytable}", status_code=204, responses=refusals(401, 404, 422))
async def begin_anew(learning: TheLearning, person: CurrentPerson, paytable: Ref) -> None:
    """Forget your progress in a drill; your results stay."""
    await learning.forget(person.name, (await asyncio.to_thread(_of, paytable)).drill)


@router.post("/{paytable}/exam", responses=REFUSALS)
async def exam(learning: TheLearning, person: Learner, paytable: Ref) -> ExamState:
    """Begin an exam, or go on with yours."""
    lesson = await asyncio.to_thread(_of, paytable)

    def act(body: bytes | None) -> Change[ExamState]:
        kept = player_exam.exam_from(body, lesson)
        going_on = kept or player_exam.begin(lesson, Live())
        return Change(player_exam.state(going_on, lesson), body if kept else msgspec.json.encode(going_on))

    return await learning.change(person.name, lesson.exam, act)


@router.post("/{paytable}/exam/answer", responses=REFUSALS)
async def answer_in_exam(
    house: TheHouse, learning: TheLearning, person: Learner, paytable: Ref, said: ExamAnswer
) -> ExamState:
    """Answer the next question of your exam; the last answer brings the report."""
    lesson = await asyncio.to_thread(_of, paytable)

    def act(body: bytes | None) -> Change[ExamState]:
        kept = player_exam.exam_from(body, lesson)
        refuse_other_question(said.number, kept.question.number if kept and kept.question else None)
        assert kept is not None  # noqa: S101 - an open question is an exam's
        after = player_exam.take(kept, said.number, said.choice)
        told = player_exam.state(after, lesson)
        if told.report is None:
            return Change(told, msgspec.json.encode(after))
        result = player_exam.result_of(player_exam.report(after, lesson), person.name, house.clock_ms())
        return Change(told, None, result)

    return await learning.change(person.name, lesson.exam, act)


@router.delete("/{paytable}/exam", status_code=204, responses=refusals(401, 404, 422))
async def give_up_exam(learning: TheLearning, person: CurrentPerson, paytable: Ref) -> None:
    """Give up an open exam; nothing of it is kept."""
    await learning.forget(person.name, (await asyncio.to_thread(_of, paytable)).exam)


def _of(paytable: str) -> Lesson:
    if paytable not in catalog.paytable_ids():  # never a path: what lies on this machine is kept from clients
        raise MissingData(f"expected the id of a published paytable, got {paytable!r}")
    return lesson_of(catalog.paytable(paytable))
