"""Live par: a paytable you edit, priced as you type, compared with a published one, and as a sheet to keep."""

from __future__ import annotations

from typing import Annotated, Final, Literal

import msgspec
from fastapi import APIRouter, Query, Request, Response
from pydantic import BaseModel, Field

from letitride.analysis.caps import Capped, Scope, cap
from letitride.analysis.par import sheets
from letitride.errors import InvalidData
from letitride.reports.par.live import live_par
from letitride.reports.par.live_data import LivePar
from letitride.reports.par.sheets import par_sheet
from letitride.rules.paytables import Paytable, base_pays
from letitride.rules.plain import encoded
from letitride.server.net.access import ANYWHERE, check_rate, refusals
from letitride.server.routes.par import EditedPaytable, published
from letitride.server.runtime.pricing import run_drawing, run_pricing

router = APIRouter(prefix="/api/par", tags=["par"], responses=ANYWHERE)

CENTS_MAX: Final = 10**12
TOO_LARGE: Final = "expected pays of a reasonable size, got larger ones"
MEDIA_TYPES: Final = {"pdf": "application/pdf", "html": "text/html", "json": "application/json"}

Cents = Annotated[int, Field(ge=1, le=CENTS_MAX)]


class Maximum(BaseModel):
    """A maximum payout of the base game, at a stake of one base bet."""

    stake_cents: Cents
    payout_cents_max: Cents
    scope: Scope = "player_round"


class PricedPaytable(EditedPaytable):
    """A paytable you edit, and what you want to know of it."""

    against: str = Field("", max_length=64, description="The id of a published paytable to compare with.")
    maximum: Maximum | None = None


@router.post("/live", response_model=LivePar, responses=refusals(400, 404, 422))
async def live(request: Request, wanted: PricedPaytable) -> Response:
    """Everything exact about a paytable: figures, best play, distribution, and what differs from a published one."""
    check_rate(request, "pars_from")
    return Response(await run_pricing(lambda: _live(wanted)), media_type="application/json")


@router.post(
    "/file",
    responses={**refusals(400, 404, 422), 200: {"content": {kind: {} for kind in MEDIA_TYPES.values()}}},
    response_class=Response,
)
async def file(
    request: Request,
    wanted: PricedPaytable,
    file_format: Annotated[Literal["pdf", "html", "json"], Query(alias="format")] = "pdf",
) -> Response:
    """The whole par sheet of a paytable as a file."""
    check_rate(request, "papers_from")
    made = await run_drawing(lambda: _file(wanted, file_format))
    name = "".join(sign if sign.isascii() and sign.isalnum() else "-" for sign in wanted.id)
    shown = {"Content-Disposition": f'attachment; filename="par-{name}.{file_format}"'}
    return Response(made, media_type=MEDIA_TYPES[file_format], headers=shown)


def _live(wanted: PricedPaytable) -> bytes:
    against = published(wanted.against).id if wanted.against else ""
    table = wanted.table()
    try:
        return encoded(live_par(table, wanted.ties, against, _capped(table, wanted)))
    except OverflowError:
        raise InvalidData(TOO_LARGE, code="paytable_large") from None


def _capped(table: Paytable, wanted: PricedPaytable) -> Capped | None:
    most = wanted.maximum
    if most is None:
        return None
    return cap(base_pays(table), most.stake_cents, most.payout_cents_max, most.scope, wanted.ties)


def _file(wanted: PricedPaytable, file_format: str) -> bytes:
    table = wanted.table()
    try:
        found, one = sheets(table, wanted.ties), _capped(table, wanted)
        capped = () if one is None else (one,)
        if file_format == "json":
            return msgspec.json.format(encoded(par_sheet(table, found, wanted.ties, capped)))
        # What draws and sets a report is loaded only for one.
        from letitride.reports.paper.html import as_html  # noqa: PLC0415 - slow to load
        from letitride.reports.paper.pdf import as_pdf  # noqa: PLC0415 - slow to load
        from letitride.reports.par.document import table_report  # noqa: PLC0415 - slow to load

        report = table_report((table, found), wanted.ties, capped=capped)
        return as_pdf(report) if file_format == "pdf" else as_html(report)
    except OverflowError:
        raise InvalidData(TOO_LARGE, code="paytable_large") from None
