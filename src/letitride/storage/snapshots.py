"""Snapshots: a table as it was after a row of its journal, so that a long journal need not be read from its beginning.

A snapshot is a convenience and never the truth: whoever finds one that does not fit the journal reads the journal.
"""

from __future__ import annotations

from typing import Any, Final

import msgspec

from letitride import __version__
from letitride.engine.events import TableOpened
from letitride.engine.evolve import evolve, new_table
from letitride.engine.state import Table
from letitride.errors import InvariantBroken
from letitride.storage.codec import decode, from_plain, to_plain
from letitride.storage.journal import Head
from letitride.storage.rules_codec import WireRules, from_wire, to_wire
from letitride.storage.store import Store

KIND: Final = "snapshot"
"""The kind of document a store keeps them as, one for each table."""

_WireTable: Any = msgspec.defstruct(
    "_WireTable",
    [(field.name, WireRules if field.name == "rules" else field.type) for field in msgspec.structs.fields(Table)],
    frozen=True,
    forbid_unknown_fields=True,
)


class Snapshot(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A table after a row."""

    code: str
    """The version of the code that took it: another one may keep other things."""
    number: int
    hash: str
    table: msgspec.Raw


_ENCODER: Final = msgspec.json.Encoder(enc_hook=to_plain)
_TABLE: Final = msgspec.json.Decoder(_WireTable, dec_hook=from_plain)
_SNAPSHOT: Final = msgspec.json.Decoder(Snapshot)


def take(table: Table, head: Head) -> bytes:
    """Return a table as bytes."""
    fields = {name: getattr(table, name) for name in Table.__struct_fields__}
    wire = _WireTable(**{**fields, "rules": to_wire(table.rules)})
    return _ENCODER.encode(Snapshot(__version__, head.number, head.hash, msgspec.Raw(_ENCODER.encode(wire))))


def read(snapshot: bytes) -> tuple[Table, Head] | None:
    """Return the table of a snapshot and where it was taken; nothing if it is not one of this version."""
    try:
        found = _SNAPSHOT.decode(snapshot)
        if found.code != __version__:
            return None
        wire = _TABLE.decode(found.table)
    except msgspec.DecodeError:
        return None
    fields = {name: getattr(wire, name) for name in Table.__struct_fields__}
    return Table(**{**fields, "rules": from_wire(wire.rules)}), Head(found.number, found.hash)


def load(store: Store, table_id: str) -> tuple[Table, Head]:
    """Return a table as its journal tells it, and where the journal ends."""
    kept = store.document(KIND, table_id)
    found = read(kept.body) if kept is not None else None
    if found is not None:
        table, head = found
        rows = store.rows(table_id, after=head.number - 1)
        row = next(rows, None)
        if row is not None and (row.number, row.hash) == (head.number, head.hash):
            return _go_on(table, head, rows)
    return _go_on(None, Head(), store.rows(table_id))


def _go_on(table: Table | None, head: Head, rows: Any) -> tuple[Table, Head]:
    for row in rows:
        for event in decode(row.events):
            table = new_table(event) if isinstance(event, TableOpened) else evolve(_there(table), event)
        head = Head(row.number, row.hash)
    return _there(table), head


def _there(table: Table | None) -> Table:
    if table is None:
        raise InvariantBroken("a journal begins with the opening of its table")
    return table
