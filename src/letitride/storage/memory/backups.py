"""Memory backups: everything in memory as lines of JSON and back; never a part of it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Final

import msgspec
from msgspec.structs import asdict

from letitride.errors import InvalidData
from letitride.storage import dump
from letitride.storage.memory.state import HeldTable, State
from letitride.storage.roles.audit import Note
from letitride.storage.roles.documents import Document
from letitride.storage.roles.tables import TableRecord
from letitride.storage.roles.texts import check_texts
from letitride.storage.sql.backups import read_backup


class MemoryBackups:
    """What copies a whole memory."""

    suffix: Final = "jsonl"

    def __init__(self, state: State) -> None:
        self._state = state

    def write(self, path: Path) -> None:
        """Write everything to a new file of JSON lines."""
        with self._state.lock:
            dump.write_dump(path, _export(self._state))

    def restore(self, path: Path) -> None:
        """Read a backup into this memory, which must be empty."""
        state = self._state
        with state.lock:
            if not state.empty:
                raise InvalidData("expected an empty store to restore into, got one that holds something")
            try:
                for line in read_backup(path):
                    _load(state, line)
                _check_ends(state)
            except BaseException:
                state.clear()
                raise


def _export(state: State) -> Iterator[dump.Line]:
    acks = sorted(state.acks.values(), key=lambda ack: (ack.epoch, ack.number, ack.client, ack.command))
    for table_id, held in sorted(state.tables.items()):
        fields = {**asdict(held.record), "about": msgspec.json.encode(held.record.about)}
        yield dump.TableLine(**fields, node=held.node, address=held.address, until_ms=held.until_ms)
        history: list[dump.RowLine | dump.AckLine] = [
            *(dump.line_of(row) for row in held.rows),
            *(ack for ack in acks if ack.table_id == table_id),
        ]
        yield from sorted(history, key=dump.order)
    yield from (ack for ack in acks if ack.table_id is None)
    yield from state.transfers
    for (scope, name), cents in sorted(state.accounts.items()):
        yield dump.AccountLine(scope=scope, name=name, cents=cents)
    for _, document in sorted(state.documents.items()):
        yield dump.DocumentLine(**asdict(document))
    for row in state.audit:
        yield dump.AuditLine(at=row.at, who=row.who, what=row.what, why=row.why)


def _load(state: State, line: dump.Line) -> None:
    match line:
        case dump.TableLine():
            fields = {**asdict(line), "about": msgspec.json.decode(line.about)}
            lease = {name: fields.pop(name) for name in ("node", "address", "until_ms")}
            state.tables[line.id] = HeldTable(TableRecord(**fields), **lease)
        case dump.RowLine():
            state.tables[line.table_id].rows.append(dump.row_of(line))
        case dump.AckLine():
            state.acks[line.client, line.command] = line
        case dump.TransferLine():
            state.transfers.append(line)
        case dump.AccountLine():
            state.accounts[line.scope, line.name] = line.cents
        case dump.DocumentLine():
            state.documents[line.kind, line.id] = Document(**asdict(line))
        case dump.AuditLine():
            check_texts(line.who, line.what, line.why)
            state.keep_note(Note(**asdict(line)))


def _check_ends(state: State) -> None:
    for held in state.tables.values():
        end, last = held.record.head, held.record.head if not held.rows else held.rows[-1]
        if (end.number, end.hash) != (last.number, last.hash) or end.number != len(held.rows):
            came = f"got {len(held.rows)} rows"
            raise InvalidData(f"expected the journal of table {held.record.id} to end at row {end.number}, {came}")
