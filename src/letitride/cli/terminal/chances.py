"""Chances: where the decks, cuts and dice of a terminal table come from; drawn by nobody but its session."""

from __future__ import annotations

from typing import Protocol

from letitride.chance.live import FACES, Live
from letitride.chance.seeded import Seeded


class Chance(Protocol):
    """A source of mixed decks, cuts and throws."""

    def order(self) -> tuple[str, ...]:
        """Return the faces of a mixed deck, top first."""

    def below(self, limit: int) -> int:
        """Return a whole number from 0 to limit - 1, each as likely as any other."""


class Practice:
    """Decks that come again with the same seed and the same choices: for practice, never for a game."""

    def __init__(self, seed: int) -> None:
        self._seeded = Seeded("play", seed)

    def order(self) -> tuple[str, ...]:
        """Return the faces of a mixed deck, top first."""
        return self._seeded.shuffled(FACES)

    def below(self, limit: int) -> int:
        """Return a whole number from 0 to limit - 1."""
        return self._seeded.below(limit)


def chance_of(seed: int | None) -> Chance:
    """Return the operating system's chance, or with a seed one that repeats."""
    return Live() if seed is None else Practice(seed)
