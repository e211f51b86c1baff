"""A second method: hands told apart with bit masks in NumPy, over every case; nothing here comes from the package.

Cards are numbers 0 to 51, the rank from two to ace is `card // 4`, the suit `card % 4`. Categories are columns: royal
flush 0, straight flush 1, four of a kind 2, full house 3, flush 4, straight 5, three of a kind 6, two pair 7, a pair of
tens or better 8, anything else 9.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import chain, combinations
from math import comb

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int64]

_STRAIGHTS = np.array([0b1000000001111, *(0b11111 << low for low in range(9))], dtype=np.int64)
_FOURS, _TWOS, _ONES = (int(digit * 13, 8) for digit in "421")
_HIGH_TWOS = int("22222" + "0" * 8, 8)
HANDS = np.array(list(combinations(range(52), 3)), dtype=np.int64)


def columns(cards: Ints) -> Ints:
    """Return the column of five cards, for every row of an array of shape (…, 5)."""
    ranks, suits = cards // 4, cards % 4
    counts = (np.int64(1) << (3 * ranks)).sum(axis=-1)
    seen = np.bitwise_or.reduce(np.int64(1) << ranks, axis=-1)
    flush = np.bitwise_and.reduce(np.int64(1) << suits, axis=-1) != 0
    straight = np.isin(seen, _STRAIGHTS)
    fours = counts & _FOURS != 0
    threes = counts & (counts >> 1) & _ONES != 0
    pairs = _bits(counts & _TWOS & ~((counts & _ONES) << 1))
    royal = seen == 0b1111100000000
    return np.select(
        [
            straight & flush & royal,
            straight & flush,
            fours,
            threes & (pairs == 1),
            flush,
            straight,
            threes,
            pairs == 2,
            (pairs == 1) & (counts & _HIGH_TWOS != 0),
        ],
        list(range(9)),
        default=9,
    )


def _bits(values: Ints) -> Ints:
    return np.bitwise_count(values).astype(np.int64)


@cache
def prospects() -> tuple[Ints, Ints]:
    """Return, for all 22,100 hands, how often each column comes with each first community card, and the hands.

    The first array has the shape (22100, 52, 10); a card of the hand itself has a row of zeros.
    """
    fives = np.fromiter(chain.from_iterable(combinations(range(52), 5)), np.int64, 5 * comb(52, 5)).reshape(-1, 5).T
    column = columns(fives.T)
    place = np.zeros((52, 52, 52), dtype=np.int64)
    place[tuple(HANDS.T)] = np.arange(len(HANDS))
    found = np.zeros((len(HANDS), 52, 10), dtype=np.int64)
    for hand in combinations(range(5), 3):  # every three of the five as the hand, every other card as the first to come
        number = place[tuple(fives[list(hand)])] * 520 + column
        for card in set(range(5)) - set(hand):
            np.add.at(found.reshape(-1), number + 10 * fives[card], 1)
    return found, HANDS


def three_card_columns() -> Ints:
    """Return for all hands: 0 mini royal, 1 straight flush, 2 three of a kind, 3 straight, 4 flush, 5 pair, 6 less."""
    ranks, suits = np.sort(HANDS // 4, axis=1), HANDS % 4
    flush = (suits == suits[:, :1]).all(axis=1)
    run = (ranks[:, 0] + 1 == ranks[:, 1]) & (ranks[:, 1] + 1 == ranks[:, 2])
    run |= (ranks == np.array([0, 1, 12])).all(axis=1)
    same = _bits(np.bitwise_or.reduce(np.int64(1) << ranks, axis=1))
    royal = run & flush & (ranks[:, 0] == 10)
    return np.select([royal, run & flush, same == 1, run, flush, same == 2], list(range(6)), default=6)


def base_game(nets: Ints, ties: str) -> tuple[int, int, int, dict[int, int]]:
    """Return what is won in all 51,979,200 cases, who rides bet 1 and bet 2, and how often each result comes."""
    counts, _ = prospects()
    four = counts @ nets
    three = four.sum(axis=1)
    there = counts.sum(axis=2) > 0
    ride_1 = three > 0 if ties == "withdraw" else three >= 0
    ride_2 = (four > 0 if ties == "withdraw" else four >= 0) & there
    bets = 1 + ride_1[:, None].astype(np.int64) + ride_2
    won = int((four * bets).sum())
    results: dict[int, int] = {}
    for many in (1, 2, 3):
        cases = counts[(bets == many) & there].sum(axis=0)
        for column, number in enumerate(cases):
            if number:
                results[many * int(nets[column])] = results.get(many * int(nets[column]), 0) + int(number)
    return won, int(ride_1.sum()), int(ride_2.sum()), results


def deals(rounds: int, hands: int, seed: int) -> Iterator[Ints]:
    """Yield arrays of the best column of so many hands with two shared cards, a chunk of random rounds each."""
    chance = np.random.default_rng(seed)
    for _ in range(0, rounds, 50_000):
        order = chance.random((50_000, 52)).argsort(axis=1)[:, : 2 + 3 * hands].astype(np.int64)
        best = np.full(len(order), 9)
        for number in range(hands):
            five = np.concatenate([order[:, :2], order[:, 2 + 3 * number : 5 + 3 * number]], axis=1)
            best = np.minimum(best, columns(five))
        yield best
