"""Find rows: counts, from all hands, the few different prospects that three and four cards can have."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from itertools import combinations
from typing import Final

from letitride.rules.cards import DECK, Card
from letitride.rules.hands import Category, evaluate
from letitride.rules.three_hands import ThreeCardCategory, evaluate_three

PAYING: Final = tuple(category for category in reversed(Category) if category >= Category.TENS_OR_BETTER)
"""The columns of a row: royal flush first, a pair of tens or better last but one, everything that loses last."""
LOSES: Final = len(PAYING)
_COLUMN: Final = {category: place for place, category in enumerate(PAYING)}

Row = tuple[int, ...]
Profile = tuple[tuple[int, int], ...]
"""For three cards: (four-card row, how many of the 49 first community cards lead to it)."""
Suits = tuple[tuple[int, ...], ...]


def suits_of(cards: Iterable[Card]) -> Suits:
    """Return cards up to a renaming of the suits: the ranks of each suit, in one order."""
    by_suit: dict[str, list[int]] = {}
    for card in cards:
        by_suit.setdefault(card.suit, []).append(card.rank)
    return tuple(sorted(tuple(sorted(ranks)) for ranks in by_suit.values()))


def four_card_rows() -> dict[Suits, Row]:
    """Return, for all four cards up to the names of suits, in how many of 48 ways each category comes of them."""
    found: dict[Suits, Row] = {}
    for hand in combinations(DECK, 4):
        name = suits_of(hand)
        if name not in found:
            counts = [0] * (LOSES + 1)
            for card in DECK:
                if card not in hand:
                    counts[_COLUMN.get(evaluate((*hand, card)).category, LOSES)] += 1
            found[name] = tuple(counts)
    return found


def find_rows() -> tuple[tuple[Row, ...], tuple[tuple[int, ThreeCardCategory, Profile], ...]]:
    """Return the different four-card rows, best first, and (hands, three-card category, profile) of all hands."""
    by_name = four_card_rows()
    rows = tuple(sorted(set(by_name.values()), reverse=True))
    place = {row: number for number, row in enumerate(rows)}
    profiles: dict[Suits, Profile] = {}
    counted: Counter[tuple[ThreeCardCategory, Profile]] = Counter()
    for hand in combinations(DECK, 3):
        name = suits_of(hand)
        if name not in profiles:
            after = Counter(place[by_name[suits_of((*hand, card))]] for card in DECK if card not in hand)
            profiles[name] = tuple(sorted(after.items()))
        counted[evaluate_three(hand), profiles[name]] += 1
    ordered = sorted(counted.items(), key=lambda item: (-item[0][0], item[0][1]))
    return rows, tuple((hands, category, profile) for (category, profile), hands in ordered)
