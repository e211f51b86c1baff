"""Seeded chance: for fuzz runs, drills and samples that must repeat; never for a live table."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import TypeVar

T = TypeVar("T")


class Seeded:
    """A generator that gives the same values for the same seed, on every machine."""

    def __init__(self, *seed: int | str) -> None:
        self._random = random.Random("/".join(map(str, seed)))  # noqa: S311 - repeatable on purpose

    def chance(self, probability: float) -> bool:
        """Return whether something happens that happens this often."""
        return self._random.random() < probability

    def choice(self, values: Sequence[T]) -> T:
        """Return one of some values."""
        return values[int(self._random.random() * len(values))]

    def shuffled(self, values: Sequence[T]) -> tuple[T, ...]:
        """Return the values in another order."""
        return tuple(self._random.sample(values, len(values)))

    def below(self, limit: int) -> int:
        """Return a whole number from 0 to limit - 1."""
        return self._random.randrange(limit)
