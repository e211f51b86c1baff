"""Two opponents: the exact joint result of two hands that share the community cards, against a bank or a maximum.

For every ordered pair of community cards each packet of three has a result; how many pairs of disjoint packets have two
given results follows from how often each card, pair and packet occurs among them, by inclusion and exclusion.
"""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import combinations
from math import comb

import numpy as np
from numpy.typing import NDArray

from letitride.analysis.bank import BankRisk, risk_over, wager_results
from letitride.analysis.base import columns_of
from letitride.analysis.caps import check_maximum
from letitride.analysis.distribution import Distribution
from letitride.analysis.features import Feature, feature_of
from letitride.analysis.find_rows import suits_of
from letitride.analysis.strategy import best_strategy
from letitride.analysis.vector_hands import columns
from letitride.rules.banking import Cover
from letitride.rules.cards import DECK
from letitride.rules.paytables import Pays
from letitride.rules.settlement import paid_on, share_payouts

Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]

_PACKETS = np.array(list(combinations(range(50), 3)), dtype=np.int64)
_PAIRS = {pair: number for number, pair in enumerate(combinations(range(50), 2))}
_PAIRS_OF = np.array(
    [[_PAIRS[a, b], _PAIRS[a, c], _PAIRS[b, c]] for a, b, c in combinations(range(50), 3)], dtype=np.int64
)
_CODES = 30
"""Bets that rode, 1 to 3, times ten columns."""


def joint_results(pays: Pays) -> tuple[Ints, int]:
    """Return how often two opponents who play best have each pair of results, by bets ridden and column."""
    best = best_strategy(pays)
    rides = _table(3, best.bet1), _table(4, best.bet2)
    total = np.zeros((_CODES, _CODES), dtype=object)
    for (first, second), times in _communities().items():
        total += times * _disjoint(_codes(first, second, *rides))
    return total, 52 * 51 * comb(50, 3) * comb(47, 3)


def _table(cards: int, ridden: frozenset[Feature]) -> Bools:
    """Return whether each set of so many cards rides, by the place of the set."""
    found = np.zeros(comb(52, cards), dtype=bool)
    by_index = sorted(DECK, key=lambda card: card.index)
    for held in combinations(by_index, cards):
        found[sum(comb(card.index, place) for place, card in enumerate(held, 1))] = feature_of(held) in ridden
    return found


def _places(sets: Ints) -> Ints:
    """Return the place of each set of cards among all of its size."""
    ordered = np.sort(sets, axis=1)
    found: Ints = np.zeros(len(ordered), dtype=np.int64)
    for column in range(ordered.shape[1]):
        found += _CHOOSE[ordered[:, column], column + 1]
    return found


_CHOOSE = np.array([[comb(card, place) for place in range(5)] for card in range(52)], dtype=np.int64)


def _communities() -> dict[tuple[int, int], int]:
    """Return ordered pairs of community cards up to the names of suits, each with how many there are of it."""
    found: dict[tuple[int, int, bool], tuple[tuple[int, int], int]] = {}
    for first in DECK:
        for second in DECK:
            if first is not second:
                name = (first.rank, second.rank, len(suits_of((first, second))) == 1)
                pair, times = found.get(name, ((first.index, second.index), 0))
                found[name] = (pair, times + 1)
    return dict(found.values())


def _codes(first: int, second: int, bet1: Bools, bet2: Bools) -> Ints:
    rest = np.array([card for card in range(52) if card not in (first, second)], dtype=np.int64)
    packets = rest[_PACKETS]
    five = np.concatenate([packets, np.broadcast_to([first, second], (len(packets), 2))], axis=1)
    codes: Ints = 10 * (bet1[_places(packets)].astype(np.int64) + bet2[_places(five[:, :4])]) + columns(five)
    return codes


def _disjoint(codes: Ints) -> Ints:
    """Return how many ordered pairs of disjoint packets have each pair of codes."""
    many = np.bincount(codes, minlength=_CODES)
    cards = np.zeros((_CODES, 50), dtype=np.int64)
    pairs = np.zeros((_CODES, len(_PAIRS)), dtype=np.int64)
    for place in range(3):
        np.add.at(cards, (codes, _PACKETS[:, place]), 1)
        np.add.at(pairs, (codes, _PAIRS_OF[:, place]), 1)
    found: Ints = np.outer(many, many) - cards @ cards.T + pairs @ pairs.T - np.diag(many)
    return found


def bank_risk_of_two(
    pays: Pays, stake_cents: int, bet_cents: int, cover: Cover = "stake", fee_cents: int = 0
) -> BankRisk:
    """Return the exact risk of a bank against two opponents with three bets of an amount each.

    They play as is best where every bet is paid in full.
    """
    joint, total = joint_results(pays)
    listed = (*columns_of(pays), None)
    rounds = (
        (
            int(joint[one, two]),
            [
                result
                for code in (int(one), int(two))
                for result in wager_results(code // 10 + 1, bet_cents, listed[code % 10])
            ],
        )
        for one, two in zip(*np.nonzero(joint), strict=True)
    )
    return risk_over(rounds, total, stake_cents, cover, fee_cents)


def shared_cap(pays: Pays, stake_cents: int, payout_cents_max: int) -> Distribution:
    """Return what two players win together of a maximum payout that they share, in units of one bet.

    Each has three bets of one amount, and plays as is best where every bet is paid in full.
    """
    check_maximum(stake_cents, payout_cents_max)
    joint, total = joint_results(pays)
    listed = (*columns_of(pays), None)
    cases: Counter[Fraction] = Counter()
    for one, two in zip(*np.nonzero(joint), strict=True):
        hands = [(int(code) // 10 + 1, listed[code % 10]) for code in (one, two)]
        paid = [paid_on(pay, stake_cents) for bets, pay in hands if pay is not None for _ in range(bets)]
        lost = sum(bets for bets, pay in hands if pay is None)
        cases[Fraction(sum(share_payouts(paid, payout_cents_max)), stake_cents) - lost] += int(joint[one, two])
    return Distribution(dict(cases), total)
