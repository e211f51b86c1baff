"""Distribution: results with their exact probabilities, and what follows from them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import sqrt


@dataclass(frozen=True, slots=True)
class Distribution:
    """How often each result comes, out of a whole number of equally likely cases."""

    cases: Mapping[Fraction, int]
    total: int

    def probability(self, result: Fraction | int) -> Fraction:
        """Return how likely one result is."""
        return Fraction(self.cases.get(Fraction(result), 0), self.total)

    @property
    def mean(self) -> Fraction:
        """The expected result."""
        return Fraction(sum(result * cases for result, cases in self.cases.items()), self.total)

    @property
    def variance(self) -> Fraction:
        """The expected square of the distance from the mean."""
        return self._moment(2)

    @property
    def standard_deviation(self) -> float:
        """The square root of the variance."""
        return sqrt(self.variance)

    @property
    def skewness(self) -> float:
        """The third moment about the mean in standard deviations: how much longer the tail of wins is."""
        return float(self._moment(3)) / float(self.variance) ** 1.5 if self.variance else 0.0

    def _moment(self, power: int) -> Fraction:
        mean = self.mean
        return Fraction(sum((result - mean) ** power * cases for result, cases in self.cases.items()), self.total)
