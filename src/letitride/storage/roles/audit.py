"""Audit store: who did what, when and why; rows are only ever added."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, Protocol

import msgspec

CLOCKS_MS: Final = 10_000
"""How far the clocks of a house's servers may be apart."""
_NUMBER_MAX: Final = 2**63 - 1


class Note(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """A row for the audit that is kept with what it is about, or not at all."""

    at: int
    who: str
    what: str
    why: str


class AuditRow(msgspec.Struct, frozen=True, kw_only=True):
    """Who did what, when and why; never changed."""

    number: int
    at: int
    who: str
    what: str
    why: str


class AuditStore(Protocol):
    """The audit."""

    def add(self, at: int, who: str, what: str, why: str) -> None:
        """Add a row to the audit."""

    def rows(self, after: int = 0, limit: int | None = None) -> Iterator[AuditRow]:
        """Yield the audit, in order."""


def last_number(audit: AuditStore) -> int:
    """Return the number of the last entry, found by halving: the record is only read from a number on."""
    return _last(audit, _NUMBER_MAX)


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
