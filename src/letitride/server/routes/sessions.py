"""Sessions: where a person is signed in, seen and ended by the person, and by an administrator for others."""

from __future__ import annotations

import asyncio
from functools import partial

from fastapi import APIRouter, HTTPException, Request
from pydantic import BaseModel

from letitride.rules.words import quantity
from letitride.server.net.access import (
    ANYWHERE,
    Administrator,
    CurrentPerson,
    TheHouse,
    Token,
    check_rate,
    origin_of,
    refusals,
)
from letitride.server.net.lines import Reason
from letitride.server.people.accounts import Person, is_staff
from letitride.server.people.sessions import Session
from letitride.server.tables.house import House

router = APIRouter(prefix="/api", tags=["people"], responses=ANYWHERE)


class OpenSession(BaseModel):
    """A session that is not over; its token is nowhere but in its cookie."""

    id: str
    began_ms: int
    seen_ms: int
    """When something was done in it last, as far as this server knows."""
    until_ms: int
    device: str
    """What the browser said to be; empty where it is not known."""
    address: str
    """Where it began; empty where the house does not keep that."""
    current: bool


class Ended(BaseModel):
    """How many sessions were ended."""

    sessions: int


@router.get("/me/sessions", responses=refusals(401))
async def sessions(house: TheHouse, request: Request, person: CurrentPerson, token: Token) -> list[OpenSession]:
    """Your sessions, the oldest first."""
    check_rate(request, "sessions_of", person.name)
    current = await asyncio.to_thread(house.people.sessions.find, token)
    return await _listed(house, person.name, current)


@router.delete("/me/sessions", responses=refusals(401))
async def end_others(house: TheHouse, request: Request, person: CurrentPerson, token: Token) -> Ended:
    """End all of your sessions but this one."""
    check_rate(request, "sessions_of", person.name)
    ended = await house.people.sessions.end_all(person.name, but=token)
    await _note(house, request, person, f"end {quantity(ended, 'other session')}")
    return Ended(sessions=ended)


@router.delete("/me/sessions/{session_id}", status_code=204, responses=refusals(401, 404, 422))
async def end_session(house: TheHouse, request: Request, person: CurrentPerson, session_id: str) -> None:
    """End one of your sessions."""
    check_rate(request, "sessions_of", person.name)
    if not await house.people.sessions.end_one(person.name, session_id):
        raise HTTPException(404, f"expected the id of a session of yours, got {session_id!r}")
    await _note(house, request, person, "end a session")


@router.get("/people/{name}/sessions", responses=refusals(401, 403, 404))
async def sessions_of(house: TheHouse, _: Administrator, name: str) -> list[OpenSession]:
    """Where a person is signed in, the oldest first."""
    person = await asyncio.to_thread(house.people.find, name)
    return await _listed(house, person.name)


@router.delete("/people/{name}/sessions", responses=refusals(401, 403, 404, 422))
async def end_sessions_of(
    house: TheHouse,
    boss: Administrator,
    name: str,
    why: Reason = "",
) -> Ended:
    """Sign a person out everywhere."""
    person = await asyncio.to_thread(house.people.find, name)
    note = partial(house.stores.audit.add, house.clock_ms(), boss.name, f"end sessions {person.name}", why)
    await house.committer.run(note)
    return Ended(sessions=await house.people.sessions.end_all(person.name))


async def _listed(house: House, name: str, current: Session | None = None) -> list[OpenSession]:
    return [
        OpenSession(
            id=one.id,
            began_ms=one.began_ms,
            seen_ms=one.seen_ms,
            until_ms=one.until_ms,
            device=one.device,
            address=one.address,
            current=current is not None and one.id == current.id,
        )
        for one in await house.people.sessions.of(name)
    ]


async def _note(house: House, request: Request, person: Person, what: str) -> None:
    if not person.guest:
        address = origin_of(request).address
        await house.people.record.add("sign-out", person.name, what, address, always=is_staff(person))
