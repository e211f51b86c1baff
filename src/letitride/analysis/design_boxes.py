"""Design boxes: sets of paytables between a lowest and a highest one, and what bounds say of all in a set.

What a round wins never falls when a pay rises, and neither does the number of bets that ride: so the two corners of a
box bound every table in it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np

from letitride.analysis.base import CASES, SECOND_CARDS
from letitride.analysis.design_goal import Goal
from letitride.analysis.design_tables import (
    CASES_4,
    HANDS_3,
    ROWS_3,
    ROWS_4,
    Floats,
    Ints,
    Marks,
    priced,
    prospects,
    variances,
)
from letitride.analysis.find_rows import LOSES

BATCH: Final = 1_024
_ROUNDING: Final = 1e-9
"""Double precision is far better than this: what a bound excludes by more is excluded."""
_INFLUENCE_3: Final = HANDS_3[:, None] * ROWS_3[:, :LOSES]
_INFLUENCE_4: Final = CASES_4[:, None] * ROWS_4[:, :LOSES]


@dataclass(frozen=True, slots=True)
class Boxes:
    """Many boxes of tables: the lowest and the highest pays of each, and its share of the whole."""

    low: Ints
    high: Ints
    share: Floats

    def only(self, wanted: Marks) -> Boxes:
        """Return some of the boxes."""
        return Boxes(self.low[wanted], self.high[wanted], self.share[wanted])

    def parted(self, most: int) -> tuple[Boxes, Boxes]:
        """Return the last boxes, so many at most, and those before them."""
        place = np.arange(len(self.low)) >= len(self.low) - most
        return self.only(place), self.only(~place)

    def sizes(self) -> Floats:
        """Return how many tables the boxes have at most."""
        found: Floats = (self.high - self.low + 1).astype(np.float64).prod(axis=1)
        return found


@dataclass(frozen=True, slots=True)
class Corners:
    """What the corners of boxes say of the tables in them."""

    values_low: tuple[tuple[Ints, Ints], ...]
    undecided: tuple[Marks, Marks]
    figures: dict[str, tuple[Floats, Floats]]
    variance: tuple[Floats, Floats]

    def only(self, wanted: Marks) -> Corners:
        """Return the corners of some of the boxes."""
        return Corners(
            tuple(one for one, keep in zip(self.values_low, wanted, strict=True) if keep),
            (self.undecided[0][wanted], self.undecided[1][wanted]),
            {name: (least[wanted], most[wanted]) for name, (least, most) in self.figures.items()},
            (self.variance[0][wanted], self.variance[1][wanted]),
        )

    def decided(self, goal: Goal) -> Marks:
        """Which boxes have one way to play that is best for every table, and none that deviates too much."""
        found: Marks = np.all(~np.concatenate(self.undecided, axis=1), axis=1)
        if goal.max_deviation is not None:
            found &= self.variance[1] < goal.max_deviation**2 * (1 - _ROUNDING)
        return found

    def distances(self, goal: Goal) -> Floats:
        """Return how far the nearest table of each box is from the target at least."""
        least, most = self.figures[goal.figure]
        return np.maximum(np.maximum(least - float(goal.target), float(goal.target) - most), 0.0)

    def beyond(self, goal: Goal, reach: float) -> Marks:
        """Which boxes have only tables whose figure is further from the target than `reach`, or deviates too much."""
        least, most = self.figures[goal.figure]
        slack = _ROUNDING * (abs(float(goal.target)) + np.minimum(abs(least), abs(most)) + _ROUNDING)
        found: Marks = self.distances(goal) > reach + slack
        return found | self.restless(goal)

    def restless(self, goal: Goal) -> Marks:
        """Which boxes have only tables that deviate too much."""
        limit = float("inf") if goal.max_deviation is None else goal.max_deviation
        found: Marks = self.variance[0] > limit**2 * (1 + _ROUNDING)
        return found


def corners(boxes: Boxes, *, squares: bool = True) -> Corners:
    """Return what the corners of boxes say."""
    low, high = prospects(boxes.low), prospects(boxes.high)
    least, most = priced(*low), priced(*high)
    loss_low, loss_high = -most.won.astype(np.float64), -least.won.astype(np.float64)
    few, many = (SECOND_CARDS * batch.units.astype(np.float64) for batch in (least, most))
    risk = (
        np.where(loss_low >= 0, loss_low / many, loss_low / few),
        np.where(loss_high >= 0, loss_high / few, loss_high / many),
    )
    return Corners(
        tuple(zip(low[0], low[1], strict=True)),
        ((low[0] <= 0) & (high[0] > 0), (low[1] <= 0) & (high[1] > 0)),
        {"element_of_risk": risk, "house_edge": (loss_low / CASES, loss_high / CASES)},
        variances(boxes.low, boxes.high) if squares else (np.zeros(len(few)), np.zeros(len(few))),
    )


def split(boxes: Boxes, found: Corners) -> Boxes:
    """Return boxes halved, each where that decides most about the play."""
    width = boxes.high - boxes.low
    weight = found.undecided[0] @ _INFLUENCE_3 + found.undecided[1] @ _INFLUENCE_4
    # A box whose play is decided is split for its deviation: the pay with the widest range of squares.
    squares = boxes.high.astype(np.float64) ** 2 - boxes.low.astype(np.float64) ** 2
    score = np.where((weight * width).any(axis=1, keepdims=True), weight.astype(np.float64) * width, squares)
    place, rows = score.argmax(axis=1), np.arange(len(score))
    middle = (boxes.low[rows, place] + boxes.high[rows, place]) // 2
    high, low = boxes.high.copy(), boxes.low.copy()
    high[rows, place], low[rows, place] = middle, middle + 1
    return Boxes(
        np.concatenate([boxes.low, low]), np.concatenate([high, boxes.high]), np.concatenate([boxes.share / 2] * 2)
    )


def tightened(boxes: Boxes) -> Boxes:
    """Return boxes without pays that no table in them can have, because a lesser hand never pays more."""
    high = np.minimum.accumulate(boxes.high, axis=1)
    low = np.maximum.accumulate(boxes.low[:, ::-1], axis=1)[:, ::-1]
    full: Marks = np.all(low <= high, axis=1)
    return Boxes(low, high, boxes.share).only(full)
