"""Coach: exact advice for your own decision, where the book allows it; after the round, what decisions have cost."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from functools import partial
from typing import Annotated, Final

from fastapi import APIRouter, HTTPException, Query, Request

from letitride.engine.state import Table
from letitride.rules.table_rules import TableRules
from letitride.server.net.access import ANYWHERE, CurrentPerson, TheHouse, check_rate, refusals
from letitride.server.routes.history import NUMBER_MAX, TableId, TheHistory
from letitride.server.tables.house import House
from letitride.storage.past import Past
from letitride.training.coach import decision_of, reviews, why_none
from letitride.training.coach_data import DueChoice, RoundReviewed

router = APIRouter(prefix="/api/tables/{table_id}", tags=["coach"], responses=ANYWHERE)

ROUNDS_MAX: Final = 100
NO: Final = refusals(401, 403, 404, 422)


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatAdvice:
    """Advice for your own seat; where there is nothing to decide, a sentence."""

    table: str
    version: int
    seat: int | None
    decision: DueChoice | None
    sentence: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Reviewed:
    """Your own rounds at a table, in order, hand by hand; rounds that were not played out are left out."""

    table: str
    rounds: tuple[RoundReviewed, ...]
    through: int = field(metadata={"description": "The last round that was read: for more, ask again with after=…"})


@router.get("/advice", responses=NO)
async def advice(house: TheHouse, history: TheHistory, person: CurrentPerson, table_id: TableId) -> SeatAdvice:
    """What each way to decide is worth for your own seat now, from what it sees; not where the book forbids advice."""
    table = await _table(house, history, table_id)
    _check_allowed(table.rules)
    return await asyncio.to_thread(_advice, table_id, table, person.name)


async def _table(house: House, history: TheHistory, table_id: str) -> Table:
    """Return a table as it is now, whichever server plays it."""
    room = house.rooms.get(table_id)
    if room is not None and not room.host.lost:
        return room.table
    past = await history.of(table_id)
    return (await history.run_reading(past.present))[0]


def _check_allowed(rules: TableRules) -> None:
    if not rules.rules.coach:
        raise HTTPException(403, f"expected a table whose book allows advice, got one by {rules.book.title}")


def _advice(table_id: str, table: Table, name: str) -> SeatAdvice:
    own = [number for number, one in table.seats.items() if one.player == name]
    asked = table.next_step.seat if table.next_step is not None else 0
    seat = asked if asked in own else next(iter(own), 0)  # of two hands, the one that is to be decided on
    decision = decision_of(table, seat) if seat else None
    none = None if decision else why_none(table, seat) if seat else "You do not sit at this table."
    return SeatAdvice(
        table=table_id,
        version=table.version,
        seat=seat or None,
        decision=decision.as_data() if decision else None,
        sentence=none,
    )


@router.get("/coach", responses=NO)
async def reviewed(
    *,
    request: Request,
    history: TheHistory,
    person: CurrentPerson,
    table_id: TableId,
    after: Annotated[int | None, Query(ge=0, le=NUMBER_MAX, description="Rounds after this number.")] = None,
    limit: Annotated[int, Query(ge=1, le=ROUNDS_MAX, description="How many rounds of the table to look at.")] = 50,
) -> Reviewed:
    """Your own last rounds at a table, or those after a number: results, expectations, and what mistakes have cost."""
    check_rate(request, "reviews_of", person.name)
    past = await history.of(table_id)
    found, through = await history.run_reading(partial(_rounds, past, person.name, after, limit))
    return Reviewed(table=table_id, rounds=found, through=through)


def _rounds(past: Past, name: str, after: int | None, limit: int) -> tuple[tuple[RoundReviewed, ...], int]:
    last = past.last_round()
    first = max(last - limit, 0) if after is None else min(after, last)
    end = min(first + limit, last)
    found = (reviews(one, name) for one in past.rounds(first + 1, end)) if end > first else ()
    return tuple(hand for hands in found for hand in hands), end
