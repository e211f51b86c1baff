"""Evidence, live: the deck tests on shuffles of a live table's own generator; it has no seed to repeat them by."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from letitride.chance.health import HEALTH
from letitride.chance.live import Live, permutation
from letitride.rules.cards import FACES
from letitride.simulation.shuffle_tests import Family, deck_tests, decks_of

_AT_ONCE: Final = 4_096
_INDEX = {face: number for number, face in enumerate(FACES)}


def live_tests(decks: int) -> tuple[Family, ...]:
    """Test so many shuffles; where that fails, as many once more, since a sound generator fails once in a hundred."""
    first = _sample(decks)
    return (first,) if first.consistent else (first, _sample(decks))


def _sample(decks: int) -> Family:
    source = Live()
    return deck_tests(decks_of(lambda: [_INDEX[face] for face in source.order()], decks))


def collect(decks: int) -> tuple[bytes, bytes]:
    """Return the raw octets that made a number of live decks, discarded ones included, and the decks, one per line."""
    raw = bytearray()

    def octets() -> Iterator[int]:
        while True:
            for octet in HEALTH.draw(_AT_ONCE):
                raw.append(octet)
                yield octet

    source = octets()
    orders = (permutation(source, len(FACES)) for _ in range(decks))
    made = "".join(" ".join(FACES[card] for card in order) + "\n" for order in orders)
    return bytes(raw), made.encode()
