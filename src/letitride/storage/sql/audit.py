"""SQL audit: who did what, in a database; rows are only ever added."""

from __future__ import annotations

from collections.abc import Iterator

from letitride.storage.roles.audit import AuditRow
from letitride.storage.roles.texts import check_texts
from letitride.storage.sql.session import Database, pages
from letitride.storage.sql.writes import AUDIT


class SqlAudit:
    """The audit."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def add(self, at: int, who: str, what: str, why: str) -> None:
        check_texts(who, what, why)
        self._database.transact(lambda session: session.run(AUDIT, at=at, who=who, what=what, why=why))

    def rows(self, after: int = 0, limit: int | None = None) -> Iterator[AuditRow]:
        query = "SELECT id, at, who, what, why FROM audit WHERE id > :after ORDER BY id LIMIT :page"
        for number, at, who, what, why in pages(self._database.read, query, after=after, limit=limit):
            yield AuditRow(number=number, at=at, who=who, what=what, why=why)
