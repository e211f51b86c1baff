"""Design: the whole-number paytables nearest to a wanted figure, of all within bounds; nothing is left out unproven."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import accumulate
from numbers import Rational
from typing import Final

import numpy as np

from letitride.analysis.base import CASES, PAY_MAX, best_play, distribution, plain_nets, price
from letitride.analysis.design_boxes import BATCH, Boxes, Corners, corners, split, tightened
from letitride.analysis.design_goal import Figure, Goal, hits_of
from letitride.analysis.design_nearest import SMALL, Nearest, roughness
from letitride.analysis.design_tables import Ints
from letitride.analysis.find_rows import PAYING
from letitride.errors import InvalidData
from letitride.rules.arguments import mapping, positive, rational, whole
from letitride.rules.hands import Category
from letitride.rules.paytables import Pays
from letitride.rules.rankings import AnyCategory
from letitride.rules.wager_table import BASE
from letitride.rules.wagers import Award
from letitride.rules.words import one_of, show_value

UNPAID: Final = -1
"""What stands for a hand that is not paid: it loses the bet. 0 is a push."""
RANGE_MAX: Final = 100_000
COUNT_MAX: Final = 1_000

Range = tuple[int, int]
BOUNDS: Final[Mapping[Category, Range]] = {
    Category.ROYAL_FLUSH: (100, 1000),
    Category.STRAIGHT_FLUSH: (50, 250),
    Category.FOUR_OF_A_KIND: (20, 60),
    Category.FULL_HOUSE: (9, 20),
    Category.FLUSH: (6, 12),
    Category.STRAIGHT: (4, 7),
    Category.THREE_OF_A_KIND: (2, 4),
    Category.TWO_PAIR: (1, 3),
    Category.TENS_OR_BETTER: (1, 1),
}
"""The least and the most that a hand pays where nothing else is asked for."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A paytable found by the search, with its exact figures."""

    pays: tuple[int, ...]
    element_of_risk: Fraction
    house_edge: Fraction
    hit_frequency: Fraction
    standard_deviation: float
    roughness: float
    """How unevenly the pays grow from hand to hand: 0 is a straight line on a logarithmic scale."""

    def figure(self, name: Figure) -> Fraction:
        """One of its figures."""
        return {"house_edge": self.house_edge, "hit_frequency": self.hit_frequency}.get(name, self.element_of_risk)


@dataclass(frozen=True, slots=True)
class Design:
    """What a search found, and what it looked at. `tables` has the nearest first."""

    goal: Goal
    bounds: Mapping[Category, Range]
    tables: tuple[Candidate, ...]
    in_bounds: int
    """How many tables there are within the bounds whose pays never rise from a better to a lesser hand."""
    searched: int
    """How many of them were compared with the goal, each by its own figure."""
    complete: bool
    """Whether every other table is excluded by a bound. Where the search was stopped, a nearer one may be left."""

    @property
    def excluded(self) -> int:
        """How many tables a bound shows to be no nearer than the last one listed; 0 where the search was stopped."""
        return self.in_bounds - self.searched if self.complete else 0


def table_of(pays: tuple[int, ...]) -> Pays:
    """Return whole pays as what a base wager pays."""
    paid: dict[AnyCategory, Fraction] = {
        category: Fraction(pay) for category, pay in zip(PAYING, pays, strict=True) if pay != UNPAID
    }
    return Pays(BASE, Award.TO_ONE, tuple(paid), (paid,))


def design(
    target: Rational | int,
    figure: Figure = "element_of_risk",
    *,
    bounds: Mapping[Category, Range] | None = None,
    keep: Mapping[Category, int] | None = None,
    max_deviation: float | None = None,
    within: Rational | int = 0,
    count: int = 10,
    tell: Callable[[float], None] = lambda _: None,
    stop: Callable[[], bool] = lambda: False,
) -> Design:
    """Return the tables nearest to a target, of all whole pays within bounds that never rise to a lesser hand.

    Tables no further than `within` from the target are equally near. Of equally near tables the smoothest comes first,
    for a hit frequency the one with the lowest pays. `tell` hears which part is done, `stop` may end the search early.
    """
    calm = None if max_deviation is None else positive(max_deviation, "a deviation")
    goal = Goal(figure, rational(target, "a target"), rational(within, "a tolerance"), calm)
    whole(count, "how many tables to list", 1, COUNT_MAX)
    asked = ranges_of(bounds or {}, keep or {})
    low, high = (np.array([asked[category][end] for category in PAYING], dtype=np.int64) for end in (0, 1))
    nearest = Nearest(goal, count)
    root = tightened(Boxes(low[None], high[None], np.ones(1)))
    complete = True
    if len(root.low):
        search = _by_hits if figure == "hit_frequency" else _by_boxes
        complete = search(root, nearest, tell, stop)
    return Design(
        goal=goal,
        bounds=asked,
        tables=tuple(_candidate(pays) for pays in nearest.pays()),
        in_bounds=count_tables(low, high),
        searched=nearest.searched,
        complete=complete,
    )


def ranges_of(bounds: Mapping[Category, Range], keep: Mapping[Category, int]) -> dict[Category, Range]:
    """Return the least and the most that each hand may pay, or refuse what cannot be meant."""
    asked: dict[Category, Range] = dict(BOUNDS)
    for given, what in ((bounds, "bounds"), (keep, "pays to keep")):
        for key, value in mapping(given, f"{what} by hand").items():
            if not isinstance(key, Category) or key not in PAYING:
                raise InvalidData(f"expected {one_of(c.label for c in PAYING)}, got {show_value(key)}")
            if given is keep and key in bounds:
                raise InvalidData(f"expected either bounds or one pay for a {key.label}, got both")
            pair = value if given is bounds else (value, value)
            if not isinstance(pair, tuple) or len(pair) != 2:
                raise InvalidData(f"expected two whole pays as bounds of a {key.label}, got {show_value(pair)}")
            low, high = (whole(pay, f"the pay of a {key.label} ({UNPAID} for none)", UNPAID, PAY_MAX) for pay in pair)
            if not 0 <= high - low < RANGE_MAX:
                raise InvalidData(
                    f"expected 1 to {RANGE_MAX:,} different pays of a {key.label}, the least first, "
                    f"got {low:,} to {high:,}"
                )
            asked[key] = (low, high)
    return {category: asked[category] for category in PAYING}


def count_tables(low: Ints, high: Ints) -> int:
    """Return how many tables within bounds never pay a lesser hand more than a better one."""
    first, ways = int(low[-1]), [1] * (int(high[-1]) - int(low[-1]) + 1)  # by what the lowest hand up to here pays
    for bottom, top in zip(reversed(low[:-1].tolist()), reversed(high[:-1].tolist()), strict=True):
        up_to = [0, *accumulate(ways)]
        ways = [up_to[min(max(pay - first + 1, 0), len(up_to) - 1)] for pay in range(bottom, top + 1)]
        first = bottom
    return sum(ways)


def _by_boxes(root: Boxes, nearest: Nearest, tell: Callable[[float], None], stop: Callable[[], bool]) -> bool:
    """Look through boxes of tables, halved until all tables of one are played alike, or a bound excludes it."""
    waiting, done = [root], 0.0
    nearest.begin_with(root.low[0], root.high[0])
    while waiting:
        if stop():
            return False
        boxes, later = waiting.pop().parted(BATCH)
        waiting += [later] if len(later.low) else []
        found = corners(boxes, squares=nearest.goal.max_deviation is not None)
        far = nearest.excludes(found)
        done += float(boxes.share[far].sum())
        boxes, found = boxes.only(~far), found.only(~far)
        ready = found.decided(nearest.goal) | (boxes.sizes() <= SMALL)
        done += _look_at(boxes.only(ready), found.only(ready), nearest)
        if not ready.all():
            waiting.append(tightened(split(boxes.only(~ready), found.only(~ready))))
        tell(done)
    return True


def _look_at(boxes: Boxes, found: Corners, nearest: Nearest) -> float:
    """Look at boxes, those first that may be nearest, and return their share of the whole."""
    decided = found.decided(nearest.goal)
    for place in np.argsort(found.distances(nearest.goal), kind="stable").tolist():
        if not nearest.excludes(found.only(np.arange(len(decided)) == place)).any():
            nearest.look_at(boxes.low[place], boxes.high[place], found.values_low[place] if decided[place] else None)
    return float(boxes.share.sum())


def _by_hits(root: Boxes, nearest: Nearest, tell: Callable[[float], None], stop: Callable[[], bool]) -> bool:
    """Look at one class after another of tables that pay the same hands, which all have one hit frequency."""
    low, high = root.low[0], root.high[0]
    classes = []
    for paid in range(len(PAYING) + 1):
        lows = np.array([max(v, 0) if n < paid else v for n, v in enumerate(low.tolist())])
        highs = np.array([v if n < paid else min(v, UNPAID) for n, v in enumerate(high.tolist())])
        box = tightened(Boxes(lows[None], highs[None], np.ones(1)))
        if len(box.low) and not corners(box).restless(nearest.goal)[0]:
            excess = nearest.goal.excess(Fraction(hits_of(paid), CASES))
            classes.append((excess, box))
    for number, (excess, box) in enumerate(sorted(classes, key=lambda one: one[0])):
        if stop():
            return False
        tell(number / len(classes))
        if not nearest.take_lowest(excess, box.low[0], box.high[0], stop):
            return False
    return True


def _candidate(pays: tuple[int, ...]) -> Candidate:
    table = table_of(pays)
    found, nets = price(table), plain_nets(table)
    spread = distribution(nets, best_play(nets))
    return Candidate(
        pays=pays,
        element_of_risk=found.element_of_risk,
        house_edge=found.house_edge,
        hit_frequency=found.hit_frequency,
        standard_deviation=spread.standard_deviation,
        roughness=float(roughness(np.array([pays]))[0]),
    )
