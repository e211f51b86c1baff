"""Reports: the shift report of a table, for those who run it."""

from __future__ import annotations

from typing import Annotated, Literal

from fastapi import APIRouter, HTTPException, Query, Response

from letitride.reports.shift.data import ShiftFigures, shift_figures
from letitride.reports.shift.figures import shift_report
from letitride.rules.plain import encoded
from letitride.server.net.access import ANYWHERE, Inspector, Responses, TheHouse
from letitride.server.routes.history import STAFF, From, TableId, TheHistory, To, span_ms

router = APIRouter(prefix="/api/tables/{table_id}", tags=["reports"], responses=ANYWHERE)

MEDIA_TYPES = {"json": "application/json", "html": "text/html", "pdf": "application/pdf", "text": "text/plain"}


_ANSWERS: Responses = {
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
            return encoded(shift_figures(found))
        # What draws and sets a report is loaded only for one.
        from letitride.reports.paper import html, pdf, text  # noqa: PLC0415 - slow to load
        from letitride.reports.shift import page as shift_page  # noqa: PLC0415 - slow to load

        page = shift_page.page(found, house.stores.tables.get(table_id).name, house.clock_ms())
        if file_format == "text":
            return text.as_text(page).encode()
        return pdf.as_pdf(page) if file_format == "pdf" else html.as_html(page)

    return Response(await history.run_reading(made), media_type=MEDIA_TYPES[file_format])
