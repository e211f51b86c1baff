"""Par: paytables and rule books as they are published, and what paytables are worth exactly, also edited ones."""

from __future__ import annotations

from functools import lru_cache
from typing import Annotated, Final, Literal

from fastapi import APIRouter, Path, Query, Request, Response
from pydantic import BaseModel, Field

from letitride.analysis.par import sheets
from letitride.errors import InvalidData, MissingData
from letitride.reports.par.sheets import ParSheets, par_sheet
from letitride.rules import catalog
from letitride.rules.explain import BookInFull, BookSummary, in_full, summary
from letitride.rules.paytable_file import read_paytable
from letitride.rules.paytables import Paytable, PaytableData
from letitride.rules.plain import encoded
from letitride.rules.refs import split_variants
from letitride.rules.table_rules import offered_wagers
from letitride.rules.wager_table import PUBLISHED
from letitride.rules.words import one_of, show_value
from letitride.server.net.access import ANYWHERE, check_rate, refusals
from letitride.server.routes.history import MISSING
from letitride.server.runtime.pricing import run_drawing, run_pricing

router = APIRouter(prefix="/api", tags=["par"], responses=ANYWHERE)

SHEETS_KEPT: Final = 128
PAPERS_KEPT: Final = 32
PAY_MAX: Final = 10**9

Ties = Literal["withdraw", "ride"]
Ref = Annotated[str, Path(max_length=100)]
TiesAsked = Annotated[Ties, Query(description="A decision worth nothing: withdraw, as in the documents, or ride.")]
Pay = Annotated[int, Field(ge=0, le=PAY_MAX)] | Annotated[str, Field(max_length=20)]


class EditedWager(BaseModel):
    """What a wager shall pay: hands by name (royal_flush …), each a whole number, a fraction like 3/2, or seven."""

    award: Literal["to_one", "total_award"]
    pays: Annotated[dict[str, Pay | Annotated[list[Pay], Field(max_length=7)]], Field(min_length=1, max_length=20)]


class EditedPaytable(BaseModel):
    """A paytable of your own."""

    id: str = Field("edited", max_length=64)
    title: str = Field("An edited paytable", max_length=200)
    ties: Ties = "withdraw"
    wagers: dict[str, EditedWager] = Field(min_length=1, max_length=len(PUBLISHED))

    def table(self) -> Paytable:
        """Return it as a paytable, or say in a sentence why it cannot be one."""
        for name in self.wagers:
            if name not in PUBLISHED:
                raise InvalidData(f"the paytable: wagers: expected {one_of(PUBLISHED)}, got {show_value(name)}")
        wagers = {name: pays.model_dump() for name, pays in self.wagers.items()}
        return read_paytable({"id": self.id, "title": self.title, **wagers}, "the paytable")


@router.get("/paytables")
async def paytables() -> list[PaytableData]:
    """Every published paytable."""
    return [catalog.paytable(one).as_data() for one in catalog.paytable_ids()]


@router.get("/paytables/{ref}", responses=MISSING)
async def paytable(ref: Ref) -> PaytableData:
    """One published paytable."""
    return published(ref).as_data()


def published(ref: str) -> Paytable:
    """Return a published paytable."""
    if ref not in catalog.paytable_ids():  # never a path: what lies on this machine is kept from clients
        raise MissingData(f"expected the id of a published paytable, got {ref!r}")
    return catalog.paytable(ref)


@router.get("/rulebooks")
async def rulebooks() -> list[BookSummary]:
    """Every published rule book in short."""
    return [summary(catalog.rulebook(one)) for one in catalog.rulebook_ids()]


@router.get("/rulebooks/{ref}", responses=MISSING)
async def rulebook(ref: Ref) -> BookInFull:
    """One published rule book, or a variant of it (id+variant), key by key with its clauses."""
    return await run_pricing(lambda: _book_data(known_book(ref)))


def known_book(ref: str) -> str:
    """Return the id of a published rule book, or of a variant of one."""
    if not ref.isprintable() or split_variants(ref)[0] not in catalog.rulebook_ids():
        raise MissingData(f"expected the id of a published rule book, got {ref!r}")
    catalog.rulebook(ref)  # refuses a variant that it does not have
    return ref


@lru_cache(64)
def _book_data(ref: str) -> BookInFull:
    return in_full(catalog.rulebook(ref))


@router.get("/par/{ref}.pdf", responses={**MISSING, 200: {"content": {"application/pdf": {}}}}, response_class=Response)
async def par_pdf(ref: Ref, ties: TiesAsked = "withdraw") -> Response:
    """The par sheets of a paytable or a rule book as PDF."""
    tables = tuple(_tables(ref))
    made = await run_drawing(lambda: _paper(tables, ties))
    return Response(made, media_type="application/pdf")


@router.get("/par/{ref}", responses=MISSING, response_model=ParSheets)
async def par(ref: Ref, ties: TiesAsked = "withdraw") -> Response:
    """The exact figures of a paytable, or of all paytables in force by a rule book."""
    tables = tuple(_tables(ref))
    found = await run_pricing(lambda: _sheets(ref, tables, ties))
    return Response(found, media_type="application/json")


@router.post("/par", response_model=ParSheets, responses=refusals(400, 422))
async def par_of_edited(request: Request, edited: EditedPaytable) -> Response:
    """The exact figures of a paytable of your own."""
    check_rate(request, "pars_from")
    found = await run_pricing(lambda: _edited(edited))
    return Response(found, media_type="application/json")


def _edited(edited: EditedPaytable) -> bytes:
    table = edited.table()
    try:
        return encoded(ParSheets(of=table.id, sheets=(par_sheet(table, sheets(table, edited.ties), edited.ties),)))
    except OverflowError:
        raise InvalidData("expected pays of a reasonable size, got larger ones") from None


def _tables(ref: str) -> tuple[str, ...]:
    """Return the ids of the paytables that are meant: one, or those in force by a book."""
    if ref in catalog.paytable_ids():
        return (ref,)
    try:
        book = catalog.table_book(known_book(ref))
    except MissingData:
        raise MissingData(f"expected the id of a published paytable or rule book, got {ref!r}") from None
    offered = [wager for wager in offered_wagers(book) if not wager.priced_with]
    return tuple(dict.fromkeys(book.rules.wagers[wager.id].paytable for wager in offered))


@lru_cache(SHEETS_KEPT)
def _sheets(ref: str, tables: tuple[str, ...], ties: Ties) -> bytes:
    found = tuple(par_sheet(table, sheets(table, ties), ties) for table in map(catalog.paytable, tables))
    return encoded(ParSheets(of=ref, sheets=found))


@lru_cache(PAPERS_KEPT)
def _paper(tables: tuple[str, ...], ties: Ties) -> bytes:
    # What draws and sets a report is loaded only for one.
    from letitride.reports.paper.pdf import as_pdf  # noqa: PLC0415 - slow to load
    from letitride.reports.par.document import catalogue_report, table_report  # noqa: PLC0415 - slow to load

    found = [(table, sheets(table, ties)) for table in map(catalog.paytable, tables)]
    return as_pdf(table_report(found[0], ties) if len(found) == 1 else catalogue_report(found, ties))
