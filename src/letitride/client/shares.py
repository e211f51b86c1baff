"""Shares: a seat's part in the shuffles of a table: pledges, links for the dice, nonces; it draws none itself."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from letitride.chance.shares import Reveal, ShuffleId, link_of, pledge
from letitride.server.net.wire import PledgeNonce, RevealLink, RevealNonce
from letitride.server.tables.messages import CommitmentSent, Outgoing, PledgesSent

Share = PledgeNonce | RevealLink | RevealNonce


class Nonces:
    """What a seat has pledged, by round and shuffle; nothing where it has not pledged yet."""

    def __init__(self, draw: Callable[[int], bytes]) -> None:
        self._draw = draw
        self._open: dict[tuple[str, int, int], bytes] = {}

    def replies(self, message: Outgoing | None, seat: int) -> Iterator[Share]:
        """Yield what to send at a message; `seat` is where the client sits, 0 for nowhere yet."""
        if isinstance(message, PledgesSent):
            self._open[message.table, message.round, message.shuffle] = b""
        elif isinstance(message, CommitmentSent) and seat in {one.seat for one in message.seats}:
            nonce = self._open.get((message.table, message.round, message.shuffle))
            if nonce and message.wants == "link":
                yield RevealLink(round=message.round, shuffle=message.shuffle, link=link_of(nonce).hex())
            elif nonce and message.wants:
                yield RevealNonce(round=message.round, shuffle=message.shuffle, nonce=nonce.hex())
        for (table, round_, shuffle), nonce in self._open.items():
            if seat and not nonce:
                made = self._open[table, round_, shuffle] = self._draw(32)
                digest = pledge(ShuffleId(table, round_, shuffle), Reveal(seat, made)).digest.hex()
                yield PledgeNonce(round=round_, shuffle=shuffle, digest=digest)
