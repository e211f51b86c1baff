"""Assignments: an instructor sets people drills and sees their results; a trainee sees their own."""

from __future__ import annotations

import asyncio
from typing import Annotated, Final

from fastapi import APIRouter, Depends, Query
from pydantic import BaseModel, ConfigDict, Field

from letitride.errors import InvalidData, MissingData
from letitride.rules import catalog
from letitride.rules.roles import MANAGERS
from letitride.rules.wager_table import BASE
from letitride.server.learn.assignments import Assignment, Done
from letitride.server.learn.sittings import is_book
from letitride.server.net.access import ANYWHERE, CurrentPerson, RequireRole, TheHouse, refusals
from letitride.server.net.lines import LINE
from letitride.server.people.accounts import Person
from letitride.server.routes.learn import TheLearning, latest
from letitride.server.routes.learn_dealer import Length, Level, TheAssignments
from letitride.training.results import Result
from letitride.training.staff.catalogue import TRADES

router = APIRouter(prefix="/api/learn/assignments", tags=["learn"], responses=ANYWHERE)
Instructor = Annotated[Person, Depends(RequireRole(*MANAGERS))]
REFUSALS: Final = refusals(401, 403, 404, 422)
_UNTIL_MS: Final = 10**14


class AssignmentWish(BaseModel):
    """A drill to set a person: 'dealer:nsw-1:watch', 'floor:nsw-1:floor', 'player:LIRX-01' or 'player:LIRX-01:exam'."""

    model_config = ConfigDict(extra="forbid")

    person: str = Field(max_length=64)
    drill: str = Field(max_length=120)
    level: Level = 1
    length: Length = 0
    """0: as long as such drills are."""
    due_ms: int = Field(0, ge=0, le=_UNTIL_MS)
    """Until when, in milliseconds since 1970; 0: whenever."""
    note: str = Field("", max_length=300, pattern=LINE)


class AssignmentTold(BaseModel):
    """A drill that a person is to do, and its result."""

    id: str
    person: str
    by: str
    set_ms: int
    drill: str
    level: int
    length: int
    due_ms: int
    note: str
    attempts: int
    best_score: float | None
    """In percent; null where it was not done yet."""
    last_score: float | None
    done_ms: int | None
    """When it was first done."""
    late: bool
    """Whether it was not done, or first done, when it was due."""


@router.get("/mine", responses=refusals(401, 422))
async def mine(house: TheHouse, set_work: TheAssignments, person: CurrentPerson) -> list[AssignmentTold]:
    """Your assignments, newest first."""
    return [_told(one, house.clock_ms()) for one in await set_work.of(person.name)]


@router.get("", responses=REFUSALS)
async def assignments(
    house: TheHouse, set_work: TheAssignments, _: Instructor, person: Annotated[str, Query(max_length=64)] = ""
) -> list[AssignmentTold]:
    """The assignments of everyone or of one person, with results; for casino supervisors and administrators."""
    name = (await asyncio.to_thread(house.people.find, person)).name if person else ""
    return [_told(one, house.clock_ms()) for one in await set_work.of(name)]


@router.get("/results", responses=REFUSALS)
async def results(
    house: TheHouse,
    learning: TheLearning,
    _: Instructor,
    person: Annotated[str, Query(max_length=64)] = "",
    drill: Annotated[str, Query(max_length=200)] = "",
) -> list[Result]:
    """The latest results of all people, assigned or not, oldest first."""
    name = (await asyncio.to_thread(house.people.find, person)).name if person else ""
    return await latest(learning, name, drill)


@router.post("", status_code=201, responses=REFUSALS)
async def assign(
    house: TheHouse, set_work: TheAssignments, instructor: Instructor, wish: AssignmentWish
) -> AssignmentTold:
    """Set a person a drill."""
    _check(wish.drill)
    trainee = await asyncio.to_thread(house.people.find, wish.person)
    if trainee.guest:
        raise MissingData(f"expected the name of an account, got {wish.person!r}")
    wanted = Assignment(
        id="",
        person="",
        by="",
        set_ms=0,
        drill=wish.drill,
        level=wish.level,
        length=wish.length,
        due_ms=wish.due_ms,
        note=wish.note,
    )
    made = await set_work.assign(instructor, trainee, wanted)
    return _told(Done(assignment=made, results=[]), house.clock_ms())


@router.delete("/{assignment}", status_code=204, responses=REFUSALS)
async def take_back(set_work: TheAssignments, instructor: Instructor, assignment: str) -> None:
    """Take an assignment back; results stay."""
    await set_work.take_back(instructor, assignment)


def _check(drill: str) -> None:
    """Refuse a drill there is none of."""
    trade, _, rest = drill.partition(":")
    what, _, name = rest.partition(":")
    if trade == "player":
        learned = what in catalog.paytable_ids() and BASE.id in catalog.paytable(what).pays and name in {"", "exam"}
    else:
        learned = TRADES.get(name) == trade and is_book(what)
    if not learned:
        raise InvalidData(
            f"expected a drill such as dealer:BOOK:watch, floor:BOOK:floor or player:PAYTABLE:exam, got {drill!r}"
        )


def _told(done: Done, now_ms: int) -> AssignmentTold:
    one, scores = done.assignment, [result.score for result in done.results]
    first = done.results[0].finished_ms if done.results else None
    return AssignmentTold(
        id=one.id,
        person=one.person,
        by=one.by,
        set_ms=one.set_ms,
        drill=one.drill,
        level=one.level,
        length=one.length,
        due_ms=one.due_ms,
        note=one.note,
        attempts=len(scores),
        best_score=max(scores, default=None),
        last_score=scores[-1] if scores else None,
        done_ms=first,
        late=bool(one.due_ms) and (first or now_ms) > one.due_ms,
    )
