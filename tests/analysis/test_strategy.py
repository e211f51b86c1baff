"""Strategy: classes, rules and costs, against all hands."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from functools import cache
from itertools import combinations
from typing import Any

import numpy as np
import pytest

from letitride.analysis.base import price, scaled
from letitride.analysis.classes import FOUR_CARDS, THREE_CARDS
from letitride.analysis.design import table_of
from letitride.analysis.features import Feature, feature_of
from letitride.analysis.strategy import (
    ALWAYS_RIDE,
    BASIC,
    NAMED_STRATEGIES,
    NEVER_RIDE,
    advise,
    best_strategy,
    class_values,
    cost,
    read_strategy,
    rule_list,
    rules_ride,
)
from letitride.errors import InvalidData
from letitride.rules import catalog
from letitride.rules.cards import DECK, Card, parse_cards
from tests.analysis import independent

TABLES = ["LIRX-01", "LIRX-02", "LIRX-03", "LIRX-04", "LIRX-05", "LIRX-06", "HD-BASE"]


def base(table_id: str) -> Any:
    return catalog.paytable(table_id).pays["base"]


def test_every_hand_of_a_class_has_the_same_prospects_and_the_classes_are_all_hands() -> None:
    counts, hands = independent.prospects()
    rows = {(kind, ways, highs): (many, row) for kind, ways, highs, many, row in THREE_CARDS}
    seen: dict[tuple[str, int, int], int] = {}
    for hand, prospects in zip(hands.tolist(), counts.sum(axis=1).tolist(), strict=True):
        feature = feature_of([DECK[card] for card in hand])
        name = (feature.kind, feature.ways, feature.highs)
        assert tuple(prospects) == rows[name][1]
        seen[name] = seen.get(name, 0) + 1
    assert seen == {name: many for name, (many, _) in rows.items()}
    assert sum(many for _, _, _, many, _ in FOUR_CARDS) == 270_725


def test_every_four_cards_have_the_prospects_of_their_class() -> None:
    counts, hands = independent.prospects()
    rows = {(kind, ways, highs): row for kind, ways, highs, _, row in FOUR_CARDS}
    for hand, prospects in zip(hands[::37].tolist(), counts[::37].tolist(), strict=True):
        for card in range(52):  # with every first card: some 29,000 of them
            if card not in hand:
                feature = feature_of([DECK[one] for one in (*hand, card)])
                assert tuple(prospects[card]) == rows[feature.kind, feature.ways, feature.highs]


@pytest.mark.parametrize("ties", ["withdraw", "ride"])
@pytest.mark.parametrize("table_id", TABLES)
def test_the_rules_say_what_is_best_with_every_class_of_cards(table_id: str, ties: Any) -> None:
    pays = base(table_id)
    for many in (3, 4):
        for one in class_values(pays, many, ties):
            cards = examples()[one.feature]
            assert rules_ride(pays, cards, ties) == one.rides == advise(pays, cards, ties).rides
    assert len(rule_list(pays, 3, ties)) <= 6
    assert len(rule_list(pays, 4, ties)) <= 6


@cache
def examples() -> dict[Feature, tuple[Card, ...]]:
    """Return a hand of every class of three and of four cards."""
    found: dict[Feature, tuple[Card, ...]] = {}
    for cards in combinations(DECK, 3):
        found.setdefault(feature_of(cards), cards)
    for places, feature in four_card_features():
        if feature not in found:
            found[feature] = tuple(DECK[place] for place in places)
    return found


@cache
def four_card_features() -> list[tuple[tuple[int, ...], Feature]]:
    """Return all 270,725 times four cards by their places in the deck, with their class."""
    return [(cards, feature_of([DECK[card] for card in cards])) for cards in combinations(range(52), 4)]


def test_the_classes_decide_like_every_hand_by_itself() -> None:
    pays = base("LIRX-01")
    rides = {one.feature: one.rides for many in (3, 4) for one in class_values(pays, many)}
    counts, hands = independent.prospects()
    four = counts @ np.array(scaled(pays)[0])
    worth = dict(zip(map(tuple, hands.tolist()), (four > 0).tolist(), strict=True))
    for hand, won in zip(worth, four.sum(axis=1).tolist(), strict=True):
        assert rides[feature_of([DECK[card] for card in hand])] == (won > 0)
    for cards, feature in four_card_features():
        assert rides[feature] == worth[cards[:3]][cards[3]]


@pytest.mark.parametrize("table_id", TABLES)
def test_the_value_of_the_best_play_is_the_price(table_id: str) -> None:
    pays = base(table_id)
    assert cost(pays, best_strategy(pays)).house_edge == price(pays).house_edge
    assert cost(pays, best_strategy(pays)).per_round == 0
    assert cost(pays, best_strategy(pays)).average_wager == price(pays).average_wager
    assert {name: cost(pays, one).per_round >= 0 for name, one in NAMED_STRATEGIES.items()} == dict.fromkeys(
        NAMED_STRATEGIES, True
    )


def test_what_simple_ways_to_play_cost_by_a_second_method() -> None:
    pays = base("LIRX-01")
    nets, unit = scaled(pays)
    counts, _ = independent.prospects()
    mean = Fraction(int((counts @ np.array(nets)).sum()), 51_979_200 * unit)
    assert cost(pays, ALWAYS_RIDE).house_edge == -3 * mean
    assert cost(pays, NEVER_RIDE).house_edge == -mean
    assert cost(pays, BASIC).per_round == 0  # at this table it is the best play
    assert cost(base("LIRX-03"), BASIC).per_round > 0


def test_a_known_choice() -> None:
    pays = base("LIRX-01")
    assert not advise(pays, parse_cards("2h 3h 4h")).rides
    assert advise(pays, parse_cards("5h 6h 7h")).rides
    assert advise(pays, parse_cards("9c Td Jh Qs")).rides
    worthless = advise(pays, parse_cards("5c 6d 7h 8s"))
    assert (worthless.value, worthless.rides, advise(pays, parse_cards("5c 6d 7h 8s"), "ride").rides) == (
        0,
        False,
        True,
    )
    with pytest.raises(InvalidData, match="expected three or four cards, got 5"):
        advise(pays, parse_cards("5c 6d 7h 8s 9s"))


def test_a_custom_strategy_is_read_or_refused() -> None:
    own = read_strategy({"bet1": ["high_pair", "suited:3:0"], "bet2": ["two_pair"]}, "own", "own.toml")
    assert [feature.name for feature in sorted(own.bet1)] == ["high_pair", "suited:3:0"]
    for data, expected in (
        ({"bet1": ["nonsense"], "bet2": []}, "own.toml: bet1: expected "),
        ({"bet1": [], "bet2": "two_pair"}, "own.toml: bet2: expected a list of classes"),
        ({"bet3": []}, "own.toml: expected bet1 and bet2, got 'bet3'"),
    ):
        with pytest.raises(InvalidData, match=expected):
            read_strategy(data, "own", "own.toml")


def test_where_a_pair_does_not_pay_the_rules_do_not_say_so() -> None:
    only_rare = table_of((1000, 500, 400, 0, 0, 0, 0, 0, 0))
    kept = {category: pay for category, pay in only_rare.columns[0].items() if pay}
    pays = replace(only_rare, columns=(kept,), listed=tuple(kept))
    for many in (3, 4):
        assert not any("pays already" in rule for rule in rule_list(pays, many))
        for one in class_values(pays, many):
            assert rules_ride(pays, examples()[one.feature]) == one.rides


def test_pays_that_are_too_large_to_be_priced_are_refused() -> None:
    with pytest.raises(InvalidData, match="expected pays of 1,000,000,000 at most"):
        price(table_of((10**15, 200, 50, 11, 8, 5, 3, 2, 1)))
