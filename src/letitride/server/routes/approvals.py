"""Approvals: acts with money that wait for a second person: the list, and what that person says; never the first."""

from __future__ import annotations

import asyncio

from fastapi import APIRouter
from pydantic import BaseModel, ConfigDict, Field

from letitride.rules.roles import MoneyAct
from letitride.server.net.access import ANYWHERE, Inspector, ProvenSupervisor, Supervisor, TheHouse, refusals
from letitride.server.net.lines import LINE
from letitride.server.people.accounts import Person
from letitride.server.people.approval_records import Approval, State
from letitride.server.tables.house import House

router = APIRouter(prefix="/api/approvals", tags=["approvals"], responses=ANYWHERE)


class ApprovalTold(BaseModel):
    """An act with money that one person asked for, and how it stands."""

    id: str
    act: MoneyAct
    cents: int
    about: str
    why: str
    table: str | None
    asked_by: str
    asked_ms: int
    until_ms: int
    state: State
    decided_by: str | None
    decided_ms: int
    decided_why: str | None
    outcome: str | None = Field(description="Why it could not be carried out after it was approved.")
    yours: bool = Field(description="Whether you asked for it: then you may take it back.")
    refused: str | None = Field(description="Why you may not approve it.")


class SecondWord(BaseModel):
    """What the second person says to it."""

    model_config = ConfigDict(extra="forbid")

    why: str = Field(min_length=1, max_length=200, pattern=LINE)


@router.get("", responses=refusals(401, 403))
async def approvals(house: TheHouse, person: Inspector) -> list[ApprovalTold]:
    """The latest requests for approval, the newest first."""
    found = await asyncio.to_thread(house.approvals.listed)
    return [_told(house, one, person) for one in found]


@router.post("/{approval_id}/approve", responses=refusals(401, 403, 404, 409))
async def approve(house: TheHouse, approval_id: str, person: ProvenSupervisor, said: SecondWord) -> ApprovalTold:
    """Approve what another person asked for; it is carried out at once."""
    await _at_its_table(house, approval_id)
    return _told(house, await house.approvals.approve(approval_id, person, said.why), person)


@router.post("/{approval_id}/decline", responses=refusals(401, 403, 404, 409))
async def decline(house: TheHouse, approval_id: str, person: Supervisor, said: SecondWord) -> ApprovalTold:
    """Decline what another person asked for, or take back what you asked for yourself."""
    await _at_its_table(house, approval_id)
    return _told(house, await house.approvals.decline(approval_id, person, said.why), person)


async def _at_its_table(house: House, approval_id: str) -> None:
    """Have what is about a table decided at the server that looks after it, which carries it out."""
    found = await asyncio.to_thread(house.approvals.find, approval_id)
    if found.table:
        await house.room_if_reachable(found.table)


def _told(house: House, one: Approval, person: Person) -> ApprovalTold:
    return ApprovalTold(
        id=one.id,
        act=one.act,
        cents=one.cents,
        about=one.about,
        why=one.why,
        table=one.table or None,
        asked_by=one.asked_by,
        asked_ms=one.asked_ms,
        until_ms=one.until_ms,
        state=one.state,
        decided_by=one.decided_by or None,
        decided_ms=one.decided_ms,
        decided_why=one.decided_why or None,
        outcome=one.outcome or None,
        yours=one.asked_by == person.name,
        refused=house.approvals.refuses(one, person) or None,
    )
