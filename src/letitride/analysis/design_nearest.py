"""Design nearest: the nearest tables of a search, and whole boxes of tables compared with them.

In a box where every table is played alike, what is won is a sum over the pays. The pays are parted into two halves, the
sums of one half are sorted, and for each of the other the few that come near the target are found by bisection.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterator
from fractions import Fraction
from math import ceil, floor, prod
from typing import Any, Final, NamedTuple

import numpy as np

from letitride.analysis.design_boxes import Corners
from letitride.analysis.design_goal import Goal
from letitride.analysis.design_tables import (
    CASES_4,
    HANDS_3,
    ROWS_3,
    ROWS_4,
    Floats,
    Ints,
    Marks,
    deviations,
    price_batch,
    priced,
)
from letitride.analysis.find_rows import LOSES

HALF_MAX: Final = 200_000
"""So many combinations of half of the pays are kept at once."""
SMALL: Final = 2_048
"""Boxes of so many tables are priced table by table."""
_PAIRS: Final = 1_000_000
_Entry = tuple[Fraction, float, tuple[int, ...]]


def roughness(tables: Ints) -> Floats:
    """Return how unevenly the pays of tables grow from hand to hand; pushes and hands that lose do not count."""
    logs = np.where(tables > 0, np.log(np.maximum(tables, 1)), np.nan)
    bends = np.abs(np.diff(logs, n=2, axis=1))
    found: Floats = np.round(np.nansum(bends, axis=1), 12)
    return found


class _Halves(NamedTuple):
    """The pays of the better hands with their sums, in order, and those of the lesser hands with theirs."""

    better: Ints
    sums: Ints
    lesser: Ints
    rest: Ints

    @property
    def all_fit(self) -> bool:
        """Whether no lesser hand ever pays more than a better one, whichever halves meet."""
        meet = self.better.shape[1] and self.lesser.shape[1]
        return not meet or bool(self.better[:, -1].min() >= self.lesser[:, 0].max())

    def fitting(self, rows: Ints, columns: Ints) -> tuple[Ints, Ints]:
        """Return the pairs of halves that may meet."""
        fits = self.better[columns, -1] >= self.lesser[rows, 0]
        return rows[fits], columns[fits]


class Nearest:
    """The tables nearest to a goal, so many at most: by distance, then by roughness, then by pays."""

    def __init__(self, goal: Goal, count: int) -> None:
        self.goal, self.count, self.searched = goal, count, 0
        self._kept: list[_Entry] = []

    def pays(self) -> list[tuple[int, ...]]:
        """Return the tables, the nearest first."""
        return [pays for _, _, pays in self._kept]

    @property
    def excess(self) -> Fraction | None:
        """How far the last table is beyond the tolerance; None while there is room for any."""
        return self._kept[-1][0] if len(self._kept) == self.count else None

    def excludes(self, found: Corners) -> Marks:
        """Which boxes have no table that is as near as the last one, or none that may be listed at all."""
        reach = float("inf") if self.excess is None else float(self.excess + self.goal.within)
        return found.beyond(self.goal, reach)

    def begin_with(self, low: Ints, high: Ints) -> None:
        """Take some tables spread evenly over a box, so that bounds have something to exclude by from the start."""
        parts = np.linspace(0, 1, 4_096)[:, None]
        tables = np.unique(low + np.round(parts * (high - low)).astype(np.int64), axis=0)
        batch = price_batch(tables)
        self._take(tables, batch.won, batch.units)

    def look_at(self, low: Ints, high: Ints, values: tuple[Ints, Ints] | None) -> None:
        """Hold every table of a box against the goal; `values` are its prospects where all are played alike."""
        if values is None:
            self._look_one_by_one(low, high)
            return
        for lows, highs in _parts(low, high):
            self._look_at_sums(lows, highs, values)

    def _look_one_by_one(self, low: Ints, high: Ints) -> None:
        tables = combinations(low, high)
        self.searched += len(tables)
        batch = price_batch(tables)
        self._take(tables, batch.won, batch.units)

    def _look_at_sums(self, low: Ints, high: Ints, values: tuple[Ints, Ints]) -> None:
        cut = _cut(low, high)
        rides_3, rides_4 = values[0] > 0, values[1] > 0
        weights = ((1 + rides_3) * HANDS_3) @ ROWS_3 + (rides_4 * CASES_4) @ ROWS_4
        units = int(priced(values[0][None], values[1][None]).units[0])
        better, lesser = combinations(low[:cut], high[:cut]), combinations(low[cut:], high[cut:])
        sums = better @ weights[:cut]
        order = np.argsort(sums, kind="stable")
        better, sums = better[order], sums[order]
        rest = lesser @ weights[cut:LOSES] - weights[LOSES]
        self.searched += _together(better, lesser)
        middle = -self.goal.target * self.goal.divisor(units)  # what a table on target wins
        self._join(_Halves(better, sums, lesser, rest), middle, units)

    def _join(self, halves: _Halves, middle: Fraction, units: int) -> None:
        """Take the pairs of halves whose sum comes near the middle."""
        reach = self._reach(halves, middle, self.goal.divisor(units))
        while True:
            first = np.searchsorted(halves.sums, ceil(middle - reach) - halves.rest, side="left")
            last = np.searchsorted(halves.sums, floor(middle + reach) - halves.rest, side="right")
            for pairs in _pairs(first, last):
                rows, columns = pairs if halves.all_fit else halves.fitting(*pairs)
                tables = np.concatenate([halves.better[columns], halves.lesser[rows]], axis=1)
                self._take(tables, halves.sums[columns] + halves.rest[rows], np.full(len(rows), units))
            if self.excess is not None or (last - first).sum() == len(halves.sums) * len(halves.rest):
                return
            reach = 4 * reach + 1  # too few of them fit together

    def _reach(self, halves: _Halves, middle: Fraction, divisor: int) -> Fraction:
        """How far from the middle a sum may be and still be among the nearest."""
        known = None if self.excess is None else (self.excess + self.goal.within) * divisor
        if known is not None and not halves.all_fit:
            return known
        wanted = floor(middle) - halves.rest
        place = np.searchsorted(halves.sums, wanted)
        at = np.clip(np.stack([place - 1, place]), 0, len(halves.sums) - 1)
        off = np.abs(halves.sums[at] - wanted).min(axis=0)
        few = min(self.count, len(off)) - 1
        here = max(Fraction(int(np.partition(off, few)[few]) + 1), self.goal.within * divisor)
        # As many tables as are wanted lie no further off than that, if there are so many rows.
        return here if known is None or (here < known and len(off) >= self.count) else known

    def _take(self, tables: Ints, won: Ints, units: Ints) -> None:
        """Keep those of some tables that are among the nearest."""
        divisors = self.goal.divisor(1) * (units if self.goal.figure == "element_of_risk" else 1)
        rough_off = np.maximum(np.abs(won / divisors + float(self.goal.target)) - float(self.goal.within), 0.0)
        if self.excess is not None:
            tables, won, units, rough_off = _only(
                rough_off <= _above(float(self.excess)), tables, won, units, rough_off
            )
        if self.goal.max_deviation is not None and len(tables):
            tables, won, units, rough_off = _only(
                deviations(tables) <= self.goal.max_deviation, tables, won, units, rough_off
            )
        if len(tables) > self.count:  # double precision tells the many that are not near from the few that may be
            limit = _above(float(np.partition(rough_off, self.count - 1)[self.count - 1]))
            tables, won, units = _only(rough_off <= limit, tables, won, units)
        if not len(tables):
            return
        figures, of_figure = np.unique(np.stack([won, units]), axis=1, return_inverse=True)
        excesses = [self.goal.excess(self.goal.figure_of(*pair)) for pair in zip(*figures.tolist(), strict=True)]
        by_rank = sorted(set(excesses))
        ranks = np.array([bisect_left(by_rank, excess) for excess in excesses])[of_figure.reshape(-1)]
        rough = roughness(tables)
        order = np.lexsort([*tables.T[::-1], rough, ranks])[: self.count]
        new = [(by_rank[ranks[n]], float(rough[n]), tuple(tables[n].tolist())) for n in order]
        self._kept = sorted({*self._kept, *new})[: self.count]

    def take_lowest(self, excess: Fraction, low: Ints, high: Ints, stop: Callable[[], bool]) -> bool:
        """Keep tables of a box that all have one distance, the lowest pays first; whether all of them were kept."""
        if self.excess is not None and excess >= self.excess:
            return True
        for tables in _rising(low, high):
            if stop():
                return False
            self.searched += len(tables)
            limit = self.goal.max_deviation
            calm = tables if limit is None else tables[deviations(tables) <= limit]
            room = self.count - len(self._kept)
            self._kept += [(excess, 0.0, tuple(row)) for row in calm[:room].tolist()]
            if len(self._kept) == self.count:
                break
        return True


def combinations(low: Ints, high: Ints) -> Ints:
    """Return all pays between two, one table a row, that never rise from a better to a lesser hand."""
    found: Ints = np.zeros((1, 0), dtype=np.int64)
    for bottom, top in zip(low.tolist(), high.tolist(), strict=True):
        pays = np.arange(bottom, top + 1)
        rows, columns = (
            np.nonzero(found[:, -1:] >= pays) if found.shape[1] else np.nonzero(np.ones((1, len(pays)), dtype=np.bool_))
        )
        found = np.concatenate([found[rows], pays[columns, None]], axis=1)
    return found


def _above(value: float) -> float:
    """Return a little more than a figure: what double precision cannot tell from it is not beyond it."""
    return value + 1e-9 * (value + 1e-3)


def _only(wanted: Marks, *arrays: Any) -> tuple[Any, ...]:
    return tuple(one[wanted] for one in arrays)


def _sizes(low: Ints, high: Ints) -> list[int]:
    return [top - bottom + 1 for bottom, top in zip(low.tolist(), high.tolist(), strict=True)]


def _cut(low: Ints, high: Ints) -> int:
    """Return where to part the pays so that the larger half has as few combinations as can be."""
    sizes = _sizes(low, high)
    return min(range(len(sizes) + 1), key=lambda cut: max(prod(sizes[:cut]), prod(sizes[cut:])))


def _parts(low: Ints, high: Ints) -> Iterator[tuple[Ints, Ints]]:
    """Yield a box in parts whose halves are small enough to be kept."""
    sizes, cut = _sizes(low, high), _cut(low, high)
    if max(prod(sizes[:cut]), prod(sizes[cut:])) <= HALF_MAX:
        yield low, high
        return
    widest = int(np.argmax(sizes))
    middle = (int(low[widest]) + int(high[widest])) // 2
    lower, upper = high.copy(), low.copy()
    lower[widest], upper[widest] = middle, middle + 1
    yield from _parts(low, lower)
    yield from _parts(upper, high)


def _together(better: Ints, lesser: Ints) -> int:
    """Return how many pairs of halves never rise where they meet."""
    if not better.shape[1] or not lesser.shape[1]:
        return len(better) * len(lesser)
    ends = np.sort(better[:, -1])
    return int((len(ends) - np.searchsorted(ends, lesser[:, 0], side="left")).sum())


def _pairs(first: Ints, last: Ints) -> Iterator[tuple[Ints, Ints]]:
    """Yield (row, column) for every row's columns from first to before last, not too many at once."""
    counts = np.maximum(last - first, 0)
    ends = np.cumsum(counts)
    start = 0
    while start < len(counts):
        before = int(ends[start - 1]) if start else 0
        stop = max(int(np.searchsorted(ends, before + _PAIRS, side="right")), start + 1)
        part = counts[start:stop]
        rows = np.repeat(np.arange(start, stop), part)
        within = np.arange(len(rows)) - np.repeat(np.cumsum(part) - part, part)
        if len(rows):
            yield rows, first[rows] + within
        start = stop


def _rising(low: Ints, high: Ints) -> Iterator[Ints]:
    """Yield the tables of a box some at a time, the lowest pays of the best hands first."""
    sizes = _sizes(low, high)
    place = 0
    while place < len(sizes) and prod(sizes[place:]) > SMALL:
        place += 1
    for head in _heads(low[:place].tolist(), high[:place].tolist()):
        top, bottom = high.copy(), low.copy()
        top[:place] = bottom[:place] = head
        tail = combinations(bottom, np.minimum.accumulate(top))
        if len(tail):
            yield tail


def _heads(low: list[int], high: list[int]) -> Iterator[list[int]]:
    if not low:
        yield []
        return
    for pay in range(low[0], high[0] + 1):
        for rest in _heads(low[1:], [min(top, pay) for top in high[1:]]):
            yield [pay, *rest]
