"""Document store: things kept by kind and id as JSON, each with a version; never what they mean."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

import msgspec

from letitride.errors import InvalidData
from letitride.storage.roles.texts import check_name


class Document(msgspec.Struct, frozen=True, kw_only=True):
    """A thing the server keeps by kind and id, as JSON; its version grows by one with each change."""

    kind: str
    id: str
    version: int
    body: bytes


class DocumentStore(Protocol):
    """All documents."""

    def put(self, kind: str, doc_id: str, body: bytes, version: int) -> int | None:
        """Keep a document if `version` is the one kept now (0: none); return the new version, or None."""

    def put_all(self, wanted: Sequence[Document]) -> set[tuple[str, str]]:
        """Keep documents, no two of one name, each as `put` does; return the kinds and ids of those that are kept."""

    def get(self, kind: str, doc_id: str) -> Document | None:
        """Return a document."""

    def named(self, kind: str, ids: Sequence[str]) -> list[Document]:
        """Return the documents of a kind that have one of these ids, in any order."""

    def find(self, kind: str, prefix: str = "", last: int | None = None) -> list[Document]:
        """Return the documents of a kind whose ids begin with a prefix, by id; all of them, or the last few."""

    def delete(self, kind: str, doc_id: str, version: int) -> bool:
        """Delete a document if it still has this version; return whether it had."""


def check_document(kind: str, doc_id: str, body: bytes) -> None:
    """Refuse a document that cannot be kept."""
    check_name("the kind of a document", kind)
    check_name("the id of a document", doc_id)
    try:
        msgspec.json.decode(body, type=msgspec.Raw)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        raise InvalidData(f"expected JSON for the document {doc_id}, got other bytes") from None
