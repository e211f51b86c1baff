"""Listed tables: what the kernels name the cards of a wager by, made from its ranking; never what a rank pays."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from itertools import combinations_with_replacement
from typing import Final, assert_never

import numpy as np
from numpy.typing import NDArray

from letitride.analysis.taken_back import decision_of, stays_by_cards
from letitride.errors import InvalidData, InvariantBroken
from letitride.rules.cards import DECK, SUITS, Card
from letitride.rules.rankings import (
    INCLUDES,
    ListedRank,
    Ranking,
    Suits,
    counts,
    meets_by_rank,
    meets_by_suit,
    suits_of_shape,
)
from letitride.rules.wagers import JudgedOn, Wager
from letitride.simulation.game import RANK_SETS
from letitride.simulation.listed import COMMUNITY, FIVE, FOUR, RANKS_MAX, SUIT_COUNTS, THREE, Listed

KINDS: Final[dict[JudgedOn, int]] = {
    "own_three": THREE,
    "own_four": FOUR,
    "own_five": FIVE,
    "community": COMMUNITY,
}
"""A bet on the best hand at the table is none of these: there is one at most, and a column of the game counts it."""
_TRIPLES: Final = np.array(list(combinations_with_replacement(range(2, 15), 3)))
_PAIRS: Final = np.array([(first, second) for first in range(2, 15) for second in range(2, 15)])


@dataclass(frozen=True, slots=True)
class _Reading:
    """How a ranking is read from ranks and suits apart."""

    by_rank: Callable[[tuple[int, ...]], Hashable]
    """What of the ranks of cards, in order, matters."""
    by_suit: Callable[[Suits], Hashable]
    """What of the suits of cards matters."""
    places: Callable[[Hashable, Hashable], Sequence[int]]
    """The places in the ranking that both allow, best first."""


def _reading(ranking: Ranking) -> _Reading:
    listed = tuple(rank for rank in ranking.ranks if isinstance(rank, ListedRank))
    if listed:
        # Single cards that are asked for have ranks and suits of their own: few hands have to be looked at for them.
        cards = [[DECK[card] for card in asked] for asked in _needs(ranking)]
        numbers_asked = [Counter(card.rank for card in asked) for asked in cards]
        suits_asked = [[sum(card.suit == suit for card in asked) for suit in SUITS] for asked in cards]

        def of_ranks(place: int, numbers: tuple[int, ...]) -> bool:
            return meets_by_rank(listed[place], numbers) and numbers_asked[place] <= Counter(numbers)

        def of_suits(place: int, suits: Suits) -> bool:
            enough = all(has >= asked for has, asked in zip(suits, suits_asked[place], strict=True))
            return enough and meets_by_suit(listed[place], suits)

        places = range(len(listed))
        return _Reading(
            by_rank=lambda numbers: frozenset(place for place in places if of_ranks(place, numbers)),
            by_suit=lambda suits: frozenset(place for place in places if of_suits(place, suits)),
            places=lambda ranks, suits: sorted(ranks & suits),  # type: ignore[operator]  # two sets of places
        )

    def poker(numbers: tuple[int, ...]) -> Hashable:
        """Return the places of cards of these ranks in several suits and, where that can be, in one."""
        mixed = ranking.read([Card(rank, SUITS[place % 4]) for place, rank in enumerate(numbers)])
        alone = len(set(numbers)) == len(numbers)
        suited = ranking.read([Card(rank, SUITS[0]) for rank in numbers]) if alone else mixed
        return ranking.ranks.index(mixed), ranking.ranks.index(suited)

    return _Reading(
        by_rank=poker,
        by_suit=lambda suits: max(suits) == ranking.cards,
        places=lambda ranks, suited: [ranks[1 if suited is True else 0]],  # type: ignore[index]  # two places
    )


def listed_tables(wagers: Sequence[Wager], nets: Sequence[Sequence[int]]) -> Listed | None:
    """Return the tables of wagers and of the results of their ranks, best first; None where there is no wager.

    Of a wager that may be taken back, the last of `nets` is the result then.
    """
    if not wagers:
        return None
    made = [_tables(wager) for wager in wagers]
    longest = max(len(row) for row in nets)
    heads, needs_at, needs = [], np.zeros((len(wagers), longest + 1), np.int64), list[int]()
    classes_at = firsts_at = 0
    for number, (wager, one) in enumerate(zip(wagers, made, strict=True)):
        kind = KINDS[wager.judged_on]
        ranks = len(wager.ranking.ranks) + bool(wager.withdraw)
        heads.append((kind, classes_at, firsts_at, one.suit_classes, one.stride, ranks))
        classes_at, firsts_at = classes_at + one.classes.size, firsts_at + one.firsts.size
        for place, cards in enumerate(_needs(wager.ranking)):
            needs_at[number, place] = len(needs)
            needs += cards
        needs_at[number, len(wager.ranking.ranks) :] = len(needs)
    padded = np.zeros((len(wagers), longest), np.int64)
    for number, row in enumerate(nets):
        padded[number, : len(row)] = row
    backs_at, backs = _backs(wagers, nets)
    return Listed(
        ids=tuple(wager.id for wager in wagers),
        heads=np.array(heads, np.int64),
        classes=np.concatenate([one.classes for one in made]),
        suits=np.stack([one.suits for one in made]),
        firsts=np.concatenate([one.firsts for one in made]),
        needs_at=needs_at,
        needs=np.array(needs, np.int64),
        nets=padded,
        backs_at=backs_at,
        backs=backs,
    )


def _backs(wagers: Sequence[Wager], nets: Sequence[Sequence[int]]) -> tuple[NDArray[np.int64], NDArray[np.uint8]]:
    """Return with which decision each wager is taken back and where its bits begin, and the bits."""
    if not any(wager.withdraw for wager in wagers):
        return np.zeros((0, 2), np.int64), np.zeros(0, np.uint8)
    at, parts, start = np.zeros((len(wagers), 2), np.int64), list[NDArray[np.uint8]](), 0
    for number, (wager, row) in enumerate(zip(wagers, nets, strict=True)):
        if wager.withdraw:
            at[number] = decision_of(wager), start
            parts.append(np.packbits(~stays_by_cards(wager, row).ravel(), bitorder="little"))
            start += parts[-1].size
    return at, np.concatenate(parts)


@dataclass(frozen=True, slots=True)
class _Tables:
    classes: NDArray[np.uint16]
    suits: NDArray[np.uint8]
    firsts: NDArray[np.uint8]
    suit_classes: int
    stride: int


def _tables(wager: Wager) -> _Tables:
    ranking, ranks = wager.ranking, len(wager.ranking.ranks)
    if ranks > RANKS_MAX:
        raise InvalidData(f"expected {RANKS_MAX} ranks at most for {wager.title} to simulate it, got {ranks}")
    reading = _reading(ranking)
    by_rank: dict[Hashable, int] = {}
    by_suit: dict[Hashable, int] = {}
    rows, places = np.unique(_rank_rows(wager.judged_on), axis=0, return_inverse=True)
    numbers = [tuple(map(int, row)) for row in rows]
    # More than four cards of one rank are in no deck.
    of_rows = [by_rank.setdefault(reading.by_rank(row), len(by_rank)) if _dealt(row) else 0 for row in numbers]
    suits = np.zeros(SUIT_COUNTS, np.uint8)
    for bits in range(SUIT_COUNTS):
        held = (bits & 7, bits >> 3 & 7, bits >> 6 & 7, bits >> 9)
        if sum(held) == ranking.cards:
            suits[bits] = by_suit.setdefault(reading.by_suit(held), len(by_suit))
    stride = ranks + 1 if any(_needs(ranking)) else 1
    firsts = np.zeros((len(by_rank), len(by_suit), stride), np.uint8)
    for of_ranks, row in by_rank.items():
        for of_suits, column in by_suit.items():
            met = reading.places(of_ranks, of_suits)
            for start in range(stride):
                firsts[row, column, start] = next((place for place in met if place >= start), 0)
    return _Tables(np.array(of_rows, np.uint16)[places.ravel()], suits, firsts.ravel(), len(by_suit), stride)


def _rank_rows(judged_on: JudgedOn) -> NDArray[np.int64]:
    """Return the ranks that are judged, in order, for each place where the kernel looks for them."""
    match judged_on:
        case "own_three":
            rows = _TRIPLES
        case "own_four":
            rows = np.array([(first, *triple) for first in range(2, 15) for triple in _TRIPLES])
        case "community":
            rows = _PAIRS
        case "own_five":
            shown, held = np.repeat(_PAIRS, RANK_SETS, axis=0), np.tile(_TRIPLES, (len(_PAIRS), 1))
            rows = np.hstack([shown, held])
        case "table_best":
            raise InvariantBroken("a bet on the best hand at the table is counted in a column of its own")
        case _:
            assert_never(judged_on)
    return np.sort(rows, axis=1)


def _dealt(numbers: tuple[int, ...]) -> bool:
    return max(Counter(numbers).values()) <= 4


def _needs(ranking: Ranking) -> list[list[int]]:
    """Return the single cards that each rank asks for, by their index."""
    asked = [rank.when.get(INCLUDES, ()) if isinstance(rank, ListedRank) else () for rank in ranking.ranks]
    return [[Card.parse(card).index for card in cards] for cards in asked]  # type: ignore[union-attr]  # a list of cards


def ranking_counts(ranking: Ranking) -> tuple[int, ...]:
    """Return how many hands have each rank, best first."""
    # Ranks are equal by their names alone: what they ask for is part of the key.
    asked = tuple(
        (rank.name, tuple(rank.when.items()) if isinstance(rank, ListedRank) else ()) for rank in ranking.ranks
    )
    key = ranking.cards, asked
    if key not in _COUNTED:
        _COUNTED[key] = _counted(ranking)
    return _COUNTED[key]


_COUNTED: Final[dict[Hashable, tuple[int, ...]]] = {}


def _counted(ranking: Ranking) -> tuple[int, ...]:
    if all(isinstance(rank, ListedRank) for rank in ranking.ranks):
        return tuple(many for _, many in counts(ranking))
    found, reading = [0] * len(ranking.ranks), _reading(ranking)
    for numbers in combinations_with_replacement(range(2, 15), ranking.cards):
        if _dealt(numbers):
            of_ranks = reading.by_rank(numbers)
            for suits, many in suits_of_shape(tuple(sorted(Counter(numbers).values()))).items():
                found[reading.places(of_ranks, reading.by_suit(suits))[0]] += many
    return tuple(found)
