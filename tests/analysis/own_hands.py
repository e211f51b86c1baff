"""Own hands: the wagers of examples/wagers judged a second time, hand by hand, without the project's own rankings.

Cards are arrays of indexes, four to a rank from the twos, in the order clubs, diamonds, hearts, spades. A function
returns for each hand the place of its rank in the wager's file, best first.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import chain, combinations
from math import comb
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int64]
EXAMPLES: Final = Path(__file__).parent.parent.parent / "examples" / "wagers"


def every_hand(cards: int) -> Ints:
    """Return all hands of so many cards, one a row."""
    flat = np.fromiter(chain.from_iterable(combinations(range(52), cards)), np.int64, cards * comb(52, cards))
    return flat.reshape(-1, cards)


def _runs(cards: Ints) -> NDArray[np.bool_]:
    """Whether all ranks follow one another, the ace below the two or above the king."""
    high = np.sort(cards // 4, axis=1)
    low = np.sort(np.where(cards // 4 == 12, -1, cards // 4), axis=1)
    return (np.diff(high, axis=1) == 1).all(axis=1) | (np.diff(low, axis=1) == 1).all(axis=1)


def _equals(cards: Ints) -> Ints:
    """How many pairs of cards have one rank."""
    ranks = cards // 4
    pairs: Ints = sum((ranks[:, a] == ranks[:, b]).astype(np.int64) for a, b in combinations(range(cards.shape[1]), 2))  # type: ignore[assignment]  # never none
    return pairs


def _suited(cards: Ints) -> NDArray[np.bool_]:
    found: NDArray[np.bool_] = (cards % 4 == cards[:, :1] % 4).all(axis=1)
    return found


def pairs_plus(cards: Ints) -> Ints:
    run, suited, equal = _runs(cards), _suited(cards), _equals(cards)
    royal = run & suited & ((cards // 4).min(axis=1) == 10)
    return np.select([royal, run & suited, equal == 3, run, suited, equal == 1], range(6), default=6)


def red_black(cards: Ints) -> Ints:
    red = (cards % 4 == 1) | (cards % 4 == 2)
    all_red, all_black = red.all(axis=1), ~red.any(axis=1)
    return np.select([all_red & _suited(cards), all_red, all_black], range(3), default=3)


def two_community(cards: Ints) -> Ints:
    run, suited = _runs(cards), _suited(cards)
    return np.select([run & suited, _equals(cards) == 1, run, suited], range(4), default=4)


def four_card(cards: Ints) -> Ints:
    run, suited, equal = _runs(cards), _suited(cards), _equals(cards)
    return np.select([equal == 6, run & suited, equal == 3, run, suited, equal > 0], range(6), default=6)


READ: Final[Mapping[str, tuple[Callable[[Ints], Ints], tuple[int, ...]]]] = {
    "pairs_plus": (pairs_plus, (0, 1, 2)),
    "red_black": (red_black, (0, 1, 2, 3, 4)),
    "two_community": (two_community, (3, 4)),
    "four_card": (four_card, (0, 1, 2, 3)),
}
"""For each example: its second judge, and which cards of a hand with both community cards it looks at."""
