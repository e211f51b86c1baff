"""Meter tallies: what happened to a meter over the rounds of a simulation, as whole numbers; it knows no rule."""

from __future__ import annotations

from dataclasses import dataclass, fields
from fractions import Fraction
from math import sqrt
from typing import Any, Final

from letitride.simulation.game import PartData

CYCLES_ENOUGH: Final = 25
"""Complete cycles from which on an error is stated."""


@dataclass(frozen=True, slots=True)
class Marks:
    """How far the sums of a meter were when a cycle began: when all of it was taken, it begins again."""

    rounds: int = 0
    level_cents: int = 0
    hits: int = 0
    seen_cents: int = 0
    added_cents: int = 0


@dataclass(frozen=True, slots=True)
class Squares:
    """Sums over complete cycles of two amounts of each: their squares and their product."""

    xx: int = 0
    xy: int = 0
    yy: int = 0

    def plus(self, x: int, y: int) -> Squares:
        """Return the sums with one more cycle."""
        return Squares(self.xx + x * x, self.xy + x * y, self.yy + y * y)


@dataclass(frozen=True, slots=True, kw_only=True)
class MeterTally:
    """A meter that opened at its seed and what hands took of it, round by round."""

    sha256: str
    """Of the wager, so that no other meter is gone on with."""
    first: int
    """The round of the run at which the meter opened."""
    rounds: int
    """The round of the run before which it stands: how far it was reckoned."""
    held_cents: int
    """What it holds there."""
    hits: tuple[int, ...]
    """By rank, best first: how many hands took of it."""
    won_cents: tuple[int, ...]
    """By rank: what they won by it."""
    taken_cents: int = 0
    """What was paid out of it."""
    added_cents: int = 0
    """What the house added to amounts that it did not hold."""
    resets: int = 0
    """How often all of it was taken, and the house put in a new seed."""
    seen_cents: int = 0
    """What it held when a hand took of it, over all hits."""
    highest_cents: int = 0
    """The most that it held when a hand took of it."""
    level_cents: int = 0
    """What it held before a round, over all rounds."""
    marks: Marks = Marks()
    """The sums when it was last reset, or when it opened."""
    by_round: Squares = Squares()
    """Of complete cycles: what it held before rounds, and rounds."""
    by_hit: Squares = Squares()
    """What it held at hits, and hits."""
    added: Squares = Squares()
    """What the house added, and rounds."""

    @property
    def played(self) -> int:
        """Over how many rounds it was reckoned."""
        return self.rounds - self.first

    def as_data(self) -> PartData:
        """Return it as plain data."""
        return {one.name: _plain(getattr(self, one.name)) for one in fields(self)}

    @classmethod
    def from_data(cls, data: PartData) -> MeterTally:
        """Return the tally that `as_data` gave."""
        nested = {"marks": Marks, "by_round": Squares, "by_hit": Squares, "added": Squares}
        made = {name: nested[name](**value) if name in nested else value for name, value in data.items()}
        return cls(**{**made, "hits": tuple(data["hits"]), "won_cents": tuple(data["won_cents"])})


def _plain(value: Any) -> Any:
    if isinstance(value, Marks | Squares):
        return {one.name: getattr(value, one.name) for one in fields(value)}
    return list(value) if isinstance(value, tuple) else value


def ratio_error(cycles: int, x: int, y: int, squares: Squares) -> float | None:
    """Return the error of a ratio of sums over complete cycles, which are independent of one another.

    None where there are too few of them to say.
    """
    if cycles < CYCLES_ENOUGH or not y:
        return None
    ratio = Fraction(x, y)
    spread = squares.xx - 2 * ratio * squares.xy + ratio**2 * squares.yy
    return sqrt(max(spread, Fraction(0)) * cycles / (cycles - 1)) / y
