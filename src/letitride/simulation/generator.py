"""Generator: the random numbers of a simulation and the cards drawn with them, in plain Python, as the kernels do it.

The generator is sfc64 (C. Doty-Humphrey): 256 bits of state, one 64-bit number a step, no multiplication. Each block of
rounds has its own, seeded by (seed, block). Every number gives two words of 32 bits, the low one first. A word draws a
whole packet: word x 52 has the first card's place above bit 32, what is left x 51 the second's, and so on (batched
draws, after Brackett-Rozinsky and Lemire); a word whose last remainder is below `reject_below` is thrown away, so every
packet is exactly as likely as every other. Cards change places as in a Fisher-Yates shuffle, and the deck stays as it
lies from round to round.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import Final

from letitride.errors import InvalidData
from letitride.rules.cards import DECK, Card
from letitride.simulation.game import BLOCK, SEATS_MAX, WARM_UP, reject_below

SEED_MAX: Final = 2**63 - 1
_ALL: Final = 2**64 - 1
_LOW: Final = 2**32 - 1


def words(seed: int, block: int, stream: int = 0) -> Iterator[int]:
    """Yield the 32-bit words of a block's generator; streams of one block have nothing to do with one another."""
    a, b, c, count = seed, block, stream, 1
    for turn in range(_ALL):
        number = (a + b + count) & _ALL
        count += 1
        a = b ^ (b >> 11)
        b = (c + (c << 3)) & _ALL
        c = (((c << 24) | (c >> 40)) + number) & _ALL
        if turn >= WARM_UP:
            yield number & _LOW
            yield number >> 32


def deck(seed: int, index: int, seats: int = 1) -> tuple[Card, ...]:
    """Return the deck of one round of a simulation: three cards for each seat, the two community cards, the rest."""
    check_seed(seed)
    if index < 0 or not 1 <= seats <= SEATS_MAX:
        raise InvalidData(f"expected a round from 0 on and 1 to {SEATS_MAX} seats, got round {index} and {seats} seats")
    return next(islice(decks(seed, index // BLOCK, seats), index % BLOCK, None))


def decks(seed: int, block: int, seats: int) -> Iterator[tuple[Card, ...]]:
    """Yield the decks of a block, as `deck` returns them."""
    source = words(seed, block)
    order = list(range(52))
    for _ in range(BLOCK):
        for place in range(0, 3 * seats, 3):
            _draw(order, source, place, 3)
        _draw(order, source, 3 * seats, 2)
        yield tuple(map(DECK.__getitem__, order))


def _draw(order: list[int], source: Iterator[int], first: int, cards: int) -> None:
    """Bring so many random cards to places of the deck, from `first` on."""
    while True:
        left, places = next(source), []
        for place in range(first, first + cards):
            left *= 52 - place
            places.append(place + (left >> 32))
            left &= _LOW
        if left >= reject_below(cards, first):
            break
    for place, other in zip(range(first, first + cards), places, strict=True):
        order[place], order[other] = order[other], order[place]


def check_seed(seed: int) -> None:
    """Refuse a seed that the generators do not take."""
    if not 0 <= seed <= SEED_MAX:
        raise InvalidData(f"expected a seed from 0 to {SEED_MAX}, got {seed}")
