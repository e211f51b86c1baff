"""Whether dice are thrown is in the root: no house adds them or leaves them out once it knows the nonces."""

from __future__ import annotations

import asyncio

import msgspec

from letitride.chance.proof import verify
from letitride.server.tables.messages import CommitmentSent
from letitride.server.tables.stored_shuffles import KIND, NOT_AS_COMMITTED, OLD_ROOT, read
from tests.server.tables.test_bound_last import Deck, on


def test_the_root_says_whether_dice_are_thrown() -> None:
    async def go(deck: Deck) -> None:
        await deck.mix()
        await asyncio.gather(deck.shuffles.dice(1, 1, {1, 2}), deck.reveal(1, 2))
        await asyncio.gather(deck.shuffles.order(1, 1, {1, 2}), deck.reveal(1, 2))
        deck.shuffles.note_dealt(1)
        await deck.mix()
        await asyncio.gather(deck.shuffles.order(2, 1, {1, 2}), deck.reveal(1, 2, shuffle=2))
        told = {(one.shuffle, one.dice) for one in deck.told_of(CommitmentSent)}
        assert {(1, 1), (2, 0)} == told

    on(go)


def test_a_deck_is_void_where_dice_are_thrown_that_its_root_does_not_have() -> None:
    async def go(deck: Deck) -> None:
        await deck.mix()
        await asyncio.gather(deck.shuffles.order(1, 1, {1, 2}), deck.reveal(1, 2))
        deck.names = {}
        thrown = await deck.shuffles.dice(1, 1, set())  # every nonce is out: with dice it would be another deck
        assert 3 <= thrown <= 18
        assert (NOT_AS_COMMITTED, 0) == (deck.kept(1).reason, deck.kept(1).dice)
        assert 1 == deck.kept(2).dice
        proof = deck.shuffles.proof(1, 1)
        assert proof is not None
        assert ([], []) == (proof["throws"], verify(proof))

    on(go)


def test_a_deck_is_void_where_the_dice_of_its_root_are_not_thrown() -> None:
    async def go(deck: Deck) -> None:
        await deck.mix()
        waiting = asyncio.create_task(deck.shuffles.dice(1, 1, {1, 2}))
        await deck.reveal()
        waiting.cancel()  # the server is killed before a link came
        deck.names, deck.shuffles = {}, deck.server()
        await deck.shuffles.order(1, 1, set())
        assert (NOT_AS_COMMITTED, 1) == (deck.kept(1).reason, deck.kept(1).dice)

    on(go)


def of_the_second(deck: Deck, state: str) -> None:
    """Keep the first shuffle as a server of the second protocol did: nothing in it says whether dice are thrown."""
    document = deck.stores.documents.find(KIND, "t/")[0]
    kept = msgspec.structs.replace(deck.kept(), players=(), dice=None, state=state)
    body = msgspec.json.decode(msgspec.json.encode(kept))
    del body["players"], body["dice"]
    deck.stores.documents.put(KIND, document.id, msgspec.json.encode(body), document.version)


def test_a_deck_of_the_second_protocol_that_takes_pledges_is_gone_on_with() -> None:
    async def go(deck: Deck) -> None:
        await deck.mix()
        of_the_second(deck, "begun")
        deck.shuffles = deck.server()
        (order, _), _ = await asyncio.gather(deck.shuffles.order(1, 1, {1, 2}), deck.reveal(1, 2))
        deck.shuffles.note_dealt(1)
        await deck.shuffles.open_decks({1})
        proof = deck.shuffles.proof(1, 1)
        assert proof is not None
        assert (3, list(order), []) == (proof["version"], proof["order"], verify(proof))
        assert [1, 2] == [one["seat"] for one in proof["reveals"]]

    on(go)


def test_a_deck_whose_root_is_of_the_second_protocol_is_void_if_it_was_not_dealt_and_else_opened() -> None:
    async def go(deck: Deck) -> None:
        for dealt in (False, True):
            await deck.mix()
            (_, mark), _ = await asyncio.gather(deck.shuffles.order(1, 1, {1, 2}), deck.reveal(1, 2))
            of_the_second(deck, "final")
            if dealt:
                deck.stores.documents.put(mark.kind, mark.id, mark.body, 0)
            deck.shuffles = deck.server()
            await deck.shuffles.end_stale()
            await deck.shuffles.open_decks({1})
            proof = deck.shuffles.proof(1, 1)
            assert proof is not None
            assert (2, "dealt" if dealt else "void", []) == (proof["version"], proof["outcome"], verify(proof))
            assert ("" if dealt else OLD_ROOT) == deck.kept().reason
            deck.stores, deck.told = Deck().stores, []
            deck.shuffles = deck.server()

    on(go)


def test_what_an_earlier_letitride_kept_of_ended_decks_is_proven_as_it_was() -> None:
    async def go(deck: Deck) -> None:
        await deck.mix()
        await deck.shuffles.void_all("the table was closed")
        of_the_second(deck, "void")
        kept = read(deck.stores.documents.find(KIND, "t/")[0].body)
        assert (2, []) == (kept.proof()["version"], verify(kept.proof()))

    on(go)
