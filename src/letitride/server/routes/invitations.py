"""Invitations: private tables, and the links that let others in."""

from __future__ import annotations

from typing import Annotated, Final

import msgspec
from fastapi import APIRouter, Request
from pydantic import BaseModel, Field

from letitride.engine import meters
from letitride.errors import InvalidData
from letitride.rules import catalog
from letitride.rules.table_rules import TableRules
from letitride.rules.wager_table import PUBLISHED
from letitride.rules.words import one_of, show_value
from letitride.server.net.access import ANYWHERE, CurrentPerson, TheHouse, check_rate, refusals
from letitride.server.ops.opening import TableRequest, own_values, requested_rules
from letitride.server.runtime.pricing import run_drill
from letitride.server.runtime.table_facts import PrivateFacts
from letitride.server.tables.bots import BOTS_MAX

router = APIRouter(prefix="/api", tags=["private tables"], responses=ANYWHERE)

OWN_TEXT_MAX: Final = 40_000
"""Characters of a text that a player sends along; the longest published book has half as many."""
OWN_TEXTS_MAX: Final = 4
OWN_BOOK: Final = "own_book"
"""The code of what is wrong with a text that a player sent along: the sentence is about the file itself."""

Cents = Annotated[int, Field(ge=1, le=100_000_000)]


class PrivateTable(BaseModel):
    """A table of your own: the book it is played by, its name, and what you want otherwise than the book.

    `rulebook` is the id of a published book, or the name ending in .toml of one of the texts sent along.
    """

    rulebook: str = Field(max_length=64)
    name: str = Field(pattern=r"^\w[\w .'-]{0,39}$")
    limits_cents: tuple[Cents, Cents] | None = Field(None, description="Minimum and maximum of one bet.")
    paytables: dict[str, Annotated[str, Field(max_length=64)]] = Field(
        default_factory=dict, max_length=len(PUBLISHED), description="The paytable of a wager, such as base."
    )
    choice_seconds: float | None = Field(None, ge=5, le=600, description="What a player has for a decision.")
    bots: int = Field(0, ge=0, le=BOTS_MAX, description="How many bots play there.")
    texts: dict[str, Annotated[str, Field(max_length=OWN_TEXT_MAX)]] = Field(
        default_factory=dict, max_length=OWN_TEXTS_MAX, description="A rule book and paytables of your own, as TOML."
    )


class PrivateTableOpened(BaseModel):
    """The id of a table."""

    id: str


class Wish(BaseModel):
    """How many people an invitation lets in, and for how many hours it is good."""

    uses: int = Field(default=6, ge=1, le=50)
    hours: int = Field(default=24, ge=1, le=24 * 14)


class Link(BaseModel):
    """An invitation. It lets in anyone who has it."""

    token: str
    link: str
    """The part after the # is not sent to any server by a browser, nor written to its log."""
    until_ms: int
    uses: int


class TakenBack(BaseModel):
    """How many invitations are void now."""

    invitations: int


@router.post("/private-tables", status_code=201, responses=refusals(401, 422))
async def open_private(
    house: TheHouse, request: Request, person: CurrentPerson, wanted: PrivateTable
) -> PrivateTableOpened:
    """Open a table that only the people you invite can see."""
    if wanted.rulebook not in (known := [*catalog.rulebook_ids(), *wanted.texts]):
        raise InvalidData(f"expected {one_of(known)}, got {show_value(wanted.rulebook)}")
    if house.wallets.has_cashier and (wanted.texts or wanted.paytables or wanted.limits_cents or wanted.bots):
        raise InvalidData(
            "expected a rule book of the house as it is and no bots, since chips are money here, got wishes of your own"
        )
    check_rate(request, "private_tables_from")
    table_id = await house.private.new_table(person)
    rules = await run_drill(lambda: _rules(wanted))
    own = PrivateFacts(owner=person.name, bots=wanted.bots, choice_seconds=wanted.choice_seconds or 0.0)
    await house.open_by(table_id, wanted.name, rules, own=own)
    return PrivateTableOpened(id=table_id)


def _rules(wanted: PrivateTable) -> TableRules:
    """Return the rules of a private table: the book as it is, or with what its owner wants otherwise."""
    values = own_values(wanted.limits_cents, wanted.paytables, {})
    try:
        asked = TableRequest(name=wanted.name, rulebook=wanted.rulebook, values=values, texts=wanted.texts)
        rules = requested_rules(asked, filled=True)
    except (InvalidData, msgspec.MsgspecError) as error:
        if not wanted.texts:
            raise
        raise InvalidData(str(error), code=OWN_BOOK) from None
    if shared := meters.shared(rules):
        raise InvalidData(f"{shared[0]}: expected a jackpot of the table's own, got one that tables of the house share")
    return rules


@router.delete("/private-tables/{table_id}", status_code=204, responses=refusals(401, 403, 404, 409, 422))
async def close_private(house: TheHouse, person: CurrentPerson, table_id: str) -> None:
    """Close a private table where no one else plays: for its owner, or for a supervisor, on record.

    Who asks leaves first, and so do bots and players who are not connected, with their chips, unless a round is on.
    """
    owner = await house.private.check_own(person, table_id)
    room = await house.room_here(table_id)
    seated = {seat.player for seat in room.table.seats.values() if seat.player}
    playing = sorted(seated & room.connected.keys() - {person.name})
    if not playing:
        room.dismiss_bots()
        playing = sorted([name for name in seated if not await room.get_up(name)])
    if playing:
        names = ", ".join(playing)
        raise InvalidData(f"expected a table where no one else plays, got {names}", code="table_in_use", names=names)
    other = "" if owner == person.name else person.name
    await house.retire(table_id, f"closed by {person.name}, table of {owner}" if other else f"closed by {owner}", other)


@router.post("/tables/{table_id}/invitations", status_code=201, responses=refusals(401, 403, 404, 422))
async def invite(house: TheHouse, request: Request, person: CurrentPerson, table_id: str, wish: Wish) -> Link:
    """Make an invitation to your private table."""
    check_rate(request, "invitations_of", person.name)
    token, made = await house.private.invite(person, table_id, hours=wish.hours, uses=wish.uses)
    return Link(token=token, link=f"/#invitation={token}", until_ms=made.until_ms, uses=made.uses)


@router.delete("/tables/{table_id}/invitations", responses=refusals(401, 403, 404, 422))
async def take_back(house: TheHouse, request: Request, person: CurrentPerson, table_id: str) -> TakenBack:
    """Void the invitations to your private table; those who are in stay in."""
    check_rate(request, "invitations_of", person.name)
    return TakenBack(invitations=await house.private.take_back(person, table_id))


@router.post("/invitations/{token}", responses=refusals(401, 404, 422))
async def accept(house: TheHouse, request: Request, person: CurrentPerson, token: str) -> PrivateTableOpened:
    """Accept an invitation; then the table is in the lobby."""
    check_rate(request, "invitations_of", person.name)
    return PrivateTableOpened(id=await house.private.accept(token, person))
