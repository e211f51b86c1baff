"""Memory archives: events of old rows out of memory and back."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from letitride.errors import InvalidData
from letitride.storage.journal import Row
from letitride.storage.memory.state import State
from letitride.storage.roles.archives import Archive
from letitride.storage.roles.audit import Note


class MemoryArchives:
    """The archives of all journals."""

    def __init__(self, state: State) -> None:
        self._state = state

    def strip(self, archive: Archive, note: Note) -> None:
        with self._state.lock:
            rows, kept = self._state.table(archive.table_id).rows, archive.document()
            part = rows[archive.first - 1 : archive.last]
            if not all(row.events for row in part) or len(part) != archive.last - archive.first + 1:
                raise _missing(archive)
            rows[archive.first - 1 : archive.last] = [replace(row, events=b"") for row in part]
            self._state.documents[kept.kind, kept.id] = kept
            self._state.keep_note(note)

    def fill(self, archive: Archive, rows: Sequence[Row], note: Note) -> None:
        with self._state.lock:
            held, kept = self._state.table(archive.table_id).rows, archive.document()
            part = held[archive.first - 1 : archive.last]
            if [(row.number, row.hash) for row in part if not row.events] != [(row.number, row.hash) for row in rows]:
                raise _missing(archive)
            held[archive.first - 1 : archive.last] = list(rows)
            self._state.documents.pop((kept.kind, kept.id), None)
            self._state.keep_note(note)


def _missing(archive: Archive) -> InvalidData:
    return InvalidData(f"expected rows {archive.first} to {archive.last} of {archive.table_id}, got others")
