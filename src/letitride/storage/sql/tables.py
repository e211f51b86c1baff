"""SQL tables: the register of tables in a database; never their rows."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import msgspec

from letitride.storage.roles.tables import (
    Standing,
    TableRecord,
    TableState,
    check_state,
    check_table,
    id_in_use,
    no_table,
)
from letitride.storage.sql.session import Database

_STANDINGS: Final = "SELECT id, node, until_ms FROM game_tables WHERE state = 'open' AND number > 0 ORDER BY id"
_TABLE: Final = "SELECT id, name, about, state, reason, number, hash, epoch FROM game_tables"


class SqlTables:
    """The register of tables."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def create(self, table_id: str, name: str, about: Mapping[str, Any]) -> None:
        check_table(table_id, name)
        made = "INSERT INTO game_tables (id, name, about) VALUES (:id, :name, :about) ON CONFLICT (id) DO NOTHING"
        data = msgspec.json.encode(about)
        if not self._database.transact(lambda session: session.count(made, id=table_id, name=name, about=data)):
            raise id_in_use(table_id)

    def all(self) -> list[TableRecord]:
        return [_record(row) for row in self._database.read(f"{_TABLE} ORDER BY id")]

    def standings(self) -> list[Standing]:
        return [Standing(*row) for row in self._database.read(_STANDINGS)]

    def get(self, table_id: str) -> TableRecord:
        return table_record(self._database, table_id)

    def set_state(self, table_id: str, state: TableState, reason: str = "", *, epoch: int | None = None) -> bool:
        check_state(state, reason)
        changed = "UPDATE game_tables SET state = :state, reason = :reason WHERE id = :id"
        named: dict[str, str | int] = {"state": state, "reason": reason, "id": table_id}
        if epoch is not None:
            changed, named = f"{changed} AND epoch = :epoch", {**named, "epoch": epoch}
        if self._database.transact(lambda session: session.count(changed, **named)):
            return True
        table_record(self._database, table_id)  # refuses one that is not there
        return False


def table_record(database: Database, table_id: str) -> TableRecord:
    """Return one table, or refuse one that is not there."""
    for row in database.read(f"{_TABLE} WHERE id = :id", id=table_id):
        return _record(row)
    raise no_table(table_id)


def _record(row: tuple[Any, ...]) -> TableRecord:
    table_id, name, about, state, reason, number, sealed, epoch = row
    return TableRecord(
        id=table_id,
        name=name,
        about=msgspec.json.decode(bytes(about)),
        state=state,
        reason=reason,
        number=number,
        hash=sealed,
        epoch=epoch,
    )
