"""Journal: rows of a table's events, each sealed with the hash of the one before; it has no clock and keeps nothing."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Sequence
from typing import Final, NamedTuple

import msgspec

from letitride.engine.events import AnyEvent
from letitride.errors import InvalidData
from letitride.storage.codec import decode, encode

FORMAT: Final = b"letitride-journal/1\n"
"""What every hash begins with, so that no other text of ours can have the same."""
SEALED: Final = b"sealed/"
"""How the events of a row begin that are under a key: no events that can be read do."""
START: Final = "0" * 64
"""What stands for the hash before the first row."""


class Head(NamedTuple):
    """Where a journal ends: the number and the hash of its last row."""

    number: int = 0
    hash: str = START


class Row(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """What followed from one command at one table, sealed."""

    table_id: str
    number: int
    """1 for the first row of a table, then one more each time."""
    at: int
    """When it happened, in milliseconds since 1970, by the writer's clock."""
    by: str
    """Who gave the command."""
    command: str = ""
    """The id of the command, so that it is found again; empty: no client's command."""
    epoch: int = 0
    """The epoch of the lease under which it was written."""
    events: bytes
    """What happened, as the codec writes it."""
    previous: str
    """The hash of the row before."""
    hash: str
    """SHA-256 over everything else."""


class OpenedRow(Row, frozen=True, kw_only=True, gc=False):
    """A row that is kept under a key, with its events as they can be read."""

    kept: bytes
    """Its events as they are kept; the hash is over these."""
    key: bytes
    """What opened it."""
    secret: bool
    """Whether that key is the house's alone still."""
    wrong: str = ""
    """Why it is not what it says to be: then its events are as they are kept."""


class SealedRow(InvalidData):
    """A row of a round in play, under a key that is not there."""

    def __init__(self, row: Row) -> None:
        self.number = row.number
        super().__init__(
            f"expected the house's key that opens row {row.number} of table '{row.table_id}', which is sealed until its"
            " deck is opened, got none: put the file of the key back (see deck_key)"
        )


class Bad(msgspec.Struct, frozen=True, kw_only=True):
    """The first row of a journal that is not as it was written, and why."""

    table_id: str
    number: int
    reason: str


class BrokenJournal(InvalidData):
    """A journal with a row that is not as it was written."""

    def __init__(self, table_id: str, number: int, reason: str) -> None:
        super().__init__(f"the journal of table {table_id} is bad from row {number} on: {reason}")


Cover = Callable[[int, bytes], bytes]
"""Returns the events of a row, by its number, as they are to be kept."""


def seal(
    head: Head,
    *,
    table_id: str,
    at: int,
    by: str,
    happened: Iterable[AnyEvent],
    command: str = "",
    epoch: int = 0,
    cover: Cover = lambda _number, events: events,
) -> Row:
    """Return the row that follows a journal's head, its events covered as they are to be kept."""
    open_row = Row(
        table_id=table_id,
        number=head.number + 1,
        at=at,
        by=by,
        command=command,
        epoch=epoch,
        events=cover(head.number + 1, encode(happened)),
        previous=head.hash,
        hash="",
    )
    return msgspec.structs.replace(open_row, hash=hash_of(open_row))


def hash_of(row: Row) -> str:
    """Return the hash a row must have: over one line of JSON with its other fields, and then its events as they are."""
    fields = [row.table_id, row.number, row.at, row.by, row.command, row.epoch, row.previous]
    return hashlib.sha256(FORMAT + msgspec.json.encode(fields) + b"\n" + kept(row)).hexdigest()


def kept(row: Row) -> bytes:
    """Return a row's events as they are kept."""
    return row.kept if isinstance(row, OpenedRow) else row.events


def read(row: Row) -> tuple[AnyEvent, ...]:
    """Return what a row says, or say in one sentence why it cannot be read."""
    if isinstance(row, OpenedRow) and row.wrong:
        raise InvalidData(row.wrong)
    if row.events.startswith(SEALED):
        raise SealedRow(row)
    return decode(row.events)


class Walk:
    """A walk through a table's journal, which may be gone on with when it has grown."""

    def __init__(
        self,
        table_id: str,
        tell: Callable[[tuple[AnyEvent, ...]], None] = lambda _: None,
        archived: Sequence[tuple[int, int]] = (),
    ) -> None:
        self.table_id = table_id
        self._archived = archived
        """The first and the last row of each archive: such rows have no events here, and are held by their links."""
        self.last = Head()
        """The last row that was found good."""
        self.sealed: list[int] = []
        """The rows of a round in play that no key was there for: whole as they are kept, and not read."""
        self._tell = tell

    def through(self, rows: Iterable[Row]) -> Bad | None:
        """Go through the next rows; return the first bad one. What the good ones say is told on."""
        for row in rows:
            if not row.events and any(first <= row.number <= last for first, last in self._archived):
                if reason := linked(row, self.table_id, self.last):
                    return self._bad(self.last.number + 1, reason)
                self.last = Head(row.number, row.hash)
                continue
            if reason := follows(row, self.table_id, self.last):
                return self._bad(self.last.number + 1, reason)
            try:
                self._tell(read(row))
            except SealedRow:
                self.sealed.append(row.number)
            except InvalidData as error:
                return self._bad(row.number, f"its events cannot be read: {error}")
            self.last = Head(row.number, row.hash)
        return None

    def ends_at(self, head: Head) -> Bad | None:
        """See that the journal ends where the table's record says."""
        if head == self.last:
            return None
        if head.number == self.last.number:
            came = f"one with the hash {self.last.hash[:16]}…"
            return self._bad(head.number, f"expected a last row with the hash {head.hash[:16]}…, got {came}")
        number = min(head.number, self.last.number) + 1
        return self._bad(number, f"expected the journal to end at row {head.number}, got its end at {self.last.number}")

    def _bad(self, number: int, reason: str) -> Bad:
        return Bad(table_id=self.table_id, number=number, reason=reason)


def check(
    rows: Iterable[Row], table_id: str, head: Head | None = None, archived: Sequence[tuple[int, int]] = ()
) -> Bad | None:
    """Walk a table's journal and return the first bad row; `head` is where it must end, if that is known."""
    walk = Walk(table_id, archived=archived)
    return walk.through(rows) or (walk.ends_at(head) if head is not None else None)


def linked(row: Row, table_id: str, last: Head) -> str:
    """Return why a row is not the one after a head, or nothing; what it holds is not looked at."""
    if row.table_id != table_id:
        return f"expected a row of table {table_id}, got one of table {row.table_id}"
    if row.number != last.number + 1:
        return f"expected row {last.number + 1}, got row {row.number}"
    if row.previous != last.hash:
        return f"expected the previous hash {last.hash[:16]}…, got {row.previous[:16]}…"
    return ""


def follows(row: Row, table_id: str, last: Head) -> str:
    """Return why a row does not follow a head, or nothing; what its events say is not read."""
    if reason := linked(row, table_id, last):
        return reason
    if not row.events:
        return f"expected the events of row {row.number}, got none: they are in an archive, or gone"
    if row.hash != hash_of(row):
        return f"expected the hash {hash_of(row)[:16]}… of its contents, got {row.hash[:16]}…"
    return ""
