"""Design: prices many integer paytables at once, and finds those nearest to what is wanted."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import islice, pairwise, product
from math import log
from typing import Final

import numpy as np
from numpy.typing import NDArray

from letitride.analysis.base import CASES, FOUR, HANDS, THREE, best_play, distribution, plain_nets, price
from letitride.analysis.base_rows import FOUR_CARD_ROWS, PROFILES
from letitride.analysis.find_rows import LOSES, PAYING
from letitride.errors import InvalidData
from letitride.rules.hands import Category
from letitride.rules.paytables import Pays
from letitride.rules.wager_table import BASE
from letitride.rules.wagers import Award

Ints = NDArray[np.int64]

_CHUNK: Final = 50_000
_ALIKE: Final = 1e-5
"""Tables whose pars differ by less are equally near; the smoother one comes first."""
CHOICES: Final[Mapping[Category, tuple[int, ...]]] = {
    Category.ROYAL_FLUSH: (100, 200, 250, 500, 1000),
    Category.STRAIGHT_FLUSH: (50, 75, 100, 150, 200, 250),
    Category.FOUR_OF_A_KIND: (20, 25, 30, 40, 50, 60),
    Category.FULL_HOUSE: (9, 10, 11, 12, 15, 18, 20),
    Category.FLUSH: (6, 7, 8, 9, 10, 12),
    Category.STRAIGHT: (4, 5, 6, 7),
    Category.THREE_OF_A_KIND: (2, 3, 4),
    Category.TWO_PAIR: (1, 2, 3),
    Category.TENS_OR_BETTER: (1,),
}
"""The pays that are tried where none is asked for."""


@dataclass(frozen=True, slots=True)
class Batch:
    """Many tables priced at once: for each, what is won in all cases, and who rides."""

    won: Ints
    bet1: Ints
    bet2: Ints


def price_batch(tables: Ints) -> Batch:
    """Price many tables of whole pays, one a row, royal flush first; worthless choices are withdrawn."""
    nets = np.concatenate([tables, -np.ones((len(tables), 1), dtype=np.int64)], axis=1)
    three, hands = _matrix(THREE), np.array([weight for weight, _ in THREE], dtype=np.int64)
    four, cases = _matrix(FOUR), np.array([weight for weight, _ in FOUR], dtype=np.int64)
    values_3, values_4 = nets @ three.T, nets @ four.T
    gained: Ints = np.maximum(values_4, 0) @ cases
    won: Ints = gained + (values_3 + np.maximum(values_3, 0)) @ hands
    return Batch(won, (values_3 > 0).astype(np.int64) @ hands, (values_4 > 0).astype(np.int64) @ cases)


def _matrix(rows: tuple[tuple[int, tuple[tuple[int, int], ...]], ...]) -> Ints:
    found = np.zeros((len(rows), LOSES + 1), dtype=np.int64)
    for number, (_, row) in enumerate(rows):
        for column, count in row:
            found[number, column] = count
    return found


@dataclass(frozen=True, slots=True)
class Candidate:
    """A paytable found by the search, with its exact figures."""

    pays: tuple[int, ...]
    element_of_risk: Fraction
    house_edge: Fraction
    standard_deviation: float
    roughness: float
    """How unevenly the pays grow from hand to hand: 0 is a straight line on a logarithmic scale."""

    def distance(self, par: Fraction) -> float:
        """How far its par is from a wanted one."""
        return abs(float(self.element_of_risk - par))


def table_of(pays: tuple[int, ...]) -> Pays:
    """Return whole pays as what a base wager pays."""
    return Pays(BASE, Award.TO_ONE, PAYING, ({c: Fraction(pay) for c, pay in zip(PAYING, pays, strict=True)},))


def search(
    par: Fraction,
    keep: Mapping[Category, int] | None = None,
    max_deviation: float | None = None,
    count: int = 20,
    tell: Callable[[int], None] = lambda _: None,
) -> tuple[Candidate, ...]:
    """Return the tables whose element of risk is nearest to a par, smoothest first among those equally near."""
    choices = {category: (keep[category],) if keep and category in keep else CHOICES[category] for category in PAYING}
    nearest: list[tuple[float, tuple[int, ...]]] = []
    done = 0
    for chunk in _chunks(choices):
        nearest += _near(chunk, float(par), max_deviation)
        nearest = sorted(nearest)[: 40 * count]
        done += len(chunk)
        tell(done)
    if not nearest:
        raise InvalidData("expected pays that fall from hand to hand and deviate no more than that, got none that do")
    fit: list[Candidate] = []
    for off, pays in nearest:
        if len(fit) >= count and off > fit[count - 1].distance(par) + _ALIKE:
            break
        fit.append(_candidate(pays))
    return tuple(
        sorted(fit, key=lambda one: (round(abs(float(one.element_of_risk - par)) / _ALIKE), one.roughness))[:count]
    )


def _chunks(choices: Mapping[Category, tuple[int, ...]]) -> Iterator[list[tuple[int, ...]]]:
    falling = (pays for pays in product(*choices.values()) if all(a >= b for a, b in pairwise(pays)))
    while chunk := list(islice(falling, _CHUNK)):
        yield chunk


def deviations(tables: Ints) -> NDArray[np.float64]:
    """Return the standard deviation of a round for many tables at once."""
    nets = np.concatenate([tables, -np.ones((len(tables), 1), dtype=np.int64)], axis=1)
    four = np.array(FOUR_CARD_ROWS, dtype=np.int64)
    values = nets @ four.T
    rides_2 = (values > 0).astype(np.int64)
    square, mean = np.zeros(len(tables)), np.zeros(len(tables))
    squares = (nets.astype(np.float64) ** 2) @ four.T
    for hands, _, profile in PROFILES:
        three: Ints = np.zeros(len(tables), dtype=np.int64)
        for row, ways in profile:
            three += ways * values[:, row]
        for row, ways in profile:
            bets = 1 + (three > 0) + rides_2[:, row]
            square += hands * ways * bets**2 * squares[:, row]
            mean += hands * ways * bets * values[:, row]
    found: NDArray[np.float64] = np.sqrt(square / CASES - (mean / CASES) ** 2)
    return found


def _near(chunk: list[tuple[int, ...]], par: float, max_deviation: float | None) -> list[tuple[float, tuple[int, ...]]]:
    tables = np.array(chunk, dtype=np.int64)
    if max_deviation is not None:
        fit = deviations(tables) <= max_deviation
        tables, chunk = tables[fit], [pays for pays, fits in zip(chunk, fit, strict=True) if fits]
    batch = price_batch(tables)
    riding = 1 + batch.bet1 / HANDS + batch.bet2 / (HANDS * 49)
    off = np.abs(-batch.won / CASES / riding - par)
    best = np.argsort(off)[:2_000]
    return [(float(off[place]), chunk[place]) for place in best]


def _candidate(pays: tuple[int, ...]) -> Candidate:
    table = table_of(pays)
    found, nets = price(table), plain_nets(table)
    spread = distribution(nets, best_play(nets))
    return Candidate(pays, found.element_of_risk, found.house_edge, spread.standard_deviation, _roughness(pays))


def _roughness(pays: tuple[int, ...]) -> float:
    steps = [log(better / worse) for better, worse in pairwise(pays)]
    return sum(abs(a - b) for a, b in pairwise(steps))
