"""Tables codec: a table at one moment as bytes and back; a shortcut past its journal, never instead of it."""

from __future__ import annotations

from typing import Any, Final, get_type_hints

import msgspec

from letitride.engine.state import Table
from letitride.errors import InvalidData
from letitride.rules.table_rules import TableRules
from letitride.storage.codec import from_plain, to_plain
from letitride.storage.rules_codec import WireRules, from_wire, to_wire

_PLAIN: Final = {name: kind for name, kind in get_type_hints(Table).items() if name != "rules"}
_State: Any = msgspec.defstruct(
    "_State", [*_PLAIN.items(), ("rules", WireRules | None)], frozen=True, forbid_unknown_fields=True
)
_ENCODER: Final = msgspec.json.Encoder(enc_hook=to_plain)
_DECODER: Final = msgspec.json.Decoder(_State, dec_hook=from_plain)


def encode_table(table: Table, opened: TableRules) -> bytes:
    """Return a table as JSON; its rules are written only where they are no longer those it was opened by."""
    fields = {name: getattr(table, name) for name in _PLAIN}
    return _ENCODER.encode({**fields, "rules": None if table.rules == opened else to_wire(table.rules)})


def decode_table(written: bytes, opened: TableRules) -> Table:
    """Return the table that was written; refuse one that another version of tables wrote."""
    try:
        state = _DECODER.decode(written)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise InvalidData(f"expected a table as it is written today, got something else: {error}") from None
    rules = opened if state.rules is None else from_wire(state.rules)
    return Table(rules=rules, **{name: getattr(state, name) for name in _PLAIN})
