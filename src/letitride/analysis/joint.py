"""Joint: how the base game and any side bets of one hand fall together, counted over every case; it prices nothing.

A case is a three-card hand with a first and a second community card. Hands that differ only in suits which the side
bets treat alike are counted once, as many times as there are of them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache, reduce
from itertools import combinations, permutations
from math import prod
from typing import Final

import numpy as np
from numpy.typing import NDArray

from letitride.analysis.base import FIRST_CARDS, Play
from letitride.analysis.base_rows import FOUR_CARD_ROWS, PROFILES
from letitride.analysis.find_rows import LOSES
from letitride.analysis.vector_hands import columns
from letitride.errors import InvalidData
from letitride.rules.cards import DECK, RANKS, SUITS, Card
from letitride.rules.rankings import (
    FIVE_CARD,
    INCLUDES,
    THREE_CARD,
    AnyCategory,
    ListedRank,
    Ranking,
    Suits,
    meets_by_rank,
    meets_by_suit,
)
from letitride.rules.three_hands import evaluate_three
from letitride.rules.wagers import Wager

Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]
Case = tuple[int, int, int, tuple[int, ...]]
"""Profile, four-card row, column, and the place of each side bet's rank in its ranking."""

KEPT: Final = 64
_CHUNK: Final = 200
"""How many hands are gone through at once."""
_DENSE: Final = 2**23
"""Up to so many different codes are counted in one array."""
_NAMED: Final = len(FOUR_CARD_ROWS) * (LOSES + 1)
_OTHERS: Final = np.array([[other for other in range(FIRST_CARDS) if other != first] for first in range(FIRST_CARDS)])


def joint_cases(
    play: Play, wagers: Sequence[Wager], nets: Sequence[Sequence[int]]
) -> Iterator[tuple[int, int, int, tuple[AnyCategory | None, ...]]]:
    """Yield (cases, bets that rode, column, rank for each wager) over all hands and community cards.

    `nets` are what the ranks of each wager that may be taken back win or lose, best first, and last its result
    where it is. It has no rank where its player takes it back: where it is worth no more by the cards seen.
    """
    asked = tuple(wagers)
    for wager in asked:
        if wager.by_hands:
            raise InvalidData(
                f"expected side bets that one player's hand or the community cards decide, got {wager.title}, which "
                "goes by the best hand at the table"
            )
    counted: Counter[tuple[int, int, tuple[int, ...]]] = Counter()
    # Two wagers of one name may have other conditions: their digests tell them apart.
    decided = tuple(tuple(row) if wager.withdraw else () for wager, row in zip(asked, nets, strict=True))
    found = _counted(asked, tuple(wager.digest for wager in asked), decided)
    for (profile, row, column, places), cases in found.items():
        ridden = play.bet1[profile]
        counted[1 + ridden + play.bet2[ridden][row], column, places] += cases
    for (bets, column, places), cases in counted.items():
        yield cases, bets, column, tuple(_rank(w, place) for w, place in zip(asked, places, strict=True))


def _rank(wager: Wager, place: int) -> AnyCategory | None:
    return wager.ranking.ranks[place] if place < len(wager.ranking.ranks) else None


@lru_cache(KEPT)
def _counted(
    wagers: tuple[Wager, ...], _digests: tuple[str, ...], nets: tuple[tuple[int, ...], ...]
) -> Mapping[Case, int]:
    hands, weights = hands_of_kinds(wagers)
    readers = [reader(wager.ranking) for wager in wagers]
    sizes = [len(wager.ranking.ranks) + bool(row) for wager, row in zip(wagers, nets, strict=True)]
    total: Counter[int] = Counter()
    for some, many, held, first, second in chunks_of_cases(hands, weights):
        column = _five_columns((*held, first, second))
        row, profile = _rows_and_profiles(some, column)
        code = (profile[:, None, None] * len(FOUR_CARD_ROWS) + row[:, :, None]) * (LOSES + 1) + column
        for wager, size, read, row_nets in zip(wagers, sizes, readers, nets, strict=True):
            place = read(judged(wager, held, first, second))
            if row_nets:
                place, _ = kept_places(np.broadcast_to(place, column.shape), row_nets, max(wager.withdraw))
            code = code * size + place
        _tally(total, code, np.broadcast_to(many[:, None, None], code.shape), len(PROFILES) * _NAMED * prod(sizes))
    return {_case(code, sizes): cases for code, cases in total.items()}


def chunks_of_cases(hands: Ints, weights: Ints) -> Iterator[tuple[Ints, Ints, tuple[Ints, ...], Ints, Ints]]:
    """Yield some hands at a time with their weights, their cards, and the first and the second community cards."""
    for start in range(0, len(hands), _CHUNK):
        some, many = hands[start : start + _CHUNK], weights[start : start + _CHUNK]
        held = tuple(some[:, place, None, None] for place in range(3))
        yield some, many, held, *_community(some)


def kept_places(places: Ints, nets: Sequence[int], decision: int) -> tuple[Ints, Bools]:
    """Return the places of ranks, one past the last where a bet is taken back, and whether it stays.

    Places come by hands, first and second community cards; the first decision knows the hand alone. The last of `nets`
    is the result of a bet that is taken back.
    """
    *of_ranks, back = nets
    gained = (np.array(of_ranks, np.int64) - back)[places].sum(axis=2)
    stays = gained.sum(axis=1) > 0 if decision == 1 else gained > 0
    return np.where(stays[:, None, None] if decision == 1 else stays[:, :, None], places, len(of_ranks)), stays


def _tally(total: Counter[int], code: Ints, weights: Ints, codes: int) -> None:
    found, place = (np.arange(codes), code.ravel()) if codes <= _DENSE else np.unique(code.ravel(), return_inverse=True)
    cases = np.bincount(place, weights=weights.ravel(), minlength=len(found))  # whole numbers far below 2 to the 53rd
    for one in np.flatnonzero(cases):
        total[int(found[one])] += int(cases[one])


def _case(code: int, sizes: Sequence[int]) -> Case:
    places = []
    for size in reversed(sizes):
        code, place = divmod(code, size)
        places.append(place)
    profile, named = divmod(code, _NAMED)
    row, column = divmod(named, LOSES + 1)
    return profile, row, column, tuple(reversed(places))


def hands_of_kinds(wagers: Sequence[Wager]) -> tuple[Ints, Ints]:
    """Return one three-card hand of each kind that the wagers cannot tell apart, and how many there are of it."""
    every = np.array(list(combinations(range(len(DECK)), 3)), dtype=np.int64)
    renamings = alike(wagers)
    names = np.stack([np.sort(every // 4 * 4 + suits[every % 4], axis=1) @ [52**2, 52, 1] for suits in renamings])
    _, place, many = np.unique(names.min(axis=0), return_index=True, return_counts=True)
    return every[place], many.astype(np.int64)


def alike(wagers: Sequence[Wager]) -> list[Ints]:
    """Return the renamings of suits under which every wager's ranks stay the same."""
    listed = [w.ranking for w in wagers if w.ranking not in {FIVE_CARD, THREE_CARD}]
    renamings = [np.array(suits, dtype=np.int64) for suits in permutations(range(len(SUITS)))]
    return [suits for suits in renamings if all(_unchanged(ranking, suits) for ranking in listed)]


def _unchanged(ranking: Ranking, suits: Ints) -> bool:
    renamed = _key(len(SUITS), tuple(suits[_digits(len(SUITS), ranking.cards)].T))
    for rank in _ranks(ranking):
        met, included = _by_suit(rank, ranking.cards), _included(rank)
        if {index // 4 * 4 + int(suits[index % 4]) for index in included} != set(included):
            return False
        if not np.array_equal(met, met[renamed]):
            return False
    return True


def _community(hands: Ints) -> tuple[Ints, Ints]:
    """Return the first and the second community cards that hands leave, for each of the first ones all second ones."""
    left = np.ones((len(hands), len(DECK)), dtype=bool)
    np.put_along_axis(left, hands, False, axis=1)
    rest = np.nonzero(left)[1].reshape(len(hands), FIRST_CARDS)
    return rest[:, :, None], rest[:, _OTHERS]


def judged(wager: Wager, held: tuple[Ints, ...], first: Ints, second: Ints) -> tuple[Ints, ...]:
    """Return the cards that a wager is judged on, each as an array over hands, first and second community cards."""
    match wager.judged_on:
        case "own_three":
            return held
        case "own_four":
            return (*held, first)
        case "community":
            return (first, second)
        case _:
            return (*held, first, second)


Reader = Callable[[Sequence[Ints]], Ints]
"""Returns the place of many hands' rank in a ranking, best first."""


def reader(ranking: Ranking) -> Reader:
    """Return what reads many hands at once by a ranking."""
    if ranking == FIVE_CARD:
        return _read_five
    return _read_three if ranking == THREE_CARD else _read_listed(ranking)


def _read_five(cards: Sequence[Ints]) -> Ints:
    column = _five_columns(cards)
    return np.where(column < LOSES, column, LOSES + ~_PAIRED[_rank_key(cards)])


def _read_three(cards: Sequence[Ints]) -> Ints:
    place = {rank: number for number, rank in enumerate(THREE_CARD.ranks)}
    hands = np.stack([card.ravel() for card in cards], axis=1).tolist()
    return np.array([place[evaluate_three(DECK[card] for card in hand)] for hand in hands])[:, None, None]


def _read_listed(ranking: Ranking) -> Reader:
    tables = [
        (number, _by_rank(rank, ranking.cards), _by_suit(rank, ranking.cards), _included(rank))
        for number, rank in reversed(list(enumerate(_ranks(ranking))))
    ]

    def read(cards: Sequence[Ints]) -> Ints:
        rank_key, suit_key = _rank_key(cards), _suit_key(cards)
        found = np.zeros(np.broadcast_shapes(*(card.shape for card in cards)), dtype=np.int64)
        for number, by_rank, by_suit, included in tables:
            met = by_rank[rank_key] & by_suit[suit_key]
            for index in included:
                met &= reduce(np.logical_or, [card == index for card in cards])
            found[met] = number
        return found

    return read


def _included(rank: ListedRank) -> list[int]:
    return [Card.parse(name).index for name in rank.when.get(INCLUDES, ())]  # type: ignore[union-attr]  # a list of cards


def _ranks(ranking: Ranking) -> tuple[ListedRank, ...]:
    return tuple(rank for rank in ranking.ranks if isinstance(rank, ListedRank))


def _by_rank(rank: ListedRank, cards: int) -> Bools:
    """Return whether ranks meet a rank's conditions, by their key."""
    ordered, place = _ordered(cards)
    return np.array([meets_by_rank(rank, numbers) for numbers in ordered])[place]


@lru_cache
def _ordered(cards: int) -> tuple[list[list[int]], Ints]:
    """Return every so many ranks in order, and the place there of those of each key."""
    digits = np.sort(_digits(len(RANKS), cards), axis=1)
    _, first, place = np.unique(_key(len(RANKS), tuple(digits.T)), return_index=True, return_inverse=True)
    return (digits[first] + 2).tolist(), place.ravel()


def _by_suit(rank: ListedRank, cards: int) -> Bools:
    """Return whether suits meet a rank's conditions, by their key."""
    return np.array([meets_by_suit(rank, _suit_counts(suits)) for suits in _digits(len(SUITS), cards).tolist()])


def _suit_counts(suits: Sequence[int]) -> Suits:
    clubs, diamonds, hearts, spades = (suits.count(suit) for suit in range(len(SUITS)))
    return clubs, diamonds, hearts, spades


@lru_cache
def _digits(base: int, many: int) -> Ints:
    """Return the digits of every key of so many cards."""
    return np.stack(np.unravel_index(np.arange(base**many), (base,) * many), axis=1)


def _key(base: int, digits: Sequence[Ints]) -> Ints:
    return reduce(lambda key, digit: key * base + digit, digits)


def _rank_key(cards: Sequence[Ints]) -> Ints:
    return _key(len(RANKS), [card // 4 for card in cards])


def _suit_key(cards: Sequence[Ints]) -> Ints:
    return _key(len(SUITS), [card % 4 for card in cards])


def _tables() -> tuple[Ints, Ints, Bools]:
    """Return the column of every five ranks, unsuited and suited, and whether two of them are the same."""
    ranks = _digits(len(RANKS), 5)
    ordered = np.sort(ranks, axis=1)
    unsuited, suited = columns(4 * ranks + np.array([0, 1, 2, 3, 0])), columns(4 * ranks)
    return unsuited, suited, (ordered[:, 1:] == ordered[:, :-1]).any(axis=1)


_UNSUITED, _SUITED, _PAIRED = _tables()
_POWERS: Final = 49 ** np.arange(LOSES + 1, dtype=np.int64)
"""No count of a row is over 48: as digits they tell rows apart."""
_ROW_KEYS: Final = {int(np.array(row, dtype=np.int64) @ _POWERS): number for number, row in enumerate(FOUR_CARD_ROWS)}
_PROFILES: Final = {(category, profile): number for number, (_, category, profile) in enumerate(PROFILES)}


def _five_columns(cards: Sequence[Ints]) -> Ints:
    key = _rank_key(cards)
    suits = [card % 4 for card in cards]
    suited = reduce(np.logical_and, [suit == suits[0] for suit in suits[1:]])
    return np.where(suited, _SUITED[key], _UNSUITED[key])


def _rows_and_profiles(hands: Ints, column: Ints) -> tuple[Ints, Ints]:
    """Return the four-card row of each hand and first card, and the profile of each hand."""
    keys = _POWERS[column].sum(axis=2)
    known, place = np.unique(keys, return_inverse=True)
    row = np.array([_ROW_KEYS[int(key)] for key in known])[place].reshape(len(hands), FIRST_CARDS)
    profiles = []
    for cards, rows in zip(hands.tolist(), row.tolist(), strict=True):
        category = int(evaluate_three(DECK[card] for card in cards))
        profiles.append(_PROFILES[category, tuple(sorted(Counter(rows).items()))])
    return row, np.array(profiles)
