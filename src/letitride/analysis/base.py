"""Base: the exact value of the base game under best play, for any paytable, as fractions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from math import lcm
from typing import Final, Generic, Literal, TypeVar

from letitride.analysis.base_rows import FOUR_CARD_ROWS, PROFILES
from letitride.analysis.distribution import Distribution
from letitride.analysis.find_rows import LOSES, PAYING
from letitride.errors import InvalidData
from letitride.rules.paytables import Pays
from letitride.rules.rankings import AnyCategory

Ties = Literal["withdraw", "ride"]
"""How a player decides where both decisions are worth the same; the published pars withdraw."""

HANDS: Final = 22_100
FIRST_CARDS: Final = 49
SECOND_CARDS: Final = 48
CASES: Final = HANDS * FIRST_CARDS * SECOND_CARDS
"""Every three-card hand with every first and every second community card: 51,979,200."""

PAY_MAX: Final = 10**9
"""The largest pay that is priced: whole numbers stay far within 64 bits."""

Sparse = tuple[tuple[int, int], ...]
"""(column, count) of a row, without its zeros."""


def _sparse(row: Mapping[int, int]) -> Sparse:
    return tuple((column, count) for column, count in sorted(row.items()) if count)


def _four() -> tuple[tuple[int, Sparse], ...]:
    """(how many hands and first cards, row) for each four-card row."""
    weights: Counter[int] = Counter()
    for hands, _, profile in PROFILES:
        for row, ways in profile:
            weights[row] += hands * ways
    return tuple((weights[number], _sparse(dict(enumerate(row)))) for number, row in enumerate(FOUR_CARD_ROWS))


def row_of_three(profile: tuple[tuple[int, int], ...]) -> Sparse:
    """Return in how many of the 49 times 48 ways each category comes of three cards."""
    counts: Counter[int] = Counter()
    for row, ways in profile:
        for column, count in enumerate(FOUR_CARD_ROWS[row]):
            counts[column] += ways * count
    return _sparse(counts)


def _three() -> tuple[tuple[int, Sparse], ...]:
    weights: Counter[Sparse] = Counter()
    for hands, _, profile in PROFILES:
        weights[row_of_three(profile)] += hands
    return tuple((hands, row) for row, hands in weights.items())


FOUR: Final = _four()
THREE: Final = _three()


@dataclass(frozen=True, slots=True)
class Price:
    """What the base game is worth to the house, per unit: one unit is one of the three equal bets."""

    ties: Ties
    house_edge: Fraction
    """Expected loss per unit bet: one of the three equal bets."""
    average_wager: Fraction
    """How many of the three units are left riding on average."""
    bet1_ride_rate: Fraction
    bet2_ride_rate: Fraction
    hit_frequency: Fraction
    """How often the five cards are a paying hand."""

    @property
    def element_of_risk(self) -> Fraction:
        """Expected loss per unit left riding, printed as par."""
        return self.house_edge / self.average_wager


def columns_of(pays: Pays) -> tuple[Fraction | None, ...]:
    """Return the pays of a base wager in the order of the rows' columns; None where a hand loses."""
    column: Mapping[AnyCategory, Fraction] = pays.columns[0]
    return tuple(column.get(category) for category in PAYING)


def _unit_nets(pays: Pays) -> tuple[Fraction, ...]:
    """Return what a unit bet wins or loses in each column, the last of which always loses."""
    return (*map(pays.net, columns_of(pays)), pays.net(None))


def scaled(pays: Pays) -> tuple[tuple[int, ...], int]:
    """Return what a unit bet wins or loses in each column as whole numbers, and what they are to be divided by."""
    nets = _unit_nets(pays)
    unit = lcm(*(net.denominator for net in nets))
    largest = int(max(nets) * unit)
    if max(largest, unit) > PAY_MAX:
        raise InvalidData(f"expected pays of {PAY_MAX:,} at most over a common denominator, got {largest:,}")
    return tuple(int(net * unit) for net in nets), unit


def require_base(pays: Pays) -> None:
    """Refuse the pays of a side bet where those of the base game are meant."""
    if not pays.wager.is_base:
        raise InvalidData(
            f"expected pays of the base game, got those of {pays.wager.title}: `sheets` prices every wager"
        )


def price(pays: Pays, ties: Ties = "withdraw") -> Price:
    """Return the exact price of a base paytable under best play."""
    require_base(pays)
    nets, unit = scaled(pays)
    won, ride_1, ride_2 = price_nets(nets, ties)
    hits = sum(hands * count for hands, row in THREE for column, count in row if nets[column] >= 0 and column != LOSES)
    bet1, bet2 = Fraction(ride_1, HANDS), Fraction(ride_2, HANDS * FIRST_CARDS)
    return Price(
        ties=ties,
        house_edge=Fraction(-won, CASES * unit),
        average_wager=1 + bet1 + bet2,
        bet1_ride_rate=bet1,
        bet2_ride_rate=bet2,
        hit_frequency=Fraction(hits, CASES),
    )


def price_nets(nets: tuple[int, ...], ties: Ties = "withdraw") -> tuple[int, int, int]:
    """Return what is won in all cases, the hands that ride bet 1 and the hands and first cards that ride bet 2.

    `nets` are whole numbers, one a column. The last bet always rides; each of the others rides where that wins.
    """
    least = 0 if ties == "withdraw" else -1
    won = ride_1 = ride_2 = 0
    for hands, row in THREE:
        value = 0
        for column, count in row:
            value += count * nets[column]
        won += hands * value
        if value > least:
            won += hands * value
            ride_1 += hands
    for cases, row in FOUR:
        value = 0
        for column, count in row:
            value += count * nets[column]
        if value > least:
            won += cases * value
            ride_2 += cases
    return won, ride_1, ride_2


T = TypeVar("T")


class Same(Generic[T]):
    """A frozen value that is known again by being the same object: what follows from it is kept without reading it."""

    __slots__ = ("it",)

    def __init__(self, it: T) -> None:
        self.it = it

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Same) and self.it is other.it

    def __hash__(self) -> int:
        return id(self.it)


Nets = Callable[[int, int], Fraction | int]
"""What a round wins: of the column of the five cards and the number of bets that rode, 1 to 3."""


@dataclass(frozen=True, slots=True)
class Play:
    """A way to play the base game, decided class by class."""

    bet1: tuple[bool, ...]
    """Whether bet 1 rides, for each of the profiles."""
    bet2: Mapping[bool, tuple[bool, ...]]
    """Whether bet 2 rides, for each four-card row, by whether bet 1 rode."""


def best_play(nets: Nets, ties: Ties = "withdraw") -> Play:
    """Return the best play where what is won may depend on how many bets ride, as under a maximum payout."""
    bet2 = {ridden: tuple(_rides_2(nets, row, ridden, ties) for row in FOUR_CARD_ROWS) for ridden in (False, True)}
    values = {
        ridden: tuple(_value(nets, row, 1 + ridden + bet2[ridden][number]) for number, row in enumerate(FOUR_CARD_ROWS))
        for ridden in (False, True)
    }
    gains = (sum(ways * (values[True][row] - values[False][row]) for row, ways in p) for _, _, p in PROFILES)
    return Play(tuple(_rides(gain, ties) for gain in gains), bet2)


def _value(nets: Nets, row: tuple[int, ...], bets: int) -> Fraction | int:
    return sum(count * nets(column, bets) for column, count in enumerate(row) if count)


def _rides_2(nets: Nets, row: tuple[int, ...], ridden: bool, ties: Ties) -> bool:
    return _rides(_value(nets, row, 2 + ridden) - _value(nets, row, 1 + ridden), ties)


def _rides(gain: Fraction | int, ties: Ties) -> bool:
    return gain > 0 or (gain == 0 and ties == "ride")


def cases_of(play: Play) -> Iterator[tuple[int, int, int, int]]:
    """Yield (cases, profile, bets that rode, column) over all hands and community cards."""
    for number, (hands, _, profile) in enumerate(PROFILES):
        ridden = play.bet1[number]
        for row, ways in profile:
            bets = 1 + ridden + play.bet2[ridden][row]
            for column, count in enumerate(FOUR_CARD_ROWS[row]):
                if count:
                    yield hands * ways * count, number, bets, column


def ride_rates(play: Play) -> tuple[Fraction, Fraction]:
    """Return how often bet 1 rides, of all hands, and bet 2, of all hands and first community cards."""
    ride_1 = ride_2 = 0
    for number, (hands, _, profile) in enumerate(PROFILES):
        ridden = play.bet1[number]
        ride_1 += hands * ridden
        ride_2 += sum(hands * ways for row, ways in profile if play.bet2[ridden][row])
    return Fraction(ride_1, HANDS), Fraction(ride_2, HANDS * FIRST_CARDS)


def distribution(nets: Nets, play: Play) -> Distribution:
    """Return how a round ends under a way to play."""
    won = {(column, bets): nets(column, bets) for column in range(LOSES + 1) for bets in (1, 2, 3)}
    counted: Counter[Fraction | int] = Counter()
    for cases, _, bets, column in cases_of(play):
        counted[won[column, bets]] += cases
    return Distribution({Fraction(net): cases for net, cases in counted.items()}, CASES)


def plain_nets(pays: Pays) -> Nets:
    """Return what a round wins in units of one bet, where every bet is paid in full."""
    return _plain_nets(Same(pays))


@lru_cache(256)
def _plain_nets(pays: Same[Pays]) -> Nets:
    # Whole numbers stay whole: a paytable priced while it is typed has no time for needless fractions.
    nets = tuple(int(net) if net.denominator == 1 else net for net in _unit_nets(pays.it))
    return lambda column, bets: bets * nets[column]
