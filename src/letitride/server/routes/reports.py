"""Reports: the shift report of a table, for those who run it."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec
from fastapi import APIRouter, HTTPException, Query, Response
from pydantic import BaseModel

from letitride.analysis.exact import Exact
from letitride.reports.shift.figures import as_data, shift_report
from letitride.server.net.access import Inspector, TheHouse
from letitride.server.routes.history import STAFF, From, TableId, TheHistory, To, span_ms

router = APIRouter(prefix="/api/tables/{table_id}", tags=["reports"])

MEDIA_TYPES = {"json": "application/json", "html": "text/html", "pdf": "application/pdf", "text": "text/plain"}


class WagerFigures(BaseModel):
    """One wager in figures."""

    wager: str
    bets: int
    placed_cents: int
    handle_cents: int
    paid_cents: int
    win_cents: int


class TheoryFigures(BaseModel):
    """Win beside its exact expectation, at best play and as the hands were played."""

    hands_judged: int
    hands_needed: int
    win_judged_cents: int
    expected_win_cents: Exact
    by_wager: dict[str, Exact]
    standard_deviation_cents: float
    bands_cents: dict[str, tuple[float, float]]
    z: float | None
    decisions: int
    mistakes: int
    given_away_cents: Exact
    expected_win_as_played_cents: Exact
    bands_as_played_cents: dict[str, tuple[float, float]]
    z_as_played: float | None


class RulingFigures(BaseModel):
    """What was ruled, how often in the same words, and when; or one order, and when."""

    name: str
    count: int
    sentence: str
    clauses: list[str]
    at_ms: list[int]


class DisputeFigures(BaseModel):
    """Complaints and what became of them."""

    raised: int
    upheld: int
    rejected: int


class AccountFigures(BaseModel):
    """The accounts of the table before and after."""

    before_cents: dict[str, int]
    after_cents: dict[str, int]


class ShiftFigures(BaseModel):
    """What happened at a table within a time, in figures; `conventions` says what each means."""

    kind: str
    format: int
    table: str
    from_ms: int | None
    to_ms: int | None
    first_ms: int | None
    last_ms: int | None
    rulebooks: list[str]
    paytables: dict[str, str]
    banked_by: str
    rounds: int
    void_rounds: int
    rounds_with_irregularities: int
    hands: int
    players: int
    placed_cents: int
    handle_cents: int
    average_base_bet: Exact | None
    drop_cents: int
    purchases: int
    cashed_out_cents: int
    vouchers_cents: int
    win_cents: int
    forfeited_cents: int
    fees_cents: int
    awards_cents: int
    hold_of_drop: Exact | None
    hold_of_handle: Exact | None
    wagers: list[WagerFigures]
    theory: TheoryFigures
    irregularities: list[RulingFigures]
    orders: list[RulingFigures]
    disputes: DisputeFigures
    accounts: AccountFigures
    tray_change_cents: int
    tray_change_of_rounds_on_the_edges_cents: int
    zero_sum: bool
    conventions: dict[str, str]


_ANSWERS: dict[int | str, dict[str, Any]] = {
    **STAFF,
    200: {"content": {name: {} for kind, name in MEDIA_TYPES.items() if kind != "json"}},
}


@router.get("/shift", responses=_ANSWERS, response_model=ShiftFigures)
async def shift(
    *,
    house: TheHouse,
    history: TheHistory,
    _: Inspector,
    table_id: TableId,
    first: From = None,
    to: To = None,
    file_format: Annotated[Literal["json", "html", "pdf", "text"], Query(alias="format")] = "json",
) -> Response:
    """Handle, drop, win and hold of a table within a time beside exact theory, and everything irregular."""
    past = await history.of(table_id)
    from_ms, to_ms = span_ms(first, to)
    if from_ms >= to_ms:
        raise HTTPException(422, "expected a time that ends after it begins, got one that does not")

    def made() -> bytes:
        edges = (from_ms if first is not None else None, to_ms if to is not None else None)
        found = shift_report(table_id, past.rounds_touching(from_ms, to_ms), *edges)
        if file_format == "json":
            return msgspec.json.encode(as_data(found))
        # What draws and sets a report is loaded only for one.
        from letitride.reports.paper import html, pdf, text  # noqa: PLC0415 - slow to load
        from letitride.reports.shift import page as shift_page  # noqa: PLC0415 - slow to load

        page = shift_page.page(found, house.stores.tables.get(table_id).name, house.clock_ms())
        if file_format == "text":
            return text.as_text(page).encode()
        return pdf.as_pdf(page) if file_format == "pdf" else html.as_html(page)

    return Response(await history.walk(made), media_type=MEDIA_TYPES[file_format])
