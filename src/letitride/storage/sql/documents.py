"""SQL documents: JSON by kind and id in a database, each with a version."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec

from letitride.storage.roles.documents import Document, check_document
from letitride.storage.roles.journal import NUMBER_MAX
from letitride.storage.sql.session import Database, Session
from letitride.storage.sql.writes import DOCUMENT, NEW, PUT


class SqlDocuments:
    """All documents."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def put(self, kind: str, doc_id: str, body: bytes, version: int) -> int | None:
        one = Document(kind=kind, id=doc_id, version=version, body=body)
        return version + 1 if self.put_all([one]) else None

    def put_all(self, wanted: Sequence[Document]) -> set[tuple[str, str]]:
        for one in wanted:
            check_document(one.kind, one.id, one.body)

        def record(session: Session) -> None:
            session.many(PUT, [_values(one) for one in wanted if one.version])
            session.many(NEW, [{**_values(one), "version": 1} for one in wanted if not one.version])

        # What it returns are kinds and ids, as JSON.
        if (kept := self._database.at_once(record)) is not None:
            return {msgspec.json.decode(name, type=tuple[str, str]) for names in kept for name in names}

        def put(session: Session) -> set[tuple[str, str]]:
            return {(one.kind, one.id) for one in wanted if _put(session, one)}

        return self._database.transact(put)

    def get(self, kind: str, doc_id: str) -> Document | None:
        query = "SELECT id, version, body FROM documents WHERE kind = :kind AND id = :id"
        return next(iter(self._found(query, kind, id=doc_id)), None)

    def named(self, kind: str, ids: Sequence[str]) -> list[Document]:
        each = self._database.EACH
        query = f"SELECT id, version, body FROM documents WHERE kind = :kind AND id IN ({each})"  # noqa: S608 - ours
        return self._found(query, kind, ids=msgspec.json.encode(ids).decode())

    def find(self, kind: str, prefix: str = "", last: int | None = None) -> list[Document]:
        query = (
            "SELECT id, version, body FROM documents"  # noqa: S608 - a text of our own
            f" WHERE kind = :kind AND {id_range(self._database, prefix)} substr(id, 1, :length) = :prefix"
            f" ORDER BY {self._database.BY_CHARACTERS} DESC LIMIT :last"
        )
        most = NUMBER_MAX if last is None else last
        return self._found(query, kind, prefix=prefix, length=len(prefix), last=most)[::-1]

    def delete(self, kind: str, doc_id: str, version: int) -> bool:
        sql = "DELETE FROM documents WHERE kind = :kind AND id = :id AND version = :version"
        named = {"kind": kind, "id": doc_id, "version": version}
        return self._database.transact(lambda session: session.count(sql, **named)) == 1

    def _found(self, query: str, kind: str, **values: Any) -> list[Document]:
        return [
            Document(kind=kind, id=doc_id, version=version, body=bytes(body))
            for doc_id, version, body in self._database.read(query, kind=kind, **values)
        ]


def _put(session: Session, one: Document) -> bool:
    if one.version:
        return bool(session.count(PUT, **_values(one)))
    return bool(session.count(DOCUMENT, **{**_values(one), "version": 1}))


def _values(one: Document) -> dict[str, str | int | bytes]:
    return {"kind": one.kind, "id": one.id, "version": one.version, "body": one.body}


def id_range(database: Database, prefix: str) -> str:
    """Return what spares a database to look at every id where only some can begin with a prefix."""
    if not prefix:
        return ""
    ordered = database.BY_CHARACTERS
    beyond = f"substr(:prefix, 1, :length - 1) || {database.CHARACTER}({ord(prefix[-1]) + 1})"
    return f"{ordered} >= :prefix AND {ordered} < {beyond} AND"
