"""Pooled: a maximum payout over several hands of a round, as arrays that the kernels read; needs NumPy alone.

A hand by itself is counted by its cell, as always. Where hands are paid out of one maximum, what a hand is paid depends
on the others, so the kernels count beside the cells what neighboring seats that are counted together win: never more
than the maximum.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

_PREFIX: Final = "pooled_"
COUNTS: Final = 6
"""What kernels count of it: rounds in which the maximum bound, cents that hands lost by one another, the squares of
rounds in two parts, the second in units of 2^32, and likewise the squares of hands."""


@dataclass(frozen=True, slots=True)
class Pooled:
    """What is counted together, and what hands win before they are."""

    wins: NDArray[np.int64]
    """By cell: what one bet of a hand wins in full, in cents."""
    most_cents: int
    hands: int
    """How many neighboring seats are counted together: all of a round, or those of one player."""
    shared: bool
    """Whether every payout is cut in the same proportion; else the first hands are paid first."""
    backwards: bool
    """Whether the last seat is settled first."""

    def arrays(self) -> dict[str, NDArray[Any]]:
        """Return it as plain arrays, by names of their own."""
        return {f"{_PREFIX}{name}": np.asarray(getattr(self, name)) for name in self.__slots__}

    @classmethod
    def from_arrays(cls, arrays: Mapping[str, Any]) -> Pooled | None:
        """Return what `arrays` gave, or None where there is none."""
        if f"{_PREFIX}wins" not in arrays:
            return None
        return cls(
            wins=arrays[f"{_PREFIX}wins"],
            most_cents=int(arrays[f"{_PREFIX}most_cents"]),
            hands=int(arrays[f"{_PREFIX}hands"]),
            shared=bool(arrays[f"{_PREFIX}shared"]),
            backwards=bool(arrays[f"{_PREFIX}backwards"]),
        )


def pooled_terms(pooled: Pooled) -> tuple[NDArray[np.int64], int, int, bool, bool]:
    """Return it as the compiled kernels take it."""
    return pooled.wins, pooled.most_cents, pooled.hands, pooled.shared, pooled.backwards


@dataclass(frozen=True, slots=True)
class PooledTally:
    """The results of hands that are paid out of one maximum; tallies of parts add up."""

    bound: int = 0
    """Rounds in which the maximum was reached by several hands together, or by one alone."""
    cut_cents: int = 0
    """What hands did not get because of one another: each of them alone at the table would have."""
    squares: int = 0
    """Of what the base bets of all seats won in a round."""
    hand_squares: int = 0
    """Of what those of each hand won."""

    @classmethod
    def of(cls, counts: NDArray[np.int64]) -> PooledTally:
        """Return what a kernel counted."""
        bound, cut, low, high, hand_low, hand_high = map(int, counts)
        return cls(bound, cut, low + (high << 32), hand_low + (hand_high << 32))

    def __add__(self, other: PooledTally) -> PooledTally:
        return PooledTally(*(getattr(self, name) + getattr(other, name) for name in self.__slots__))

    def as_data(self) -> dict[str, int]:
        """Return it as a saved state keeps it."""
        return {name: getattr(self, name) for name in self.__slots__}
