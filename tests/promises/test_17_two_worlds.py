"""Promise 17: what a viewer gets never depends on cards hidden from him.

Five books, four pairs of worlds each, seven viewers with the log: frames, errors, HTTP answers, sizes and moments.
"""

from __future__ import annotations

import pytest

from letitride.engine import places
from letitride.engine.state import Table
from letitride.rules import catalog
from letitride.server.tables.shuffles import Shuffles
from letitride.storage.memory.opening import memory_stores
from tests.promises.two_worlds import VIEWERS, Played, differences, permuted, play, shown_at
from tests.server.virtual import InlineCommitter, run, virtual


def dealt(played: Played) -> tuple[list[str], list[str], list[str]]:
    """Return the faces that one seat, the board and all others were dealt in the first round."""
    hand: list[str] = []
    board: list[str] = []
    others: list[str] = []

    def at(table: Table, place: str) -> list[str]:
        return [str(card.face) for card in table.at(place)]

    for _, table in played.tables():
        first = min(table.dealt_in, default=1)  # at a player's bank another than the first
        hand = max(hand, at(table, places.hand(first)), key=len)
        board = max(board, [str(card.face) for card in table.community()], key=len)
        others = max(others, [face for n in table.seats if n != first for face in at(table, places.hand(n))], key=len)
        if table.round > 1:
            break
    return hand, board, others


@pytest.mark.parametrize("house", catalog.rulebook_ids())
def test_worlds_that_differ_in_hidden_cards_look_the_same_until_these_are_shown(house: str) -> None:
    decks = play(house, None, asking=False).decks
    watched = play(house, decks, asking=False)
    hand, board, others = dealt(watched)
    known_to_all = {"nothing": [], "a hand": hand, "a hand and a card": [*hand, *board[:1]]}
    assert len(hand) == 3
    assert len(board) >= 2
    assert play(house, decks, asking=False) == watched  # nothing but the cards makes a difference
    one = play(house, decks)
    for name, keep in known_to_all.items():
        other = play(house, permuted(one.decks, keep, seed=7))
        for viewer in (*VIEWERS, "log"):
            assert not differences(one, other, viewer), name
        # They are two worlds: from some moment on everybody may see it, and does.
        assert all(shown_at(one, other, viewer) > 0 for viewer in VIEWERS)
        assert all(one.seen[viewer] != other.seen[viewer] for viewer in VIEWERS)
    other = play(house, permuted(one.decks, [*hand, *board, *others], seed=8))
    assert other.decks != one.decks
    for viewer in (*VIEWERS, "log"):  # cards that nobody ever sees
        assert not differences(one, other, viewer)


def test_a_deck_is_opened_when_it_was_used_and_put_away_and_not_before() -> None:
    async def go() -> list[bool]:
        store = memory_stores()
        shuffles = Shuffles("t", store.documents, InlineCommitter(store.journal), lambda _: None, wait_seconds=1)
        await shuffles.order(1, set(), 1)
        opened = []
        await shuffles.open_decks({1, 2})  # it does not lie at the table yet
        opened.append(shuffles.proof(1, 1) is not None)
        await shuffles.used(True)
        for spent in ({2}, set[int](), {2}, {1, 2}):  # the other deck comes and goes; then this one is put away
            await shuffles.open_decks(spent)
            opened.append(shuffles.proof(1, 1) is not None)
        return opened

    with virtual("opened") as (loop, _):
        assert run(loop, go()) == [False, False, False, False, True]


def test_a_deck_that_was_made_and_not_used_is_void_in_public() -> None:
    async def go() -> list[str]:
        store = memory_stores()
        shuffles = Shuffles("t", store.documents, InlineCommitter(store.journal), lambda _: None, wait_seconds=1)
        for used in (False, True):
            await shuffles.order(1, set(), 1)
            await shuffles.used(used)
        await shuffles.open_decks({1})
        proofs = [shuffles.proof(1, number) for number in (1, 2)]
        assert all(proofs)
        return [proof.reason for proof in proofs if proof is not None]

    with virtual("void") as (loop, _):
        assert run(loop, go()) == ["the deck was not used", ""]
