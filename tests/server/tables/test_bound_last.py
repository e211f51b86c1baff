"""A deal that cannot be biased: before bets are closed nothing in the store tells a card, every chance is in the proof,
a share that is acknowledged counts, and every deck comes to one end in public, whatever fails when."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any, TypeVar

import msgspec
import pytest

from letitride.chance.proof import verify
from letitride.chance.shares import Reveal, ShuffleId, link_of, pledge
from letitride.engine.events import FacesBound, StepDone
from letitride.errors import InvalidData
from letitride.rules import catalog
from letitride.server.runtime.requests import TableLost
from letitride.server.tables.messages import CommitmentSent, Outgoing, PledgesSent, ProofSent, ShareSent
from letitride.server.tables.shuffles import Shuffles
from letitride.server.tables.stored_shuffles import DEALT, KIND, DeckEnd, StoredShuffle, claim, docket, read, was_dealt
from letitride.storage.codec import decode
from letitride.storage.memory.opening import memory_stores
from letitride.storage.roles.stores import Stores
from letitride.storage.vault import Vault, fresh_key
from tests.server.guest import PATIENCE
from tests.server.virtual import InlineCommitter, Player, opened, run, until, virtual

M = TypeVar("M", CommitmentSent, PledgesSent, ProofSent, ShareSent)


@dataclass
class Deck:
    """A table with one deck that lies there mixed and without faces, and all that was told at it."""

    stores: Stores = field(default_factory=memory_stores)
    vault: Vault = field(default_factory=lambda: Vault(fresh_key()))
    unbound: dict[int, tuple[int, ...]] = field(default_factory=lambda: {1: ()})
    told: list[Outgoing] = field(default_factory=list)
    nonces: dict[int, bytes] = field(default_factory=lambda: {1: b"1" * 32, 2: b"2" * 32})

    names: dict[int, str] = field(default_factory=lambda: {1: "player", 2: "neighbour"})

    def __post_init__(self) -> None:
        self.news = asyncio.Event()
        self.shuffles = self.server()

    def tell(self, message: Outgoing) -> None:
        """Keep a message, and wake who waits for it."""
        self.told.append(message)
        self.news.set()

    async def comes(self, so: Callable[[], object]) -> None:
        """Wait until something is so, which can only be when something was told."""
        async with asyncio.timeout(PATIENCE):
            while not so():
                self.news.clear()
                await self.news.wait()

    def server(self, vault: Vault | None = None, epoch: int = 0) -> Shuffles:
        """Return the shuffles as a server has them that starts now."""
        return Shuffles(
            "t",
            self.stores.documents,
            InlineCommitter(self.stores.journal),
            self.tell,
            vault=vault or self.vault,
            epoch=epoch,
            wait_seconds=1,
            unbound=lambda: self.unbound,
            seated=lambda: self.names,
        )

    def kept(self, shuffle: int = 1) -> StoredShuffle:
        """Return a shuffle as the store has it."""
        found = read(self.stores.documents.find(KIND, "t/")[shuffle - 1].body)
        assert isinstance(found, StoredShuffle)
        return found

    async def mix(self) -> None:
        """Mix the deck, and have the seats pledge."""
        await self.shuffles.begin(1, 1)
        await self.shuffles.note_mixed(True)
        for seat in self.nonces:
            await self.pledge(seat)

    async def pledge(self, seat: int) -> None:
        """Have a seat pledge to the deck that was announced last."""
        last = self.told_of(PledgesSent)[-1]
        digest = pledge(ShuffleId("t", last.round, last.shuffle), Reveal(seat, self.nonces[seat])).digest
        await self.shuffles.pledge(seat, last.round, last.shuffle, digest)

    def told_of(self, kind: type[M]) -> list[M]:
        """Return the messages of a kind."""
        return [one for one in self.told if isinstance(one, kind)]

    async def reveal(self, *seats: int, shuffle: int = 1) -> None:
        """Have seats give what is asked for, when it is asked for."""
        await self.comes(lambda: self.told_of(CommitmentSent) and self.shuffles.closes_bets)
        asked = self.told_of(CommitmentSent)[-1]
        for seat in seats:
            if asked.wants == "link":
                await self.shuffles.link(seat, asked.round, shuffle, link_of(self.nonces[seat]))
            else:
                await self.shuffles.reveal(seat, asked.round, shuffle, self.nonces[seat])


def on(go: Callable[[Deck], Awaitable[None]]) -> Deck:
    """Do something at a table with one deck."""

    async def done() -> Deck:
        deck = Deck()
        await go(deck)
        return deck

    with virtual("bound last") as (loop, _):
        return run(loop, done())


def test_what_the_store_has_before_bets_are_closed_tells_no_card_even_with_the_key() -> None:
    async def go(deck: Deck) -> None:
        await deck.mix()
        kept = deck.kept()
        assert (kept.state, kept.faces, kept.salts, kept.reveals) == ("begun", (), (), ())
        everything = b"".join(doc.body for doc in deck.stores.documents.find(KIND))
        secret = kept.open(deck.vault)
        assert secret is not None
        assert not any(salt.hex().encode() in everything for salt in secret.salts)
        assert kept.open(Vault(fresh_key())) is None
        # Who has the key as well has the house's part; the order is another one, by nonces that no store has.
        (order, _), _ = await asyncio.gather(deck.shuffles.order(1, 1, {1, 2}), deck.reveal(1, 2))
        assert order != secret.faces
        alone = msgspec.structs.replace(deck.kept(), pledges=(), reveals=()).fair(secret).order
        assert order != alone

    on(go)


@pytest.mark.parametrize("cuts", [(), (17,), (17, 40)])
def test_cuts_and_dice_are_in_the_root_and_in_the_proof(cuts: tuple[int, ...]) -> None:
    async def go(deck: Deck) -> None:
        await deck.mix()
        deck.unbound[1] = cuts
        thrown, _ = await asyncio.gather(deck.shuffles.dice(1, 1, {1, 2}), deck.reveal(1, 2))
        assert await deck.shuffles.dice(1, 1, {1, 2}) == thrown  # asked again, the same
        (order, dealt), _ = await asyncio.gather(deck.shuffles.order(1, 1, {1, 2}), deck.reveal(1, 2))
        assert dealt == was_dealt(deck.kept())
        deck.shuffles.note_dealt(1)
        await deck.shuffles.open_decks({1})
        proof = deck.shuffles.proof(1, 1)
        assert proof is not None
        assert (proof["outcome"], tuple(proof["order"])) == ("dealt", order)
        assert (proof["commitment"]["cuts"], [sum(dice) for dice in proof["throws"]]) == (list(cuts), [thrown])
        assert [one["seat"] for one in proof["reveals"]] == [1, 2]
        root = deck.told_of(CommitmentSent)[0].root
        assert {one.root for one in deck.told_of(CommitmentSent)} == {root}
        assert verify(proof, root) == []
        assert verify({**proof, "commitment": {**proof["commitment"], "cuts": [*cuts, 3]}}, root)
        assert verify({**proof, "throws": [[1, 1, 1 + (proof["throws"][0] == [1, 1, 1])]]}, root)

    on(go)


def test_a_share_is_published_when_it_is_written_down_and_a_deck_that_lacks_one_is_void() -> None:
    async def go(deck: Deck) -> None:
        await deck.mix()
        assert [(one.what, one.seat) for one in deck.told_of(ShareSent)] == [("pledge", 1), ("pledge", 2)]
        assert [seat for seat, _ in deck.kept().pledges] == [1, 2]  # written down already: no kill takes one away
        waiting = asyncio.create_task(deck.shuffles.order(1, 1, {1, 2}))
        await deck.reveal(2)  # seat 1 is silent
        share = deck.told_of(ShareSent)[-1]
        assert (share.what, share.seat, share.value) == ("nonce", 2, deck.nonces[2].hex())
        await deck.comes(lambda: deck.told_of(ProofSent))
        await deck.pledge(2)
        with pytest.raises(InvalidData, match="expected a player who revealed their last nonce"):
            await deck.pledge(1)
        await deck.comes(lambda: len(deck.told_of(CommitmentSent)) == 2)
        await deck.reveal(2, shuffle=2)
        order, _ = await waiting
        assert deck.kept(1).reason == "seat 1 had pledged a secret number and did not reveal it"
        told = docket(deck.stores.documents, "t")
        assert (told.dealt, told.void, told.void_known, told.not_ended) == (0, 1, 0, 1)
        assert told.ends == [
            DeckEnd(round=1, shuffle=1, outcome="void", reason=deck.kept(1).reason, silent=[1], known=False),
        ]
        secret = deck.kept(2).open(deck.vault)
        assert secret is not None
        assert deck.kept(2).fair(secret).order == order
        assert [seat for seat, _ in deck.kept(2).reveals] == [2]
        with pytest.raises(InvalidData, match="expected a share in a shuffle that is open"):
            await deck.shuffles.reveal(1, 1, 1, deck.nonces[1])  # too late is too late

    on(go)


def test_one_who_reads_store_and_key_and_stops_the_server_does_not_know_the_deck_that_is_dealt() -> None:
    async def go(deck: Deck) -> None:
        await deck.mix()
        secret = deck.kept().open(deck.vault)
        assert secret is not None
        without = msgspec.structs.replace(deck.kept(), pledges=(), dice=0).fair(secret).order
        deck.shuffles = deck.server()  # killed while bets are open, and no one comes back
        order, _ = await deck.shuffles.order(1, 1, set())
        assert deck.kept(1).reason == "seats 1, 2 had pledged a secret number and did not reveal it"
        assert order != without  # that one is drawn when no bet can be placed any more

    on(go)


def test_a_seat_that_another_player_has_taken_is_not_held_to_a_pledge_of_the_one_before() -> None:
    async def go(deck: Deck) -> None:
        await deck.mix()
        deck.names = {1: "another", 2: "neighbour"}
        waiting = asyncio.create_task(deck.shuffles.order(1, 1, {1, 2}))
        await deck.reveal(2)
        await waiting
        assert ([seat for seat, _ in deck.kept().pledges], deck.kept().state) == ([2], "final")

    on(go)


def test_a_seat_may_change_its_pledge_a_few_times_and_the_last_one_counts() -> None:
    async def go(deck: Deck) -> None:
        await deck.mix()
        for number in range(7):
            await deck.shuffles.pledge(1, 1, 1, bytes([number]) * 32)
        with pytest.raises(InvalidData, match="expected 8 pledges of a player for one deck at most"):
            await deck.shuffles.pledge(1, 1, 1, b"9" * 32)
        assert dict(deck.kept().pledges)[1] == (bytes([6]) * 32).hex()
        assert deck.told_of(ShareSent)[-1].value == (bytes([6]) * 32).hex()

    on(go)


def test_a_viewer_who_comes_late_is_told_the_root_of_the_deck_in_play() -> None:
    async def go(deck: Deck) -> None:
        await deck.mix()
        await asyncio.gather(deck.shuffles.order(1, 1, {1, 2}), deck.reveal(1, 2))
        root = deck.told_of(CommitmentSent)[0].root
        for _ in range(2):
            (told,) = deck.shuffles.announced
            assert isinstance(told, CommitmentSent)
            assert (told.root, told.wants) == (root, "")
            deck.shuffles.note_dealt(1)

    on(go)


def test_a_nonce_that_was_not_pledged_is_refused_and_not_published() -> None:
    async def go(deck: Deck) -> None:
        await deck.mix()
        waiting = asyncio.create_task(deck.shuffles.order(1, 1, {1, 2}))
        await deck.reveal()
        with pytest.raises(InvalidData, match="expected the nonce that seat 1 committed to"):
            await deck.shuffles.reveal(1, 1, 1, b"3" * 32)
        with pytest.raises(InvalidData, match="expected a share in a shuffle that is open"):
            await deck.shuffles.reveal(1, 1, 2, deck.nonces[1])
        with pytest.raises(InvalidData, match="expected a pledge before bets are closed"):
            await deck.shuffles.pledge(1, 1, 1, b"4" * 32)
        await deck.reveal(1)
        with pytest.raises(InvalidData, match="expected one nonce"):
            await deck.shuffles.reveal(1, 1, 1, deck.nonces[1])
        await waiting
        assert [one.what for one in deck.told_of(ShareSent)] == ["pledge", "pledge", "nonce"]

    on(go)


def test_a_server_that_comes_back_goes_on_with_the_same_deck_and_what_was_revealed() -> None:
    async def go(deck: Deck) -> None:
        await deck.mix()
        waiting = asyncio.create_task(deck.shuffles.order(1, 1, {1, 2}))
        await deck.reveal(1)
        waiting.cancel()  # the server is killed
        deck.shuffles = deck.server()
        (order, _), _ = await asyncio.gather(deck.shuffles.order(1, 1, {1, 2}), deck.reveal(2))
        assert [seat for seat, _ in deck.kept().reveals] == [1, 2]
        for _ in range(2):  # killed again after the order is fixed: it cannot be had anew
            deck.shuffles = deck.server()
            assert (await deck.shuffles.order(1, 1, {1, 2}))[0] == order
        assert len(deck.stores.documents.find(KIND)) == 1

    on(go)


@pytest.mark.parametrize("dealt", [False, True])
def test_a_deck_that_a_dead_server_bound_is_opened_if_a_card_was_dealt_and_else_void(dealt: bool) -> None:
    async def go(deck: Deck) -> None:
        await deck.mix()
        (_, mark), _ = await asyncio.gather(deck.shuffles.order(1, 1, {1, 2}), deck.reveal(1, 2))
        if dealt:  # the row of the first card is in the journal, and this with it
            deck.stores.documents.put(mark.kind, mark.id, mark.body, 0)
            deck.unbound.clear()
        deck.shuffles = deck.server()
        await deck.shuffles.begin(2, 1)
        await deck.shuffles.note_mixed(True)
        await deck.shuffles.open_decks({1} if dealt else ())
        assert (deck.kept(1).state, deck.kept(2).state) == ("opened" if dealt else "void", "begun")
        proof = deck.shuffles.proof(1, 1)
        assert proof is not None
        assert (proof["outcome"], verify(proof)) == ("dealt" if dealt else "void", [])
        assert [(one.round, one.shuffle) for one in deck.told_of(ProofSent)] == [(1, 1)]

    on(go)


def test_a_deck_is_void_in_public_where_it_is_mixed_or_cut_again_or_the_deal_is_called_off() -> None:
    async def go(deck: Deck) -> None:
        await deck.mix()
        await deck.mix()
        assert deck.kept(1).reason == "the deck was mixed again before a card of it was dealt"
        await asyncio.gather(deck.shuffles.dice(1, 1, {1, 2}), deck.reveal(1, 2, shuffle=2))
        deck.unbound[1] = (20,)
        order = asyncio.create_task(deck.shuffles.order(1, 1, set()))
        await order
        assert deck.kept(2).reason == "the deck was cut again after bets were closed"
        await deck.shuffles.call_off()
        assert deck.kept(3).reason == "the deal was called off before a card was dealt"
        for number, throws in ((1, 0), (2, 1), (3, 0)):
            proof = deck.shuffles.proof(1, number)
            assert proof is not None
            assert (proof["outcome"], len(proof["throws"]), verify(proof)) == ("void", throws, [])

    on(go)


def test_a_deck_whose_key_is_gone_is_void_and_says_so() -> None:
    async def go(deck: Deck) -> None:
        await deck.mix()
        deck.shuffles = deck.server(Vault(fresh_key()))
        await deck.shuffles.end_stale()
        assert deck.kept().reason.endswith("what the house had mixed cannot be read any more")
        proof = deck.shuffles.proof(1, 1)
        assert proof is not None
        assert (proof["outcome"], proof["cards"], verify(proof)) == ("void", [], [])

    on(go)


@pytest.mark.parametrize("house_book", catalog.rulebook_ids())
def test_at_a_live_table_no_card_is_told_by_the_store_while_bets_are_taken_and_the_proof_is_the_deal(
    house_book: str,
) -> None:
    async def go() -> tuple[Stores, list[dict[str, Any]]]:
        stores = memory_stores()
        async with opened(stores, house_book) as (house, app):
            players = [Player(house, app, house_book, seat, choice="ride") for seat in (1, 2)]
            tasks = [asyncio.create_task(player.play()) for player in players]
            room = house.rooms[house_book]
            while room.table.round < 3:
                if room.table.phase == "betting":
                    kept = [read(doc.body) for doc in stores.documents.find(KIND)]
                    assert not [
                        one for one in kept if isinstance(one, StoredShuffle) and one.state in {"closed", "final"}
                    ]
                    assert not [one for one in kept if not one.ended and (one.faces or one.reveals)]
                changed = room.host.changed
                await changed.wait()
            await until(lambda: len(stores.documents.find(DEALT)) >= 2)
            for task in tasks:
                task.cancel()
        return stores, players[0].frames

    with virtual(f"bound last {house_book}") as (loop, _):
        stores, frames = run(loop, go())
    events = [event for row in stores.journal.rows(house_book) for event in decode(row.events)]
    bound = [event.order for event in events if isinstance(event, FacesBound)]
    cuts = [len(event.moves) for event in events if isinstance(event, StepDone) and event.step.kind == "cut_deck"]
    kept = [read(doc.body) for doc in stores.documents.find(KIND)]
    proofs = [one.proof() for one in kept if one.state == "opened"]
    assert len(proofs) >= 2
    assert [tuple(proof["order"]) for proof in proofs] == bound[: len(proofs)]
    assert [cut for proof in proofs for cut in proof["commitment"]["cuts"]] == cuts[: len(proofs)] if cuts else True
    roots = {(one["round"], one["shuffle"]): one["root"] for one in frames if one["type"] == "commitment"}
    for proof in proofs:
        told = proof["commitment"]
        assert verify(proof, roots[told["round"], told["shuffle"]]) == []
        assert {one["seat"] for one in proof["reveals"]}
        assert not proof["unrevealed"]
    thrown = [event for event in events if isinstance(event, StepDone) and event.step.kind == "throw_dice"]
    assert bool(thrown) == any(proof["throws"] for proof in proofs)


def test_one_pledge_is_enough_for_two_hands_and_a_later_one_from_the_other_takes_its_place() -> None:
    async def go(deck: Deck) -> None:
        deck.names = {1: "Ann", 2: "Ann"}
        await deck.mix()  # both seats pledge, one after the other
        assert [2] == [seat for seat, _ in deck.kept().pledges]
        assert 2 == deck.shuffles.pledged_from("Ann", 1, 1)
        before = asyncio.get_running_loop().time()
        (order, _), _ = await asyncio.gather(deck.shuffles.order(1, 1, {1, 2}), deck.reveal(2))
        assert 52 == len(order)
        assert 1 > asyncio.get_running_loop().time() - before  # the other seat is not waited for

    on(go)


def test_who_leaves_the_hand_that_pledged_and_keeps_the_other_may_still_reveal() -> None:
    async def go(deck: Deck) -> None:
        deck.names, deck.nonces = {1: "Ann", 2: "Ann"}, {1: b"1" * 32}
        await deck.mix()
        waiting = asyncio.create_task(deck.shuffles.order(1, 1, {1, 2}))
        await deck.comes(lambda: deck.told_of(CommitmentSent))
        deck.names = {2: "Ann"}
        assert 1 == deck.shuffles.pledged_from("Ann", 1, 1)
        await deck.reveal(1)
        await waiting
        assert [1] == [seat for seat, _ in deck.kept().reveals]

    on(go)


def test_a_player_who_did_not_reveal_pledges_from_no_hand_and_is_not_waited_for() -> None:
    async def go(deck: Deck) -> None:
        deck.names, deck.nonces = {1: "Ann", 2: "Ann"}, {1: b"1" * 32}
        await deck.mix()
        waiting = asyncio.create_task(deck.shuffles.order(1, 1, {1, 2}))
        order, _ = await waiting  # seat 1 is silent, and the deck after it has no pledge
        assert 52 == len(order)
        deck.nonces[2] = b"2" * 32
        await deck.shuffles.begin(2, 1)
        await deck.shuffles.note_mixed(True)
        with pytest.raises(InvalidData, match="rests for"):
            await deck.pledge(2)

    on(go)


def test_what_an_owner_of_old_was_told_before_another_took_over_counts_and_nothing_after() -> None:
    async def go(deck: Deck) -> None:
        await deck.mix()
        old = deck.shuffles
        ordering = asyncio.create_task(old.order(1, 1, {1, 2}))
        await deck.reveal(1)
        claim(deck.stores.documents, "t", 2)
        with pytest.raises(TableLost):  # before the later owner has written a word of its own
            await deck.reveal(2)
        deck.shuffles = deck.server(epoch=2)
        await asyncio.gather(deck.shuffles.order(1, 1, {1, 2}), deck.reveal(2))
        with pytest.raises(TableLost):
            await ordering
        deck.shuffles.note_dealt(1)
        await deck.shuffles.open_decks({1})

    deck = on(go)
    told = {(one.seat, one.value) for one in deck.told_of(ShareSent) if one.what == "nonce"}
    assert told == {(seat, nonce.hex()) for seat, nonce in deck.nonces.items()} == set(deck.kept().reveals)
    verify(deck.kept().proof())


def test_a_deck_that_an_owner_of_old_began_is_given_up_with_all_that_was_told_for_it() -> None:
    async def go(deck: Deck) -> None:
        old = deck.shuffles
        new = deck.server(epoch=2)
        await deck.mix()
        ordering = asyncio.create_task(old.order(1, 1, {1, 2}))
        await deck.reveal(1)
        await new.begin(1, 1)  # finds the name taken
        with pytest.raises(TableLost):
            await deck.reveal(2)
        await new.end_stale()
        with pytest.raises(TableLost):
            await ordering

    deck = on(go)
    assert (deck.kept(1).state, [seat for seat, _ in deck.kept(1).reveals]) == ("void", [1])
