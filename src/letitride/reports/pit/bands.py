"""Bands: whether a table's win is what chance makes of its bets, by their exact variance; it accuses no one.

A band of three standard deviations around theoretical win, as played, holds 99.73% of results of a normal distribution.
The result of few hands is not normal, above all because of hands that come once in thousands and pay hundreds of
bets. So two things are asked apart: whether the ordinary hands lie in their own band, in which a big hand counts as
nothing, and whether so many big hands are more than chance allows. A table that lost to one royal flush is unlucky. A
table whose ordinary hands stray is to be looked at.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import exp
from typing import Final, Literal

from letitride.analysis.rounding import decimal, money
from letitride.reports.pit.figures import Figures
from letitride.reports.shift.theory import BIG, HANDS_NEEDED
from letitride.rules.words import quantity

SIGMAS: Final = 3
"""Beyond so many standard deviations a table is outside its band."""
WATCH_SIGMAS: Final = 2
CHANCE_MIN: Final = 0.00135
"""One tail of the normal distribution beyond three standard deviations: so many big hands or more are no chance."""
State = Literal["few", "within", "watch", "big_hands", "outside"]
CONVENTION: Final = (
    f"theoretical win as played plus and minus {SIGMAS} standard deviations, from the exact variance of all bets of"
    " each hand at the amounts that were bet. The covariance of hands that share the community cards is left out. There"
    f" is no judgment on fewer than {HANDS_NEEDED} hands. A big hand wins its player at least {BIG} times the base bet."
    " Ordinary hands are judged in a band of their own, in which a big hand counts as nothing. The number of big"
    f" hands is judged by the Poisson distribution at {decimal(CHANCE_MIN * 100, 3)}%. About 3 of 1,000 tables"
    " that are in order lie outside by chance"
)


@dataclass(frozen=True, slots=True)
class Band:
    """Where a table's win lies, and what that says in a sentence."""

    state: State
    sentence: str
    low_cents: float | None
    high_cents: float | None

    @property
    def alarm(self) -> bool:
        """Whether someone has to look at the table."""
        return self.state == "outside"


def band(found: Figures) -> Band:
    """Return where the win of figures lies in its band."""
    z, ordinary = found.z, found.z_ordinary
    if z is None or ordinary is None or found.hands_judged < HANDS_NEEDED:
        hands = quantity(found.hands_judged, "hand")
        return Band("few", f"{hands}: too few to judge the win; {HANDS_NEEDED} are needed", None, None)
    reach, middle = SIGMAS * float(found.variance) ** 0.5, float(found.as_played_cents)
    low, high = middle - reach, middle + reach
    big = f"{quantity(found.big_hands, 'big hand')}, {decimal(found.big_hands_expected, 2)} expected"
    if abs(ordinary) > SIGMAS:
        side = "above" if ordinary > 0 else "below"
        sentence = f"Ordinary hands won {decimal(abs(ordinary), 1)} standard deviations {side} theory: investigate"
        return Band("outside", sentence, low, high)
    if found.big_hands and at_least(found.big_hands, float(found.big_hands_expected)) < CHANCE_MIN:
        return Band("outside", f"{big}: more than chance allows: investigate", low, high)
    if abs(z) > SIGMAS:
        won = "won" if found.won_judged_cents >= 0 else "lost"
        sentence = f"The house {won} {money(abs(found.won_judged_cents))}: big hands explain it ({big})"
        return Band("big_hands", sentence, low, high)
    if abs(ordinary) > WATCH_SIGMAS:
        return Band("watch", f"Within the band, {decimal(abs(ordinary), 1)} standard deviations from theory", low, high)
    return Band("within", "Within the band", low, high)


def at_least(many: int, expected: float) -> float:
    """Return how likely so many rare events or more are, where so many are expected, by the Poisson distribution."""
    term, below = exp(-expected), 0.0
    for number in range(many):
        below += term
        term *= expected / (number + 1)
    return max(1.0 - below, 0.0)
