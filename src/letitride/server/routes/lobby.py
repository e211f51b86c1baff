"""Lobby: the tables of the house, and the proofs of their decks."""

from __future__ import annotations

import asyncio

from fastapi import APIRouter
from pydantic import BaseModel

from letitride.chance.proof import Document
from letitride.errors import MissingData
from letitride.rules import catalog
from letitride.server.net.access import ANYWHERE, OptionalPerson, TheHouse, refusals
from letitride.server.people.accounts import Person
from letitride.server.people.invitations import is_private
from letitride.server.runtime.table_facts import bank_of, base_pays_of, device_of, facts_of
from letitride.server.tables.house import House
from letitride.server.tables.node_records import Listing
from letitride.server.tables.stored_shuffles import Docket, docket, published
from letitride.storage.roles.tables import TableRecord

router = APIRouter(tags=["lobby"], responses=ANYWHERE)


class Listed(BaseModel):
    """A table in the lobby."""

    id: str
    name: str
    rulebook: str
    rulebook_title: str
    """What the book is called, a house's own too."""
    sha256: str
    paytables: dict[str, str]
    base_pays: str
    """What the base game pays, the best hand first."""
    device: str
    """What the cards are dealt from."""
    bank: str
    """Who pays the winners: 'house' or 'player'."""
    side_bets: dict[str, str]
    """The names of its side bets, by id."""
    meters_cents: dict[str, int]
    """What its jackpots hold, by the ids of their side bets."""
    seats: int
    limits_cents: list[int | None]
    seated: int
    bots: int
    """How many of them are players of the house's own."""
    names: list[str]
    """Who sits there beside you and the bots, as far as the house tells."""
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
    """Where the person who asks sits."""
    your_chips_cents: int
    """What that person has there, without bets."""


@router.get("/api/tables")
async def tables(house: TheHouse, person: OptionalPerson) -> list[Listed]:
    """All tables you may see."""
    every = lobby(house, person)
    return await asyncio.to_thread(lambda: [one for one in every if house.private.may_see(person, one.id)])


@router.get("/api/tables/{table_id}/proofs")
async def docket_of(house: TheHouse, table_id: str) -> Docket:
    """How the last decks of a table ended: dealt and opened, or void and why."""
    return await asyncio.to_thread(docket, house.stores.documents, table_id)


@router.get("/api/tables/{table_id}/proofs/{round_number}/{shuffle}", responses=refusals(404))
async def proof(house: TheHouse, table_id: str, round_number: int, shuffle: int) -> Document:
    """The proof of a deck, once it is opened."""
    found = await asyncio.to_thread(published, house.stores.documents, table_id, round_number, shuffle)
    if found is None:
        raise MissingData(f"expected a shuffle that is opened, got round {round_number}, shuffle {shuffle}")
    return found


def lobby(house: House, person: Person | None = None) -> list[Listed]:
    """Return all tables of the house, those of its other servers too, and where a person sits."""
    stands = {**house.nodes.listing(), **house.listing()}
    records = {**house.nodes.records, **{table_id: room.record for table_id, room in house.rooms.items()}}
    return [
        _listed(house, record, stands[table_id], person)
        for table_id, record in sorted(records.items())
        if table_id in stands
    ]


def _listed(house: House, record: TableRecord, stands: Listing, person: Person | None) -> Listed:
    facts = facts_of(record)
    seat, cents = stands.people.get(person.name, (None, 0)) if person is not None else (None, 0)
    return Listed(
        id=record.id,
        name=record.name,
        rulebook=facts.rulebook,
        rulebook_title=facts.title or _published_title(facts.rulebook),
        sha256=facts.sha256,
        paytables=facts.paytables,
        base_pays=base_pays_of(facts),
        device=device_of(facts),
        bank=bank_of(facts),
        side_bets=facts.side_bets,
        meters_cents=stands.meters,
        seats=facts.seats,
        limits_cents=facts.limits_cents,
        seated=stands.seated,
        bots=len(stands.bots),
        names=_names(house, stands, person),
        phase=stands.phase,
        round=stands.round,
        state=stands.state,
        bets_seconds=house.pace.bets,
        choice_seconds=facts.choice_seconds or house.pace.choice,
        private=is_private(record.id),
        your_seat=seat,
        your_chips_cents=cents,
    )


def _names(house: House, stands: Listing, person: Person | None) -> list[str]:
    """Return the names of the people at a table, for whom the house tells them."""
    told = house.names_in_lobby == "everybody" or (house.names_in_lobby == "players" and person is not None)
    mine = person.name if person is not None else ""
    return sorted(name for name in stands.people if name not in {mine, *stands.bots}) if told else []


def _published_title(ref: str) -> str:
    """Return what a published book is called; a table of an older version may have a book that is not known here."""
    return catalog.rulebook(ref).title if catalog.is_published(ref) else ref
