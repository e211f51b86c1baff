"""Audit: who did what, when and why, for those who watch over the house."""

from __future__ import annotations

import asyncio
from typing import Annotated

from fastapi import APIRouter, Query
from pydantic import BaseModel

from letitride.server.asking import Auditor, TheHouse, refusals
from letitride.storage.store import NUMBER_MAX

router = APIRouter(prefix="/api", tags=["audit"])


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
) -> list[Audited]:
    """The record after a number, in order."""
    rows = await asyncio.to_thread(lambda: list(house.store.audits(after, limit)))
    return [Audited(number=one.number, at_ms=one.at, who=one.who, what=one.what, why=one.why) for one in rows]
