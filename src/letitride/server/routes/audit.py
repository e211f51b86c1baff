"""Audit: who did what, when and why, for those who watch over the house."""

from __future__ import annotations

import asyncio
from typing import Annotated

from fastapi import APIRouter, Query
from pydantic import BaseModel

from letitride.server.net.access import ANYWHERE, Auditor, TheHouse, refusals
from letitride.storage.roles.audit import AuditRow, last_number
from letitride.storage.roles.journal import NUMBER_MAX

router = APIRouter(prefix="/api", tags=["audit"], responses=ANYWHERE)


class Audited(BaseModel):
    """An act on the record."""

    number: int
    at_ms: int
    who: str
    what: str
    why: str


@router.get("/audit", responses=refusals(401, 422))
async def audit(
    house: TheHouse,
    by: Auditor,  # noqa: ARG001 - who may ask
    after: Annotated[int, Query(ge=0, le=NUMBER_MAX)] = 0,
    limit: Annotated[int, Query(ge=1, le=1_000)] = 100,
    latest: Annotated[bool, Query(description="Only the last so many.")] = False,
) -> list[Audited]:
    """The entries of the audit after a number, in order; or only the last so many of them."""

    def found() -> list[AuditRow]:
        first = max(after, last_number(house.stores.audit) - limit) if latest else after
        return list(house.stores.audit.rows(first, limit))

    rows = await asyncio.to_thread(found)
    return [Audited(number=one.number, at_ms=one.at, who=one.who, what=one.what, why=one.why) for one in rows]
