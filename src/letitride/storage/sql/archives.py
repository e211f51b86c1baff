"""SQL archives: events of old rows out of a database and back, in one transaction; triggers let nothing else pass."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import msgspec

from letitride.errors import InvalidData
from letitride.storage.journal import Row
from letitride.storage.roles.archives import Archive
from letitride.storage.roles.audit import Note
from letitride.storage.sql.session import Database, Session
from letitride.storage.sql.writes import AUDIT

_KEEP: Final = "INSERT INTO documents (kind, id, version, body) VALUES (:kind, :id, :version, :body)"
_FORGET: Final = "DELETE FROM documents WHERE kind = :kind AND id = :id"
_STRIP: Final = (
    "UPDATE journal SET events = :nothing WHERE table_id = :table_id AND number BETWEEN :first AND :last"
    " AND events <> :nothing"
)
_FILL: Final = (
    "UPDATE journal SET events = :events"
    " WHERE table_id = :table_id AND number = :number AND hash = :hash AND events = :nothing"
)


class SqlArchives:
    """The archives of all journals."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def strip(self, archive: Archive, note: Note) -> None:
        def work(session: Session) -> None:
            session.run(AUDIT, **msgspec.structs.asdict(note))
            session.run(_KEEP, **msgspec.structs.asdict(archive.document()))
            where = {"table_id": archive.table_id, "first": archive.first, "last": archive.last}
            _all(session.count(_STRIP, nothing=b"", **where), archive)

        self._database.transact(work)

    def fill(self, archive: Archive, rows: Sequence[Row], note: Note) -> None:
        def work(session: Session) -> None:
            session.run(AUDIT, **msgspec.structs.asdict(note))
            kept = archive.document()
            session.run(_FORGET, kind=kept.kind, id=kept.id)
            filled = 0
            for row in rows:
                named = {"table_id": row.table_id, "number": row.number, "hash": row.hash}
                filled += session.count(_FILL, events=row.events, nothing=b"", **named)
            _all(filled, archive)

        self._database.transact(work)


def _all(changed: int, archive: Archive) -> None:
    if changed != archive.last - archive.first + 1:
        raise InvalidData(
            f"expected rows {archive.first} to {archive.last} of {archive.table_id}, got {changed} of them"
        )
