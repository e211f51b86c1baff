"""Learn: what everybody's drills have in common over HTTP: one's own results."""

from __future__ import annotations

import asyncio
from typing import Annotated, Any, Final

from fastapi import APIRouter, Depends, Query, Request
from pydantic import BaseModel

from letitride.server.learn.progress import Learning
from letitride.server.net.access import Somebody, TheHouse, not_too_often, refusals
from letitride.server.people.accounts import Person
from letitride.training.results import Result

router = APIRouter(prefix="/api/learn", tags=["learn"])
TOLD_MAX: Final = 1_000


def learning_of(house: TheHouse) -> Learning:
    """Return where people's drills are kept."""
    return Learning(house.stores.documents, house.committer)


def learner(request: Request, person: Somebody) -> Person:
    """Return who learns, if he does not ask too often: every answer is written down."""
    not_too_often(request, "answers_of", person.name)
    return person


TheLearning = Annotated[Learning, Depends(learning_of)]
Learner = Annotated[Person, Depends(learner)]


class ResultTold(BaseModel):
    """A drill or an exam that somebody has finished."""

    person: str
    drill: str
    asked: int
    right: int
    score: float
    details: dict[str, Any]
    finished_ms: int


def result_told(result: Result) -> ResultTold:
    """Return a result as it is told."""
    return ResultTold.model_validate(result, from_attributes=True)


@router.get("/results", responses=refusals(401, 422))
async def results(
    learning: TheLearning, person: Somebody, drill: Annotated[str, Query(max_length=200)] = ""
) -> list[ResultTold]:
    """Your latest results, oldest first, in all drills or in those whose name begins so."""
    return await told(learning, person.name, drill)


async def told(learning: Learning, person: str, drill: str) -> list[ResultTold]:
    """Return results as they are told: of many the latest, and made off the loop."""
    found = await learning.results(person, drill)
    return await asyncio.to_thread(lambda: [result_told(one) for one in found[-TOLD_MAX:]])
