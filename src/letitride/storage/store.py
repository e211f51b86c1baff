"""Store: what every memory of a table server can do, and in which words it answers; never how."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final, Literal, Protocol

import msgspec

from letitride.engine.events import AnyEvent
from letitride.errors import InvalidData, InvariantBroken
from letitride.ledger import accounts
from letitride.ledger.transfers import Transfer, changes
from letitride.storage.journal import Head, Row, follows, seal

TableState = Literal["open", "halted", "closed"]
STATES: Final[tuple[TableState, ...]] = ("open", "halted", "closed")
CENTS_MAX: Final = 10**15
"""No account holds or owes more: sums stay far from the edge of 64 bits."""
NUMBER_MAX: Final = 2**63 - 1


class Ack(msgspec.Struct, frozen=True, gc=False):
    """The answer to a client's command, kept so that the command is never carried out twice."""

    client: str
    command: str
    reply: bytes


class Note(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """A row for the audit that is kept with what it is about, or not at all."""

    at: int
    who: str
    what: str
    why: str


class Write(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """What one table has to remember of one moment: rows, the money they move, the answers they are, notes."""

    table_id: str
    epoch: int = 0
    number: int
    """The number of the first row: one more than the journal has."""
    rows: Sequence[Row] = ()
    transfers: Sequence[Transfer] = ()
    acks: Sequence[Ack] = ()
    notes: Sequence[Note] = ()


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


class Conflict(msgspec.Struct, frozen=True, kw_only=True):
    """A write that cannot be: nothing of it was kept, and the other writes of its batch were."""

    table_id: str
    code: ConflictCode
    """What it is about; 'command': its command was answered before, so that reply() has the answer."""
    reason: str


Outcome = Written | Stale | Conflict


class Moved(msgspec.Struct, frozen=True, kw_only=True):
    """Money that went between the cage and a wallet."""

    wallet: str
    cents: int
    """What the wallet holds now."""


class TableRecord(msgspec.Struct, frozen=True, kw_only=True):
    """What is known of a table without reading its journal."""

    id: str
    name: str
    about: dict[str, Any]
    state: TableState = "open"
    reason: str = ""
    number: int = 0
    """How many rows its journal has."""
    hash: str
    epoch: int = 0

    @property
    def head(self) -> Head:
        """Where its journal ends."""
        return Head(self.number, self.hash)


class Lease(msgspec.Struct, frozen=True, kw_only=True):
    """Who may write a table's journal, and until when. A node is one process: its name dies with it."""

    table_id: str
    node: str
    address: str
    epoch: int
    until_ms: int


class Posted(Transfer, frozen=True, kw_only=True):
    """A transfer as the store keeps it."""

    number: int
    """The row of its table's journal; 0: between the cage and wallets, by no journal."""


class Document(msgspec.Struct, frozen=True, kw_only=True):
    """A thing the server keeps by kind and id, as JSON; its version grows by one with each change."""

    kind: str
    id: str
    version: int
    body: bytes


class AuditRow(msgspec.Struct, frozen=True, kw_only=True):
    """Who did what, when and why; never changed."""

    number: int
    at: int
    who: str
    what: str
    why: str


class Store(Protocol):
    """The memory of a table server. One thread writes; any thread may read. After StoreDown it may be called again."""

    def create_table(self, table_id: str, name: str, about: Mapping[str, Any]) -> None:
        """Remember a new table; an id is used once."""

    def tables(self) -> list[TableRecord]:
        """Return all tables, by id."""

    def table(self, table_id: str) -> TableRecord:
        """Return one table."""

    def set_table_state(self, table_id: str, state: TableState, reason: str = "", *, epoch: int | None = None) -> bool:
        """Say whether a table is open, halted or closed, and why; what may be written does not depend on it.

        With an epoch, only where it is in force; whether it was.
        """

    def append(self, batch: Sequence[Write]) -> list[Outcome]:
        """Write what many tables have to remember in one transaction, each write wholly or not at all."""

    def rows(self, table_id: str, after: int = 0, limit: int | None = None) -> Iterator[Row]:
        """Yield a table's rows, in order."""

    def last(self, table_id: str) -> Head:
        """Return where a table's journal ends."""

    def reply(self, client: str, command: str) -> bytes | None:
        """Return what a client's command was answered, if it was."""

    def balances(self, table_id: str | None) -> dict[str, int]:
        """Return the accounts of a table, or the wallets and the cage, that are not empty."""

    def wallet(self, name: str) -> int:
        """Return what is in one wallet."""

    def transfers(self, table_id: str | None) -> Iterator[Posted]:
        """Yield what the ledger has of a table, or of the cage and the wallets, in order."""

    def total(self) -> int:
        """Return the sum of all accounts: nothing, always."""

    def fund(self, wallet: str, cents: int, why: str, *, at: int, who: str, ack: Ack | None = None) -> Moved | Conflict:
        """Put money from the cage into a wallet, with an audit row."""

    def withdraw(
        self, wallet: str, cents: int, why: str, *, at: int, who: str, ack: Ack | None = None
    ) -> Moved | Conflict:
        """Pay money out of a wallet to the cage, with an audit row."""

    def hand_over(
        self, wallet: str, to: str, cents: int, why: str, *, at: int, who: str, ack: Ack | None = None
    ) -> Moved | Conflict:
        """Move money from a wallet to another, with an audit row; what is returned is of the one that gets it."""

    def lease(self, table_id: str, node: str, address: str, now_ms: int, ttl_ms: int) -> Lease | None:
        """Renew a node's lease of a table, or take one that is free or expired, which raises the epoch."""

    def release(self, table_id: str, node: str, epoch: int) -> bool:
        """Give a lease back; whether it was still held."""

    def owner(self, table_id: str) -> Lease | None:
        """Return the lease of a table, expired or not, if there is one."""

    def renew(self, node: str, now_ms: int, ttl_ms: int) -> dict[str, int]:
        """Renew every lease that is in a node's name, expired or not, and return {table: epoch} of them."""

    def leases(self) -> list[Lease]:
        """Return all leases, expired or not, by table."""

    def forget_leases(self) -> None:
        """End all leases: for whoever is alone, so that their owners can only be dead."""

    def now_ms(self, own_ms: int) -> int:
        """Return the time that leases go by: the database's where many processes share it, else the caller's."""

    def alone(self) -> bool:
        """Whether no other process can be writing here, for as long as this one does."""

    def put_document(self, kind: str, doc_id: str, body: bytes, version: int) -> int | None:
        """Keep a document if `version` is the one kept so far (0: none); return the new version, or None."""

    def document(self, kind: str, doc_id: str) -> Document | None:
        """Return a document."""

    def documents_named(self, kind: str, ids: Sequence[str]) -> list[Document]:
        """Return those documents of a kind that there are of these ids, asked for at once, in whatever order."""

    def documents(self, kind: str, prefix: str = "", last: int | None = None) -> list[Document]:
        """Return the documents of a kind whose ids begin so, by id; all of them, or the last few."""

    def delete_document(self, kind: str, doc_id: str, version: int) -> bool:
        """Forget a document if it still has this version; whether it had."""

    def audit(self, at: int, who: str, what: str, why: str) -> None:
        """Add a row to the audit."""

    def audits(self, after: int = 0, limit: int | None = None) -> Iterator[AuditRow]:
        """Yield the audit, in order."""

    def backup(self, path: Path) -> None:
        """Write everything to a new file, while others go on writing."""

    def restore(self, path: Path) -> None:
        """Read a backup of any kind of store into this one, which must be empty."""

    def close(self) -> None:
        """Let go of everything."""


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
) -> Write:
    """Return the write of what followed from one command: its row, the transfers its events make, and the answers."""
    row = seal(head, table_id=table_id, at=at, by=by, happened=happened, command=command, epoch=epoch)
    moved = [transfer for event in happened for transfer in event.chips]
    return Write(table_id=table_id, epoch=epoch, number=row.number, rows=(row,), transfers=moved, acks=acks)


def deltas(table_id: str, transfers: Iterable[Transfer]) -> dict[tuple[str, str], int]:
    """Return what transfers change of each account, in the one order in which accounts are locked."""
    return dict(
        sorted(((accounts.scope_of(name, table_id), name), cents) for name, cents in changes(transfers).items())
    )


def malformed(write: Write) -> str:
    """Return why a write cannot be meant, or nothing."""
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
                return "expected a time since 1970 and names without control signs, got others"
            last = Head(row.number, row.hash)
    for transfer in write.transfers:
        if reason := _bad_transfer(transfer):
            return reason
    if not all(is_text(ack.client) and is_text(ack.command) and ack.client and ack.command for ack in write.acks):
        return "expected a client and a command id without control signs for each answer, got others"
    if not all(is_text(text) for note in write.notes for text in (note.who, note.what, note.why)):
        return "expected notes for the audit without control signs, got others"
    return ""


def _bad_transfer(transfer: Transfer) -> str:
    if not 0 < transfer.cents <= CENTS_MAX or transfer.source == transfer.target:
        return f"expected an amount between two accounts, got {transfer}"
    for account in (transfer.source, transfer.target):
        try:
            kind = accounts.parse(account).kind
        except InvariantBroken as error:
            return str(error)
        if kind is accounts.Kind.CAGE:
            return "expected accounts of a table and wallets, got the cage"
        if not is_text(account):
            return f"expected an account without control signs, got {account!r}"
    return ""


def bad_cash(wallet: str, cents: int) -> str:
    """Return why no such amount can go into or out of a wallet, or nothing."""
    if not wallet or not is_text(wallet):
        return f"expected the name of a wallet, got {wallet!r}"
    return "" if 0 < cents <= CENTS_MAX else f"expected 1 to {CENTS_MAX} cents, got {cents}"


def is_text(text: str) -> bool:
    """Whether every database keeps a text as it is."""
    return text.isprintable()


def check_texts(*texts: str) -> None:
    """Refuse a text of many lines that not every database keeps as it is."""
    for text in texts:
        if "\0" in text or (not text.isascii() and text.encode(errors="replace").decode() != text):
            raise InvalidData(f"expected a text in Unicode without NUL, got {text!r}")


def check_document(kind: str, doc_id: str, body: bytes) -> None:
    """Refuse a document that cannot be kept."""
    check_name("the kind of a document", kind)
    check_name("the id of a document", doc_id)
    try:
        msgspec.json.decode(body, type=msgspec.Raw)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        raise InvalidData(f"expected JSON for the document {doc_id}, got other bytes") from None


def check_name(what: str, text: str) -> None:
    """Refuse an id or a name that cannot be kept."""
    if not text or not is_text(text):
        raise InvalidData(f"expected {what}, got {text!r}")
