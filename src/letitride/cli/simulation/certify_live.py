"""Certify, live: the deck tests on shuffles of a live table's own generator; it has no seed to repeat them by."""

from __future__ import annotations

from letitride.chance.live import Live
from letitride.rules.cards import FACES
from letitride.simulation.shuffle_tests import Family, deck_tests, decks_of

_INDEX = {face: number for number, face in enumerate(FACES)}


def live_tests(decks: int) -> tuple[Family, ...]:
    """Test so many shuffles; where that fails, as many once more, since a sound generator fails once in a hundred."""
    first = _sample(decks)
    return (first,) if first.consistent else (first, _sample(decks))


def _sample(decks: int) -> Family:
    source = Live()
    return deck_tests(decks_of(lambda: [_INDEX[face] for face in source.order()], decks))
