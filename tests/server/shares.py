"""Shares: a seat's part in the shuffles of a table, as the product's own client gives it, for messages as JSON has them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

import msgspec

from letitride.client import shares
from letitride.server.tables.messages import CommitmentSent, PledgesSent


class Nonces:
    """What a seat has pledged, by round and shuffle."""

    def __init__(self, draw: Callable[[int], bytes]) -> None:
        self._own = shares.Nonces(draw)

    def replies(self, message: Mapping[str, Any], seat: int) -> Iterator[dict[str, Any]]:
        """Yield what to send at a message; `seat` is where the client sits, 0 for nowhere yet."""
        known = {"pledges": PledgesSent, "commitment": CommitmentSent}.get(message["type"])
        told = msgspec.convert(message, known) if known else None
        yield from map(msgspec.to_builtins, self._own.replies(told, seat))
