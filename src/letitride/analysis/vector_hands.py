"""Vector hands: tells many five-card hands apart at once, as columns in the order of `find_rows.PAYING`."""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int64]

_TEN: Final = 8
"""The rank of a ten where a two is 0."""


def columns(cards: Ints) -> Ints:
    """Return the column of each row of five cards, given by their index."""
    ranks = np.sort(cards // 4, axis=-1)
    suits = cards % 4
    same = ranks[..., 1:] == ranks[..., :-1]
    pairs = same.sum(axis=-1)
    low, mid_low, mid_high, high = (same[..., place] for place in range(4))
    flush = (suits == suits[..., :1]).all(axis=-1)
    wheel = (ranks == np.array([0, 1, 2, 3, 12])).all(axis=-1)
    straight = (pairs == 0) & ((ranks[..., 4] - ranks[..., 0] == 4) | wheel)
    paired = np.where(
        low, ranks[..., 0], np.where(mid_low, ranks[..., 1], np.where(mid_high, ranks[..., 2], ranks[..., 3]))
    )
    adjacent = (low & mid_low) | (mid_low & mid_high) | (mid_high & high)
    return np.select(
        [
            straight & flush & (ranks[..., 0] == _TEN),
            straight & flush,
            (pairs == 3) & mid_low & mid_high,
            pairs == 3,
            flush,
            straight,
            (pairs == 2) & adjacent,
            pairs == 2,
            (pairs == 1) & (paired >= _TEN),
        ],
        list(range(9)),
        default=9,
    )
