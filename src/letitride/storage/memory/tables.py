"""Memory tables: the register of tables in memory; never their rows."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec
from msgspec.structs import replace

from letitride.storage.journal import START
from letitride.storage.memory.state import HeldTable, State
from letitride.storage.roles.tables import Standing, TableRecord, TableState, check_state, check_table, id_in_use


class MemoryTables:
    """The register of tables."""

    def __init__(self, state: State) -> None:
        self._state = state

    def create(self, table_id: str, name: str, about: Mapping[str, Any]) -> None:
        check_table(table_id, name)
        kept = msgspec.json.decode(msgspec.json.encode(about))
        with self._state.lock:
            if table_id in self._state.tables:
                raise id_in_use(table_id)
            self._state.tables[table_id] = HeldTable(TableRecord(id=table_id, name=name, about=kept, hash=START))

    def all(self) -> list[TableRecord]:
        with self._state.lock:
            return [held.record for _, held in sorted(self._state.tables.items())]

    def standings(self) -> list[Standing]:
        with self._state.lock:
            every = sorted(self._state.tables.items())
        return [
            Standing(table_id, held.node, held.until_ms)
            for table_id, held in every
            if held.record.state == "open" and held.record.number
        ]

    def get(self, table_id: str) -> TableRecord:
        return self._state.table(table_id).record

    def set_state(self, table_id: str, state: TableState, reason: str = "", *, epoch: int | None = None) -> bool:
        check_state(state, reason)
        with self._state.lock:
            held = self._state.table(table_id)
            if epoch not in {None, held.record.epoch}:
                return False
            held.record = replace(held.record, state=state, reason=reason)
            return True
