"""Side bets: what bets beside the base game are worth, alone and together with it, exactly."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from math import sqrt
from typing import Final

from letitride.analysis.base import CASES, Nets, Play, cases_of
from letitride.analysis.base_rows import PROFILES
from letitride.analysis.distribution import Distribution
from letitride.analysis.find_rows import LOSES, PAYING
from letitride.rules.hands import Category
from letitride.rules.paytables import Pays
from letitride.rules.rankings import FIVE_CARD, THREE_CARD, AnyCategory, counts
from letitride.rules.three_hands import ThreeCardCategory
from letitride.rules.wagers import Wager

FIVE_CARD_HANDS: Final = 2_598_960
THREE_CARD_HANDS: Final = 22_100
KEPT: Final = 64
TAKEN_BACK: Final = "taken back"
"""What is said of the cases in which a bet does not stay."""
_HIGH_RANKS: Final = 5
_LOW_RANKS: Final = 8


@dataclass(frozen=True, slots=True)
class SidePrice:
    """What a side bet is worth to the house, per unit bet."""

    house_edge: Fraction
    hit_frequency: Fraction
    results: Distribution
    ranks: Mapping[AnyCategory, int]
    """In how many cases the bet stays with each rank, best first."""
    back: int = 0
    """In how many its player takes it back."""


def five_card_counts() -> dict[int, int]:
    """Return how many of all five-card hands fall into each column of the rows."""
    counted: Counter[int] = Counter()
    for cases, _, _, column in cases_of(_ALL_RIDE):
        counted[column] += cases
    # A five-card hand comes in 20 ways: three of its cards to the player, the others in either order.
    return {column: cases // 20 for column, cases in counted.items()}


def three_hand_counts() -> dict[ThreeCardCategory, int]:
    """Return how many three-card hands fall into each category."""
    counted: Counter[ThreeCardCategory] = Counter()
    for hands, category, _ in PROFILES:
        counted[ThreeCardCategory(category)] += hands
    return dict(counted)


_RIDE: Final = (True,) * 64
_ALL_RIDE: Final = Play(_RIDE, {True: _RIDE, False: _RIDE})


def rank_counts(wager: Wager) -> Mapping[AnyCategory, int]:
    """Return how many of all hands that a wager is judged on have each rank of its ranking, best first."""
    return _counts(wager, wager.digest)  # two wagers of one name may have other conditions


@lru_cache(KEPT)
def _counts(wager: Wager, _digest: str) -> Mapping[AnyCategory, int]:
    if wager.ranking == THREE_CARD:
        three = three_hand_counts()
        return {category: three[category] for category in reversed(ThreeCardCategory)}
    if wager.ranking == FIVE_CARD:
        columns = five_card_counts()
        five: dict[AnyCategory, int] = {category: columns[place] for place, category in enumerate(PAYING)}
        # A pair of any rank comes equally often.
        five[Category.LOW_PAIR] = five[Category.TENS_OR_BETTER] * _LOW_RANKS // _HIGH_RANKS
        five[Category.HIGH_CARD] = columns[LOSES] - five[Category.LOW_PAIR]
        return five
    return dict(counts(wager.ranking))


def back_net(wager: Wager) -> Fraction:
    """Return the result of a unit that is taken back: zero, or the loss of the part that the house keeps."""
    return Fraction(wager.withdraw_percent, 100) - 1


def price_side(pays: Pays) -> SidePrice:
    """Return the exact price of a bet that one hand or the community cards decide; taken back where that is better."""
    back = 0
    if pays.wager.withdraw:
        # Only what may be taken back needs the arrays of all hands.
        from letitride.analysis.taken_back import kept_counts  # noqa: PLC0415 - slow to load

        found, back = kept_counts(pays)
    else:
        found = dict(rank_counts(pays.wager))
    total = sum(found.values()) + back
    counted: Counter[Fraction] = Counter({back_net(pays.wager): back} if back else {})
    hits = 0
    for rank, hands in found.items():
        pay = pays.pay(rank)
        counted[pays.net(pay)] += hands
        hits += hands if pay is not None else 0
    results = Distribution(dict(counted), total)
    return SidePrice(-results.mean, Fraction(hits, total), results, found, back)


@dataclass(frozen=True, slots=True)
class Combined:
    """Base game and side bets together, in units of one base bet."""

    results: Distribution
    covariance: Mapping[str, Fraction]
    """Of each side bet's result with the base game's, by the wager's id."""

    @property
    def loss(self) -> Fraction:
        """Expected loss per round."""
        return -self.results.mean

    @property
    def standard_deviation(self) -> float:
        """Of a round."""
        return sqrt(self.results.variance)


Sides = Mapping[str, tuple[Pays, Fraction]]
"""What each side bet pays and its stake in units of one base bet, by the wager's id."""


def combine(nets: Nets, play: Play, sides: Sides) -> Combined:
    """Return base game and side bets of given stakes (in base units) combined."""
    counted: Counter[Fraction] = Counter()
    product: defaultdict[str, Fraction] = defaultdict(Fraction)
    sums: defaultdict[str, Fraction] = defaultdict(Fraction)
    base_sum = Fraction(0)
    for cases, bets, column, side_nets in _cases(play, sides):
        base = Fraction(nets(column, bets))
        base_sum += cases * base
        whole = base
        for (wager, (_, stake)), net in zip(sides.items(), side_nets, strict=True):
            won = stake * net
            whole += won
            sums[wager] += cases * won
            product[wager] += cases * won * base
        counted[whole] += cases
    covariance = {wager: product[wager] / CASES - (sums[wager] / CASES) * (base_sum / CASES) for wager in sides}
    return Combined(Distribution(dict(counted), CASES), covariance)


_Cases = Iterator[tuple[int, int, int, tuple[Fraction, ...]]]
"""(cases, bets that rode, column, what a unit on each side bet wins or loses)."""


def _cases(play: Play, sides: Sides) -> _Cases:
    every = [pays for pays, _ in sides.values()]
    return _by_class(play, every) if all(map(_follows, every)) else every_case(play, every)


def _follows(pays: Pays) -> bool:
    """Whether what a side bet pays follows from the class of the three cards and the column of the five."""
    wager = pays.wager
    if wager.withdraw:
        return False
    if wager.judged_on == "own_three":
        return wager.ranking == THREE_CARD
    return wager.judged_on == "own_five" and wager.ranking == FIVE_CARD and wager.pays_from in PAYING


def _by_class(play: Play, every: list[Pays]) -> _Cases:
    for cases, profile, bets, column in cases_of(play):
        yield cases, bets, column, tuple(pays.net(_side_pay(pays, profile, column)) for pays in every)


def _side_pay(pays: Pays, profile: int, column: int) -> Fraction | None:
    if pays.wager.judged_on == "own_three":
        return pays.pay(ThreeCardCategory(PROFILES[profile][1]))
    return pays.pay(PAYING[column]) if column < LOSES else None


def every_case(play: Play, every: list[Pays]) -> _Cases:
    """Yield the results of side bets of any kind over every case, with those of the base game."""
    # Only a house's own side bets need the arrays of all hands.
    from letitride.analysis.joint import joint_cases  # noqa: PLC0415 - slow to load
    from letitride.analysis.taken_back import nets_of  # noqa: PLC0415 - likewise

    nets = [nets_of(pays) if pays.wager.withdraw else () for pays in every]
    for cases, bets, column, ranks in joint_cases(play, [pays.wager for pays in every], nets):
        found = zip(every, ranks, strict=True)
        yield (
            cases,
            bets,
            column,
            tuple(back_net(pays.wager) if rank is None else pays.net(pays.pay(rank)) for pays, rank in found),
        )
