"""Journal: rows of a table's events, each sealed with the hash of the one before; it has no clock and keeps nothing."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from typing import Final, NamedTuple

import msgspec

from letitride.engine.events import AnyEvent
from letitride.errors import InvalidData
from letitride.storage.codec import decode, encode

FORMAT: Final = b"letitride-journal/1\n"
"""What every hash begins with, so that no other text of ours can have the same."""
START: Final = "0" * 64
"""What stands for the hash before the first row."""


class Head(NamedTuple):
    """Where a journal ends: the number and the hash of its last row."""

    number: int = 0
    hash: str = START


class Row(msgspec.Struct, frozen=True, kw_only=True):
    """What followed from one command at one table, sealed."""

    table_id: str
    number: int
    """1 for the first row of a table, then one more each time."""
    at: int
    """When it happened, in milliseconds since 1970, by the clock of whoever wrote it."""
    by: str
    """Who gave the command."""
    command: str = ""
    """The id of the command, so that it is found again; empty: nobody's command."""
    epoch: int = 0
    """The epoch of the lease under which it was written."""
    events: bytes
    """What happened, as the codec writes it."""
    previous: str
    """The hash of the row before."""
    hash: str
    """SHA-256 over everything else."""


class Bad(msgspec.Struct, frozen=True, kw_only=True):
    """The first row of a journal that is not as it was written, and why."""

    table_id: str
    number: int
    reason: str


def seal(
    head: Head,
    *,
    table_id: str,
    at: int,
    by: str,
    happened: Iterable[AnyEvent],
    command: str = "",
    epoch: int = 0,
) -> Row:
    """Return the row that follows a journal's head."""
    open_row = Row(
        table_id=table_id,
        number=head.number + 1,
        at=at,
        by=by,
        command=command,
        epoch=epoch,
        events=encode(happened),
        previous=head.hash,
        hash="",
    )
    return msgspec.structs.replace(open_row, hash=hash_of(open_row))


def hash_of(row: Row) -> str:
    """Return the hash a row must have: over one line of JSON with its other fields, and then its events as they are."""
    fields = [row.table_id, row.number, row.at, row.by, row.command, row.epoch, row.previous]
    return hashlib.sha256(FORMAT + msgspec.json.encode(fields) + b"\n" + row.events).hexdigest()


def check(rows: Iterable[Row], table_id: str, head: Head | None = None) -> Bad | None:
    """Walk a table's journal and return the first bad row; `head` is where it must end, if that is known."""
    last = Head()
    for row in rows:
        if reason := _wrong(row, table_id, last):
            return Bad(table_id=table_id, number=last.number + 1, reason=reason)
        last = Head(row.number, row.hash)
    if head is not None and head != last:
        if head.number == last.number:
            reason = f"the table's record ends with the hash {head.hash[:16]}…, the journal with {last.hash[:16]}…"
            return Bad(table_id=table_id, number=last.number, reason=reason)
        if head.number > last.number:
            reason = f"the journal ends at row {last.number}, the table's record at row {head.number}"
            return Bad(table_id=table_id, number=last.number + 1, reason=reason)
        reason = f"the table's record ends at row {head.number}, the journal at row {last.number}"
        return Bad(table_id=table_id, number=head.number + 1, reason=reason)
    return None


def follows(row: Row, table_id: str, last: Head) -> str:
    """Return why a row does not follow a head, or nothing; what its events say is not read."""
    if row.table_id != table_id:
        return f"expected a row of table {table_id}, got one of table {row.table_id}"
    if row.number != last.number + 1:
        return f"expected row {last.number + 1}, got row {row.number}"
    if row.previous != last.hash:
        return f"expected the previous hash {last.hash[:16]}…, got {row.previous[:16]}…"
    if row.hash != hash_of(row):
        return f"expected the hash {hash_of(row)[:16]}… of its contents, got {row.hash[:16]}…"
    return ""


def _wrong(row: Row, table_id: str, last: Head) -> str:
    if reason := follows(row, table_id, last):
        return reason
    try:
        decode(row.events)
    except InvalidData as error:
        return f"its events cannot be read: {error}"
    return ""
