"""Rankings: how the cards that a wager is judged on are named, best first; never what a name pays.

A ranking is poker's own (five cards, three cards) or a list of rules over the cards, as a wager's file states it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, lru_cache, total_ordering
from itertools import combinations, combinations_with_replacement, pairwise, product
from math import prod
from typing import Final

from letitride.rules.cards import RANKS, SUITS, Card
from letitride.rules.hands import Category, evaluate
from letitride.rules.three_hands import ThreeCardCategory, evaluate_three

RED: Final = "dh"
Suits = tuple[int, int, int, int]
"""How many cards of each suit there are, in the order of `SUITS`."""
Condition = str | int | tuple[str, ...]


@total_ordering
@dataclass(frozen=True, slots=True)
class ListedRank:
    """A rank that a wager's file lists: the greater the better, with the conditions that cards must meet for it."""

    place: int
    """0 for the worst."""
    id: str
    label: str
    when: Mapping[str, Condition] = field(default_factory=dict)

    def __lt__(self, other: ListedRank) -> bool:
        return self.place < other.place

    def __hash__(self) -> int:
        return hash((self.place, self.id))

    @property
    def name(self) -> str:
        """The id, written as the names of poker's ranks are."""
        return self.id.upper()


AnyCategory = Category | ThreeCardCategory | ListedRank


@dataclass(frozen=True, slots=True)
class Ranking:
    """How so many cards are named."""

    id: str
    cards: int
    ranks: tuple[AnyCategory, ...]
    """Best first."""

    def read(self, cards: Sequence[Card]) -> AnyCategory:
        """Return what cards are called: by poker, or the first rank whose conditions hold."""
        if isinstance(self.ranks[0], Category):
            return evaluate(cards).category
        if isinstance(self.ranks[0], ThreeCardCategory):
            return evaluate_three(cards)
        numbers, suits = tuple(sorted(card.rank for card in cards)), _suits(cards)
        return next(rank for rank in self.ranks if isinstance(rank, ListedRank) and _meets(rank, numbers, suits, cards))

    def rank(self, name: str) -> AnyCategory | None:
        """Return the rank of a name such as 'full_house', or None."""
        return next((rank for rank in self.ranks if rank.name.lower() == name), None)


POKER: Final = "poker"
"""The id of poker's own rankings, of which there is one for five cards and one for three."""
FIVE_CARD: Final = Ranking(POKER, 5, tuple(reversed(Category)))
THREE_CARD: Final = Ranking(POKER, 3, tuple(reversed(ThreeCardCategory)))
BY_POKER: Final = {ranking.cards: ranking for ranking in (FIVE_CARD, THREE_CARD)}
"""Poker's own rankings by the number of cards."""


def _suits(cards: Sequence[Card]) -> Suits:
    clubs, diamonds, hearts, spades = (sum(card.suit == suit for card in cards) for suit in SUITS)
    return clubs, diamonds, hearts, spades


def _meets(rank: ListedRank, numbers: Sequence[int], suits: Suits, cards: Sequence[Card]) -> bool:
    of_ranks = meets_by_rank(rank, numbers) and meets_by_suit(rank, suits)
    return of_ranks and set(rank.when.get("includes", ())) <= {str(card) for card in cards}  # type: ignore[arg-type]  # a list of cards


def meets_by_rank(rank: ListedRank, numbers: Sequence[int]) -> bool:
    """Whether the ranks of cards, in order, meet those conditions that speak of ranks."""
    return all(_OF_RANKS[name](numbers, wanted) for name, wanted in rank.when.items() if name in _OF_RANKS)


def meets_by_suit(rank: ListedRank, suits: Suits) -> bool:
    """Whether the suits of cards meet those conditions that speak of suits and colors."""
    return all(_OF_SUITS[name](suits, wanted) for name, wanted in rank.when.items() if name in _OF_SUITS)


def _longest_run(numbers: Sequence[int]) -> int:
    """Return how many different ranks follow one another, the ace below the two or above the king."""
    held = set(numbers)
    held |= {1} if 14 in held else set()
    longest = run = 1
    for low, high in pairwise(sorted(held)):
        run = run + 1 if high == low + 1 else 1
        longest = max(longest, run)
    return longest


def _pips(numbers: Sequence[int]) -> int:
    return sum(1 if rank == 14 else min(rank, 10) for rank in numbers)


def _colour(suits: Suits, wanted: Condition) -> bool:
    red = sum(many for suit, many in zip(SUITS, suits, strict=True) if suit in RED)
    black = sum(suits) - red
    return {"red": not black, "black": not red, "one": not red or not black}[str(wanted)]


_OF_RANKS: Final[Mapping[str, Callable[[Sequence[int], Condition], bool]]] = {
    "same_rank": lambda numbers, wanted: max(Counter(numbers).values()) >= int(str(wanted)),
    "in_sequence": lambda numbers, wanted: _longest_run(numbers) >= int(str(wanted)),
    "ranks": lambda numbers, wanted: all(RANKS[rank - 2] in wanted for rank in numbers),  # type: ignore[operator]  # a list of ranks
    "pips_min": lambda numbers, wanted: _pips(numbers) >= int(str(wanted)),
    "pips_max": lambda numbers, wanted: _pips(numbers) <= int(str(wanted)),
}
_OF_SUITS: Final[Mapping[str, Callable[[Suits, Condition], bool]]] = {
    "same_suit": lambda suits, wanted: max(suits) >= int(str(wanted)),
    "colour": _colour,
}
INCLUDES: Final = "includes"
CONDITIONS: Final[Mapping[str, str]] = {
    "same_rank": "so many cards or more have one rank",
    "same_suit": "so many cards or more have one suit",
    "in_sequence": "so many ranks or more follow one another; an ace is high or low, never inside",
    "colour": "all cards are 'red', all are 'black', or all are of 'one' color",
    "ranks": "every card has one of these ranks",
    INCLUDES: "all of these cards are among them",
    "pips_min": "the pips add up to so many or more: an ace is 1, a picture 10",
    "pips_max": "the pips add up to so many or fewer",
}
"""What cards can be asked for, and what it means."""


@dataclass(frozen=True, slots=True)
class Met:
    """How many hands meet the conditions of the same ranks, and one of them."""

    hands: int
    example: tuple[Card, ...]


@lru_cache(maxsize=64)
def matches(ranks: tuple[ListedRank, ...], cards: int) -> Mapping[tuple[ListedRank, ...], Met]:
    """Return over all hands of so many cards which ranks' conditions they meet together, with how many do.

    Hands are gone through by which of the single cards they hold that conditions ask for; of the other cards, ranks and
    suits are counted apart.
    """
    asked = {rank: frozenset(map(Card.parse, rank.when.get(INCLUDES, ()))) for rank in ranks}  # type: ignore[arg-type]  # a list of cards
    wanted = sorted(frozenset[Card]().union(*asked.values()))
    by_rank: dict[tuple[int, ...], list[ListedRank]] = {}
    found: dict[tuple[ListedRank, ...], Met] = {}
    for many in range(min(cards, len(wanted)) + 1):
        for held in combinations(wanted, many):
            may = {rank for rank in ranks if asked[rank] <= set(held)}
            for met, count in _with(held, wanted, ranks, cards, by_rank).items():
                named = tuple(rank for rank in met if rank in may)
                before = found.get(named)
                found[named] = Met(count.hands + before.hands, before.example) if before else count
    return found


def _with(
    held: tuple[Card, ...],
    wanted: Sequence[Card],
    ranks: Sequence[ListedRank],
    cards: int,
    by_rank: dict[tuple[int, ...], list[ListedRank]],
) -> dict[tuple[ListedRank, ...], Met]:
    """Return what hands meet that hold these of the wanted cards and none of the others, single cards left aside."""
    free = {rank: tuple(suit for suit in SUITS if Card(rank, suit) not in wanted) for rank in range(2, 15)}
    # Ranks held so often of so many suits that meet the same conditions have the same suits: each kind is met once.
    kinds: Counter[tuple[_Groups, tuple[ListedRank, ...]]] = Counter()
    first: dict[tuple[_Groups, tuple[ListedRank, ...]], tuple[int, ...]] = {}
    for numbers in combinations_with_replacement(range(2, 15), cards - len(held)):
        groups = Counter(numbers)
        if any(many > len(free[rank]) for rank, many in groups.items()):
            continue
        whole = tuple(sorted((*numbers, *(card.rank for card in held))))
        if whole not in by_rank:
            by_rank[whole] = [rank for rank in ranks if meets_by_rank(rank, whole)]
        kind = tuple(sorted((free[rank], many) for rank, many in groups.items())), tuple(by_rank[whole])
        kinds[kind] += 1
        first.setdefault(kind, numbers)
    own, found = _suits(held), dict[tuple[ListedRank, ...], Met]()
    for kind, times in kinds.items():
        for drawn, ways in _suits_of_groups(kind[0]).items():
            suits = own[0] + drawn[0], own[1] + drawn[1], own[2] + drawn[2], own[3] + drawn[3]
            met = tuple(rank for rank in kind[1] if meets_by_suit(rank, suits))
            before = found.get(met)
            example = before.example if before else (*held, *_example(first[kind], drawn, free))
            found[met] = Met(times * ways + (before.hands if before else 0), example)
    return found


_Groups = tuple[tuple[tuple[str, ...], int], ...]
"""The suits in which a rank may be held, and how often it is, rank by rank."""


@cache
def _suits_of_groups(groups: _Groups) -> Mapping[Suits, int]:
    """Return how often each count of suits comes over ranks held so many times each, of such suits."""
    counted: Counter[Suits] = Counter()
    for chosen in product(*(combinations(suits, many) for suits, many in groups)):
        held = Counter(suit for group in chosen for suit in group)
        clubs, diamonds, hearts, spades = (held[suit] for suit in SUITS)
        counted[clubs, diamonds, hearts, spades] += 1
    return counted


def suits_of_shape(shape: tuple[int, ...]) -> Mapping[Suits, int]:
    """Return how often each count of suits comes over ranks held so many times each: (1, 2) is a pair and another."""
    return _suits_of_groups(tuple((tuple(SUITS), many) for many in sorted(shape)))


def _example(numbers: tuple[int, ...], suits: Suits, free: Mapping[int, tuple[str, ...]]) -> tuple[Card, ...]:
    """Return cards of these ranks in these suits, which can be had."""
    groups = Counter(numbers)
    for chosen in product(*(combinations(free[rank], many) for rank, many in groups.items())):
        cards = [Card(rank, suit) for rank, group in zip(groups, chosen, strict=True) for suit in group]
        if _suits(cards) == suits:
            return tuple(cards)
    raise AssertionError  # pragma: no cover - `_suits_of_groups` counts only what can be had


def hands_of(cards: int) -> int:
    """Return how many hands of so many cards there are."""
    return prod(range(52, 52 - cards, -1)) // prod(range(1, cards + 1))


def counts(ranking: Ranking) -> Iterator[tuple[AnyCategory, int]]:
    """Yield each rank that a file lists with how many hands have it: the first whose conditions they meet."""
    ranks = tuple(rank for rank in ranking.ranks if isinstance(rank, ListedRank))
    counted: Counter[ListedRank] = Counter()
    for met, found in matches(ranks, ranking.cards).items():
        counted[met[0]] += found.hands
    yield from ((rank, counted[rank]) for rank in ranks)
