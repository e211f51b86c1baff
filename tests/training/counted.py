"""A source of chance for tests of drills: a plain generator that repeats, and nothing of the package."""

from __future__ import annotations

import random


class Counted:
    """Whole numbers that repeat for a seed."""

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)

    def below(self, limit: int) -> int:
        """Return a number from 0 to limit - 1."""
        return self._random.randrange(limit)


class Told:
    """The numbers it is told, one after the other."""

    def __init__(self, *numbers: int) -> None:
        self._numbers = list(numbers)
        self.limits: list[int] = []

    def below(self, limit: int) -> int:
        """Return the next number, which has to be one that could be drawn."""
        self.limits.append(limit)
        number = self._numbers.pop(0)
        assert 0 <= number < limit
        return number
