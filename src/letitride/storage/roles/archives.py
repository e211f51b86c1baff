"""Archive store: which rows of old rounds have their events in files, and the step there and back; never the files."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, Protocol

import msgspec

from letitride.storage.journal import Row
from letitride.storage.roles.audit import Note
from letitride.storage.roles.documents import Document, DocumentStore

_KIND: Final = "archive"


class ArchivedVoucher(msgspec.Struct, frozen=True):
    """A voucher that was exchanged in an archived row."""

    row: int
    cents: int
    voucher: str


class Archive(msgspec.Struct, frozen=True, kw_only=True):
    """Rows of one table whose events are in a file; the store keeps all else of them, their hashes above all."""

    table_id: str
    first: int
    last: int
    hash: str
    """The hash of the last of them: the chain goes on from it in the store."""
    file: str
    """The name of the file, without a folder."""
    sha256: str
    """Of the file's lines, as its own last line has it."""
    vouchers: tuple[ArchivedVoucher, ...] = ()

    def document(self) -> Document:
        """Return it as it is kept."""
        return Document(
            kind=f"{_KIND}:{self.table_id}", id=f"{self.first:012}", version=1, body=msgspec.json.encode(self)
        )


class ArchiveStore(Protocol):
    """The archives of all journals."""

    def strip(self, archive: Archive, note: Note) -> None:
        """Forget the events of rows that a file has, and keep that they are there; all of it or nothing."""

    def fill(self, archive: Archive, rows: Sequence[Row], note: Note) -> None:
        """Give rows their events back, and forget the archive; all of it or nothing."""


def archives_of(documents: DocumentStore, table_id: str) -> list[Archive]:
    """Return the archives of a table, in order."""
    return [msgspec.json.decode(one.body, type=Archive) for one in documents.find(f"{_KIND}:{table_id}")]
