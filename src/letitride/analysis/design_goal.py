"""Design goal: what is wanted of a paytable, and how far one is from it."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Final, Literal, get_args

from letitride.analysis.base import CASES, SECOND_CARDS
from letitride.analysis.design_tables import HANDS_3, ROWS_3
from letitride.errors import InvalidData
from letitride.rules.words import one_of, show_value

Figure = Literal["element_of_risk", "house_edge", "hit_frequency"]
FIGURES: Final[tuple[Figure, ...]] = get_args(Figure)
_COMING: Final = (HANDS_3 @ ROWS_3).tolist()


def hits_of(paid: int) -> int:
    """Return in how many cases a hand is paid where the best so many are."""
    return int(sum(_COMING[:paid]))


@dataclass(frozen=True, slots=True)
class Goal:
    """A figure, the target for it, what counts as equally near, and the most a round may deviate."""

    figure: Figure
    target: Fraction
    within: Fraction = Fraction(0)
    max_deviation: float | None = None

    def __post_init__(self) -> None:
        """Refuse a figure that no table has, and a tolerance below nothing."""
        if self.within < 0:
            raise InvalidData(f"expected a tolerance of 0 or more, got {self.within}")
        if self.figure not in FIGURES:
            raise InvalidData(f"expected {one_of(FIGURES)}, got {show_value(self.figure)}")

    def excess(self, value: Fraction) -> Fraction:
        """How much further than the tolerance a figure is from the target."""
        return max(abs(value - self.target) - self.within, Fraction(0))

    def divisor(self, units: int) -> int:
        """What is lost in all cases is to be divided by for the figure, with a number of units riding."""
        return CASES if self.figure == "house_edge" else SECOND_CARDS * units

    def figure_of(self, won: int, units: int) -> Fraction:
        """Return the figure of a table that wins so much in all cases."""
        return Fraction(-won, self.divisor(units))
