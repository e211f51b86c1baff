"""Promise 17: what a viewer gets never depends on cards hidden from that viewer.

Five books and one with a shared meter and envy, four pairs of worlds each, seven viewers with the log: frames, errors, HTTP answers, sizes and moments.
"""

from __future__ import annotations

import pytest

from letitride.engine import places
from letitride.engine.state import Table
from letitride.rules import catalog
from tests.promises.two_worlds import POTS, VIEWERS, Played, differences, permuted, play, shown_at


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


@pytest.mark.longer
@pytest.mark.parametrize("house", [*catalog.rulebook_ids(), POTS])
def test_worlds_that_differ_in_hidden_cards_look_the_same_until_these_are_shown(house: str) -> None:
    decks = play(house, None, asking=False).decks
    watched = play(house, decks, asking=False)
    hand, board, others = dealt(watched)
    known_to_all = {"nothing": [], "a hand": hand, "a hand and a card": [*hand, *board[:1]]}
    known_to_all = {"a hand": hand} if house == POTS else known_to_all  # what a hand takes of a meter, and envies
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
    for viewer in (*VIEWERS, "log"):  # cards that no one ever sees
        assert not differences(one, other, viewer)
