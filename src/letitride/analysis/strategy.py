"""Strategy: which bets to let ride, class by class; the value of a decision; the cost of another strategy."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, lru_cache
from typing import Final, Literal

from letitride.analysis.base import (
    FIRST_CARDS,
    HANDS,
    SECOND_CARDS,
    Nets,
    Play,
    Same,
    Ties,
    plain_nets,
    price,
    require_base,
    row_of_three,
    scaled,
)
from letitride.analysis.base_rows import FOUR_CARD_ROWS, PROFILES
from letitride.analysis.classes import FOUR_CARDS, THREE_CARDS, Line
from letitride.analysis.decision_value import DecisionValue, decision_value
from letitride.analysis.features import MADE, Feature, Kind, feature_of, from_name, names_of
from letitride.analysis.find_rows import PAYING
from letitride.errors import InvalidData, InvariantBroken
from letitride.rules.cards import Card, distinct
from letitride.rules.paytables import Pays
from letitride.rules.words import quantity, show_value

_WAYS: Final = {3: FIRST_CARDS * SECOND_CARDS, 4: SECOND_CARDS}
_HANDS: Final = {3: HANDS, 4: 270_725}


@dataclass(frozen=True, slots=True)
class ClassValue:
    """A class of cards under a paytable: what letting the bet ride wins, per unit, against taking it back."""

    feature: Feature
    hands: int
    value: Fraction
    rides: bool

    @property
    def cost(self) -> Fraction:
        """What the wrong decision costs, in units of one bet."""
        return abs(self.value)

    @property
    def frequency(self) -> Fraction:
        """How often the class comes."""
        return frequency_of(self.feature)


def class_values(pays: Pays, cards: int, ties: Ties = "withdraw") -> tuple[ClassValue, ...]:
    """Return every class of three cards (for bet 1) or four cards (for bet 2) with its value and the best decision."""
    return _class_values(cards, *scaled(pays), ties)


@lru_cache(maxsize=256)
def _class_values(cards: int, nets: tuple[int, ...], unit: int, ties: Ties) -> tuple[ClassValue, ...]:
    return tuple(_value(line, cards, nets, unit, ties) for line in (THREE_CARDS if cards == 3 else FOUR_CARDS))


def _value(line: Line, cards: int, nets: tuple[int, ...], unit: int, ties: Ties) -> ClassValue:
    _, _, _, hands, row = line
    feature = _feature(line, cards)
    value = Fraction(sum(count * net for count, net in zip(row, nets, strict=True)), _WAYS[cards] * unit)
    return ClassValue(feature, hands, value, value > 0 or (value == 0 and ties == "ride"))


def _feature(line: Line, cards: int) -> Feature:
    kind, ways, highs, _, _ = line
    return Feature(cards, kind, ways, highs)


def advise(
    pays: Pays,
    cards: Sequence[Card],
    ties: Ties = "withdraw",
    nets: Nets | None = None,
    *,
    ridden: bool = False,
) -> ClassValue:
    """Return what a player with three cards, or with three and the first community card, should do and why.

    It is about a bet that is paid in full. For a stake under a maximum payout, give `nets`, from `paid_nets`, and, with
    four cards, whether bet 1 has `ridden`: together the bets may reach the maximum.
    """
    require_base(pays)
    found = decision_value(plain_nets(pays) if nets is None else nets, cards, ridden=ridden)
    return _advice(Same(found), ties)


@lru_cache(4096)
def _advice(found: Same[DecisionValue], ties: Ties) -> ClassValue:
    gain = found.it.gain
    return ClassValue(found.it.feature, hands_of(found.it.feature), gain, gain > 0 or (gain == 0 and ties == "ride"))


def hands_of(feature: Feature) -> int:
    """Return how many hands of so many cards belong to a class."""
    return _hands_by_class(feature.cards)[feature]


@cache
def _hands_by_class(cards: int) -> Mapping[Feature, int]:
    return {_feature(line, cards): line[3] for line in (THREE_CARDS if cards == 3 else FOUR_CARDS)}


def frequency_of(feature: Feature) -> Fraction:
    """Return how often a class comes."""
    return Fraction(hands_of(feature), _HANDS[feature.cards])


def rule_list(pays: Pays, cards: int, ties: Ties = "withdraw") -> tuple[str, ...]:
    """Return the best play as the fewest lines a person can learn: ride with any of these, otherwise withdraw."""
    rides = {one.feature: one.rides for one in class_values(pays, cards, ties)}
    return tuple(text for text, _ in _rules(rides, cards, pays))


def rules_ride(pays: Pays, cards: Sequence[Card], ties: Ties = "withdraw") -> bool:
    """Return what the rule list says about cards: it is proven to be the best play over all hands."""
    rides = {one.feature: one.rides for one in class_values(pays, len(cards), ties)}
    feature = feature_of(cards)
    return any(holds(feature) for _, holds in _rules(rides, len(cards), pays))


def rule_of(pays: Pays, feature: Feature, ties: Ties = "withdraw") -> str | None:
    """Return the rule by which a class rides, or None where it does not."""
    return next((text for text, holds in _all_rules(pays, feature.cards, ties) if holds(feature)), None)


def rules_near(pays: Pays, feature: Feature, ties: Ties = "withdraw") -> tuple[str, ...]:
    """Return the rules by which other classes of the same kind ride: what a class that does not ride falls short of."""
    kin = [one for one in _everything(feature.cards) if one.kind == feature.kind and one != feature]
    return tuple(text for text, holds in _all_rules(pays, feature.cards, ties) if any(map(holds, kin)))


def _all_rules(pays: Pays, cards: int, ties: Ties) -> Iterator[_Rule]:
    return _rules({one.feature: one.rides for one in class_values(pays, cards, ties)}, cards, pays)


_Rule = tuple[str, Callable[[Feature], bool]]
_PAYING: Final = frozenset({"four", "three", "two_pair", "high_pair"})


def _rules(rides: Mapping[Feature, bool], cards: int, pays: Pays) -> Iterator[_Rule]:
    made = {kind: rides[Feature(cards, kind)] for kind in MADE if Feature(cards, kind) in rides}
    all_pay = all(pays.pay(category) is not None for category in PAYING)
    if all_pay and all(made[kind] for kind in made if kind in _PAYING):
        yield "a hand that pays already: a pair of tens or better, or more", lambda f: f.kind in _PAYING
        made = {kind: ride for kind, ride in made.items() if kind not in _PAYING}
    yield from _made(kind for kind in made if made[kind])
    for kind in ("suited", "unsuited"):
        yield from _unpaired({f: ride for f, ride in rides.items() if f.kind == kind}, cards, kind)


def _made(kinds: Iterator[Kind]) -> Iterator[_Rule]:
    for kind in kinds:
        yield MADE[kind], _is_kind(kind)


@dataclass(frozen=True, slots=True)
class Rides:
    """What a line of the rule list is about: a kind of cards, with ways and high cards where they matter."""

    kind: str
    ways_min: int = 0
    ways_max: int | None = None
    """None: in however many ways."""
    highs_min: int = 0

    @property
    def code(self) -> str:
        """The line for clients that word it: 'high_pair', 'suited:1-2:2' (ways, at least so many high cards)."""
        if self.kind not in {"suited", "unsuited"}:
            return self.kind
        ways = f"{self.ways_min}-{self.ways_max}" if self.ways_max else ""
        return f"{self.kind}:{ways}:{self.highs_min}"

    def __call__(self, feature: Feature) -> bool:
        """Return whether a class rides by this line."""
        most = feature.ways if self.ways_max is None else self.ways_max
        return feature.kind == self.kind and self.ways_min <= feature.ways <= most and feature.highs >= self.highs_min


def rides_with(pays: Pays, cards: int, ties: Ties = "withdraw") -> tuple[Rides | None, ...]:
    """Return the rule list for clients that word it themselves; None is a hand that pays already."""
    return tuple(holds if isinstance(holds, Rides) else None for _, holds in _all_rules(pays, cards, ties))


def rule_codes(pays: Pays, cards: int, ties: Ties = "withdraw") -> dict[str, str]:
    """Return the code of each line of the rule list by its words: 'paying', 'suited:1-2:2'."""
    rules = _all_rules(pays, cards, ties)
    return {words: holds.code if isinstance(holds, Rides) else "paying" for words, holds in rules}


def _is_kind(kind: str) -> Callable[[Feature], bool]:
    return Rides(kind)


def _unpaired(rides: Mapping[Feature, bool], cards: int, kind: str) -> Iterator[_Rule]:
    """Yield, for each number of ways, from how many high cards on it rides; equal neighbors are said together."""
    many = "three" if cards == 3 else "four"
    what = f"{many} of one suit" if kind == "suited" else f"{many} cards of different ranks"
    if rides and all(rides.values()):
        yield what, _is_kind(kind)
        return
    run = "straight flush" if kind == "suited" else "straight"
    said: set[tuple[int, int]] = set()
    for ways in sorted({f.ways for f in rides}, reverse=True):
        held = {f.highs: ride for f, ride in rides.items() if f.ways == ways}
        for least in _thresholds(held):
            if (ways, least) in said:
                continue
            down = ways
            while _same(rides, down - 1, least):
                down -= 1
            said |= {(one, least) for one in range(down, ways + 1)}
            highs = f" and {least} or more high cards" if least else ""
            counted = quantity(ways, "way") if down == ways else f"{down} to {ways} ways"
            text = f"{what} with {counted} to a {run}{highs}" if ways else f"{what}{highs}"
            yield text, _threshold(kind, down, ways, least)


def _same(rides: Mapping[Feature, bool], ways: int, least: int) -> bool:
    held = {f.highs: ride for f, ride in rides.items() if f.ways == ways}
    return bool(held) and list(_thresholds(held)) == [least]


def _thresholds(held: Mapping[int, bool]) -> Iterator[int]:
    """Yield the least number of high cards that rides; play that falls again with more of them would be no rule."""
    riding = [highs for highs, ride in sorted(held.items()) if ride]
    if riding:
        if any(not ride for highs, ride in held.items() if highs > riding[0]):
            raise InvariantBroken("with pays that fall from hand to hand more high cards are never worse")
        yield riding[0] if min(held) < riding[0] else min(riding[0], 0)


def _threshold(kind: str, down: int, ways: int, least: int) -> Callable[[Feature], bool]:
    return Rides(kind, down, ways, least)


@dataclass(frozen=True, slots=True)
class Strategy:
    """A way to play: the classes with which bet 1 and bet 2 ride."""

    name: str
    bet1: frozenset[Feature]
    bet2: frozenset[Feature]

    def __repr__(self) -> str:
        return (
            f"<Strategy {self.name}: rides bet 1 with {len(self.bet1)} classes of hands, bet 2 with {len(self.bet2)}>"
        )

    def choice(self, cards: Sequence[Card]) -> Literal["ride", "withdraw"]:
        """Return what it does with three cards (bet 1), or with those and the first community card (bet 2)."""
        held = distinct(cards)
        if len(held) not in {3, 4}:
            raise InvalidData(f"expected three or four cards, got {len(held)}")
        feature = feature_of(held)
        return "ride" if feature in (self.bet1 if feature.cards == 3 else self.bet2) else "withdraw"

    def data(self) -> dict[str, list[str]]:
        """Return the classes that ride as a strategy file lists them; `strategy_from` reads them back."""
        return {bet: [one.name for one in sorted(rides)] for bet, rides in (("bet1", self.bet1), ("bet2", self.bet2))}


def best_strategy(pays: Pays, ties: Ties = "withdraw") -> Strategy:
    """Return the best play."""
    bets = [frozenset(one.feature for one in class_values(pays, cards, ties) if one.rides) for cards in (3, 4)]
    return Strategy("best", bets[0], bets[1])


def _everything(cards: int) -> frozenset[Feature]:
    lines = THREE_CARDS if cards == 3 else FOUR_CARDS
    return frozenset(_feature(line, cards) for line in lines)


ALWAYS_RIDE: Final = Strategy("always-ride", _everything(3), _everything(4))
NEVER_RIDE: Final = Strategy("never-ride", frozenset(), frozenset())
PAYING_ONLY: Final = Strategy(
    "paying-only",
    frozenset(f for f in _everything(3) if f.kind in _PAYING),
    frozenset(f for f in _everything(4) if f.kind in _PAYING),
)
BASIC: Final = Strategy(
    "basic",
    frozenset(
        f for f in _everything(3) if f.kind in _PAYING or (f.kind == "suited" and f.ways and f.highs >= 3 - f.ways)
    ),
    frozenset(
        f
        for f in _everything(4)
        if f.kind in _PAYING or f.kind == "suited" or (f.kind == "unsuited" and f.ways == 2 and f.highs)
    ),
)
"""What is published most: paying hands, three to a straight flush by ways and high cards, four to a flush, and four to
an open straight with a high card."""
NAMED_STRATEGIES: Final = {one.name: one for one in (BASIC, PAYING_ONLY, ALWAYS_RIDE, NEVER_RIDE)}
"""Strategies that are known by a name, from the published basic one to riding every bet."""


@dataclass(frozen=True, slots=True)
class Cost:
    """What a way to play gives away against the best one."""

    strategy: Strategy
    house_edge: Fraction
    """Expected loss per unit bet when it is played."""
    per_round: Fraction
    """How much of that the strategy adds to best play, in units of one bet."""
    average_wager: Fraction

    @property
    def per_hundred(self) -> Fraction:
        """Units of one bet given away in a hundred rounds."""
        return 100 * self.per_round


def cost(pays: Pays, strategy: Strategy) -> Cost:
    """Return what a strategy costs against the best play."""
    lost = riding = Fraction(0)
    for cards, ridden in ((3, strategy.bet1), (4, strategy.bet2)):
        for one in class_values(pays, cards):
            rides = one.feature in ridden
            riding += one.frequency if rides else 0
            if (one.value > 0) != rides:
                lost += one.frequency * abs(one.value)
    return Cost(strategy, price(pays).house_edge + lost, lost, 1 + riding)


def play_of(strategy: Strategy) -> Play:
    """Return a strategy as it decides on every profile of three cards and every row of four."""
    three = {tuple((c, many) for c, many in enumerate(line[4]) if many): _feature(line, 3) for line in THREE_CARDS}
    four = {line[4]: _feature(line, 4) for line in FOUR_CARDS}
    bet1 = tuple(three[row_of_three(profile)] in strategy.bet1 for _, _, profile in PROFILES)
    bet2 = tuple(four[row] in strategy.bet2 for row in FOUR_CARD_ROWS)
    return Play(bet1, {True: bet2, False: bet2})


def strategy_from(data: Mapping[str, object], name: str = "custom") -> Strategy:
    """Return a strategy from the data that its TOML file would hold; what cannot be one is refused as there."""
    return read_strategy(data, name, "strategy")


def read_strategy(data: Mapping[str, object], name: str, where: str) -> Strategy:
    """Read a custom strategy: `bet1` and `bet2`.

    Each is a list of the classes that ride, or a table that says "ride" or "withdraw" for every class.
    """
    if unknown := set(data) - {"bet1", "bet2"}:
        raise InvalidData(f"{where}: expected bet1 and bet2, got {show_value(min(unknown))}")
    return Strategy(name, _listed(data, "bet1", 3, where), _listed(data, "bet2", 4, where))


def _listed(data: Mapping[str, object], bet: str, cards: int, where: str) -> frozenset[Feature]:
    names, known = data.get(bet), _everything(cards)
    if isinstance(names, Mapping):
        names = _riding(names, known, f"{where}: {bet}")
    if not isinstance(names, list):
        raise InvalidData(f"{where}: {bet}: expected a list of classes such as 'suited:2:1', got {show_value(names)}")
    found: set[Feature] = set()
    for name in names:
        feature = from_name(str(name), cards)
        if feature is None or feature not in known:
            raise InvalidData(f"{where}: {bet}: expected {names_of(sorted(known))}, got {show_value(name)}")
        found.add(feature)
    return frozenset(found)


def _riding(decisions: Mapping[str, object], known: frozenset[Feature], where: str) -> list[str]:
    """Return the classes that ride by a table of decisions, which must have all of them."""
    for name, decision in decisions.items():
        if decision not in ("ride", "withdraw"):  # a list or a table is in no set
            raise InvalidData(f"{where}: {name}: expected 'ride' or 'withdraw', got {show_value(decision)}")
    if holes := [feature.name for feature in sorted(known) if feature.name not in decisions]:
        raise InvalidData(
            f"{where}: expected 'ride' or 'withdraw' for each of {len(known)} classes, got none for {', '.join(holes)}"
        )
    return [name for name, decision in decisions.items() if decision == "ride"]
