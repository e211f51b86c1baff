"""Takes: which hands of a game take of a meter, as tables that the kernels read; needs NumPy alone.

A kernel writes a hit down as one number: the round, counted from where it began, the seat from 0 and the place of the
rank in its ranking, 0 for the best. What a hit takes depends on the hits before it, which a kernel does not know: the
meters are reckoned afterwards, in the order of rounds and seats (`meters`).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

Hits = NDArray[np.int64]
"""Hits in the order of rounds and seats: round x 2^11 + seat x 2^8 + place."""
CELLS_COLUMN: Final = 0
THREES_COLUMN: Final = 1
FIRST_LISTED: Final = 2
"""The column of the first listed wager; the others follow it."""
NO_TAKE: Final = 255
SEAT_SHIFT: Final = 8
ROUND_SHIFT: Final = 11
METER_SHIFT: Final = 56
"""A kernel's own hits begin with the number of the meter."""
_PLACE: Final = (1 << SEAT_SHIFT) - 1
_PREFIX: Final = "takes_"


@dataclass(frozen=True, slots=True)
class Takes:
    """The hands that take of meters, meter by meter."""

    ids: tuple[str, ...]
    """The wagers that feed them."""
    columns: NDArray[np.int64]
    """By meter: what its hands are told by, cells, three-card categories or the ranks of a listed wager."""
    tables: NDArray[np.uint8]
    """By meter and what is told there: the place of a rank that takes, or `NO_TAKE`."""

    def arrays(self) -> dict[str, NDArray[Any]]:
        """Return the tables as plain arrays, by names of their own."""
        return {f"{_PREFIX}{name}": np.asarray(getattr(self, name)) for name in self.__slots__}

    @classmethod
    def from_arrays(cls, arrays: Mapping[str, Any]) -> Takes | None:
        """Return the tables that `arrays` gave, or None where there are none."""
        if f"{_PREFIX}ids" not in arrays:
            return None
        found = {name: arrays[f"{_PREFIX}{name}"] for name in cls.__slots__}
        return cls(**{**found, "ids": tuple(map(str, found["ids"]))})

    def by_wager(self, found: Hits) -> dict[str, Hits]:
        """Return what a kernel wrote down, in whatever order, as the hits of each wager in theirs."""
        ordered = np.sort(found)
        starts = np.searchsorted(ordered, np.arange(len(self.ids) + 1) << METER_SHIFT)
        return {
            wager: ordered[starts[meter] : starts[meter + 1]] - (meter << METER_SHIFT)
            for meter, wager in enumerate(self.ids)
        }


def no_hits() -> Hits:
    """Return the hits of rounds in which there was none."""
    return np.zeros(0, np.int64)


def later(hits: Hits, rounds: int) -> Hits:
    """Return hits as they are counted from so many rounds earlier."""
    return hits + (rounds << ROUND_SHIFT)


def read_hit(hit: int) -> tuple[int, int]:
    """Return the round of a hit and the place of its rank."""
    return hit >> ROUND_SHIFT, hit & _PLACE
