"""Journal store: tables' rows, with the money they move and the answers they are; never a part of a write."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final, Literal, Protocol

import msgspec

from letitride.engine.events import AnyEvent
from letitride.ledger.transfers import Transfer
from letitride.storage.journal import Head, Row, follows, seal
from letitride.storage.roles.accounts import bad_holding, bad_transfer
from letitride.storage.roles.audit import Note
from letitride.storage.roles.documents import Document
from letitride.storage.roles.texts import is_text

NUMBER_MAX: Final = 2**63 - 1


class Ack(msgspec.Struct, frozen=True, gc=False):
    """The answer to a client's command, kept so that the command is never carried out twice."""

    client: str
    command: str
    reply: bytes


class Write(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """What one table has to remember of one moment: rows, money they move, answers they are, what goes along."""

    table_id: str
    epoch: int = 0
    number: int
    """The number of the first row: one more than the journal has."""
    rows: Sequence[Row] = ()
    transfers: Sequence[Transfer] = ()
    acks: Sequence[Ack] = ()
    notes: Sequence[Note] = ()
    documents: Sequence[Document] = ()
    """New ones; where there is one of that kind and id, it stays as it is."""
    holds: Mapping[str, int] = {}
    """What accounts outside the table must hold, in cents, for it to be true: where one holds less, it is refused."""


class Written(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """A write that is on disk."""

    table_id: str
    number: int
    """The number of the table's last row now."""
    hash: str


class Stale(msgspec.Struct, frozen=True, kw_only=True):
    """A write of an owner whose table belongs to another by now; nothing of it was kept."""

    table_id: str
    epoch: int
    """The epoch in force."""


ConflictCode = Literal["table", "number", "previous", "epoch", "balance", "bounds", "command", "malformed"]
_REASONS: Final[Mapping[ConflictCode, str]] = {
    "table": "expected a table that exists, got '{table}'",
    "epoch": "expected an epoch that was given with a lease, got {epoch}",
    "number": "expected the row that follows the journal, got row {number}",
    "previous": "expected the hash of the journal's last row, got another",
    "balance": "expected no account to owe or to hold less than was read, got one that would",
    "bounds": "expected balances within 10^15 cents, got one beyond",
    "command": "expected commands that were not answered yet, got one that was",
}


class Conflict(msgspec.Struct, frozen=True, kw_only=True):
    """A write that cannot be: nothing of it was kept, and the other writes of its batch were."""

    table_id: str
    code: ConflictCode
    """What it is about; 'command': its command was answered before, so that reply() has the answer."""
    reason: str


Outcome = Written | Stale | Conflict


class Hazard(msgspec.Struct, frozen=True, kw_only=True):
    """Something underneath a store that could lose what was confirmed, or hold it up."""

    what: str
    """The part it is about, in two or three words."""
    severity: Literal["note", "warn", "fail"]
    """'fail': what is confirmed does not outlive a crash."""
    found: str
    todo: str


class JournalStore(Protocol):
    """The journals of all tables, with the answers to commands."""

    def append(self, batch: Sequence[Write]) -> list[Outcome]:
        """Write what many tables have to remember in one transaction, each write wholly or not at all."""

    def rows(self, table_id: str, after: int = 0, limit: int | None = None) -> Iterator[Row]:
        """Yield a table's rows, in order."""

    def last(self, table_id: str) -> Head:
        """Return where a table's journal ends."""

    def reply(self, client: str, command: str) -> bytes | None:
        """Return what a client's command was answered, if it was."""

    def may_write(self) -> bool:
        """Whether journals can be added to here: the rights are there, and this is no copy of a database."""

    def hazards(self) -> list[Hazard]:
        """Return what the settings underneath could do to rows that were confirmed."""


def prepare(
    head: Head,
    *,
    table_id: str,
    at: int,
    by: str,
    happened: Sequence[AnyEvent],
    command: str = "",
    epoch: int = 0,
    acks: Sequence[Ack] = (),
    holds: Mapping[str, int] | None = None,
) -> Write:
    """Return the write of what followed from one command: its row, the transfers its events make, and the answers."""
    row = seal(head, table_id=table_id, at=at, by=by, happened=happened, command=command, epoch=epoch)
    moved = [transfer for event in happened for transfer in event.chips]
    return Write(
        table_id=table_id, epoch=epoch, number=row.number, rows=(row,), transfers=moved, acks=acks, holds=holds or {}
    )


def conflict(code: ConflictCode, table_id: str, *, epoch: int = 0, number: int = 0) -> Conflict:
    """Return a conflict in the one wording that every store has for it."""
    reason = _REASONS[code].format(table=table_id, epoch=epoch, number=number)
    return Conflict(table_id=table_id, code=code, reason=reason)


def malformed(write: Write) -> Conflict | None:
    """Return why a write cannot be meant, or nothing."""
    reason = _bad_shape(write)
    return Conflict(table_id=write.table_id, code="malformed", reason=reason) if reason else None


def _bad_shape(write: Write) -> str:
    if write.transfers and not write.rows:
        return "expected rows beside transfers, got transfers alone"
    if not (write.rows or write.acks):
        return "expected rows or answers, got neither"
    if write.rows:
        last = Head(write.number - 1, write.rows[0].previous)
        for row in write.rows:
            if reason := follows(row, write.table_id, last):
                return reason
            if row.epoch != write.epoch:
                return f"expected rows of epoch {write.epoch}, got one of epoch {row.epoch}"
            if not 0 <= row.at <= NUMBER_MAX or not is_text(row.by) or not is_text(row.command):
                return "expected a time since 1970 and names without control characters, got others"
            last = Head(row.number, row.hash)
    for transfer in write.transfers:
        if reason := bad_transfer(transfer):
            return reason
    for account, cents in write.holds.items():
        if reason := bad_holding(account, cents):
            return reason
    if not all(is_text(ack.client) and is_text(ack.command) and ack.client and ack.command for ack in write.acks):
        return "expected a client and a command id without control characters for each answer, got others"
    if not all(is_text(text) for note in write.notes for text in (note.who, note.what, note.why)):
        return "expected notes for the audit without control characters, got others"
    return ""
