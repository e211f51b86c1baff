"""Audit: who did what, when and why, for those who watch over the house."""

from __future__ import annotations

import asyncio
from typing import Annotated

from fastapi import APIRouter, Query
from pydantic import BaseModel

from letitride.server.asking import Auditor, TheHouse, refusals
from letitride.storage.store import NUMBER_MAX, AuditRow, Store

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
    latest: Annotated[bool, Query(description="Only the last so many.")] = False,
) -> list[Audited]:
    """The record after a number, in order; of it the last entries alone where those are asked for."""

    def found() -> list[AuditRow]:
        first = max(after, last_number(house.store) - limit) if latest else after
        return list(house.store.audits(first, limit))

    rows = await asyncio.to_thread(found)
    return [Audited(number=one.number, at_ms=one.at, who=one.who, what=one.what, why=one.why) for one in rows]


def last_number(store: Store) -> int:
    """Return the number of the last entry, found by halving: the record is only read from a number on."""
    low, high = 0, 1
    while next(store.audits(high, 1), None) is not None:
        low, high = high, 2 * high
    while low < high:
        middle = (low + high) // 2
        low, high = (middle + 1, high) if next(store.audits(middle, 1), None) is not None else (low, middle)
    return high
