"""Tray: the chip tray of a table: opener, fills, credits, counts and closer, with their slips; it moves no money."""

from __future__ import annotations

from typing import Annotated, Final, Literal, cast

from fastapi import APIRouter, Depends, Path, Query, Response
from pydantic import BaseModel, ConfigDict, Field
from starlette.requests import HTTPConnection

from letitride.errors import MissingData
from letitride.ledger.tray import Result, Slip, SlipKind
from letitride.server.net.access import ANYWHERE, Inspector, Responses, Supervisor, TheHouse, refusals
from letitride.server.ops.trays import SlipWish, Standing, Trays

router = APIRouter(prefix="/api/tables/{table_id}/tray", tags=["tray"], responses=ANYWHERE)
NUMBER_MAX: Final = 2**31
CENTS_MAX: Final = 2**53
MEDIA_TYPES: Final = {"html": "text/html", "pdf": "application/pdf", "text": "text/plain"}
NO: Final = refusals(401, 403, 404, 409)
_PAPER: Final[Responses] = {**refusals(401, 404), 200: {"content": {name: {} for name in MEDIA_TYPES.values()}}}

TableId = Annotated[str, Path(max_length=200)]
Name = Annotated[str, Field(max_length=80)]
Cents = Annotated[int, Field(ge=-CENTS_MAX, le=CENTS_MAX)]
Denominations = Annotated[dict[int, Cents], Field(max_length=64)]


class SlipTold(BaseModel):
    """A slip of a tray: numbered, never changed."""

    number: int
    kind: SlipKind
    at_ms: int
    row: int = Field(description="The last row of the table's journal when it was written.")
    chips: dict[int, int] = Field(description="Cents by denomination; of a color-up the chips that came in.")
    out: dict[int, int] = Field(description="The chips that a color-up gave for them.")
    cents: int
    entered_by: str
    asked_by: str | None
    brought_by: str | None
    received_by: str | None
    counted_by: str | None
    approved_by: str | None
    why: str | None


class TrayResult(BaseModel):
    """A tray at its last count of the whole: closer + drop + credits - opener - fills, and the ledger's word."""

    closed: bool
    opener_cents: int
    fills_cents: int
    credits_cents: int
    counted_cents: int = Field(description="The closer; of a tray in use its last count.")
    expected_cents: int = Field(description="What should have been counted, by the ledger.")
    tray_difference_cents: int
    drop_cents: int = Field(description="As counted in the box; where it was not counted, what players paid.")
    drop_counted_cents: int | None
    drop_ledger_cents: int
    drop_difference_cents: int
    result_cents: int
    result_ledger_cents: int
    difference_cents: int = Field(description="The sum of what tray and box differ by.")


class TrayTold(BaseModel):
    """A table's last tray, as it stands; `tray`, `version` and `row` go with the next slip."""

    table: str
    tray: int = Field(description="Its number; 0: there was none.")
    version: int
    row: int
    open: bool
    rack: list[int] = Field(description="Its denominations in cents, the highest first.")
    expected_cents: int | None = Field(description="What should lie in it now, by the ledger; null: none is open.")
    slips: list[SlipTold]
    result: TrayResult | None


class SlipAsked(BaseModel):
    """A slip to write, with the tray as you saw it."""

    model_config = ConfigDict(extra="forbid")

    kind: SlipKind
    tray: Annotated[int, Field(ge=0, le=NUMBER_MAX)]
    version: Annotated[int, Field(ge=0, le=NUMBER_MAX)]
    row: Annotated[int, Field(ge=0, le=CENTS_MAX)]
    chips: Denominations = {}
    out: Denominations = {}
    box_cents: Cents | None = Field(None, description="What was in the drop box; with a drop count alone.")
    asked_by: Name = ""
    brought_by: Name = ""
    received_by: Name = ""
    counted_by: Name = Field("", description="The second person at a count.")
    why: Annotated[str, Field(max_length=200)] = ""


class RackAsked(BaseModel):
    """The denominations of a table's trays, from its next opener on."""

    model_config = ConfigDict(extra="forbid")

    denominations_cents: Annotated[list[Cents], Field(max_length=64)]


def the_trays(connection: HTTPConnection) -> Trays:
    """Return the trays of the house that is asked."""
    return cast("Trays", connection.app.state.trays)


TheTrays = Annotated[Trays, Depends(the_trays)]


@router.get("", responses=refusals(401, 404))
async def tray(trays: TheTrays, table_id: TableId, _: Inspector) -> TrayTold:
    """A table's last tray: its slips, what should lie in it, and its result beside the ledger's."""
    return _told(await trays.standing(table_id))


@router.post("", responses=NO, status_code=201)
async def write_slip(trays: TheTrays, table_id: TableId, person: Supervisor, asked: SlipAsked) -> SlipTold:
    """Write a slip; a count during which chips moved, or after another slip, is refused."""
    wish = SlipWish(**asked.model_dump())
    return _slip(await trays.write(table_id, wish, person))


@router.put("/rack", responses=refusals(401, 404))
async def set_rack(trays: TheTrays, table_id: TableId, person: Supervisor, asked: RackAsked) -> list[int]:
    """Set the denominations of a table's trays, from its next opener on."""
    return list(await trays.set_rack(table_id, asked.denominations_cents, person))


@router.get("/{number}/slips/{slip}", responses=_PAPER, response_class=Response)
async def print_slip(
    *,
    house: TheHouse,
    trays: TheTrays,
    table_id: TableId,
    number: Annotated[int, Path(ge=1, le=NUMBER_MAX)],
    slip: Annotated[int, Path(ge=1, le=NUMBER_MAX)],
    _: Inspector,
    file_format: Annotated[Literal["html", "pdf", "text"], Query(alias="format")] = "html",
) -> Response:
    """A slip to print, with lines to sign on."""
    found = await trays.find(table_id, number)
    one = next((one for one in found.slips if one.number == slip), None)
    if one is None:
        raise MissingData(f"expected a slip of tray {number}, got {slip}")
    # What draws and sets a report is loaded only for one.
    from letitride.reports.paper import html, pdf, text  # noqa: PLC0415 - slow to load
    from letitride.reports.pit.slip import slip_page  # noqa: PLC0415 - likewise

    page = slip_page(found, one, house.stores.tables.get(table_id).name, house.days)
    if file_format == "text":
        body = text.as_text(page).encode()
    else:
        body = pdf.as_pdf(page) if file_format == "pdf" else html.as_html(page)
    return Response(body, media_type=MEDIA_TYPES[file_format])


def _told(found: Standing) -> TrayTold:
    tray = found.kept.tray if found.kept is not None else None
    return TrayTold(
        table=found.table,
        tray=tray.number if tray is not None else 0,
        version=found.kept.version if found.kept is not None else 0,
        row=found.row,
        open=tray is not None and tray.closer is None,
        rack=list(found.rack),
        expected_cents=found.expected_cents,
        slips=[_slip(one) for one in tray.slips] if tray is not None else [],
        result=result_told(found.result) if found.result is not None else None,
    )


def result_told(found: Result) -> TrayResult:
    """Return the result of a tray for programs."""
    return TrayResult(**{name: getattr(found, name) for name in TrayResult.model_fields})


def _slip(one: Slip) -> SlipTold:
    return SlipTold(
        number=one.number,
        kind=one.kind,
        at_ms=one.at_ms,
        row=one.row,
        chips=one.chips,
        out=one.out,
        cents=one.cents,
        entered_by=one.entered_by,
        asked_by=one.asked_by or None,
        brought_by=one.brought_by or None,
        received_by=one.received_by or None,
        counted_by=one.counted_by or None,
        approved_by=one.approved_by or None,
        why=one.why or None,
    )
