"""Pit: all tables of the house over a gaming day or a month, for those who run them; it changes nothing."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query, Response

from letitride.reports.pit.day_data import PitReport
from letitride.reports.pit.ratings_file import as_csv
from letitride.server.net.access import ANYWHERE, Inspector, TheHouse, refusals
from letitride.server.ops.pit_days import report_of
from letitride.server.routes.history import TheHistory

router = APIRouter(prefix="/api/pit", tags=["reports"], responses=ANYWHERE)
Asked = Annotated[str, Query(max_length=10)]


@router.get("", responses=refusals(401, 403, 422))
async def pit(house: TheHouse, history: TheHistory, _: Inspector, day: Asked = "", month: Asked = "") -> PitReport:
    """A gaming day (2026-03-08), a month (2026-03), or today: every table, dealers, incident log, ratings."""
    return await history.run_reading(lambda: report_of(house.stores, house.days, day, month, house.clock_ms()))


@router.get(
    "/ratings",
    responses={**refusals(401, 403, 422), 200: {"content": {"text/csv": {}}}},
    response_class=Response,
)
async def ratings(
    house: TheHouse, history: TheHistory, person: Inspector, day: Asked = "", month: Asked = ""
) -> Response:
    """The ratings of a gaming day or a month as CSV for a player-tracking system, amounts in dollars."""
    report = await pit(house, history, person, day, month)
    shown = {"Content-Disposition": f'attachment; filename="ratings-{report.day}.csv"'}
    return Response(as_csv(report), media_type="text/csv; charset=utf-8", headers=shown)
