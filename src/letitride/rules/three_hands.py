"""Three cards: what a player's own three cards are worth to the side bets; never what they pay."""

from __future__ import annotations

from collections.abc import Iterable
from enum import IntEnum
from functools import cache

from letitride.errors import InvalidData
from letitride.rules.cards import Card, distinct, show
from letitride.rules.hands import Reading


class ThreeCardCategory(IntEnum):
    """The categories of three cards, worst first: a straight is rarer than a flush and beats it."""

    HIGH_CARD = 0
    PAIR = 1
    FLUSH = 2
    STRAIGHT = 3
    THREE_OF_A_KIND = 4
    STRAIGHT_FLUSH = 5
    MINI_ROYAL = 6

    @property
    def label(self) -> str:
        """The category in words: 'mini royal'."""
        return self.name.lower().replace("_", " ")


def evaluate_three(cards: Iterable[Card]) -> ThreeCardCategory:
    """Return the category of three different cards; A-2-3 is a straight, K-A-2 is not."""
    hand = tuple(cards)
    if len(hand) != 3:
        raise InvalidData(f"expected three cards, got {len(distinct(hand))} in '{show(hand)}'")
    first, second, third = hand
    if len({first.index, second.index, third.index}) < 3:
        distinct(hand)
    ranks = sorted((first.rank, second.rank, third.rank))
    if not ranks[0]:
        raise InvalidData(f"expected three cards of the 52, got a joker in '{show(hand)}'")
    return _category(tuple(ranks), first.suit == second.suit == third.suit)


@cache
def _category(ranks: tuple[int, ...], flush: bool) -> ThreeCardCategory:
    """Return the category of three ranks, lowest first."""
    kinds = len(set(ranks))
    if kinds < 3:
        return ThreeCardCategory.THREE_OF_A_KIND if kinds == 1 else ThreeCardCategory.PAIR
    straight = ranks == (2, 3, 14) or ranks[2] - ranks[0] == 2
    if straight and flush:
        royal = ranks == (12, 13, 14)
        return ThreeCardCategory.MINI_ROYAL if royal else ThreeCardCategory.STRAIGHT_FLUSH
    if straight:
        return ThreeCardCategory.STRAIGHT
    return ThreeCardCategory.FLUSH if flush else ThreeCardCategory.HIGH_CARD


def reading_three(cards: Iterable[Card]) -> Reading:
    """Return three cards as a dealer reads them, in parts."""
    hand = tuple(cards)
    return _reading(evaluate_three(hand), tuple(sorted([card.rank for card in hand])))


@cache
def _reading(category: ThreeCardCategory, ranks: tuple[int, ...]) -> Reading:
    """Return the reading of three ranks, lowest first."""
    high = 3 if ranks == (2, 3, 14) else ranks[2]  # an ace below two and three is the low end of a straight
    if category is ThreeCardCategory.PAIR:
        high = ranks[1]  # the middle one of three sorted ranks is in the pair
    return Reading.of(category.name.lower(), (high,))


def announce_three(cards: Iterable[Card]) -> str:
    """Return three cards as a dealer announces them: 'pair of nines'."""
    return reading_three(cards).words
