"""Hands: what five cards are worth by the ranks of poker; never what a wager on them pays."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import IntEnum
from functools import cache
from typing import Final, NamedTuple

from letitride.errors import InvalidData
from letitride.rules import words
from letitride.rules.cards import RANK_NAMES, RANKS, Card, distinct, show


class Category(IntEnum):
    """The categories of five cards, worst first. Pairs are split where Let It Ride starts to pay."""

    HIGH_CARD = 0
    LOW_PAIR = 1
    TENS_OR_BETTER = 2
    TWO_PAIR = 3
    THREE_OF_A_KIND = 4
    STRAIGHT = 5
    FLUSH = 6
    FULL_HOUSE = 7
    FOUR_OF_A_KIND = 8
    STRAIGHT_FLUSH = 9
    ROYAL_FLUSH = 10

    @property
    def label(self) -> str:
        """The category in words: 'straight flush'."""
        return self.name.lower().replace("_", " ")


class HandValue(NamedTuple):
    """A five-card hand's place in the order of poker: of two values the greater is the better hand.

    `ranks` are the ranks that decide among hands of the category, most telling first: for two pair
    the upper pair, the lower pair, the odd card. A five-high straight has its ace as 1.
    """

    category: Category
    ranks: tuple[int, ...]


# How many different ranks there are, and how often the most frequent one comes, tell everything but
# straights and flushes.
_SHAPES: Final = {
    (2, 4): Category.FOUR_OF_A_KIND,
    (2, 3): Category.FULL_HOUSE,
    (3, 3): Category.THREE_OF_A_KIND,
    (3, 2): Category.TWO_PAIR,
    (4, 2): Category.LOW_PAIR,
    (5, 1): Category.HIGH_CARD,
}
_WHEEL: Final = (14, 5, 4, 3, 2)


def evaluate(cards: Iterable[Card]) -> HandValue:
    """Return the value of five different cards."""
    hand = tuple(cards)
    if len(hand) != 5:
        raise InvalidData(f"expected five cards, got {len(distinct(hand))} in '{show(hand)}'")
    first, second, third, fourth, fifth = hand
    if len({first.index, second.index, third.index, fourth.index, fifth.index}) < 5:
        distinct(hand)
    ranks = sorted((first.rank, second.rank, third.rank, fourth.rank, fifth.rank), reverse=True)
    if not ranks[-1]:
        raise InvalidData(f"expected five cards of the 52, got a joker in '{show(hand)}'")
    return _value(tuple(ranks), first.suit == second.suit == third.suit == fourth.suit == fifth.suit)


@cache
def _value(held: tuple[int, ...], flush: bool) -> HandValue:
    """Return the value of five ranks, highest first: there are 7,462 such cases, and two and a half million hands."""
    ranks = tuple(dict.fromkeys(sorted(held, key=held.count, reverse=True)))  # most frequent first, then highest
    category = _SHAPES[len(ranks), held.count(ranks[0])]
    if category is Category.LOW_PAIR:
        return HandValue(Category.TENS_OR_BETTER if ranks[0] >= 10 else category, ranks)
    if category is not Category.HIGH_CARD:
        return HandValue(category, ranks)
    return _unpaired(ranks, flush=flush)


def made_category(cards: Sequence[Card]) -> Category:
    """Return the category that cards in sight make already, whatever cards come: of less than five, by equal ranks."""
    if len(cards) == 5 == len(set(cards)):
        return evaluate(cards).category
    (rank, many), *others = Counter(card.rank for card in cards).most_common()
    if many > 2:
        return Category.THREE_OF_A_KIND if many == 3 else Category.FOUR_OF_A_KIND
    if many < 2:
        return Category.HIGH_CARD
    if others and others[0][1] == 2:
        return Category.TWO_PAIR
    return Category.TENS_OR_BETTER if rank >= 10 else Category.LOW_PAIR


def _unpaired(ranks: tuple[int, ...], *, flush: bool) -> HandValue:
    """Return the value of five different ranks, highest first."""
    if ranks == _WHEEL:
        ranks = (5, 4, 3, 2, 1)  # the ace plays low only here, so Q-K-A-2-3 is no straight
    straight = ranks[0] - ranks[4] == 4
    if straight and flush:
        return HandValue(Category.ROYAL_FLUSH if ranks[0] == 14 else Category.STRAIGHT_FLUSH, ranks)
    if flush:
        return HandValue(Category.FLUSH, ranks)
    return HandValue(Category.STRAIGHT if straight else Category.HIGH_CARD, ranks)


_FORMS: Final[Mapping[str, str]] = {
    "straight_flush": "high",
    "four_of_a_kind": "of",
    "full_house": "over",
    "flush": "high",
    "straight": "high",
    "three_of_a_kind": "of",
    "two_pair": "both",
    "pair": "pair",
    "high_card": "card",
}
_NAMED: Final[Mapping[str, int]] = {"name": 0, "over": 2, "both": 2}


@dataclass(frozen=True, slots=True)
class Reading:
    """A hand as a dealer reads it, in parts: its class, and the ranks named with it, most telling first."""

    hand: str
    """'full_house', 'mini_royal'; a pair is 'pair', whatever it pays."""
    ranks: str
    """'AK' for aces over kings."""

    @classmethod
    def of(cls, hand: str, ranks: Sequence[int]) -> Reading:
        """Return the reading of a class of hand: of its ranks, those that are named with it."""
        named = ranks[: _NAMED.get(_FORMS.get(hand, "name"), 1)]
        return cls(hand, "".join(RANKS[rank - 2] for rank in named))

    @property
    def form(self) -> str:
        """How class and ranks are put together: 'over' as in 'full house, aces over kings', 'name' without ranks."""
        return _FORMS.get(self.hand, "name")

    @property
    def words(self) -> str:
        """The hand in English, as records keep it."""
        return _in_words(self)


@cache
def _in_words(read: Reading) -> str:
    """Return a reading in English: there are some four hundred."""
    name, named = read.hand.replace("_", " "), tuple(RANKS.index(rank) + 2 for rank in read.ranks)
    match read.form:
        case "high":
            return f"{name}, {RANK_NAMES[named[0]]} high"
        case "of":
            return f"{name}, {plural(named[0])}"
        case "over":
            return f"{name}, {plural(named[0])} over {plural(named[1])}"
        case "both":
            return f"{name}, {plural(named[0])} and {plural(named[1])}"
        case "pair":
            return f"pair of {plural(named[0])}"
        case "card":
            return f"{RANK_NAMES[named[0]]} high"
        case _:
            return name


@cache
def reading(value: HandValue) -> Reading:
    """Return a hand as a dealer reads it, in parts; like values, there are 7,462 readings of them."""
    is_pair = value.category in {Category.TENS_OR_BETTER, Category.LOW_PAIR}
    return Reading.of("pair" if is_pair else value.category.name.lower(), value.ranks)


def announce(value: HandValue) -> str:
    """Return the hand as a dealer announces it: 'full house, aces over kings'."""
    return reading(value).words


def plural(rank: int) -> str:
    """Return a rank in the plural: 'tens', 'sixes'."""
    return words.plural(RANK_NAMES[rank], 0)
