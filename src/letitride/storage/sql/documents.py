"""SQL documents: JSON by kind and id in a database, each with a version."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec

from letitride.storage.roles.documents import Document, check_document
from letitride.storage.roles.journal import NUMBER_MAX
from letitride.storage.sql.session import Database


class SqlDocuments:
    """All documents."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def put(self, kind: str, doc_id: str, body: bytes, version: int) -> int | None:
        check_document(kind, doc_id, body)
        if version:
            sql = (
                "UPDATE documents SET body = :body, version = version + 1"
                " WHERE kind = :kind AND id = :id AND version = :version"
            )
        else:
            sql = (
                "INSERT INTO documents (kind, id, version, body) VALUES (:kind, :id, :version + 1, :body)"
                " ON CONFLICT (kind, id) DO NOTHING"
            )
        named = {"kind": kind, "id": doc_id, "body": body, "version": version}
        return version + 1 if self._database.transact(lambda session: session.count(sql, **named)) else None

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


def id_range(database: Database, prefix: str) -> str:
    """Return what spares a database to look at every id where only some can begin with a prefix."""
    if not prefix:
        return ""
    ordered = database.BY_CHARACTERS
    beyond = f"substr(:prefix, 1, :length - 1) || {database.CHARACTER}({ord(prefix[-1]) + 1})"
    return f"{ordered} >= :prefix AND {ordered} < {beyond} AND"
