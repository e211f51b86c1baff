"""Dead hand: what knowing another whole hand is worth on bet 1, over every hand and every other hand."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations
from math import comb

import numpy as np

from letitride.analysis.base import HANDS, scaled
from letitride.analysis.find_rows import Suits, suits_of
from letitride.analysis.vector_hands import columns
from letitride.rules.cards import DECK
from letitride.rules.paytables import Pays


def bet1_with_hand(pays: Pays) -> Fraction:
    """Return what bet 1 wins per unit where another hand of three cards is known to be dead."""
    nets, unit = scaled(pays)
    won_by = np.array(nets, dtype=np.int64)
    pairs = np.array(list(combinations(range(49), 2)))
    dead = np.array(list(combinations(range(49), 3)))
    total = 0
    for hand, times in _different_hands():
        rest = np.array([card for card in range(52) if card not in hand])
        five = np.concatenate([np.broadcast_to(hand, (len(pairs), 3)), rest[pairs]], axis=1)
        value = np.zeros((49, 49), dtype=np.int64)
        value[pairs[:, 0], pairs[:, 1]] = won_by[columns(five)]
        value += value.T
        one, two, three = dead.T
        with_dead = value.sum(axis=1)[dead].sum(axis=1)
        left = value.sum() // 2 - with_dead + value[one, two] + value[one, three] + value[two, three]
        total += times * int(np.maximum(left, 0).sum())
    return Fraction(total, HANDS * comb(49, 3) * comb(46, 2) * unit)


def _different_hands() -> list[tuple[tuple[int, ...], int]]:
    """Return one of each three-card hand up to the names of the suits, with how many there are of it."""
    found: dict[Suits, tuple[tuple[int, ...], int]] = {}
    for cards in combinations(DECK, 3):
        name = suits_of(cards)
        hand, times = found.get(name, (tuple(card.index for card in cards), 0))
        found[name] = (hand, times + 1)
    return list(found.values())
