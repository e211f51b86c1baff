"""Shuffles: the decks of one live table, each committed to, made with the seats, and opened after its round.

Seats pledge a nonce when a shuffle is announced, the house commits, seats reveal, and the deck follows from both. What
the house committed to is in the store before anybody is told, so a server that stops can open it or void it later.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Container
from typing import Final

import msgspec

from letitride.chance.fair import Commitment, Fair, Pledge, Proof, Reveal, Secret, ShuffleId, commit, seal, void
from letitride.errors import InvalidData
from letitride.server.runtime.requests import TableLost
from letitride.server.runtime.write_batching import Committer
from letitride.server.tables.messages import CommitmentSent, Outgoing, PledgesSent, ProofSent, SeatPledged
from letitride.storage.roles.documents import DocumentStore

KIND: Final = "shuffle"
REMEMBERED: Final = 64
"""Shuffles of a table among which all are that were not opened or voided when its server stopped."""
UNFINISHED: Final = frozenset({"committed", "dealt"})


class Kept(msgspec.Struct, frozen=True, kw_only=True):
    """A shuffle as the store keeps it: secret until it is opened."""

    table: str
    round: int
    shuffle: int
    deck: int = 1
    """Which of the table's decks it is the order of."""
    faces: tuple[str, ...]
    salts: tuple[str, ...]
    pledges: tuple[tuple[int, str], ...]
    reveals: tuple[tuple[int, str], ...] = ()
    epoch: int = 0
    """Whose word it is: what a later owner wrote, an earlier one does not change."""
    state: str = "committed"
    """'committed', 'dealt', 'opened' or 'void'."""
    reason: str = ""

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
        self,
        table_id: str,
        documents: DocumentStore,
        committer: Committer,
        tell: Callable[[Outgoing], None],
        *,
        epoch: int = 0,
        wait_seconds: float,
    ) -> None:
        self._epoch, self._wait_seconds = epoch, wait_seconds
        self._table, self._documents, self._committer, self._tell = table_id, documents, committer, tell
        self._pledges: dict[int, Pledge] = {}
        self._reveals: dict[int, Reveal] = {}
        self._next: ShuffleId | None = None
        self._open: Commitment | None = None
        self._moved = asyncio.Event()
        recent = documents.find(KIND, f"{table_id}/", last=REMEMBERED)
        kept = [msgspec.json.decode(doc.body, type=Kept) for doc in recent]
        mine = [one for one in kept if one.table == table_id]
        self._last = max(((one.round, one.shuffle) for one in mine), default=(0, 0))
        self._unfinished = [one for one in mine if one.state in UNFINISHED]
        self._given: Kept | None = None
        """The one whose order was given out, until it lies on the table."""

    @property
    def announced(self) -> CommitmentSent | PledgesSent | None:
        """The shuffle that seats may pledge to or reveal for now, for somebody who comes in."""
        if self._open is not None:
            return commitment_sent(self._open)
        if self._next is not None:
            return PledgesSent(table=self._table, round=self._next.round, shuffle=self._next.shuffle)
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
        """Return the faces of a deck made with the seats, top first; say with `used` whether it came on the table."""
        await self.used(False)
        await self._void_unfinished("the shuffle was broken off before the deck was used")
        shuffle = self._last[1] + 1 if round_ <= self._last[0] else 1
        self._next = ShuffleId(self._table, max(round_, self._last[0]), shuffle)
        self._pledges, self._reveals = {}, {}
        self._tell(PledgesSent(table=self._table, round=self._next.round, shuffle=self._next.shuffle))
        await self._until(lambda: seats <= set(self._pledges), bool(seats))
        secret = commit(self._next, [pledge for seat, pledge in self._pledges.items() if seat in seats])
        kept = Kept(
            table=self._table,
            round=self._next.round,
            shuffle=self._next.shuffle,
            deck=deck,
            faces=secret.faces,
            salts=tuple(salt.hex() for salt in secret.salts),
            pledges=tuple((one.seat, one.digest.hex()) for one in secret.commitment.pledges),
        )
        if (other := await self._keep(kept, new=True)) is not None:
            # An owner before us was not dead yet, or a write of ours came through after all: that one is out of use.
            self._last = (other.round, other.shuffle)
            self._unfinished += [other] if other.state in UNFINISHED else []
            return await self.order(round_, seats, deck)
        self._unfinished.append(kept)  # so that it is void in public if anything comes between
        self._last = (kept.round, kept.shuffle)
        self._open = secret.commitment
        self._tell(commitment_sent(self._open))
        pledged = {one.seat for one in self._open.pledges}
        await self._until(lambda: pledged <= set(self._reveals), bool(pledged))
        fair = Fair(secret, tuple(self._reveals.values()))
        told = tuple((one.seat, one.nonce.hex()) for one in fair.reveals)
        self._given = msgspec.structs.replace(kept, reveals=told, state="dealt")
        await self._keep(self._given)
        self._unfinished.remove(kept)
        self._next = self._open = None
        return fair.order

    async def used(self, was: bool) -> None:
        """Say whether the order that was given last lies on the table now; one that does not is void."""
        given, self._given = self._given, None
        if given is not None:
            self._unfinished.append(given)
            if not was:
                await self._close(msgspec.structs.replace(given, state="void", reason="the deck was not used"))

    @property
    def waits(self) -> bool:
        """Whether any deck is still to be opened."""
        return bool(self._unfinished)

    async def open_decks(self, spent: Container[int], dealt_from: Container[int] = ()) -> None:
        """Open the orders of decks that are spent, and of those mixed again since, unless their cards are dealt."""
        dealt = [one for one in self._unfinished if one.state == "dealt"]
        newest = {one.deck: one.key for one in dealt}
        for kept in dealt:
            over = newest[kept.deck] != kept.key and kept.deck not in dealt_from
            if kept.deck in spent or over:
                await self._close(msgspec.structs.replace(kept, state="opened"))

    async def void_all(self, reason: str) -> None:
        """Give every deck up that is not opened, in public."""
        await self._void_unfinished(reason, everything=True)

    def proof(self, round_: int, shuffle: int) -> Proof | None:
        """Return a proof that was published."""
        return published(self._documents, self._table, round_, shuffle)

    async def _void_unfinished(self, reason: str, *, everything: bool = False) -> None:
        for kept in [one for one in self._unfinished if everything or one.state == "committed"]:
            await self._close(msgspec.structs.replace(kept, state="void", reason=reason))

    async def _close(self, kept: Kept) -> None:
        await self._keep(kept)
        self._unfinished = [one for one in self._unfinished if one.key != kept.key]
        self._tell(ProofSent(table=self._table, round=kept.round, shuffle=kept.shuffle))

    async def _keep(self, kept: Kept, *, new: bool = False) -> Kept | None:
        """Write a shuffle down; a new one is not written over another, which is returned instead."""
        body = msgspec.json.encode(msgspec.structs.replace(kept, epoch=self._epoch))

        def put() -> Kept | None:
            while True:
                before = self._documents.get(KIND, kept.key)
                found = msgspec.json.decode(before.body, type=Kept) if before else None
                if found is not None and found.epoch > self._epoch:
                    raise TableLost(f"another node owns this table since epoch {found.epoch}")
                if found is not None and new:
                    return found
                if self._documents.put(KIND, kept.key, body, before.version if before else 0) is not None:
                    return None

        return await self._committer.call(put)

    async def _until(self, done: Callable[[], bool], wait: bool) -> None:
        """Wait until something is so, or long enough; nobody can hold the table up."""
        loop = asyncio.get_running_loop()
        end = loop.time() + self._wait_seconds
        while wait and not done() and loop.time() < end:
            self._moved.clear()
            try:
                async with asyncio.timeout_at(end):
                    await self._moved.wait()
            except TimeoutError:
                return


def commitment_sent(commitment: Commitment) -> CommitmentSent:
    """Return what the seats are sent of a commitment."""
    return CommitmentSent(
        table=commitment.id.table,
        round=commitment.id.round,
        shuffle=commitment.id.shuffle,
        merkle=commitment.merkle.hex(),
        seats=tuple(SeatPledged(seat=one.seat, commitment=one.digest.hex()) for one in commitment.pledges),
        root=commitment.root.hex(),
    )


def published(documents: DocumentStore, table_id: str, round_: int, shuffle: int) -> Proof | None:
    """Return the proof of a shuffle that is opened or void, whichever server it was made at."""
    blank = Kept(table=table_id, round=round_, shuffle=shuffle, faces=(), salts=(), pledges=())
    doc = documents.get(KIND, blank.key)
    kept = msgspec.json.decode(doc.body, type=Kept) if doc else None
    return kept.proof() if kept is not None and kept.state not in UNFINISHED else None


def published_of(documents: DocumentStore, table_id: str, round_: int) -> list[int]:
    """Return the numbers of a round's shuffles that are opened or void."""
    found = [msgspec.json.decode(doc.body, type=Kept) for doc in documents.find(KIND, f"{table_id}/{round_:012}/")]
    return [one.shuffle for one in found if one.table == table_id and one.state not in UNFINISHED]
