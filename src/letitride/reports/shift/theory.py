"""Shift theory: what hands that were dealt were worth by the paytables in force, and how far results stray from that.

Exact for each hand with its bets together, best play throughout. Hands of one round share two community cards: what
that adds is left out, as is what a bet on the best hand at the table has in common with the other bets. All such bets
of a round are one event, and are counted as one.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import lru_cache
from math import sqrt
from typing import Final, NamedTuple

from letitride.analysis.base import Nets, Play, best_play, plain_nets
from letitride.analysis.caps import Scope, capped_nets, taken_alone
from letitride.analysis.decision_value import decision_value, paid_nets
from letitride.analysis.distribution import Distribution
from letitride.analysis.par import best_hand_sheet
from letitride.analysis.side_bets import combine, price_side
from letitride.engine.events import RULED_FOR_ABSENT, ChoiceMade
from letitride.engine.places import hand
from letitride.engine.state import Table
from letitride.records.rounds import PlayedRound
from letitride.rules.cards import JOKER, Card
from letitride.rules.paytables import Pays
from letitride.rules.settlement import WagerResult
from letitride.rules.table_rules import TableRules
from letitride.rules.wager_table import BASE, BASE_SPOTS

BANDS: Final = {95: 1.959963984540054, 99: 2.5758293035489004}
"""How many standard deviations to either side hold so many of a hundred results of a normal distribution."""
HANDS_NEEDED: Final = 700
"""Of fewer hands a band says nothing: five straights or better, which make most of the spread, come in 659."""
BIG: Final = 100
"""A hand that wins so many times its base bet is a big hand: four of a kind or better, or a rare side bet."""
_JUDGED: Final = frozenset({"won", "lost", "returned"})


class Spread(NamedTuple):
    """How far the result of a hand's bets strays, in units of its base bet and their squares, as its player wins."""

    variance: Fraction
    big: Fraction
    """How likely a big hand is."""
    ordinary_mean: Fraction
    """The expected result where that of a big hand counts as nothing."""
    ordinary_variance: Fraction
    """Its variance."""


@dataclass(slots=True)
class Ordinary:
    """The same hands where a big hand counts as nothing: they can be judged without waiting for the rarest hands."""

    expected: Fraction = Fraction(0)
    variance: Fraction = Fraction(0)
    won_cents: int = 0
    big: int = 0
    """How many big hands there were."""
    big_expected: Fraction = Fraction(0)
    """How many there should have been."""


@dataclass(slots=True)
class Theory:
    """What the hands counted should have won for the house, or for the bank, in cents."""

    hands: int = 0
    expected: dict[str, Fraction] = field(default_factory=dict)
    """By the id of the wager."""
    variance: Fraction = Fraction(0)
    won_cents: int = 0
    """What these same hands did win."""
    decisions: int = 0
    mistakes: int = 0
    given_away: Fraction = Fraction(0)
    """What players gave away by decisions that were not the best, in cents."""
    ordinary: Ordinary = field(default_factory=Ordinary)
    alone: str = ""
    """Whom each hand's value is for, where other hands counted towards a maximum payout."""

    @property
    def expected_cents(self) -> Fraction:
        """What they should have won."""
        return sum(self.expected.values(), Fraction(0))

    @property
    def standard_deviation(self) -> float:
        """In cents."""
        return sqrt(self.variance)

    @property
    def as_played_cents(self) -> Fraction:
        """What they should have won as they were played."""
        return self.expected_cents + self.given_away

    @property
    def enough(self) -> bool:
        """Whether there were enough hands to judge the win."""
        return self.hands >= HANDS_NEEDED

    def z(self, expected: Fraction) -> float | None:
        """Return how many standard deviations the result lies from what was expected; nothing without a hand."""
        return float(self.won_cents - expected) / self.standard_deviation if self.variance else None

    def band(self, confidence: int, expected: Fraction) -> tuple[float, float]:
        """Return between what the result should lie, by the normal distribution; of few hands it says little."""
        middle, reach = float(expected), BANDS[confidence] * self.standard_deviation
        return middle - reach, middle + reach

    def add(self, one: PlayedRound) -> None:
        """Count a round that is over; hands that were void or forfeited have no result to be judged."""
        if one.status != "settled":
            return
        rules = one.last.rules
        self.alone = taken_alone(rules.rules.payout, rules.rules.hands_per_player) or self.alone
        covering: dict[str, list[Fraction]] = {}
        seats = dict(judged(one))
        self._judge(one, seats)
        for results in seats.values():
            self.hands += 1
            self.won_cents -= sum(result.net_cents for result in results)
            stakes = _stakes(rules, results)
            for wager in [wager for wager in stakes if rules.wagers[wager].by_hands]:
                covering.setdefault(wager, []).append(stakes.pop(wager))
            for wager, stake in stakes.items():
                self._expect(wager, stake * _edge(rules, wager, stake))
            for wagers, unit, spread in _spreads(rules, stakes):
                self._stray(results, rules, wagers, unit, spread)
        for wager, put in covering.items():
            cents = sum(put, Fraction(0))
            paid = _Paid.of(rules.pays[wager].at(cents / len(put)))  # one hand decides them all
            sheet = _covering(paid, one.last.awards_hands or len(one.results))
            self._expect(wager, -cents * sheet.mean)
            self.variance += cents**2 * sheet.variance
            self.ordinary.expected -= cents * sheet.mean
            self.ordinary.variance += cents**2 * sheet.variance
            self.ordinary.won_cents -= sum(
                result.net_cents
                for results in seats.values()
                for result in results
                if rules.by_spot[result.wager].id == wager and result.fate != "void"
            )

    def _stray(
        self,
        results: tuple[WagerResult, ...],
        rules: TableRules,
        wagers: Collection[str],
        unit: Fraction,
        spread: Spread,
    ) -> None:
        """Count how far bets of a hand stray that are one event together."""
        won = sum(
            result.net_cents for result in results if rules.by_spot[result.wager].id in wagers and result.fate != "void"
        )
        ordinary, big = self.ordinary, won >= BIG * unit
        self.variance += unit**2 * spread.variance
        ordinary.big += big
        ordinary.big_expected += spread.big
        ordinary.won_cents -= 0 if big else won
        ordinary.expected -= unit * spread.ordinary_mean
        ordinary.variance += unit**2 * spread.ordinary_variance

    def _judge(self, one: PlayedRound, seats: Collection[int]) -> None:
        """Compare every decision of players with the best one; what was ruled for an absent one is none of theirs."""
        for moment in one.moments:
            for event in moment.events:
                if not isinstance(event, ChoiceMade) or event.signal == RULED_FOR_ABSENT:
                    continue
                if event.seat in seats and moment.before is not None:
                    stake = moment.before.seats[event.seat].wagers.get(BASE_SPOTS[event.bet - 1], 0)
                    value = _gain(moment.before, event, stake) if stake else None
                    if value is None:
                        continue
                    wrong = value < 0 if event.choice == "ride" else value > 0
                    self.decisions += 1
                    self.mistakes += wrong
                    self.given_away += abs(value) * stake if wrong else 0

    def _expect(self, wager: str, cents: Fraction) -> None:
        self.expected[wager] = self.expected.get(wager, Fraction(0)) + cents


def _gain(table: Table, made: ChoiceMade, stake: int) -> Fraction | None:
    """Return what letting a bet ride won beyond taking it back, per unit, as the coach values it.

    None for a decision made before its card was turned.
    """
    shown = [card.face for card in table.community() if card.up]
    if len(shown) != made.bet - 1 or len(table.at(hand(made.seat))) != 3:
        return None
    held = {card.face for card in table.at(hand(made.seat))} | set(shown)
    if len(held) != made.bet + 2 or JOKER in held:  # a foreign card is there
        return None
    rode = made.bet == 2 and table.seats[made.seat].choices.get(1) == "ride"
    paid, cap = _Paid.of(table.rules.base_pays), _cap(table.rules, Fraction(stake))
    return _gain_of(paid, stake, cap, tuple(sorted(held, key=lambda card: card.index)), rode)


def judged(one: PlayedRound) -> Iterator[tuple[int, tuple[WagerResult, ...]]]:
    """Yield the seats of a round whose bets were played for."""
    for number, results in one.results.items():
        if any(result.fate in _JUDGED for result in results):
            yield number, results


def expected_of(one: PlayedRound) -> dict[int, Fraction]:
    """Return what the bets of each seat of a settled round were worth to the house, with best play, in cents."""
    rules, found = one.last.rules, dict[int, Fraction]()
    hands = one.last.awards_hands or len(one.results)
    for number, results in judged(one):
        cents = Fraction(0)
        for wager, stake in _stakes(rules, results).items():
            if rules.wagers[wager].by_hands:
                cents -= stake * _covering(_Paid.of(rules.pays[wager].at(stake)), hands).mean
            else:
                cents += stake * _edge(rules, wager, stake)
        found[number] = cents
    return found


def _stakes(rules: TableRules, results: tuple[WagerResult, ...]) -> dict[str, Fraction]:
    """Return the stake of each wager; of the base game one of its three bets, their mean where they are uneven."""
    stakes: dict[str, Fraction] = {}
    for result in results:
        if result.fate == "void":  # a side bet alone, while its hand played on
            continue
        wager = rules.by_spot[result.wager]
        share = Fraction(result.stake_cents, len(wager.spots))
        stakes[wager.id] = stakes.get(wager.id, Fraction(0)) + share
    return stakes


def _edge(rules: TableRules, wager: str, stake: Fraction) -> Fraction:
    return -_alone(_Paid.of(rules.pays[wager].at(stake)), _cap(rules, stake) if wager == BASE.id else None).mean


def _spreads(rules: TableRules, stakes: Mapping[str, Fraction]) -> Iterator[tuple[Collection[str], Fraction, Spread]]:
    """Yield the bets of a hand that are one event, by wager, with their unit in cents and how far they stray."""
    sides = {wager: stake for wager, stake in stakes.items() if wager != BASE.id}
    unit = stakes.get(BASE.id)
    if unit is None or not sides:
        for wager, stake in stakes.items():
            cap = _cap(rules, stake) if wager == BASE.id else None
            yield (wager,), stake, _alone_spread(_Paid.of(rules.pays[wager].at(stake)), cap)
        return
    beside = tuple((_Paid.of(rules.pays[wager].at(stake)), stake / unit) for wager, stake in sides.items())
    yield tuple(stakes), unit, _together(_Paid.of(rules.base_pays), beside, _cap(rules, unit))


@dataclass(frozen=True, slots=True)
class _Paid:
    """Pays that can be looked up: equal where they pay the same."""

    pays: Pays
    digest: str
    """Of a house's own wager: two of one name may have other conditions."""

    @classmethod
    def of(cls, pays: Pays) -> _Paid:
        return cls(pays, "" if pays.wager.published else pays.wager.digest)

    def __hash__(self) -> int:
        return hash((self.pays.wager, self.digest, tuple(tuple(column.items()) for column in self.pays.columns)))


_Cap = tuple[int, int, Scope]


def _cap(rules: TableRules, stake: Fraction) -> _Cap | None:
    """Return the stake and the maximum payout over which scope, where the table has one."""
    payout = rules.rules.payout
    if payout.cap != "maximum" or payout.cents_max is None:
        return None
    return int(stake), payout.cents_max, payout.scope


@lru_cache(512)
def _alone(paid: _Paid, cap: _Cap | None) -> Distribution:
    """Return what a unit of a wager wins or loses by itself."""
    if not paid.pays.wager.is_base:
        return price_side(paid.pays).results
    return combine(*_base(paid.pays, cap), {}).results


@lru_cache(512)
def _alone_spread(paid: _Paid, cap: _Cap | None) -> Spread:
    """Return how far a unit of a wager by itself strays."""
    return _spread(_alone(paid, cap))


@lru_cache(512)
def _together(paid: _Paid, beside: tuple[tuple[_Paid, Fraction], ...], cap: _Cap | None) -> Spread:
    """Return how far a base bet of one unit and side bets beside it stray."""
    sides = {side.pays.wager.id: (side.pays, share) for side, share in beside}
    return _spread(combine(*_base(paid.pays, cap), sides).results)


def _spread(results: Distribution) -> Spread:
    ordinary = {result: cases for result, cases in results.cases.items() if result < BIG}
    big = results.total - sum(ordinary.values())
    ordinary[Fraction(0)] = ordinary.get(Fraction(0), 0) + big
    kept = Distribution(ordinary, results.total)
    return Spread(results.variance, Fraction(big, results.total), kept.mean, kept.variance)


def _base(pays: Pays, cap: _Cap | None) -> tuple[Nets, Play]:
    nets = plain_nets(pays) if cap is None else capped_nets(pays, *cap)
    return nets, best_play(nets)


@lru_cache(64)
def _paid_nets(paid: _Paid, stake: int, cap: _Cap | None) -> Nets:
    return paid_nets(paid.pays, stake) if cap is None else capped_nets(paid.pays, *cap)


@lru_cache(65_536)
def _gain_of(paid: _Paid, stake: int, cap: _Cap | None, held: tuple[Card, ...], rode: bool) -> Fraction:
    return decision_value(_paid_nets(paid, stake, cap), held, ridden=rode).gain


@lru_cache(64)
def _covering(paid: _Paid, hands: int) -> Distribution:
    return best_hand_sheet(paid.pays, hands).results
