"""Decision value: what each decision wins on average with the cards a player sees, as bets are paid; never advice.

It goes by the player's own three cards and the first community card where it is turned; every card not seen is as
likely as any other.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, lru_cache
from typing import Final, Literal, get_args

from letitride.analysis.base import FIRST_CARDS, SECOND_CARDS, Nets, require_base
from letitride.analysis.caps import Scope, capped_nets
from letitride.analysis.classes import FOUR_CARDS
from letitride.analysis.features import Feature, feature_of
from letitride.analysis.find_rows import Row, Suits, suits_of
from letitride.errors import InvalidData
from letitride.rules.arguments import cents, described, instance
from letitride.rules.cards import DECK, SUITS, Card, distinct
from letitride.rules.paytables import Pays
from letitride.rules.words import one_of

NO_MAXIMUM: Final = 10**30


@dataclass(frozen=True, slots=True)
class DecisionValue:
    """What the base bets win in the end by each decision, in units of one bet, played best from there on."""

    bet: Literal[1, 2]
    feature: Feature
    ride: Fraction
    withdraw: Fraction
    all_ride: Fraction
    """Where this bet and every later one rides, unseen."""

    @property
    def gain(self) -> Fraction:
        """What letting it ride wins beyond taking it back."""
        return self.ride - self.withdraw

    @property
    def best(self) -> Fraction:
        """What the better decision wins."""
        return max(self.ride, self.withdraw)


def paid_nets(pays: Pays, stake_cents: int, payout_cents_max: int | None = None, scope: Scope = "player_round") -> Nets:
    """Return what a round wins at a stake in units of one bet, less fractions of a cent and what a maximum cuts off."""
    require_base(instance(pays, Pays, "pays"))
    cents(stake_cents, "a stake in cents")
    if payout_cents_max is not None:
        cents(payout_cents_max, "a maximum payout in cents")
    if scope not in get_args(Scope):
        raise InvalidData(f"expected {one_of(get_args(Scope))}, got {described(scope)}")
    return capped_nets(pays, stake_cents, NO_MAXIMUM if payout_cents_max is None else payout_cents_max, scope)


def decision_value(nets: Nets, cards: Sequence[Card], *, ridden: bool = False) -> DecisionValue:
    """Return what each decision wins with three cards (bet 1), or with four (bet 2, `ridden` where bet 1 rode)."""
    held = distinct(cards)
    if len(held) not in {3, 4}:
        raise InvalidData(f"expected three or four cards, got {len(held)}")
    return _decided(nets)(suits_of(held), ridden and len(held) == 4)


@lru_cache(64)
def _decided(nets: Nets) -> Callable[[Suits, bool], DecisionValue]:
    """Return what decides hands by what a round wins, each kind of cards once."""
    values = {bets: _values(nets, bets) for bets in (1, 2, 3)}

    @cache
    def decided(suits: Suits, ridden: bool) -> DecisionValue:
        held = _cards_of(suits)
        if len(held) == 4:
            row = _row_of(feature_of(held))
            last, taken = (Fraction(values[bets + ridden][row], SECOND_CARDS) for bets in (2, 1))
            return DecisionValue(2, feature_of(held), last, taken, last)
        rows, ways = _rows_after(suits), FIRST_CARDS * SECOND_CARDS
        ride = sum(many * max(values[2][row], values[3][row]) for row, many in rows.items())
        withdraw = sum(many * max(values[1][row], values[2][row]) for row, many in rows.items())
        blind = sum(many * values[3][row] for row, many in rows.items())
        return DecisionValue(1, feature_of(held), Fraction(ride, ways), Fraction(withdraw, ways), Fraction(blind, ways))

    return decided


def _cards_of(suits: Suits) -> tuple[Card, ...]:
    """Return cards of a kind, whichever suits they are of."""
    return tuple(Card(rank, suit) for suit, ranks in zip(SUITS, suits, strict=False) for rank in ranks)


@cache
def _rows_after(suits: Suits) -> Counter[Row]:
    """Return how many of the 49 first community cards lead from three cards to each row of four."""
    held = _cards_of(suits)
    return Counter(_row_of(feature_of((*held, card))) for card in DECK if card not in held)


@cache
def _rows() -> dict[Feature, Row]:
    return {Feature(4, kind, ways, highs): row for kind, ways, highs, _, row in FOUR_CARDS}


def _row_of(feature: Feature) -> Row:
    return _rows()[feature]


def _values(nets: Nets, bets: int) -> dict[Row, Fraction | int]:
    """Return what each class of four cards wins over its 48 second cards, with a number of bets riding."""
    won = [nets(column, bets) for column in range(10)]
    return {
        row: sum((count * one for count, one in zip(row, won, strict=True) if count), Fraction(0))
        for row in _rows().values()
    }
