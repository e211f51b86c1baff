"""Archive: events of old rounds into files and back, with their chain whole; it never touches what is played now."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Final, Protocol

from letitride.engine.events import VoucherExchanged
from letitride.errors import InvalidData
from letitride.storage import dump
from letitride.storage.journal import BrokenJournal, Head, Row, SealedRow, follows, read
from letitride.storage.past import Mark, Past
from letitride.storage.roles.archives import Archive, ArchivedVoucher, ArchiveStore, archives_of
from letitride.storage.roles.audit import Note
from letitride.storage.roles.documents import DocumentStore
from letitride.storage.roles.journal import JournalStore
from letitride.storage.roles.wallets import WalletStore

FORMAT: Final = "letitride-archive/1"
ROUNDS_KEPT: Final = 12
"""The last rounds of a table stay in the store, however old they are: they are recalled at the table."""
_SAFE: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*")


class Kept(Protocol):
    """What archives are made of: journals, documents, the ledger, and the step there and back."""

    @property
    def journal(self) -> JournalStore:
        """The journals."""

    @property
    def documents(self) -> DocumentStore:
        """The documents, among which are the archives and the marks of journals."""

    @property
    def wallets(self) -> WalletStore:
        """The ledger, which tells what was written together."""

    @property
    def archives(self) -> ArchiveStore:
        """What takes events out of rows and puts them back."""


def write(kept: Kept, table_id: str, folder: Path, before_ms: int, *, at: int, who: str) -> Archive | None:
    """Move the events of a table's rows that are older than a moment into a new file; nothing where there are none."""
    done = archives_of(kept.documents, table_id)
    first = done[-1].last + 1 if done else 2  # the opening stays: everything after it is read by its rules
    last = _whole(kept, table_id, first, _last(Past(kept.journal, kept.documents, table_id), before_ms))
    if last < first:
        return None
    before = next(kept.journal.rows(table_id, first - 2, 1))
    vouchers: list[ArchivedVoucher] = []
    head = Head(before.number, before.hash)

    def rows() -> Iterator[Row]:
        nonlocal head
        for row in kept.journal.rows(table_id, first - 1, last - first + 1):
            if reason := follows(row, table_id, head):
                raise BrokenJournal(table_id, head.number + 1, reason)
            head = Head(row.number, row.hash)
            for event in read(row):
                if isinstance(event, VoucherExchanged):
                    cents = sum(one.cents for one in event.chips)
                    vouchers.append(ArchivedVoucher(row.number, cents, event.voucher))
            yield row

    name = table_id if _SAFE.fullmatch(table_id) else table_id.encode().hex()
    path = folder / f"{name}-{first:012}-{last:012}.jsonl"
    sha256 = dump.write_dump(path, map(dump.line_of, rows()), FORMAT)
    _to_disk(path)
    made = Archive(
        table_id=table_id,
        first=first,
        last=last,
        hash=head.hash,
        file=path.name,
        sha256=sha256,
        vouchers=tuple(vouchers),
    )
    for _ in reader(folder)(made):
        pass  # what the file has is read again before the store forgets it
    kept.archives.strip(made, Note(at=at, who=who, what=f"archive {table_id}", why=f"{path.name}, sha256 {sha256}"))
    return made


def restore(kept: Kept, archive: Archive, folder: Path, *, at: int, who: str) -> None:
    """Put the events of an archive back into the store; the file stays."""
    rows = list(reader(folder)(archive))
    note = Note(at=at, who=who, what=f"restore archive {archive.table_id}", why=f"{archive.file}")
    kept.archives.fill(archive, rows, note)


def reader(folder: Path) -> Callable[[Archive], Iterator[Row]]:
    """Return what yields the rows of an archive out of a folder, each of them checked; a changed file is refused."""

    def read(archive: Archive) -> Iterator[Row]:
        path = folder / archive.file
        head: Head | None = None
        for line in dump.read_dump(path, FORMAT, archive.sha256):
            if not isinstance(line, dump.RowLine):
                raise InvalidData(f"{path}: expected rows of a journal, got something else")
            row = dump.row_of(line)
            if reason := follows(row, archive.table_id, head or Head(archive.first - 1, row.previous)):
                raise BrokenJournal(archive.table_id, row.number, reason)
            head = Head(row.number, row.hash)
            yield row
        if head != Head(archive.last, archive.hash):
            raise InvalidData(f"{path}: expected rows up to {archive.last} of {archive.table_id}, got others")

    return read


def _last(past: Past, before_ms: int) -> int:
    """Return the last row that may go: up to a mark from which everything after a moment can still be walked."""
    with suppress(SealedRow):  # a round in play: it is newer than anything that may go
        for table, head, at_ms in past.unmarked():
            past.mark(table, head, at_ms)
    old = [mark for mark in past.marks if mark.at_ms < before_ms]
    if not old:
        return 0
    newest = min(old[-1].round - 2, past.marks[-1].round - ROUNDS_KEPT)
    fits: list[Mark] = [mark for mark in old if mark.round <= newest]
    return fits[-1].row - 1 if fits else 0


def _whole(kept: Kept, table_id: str, first: int, last: int) -> int:
    """Return the last row that may go with all that was written together with it; rows before the first are gone.

    Transfers have the number of the last row of their write: one whose rows lie on both sides would be counted on one.
    """
    end = max((moved.number for moved in kept.wallets.transfers(table_id) if moved.number <= last), default=0)
    after = max(end, first - 1)
    later = kept.journal.rows(table_id, after, max(last - after, 0))
    return end if any(event.chips for row in later for event in read(row)) else last


def _to_disk(path: Path) -> None:
    """Wait until a file and its name are on disk: what it holds is forgotten elsewhere after that."""
    for one in (path, path.parent):
        handle = os.open(one, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
