"""SQL journal: tables' rows in a database, a batch in one transaction; what may follow is the triggers' to say."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from letitride.storage.journal import Head, Row
from letitride.storage.roles.journal import Hazard, Outcome, Write
from letitride.storage.sql import writes
from letitride.storage.sql.session import Database, pages
from letitride.storage.sql.tables import table_record

_ROWS: Final = (
    "SELECT number, at, who, command, epoch, events, previous, hash FROM journal"
    " WHERE table_id = :table_id AND number > :after ORDER BY number LIMIT :page"
)


class SqlJournal:
    """The journals of all tables."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def append(self, batch: Sequence[Write]) -> list[Outcome]:
        if not (wanted := list(batch)):
            return []
        done = writes.append_at_once(self._database, wanted)
        return self._database.transact(lambda session: writes.append(session, wanted)) if done is None else done

    def rows(self, table_id: str, after: int = 0, limit: int | None = None) -> Iterator[Row]:
        found = pages(self._database.read, _ROWS, after=after, limit=limit, table_id=table_id)
        for number, at, by, command, epoch, events, previous, sealed in found:
            yield Row(
                table_id=table_id,
                number=number,
                at=at,
                by=by,
                command=command,
                epoch=epoch,
                events=bytes(events),
                previous=previous,
                hash=sealed,
            )

    def last(self, table_id: str) -> Head:
        return table_record(self._database, table_id).head

    def reply(self, client: str, command: str) -> bytes | None:
        query = "SELECT reply FROM acks WHERE client = :client AND command = :command"
        found = self._database.read(query, client=client, command=command)
        return bytes(found[0][0]) if found else None

    def may_write(self) -> bool:
        return self._database.may_write()

    def hazards(self) -> list[Hazard]:
        return self._database.hazards()
