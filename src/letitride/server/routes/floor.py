"""Floor: what those who run the tables do besides the game: shifts, closing and opening, and halted tables."""

from __future__ import annotations

import asyncio
from typing import Final, Literal

from fastapi import APIRouter
from pydantic import BaseModel, Field

from letitride.engine.supervision import DAY, refuse_closing
from letitride.rules.roles import STAFF_ACCOUNTS, SUPERVISORS
from letitride.server.net.access import ANYWHERE, CurrentPerson, OptionalPerson, Supervisor, TheHouse, refusals
from letitride.server.ops import recovery
from letitride.server.people.accounts import Person
from letitride.server.runtime.requests import NotNow, RoleMissing
from letitride.server.tables.door import CLOSING
from letitride.server.tables.house import House
from letitride.server.tables.messages import Clock, State
from letitride.server.tables.room import Room
from letitride.storage.roles.texts import check_texts

router = APIRouter(prefix="/api/tables/{table_id}", tags=["floor"], responses=ANYWHERE)
TOLD_WHY: Final = frozenset(STAFF_ACCOUNTS)
RELIEVES: Final = frozenset(SUPERVISORS)


NO: Final = refusals(401, 403, 404, 409, 503)


class Standing(BaseModel):
    """How a table stands besides the game; `dealer` is 'automatic' or who has the shift, `reason` is for staff."""

    id: str
    state: State
    dealer: str
    clock: Clock | None
    reason: str | None


class ShiftWish(BaseModel):
    """To take the shift as a dealer, or to end it; the floor ends anybody's."""

    act: Literal["take", "end"]


class DoorWish(BaseModel):
    """To let a table close when its round is over, or to open it again."""

    state: Literal["closing", "open"]
    why: str = Field(min_length=1, max_length=200)
    without_notice: bool = Field(False, description="Close it also where the rules want the closing announced first.")


class RecoveryWish(BaseModel):
    """To set a halted table going: as it was, or with its round void and every stake given back."""

    how: Literal["resume", "void"]
    why: str = Field(min_length=1, max_length=200)


@router.get("/state", responses=refusals(404))
async def state(house: TheHouse, table_id: str, person: OptionalPerson) -> Standing:
    """The state of a table; the reason is for staff alone."""
    return await _standing(house, table_id, person)


@router.post("/shift", responses=NO)
async def shift(house: TheHouse, table_id: str, wish: ShiftWish, person: CurrentPerson) -> Standing:
    """Take or end the shift of a human dealer."""
    room = await house.room_here(table_id)
    if wish.act == "take":
        await room.shift.take(person)
    else:
        if room.shift.person != person.name and not RELIEVES & set(person.roles):
            raise RoleMissing(f"expected the dealer who has the shift, or the floor, got {person.name}")
        await room.shift.end(person.name)
    return await _standing(house, table_id, person)


@router.post("/state", responses=NO)
async def set_state(house: TheHouse, table_id: str, wish: DoorWish, person: Supervisor) -> Standing:
    """Close a table for new bets from now on, or open it again."""
    check_texts(wish.why)
    room = await (house.room_here(table_id) if table_id in house.rooms else _closed(house, table_id))
    if room.host.halted:
        raise NotNow("expected a running table, got one that is halted: recover it first")
    if wish.state == "closing":
        if (refusal := refuse_closing(room.table, minute_of_day(house))) is not None and not wish.without_notice:
            raise NotNow(f"expected a closing that was announced, got one that was not: {refusal.sentence}")
        await room.door.close(person.name, wish.why)
    else:
        await room.door.open(person.name, wish.why)
        room.start()
    return await _standing(house, table_id, person)


@router.post("/recover", responses=NO)
async def recover(house: TheHouse, table_id: str, wish: RecoveryWish, person: Supervisor) -> Standing:
    """Resume a halted table."""
    check_texts(wish.why)
    if wish.how == "void":
        await house.approvals.clear(person, await recovery.void_wish(house, table_id, wish.why))
    await recovery.recover(house, table_id, wish.how, who=person.name, why=wish.why)
    return await _standing(house, table_id, person)


def minute_of_day(house: House) -> int:
    """Return the time by which notice is reckoned: minutes of the day, UTC."""
    return house.clock_ms() // 60_000 % DAY


async def _closed(house: House, table_id: str) -> Room:
    """Return a table that was closed before the server started."""
    record = await asyncio.to_thread(house.stores.tables.get, table_id)
    if record.state == "halted":
        raise NotNow("expected a running table, got one that is halted: recover it first")
    if record.state == "open":
        return await house.room_here(table_id)  # it is another server's, and not here
    async with house.recovering:
        return house.rooms.get(table_id) or await house.take_halted(record)


async def _standing(house: House, table_id: str, person: Person | None) -> Standing:
    room = await house.room_if_reachable(table_id)
    told = person is not None and bool(TOLD_WHY & set(person.roles))
    if room is None:
        record = await asyncio.to_thread(house.stores.tables.get, table_id)
        reason = record.reason if told else None
        state = "closing" if record.state == "open" and record.reason.startswith(CLOSING) else record.state
        return Standing(id=table_id, state=state, dealer="automatic", clock=None, reason=reason or None)
    known = room.standing()
    reason = (room.host.halted or room.record.reason) if told else None
    return Standing(id=table_id, state=known.state, dealer=known.dealer, clock=known.clock, reason=reason or None)
