"""A player who pledged a nonce and kept it back rests: from every seat, for eight decks, whatever stops meanwhile."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest

from letitride.errors import InvalidData
from letitride.server.tables.stored_shuffles import docket
from letitride.storage.memory.opening import memory_stores
from letitride.storage.roles.stores import Stores
from letitride.storage.urls import open_store
from tests.server.tables.test_bound_last import Deck, on
from tests.server.virtual import run, virtual
from tests.storage.conftest import postgres  # noqa: F401 - a fixture


async def silent(deck: Deck) -> None:
    """Have Ann pledge from seat 1 and keep her nonce back; the deck that is drawn anew is dealt, and opened."""
    deck.names, deck.nonces = {1: "Ann", 2: "Bob"}, {1: b"1" * 32, 2: b"2" * 32, 5: b"5" * 32}
    await deck.shuffles.begin(1, 1)
    await deck.shuffles.note_mixed(True)
    await deck.pledge(1)
    await deck.shuffles.order(1, 1, {1})
    assert (1,) == deck.kept(1).silent
    await deck.shuffles.call_off()


async def may_pledge(deck: Deck, seat: int) -> bool:
    """Mix one more deck, and say whether a seat may pledge to it."""
    await deck.shuffles.begin(1, 1)
    await deck.shuffles.note_mixed(True)
    with suppress(InvalidData):
        await deck.pledge(seat)
        return True
    return False


def rests(stores: Stores, between: Callable[[Deck], None]) -> list[bool]:
    """Return whether Ann may pledge to each of ten decks after the one she kept her nonce back from."""

    async def go() -> list[bool]:
        deck = Deck(stores=stores)
        await silent(deck)
        found = [False]  # the one that was drawn in its place
        for _ in range(9):
            between(deck)
            found.append(await may_pledge(deck, next(seat for seat, name in deck.names.items() if name == "Ann")))
        return found

    with virtual("resting") as (loop, _):
        return run(loop, go())


def moved(deck: Deck) -> None:
    """Have Ann take the other seat that is free."""
    (seat,) = (seat for seat, name in deck.names.items() if name == "Ann")
    deck.names = {2: "Bob", 6 - seat: "Ann"}


def restarted(deck: Deck) -> None:
    """Stop the server, and start another on the same store."""
    deck.shuffles = deck.server()


def left_and_restarted(deck: Deck) -> None:
    moved(deck)
    restarted(deck)


@pytest.mark.parametrize("between", [lambda _: None, moved, restarted, left_and_restarted])
def test_eight_decks_are_made_without_a_player_who_kept_back_a_nonce(between: Callable[[Deck], None]) -> None:
    assert [False] * 8 + [True] * 2 == rests(memory_stores(), between)


@pytest.mark.parametrize("kind", ["sqlite", "postgres"])
def test_both_databases_keep_who_rests(kind: str, tmp_path: Path, request: pytest.FixtureRequest) -> None:
    url = f"sqlite:///{tmp_path / 'store.db'}" if kind == "sqlite" else request.getfixturevalue("postgres")
    stores = open_store(url)
    try:
        assert [False] * 8 + [True] * 2 == rests(stores, left_and_restarted)
    finally:
        stores.close()


def test_one_who_takes_the_seat_of_a_player_who_rests_may_pledge() -> None:
    async def go(deck: Deck) -> None:
        await silent(deck)
        deck.names = {1: "Cleo", 2: "Bob"}
        assert await may_pledge(deck, 1)
        assert dict(deck.kept(3).players) == {1: "Cleo"}

    on(go)


def test_pledges_are_counted_by_player_whichever_seat_they_come_from() -> None:
    async def go(deck: Deck) -> None:
        deck.names = dict.fromkeys((1, 2, 3), "Ann")
        await deck.shuffles.begin(1, 1)
        await deck.shuffles.note_mixed(True)
        for number in range(8):
            await deck.shuffles.pledge(1 + number % 3, 1, 1, bytes([number]) * 32)
        with pytest.raises(InvalidData, match="expected 8 pledges of a player for one deck at most"):
            await deck.shuffles.pledge(1, 1, 1, b"9" * 32)
        assert 1 == len(deck.kept().pledges)

    on(go)


def test_who_pledged_is_known_after_a_restart_though_another_has_the_seat() -> None:
    """Else a player who leaves would be held to nothing, and one who comes to a pledge of another."""

    async def go(deck: Deck) -> None:
        await deck.mix()
        deck.names = {1: "another", 2: "neighbour"}
        deck.shuffles = deck.server()
        waiting = asyncio.create_task(deck.shuffles.order(1, 1, {1, 2}))
        await deck.reveal(2)
        await waiting
        assert ((2, deck.nonces[2].hex()),) == deck.kept().reveals
        assert [2] == [seat for seat, _ in deck.kept().pledges]

    on(go)


def test_the_docket_tells_voids_that_the_house_could_like_from_others() -> None:
    """A house that gives decks up when it knows them is seen: every nonce was out, and no card was dealt."""

    async def go(deck: Deck) -> None:
        await deck.mix()
        await asyncio.gather(deck.shuffles.order(1, 1, {1, 2}), deck.reveal(1, 2))
        await deck.shuffles.call_off()
        await deck.mix()
        await deck.mix()  # given up before anything was revealed
        told = docket(deck.stores.documents, "t")
        assert (2, 1) == (told.void, told.void_known)
        assert [False, True] == [one.known for one in told.ends]

    on(go)
