"""Lobby: the tables of the house, and the proofs of their decks."""

from __future__ import annotations

import asyncio
from typing import Any

import msgspec
from fastapi import APIRouter
from pydantic import BaseModel

from letitride.errors import MissingData
from letitride.ledger import accounts
from letitride.server.net.access import TheHouse, Whoever, refusals
from letitride.server.people.accounts import Person
from letitride.server.people.invitations import is_private
from letitride.server.tables.house import House
from letitride.server.tables.shuffles import published

router = APIRouter(tags=["lobby"])


class Listed(BaseModel):
    """A table in the lobby."""

    id: str
    name: str
    rulebook: str
    sha256: str
    paytables: dict[str, str]
    seats: int
    limits_cents: list[int | None]
    seated: int
    phase: str
    round: int
    state: str
    """'open', 'closing', 'closed' or 'halted'."""
    bets_seconds: float
    """How long bets are taken from the first complete one on."""
    choice_seconds: float
    """What a player has for a decision."""
    private: bool
    your_seat: int | None
    """Where the person who asks sits; unknown of tables that are at another server of the house."""
    your_chips_cents: int
    """What he has there before him, without his bets."""


@router.get("/api/tables")
async def tables(house: TheHouse, person: Whoever) -> list[Listed]:
    """All tables that one may know of."""
    every = lobby(house, person)
    return await asyncio.to_thread(lambda: [one for one in every if house.private.may_see(person, one.id)])


@router.get("/api/tables/{table_id}/proofs/{round_number}/{shuffle}", responses=refusals(404))
async def proof(house: TheHouse, table_id: str, round_number: int, shuffle: int) -> dict[str, Any]:
    """The proof of a deck, once it is opened."""
    found = await asyncio.to_thread(published, house.stores.documents, table_id, round_number, shuffle)
    if found is None:
        raise MissingData(f"expected a shuffle that is opened, got round {round_number}, shuffle {shuffle}")
    return found


def lobby(house: House, person: Person | None = None) -> list[Listed]:
    """Return all tables of the house, those of its other servers too, and where somebody sits."""
    stands = {**house.nodes.listing(), **house.listing()}
    records = {record.id: record for record in (house.nodes.seen.tables if house.nodes.seen else ())}
    records |= {table_id: room.record for table_id, room in house.rooms.items()}
    return [
        Listed(
            id=table_id,
            name=record.name,
            bets_seconds=house.pace.bets,
            choice_seconds=house.pace.choice,
            private=is_private(table_id),
            **_own_seat(house, table_id, person),
            **record.about,
            **msgspec.structs.asdict(stands[table_id]),
        )
        for table_id, record in sorted(records.items())
        if table_id in stands
    ]


def _own_seat(house: House, table_id: str, person: Person | None) -> dict[str, Any]:
    room = house.rooms.get(table_id)
    if room is None or person is None or not (mine := room.seat_of(person.name)):
        return {"your_seat": None, "your_chips_cents": 0}
    return {"your_seat": mine, "your_chips_cents": room.table.cents(accounts.stack(mine))}
