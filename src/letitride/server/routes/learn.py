"""Learn: what all drills have in common over HTTP: your own results."""

from __future__ import annotations

from typing import Annotated, Final

from fastapi import APIRouter, Depends, Query, Request

from letitride.server.learn.progress import Learning
from letitride.server.net.access import ANYWHERE, CurrentPerson, TheHouse, check_rate, refusals
from letitride.server.people.accounts import Person
from letitride.training.results import Result

router = APIRouter(prefix="/api/learn", tags=["learn"], responses=ANYWHERE)
RESULTS_MAX: Final = 1_000


def learning_of(house: TheHouse) -> Learning:
    """Return where people's drills are kept."""
    return Learning(house.stores.documents, house.committer)


def learner(request: Request, person: CurrentPerson) -> Person:
    """Return who learns, if they do not ask too often: every answer is written down."""
    check_rate(request, "answers_of", person.name)
    return person


TheLearning = Annotated[Learning, Depends(learning_of)]
Learner = Annotated[Person, Depends(learner)]


@router.get("/results", responses=refusals(401, 422))
async def results(
    learning: TheLearning, person: CurrentPerson, drill: Annotated[str, Query(max_length=200)] = ""
) -> list[Result]:
    """Your latest results, oldest first, in all drills or in those whose name begins so."""
    return await latest(learning, person.name, drill)


async def latest(learning: Learning, person: str, drill: str) -> list[Result]:
    """Return the latest results, oldest first."""
    return (await learning.results(person, drill))[-RESULTS_MAX:]
