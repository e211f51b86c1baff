"""Shares: a seat's part in the shuffles of a table, as any client gives it: pledges, links for the dice, nonces."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from letitride.chance.shares import Reveal, ShuffleId, link_of, pledge


class Nonces:
    """What a seat has pledged, by round and shuffle; nothing where it has not pledged yet."""

    def __init__(self, draw: Callable[[int], bytes]) -> None:
        self._draw = draw
        self._open: dict[tuple[str, int, int], bytes] = {}

    def replies(self, message: Mapping[str, Any], seat: int) -> Iterator[dict[str, Any]]:
        """Yield what to send at a message; `seat` is where the client sits, 0 for nowhere yet."""
        if message["type"] == "pledges":
            self._open[message["table"], message["round"], message["shuffle"]] = b""
        elif message["type"] == "commitment" and seat in {one["seat"] for one in message["seats"]}:
            nonce = self._open.get((message["table"], message["round"], message["shuffle"]))
            if nonce:
                named = {"round": message["round"], "shuffle": message["shuffle"]}
                if message["wants"] == "link":
                    yield {"type": "link", **named, "link": link_of(nonce).hex()}
                elif message["wants"]:
                    yield {"type": "reveal", **named, "nonce": nonce.hex()}
        for (table, round_, shuffle), nonce in self._open.items():
            if seat and not nonce:
                made = self._open[table, round_, shuffle] = self._draw(32)
                digest = pledge(ShuffleId(table, round_, shuffle), Reveal(seat, made)).digest.hex()
                yield {"type": "pledge", "round": round_, "shuffle": shuffle, "digest": digest}
