"""Observations: what a learner is shown of a round, as numbers; never a card that the player does not see.

Cards, `MultiDiscrete([3, 3, 3, 53, 53, 53, 53, 53])`: the stage (0 bet 1 is open, 1 bet 2 is open, 2 the round is
over), bets 1 and 2 (0 open, 1 taken back, 2 rides), the three cards in ascending order, the two community cards. A card
is 1 + its index, from 1 (2c) to 52 (As), and 0 lies face down.

Classes, `Discrete(100)`: 0 to 32 the class of three cards, 33 to 65 the class of four cards where bet 1 was taken back,
66 to 98 the same where bet 1 rides, 99 the round is over. The classes are those of `analysis.classes`; hands of one
class have the same prospects, so nothing that the best play needs is lost, unless a maximum payout changes it.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from itertools import combinations_with_replacement
from typing import Any, Final, Literal

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from letitride.analysis.base import Ties
from letitride.analysis.classes import FOUR_CARDS, THREE_CARDS
from letitride.analysis.features import Feature, feature_of
from letitride.analysis.strategy import best_strategy
from letitride.errors import InvalidData
from letitride.rules.cards import SUITS, Card
from letitride.rules.paytables import Pays
from letitride.simulation.game import KEY_BITS, RANK_KEYS, RANK_SETS

Encoding = Literal["cards", "classes"]

WITHDRAW: Final = 0
RIDE: Final = 1
FACES: Final = 53
FIELDS: Final = (3, 3, 3, FACES, FACES, FACES, FACES, FACES)
OVER: Final = len(THREE_CARDS) + 2 * len(FOUR_CARDS)
"""The class of a round that is over."""


def _features() -> tuple[Feature, ...]:
    three = (Feature(3, kind, ways, highs) for kind, ways, highs, _, _ in THREE_CARDS)
    four = (Feature(4, kind, ways, highs) for kind, ways, highs, _, _ in FOUR_CARDS)
    return (*three, *four)


CLASSES: Final = _features()
"""The 33 classes of three cards and the 33 of four, in the order of their numbers."""
_NUMBERS: Final = {feature: number for number, feature in enumerate(CLASSES)}


def space_of(encoding: Encoding) -> spaces.Space[Any]:
    """Return the observation space of one seat."""
    match encoding:
        case "cards":
            return spaces.MultiDiscrete(list(FIELDS), dtype=np.int8)
        case "classes":
            return spaces.Discrete(OVER + 1)
        case _:
            raise InvalidData(f"expected 'cards' or 'classes' for the observation, got {encoding!r}")


def faces_of(cards: Sequence[Card]) -> list[int]:
    """Return five cards as numbers, the player's own three in ascending order."""
    return [*sorted(card.index + 1 for card in cards[:3]), *(card.index + 1 for card in cards[3:5])]


def class_of(cards: Sequence[Card], bet_1_rides: bool) -> int:
    """Return the class of three or four cards, or that of a round that is over."""
    if len(cards) > 4:
        return OVER
    number = _NUMBERS[feature_of(cards)]
    return number + (len(FOUR_CARDS) if len(cards) == 4 and bet_1_rides else 0)


def best_actions(pays: Pays, ties: Ties = "withdraw") -> NDArray[np.int64]:
    """Return the best action for each class, by the exact analysis: what a learner should find."""
    best = best_strategy(pays, ties)
    three = [feature in best.bet1 for feature in CLASSES[: len(THREE_CARDS)]]
    four = [feature in best.bet2 for feature in CLASSES[len(THREE_CARDS) :]]
    return np.array([*three, *four, *four, False], np.int64)


@cache
def class_tables() -> tuple[NDArray[np.uint8], NDArray[np.uint8]]:
    """Return the classes as the kernel looks them up, by the number of three ranks and of a fourth, suited or not.

    The first by 2 x number + suited, the second by 2 x (13 x number + rank of the fourth) + suited.
    """
    three = np.zeros(2 * RANK_SETS, np.uint8)
    four = np.zeros(26 * RANK_SETS, np.uint8)
    for number, ranks in enumerate(combinations_with_replacement(range(13), 3)):
        for suited in (False, True):
            three[2 * number + suited] = _class_of_ranks(ranks, suited)
            for fourth in range(13):
                four[2 * (13 * number + fourth) + suited] = _class_of_ranks((*ranks, fourth), suited)
    return three, four


@cache
def set_numbers() -> NDArray[np.uint16]:
    """Return the number of every three ranks by the sum of their keys."""
    numbers = np.zeros(1 << KEY_BITS, np.uint16)
    for number, ranks in enumerate(combinations_with_replacement(range(13), 3)):
        numbers[sum(RANK_KEYS[rank] for rank in ranks)] = number
    return numbers


def _class_of_ranks(ranks: tuple[int, ...], suited: bool) -> int:
    """Return the class of cards of these ranks: of one suit where that can be, else as different as they can be."""
    one_suit = suited and len(set(ranks)) == len(ranks)
    ordered = sorted(ranks)
    return _NUMBERS[feature_of([Card(rank + 2, SUITS[0 if one_suit else at % 4]) for at, rank in enumerate(ordered)])]
