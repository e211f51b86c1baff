"""State: what the stores in memory share, behind one lock; it checks nothing."""

from __future__ import annotations

import threading
from collections.abc import Iterable
from dataclasses import dataclass, field

from letitride.ledger.transfers import Transfer
from letitride.storage import dump
from letitride.storage.journal import Row
from letitride.storage.roles.accounts import bad_balance, deltas
from letitride.storage.roles.audit import AuditRow, Note
from letitride.storage.roles.documents import Document
from letitride.storage.roles.journal import Ack, Conflict, conflict
from letitride.storage.roles.tables import TableRecord, no_table

Balances = dict[tuple[str, str], int]
"""What each account holds, by the table it belongs to and its name."""


@dataclass(slots=True)
class HeldTable:
    """A table, its rows, and its lease."""

    record: TableRecord
    rows: list[Row] = field(default_factory=list)
    node: str = ""
    address: str = ""
    until_ms: int = 0


class State:
    """Everything the stores of one memory hold."""

    def __init__(self) -> None:
        self.lock = threading.RLock()
        self.clear()

    def clear(self) -> None:
        """Forget everything."""
        self.tables: dict[str, HeldTable] = {}
        self.accounts: Balances = {}
        self.transfers: list[dump.TransferLine] = []
        self.acks: dict[tuple[str, str], dump.AckLine] = {}
        self.documents: dict[tuple[str, str], Document] = {}
        self.audit: list[AuditRow] = []

    @property
    def empty(self) -> bool:
        """Whether nothing is kept here."""
        return not (self.tables or self.accounts or self.documents or self.audit or self.acks)

    def table(self, table_id: str) -> HeldTable:
        """Return one table."""
        with self.lock:
            if table_id not in self.tables:
                raise no_table(table_id)
            return self.tables[table_id]

    def balances_after(self, table_id: str, transfers: Iterable[Transfer]) -> Balances | Conflict:
        """Return what the accounts that transfers touch would hold."""
        after = {
            account: self.accounts.get(account, 0) + delta for account, delta in deltas(table_id, transfers).items()
        }
        wrong = bad_balance(after)
        return conflict(wrong, table_id) if wrong else after

    def keep_transfer(self, moved: Transfer, table_id: str | None = None, number: int | None = None) -> None:
        """Add a transfer to the ledger."""
        self.transfers.append(
            dump.TransferLine(
                table_id=table_id, number=number, source=moved.source, target=moved.target, cents=moved.cents
            )
        )

    def keep_ack(self, ack: Ack, table_id: str | None = None, epoch: int = 0, number: int = 0) -> None:
        """Add an answer."""
        self.acks[ack.client, ack.command] = dump.AckLine(
            client=ack.client, command=ack.command, reply=ack.reply, table_id=table_id, epoch=epoch, number=number
        )

    def keep_note(self, note: Note) -> None:
        """Add a row to the audit."""
        number = len(self.audit) + 1
        self.audit.append(AuditRow(number=number, at=note.at, who=note.who, what=note.what, why=note.why))
