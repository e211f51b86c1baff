"""Shuffles: the decks of one live table, each bound last, made with the seats, and ended in public.

A deck that is mixed lies on the table without faces. Seats pledge until bets are closed, the house fixes deck, pledges
and cuts, seats reveal, and only the first card binds which card lies where. Every step is in the store before anyone is
told, so a server that stops goes on with the same deck; `chance.fair` has the protocol, docs/fairness.md the reasons.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Container, Mapping
from typing import Final, Literal

import msgspec

from letitride.chance.fair import check_link, check_reveal, throw
from letitride.chance.proof import Document as ProofDocument
from letitride.chance.secret import draw
from letitride.chance.shares import Link, Pledge, Reveal, ShuffleId
from letitride.errors import InvalidData
from letitride.rules.words import plural
from letitride.server.runtime.requests import TableLost
from letitride.server.runtime.write_batching import Committer
from letitride.server.tables import stored_shuffles
from letitride.server.tables.messages import Outgoing, ProofSent
from letitride.server.tables.open_shuffle import (
    OpenShuffle,
    have_pledged,
    loop_time,
    own_seats,
    wait_until,
    why_unusable,
    with_share,
)
from letitride.server.tables.shuffle_news import announcement, share
from letitride.server.tables.stored_shuffles import AnyKept, Shares, StoredShuffle, StoredShuffleV1
from letitride.storage.roles.documents import Document, DocumentStore
from letitride.storage.sealed import Name, Seal
from letitride.storage.vault import Vault

RECONNECT_SECONDS: Final = 5.0
"""How long a server that has just started waits for seats to come back and reveal."""
REST_DECKS: Final = 8
PLEDGES_MAX: Final = 8


class Shuffles:
    """The shuffles of one table; `tell` sends a message to everyone there."""

    def __init__(
        self,
        table_id: str,
        documents: DocumentStore,
        committer: Committer,
        tell: Callable[[Outgoing], None],
        *,
        vault: Vault,
        epoch: int = 0,
        wait_seconds: float,
        unbound: Callable[[], Mapping[int, tuple[int, ...]]],
        seated: Callable[[], Mapping[int, str]],
        on_end: Callable[[AnyKept], None] = lambda _kept: None,
    ) -> None:
        self._table, self._documents, self._committer, self._tell = table_id, documents, committer, tell
        self._vault, self._epoch, self._wait_seconds = vault, epoch, wait_seconds
        self._unbound, self._seated, self._on_end = unbound, seated, on_end
        """The decks without faces, each with its cuts; the seats that are taken, and by whom."""
        self._resting: dict[str, int] = {}
        """Players who did not reveal what they had pledged, and for how many decks more they may not pledge."""
        self._started = loop_time()
        self._open: dict[int, OpenShuffle] = {}
        """By deck."""
        self._beginning: OpenShuffle | None = None
        """One whose deck is being mixed."""
        self._dealt: list[AnyKept] = []
        """Decks that were dealt from, until they are opened."""
        self._ending: dict[str, tuple[AnyKept, str]] = {}
        """Shuffles that are to end, by key, each with why it is void; until the store has it."""
        self._ends = asyncio.Lock()
        self._seal: tuple[tuple[Name, ...], Seal | None] = ((), None)
        """What seals rows now, and by which shuffles."""
        self._find()

    def _find(self) -> None:
        """Find again what had not ended when a server stopped."""
        known = stored_shuffles.recent(self._documents, self._table, stored_shuffles.REMEMBERED)
        self._last = max(((one.round, one.shuffle) for one in known), default=(0, 0))
        for one in known:
            if one.reason != stored_shuffles.BROKEN_OFF:
                self._count_suspended_deck()
            self._suspend_silent_players(one)
        running = [one for one in known if not one.ended]
        dealt = stored_shuffles.dealt(self._documents, [one.key for one in running]) if running else set()
        for one in running:
            if one.key in dealt or (isinstance(one, StoredShuffleV1) and one.state == "dealt"):
                self._dealt.append(one)
                continue
            secret = one.open(self._vault) if isinstance(one, StoredShuffle) and one.deck in self._unbound() else None
            if isinstance(one, StoredShuffle) and one.state != "begun" and one.dice is None:
                self._ending[one.key] = (one, stored_shuffles.OLD_ROOT)
            elif isinstance(one, StoredShuffle) and secret is not None:
                if (older := self._open.get(one.deck)) is not None:
                    self._ending[older.kept.key] = (older.kept, stored_shuffles.MIXED_AGAIN)
                self._open[one.deck] = OpenShuffle(one, secret, loop_time())
            else:
                lies_there = isinstance(one, StoredShuffle) and one.deck in self._unbound()
                self._ending[one.key] = (one, stored_shuffles.NO_KEY if lies_there else stored_shuffles.BROKEN_OFF)

    @property
    def announced(self) -> list[Outgoing]:
        """What seats may pledge to or reveal for now, and the roots of decks in play, for a viewer who comes in."""
        in_play = [announcement(one) for one in self._dealt if isinstance(one, StoredShuffle)]
        return [*in_play, *(announcement(one.kept, one.wants) for one in self._open.values())]

    @property
    def closes_bets(self) -> bool:
        """Whether a deck is being bound, so that no bet may be placed or changed any more."""
        return any(one.kept.state != "begun" for one in self._open.values())

    async def pledge(self, seat: int, round_: int, shuffle: int, digest: bytes) -> None:
        """Take a seat's pledge for a shuffle that is not closed; a later one takes its place."""
        one = self._named(round_, shuffle)
        Pledge(seat, digest)  # refuses what is none
        async with one.writing:
            if one.kept.state != "begun":
                raise InvalidData("expected a pledge before bets are closed, got one later")
            own, player = own_seats(self._seated(), seat), self._seated().get(seat, "")
            if rest := min(self._resting.get(player, 0), REST_DECKS):
                raise InvalidData(
                    f"expected a player who revealed their last nonce, got one who rests for {rest} decks more"
                )
            one.pledged[player] += 1
            if one.pledged[player] > PLEDGES_MAX:
                raise InvalidData(f"expected {PLEDGES_MAX} pledges of a player for one deck at most, got more")
            others = tuple(pledge for pledge in one.kept.pledges if pledge[0] == seat or pledge[0] not in own)
            pledges, players = with_share(others, seat, digest.hex()), with_share(one.kept.players, seat, player)
            if (pledges, players) != (one.kept.pledges, one.kept.players):
                await self._share(one, pledges=pledges, players=players)
        self._tell(share(one.kept, seat, "pledge", digest.hex()))

    def pledged_from(self, player: str, round_: int, shuffle: int) -> int:
        """Return the seat from which a player pledged to a shuffle, whether they still have it or not; 0: from none."""
        one = self._named(round_, shuffle)
        found = (seat for seat, _ in one.kept.pledges if one.player_at(seat, self._seated()) == player)
        return next(found, 0)

    async def link(self, seat: int, round_: int, shuffle: int, link: bytes) -> None:
        """Take what a seat reveals for the dice; it is acknowledged when it is written down."""
        one, told = self._named(round_, shuffle), Link(seat, link)
        check_link(one.kept.commitment, told)
        async with one.writing:
            if one.wants != "link" or seat in dict(one.kept.links):
                raise InvalidData("expected one link when it is asked for, got one at another time")
            await self._share(one, links=with_share(one.kept.links, seat, link.hex()))
        self._tell(share(one.kept, seat, "link", link.hex()))

    async def reveal(self, seat: int, round_: int, shuffle: int, nonce: bytes) -> None:
        """Take the nonce that a seat pledged; it is acknowledged when it is written down."""
        one, told = self._named(round_, shuffle), Reveal(seat, nonce)
        check_reveal(one.kept.commitment, told)
        async with one.writing:
            if one.wants != "nonce" or seat in dict(one.kept.reveals):
                raise InvalidData("expected one nonce when it is asked for, got one at another time")
            await self._share(one, reveals=with_share(one.kept.reveals, seat, nonce.hex()))
        self._tell(share(one.kept, seat, "nonce", nonce.hex()))

    async def begin(self, round_: int, deck: int) -> None:
        """Draw the house's part of a deck that is to be mixed; say with `mixed` whether it was."""
        await self.end_stale()
        while True:
            shuffle = self._last[1] + 1 if round_ <= self._last[0] else 1
            named = ShuffleId(self._table, max(round_, self._last[0]), shuffle)
            secret = draw(named)
            kept = stored_shuffles.sealed(secret, deck, self._vault)
            other = await self._keep(kept, new=True)
            self._last = (named.round, named.shuffle)
            if other is None:
                break
            # An owner before us was not dead yet, or a write of ours came through after all: that one is out of use.
            if not other.ended:
                self._ending[other.key] = (other, stored_shuffles.BROKEN_OFF)
        self._beginning = OpenShuffle(kept, secret, loop_time())

    async def note_mixed(self, was: bool) -> None:
        """Say whether the deck that was to be mixed lies there without faces now."""
        new, self._beginning = self._beginning, None
        if new is None:
            return
        if not was:
            await self._end(new.kept, stored_shuffles.BROKEN_OFF)
            return
        self._count_suspended_deck()
        old = self._open.pop(new.kept.deck, None)
        self._open[new.kept.deck] = new
        self._tell(announcement(new.kept))
        if old is not None:
            await self._end(old.kept, stored_shuffles.MIXED_AGAIN)

    async def dice(self, round_: int, deck: int, seats: set[int]) -> int:
        """Return what the dice show together, thrown with the seats; asked again, the same."""
        alone = deck not in self._unbound()
        while not (one := await self._closed(round_, deck, seats, dice=1)).kept.throws:
            if await self._ask(one, "link", lambda kept: kept.links):
                async with one.writing:
                    thrown = throw(one.secret, one.kept.commitment, one.kept.told_links())
                    await self._share(one, throws=(thrown,))
                    one.wants = ""
        if alone:
            del self._open[deck]
            await self._end(one.kept, stored_shuffles.ONLY_DICE)
        return sum(one.kept.throws[0])

    async def order(self, round_: int, deck: int, seats: set[int]) -> tuple[tuple[str, ...], Document]:
        """Return the faces of a deck as it lies, top first, and what is to be written with the row of its first card.

        Asked again before that row is written, the order is the same. Every nonce that was pledged is in it.
        """
        while (one := await self._closed(round_, deck, seats, dice=0)).kept.state != "final":
            if await self._ask(one, "nonce", lambda kept: kept.reveals):
                async with one.writing:
                    await self._share(one, state="final")
                    one.wants = ""
        return one.kept.fair(one.secret).order, stored_shuffles.was_dealt(one.kept)

    def note_dealt(self, deck: int) -> None:
        """Say that the first card of a deck is out."""
        if (one := self._open.pop(deck, None)) is not None:
            self._dealt.append(one.kept)

    def cover(self, number: int, events: bytes) -> bytes:
        """Return the events of a row as they are kept: sealed while a deck with faces is not opened."""
        if not self._vault.lasting:
            return events  # after a stop the round could not be gone on with
        known = (*self._dealt, *(one.kept for one in self._open.values()), *(kept for kept, _ in self._ending.values()))
        names = tuple(sorted({one.name for one in known if isinstance(one, StoredShuffle) and one.state == "final"}))
        if names != self._seal[0]:
            self._seal = (names, Seal(self._vault, self._table, names) if names else None)
        seal = self._seal[1]
        return events if seal is None else seal.cover(number, events)

    @property
    def has_open_decks(self) -> bool:
        """Whether any deck is still to be opened."""
        return bool(self._dealt)

    async def open_decks(self, spent: Container[int], dealt_from: Container[int] = ()) -> None:
        """Open the orders of decks that are spent, and of those mixed again since, unless their cards are dealt."""
        newest = {one.deck: one.key for one in self._dealt}
        for kept in tuple(self._dealt):
            over = newest[kept.deck] != kept.key and kept.deck not in dealt_from
            if kept.deck in spent or over:
                await self._end(kept)

    async def call_off(self) -> None:
        """Give up, in public, the decks that were being bound: the cards are not dealt after all."""
        for deck, one in tuple(self._open.items()):
            if one.kept.state != "begun":
                del self._open[deck]
                await self._end(one.kept, stored_shuffles.CALLED_OFF)

    async def end_stale(self) -> None:
        """End, in public, what an earlier server left behind, or what the store could not write down in its time."""
        for kept, reason in tuple(self._ending.values()):
            await self._end(kept, reason)

    async def void_all(self, reason: str) -> None:
        """End every shuffle: open the decks that were dealt from, and give up the others."""
        await self.end_stale()
        for deck, one in tuple(self._open.items()):
            del self._open[deck]
            await self._end(one.kept, reason)
        for kept in tuple(self._dealt):
            await self._end(kept)

    def proof(self, round_: int, shuffle: int) -> ProofDocument | None:
        """Return a proof that was published."""
        return stored_shuffles.published(self._documents, self._table, round_, shuffle)

    async def _closed(self, round_: int, deck: int, seats: set[int], *, dice: int) -> OpenShuffle:
        """Return a deck's shuffle with pledges, cuts and the number of throws fixed; a new one where none fits."""
        cuts = self._unbound().get(deck, ())
        one = self._open.get(deck)
        if one is not None and (why := why_unusable(one.kept, cuts, dice)):
            del self._open[deck]
            await self._end(one.kept, why)
            one = None
        if one is None:
            await self.begin(round_, deck)
            await self.note_mixed(True)
            one = self._open[deck]
        if one.kept.state == "begun":
            asked = {seat for seat in seats if self._seated().get(seat, "") not in self._resting}
            await wait_until(one, lambda: have_pledged(one.kept, asked, self._seated()), one.since + self._wait_seconds)
            async with one.writing:
                pledges, taken = self._standing(one), self._seated()
                players = tuple((seat, taken[seat]) for seat, _ in pledges)
                await self._share(one, state="closed", pledges=pledges, players=players, cuts=cuts, dice=dice)
        return one

    def _standing(self, one: OpenShuffle) -> Shares:
        """Return the pledges of players who have not left; one who is gone for a moment has pledged all the same."""
        taken = self._seated()
        return tuple(
            (seat, digest)
            for seat, digest in one.kept.pledges
            if seat in taken and one.player_at(seat, taken) == taken[seat]
        )

    async def _ask(
        self, one: OpenShuffle, wants: Literal["link", "nonce"], given: Callable[[StoredShuffle], Shares]
    ) -> bool:
        """Ask the seats that pledged for their shares, and return whether all gave them.

        Else the deck is void: one who reads the store, and stops the server so that no seat is there to reveal, could
        have known it while bets were open. The next one is drawn when no bet can be placed.
        """
        one.wants = wants
        self._tell(announcement(one.kept, one.wants))
        pledged = dict(one.kept.pledges).keys()
        end = max(loop_time() + self._wait_seconds, self._started + RECONNECT_SECONDS)
        await wait_until(one, lambda: pledged <= dict(given(one.kept)).keys(), end)
        async with one.writing:
            silent = pledged - dict(given(one.kept)).keys()
            one.wants = "" if silent else wants
        if not silent:
            return True
        del self._open[one.kept.deck]
        kept = msgspec.structs.replace(one.kept, silent=tuple(sorted(silent)))
        self._suspend_silent_players(kept)
        told = f"{plural('seat', len(silent))} {', '.join(map(str, kept.silent))}"
        await self._end(kept, stored_shuffles.SILENT.format(seats=told))
        return False

    def _suspend_silent_players(self, kept: AnyKept) -> None:
        """Have the players rest who kept back what they had pledged to a deck: from any seat, whatever stops."""
        if isinstance(kept, StoredShuffle):
            self._resting |= dict.fromkeys(kept.silent_players, REST_DECKS + 1)

    def _count_suspended_deck(self) -> None:
        """Count one more deck that those who rest have no part in."""
        self._resting = {player: left - 1 for player, left in self._resting.items() if left > 1}

    async def _share(self, one: OpenShuffle, **changed: object) -> None:
        """Write down what is new of a shuffle; `writing` is held."""
        kept = msgspec.structs.replace(one.kept, **changed)
        await self._keep(kept)
        one.kept = kept
        one.moved.set()

    def _named(self, round_: int, shuffle: int) -> OpenShuffle:
        for one in self._open.values():
            if (one.kept.round, one.kept.shuffle) == (round_, shuffle):
                return one
        raise InvalidData(f"expected a share in a shuffle that is open, got one in shuffle {shuffle} of round {round_}")

    async def _end(self, kept: AnyKept, reason: str = "") -> None:
        """Open a deck to everyone, or give it up for a reason; one that was dealt after all is opened in its time."""
        self._ending[kept.key] = (kept, reason)
        async with self._ends:
            if kept.key not in self._ending:  # it has come to its end meanwhile
                return
            if reason and isinstance(kept, StoredShuffle) and kept.state == "final" and await self._was_dealt(kept):
                self._dealt.append(kept)
                del self._ending[kept.key]
                return
            ended = kept.ending(self._vault, reason)
            await self._keep(ended)
            del self._ending[kept.key]
        self._dealt = [one for one in self._dealt if one.key != kept.key]
        self._on_end(ended)
        self._tell(ProofSent(table=self._table, round=kept.round, shuffle=kept.shuffle))

    async def _was_dealt(self, kept: StoredShuffle) -> bool:
        """Whether the row of a deck's first card is in the journal: without an answer only the store knows."""
        return bool(await self._committer.run(lambda: stored_shuffles.dealt(self._documents, [kept.key])))

    async def _keep(self, kept: AnyKept, *, new: bool = False) -> AnyKept | None:
        """Write a shuffle down; a new one is not written over another, which is returned instead."""
        body = msgspec.json.encode(msgspec.structs.replace(kept, epoch=self._epoch))

        def change(before: Document | None) -> bytes | None:
            if before is not None and new:
                return None
            if before is not None and (owner := stored_shuffles.read(before.body).epoch) > self._epoch:
                raise TableLost(f"another node owns this table since epoch {owner}")
            return body

        if await self._committer.change_document(self._documents, stored_shuffles.KIND, kept.key, change) is not None:
            return None
        return await self._committer.run(lambda: stored_shuffles.claimed(self._documents, kept.key, self._epoch))
