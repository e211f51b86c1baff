"""Hands: draws three or four cards of one class, each hand of the class as likely; knows no paytable."""

from __future__ import annotations

from collections import Counter
from functools import cache
from itertools import combinations_with_replacement
from typing import Final

from letitride.analysis.features import Feature, feature_of
from letitride.errors import InvalidData
from letitride.rules.cards import RANK_NAMES, SUITS, Card
from letitride.training.chance import Chance, one_of, shuffled

_SAME_RANK_MAX: Final = 4


def draw_hand(feature: Feature, chance: Chance) -> tuple[Card, ...]:
    """Return cards of a class in the order they are dealt; every hand and every order is as likely.

    All sets of ranks of one class have equally many ways to choose suits, so one is drawn first and then its suits.
    """
    known = _ranks_of_classes(feature.cards)
    if feature not in known:
        raise InvalidData(f"expected a class of {feature.cards} cards that exists, got '{feature.name}'")
    ranks = one_of(chance, known[feature])
    return shuffled(chance, _suited(ranks, chance) if feature.kind == "suited" else _mixed(ranks, feature, chance))


def _suited(ranks: tuple[int, ...], chance: Chance) -> tuple[Card, ...]:
    suit = one_of(chance, SUITS)
    return tuple(Card(rank, suit) for rank in ranks)


def _mixed(ranks: tuple[int, ...], feature: Feature, chance: Chance) -> tuple[Card, ...]:
    """Return the ranks in suits that are not all the same; drawn anew where they were, so that none is likelier."""
    while True:
        cards: list[Card] = []
        for rank, many in Counter(ranks).items():
            cards += (Card(rank, suit) for suit in shuffled(chance, SUITS)[:many])
        if feature_of(cards) == feature:
            return tuple(cards)


@cache
def _ranks_of_classes(size: int) -> dict[Feature, list[tuple[int, ...]]]:
    """Return all sets of ranks by the classes their hands can have."""
    found: dict[Feature, list[tuple[int, ...]]] = {}
    for ranks in combinations_with_replacement(RANK_NAMES, size):
        if max(Counter(ranks).values()) > _SAME_RANK_MAX:
            continue
        for feature in {feature_of(_in_suits(ranks, suits)) for suits in (SUITS, SUITS[0] * size)}:
            found.setdefault(feature, []).append(ranks)
    return found


def _in_suits(ranks: tuple[int, ...], suits: str) -> list[Card]:
    """Return the ranks in some suits; of those that come more than once each in another suit."""
    if len(set(ranks)) < len(ranks):
        suits = SUITS
    return [Card(rank, suits[place]) for place, rank in enumerate(ranks)]
