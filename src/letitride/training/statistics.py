"""Statistics: a player's rounds summed up as expectation, mistakes and luck, with the band of luck; keeps no rounds."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import lru_cache
from typing import Final

from letitride.analysis.exact import Exact
from letitride.rules.cards import Card
from letitride.rules.hands import Category, evaluate
from letitride.training.own_rounds import OwnRound

PAUSE_MS: Final = 60 * 60 * 1000
"""After so long without a round a new session begins."""
POINTS_MAX: Final = 120
BEST: Final = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class Point:
    """How things stood after so many hands: sums in cents."""

    hands: int
    result_cents: int
    expected_cents: float = field(metadata={"description": "With the decisions that were made."})
    sigma_cents: float = field(metadata={"description": "One standard deviation of luck."})


@dataclass(frozen=True, slots=True, kw_only=True)
class Sums:
    """Rounds summed up: the result is expectation - mistakes + luck, and what cannot be judged so beside it."""

    hands: int
    won: int
    lost: int
    result_cents: int = field(metadata={"description": "judged + not judged + as the bank - fees"})
    wagered_cents: int = field(metadata={"description": "Bets that were not taken back or returned."})
    judged_hands: int
    judged_cents: int = field(metadata={"description": "expected - mistakes + luck"})
    expected_cents: Exact = field(metadata={"description": "Of the wagers with best play, before a card is dealt."})
    mistakes_cents: Exact = field(metadata={"description": "What the player's own decisions gave away."})
    luck_cents: Exact
    variance: Exact = field(metadata={"description": "Of the result, in cents squared; hands taken as independent."})
    sigma_cents: float
    unjudged_cents: int = field(metadata={"description": "Of wagers that cannot be judged, such as uneven base bets."})
    bank_cents: int
    fees_cents: int
    decisions: int
    right: int


@dataclass(frozen=True, slots=True, kw_only=True)
class BookSums:
    """The same for the rounds by one book."""

    book: str
    sums: Sums


def sums_of(rounds: Iterable[OwnRound]) -> Sums:
    """Return rounds summed up."""
    every = list(rounds)
    judged = [(one, one.worth) for one in every if one.worth is not None]
    expected = sum((_fraction(worth.expected.exact) for _, worth in judged), Fraction(0))
    mistakes = sum((_fraction(worth.mistakes.exact) for _, worth in judged), Fraction(0))
    variance = sum((_fraction(worth.variance.exact) for _, worth in judged), Fraction(0))
    judged_cents = sum(one.wagers_cents for one, _ in judged)
    decisions = [made for one, _ in judged for made in one.decisions if made.best]
    return Sums(
        hands=len(every),
        won=sum(one.outcome == "won" for one in every),
        lost=sum(one.outcome == "lost" for one in every),
        result_cents=sum(one.result_cents for one in every),
        wagered_cents=sum(one.wagered_cents for one in every),
        judged_hands=len(judged),
        judged_cents=judged_cents,
        expected_cents=Exact.of(expected),
        mistakes_cents=Exact.of(mistakes),
        luck_cents=Exact.of(judged_cents - expected + mistakes),
        variance=Exact.of(variance),
        sigma_cents=math.sqrt(variance),
        unjudged_cents=sum(one.wagers_cents for one in every if one.worth is None),
        bank_cents=sum(one.bank_net_cents for one in every),
        fees_cents=sum(one.fee_cents for one in every),
        decisions=len(decisions),
        right=sum(not made.is_mistake for made in decisions),
    )


def points_of(rounds: Iterable[OwnRound]) -> tuple[Point, ...]:
    """Return how the judged hands went, from none on; of many, some that are evenly far apart."""
    judged = [(one, one.worth) for one in rounds if one.worth is not None]
    every = max(math.ceil(len(judged) / POINTS_MAX), 1)
    result, expected, variance = 0, 0.0, 0.0
    points = [Point(hands=0, result_cents=0, expected_cents=0.0, sigma_cents=0.0)]
    for number, (one, worth) in enumerate(judged, 1):
        result += one.wagers_cents
        expected += worth.expected.value - worth.mistakes.value
        variance += worth.variance.value
        if number % every == 0 or number == len(judged):
            sigma = math.sqrt(variance)
            points.append(Point(hands=number, result_cents=result, expected_cents=expected, sigma_cents=sigma))
    return tuple(points)


def session_of(rounds: Sequence[OwnRound]) -> list[OwnRound]:
    """Return the last rounds between which there was no long pause; rounds come the oldest first."""
    first = len(rounds)
    while first and (first == len(rounds) or rounds[first].began_ms - rounds[first - 1].ended_ms < PAUSE_MS):
        first -= 1
    return list(rounds[first:])


def best_hands(rounds: Iterable[OwnRound], many: int = BEST) -> list[OwnRound]:
    """Return the rounds with the best hands that pay, the best first; of equal ones the older first."""
    seen = [one for one in rounds if one.hand >= Category.TENS_OR_BETTER and one.status == "settled"]
    least = min(sorted((one.hand for one in seen), reverse=True)[:many], default=0)
    strong = [one for one in seen if one.hand >= least]
    return sorted(strong, key=_strength, reverse=True)[:many]


def by_book(rounds: Iterable[OwnRound]) -> tuple[BookSums, ...]:
    """Return the sums for each book, the most played first."""
    books: dict[str, list[OwnRound]] = {}
    for one in rounds:
        books.setdefault(one.book, []).append(one)
    found = (BookSums(book=book, sums=sums_of(mine)) for book, mine in books.items())
    return tuple(sorted(found, key=lambda one: -one.sums.hands))


def _strength(one: OwnRound) -> tuple[object, ...]:
    value = evaluate(Card.parse(card) for card in (*one.cards, *one.community))
    return (*value, -one.ended_ms)


@lru_cache(4_096)
def _fraction(text: str) -> Fraction:
    return Fraction(text)
