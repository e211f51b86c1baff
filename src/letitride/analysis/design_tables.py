"""Design tables: many whole-number paytables priced at once; their figures, never which is wanted."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from letitride.analysis.base import CASES, FIRST_CARDS, FOUR, HANDS, THREE, Sparse
from letitride.analysis.base_rows import FOUR_CARD_ROWS, PROFILES
from letitride.analysis.find_rows import LOSES

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]
Marks = NDArray[np.bool_]


def _matrix(rows: tuple[tuple[int, Sparse], ...]) -> Ints:
    found = np.zeros((len(rows), LOSES + 1), dtype=np.int64)
    for number, (_, row) in enumerate(rows):
        for column, count in row:
            found[number, column] = count
    return found


ROWS_3: Final = _matrix(THREE)
HANDS_3: Final = np.array([weight for weight, _ in THREE], dtype=np.int64)
ROWS_4: Final = _matrix(FOUR)
CASES_4: Final = np.array([weight for weight, _ in FOUR], dtype=np.int64)
_UNITS: Final = HANDS * FIRST_CARDS


@dataclass(frozen=True, slots=True)
class Batch:
    """Many tables priced at once: for each, what is won in all cases, and who rides."""

    won: Ints
    bet1: Ints
    bet2: Ints

    @property
    def units(self) -> Ints:
        """How many units are left riding, over all hands and first community cards."""
        found: Ints = _UNITS + FIRST_CARDS * self.bet1 + self.bet2
        return found


def with_loss(tables: Ints) -> Ints:
    """Return tables with what every other hand wins beside them: the bet is lost."""
    return np.concatenate([tables, -np.ones((len(tables), 1), dtype=np.int64)], axis=1)


def prospects(tables: Ints) -> tuple[Ints, Ints]:
    """Return what each prospect of three and of four cards is worth by each table."""
    nets = with_loss(tables)
    return nets @ ROWS_3.T, nets @ ROWS_4.T


def priced(values_3: Ints, values_4: Ints) -> Batch:
    """Return the price of tables from what their prospects are worth; bets worth exactly zero are taken back."""
    gained: Ints = np.maximum(values_4, 0) @ CASES_4
    won: Ints = gained + (values_3 + np.maximum(values_3, 0)) @ HANDS_3
    return Batch(won, (values_3 > 0).astype(np.int64) @ HANDS_3, (values_4 > 0).astype(np.int64) @ CASES_4)


def price_batch(tables: Ints) -> Batch:
    """Price many tables of whole pays, one a row, royal flush first; -1 is a hand that loses."""
    return priced(*prospects(tables))


def deviations(tables: Ints) -> Floats:
    """Return the standard deviation of a round for many tables at once."""
    return np.sqrt(np.maximum(variances(tables, tables)[0], 0.0))


def variances(low: Ints, high: Ints) -> tuple[Floats, Floats]:
    """Return the least and the most that the variance of a round can be for tables between two, pair by pair.

    What is squared lies between what the two tables square, and so do the number of bets that ride and the mean.
    """
    four = np.array(FOUR_CARD_ROWS, dtype=np.int64)
    edges = []
    for tables in (low, high):
        values = with_loss(tables) @ four.T
        edges.append((values, (values > 0).astype(np.int64)))
    nets_low, nets_high = with_loss(low).astype(np.float64), with_loss(high).astype(np.float64)
    most = np.maximum(nets_low**2, nets_high**2) @ four.T
    crossing = (nets_low < 0) & (nets_high > 0)
    least = np.where(crossing, 0.0, np.minimum(nets_low**2, nets_high**2)) @ four.T
    square, mean = np.zeros((2, len(low))), np.zeros((2, len(low)))
    for end, ((values, rides), squares) in enumerate(zip(edges, (least, most), strict=True)):
        for hands, _, profile in PROFILES:
            three: Ints = sum((ways * values[:, row] for row, ways in profile), np.zeros(len(low), dtype=np.int64))
            for row, ways in profile:
                bets = 1 + (three > 0) + rides[:, row]
                square[end] += hands * ways * bets**2 * squares[:, row]
                mean[end] += hands * ways * bets * values[:, row]
    square, mean = square / CASES, mean / CASES
    furthest = np.maximum(mean[0] ** 2, mean[1] ** 2)
    closest = np.where((mean[0] < 0) & (mean[1] > 0), 0.0, np.minimum(mean[0] ** 2, mean[1] ** 2))
    return square[0] - furthest, square[1] - closest
