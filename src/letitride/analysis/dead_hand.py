"""Dead hand: what knowing another whole hand is worth on bet 1, over every hand and every other hand."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from itertools import combinations
from math import comb
from typing import Final

import numpy as np
from numpy.typing import NDArray

from letitride.analysis.base import HANDS, scaled
from letitride.analysis.find_rows import Suits, suits_of
from letitride.analysis.vector_hands import columns
from letitride.rules.cards import DECK
from letitride.rules.paytables import Pays

PAIRS: Final = np.array(list(combinations(range(49), 2)))
"""The two community cards, by their places among the cards that a hand leaves."""
DEAD: Final = comb(49, 3)
LEFT: Final = comb(47, 3)
"""How many dead hands there are, and how many leave two given cards."""


def bet1_with_hand(pays: Pays) -> Fraction:
    """Return what bet 1 wins per unit where another hand of three cards is known to be dead."""
    nets, unit = scaled(pays)
    won_by = np.array(nets, dtype=np.int64)
    dead = np.array(list(combinations(range(49), 3)))
    one, two, three = dead.T
    total = 0
    for times, column in _hands():
        value = np.zeros((49, 49), dtype=np.int64)
        value[PAIRS[:, 0], PAIRS[:, 1]] = won_by[column]
        value += value.T
        rows, whole = value.sum(axis=1), int(value.sum()) // 2
        fewest = np.sort(rows)
        if whole - fewest[:3].sum() + 3 * max(0, value.max()) <= 0:
            continue  # it never rides, whichever cards are dead
        if whole - fewest[-3:].sum() + 3 * min(0, value.min()) >= 0:
            total += times * whole * LEFT  # it always rides: each pair counts with all dead hands that leave it
            continue
        with_dead = rows[dead].sum(axis=1)
        left = whole - with_dead + value[one, two] + value[one, three] + value[two, three]
        total += times * int(np.maximum(left, 0).sum())
    return Fraction(total, HANDS * DEAD * comb(46, 2) * unit)


@cache
def _hands() -> list[tuple[int, NDArray[np.uint8]]]:
    """Return, for each different hand, how many there are of it, and what each pair of community cards makes of it."""
    found = []
    for hand, times in _different_hands():
        rest = np.array([card for card in range(52) if card not in hand])
        five = np.concatenate([np.broadcast_to(hand, (len(PAIRS), 3)), rest[PAIRS]], axis=1)
        found.append((times, columns(five).astype(np.uint8)))
    return found


def _different_hands() -> list[tuple[tuple[int, ...], int]]:
    """Return one of each three-card hand up to the names of the suits, with how many there are of it."""
    found: dict[Suits, tuple[tuple[int, ...], int]] = {}
    for cards in combinations(DECK, 3):
        name = suits_of(cards)
        hand, times = found.get(name, (tuple(card.index for card in cards), 0))
        found[name] = (hand, times + 1)
    return list(found.values())
