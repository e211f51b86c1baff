"""Coach: exact advice for one's own choice, where the book allows it, and what one's choices have cost so far."""

from __future__ import annotations

import asyncio
from functools import partial
from typing import Annotated, Any, Final, Literal

from fastapi import APIRouter, HTTPException, Query, Request
from pydantic import BaseModel, Field

from letitride.analysis.exact import Exact
from letitride.engine.state import Table
from letitride.rules.table_rules import TableRules
from letitride.server.net.access import Somebody, TheHouse, not_too_often, refusals
from letitride.server.routes.history import NUMBER_MAX, TableId, TheHistory
from letitride.server.tables.house import House
from letitride.storage.past import Past
from letitride.training.coach import decision_of, review, why_none

router = APIRouter(prefix="/api/tables/{table_id}", tags=["coach"])

ROUNDS_MAX: Final = 100
NO: Final = refusals(401, 403, 404, 422)

Side = Literal["ride", "withdraw"]


class ChoiceWorth(BaseModel):
    """What a choice is worth on average, in units of one bet and in cents at this stake."""

    choice: Side
    units: Exact
    units_text: str
    cents: Exact
    text: str


class DueChoice(BaseModel):
    """A choice that is due: what each side of it is worth, and the line of the rule list that covers it."""

    bet: Literal[1, 2]
    stake_cents: int
    cards: list[str]
    community: list[str]
    holding: str
    best: Side
    even: bool = Field(description="Whether both choices are worth the same.")
    rule: str | None = Field(description="The rule that lets it ride; null: no rule does, so it is taken back.")
    rules: list[str]
    choices: list[ChoiceWorth]
    gain_cents: Exact = Field(description="What letting it ride wins beyond taking it back.")
    gain_text: str
    convention: str


class AdviceTold(BaseModel):
    """Advice for somebody's own seat; where there is nothing to decide, a sentence."""

    table: str
    version: int
    seat: int | None
    decision: DueChoice | None
    sentence: str | None


class ChoiceMadeTold(BaseModel):
    """A choice that was made; nothing is said of one that was made without looking at the cards."""

    bet: Literal[1, 2]
    chosen: Side
    best: Side | None
    even: bool
    stake_cents: int
    cards: list[str]
    community: list[str]
    holding: str | None
    rule: str | None
    cost_cents: Exact | None
    cost_text: str | None


class RoundReviewed(BaseModel):
    """One round of somebody's: its result, what such bets come to on average, and what his mistakes gave away."""

    round: int
    ended_ms: int
    result_cents: int
    expected_cents: Exact = Field(description="With the best play, before a card is dealt; all wagers together.")
    variance: float = Field(description="Of the result, in cents squared.")
    mistakes_cents: Exact
    decisions: list[ChoiceMadeTold]


class Reviewed(BaseModel):
    """Somebody's own rounds at a table, the first one first; rounds that were not played out are left out."""

    table: str
    rounds: list[RoundReviewed]
    through: int = Field(description="The last round that was looked at: ask on with after=…")


@router.get("/advice", responses=NO)
async def advice(house: TheHouse, history: TheHistory, person: Somebody, table_id: TableId) -> AdviceTold:
    """What each choice of one's own seat is worth now, from what that seat sees; not where the book forbids advice."""
    table = await _table(house, history, table_id)
    _check_allowed(table.rules)
    return AdviceTold.model_validate(await asyncio.to_thread(_told, table_id, table, person.name))


async def _table(house: House, history: TheHistory, table_id: str) -> Table:
    """Return a table as it is now, whichever server plays it."""
    room = house.rooms.get(table_id)
    if room is not None and not room.host.lost:
        return room.table
    past = await history.of(table_id)
    return (await history.walk(past.present))[0]


def _check_allowed(rules: TableRules) -> None:
    if not rules.rules.coach:
        raise HTTPException(403, f"expected a table whose book allows advice, got one by {rules.book.id}")


def _told(table_id: str, table: Table, name: str) -> dict[str, Any]:
    seat = next((number for number, one in table.seats.items() if one.player == name), 0)
    decision = decision_of(table, seat) if seat else None
    none = None if decision else why_none(table, seat) if seat else "You do not sit at this table."
    return {
        "table": table_id,
        "version": table.version,
        "seat": seat or None,
        "decision": decision.as_data() if decision else None,
        "sentence": none,
    }


@router.get("/coach", responses=NO)
async def reviewed(
    *,
    request: Request,
    history: TheHistory,
    person: Somebody,
    table_id: TableId,
    after: Annotated[int | None, Query(ge=0, le=NUMBER_MAX, description="Rounds after this number.")] = None,
    limit: Annotated[int, Query(ge=1, le=ROUNDS_MAX, description="How many rounds of the table to look at.")] = 50,
) -> Reviewed:
    """One's own last rounds at a table, or those after a number: results, expectations, and what mistakes have cost."""
    not_too_often(request, "reviews_of", person.name)
    past = await history.of(table_id)
    _check_allowed(past.opened_by)
    found, through = await history.walk(partial(_rounds, past, person.name, after, limit))
    return Reviewed.model_validate({"table": table_id, "rounds": found, "through": through})


def _rounds(past: Past, name: str, after: int | None, limit: int) -> tuple[list[dict[str, Any]], int]:
    last = past.last_round()
    first = max(last - limit, 0) if after is None else min(after, last)
    end = min(first + limit, last)
    told = [review(one, name) for one in past.rounds(first + 1, end)] if end > first else []
    return [one for one in told if one is not None], end
