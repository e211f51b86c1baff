"""Side bets: the $1 bonus and the three-card bets, alone and together with the base game, exactly."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import sqrt
from typing import Final

from letitride.analysis.base import CASES, Nets, Play, cases_of
from letitride.analysis.base_rows import PROFILES
from letitride.analysis.distribution import Distribution
from letitride.analysis.find_rows import PAYING
from letitride.rules.paytables import Pays, Wager
from letitride.rules.three_card import ThreeCardCategory

FIVE_CARD_HANDS: Final = 2_598_960
THREE_CARD_HANDS: Final = 22_100


@dataclass(frozen=True, slots=True)
class SidePrice:
    """What a side bet is worth to the house, per unit bet."""

    house_edge: Fraction
    hit_frequency: Fraction
    results: Distribution


def five_card_counts() -> dict[int, int]:
    """Return how many of all five-card hands fall into each column of the rows."""
    counted: Counter[int] = Counter()
    for cases, _, _, column in cases_of(_ALL_RIDE):
        counted[column] += cases
    # A five-card hand comes in 20 ways: three of its cards to the player, the others in either order.
    return {column: cases // 20 for column, cases in counted.items()}


def three_card_counts() -> dict[ThreeCardCategory, int]:
    """Return how many three-card hands fall into each category."""
    counted: Counter[ThreeCardCategory] = Counter()
    for hands, category, _ in PROFILES:
        counted[ThreeCardCategory(category)] += hands
    return dict(counted)


_RIDE: Final = (True,) * 64
_ALL_RIDE: Final = Play(_RIDE, {True: _RIDE, False: _RIDE})


def price_side(pays: Pays) -> SidePrice:
    """Return the exact price of a bonus or three-card table."""
    if pays.wager is Wager.THREE_CARD:
        found = [(hands, pays.pay(category)) for category, hands in three_card_counts().items()]
        total = THREE_CARD_HANDS
    else:
        listed = [*(pays.pay(category) for category in PAYING), None]
        found = [(hands, listed[column]) for column, hands in five_card_counts().items()]
        total = FIVE_CARD_HANDS
    counted: Counter[Fraction] = Counter()
    hits = 0
    for hands, pay in found:
        counted[pays.net(pay)] += hands
        hits += hands if pay is not None else 0
    results = Distribution(dict(counted), total)
    return SidePrice(-results.mean, Fraction(hits, total), results)


@dataclass(frozen=True, slots=True)
class Combined:
    """Base game and side bets together, in units of one base bet."""

    results: Distribution
    covariance: Mapping[Wager, Fraction]
    """Of each side bet's result with the base game's."""

    @property
    def loss(self) -> Fraction:
        """Expected loss per round."""
        return -self.results.mean

    @property
    def standard_deviation(self) -> float:
        """Of a round."""
        return sqrt(self.results.variance)


def combine(nets: Nets, play: Play, sides: Mapping[Wager, tuple[Pays, Fraction]]) -> Combined:
    """Return base game and side bets of given stakes (in base units) as one game."""
    counted: Counter[Fraction] = Counter()
    product: defaultdict[Wager, Fraction] = defaultdict(Fraction)
    sums: defaultdict[Wager, Fraction] = defaultdict(Fraction)
    base_sum = Fraction(0)
    for cases, profile, bets, column in cases_of(play):
        base = Fraction(nets(column, bets))
        base_sum += cases * base
        whole = base
        for wager, (pays, stake) in sides.items():
            won = stake * pays.net(_side_pay(pays, profile, column))
            whole += won
            sums[wager] += cases * won
            product[wager] += cases * won * base
        counted[whole] += cases
    covariance = {wager: product[wager] / CASES - (sums[wager] / CASES) * (base_sum / CASES) for wager in sides}
    return Combined(Distribution(dict(counted), CASES), covariance)


def _side_pay(pays: Pays, profile: int, column: int) -> Fraction | None:
    if pays.wager is Wager.THREE_CARD:
        return pays.pay(ThreeCardCategory(PROFILES[profile][1]))
    return pays.pay(PAYING[column]) if column < len(PAYING) else None
