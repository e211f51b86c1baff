"""Listed: tables by which the kernels name the cards of wagers that no column of a game tells; needs NumPy alone.

A wager's cards fall into a class by their ranks and a class by their suits, and both together into a rank of its
ranking. Ranks are numbered from 0, the best. What finds the class of the ranks is what the kernel has at hand: the
number of the three ranks, and the ranks of the community cards. What finds the class of the suits is the twelve bits
in which the words of the cards count them.

Where a rank asks for single cards, the classes tell the first rank that these cards may have, and the first after it;
the cards are then looked for one by one.

Where players take a wager back by the cards they have seen, it has one rank more, after its worst: taken back. Which
cards it is taken back with is told by one bit for each three cards, in any order, or for these and the first community
card: bit `card % 8` of byte `card // 8`, where the cards are digits to the base of 52.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

THREE, FOUR, FIVE, COMMUNITY = range(4)
"""What a wager is judged on: the cards of a seat, with one or both community cards; those alone."""
KIND, CLASSES_AT, FIRSTS_AT, SUIT_CLASSES, STRIDE, RANKS = range(6)
"""The columns of `heads`."""
SUIT_COUNTS: Final = 1 << 12
"""Three bits for each suit."""
RANKS_MAX: Final = 255
_PREFIX: Final = "listed_"


@dataclass(frozen=True, slots=True)
class Listed:
    """The tables of some wagers, one after another; nets are in cents, won less lost."""

    ids: tuple[str, ...]
    heads: NDArray[np.int64]
    """By wager: what it is judged on, where its classes and ranks begin, how many classes of suits there are, how many
    entries a pair of classes has in `firsts`, and how many ranks."""
    classes: NDArray[np.uint16]
    """The class of the ranks."""
    suits: NDArray[np.uint8]
    """By wager and count of suits: the class of the suits."""
    firsts: NDArray[np.uint8]
    """By both classes: the rank; where single cards are asked for, the first rank from each one on."""
    needs_at: NDArray[np.int64]
    """By wager and rank: where the cards begin that it asks for; those of a rank end where those of the next begin."""
    needs: NDArray[np.int64]
    """Cards that ranks ask for, by their index."""
    nets: NDArray[np.int64]
    """By wager and rank."""
    backs_at: NDArray[np.int64] = field(default_factory=lambda: np.zeros((0, 2), np.int64))
    """By wager: with which base decision it is taken back, 0 where it never is, and where its bits begin, in bytes."""
    backs: NDArray[np.uint8] = field(default_factory=lambda: np.zeros(0, np.uint8))
    """The bits of all wagers that are taken back; none where none is."""

    @property
    def ranks(self) -> int:
        """How many ranks the longest ranking has."""
        return int(self.nets.shape[1])

    def tables(self) -> tuple[NDArray[Any], ...]:
        """Return what the kernels look cards up in."""
        return self.heads, self.classes, self.suits, self.firsts, self.needs_at, self.needs

    def arrays(self) -> dict[str, NDArray[Any]]:
        """Return the tables as plain arrays, by names of their own."""
        names = [name for name in self.__slots__ if self.backs.size or name not in _OF_BACKS]
        return {f"{_PREFIX}{name}": np.asarray(getattr(self, name)) for name in names}

    @classmethod
    def from_arrays(cls, arrays: Mapping[str, Any]) -> Listed | None:
        """Return the tables that `arrays` gave, or None where there are none."""
        if f"{_PREFIX}ids" not in arrays:
            return None
        found = {name: arrays[f"{_PREFIX}{name}"] for name in cls.__slots__ if f"{_PREFIX}{name}" in arrays}
        return cls(**{**found, "ids": tuple(map(str, found["ids"]))})


_OF_BACKS: Final = frozenset({"backs_at", "backs"})
"""Left out where no wager is taken back, as it was before any could be."""
