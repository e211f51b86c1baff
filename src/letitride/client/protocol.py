"""Protocol: the messages of a table's socket as values, read and written; its version, and its schema as JSON."""

from __future__ import annotations

import re
from typing import Final

import msgspec

from letitride.engine.view_types import View
from letitride.errors import InvalidData
from letitride.server.net.wire import Incoming
from letitride.server.tables.messages import ChangeSent, Outgoing

VERSION: Final = 1
"""Of the protocol: it rises where a client that was written for the last one could go wrong."""
_READ: Final = msgspec.json.Decoder(Outgoing)
_WRITE: Final = msgspec.json.Encoder()
Raw = dict[str, object]
"""A view as JSON has it, of which a change replaces pieces."""


def read_message(frame: bytes | str) -> Outgoing:
    """Return a message of the server."""
    try:
        found: Outgoing = _READ.decode(frame)
    except msgspec.MsgspecError as error:
        raise InvalidData(f"expected a message of protocol {VERSION}, got something else: {error}") from None
    return found


def write_message(message: Incoming) -> str:
    """Return a message for the server."""
    return _WRITE.encode(message).decode()


def changed(view: Raw, change: ChangeSent) -> Raw:
    """Return a view with the pieces and the seats of a change in the place of its own."""
    before = view["seats"]
    seats = {str(number): msgspec.to_builtins(seat, str_keys=True) for number, seat in change.seats.items()}
    return {**view, **change.view, "seats": {**(before if isinstance(before, dict) else {}), **seats}}


def view_of(raw: Raw) -> View:
    """Return a view as a value."""
    return msgspec.convert(raw, View, strict=False)


Schema = dict[str, object]
"""A JSON Schema, as its standard has it."""


def schema() -> Schema:
    """Return the JSON Schema of everything that goes over a table's socket."""
    (client, server), parts = msgspec.json.schema_components([Incoming, Outgoing], ref_template="#/$defs/{name}")
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": f"https://letitride.invalid/protocol-{VERSION}.json",
        "title": f"letitride, the socket of a table, protocol {VERSION}",
        "version": VERSION,
        "$defs": {
            "FromClient": client,
            "FromServer": server,
            **{
                name: {**part, "description": _plain(part.get("description", ""))}
                for name, part in sorted(parts.items())
            },
        },
    }


def _plain(text: str) -> str:
    return re.sub(r"\s+", " ", text).strip()
