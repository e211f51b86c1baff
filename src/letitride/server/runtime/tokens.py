"""Tokens: so many at once, and so many a second after that; a bucket that never asks whose it is."""

from __future__ import annotations


class Tokens:
    """A bucket; it may be overdrawn, and then fills up from below nothing."""

    __slots__ = ("_a_second", "_burst", "_filled", "_left")

    def __init__(self, burst: float, a_second: float, now: float) -> None:
        self._burst, self._a_second, self._left, self._filled = burst, a_second, burst, now

    def left(self, now: float) -> float:
        """Return how many may come now."""
        self._left = min(self._left + max(now - self._filled, 0.0) * self._a_second, self._burst)
        self._filled = now
        return self._left

    def spend(self, many: float) -> None:
        """Take some."""
        self._left -= many
