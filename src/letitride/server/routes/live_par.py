"""Live par: a paytable somebody edits, priced as he types, compared with a published one, and as a sheet to keep."""

from __future__ import annotations

from typing import Annotated, Final, Literal

import msgspec
from fastapi import APIRouter, Query, Request, Response
from pydantic import BaseModel, Field

from letitride.analysis.caps import Capped, Scope, cap
from letitride.analysis.par import sheets
from letitride.errors import InvalidData
from letitride.reports.par.live import live_data
from letitride.reports.par.sheets import sheet_data
from letitride.rules.paytables import Paytable, Wager, pays_of
from letitride.server.net.access import not_too_often, refusals
from letitride.server.routes.par import EditedPaytable, Exact, published
from letitride.server.runtime.pricing import drawn, priced

router = APIRouter(prefix="/api/par", tags=["par"])

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
    """A paytable somebody edits, and what he wants to know of it."""

    against: str = Field("", max_length=64, description="The id of a published paytable to compare with.")
    maximum: Maximum | None = None


class LiveFigure(BaseModel):
    """One figure: rounded, exact where it is a fraction, what it means, and what it was in the other table."""

    name: str
    words: str
    text: str
    value: float
    exact: str | None
    convention: str
    before: str | None
    change: str | None = Field(description="Null where it is printed alike, or there is nothing to compare with.")


class LiveLine(BaseModel):
    """One hand of one wager: what it pays, how often it comes, and what it adds to the result of a unit bet."""

    category: str
    pay: str | None
    pay_before: str | None
    combinations: int
    probability: Exact
    odds: str
    result: Exact
    result_text: str


class LiveNet(BaseModel):
    """A result of a round in units of one bet, and how often it comes."""

    net: str
    value: float
    cases: int
    probability: Exact
    text: str


class LiveWager(BaseModel):
    """One wager; Cover All for one number of hands."""

    wager: Wager
    hands: int | None
    heading: str
    figures: list[LiveFigure]
    lines: list[LiveLine]
    distribution: list[LiveNet]
    distribution_before: list[LiveNet] | None = Field(description="Of the other table, where it is another one.")
    remarks: list[str]


class LiveClass(BaseModel):
    """A class of cards, what letting the bet ride wins with it per unit, and whether it rides now and rode before."""

    name: str
    words: str
    hands: int
    frequency: Exact
    rides: bool
    rode: bool | None
    value: Exact
    text: str


class LiveBet(BaseModel):
    """The best play of one bet: ride with any of the rules, otherwise take it back."""

    rules: list[str]
    new_rules: list[str]
    gone_rules: list[str]
    classes: list[LiveClass]
    changed: list[LiveClass]


class LiveStrategy(BaseModel):
    """The best play of the base game."""

    bet1: LiveBet
    bet2: LiveBet


class LiveChange(BaseModel):
    """A class of cards that is played otherwise because of the maximum payout."""

    bet: int
    words: str
    rode: bool
    now: str


class LiveCapped(Maximum):
    """The base game under a maximum payout, beside the same without one."""

    figures: list[LiveFigure]
    changed: list[LiveChange]


class LivePar(BaseModel):
    """Everything about a paytable that somebody edits."""

    id: str
    title: str
    sha256: str
    published: str | None = Field(description="The published paytable that pays just the same, if there is one.")
    against: str | None
    ties: Literal["withdraw", "ride"]
    wagers: list[LiveWager]
    strategy: LiveStrategy | None
    capped: LiveCapped | None


@router.post("/live", response_model=LivePar, responses=refusals(400, 404, 422))
async def live(request: Request, wanted: PricedPaytable) -> Response:
    """Everything exact about a paytable: figures, best play, distribution, and what is new against a published one."""
    not_too_often(request, "pars_from")
    return Response(await priced(lambda: _live(wanted)), media_type="application/json")


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
    not_too_often(request, "papers_from")
    made = await drawn(lambda: _file(wanted, file_format))
    name = "".join(sign if sign.isascii() and sign.isalnum() else "-" for sign in wanted.id)
    shown = {"Content-Disposition": f'attachment; filename="par-{name}.{file_format}"'}
    return Response(made, media_type=MEDIA_TYPES[file_format], headers=shown)


def _live(wanted: PricedPaytable) -> bytes:
    against = published(wanted.against).id if wanted.against else ""
    table = wanted.table()
    try:
        return msgspec.json.encode(live_data(table, wanted.ties, against, _capped(table, wanted)))
    except OverflowError:
        raise InvalidData(TOO_LARGE) from None


def _capped(table: Paytable, wanted: PricedPaytable) -> Capped | None:
    most = wanted.maximum
    if most is None:
        return None
    return cap(pays_of(table, Wager.BASE), most.stake_cents, most.payout_cents_max, most.scope, wanted.ties)


def _file(wanted: PricedPaytable, file_format: str) -> bytes:
    table = wanted.table()
    try:
        found, capped = sheets(table, wanted.ties), _capped(table, wanted)
        if file_format == "json":
            return msgspec.json.format(msgspec.json.encode(sheet_data(table, found, wanted.ties, capped)))
        # What draws and sets a report is loaded only for one.
        from letitride.reports.paper.html import as_html  # noqa: PLC0415 - slow to load
        from letitride.reports.paper.pdf import as_pdf  # noqa: PLC0415 - slow to load
        from letitride.reports.par.document import table_report  # noqa: PLC0415 - slow to load

        report = table_report((table, found), wanted.ties, capped=capped)
        return as_pdf(report) if file_format == "pdf" else as_html(report)
    except OverflowError:
        raise InvalidData(TOO_LARGE) from None
