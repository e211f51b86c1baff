"""Learn to deal: the drills of dealers and of the floor over HTTP; what is asked and what is right training says."""

from __future__ import annotations

import asyncio
from typing import Annotated, Final, cast

import msgspec
from fastapi import APIRouter, Depends, Path
from pydantic import BaseModel, ConfigDict, Field

from letitride.errors import InvariantBroken, MissingData
from letitride.rules import catalog
from letitride.server.learn.assignments import Assignment, Assignments
from letitride.server.learn.progress import Change, refuse_other_question
from letitride.server.learn.sittings import (
    DrillCatalogue,
    DrillGoingOn,
    DrillMarked,
    DrillState,
    Sittings,
    StoredDrill,
    is_book,
    read_stored_drill,
)
from letitride.server.net.access import ANYWHERE, CurrentPerson, OptionalPerson, TheHouse, refusals
from letitride.server.routes.learn import Learner, TheLearning
from letitride.training.results import Result
from letitride.training.staff.catalogue import DrillName, Plan, Sitting, entries, result_of

router = APIRouter(prefix="/api/learn/dealer", tags=["learn"], responses=ANYWHERE)
REFUSALS: Final = refusals(401, 404, 409, 422)
Book = Annotated[str, Path(max_length=64, description="The id of a published rule book.")]
Level = Annotated[int, Field(ge=1, le=5)]
Length = Annotated[int, Field(ge=0, le=60)]
"""One that is taken up again is played anew, answer by answer: longer ones would keep others waiting."""
_SITTINGS: Final = Sittings()


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


def assignments_of(house: TheHouse) -> Assignments:
    """Return what instructors have set."""
    return Assignments(house.stores.documents, house.stores.audit, house.committer, house.clock_ms)


TheAssignments = Annotated[Assignments, Depends(assignments_of)]


@router.get("", responses=refusals(422))
async def drills(learning: TheLearning, person: OptionalPerson) -> DrillCatalogue:
    """All drills for dealers and the floor, and those you have open."""
    bodies: dict[str, bytes] = {}
    if person is not None:
        bodies = await learning.all_progress(person.name, "dealer:")
        bodies |= await learning.all_progress(person.name, "floor:")
    going_on = await asyncio.to_thread(_going_on, bodies)
    return DrillCatalogue(entries(), tuple(catalog.rulebook_ids()), tuple(going_on))


def _going_on(bodies: dict[str, bytes]) -> list[DrillGoingOn]:
    found = []
    for drill, body in bodies.items():
        _, book, name = drill.split(":", 2)
        kept = read_stored_drill(body, book) if is_book(book) else None
        if kept is not None:
            found.append(DrillGoingOn(cast("DrillName", name), book, len(kept.kept.answers)))
    return found


@router.post("/{book}/{drill}/question", responses=REFUSALS)
async def question(
    house: TheHouse,
    learning: TheLearning,
    *,
    set_work: TheAssignments,
    person: Learner,
    book: Book,
    drill: DrillName,
    wish: DrillWish,
) -> DrillState:
    """The open question of a drill, whose clock starts with the first look; begins a drill if none is open."""
    _known(book)
    plan = Plan(name=drill, level=wish.level, length=wish.length)
    if wish.assignment:
        found = await set_work.find(person.name, wish.assignment)
        _fits(found, plan, book)
        plan = Plan(name=drill, level=found.level, length=found.length)

    def act(body: bytes | None) -> Change[DrillState]:
        going_on = read_stored_drill(body, book)
        same = going_on is not None and wish.assignment in {"", going_on.assignment}
        sitting = _SITTINGS.resume(going_on, book) if going_on is not None and same else None
        if going_on is None or sitting is None:
            sitting = _SITTINGS.begin(plan, book)
            going_on = StoredDrill(kept=sitting.kept, assignment=wish.assignment)
        now_ms = house.clock_ms()
        if not going_on.shown_ms:
            going_on = msgspec.structs.replace(going_on, shown_ms=now_ms)
        if sitting.question is None:
            raise InvariantBroken("a drill goes on, and asks nothing")
        told = DrillState(
            question=sitting.question,
            open_seconds=max(0, now_ms - going_on.shown_ms) / 1000,
            assignment=going_on.assignment,
            summary=sitting.drill.summary(),
        )
        _SITTINGS.cache(sitting)
        return Change(told, msgspec.json.encode(going_on))

    return await learning.change(person.name, plan.drill_of(book), act)


@router.post("/{book}/{drill}/answer", responses=REFUSALS)
async def answer(
    house: TheHouse, learning: TheLearning, *, person: Learner, book: Book, drill: DrillName, said: DrillSaid
) -> DrillMarked:
    """Answer the open question; the time it took is the server's."""
    _known(book)
    name = Plan(name=drill).drill_of(book)

    def act(body: bytes | None) -> Change[DrillMarked]:
        going_on = read_stored_drill(body, book)
        sitting = _SITTINGS.resume(going_on, book) if going_on is not None and going_on.shown_ms else None
        if going_on is None or sitting is None or said.number != len(sitting.answers) + 1:
            if sitting is not None:
                _SITTINGS.cache(sitting)
            refuse_other_question(said.number, len(sitting.answers) + 1 if sitting else None)
            raise InvariantBroken("expected a refusal, got none")
        seconds = max(0, house.clock_ms() - going_on.shown_ms) / 1000
        try:
            mark = sitting.answer(dict(said.answer), seconds)
        finally:
            _SITTINGS.cache(sitting)
        result = None if sitting.question is not None else _result(sitting, going_on, person.name, house.clock_ms())
        after = StoredDrill(kept=sitting.kept, assignment=going_on.assignment)
        told = DrillMarked(
            mark=mark,
            summary=sitting.drill.summary(),
            result=result,
        )
        return Change(told, msgspec.json.encode(after) if result is None else None, result)

    return await learning.change(person.name, name, act)


@router.delete("/{book}/{drill}", status_code=204, responses=refusals(401, 404, 422))
async def give_up(learning: TheLearning, person: CurrentPerson, book: Book, drill: DrillName) -> None:
    """Give up an open drill; nothing of it is kept."""
    _known(book)
    await learning.forget(person.name, Plan(name=drill).drill_of(book))


def _known(book: str) -> None:
    if not is_book(book):  # never a path: what lies on this machine is kept from clients
        raise MissingData(f"expected the id of a published rule book, got {book!r}")


def _fits(found: Assignment, plan: Plan, book: str) -> None:
    if found.drill != plan.drill_of(book):
        raise MissingData(f"expected an assignment of {plan.drill_of(book)}, got one of {found.drill}")


def _result(sitting: Sitting, going_on: StoredDrill, person: str, now_ms: int) -> Result:
    more = {"assignment": going_on.assignment} if going_on.assignment else {}
    return result_of(sitting.drill, sitting.plan, person, now_ms, **more)
