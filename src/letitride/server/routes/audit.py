"""Audit: who did what, when and why, for those who watch over the house."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from typing import Annotated, Final

from fastapi import APIRouter, Query
from pydantic import BaseModel

from letitride.server.net.access import ANYWHERE, Auditor, TheHouse, refusals
from letitride.storage.roles.audit import AuditRow, AuditStore
from letitride.storage.roles.journal import NUMBER_MAX

router = APIRouter(prefix="/api", tags=["audit"], responses=ANYWHERE)
CLOCKS_MS: Final = 10_000
"""How far the clocks of a house's servers may be apart."""


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


def last_number(audit: AuditStore) -> int:
    """Return the number of the last entry, found by halving: the record is only read from a number on."""
    return _last(audit, NUMBER_MAX)


def entries_between(audit: AuditStore, from_ms: int, to_ms: int) -> Iterator[AuditRow]:
    """Yield the entries of a time; servers whose clocks differ a little may have written them out of order."""
    for one in audit.rows(_last(audit, from_ms - CLOCKS_MS)):
        if one.at > to_ms + CLOCKS_MS:
            return
        yield one


def _last(audit: AuditStore, before_ms: int) -> int:
    """Return the number of the last entry that was made before a time."""

    def goes_on(number: int) -> bool:
        later = next(audit.rows(number, 1), None)
        return later is not None and later.at < before_ms

    low, high = 0, 1
    while goes_on(high):
        low, high = high, 2 * high
    while low < high:
        middle = (low + high) // 2
        low, high = (middle + 1, high) if goes_on(middle) else (low, middle)
    return high
