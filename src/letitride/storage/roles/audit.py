"""Audit store: who did what, when and why; rows are only ever added."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Protocol

import msgspec


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
