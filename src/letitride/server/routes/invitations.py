"""Invitations: private tables, and the links that let others in."""

from __future__ import annotations

from fastapi import APIRouter, Request
from pydantic import BaseModel, Field

from letitride.errors import InvalidData
from letitride.rules import catalog
from letitride.server.net.access import ANYWHERE, CurrentPerson, TheHouse, not_too_often, refusals

router = APIRouter(prefix="/api", tags=["private tables"], responses=ANYWHERE)


class PrivateTable(BaseModel):
    """A table of your own: the book it is played by, and its name."""

    rulebook: str = Field(max_length=64)
    name: str = Field(pattern=r"^\w[\w .'-]{0,39}$")


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
    if wanted.rulebook not in catalog.rulebook_ids():
        raise InvalidData(f"expected one of {', '.join(catalog.rulebook_ids())}, got {wanted.rulebook!r}")
    not_too_often(request, "private_tables_from")
    table_id = await house.private.new_table(person)
    await house.open(table_id, wanted.name, wanted.rulebook, private_of=person.name)
    return PrivateTableOpened(id=table_id)


@router.delete("/private-tables/{table_id}", status_code=204, responses=refusals(401, 403, 404, 409, 422))
async def close_private(house: TheHouse, person: CurrentPerson, table_id: str) -> None:
    """Close a private table where no one plays: for its owner, or for a supervisor, on record.

    A player who is not connected leaves first, with their chips, unless they are in a round.
    """
    owner = await house.private.check_own(person, table_id)
    room = await house.here(table_id)
    for name in {seat.player for seat in room.table.seats.values() if seat.player} - room.connected.keys():
        await room.get_up(name)
    other = "" if owner == person.name else person.name
    await house.retire(table_id, f"closed by {person.name}, table of {owner}" if other else f"closed by {owner}", other)


@router.post("/tables/{table_id}/invitations", status_code=201, responses=refusals(401, 403, 404, 422))
async def invite(house: TheHouse, request: Request, person: CurrentPerson, table_id: str, wish: Wish) -> Link:
    """Make an invitation to your private table."""
    not_too_often(request, "invitations_of", person.name)
    token, made = await house.private.invite(person, table_id, hours=wish.hours, uses=wish.uses)
    return Link(token=token, link=f"/#invitation={token}", until_ms=made.until_ms, uses=made.uses)


@router.delete("/tables/{table_id}/invitations", responses=refusals(401, 403, 404, 422))
async def take_back(house: TheHouse, request: Request, person: CurrentPerson, table_id: str) -> TakenBack:
    """Void the invitations to your private table; those who are in stay in."""
    not_too_often(request, "invitations_of", person.name)
    return TakenBack(invitations=await house.private.take_back(person, table_id))


@router.post("/invitations/{token}", responses=refusals(401, 404, 422))
async def accept(house: TheHouse, request: Request, person: CurrentPerson, token: str) -> PrivateTableOpened:
    """Accept an invitation; then the table is in the lobby."""
    not_too_often(request, "invitations_of", person.name)
    return PrivateTableOpened(id=await house.private.accept(token, person))
