"""Shuffles: the decks of one live table, each committed to, made with the seats, and opened after its round.

Seats pledge a nonce when a shuffle is announced, the house commits, seats reveal, and the deck follows from both. What
the house committed to is in the store before anybody is told, so a server that stops can open it or void it later.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable
from typing import Any, Final

import msgspec

from letitride.chance.fair import Commitment, Fair, Pledge, Proof, Reveal, Secret, ShuffleId, commit, seal, void
from letitride.engine import places
from letitride.engine.state import Table
from letitride.errors import InvalidData
from letitride.server.committer import Committer
from letitride.storage.store import Store

KIND: Final = "shuffle"
WAIT_SECONDS: Final = 1.0
"""How long a seat that pledged, or may pledge, is waited for."""


SPENT: Final = frozenset({places.RACK, places.CHEST, places.OUTSIDE})
"""Where no card lies that is mixed and still to be dealt, or that somebody plays with."""


def spent(table: Table) -> set[int]:
    """Return the decks of which no card is in play or waits mixed: their order is nobody's secret any more."""
    used = {card.deck for place, held in table.cards.items() if place not in SPENT for card in held}
    return set(range(1, table.rules.rules.decks + 1)) - used


class Kept(msgspec.Struct, frozen=True, kw_only=True):
    """A shuffle as the store keeps it: secret until it is opened."""

    table: str
    round: int
    shuffle: int
    faces: tuple[str, ...]
    salts: tuple[str, ...]
    pledges: tuple[tuple[int, str], ...]
    reveals: tuple[tuple[int, str], ...] = ()
    state: str = "committed"
    """'committed', 'dealt', 'opened' or 'void'."""
    reason: str = ""
    deck: int = 1
    """Which of the table's decks was mixed."""

    @property
    def key(self) -> str:
        """Its id in the store: sorts by round and shuffle."""
        return f"{self.table}/{self.round:012}/{self.shuffle:06}"

    def secret(self) -> Secret:
        """What the house keeps of it."""
        pledges = [Pledge(seat, bytes.fromhex(digest)) for seat, digest in self.pledges]
        return seal(
            ShuffleId(self.table, self.round, self.shuffle), pledges, self.faces, list(map(bytes.fromhex, self.salts))
        )

    def told(self) -> tuple[Reveal, ...]:
        """The nonces that were revealed."""
        return tuple(Reveal(seat, bytes.fromhex(nonce)) for seat, nonce in self.reveals)

    def proof(self) -> Proof:
        """The proof that is published of it."""
        if self.state == "void":
            return void(self.secret(), self.told(), self.reason)
        return Fair(self.secret(), self.told()).proof()


class Shuffles:
    """The shuffles of one table; `tell` sends a message to everybody there."""

    def __init__(
        self, table_id: str, store: Store, committer: Committer, tell: Callable[[dict[str, Any]], None]
    ) -> None:
        self._table, self._store, self._committer, self._tell = table_id, store, committer, tell
        self._pledges: dict[int, Pledge] = {}
        self._reveals: dict[int, Reveal] = {}
        self._next: ShuffleId | None = None
        self._open: Commitment | None = None
        self._moved = asyncio.Event()
        kept = [msgspec.json.decode(doc.body, type=Kept) for doc in store.documents(KIND)]
        mine = [one for one in kept if one.table == table_id]
        self._last = max(((one.round, one.shuffle) for one in mine), default=(0, 0))
        self._unfinished = [one for one in mine if one.state in {"committed", "dealt"}]
        self._used = {one.key for one in self._unfinished}
        """Those that came to the table; one that a dead server made and did not use is made anew."""

    @property
    def announced(self) -> dict[str, Any] | None:
        """The shuffle that seats may pledge to or reveal for now, for somebody who comes in."""
        if self._open is not None:
            return {"type": "commitment", **self._open.as_data()}
        if self._next is not None:
            return {"type": "pledges", "table": self._table, "round": self._next.round, "shuffle": self._next.shuffle}
        return None

    def pledge(self, seat: int, digest: bytes) -> None:
        """Take a seat's pledge for the shuffle that is announced."""
        if self._next is None or self._open is not None:
            raise InvalidData("expected a pledge while a shuffle is announced, got one at another time")
        self._pledges[seat] = Pledge(seat, digest)
        self._moved.set()

    def reveal(self, seat: int, nonce: bytes) -> None:
        """Take the nonce a seat pledged."""
        if self._open is None or seat in self._reveals:
            raise InvalidData("expected one nonce after the house has committed, got one at another time")
        one = Reveal(seat, nonce)
        Fair(Secret(self._open, (), ()), (one,))  # refuses a nonce that was not pledged
        self._reveals[seat] = one
        self._moved.set()

    async def order(self, round_: int, seats: set[int], deck: int = 1) -> tuple[str, ...]:
        """Return the faces of a deck made with the seats, top first."""
        await self._void_unfinished("the server was stopped before the deck was used")
        await self._publish(one for one in self._unfinished if one.deck == deck)  # it is about to be mixed anew
        shuffle = self._last[1] + 1 if round_ <= self._last[0] else 1
        self._next = ShuffleId(self._table, max(round_, self._last[0]), shuffle)
        self._pledges, self._reveals = {}, {}
        self._tell({"type": "pledges", "table": self._table, "round": self._next.round, "shuffle": self._next.shuffle})
        await self._until(lambda: seats <= set(self._pledges), bool(seats))
        secret = commit(self._next, [pledge for seat, pledge in self._pledges.items() if seat in seats])
        kept = Kept(
            table=self._table,
            round=self._next.round,
            shuffle=self._next.shuffle,
            faces=secret.faces,
            salts=tuple(salt.hex() for salt in secret.salts),
            pledges=tuple((one.seat, one.digest.hex()) for one in secret.commitment.pledges),
            deck=deck,
        )
        await self._keep(kept)
        self._last = (kept.round, kept.shuffle)
        self._open = secret.commitment
        self._tell({"type": "commitment", **self._open.as_data()})
        pledged = {one.seat for one in self._open.pledges}
        await self._until(lambda: pledged <= set(self._reveals), bool(pledged))
        fair = Fair(secret, tuple(self._reveals.values()))
        told = tuple((one.seat, one.nonce.hex()) for one in fair.reveals)
        self._unfinished.append(msgspec.structs.replace(kept, reveals=told, state="dealt"))
        await self._keep(self._unfinished[-1])
        self._next = self._open = None
        return fair.order

    async def open(self, decks: set[int]) -> None:
        """Open, for all to check, what was dealt from these decks: every card of them is put away again."""
        self._used |= {one.key for one in self._unfinished if one.deck not in decks}
        await self._publish(one for one in self._unfinished if one.deck in decks and one.key in self._used)

    async def _publish(self, over: Iterable[Kept]) -> None:
        for kept in [one for one in over if one.state == "dealt"]:
            await self._close(msgspec.structs.replace(kept, state="opened"))

    async def void_all(self, reason: str) -> None:
        """Give every deck up that is not opened, in public."""
        await self._void_unfinished(reason, everything=True)

    def proof(self, round_: int, shuffle: int) -> dict[str, Any] | None:
        """Return a proof that was published."""
        blank = Kept(table=self._table, round=round_, shuffle=shuffle, faces=(), salts=(), pledges=())
        doc = self._store.document(KIND, blank.key)
        kept = msgspec.json.decode(doc.body, type=Kept) if doc else None
        return kept.proof().as_data() if kept is not None and kept.state in {"opened", "void"} else None

    async def _void_unfinished(self, reason: str, *, everything: bool = False) -> None:
        for kept in [one for one in self._unfinished if everything or one.state == "committed"]:
            await self._close(msgspec.structs.replace(kept, state="void", reason=reason))

    async def _close(self, kept: Kept) -> None:
        await self._keep(kept)
        self._unfinished = [one for one in self._unfinished if one.key != kept.key]
        self._tell({"type": "proof", "table": self._table, "round": kept.round, "shuffle": kept.shuffle})

    async def _keep(self, kept: Kept) -> None:
        body = msgspec.json.encode(kept)

        def put() -> None:
            before = self._store.document(KIND, kept.key)
            self._store.put_document(KIND, kept.key, body, before.version if before else 0)

        await self._committer.call(put)

    async def _until(self, done: Callable[[], bool], wait: bool) -> None:
        """Wait until something is so, or long enough; nobody can hold the table up."""
        loop = asyncio.get_running_loop()
        end = loop.time() + WAIT_SECONDS
        while wait and not done() and loop.time() < end:
            self._moved.clear()
            try:
                await asyncio.wait_for(self._moved.wait(), end - loop.time())
            except TimeoutError:
                return
