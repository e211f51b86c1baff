"""Side bets and Cover All, against a second method."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations, pairwise
from math import comb, sqrt

import numpy as np
import pytest

from letitride.analysis.base import best_play, plain_nets
from letitride.analysis.best_hand import CATEGORIES, best_hands
from letitride.analysis.side_bets import combine, price_side
from letitride.rules import catalog
from letitride.rules.cards import DECK, Card
from letitride.rules.three_hands import ThreeCardCategory
from letitride.rules.wagers import Award
from tests.analysis import independent

BONUS = [name for name in catalog.paytable_ids() if "bonus" in catalog.paytable(name).pays]
THREE = [name for name in catalog.paytable_ids() if "three_card" in catalog.paytable(name).pays]
_THREE_ORDER = tuple(reversed(ThreeCardCategory))


def bonus_nets(table_id: str) -> list[Fraction]:
    pays = catalog.paytable(table_id).pays["bonus"]
    assert pays.award is Award.TOTAL
    listed = [pays.columns[0].get(category) for category in pays.listed] + [None] * 10
    return [Fraction(-1) if pay is None else pay - 1 for pay in listed[:10]]


@pytest.mark.parametrize("table_id", BONUS)
def test_a_bonus_is_priced_over_all_hands(table_id: str) -> None:
    pays = catalog.paytable(table_id).pays["bonus"]
    counts = independent.prospects()[0].sum(axis=(0, 1)) // 20
    assert int(counts.sum()) == 2_598_960
    nets = bonus_nets(table_id)
    found = price_side(pays)
    assert found.house_edge == -sum(net * int(count) for net, count in zip(nets, counts, strict=True)) / 2_598_960
    hit = sum(int(count) for net, count in zip(nets, counts, strict=True) if net >= 0)
    assert found.hit_frequency == Fraction(hit, 2_598_960)


@pytest.mark.parametrize("table_id", THREE)
def test_a_three_card_bet_is_priced_over_all_hands(table_id: str) -> None:
    pays = catalog.paytable(table_id).pays["three_card"]
    column = independent.three_card_columns()
    nets = [pay if (pay := pays.pay(category)) is not None else Fraction(-1) for category in _THREE_ORDER]
    counts = np.bincount(column, minlength=7)
    found = price_side(pays)
    assert found.house_edge == -sum(net * int(count) for net, count in zip(nets, counts, strict=True)) / 22_100
    assert found.hit_frequency == Fraction(int(counts[:6].sum()), 22_100)


def test_base_and_side_bets_together_are_those_of_every_case() -> None:
    base = catalog.paytable("LIRB-25").pays
    three = catalog.paytable("3CB-1").pays["three_card"]
    nets = plain_nets(base["base"])
    sides = {"bonus": (base["bonus"], Fraction(1, 10)), "three_card": (three, Fraction(1, 2))}
    found = combine(nets, best_play(nets), sides)
    counts, _ = independent.prospects()
    base_nets = np.array([float(nets(column, 1)) for column in range(10)])
    four = counts @ base_nets
    bets = 1 + (four.sum(axis=1) > 0)[:, None].astype(int) + ((four > 0) & (counts.sum(axis=2) > 0))
    bonus = np.array([float(net) for net in bonus_nets("LIRB-25")]) / 10
    side = np.array([float(pay) if (pay := three.pay(c)) is not None else -1.0 for c in _THREE_ORDER]) / 2
    per_hand = side[independent.three_card_columns()]
    total = counts.sum()
    weight = counts / total
    result = bets[:, :, None] * base_nets + bonus + per_hand[:, None, None]
    mean = (weight * result).sum()
    assert float(found.loss) == pytest.approx(-mean, abs=1e-12)
    assert found.standard_deviation == pytest.approx(sqrt((weight * (result - mean) ** 2).sum()), rel=1e-9)
    base_result = bets[:, :, None] * base_nets
    base_mean = (weight * base_result).sum()
    for wager, own in (
        ("bonus", bonus + 0 * base_result),
        ("three_card", per_hand[:, None, None] + 0 * base_result),
    ):
        covariance = (weight * base_result * own).sum() - base_mean * (weight * own).sum()
        assert float(found.covariance[wager]) == pytest.approx(covariance, rel=1e-9)


def brute_two_hands(community: tuple[int, int]) -> list[Fraction]:
    """Return how likely the better of two hands is of each column 0 to 6 or better, every packet gone through."""
    rest = [card for card in range(52) if card not in community]
    packets = np.array(list(combinations(rest, 3)), dtype=np.int64)
    column = independent.columns(np.concatenate([np.broadcast_to(community, (len(packets), 2)), packets], axis=1))
    masks = np.bitwise_or.reduce(np.int64(1) << packets, axis=1)
    found = []
    for worst in range(7):
        winners = masks[column <= worst]
        apart = int(((winners[:, None] & winners[None, :]) == 0).sum())
        nobody = 1 - Fraction(2 * len(winners), comb(50, 3)) + Fraction(apart, comb(50, 3) * comb(47, 3))
        found.append(1 - nobody)
    return found


def test_cover_all_with_one_hand_is_the_five_card_hand() -> None:
    counts = independent.prospects()[0].sum(axis=(0, 1)) // 20
    assert list(best_hands(1).values()) == [Fraction(int(count), 2_598_960) for count in counts[:7]]


@pytest.mark.slow
def test_cover_all_with_two_hands_is_that_of_every_pair_of_packets() -> None:
    classes: dict[tuple[int, int, bool], tuple[tuple[int, int], int]] = {}
    for first, second in combinations(range(52), 2):
        name = (first // 4, second // 4, first % 4 == second % 4)
        community, many = classes.get(name, ((first, second), 0))
        classes[name] = (community, many + 1)
    reached = [Fraction(0)] * 7
    for community, many in classes.values():
        reached = [a + many * b for a, b in zip(reached, brute_two_hands(community), strict=True)]
    reached = [value / 1326 for value in reached]
    exact = [reached[0], *(b - a for a, b in pairwise(reached))]
    assert list(best_hands(2).values()) == exact


@pytest.mark.parametrize("hands", range(3, 8))
def test_cover_all_with_more_hands_agrees_with_random_deals(hands: int) -> None:
    rounds = 200_000
    best = np.concatenate(list(independent.deals(rounds, hands, seed=hands)))
    for column, probability in enumerate(best_hands(hands).values()):
        expected = float(probability) * rounds
        assert abs((best == column).sum() - expected) < 5 * sqrt(expected) + 5


@pytest.mark.slow
def test_a_known_dead_card_counts_and_an_unknown_one_does_not() -> None:
    average = {category: Fraction(0) for category in CATEGORIES}
    for card in (Card.parse("Ah"), Card.parse("7c")):
        assert best_hands(3, [card]) != best_hands(3)
    for rank in range(2, 15):  # over all thirteen ranks, of any suit, it is as if nothing were known
        known = best_hands(2, [next(card for card in DECK if card.rank == rank)])
        average = {category: average[category] + known[category] / 13 for category in CATEGORIES}
    assert average == best_hands(2)
