"""Memory journal: tables' rows in memory, each write wholly or not at all."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec.structs import replace

from letitride.storage.journal import Head, Row
from letitride.storage.memory.state import State
from letitride.storage.roles.journal import Conflict, Hazard, Outcome, Stale, Write, Written, conflict, malformed


class MemoryJournal:
    """The journals of all tables."""

    def __init__(self, state: State) -> None:
        self._state = state

    def append(self, batch: Sequence[Write]) -> list[Outcome]:
        with self._state.lock:
            return [self._one(write) for write in batch]

    def _one(self, write: Write) -> Outcome:
        """Look at everything first, and change something only when nothing is in the way."""
        state = self._state
        if no := malformed(write) or self._not_next(write):
            return no
        held = state.tables[write.table_id]
        names = [(ack.client, ack.command) for ack in write.acks]
        if len(set(names)) < len(names) or any(name in state.acks for name in names):
            return conflict("command", write.table_id)
        if any(state.accounts.get(("", account), 0) < cents for account, cents in write.holds.items()):
            return conflict("balance", write.table_id)
        balances = state.balances_after(write.table_id, write.transfers)
        if isinstance(balances, Conflict):
            return balances
        held.rows += write.rows
        last = Head(write.rows[-1].number, write.rows[-1].hash) if write.rows else held.record.head
        held.record = replace(held.record, number=last.number, hash=last.hash)
        state.accounts.update(balances)
        for transfer in write.transfers:
            state.keep_transfer(transfer, write.table_id, last.number)
        for ack in write.acks:
            state.keep_ack(ack, write.table_id, write.epoch, last.number)
        for note in write.notes:
            state.keep_note(note)
        for document in write.documents:
            state.documents.setdefault((document.kind, document.id), document)
        return Written(table_id=write.table_id, number=last.number, hash=last.hash)

    def _not_next(self, write: Write) -> Stale | Conflict | None:
        """Return why a write does not follow its table's journal, or nothing."""
        held = self._state.tables.get(write.table_id)
        if held is None:
            return conflict("table", write.table_id)
        record = held.record
        if write.epoch < record.epoch:
            return Stale(table_id=write.table_id, epoch=record.epoch)
        if write.epoch > record.epoch:
            return conflict("epoch", write.table_id, epoch=write.epoch)
        if write.number != record.number + 1:
            return conflict("number", write.table_id, number=write.number)
        if write.rows and write.rows[0].previous != record.hash:
            return conflict("previous", write.table_id)
        return None

    def rows(self, table_id: str, after: int = 0, limit: int | None = None) -> Iterator[Row]:
        with self._state.lock:
            held = self._state.tables.get(table_id)
            found = held.rows[after:] if held else []
        return iter(found if limit is None else found[:limit])

    def last(self, table_id: str) -> Head:
        return self._state.table(table_id).record.head

    def reply(self, client: str, command: str) -> bytes | None:
        with self._state.lock:
            found = self._state.acks.get((client, command))
        return found.reply if found else None

    def may_write(self) -> bool:
        return True

    def hazards(self) -> list[Hazard]:
        return []  # one who keeps a journal in memory knows what happens to it
