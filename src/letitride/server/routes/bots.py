"""Bots: one more or one fewer at a table, as a person who sits there asks; how they play is the table's business."""

from __future__ import annotations

from fastapi import APIRouter
from pydantic import BaseModel

from letitride.server.net.access import ANYWHERE, CurrentPerson, TheHouse, refusals
from letitride.server.people.accounts import Person
from letitride.server.runtime.requests import NotNow
from letitride.server.tables.house import House

router = APIRouter(prefix="/api/tables", tags=["tables"], responses=ANYWHERE)


class BotsWanted(BaseModel):
    """How many bots play at a table, or will as soon as they can."""

    bots: int


@router.post("/{table_id}/bots", status_code=201, responses=refusals(401, 404, 409))
async def add_bot(house: TheHouse, person: CurrentPerson, table_id: str) -> BotsWanted:
    """Ask for one more bot at the table you sit at; it gets up when a person needs the seat."""
    return await _changed(house, person, table_id, 1)


@router.delete("/{table_id}/bots", responses=refusals(401, 404, 409))
async def remove_bot(house: TheHouse, person: CurrentPerson, table_id: str) -> BotsWanted:
    """Let one bot leave the table you sit at, after the round."""
    return await _changed(house, person, table_id, -1)


async def _changed(house: House, person: Person, table_id: str, by: int) -> BotsWanted:
    room = await house.room_here(table_id)
    if not room.seat_of(person.name):
        raise NotNow(f"expected a person who sits at the table, got {person.name}, who does not")
    before = room.standing().bots
    after = room.change_bots(by)
    if after == before:
        raise NotNow(f"expected a number of bots from 0 to {room.standing().bots_max}, got a wish for {before + by}")
    return BotsWanted(bots=after)
