"""Introductions: how a server of the house tells another for whom it opens a connection; never what is asked there.

The first line on such a connection says whose it is, signed with a key that follows from the house's own. A connection
without such a line is closed before anything else is read.
"""

from __future__ import annotations

import hmac
from hashlib import sha256
from typing import Final

import msgspec

LINE_MAX: Final = 1_024
FRESH_MS: Final = 30_000
"""How long a line is good for, and how far the clocks of two servers may be apart."""
KEY: Final = "introductions"
"""The name of the key that the house's own is turned into for this."""


class Introduction(msgspec.Struct, frozen=True, kw_only=True):
    """For whom a connection is opened."""

    to: str
    """The node that is asked; a line for one opens no other."""
    address: str
    """Of the client, as the first server saw it."""
    port: int
    https: bool = False
    at_ms: int


_read: Final = msgspec.json.Decoder(Introduction).decode


def signed_line(key: bytes, one: Introduction) -> bytes:
    """Return the line that introduces a person."""
    said = msgspec.json.encode(one)
    return said + _signature(key, said) + b"\n"


def verified(key: bytes, line: bytes, node: str, now_ms: int) -> Introduction | None:
    """Return whom a line introduces to a node; None where it is not signed by this key, for another node, or old."""
    said, signature = line[:-64], line[-64:]
    if not hmac.compare_digest(signature, _signature(key, said)):
        return None
    one = _read(said)
    return one if one.to == node and abs(now_ms - one.at_ms) <= FRESH_MS else None


def _signature(key: bytes, said: bytes) -> bytes:
    return hmac.new(key, said, sha256).hexdigest().encode()
