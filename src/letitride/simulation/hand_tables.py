"""Hand tables: what the kernel looks hands up in, made from a way to play by the proven classes of the analysis."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import cache
from itertools import combinations_with_replacement
from typing import Final

import numpy as np
from numpy.typing import NDArray

from letitride.analysis.base import Play
from letitride.analysis.base_rows import FOUR_CARD_ROWS, PROFILES
from letitride.analysis.classes import FOUR_CARDS
from letitride.analysis.features import Feature, feature_of
from letitride.analysis.vector_hands import columns
from letitride.rules.cards import SUITS, Card
from letitride.rules.three_hands import ThreeCardCategory, evaluate_three
from letitride.simulation.game import BROADWAY, KEY_BITS, RANK_KEYS, RANK_SETS

_RANKS: Final = range(13)
_TRIPLES: Final = tuple(combinations_with_replacement(_RANKS, 3))
_TEN_TO_ACE: Final = (8, 9, 10, 11, 12)
NO_HAND: Final = 15
"""For five cards of one rank, which no deck has."""


def packets(play: Play) -> NDArray[np.uint32]:
    """Return `Game.packets` for a way to play."""
    table = np.zeros(1 << KEY_BITS, np.uint32)
    for number, ranks in enumerate(_TRIPLES):
        word = number
        for suited in (0, 1) if _can_be_suited(ranks) else (0,):
            profile = _profile(ranks, bool(suited))
            word |= play.bet1[profile] << (9 + suited) | PROFILES[profile][1] << (11 + 3 * suited)
        table[sum(RANK_KEYS[rank] for rank in ranks)] = word
    return table


def outcomes(play: Play) -> NDArray[np.uint8]:
    """Return `Game.outcomes` for a way to play."""
    table = _codes().copy()
    for first in _RANKS:
        rides = np.zeros(RANK_SETS, np.uint8)
        for number, ranks in enumerate(_TRIPLES):
            four = tuple(sorted((*ranks, first)))
            for suited in (0, 1) if _can_be_suited(four) else (0,):
                for ridden in (False, True):
                    rides[number] |= play.bet2[ridden][_row(four, bool(suited))] << (4 + suited + 2 * ridden)
        table[first] |= rides
    return table.reshape(-1)


@cache
def _codes() -> NDArray[np.uint8]:
    """Return the code of every set of three ranks with every two ranks of community cards, in no one suit."""
    found = np.empty((13, 13, RANK_SETS), np.uint8)
    for first in _RANKS:
        for second in _RANKS:
            ranks = np.sort(np.array([(*triple, first, second) for triple in _TRIPLES]), axis=1)
            # Equal ranks get suits in turn; the last of five different ones another suit than the first.
            cards = 4 * ranks + np.array([0, 1, 2, 3, 1])
            codes = columns(cards)
            codes[(ranks == _TEN_TO_ACE).all(axis=1)] = BROADWAY
            codes[ranks[:, 0] == ranks[:, 4]] = NO_HAND
            found[first, second] = codes
    return found


@cache
def _row(ranks: tuple[int, ...], suited: bool) -> int:
    """Return the four-card row of four ranks; no one can hold five of a rank, but four fours of it are a row."""
    return _rows()[feature_of(_cards(ranks, suited))]


@cache
def _rows() -> dict[Feature, int]:
    place = {row: number for number, row in enumerate(FOUR_CARD_ROWS)}
    return {Feature(4, kind, ways, highs): place[row] for kind, ways, highs, _, row in FOUR_CARDS}


@cache
def _profile(ranks: tuple[int, ...], suited: bool) -> int:
    """Return the profile of three ranks: its three-card category and where the 49 first community cards lead."""
    rows: Counter[int] = Counter()
    for rank in _RANKS:
        held, four = ranks.count(rank), tuple(sorted((*ranks, rank)))
        in_suit = int(suited and not held)
        if in_suit:
            rows[_row(four, True)] += 1
        if held < 4 and (others := 4 - held - in_suit):
            rows[_row(four, False)] += others
    return _profiles()[evaluate_three(_cards(ranks, suited)), tuple(sorted(rows.items()))]


@cache
def _profiles() -> dict[tuple[ThreeCardCategory, tuple[tuple[int, int], ...]], int]:
    return {(ThreeCardCategory(kind), profile): number for number, (_, kind, profile) in enumerate(PROFILES)}


def _can_be_suited(ranks: Sequence[int]) -> bool:
    return len(set(ranks)) == len(ranks)


def _cards(ranks: tuple[int, ...], suited: bool) -> tuple[Card, ...]:
    """Return cards of these ranks: all of one suit, or as different as they can be."""
    return tuple(Card(rank + 2, SUITS[0 if suited else place % 4]) for place, rank in enumerate(ranks))
