"""Memory audit: who did what, in memory; rows are only ever added."""

from __future__ import annotations

from collections.abc import Iterator

from letitride.storage.memory.state import State
from letitride.storage.roles.audit import AuditRow, Note
from letitride.storage.roles.texts import check_texts


class MemoryAudit:
    """The audit."""

    def __init__(self, state: State) -> None:
        self._state = state

    def add(self, at: int, who: str, what: str, why: str) -> None:
        check_texts(who, what, why)
        with self._state.lock:
            self._state.keep_note(Note(at=at, who=who, what=what, why=why))

    def rows(self, after: int = 0, limit: int | None = None) -> Iterator[AuditRow]:
        with self._state.lock:
            found = self._state.audit[after:]
        return iter(found if limit is None else found[:limit])
