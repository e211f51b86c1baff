"""History: rounds that were played at a table, in short, step by step, as records, and as files of settled wagers."""

from __future__ import annotations

from dataclasses import dataclass, fields
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import Annotated, Final, Literal, cast

import msgspec
from fastapi import APIRouter, Depends, HTTPException, Path, Query, Response
from fastapi.responses import PlainTextResponse, StreamingResponse
from pydantic import BaseModel, Field
from starlette.requests import HTTPConnection

from letitride.errors import MissingData
from letitride.extras import MissingExtra
from letitride.records.exported import Exported, NoShortRecord, record_of
from letitride.records.rounds import PlayedRound
from letitride.records.settled import settled
from letitride.reports.data.exports import MEDIA_TYPES, WRITERS, Format, check_format
from letitride.server.net.access import ANYWHERE, CurrentPerson, Inspector, refusals
from letitride.server.tables.history import History, RoundHistory, RoundSummary, StepView
from letitride.storage.past import Past

router = APIRouter(prefix="/api/tables/{table_id}", tags=["history"], responses=ANYWHERE)

ROUNDS_MAX: Final = 50
STEPS_MAX: Final = 500
WHOLE_MAX: Final = 200
"""A round that cannot be told by itself is told with all before it, up to this one; beyond, by command line."""
NUMBER_MAX: Final = 2**53

_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)


class Rounds(BaseModel):
    """Rounds of a table, the latest first."""

    table: str
    recall: Literal[True] = Field(True, description="Recall: the past, not the table as it is now.")
    rounds: list[RoundSummary]
    next_before: int | None = Field(description="For older rounds ask again with before=…; null: there are none.")


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundSteps(RoundSummary):
    """A round step by step."""

    table: str
    recall: Annotated[Literal[True], Field(description="Recall: the past, not the table as it is now.")] = True
    steps: list[StepView]
    next_after: Annotated[
        int | None, Field(description="For later steps ask again with after=…; null: there are none.")
    ]


def the_history(connection: HTTPConnection) -> History:
    """Return the history of the house that is asked."""
    return cast("History", connection.app.state.history)


TheHistory = Annotated[History, Depends(the_history)]
TableId = Annotated[str, Path(max_length=200)]
RoundNumber = Annotated[int, Path(ge=1, le=NUMBER_MAX)]
RoleAsked = Annotated[str, Query(max_length=32, description="For staff: the role whose view is asked for.")]
From = Annotated[datetime | None, Query(alias="from", description="The first moment, ISO 8601; UTC where it is bare.")]
To = Annotated[datetime | None, Query(description="The moment before which it ends.")]
MISSING: Final = refusals(404, 422)
PLAYER: Final = refusals(401, 404, 422)
STAFF: Final = refusals(401, 403, 404, 422)


def span_ms(first: datetime | None, end: datetime | None) -> tuple[int, int]:
    """Return a time in milliseconds since 1970; from the beginning and to the end where nothing is said."""
    return (0 if first is None else _ms(first)), (NUMBER_MAX if end is None else _ms(end))


def _ms(moment: datetime) -> int:
    aware = moment if moment.tzinfo is not None else moment.replace(tzinfo=UTC)
    return (aware - _EPOCH) // timedelta(milliseconds=1)


@router.get("/rounds", responses=PLAYER)
async def rounds(
    *,
    history: TheHistory,
    person: CurrentPerson,
    table_id: TableId,
    before: Annotated[int | None, Query(ge=1, le=NUMBER_MAX, description="Rounds before this number.")] = None,
    limit: Annotated[int, Query(ge=1, le=ROUNDS_MAX)] = 10,
    role: RoleAsked = "",
) -> Rounds:
    """The last rounds of a table that are over, or those before a number, each as this person may know it."""
    past, teller = await history.of(table_id), RoundHistory(person, role)
    found = await history.run_reading(partial(_page, past, teller, before, limit))
    lowest = found[-1].round if found else 1
    return Rounds(table=table_id, recall=True, rounds=found, next_before=lowest if lowest > 1 else None)


def _page(past: Past, teller: RoundHistory, before: int | None, limit: int) -> list[RoundSummary]:
    """Return rounds in short, the latest first."""
    end = min(before - 1 if before is not None else NUMBER_MAX, past.last_round())
    first = max(end - limit + 1, 1)
    return [teller.summary(one) for one in past.rounds(first, end)][::-1] if end else []


@router.get("/rounds/{number}", responses=PLAYER, response_model=RoundSteps)
async def round_steps(
    *,
    history: TheHistory,
    person: CurrentPerson,
    table_id: TableId,
    number: RoundNumber,
    after: Annotated[int, Query(ge=0, le=NUMBER_MAX, description="Steps after this row.")] = 0,
    limit: Annotated[int, Query(ge=1, le=STEPS_MAX)] = STEPS_MAX,
    role: RoleAsked = "",
) -> Response:
    """A round step by step, each with the view you had then; of a round in play, what you have seen."""
    past, teller = await history.of(table_id), RoundHistory(person, role)

    def told() -> bytes:
        one = _round(past, number)
        steps, further = teller.steps(one, after, limit)
        summary = teller.summary(one)
        about = {field.name: getattr(summary, field.name) for field in fields(summary)}
        return msgspec.json.encode(RoundSteps(**about, table=table_id, steps=steps, next_after=further))

    return Response(await history.run_reading(told), media_type="application/json")


def _round(past: Past, number: int) -> PlayedRound:
    found = next(past.rounds(number, number, running=True), None)
    if found is None:
        raise MissingData(f"expected a round that was played at this table, got {number}")
    return found


@router.get(
    "/rounds/{number}/record",
    responses={**STAFF, **refusals(409), 200: {"content": {"text/plain": {}}}},
    response_class=Response,
)
async def round_record(history: TheHistory, _: Inspector, table_id: TableId, number: RoundNumber) -> Response:
    """A round that is over as a record, deck and all, for those who run the table; `letitride replay` plays it."""
    past = await history.of(table_id)

    def record() -> Exported:
        one = _round(past, number)
        if one.status == "running":
            raise HTTPException(409, f"expected a round that is over, got round {number}, which is not")
        if one.moments[-1].after.unmixed and past.last_round() < number + 2:
            raise HTTPException(409, f"expected a round whose deck was mixed again, got round {number}, still in use")
        return record_of(one, past.moments if number <= WHOLE_MAX else None)

    try:
        found = await history.run_reading(record)
    except NoShortRecord as error:
        raise HTTPException(409, f"{error}; 'letitride export --format records' writes it") from None
    return PlainTextResponse(found.text, headers={"X-Record-Form": found.form})


@router.get(
    "/export",
    responses={**STAFF, **refusals(501), 200: {"content": {name: {} for name in MEDIA_TYPES.values()}}},
    response_class=Response,
)
async def export(
    *,
    history: TheHistory,
    _: Inspector,
    table_id: TableId,
    file_format: Annotated[Format, Query(alias="format")] = "jsonl",
    first: From = None,
    to: To = None,
) -> Response:
    """Every settled wager of the rounds that ended within a time, for those who run the table."""
    try:
        check_format(file_format)
    except MissingExtra as error:
        raise HTTPException(501, str(error)) from None
    past = await history.of(table_id)
    pieces = WRITERS[file_format](settled(table_id, past.rounds_between(*span_ms(first, to))))
    name = "".join(sign if sign.isascii() and sign.isalnum() else "-" for sign in table_id)
    shown = {"Content-Disposition": f'attachment; filename="{name}.{file_format}"'}
    return StreamingResponse(history.stream(pieces), media_type=MEDIA_TYPES[file_format], headers=shown)
