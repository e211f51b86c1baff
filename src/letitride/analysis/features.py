"""Features: what a player sees in three or four cards, in so few words that the best play can be said in them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Literal

from letitride.rules.cards import Card
from letitride.rules.words import one_of, quantity

Kind = Literal["four", "three", "two_pair", "high_pair", "low_pair", "suited", "unsuited"]

MADE: Final[Mapping[Kind, str]] = {
    "four": "four of a kind",
    "three": "three of a kind",
    "two_pair": "two pair",
    "high_pair": "a pair of tens or better",
    "low_pair": "a pair of nines or lower",
}
"""What hands are called that are made already, best first."""
HIGH = 10
"""Tens and better are high cards: a pair of them pays."""


@dataclass(frozen=True, slots=True, order=True)
class Feature:
    """A class of three or four cards: made hands by their name, others by suit, ways and high cards."""

    cards: int
    kind: Kind
    ways: int = 0
    """In how many ways they can become a straight, or where they are suited a straight flush."""
    highs: int = 0

    @property
    def name(self) -> str:
        """The short name that a strategy file uses: 'high_pair', 'suited:2:1' (ways, high cards)."""
        return self.kind if self.kind in MADE else f"{self.kind}:{self.ways}:{self.highs}"

    @property
    def words(self) -> str:
        """The class as a person says it."""
        if self.kind in MADE:
            return MADE[self.kind]
        run = "straight flush" if self.kind == "suited" else "straight"
        suits = f"{'three' if self.cards == 3 else 'four'} {'of one suit' if self.kind == 'suited' else 'cards'}"
        ways = f"{quantity(self.ways, 'way')} to a {run}" if self.ways else f"no way to a {run}"
        return f"{suits}, {ways}, {quantity(self.highs, 'high card')}"


def feature_of(cards: Sequence[Card]) -> Feature:
    """Return the class of three or four cards."""
    ranks = Counter(card.rank for card in cards)
    pattern = sorted(ranks.values(), reverse=True)
    if pattern[0] == 4:
        return Feature(len(cards), "four")
    if pattern[0] == 3:
        return Feature(len(cards), "three")
    if pattern[:2] == [2, 2]:
        return Feature(len(cards), "two_pair")
    if pattern[0] == 2:
        paired = next(rank for rank, many in ranks.items() if many == 2)
        return Feature(len(cards), "high_pair" if paired >= HIGH else "low_pair")
    suited = len({card.suit for card in cards}) == 1
    highs = sum(rank >= HIGH for rank in ranks)
    return Feature(len(cards), "suited" if suited else "unsuited", _ways(set(ranks)), highs)


_RUNS = [frozenset(14 if rank == 1 else rank for rank in range(low, low + 5)) for low in range(1, 11)]


def _ways(ranks: set[int]) -> int:
    """In how many runs of five ranks, ace low or high, the ranks lie."""
    return sum(ranks <= run for run in _RUNS)


def from_name(name: str, cards: int) -> Feature | None:
    """Return the class a strategy file names, or None where the name is none."""
    kind, _, rest = name.partition(":")
    if kind in MADE and not rest:
        return Feature(cards, kind)  # type: ignore[arg-type]  # checked on the line above
    ways, _, highs = rest.partition(":")
    if kind in {"suited", "unsuited"} and re.fullmatch(r"[0-9]:[0-9]", rest):
        return Feature(cards, kind, int(ways), int(highs))  # type: ignore[arg-type]  # checked on the line above
    return None


def names_of(features: Sequence[Feature]) -> str:
    """Return the names of classes, for a sentence that says what was expected."""
    return one_of([feature.name for feature in features])
