"""Exposure: the worst round is one that can be dealt, costs what is said, and no other round costs more."""

from __future__ import annotations

import random
from collections.abc import Sequence
from itertools import combinations

import numpy as np
import pytest

from letitride.analysis.exposure import _Search, _Worth, most_lost
from letitride.rules import catalog
from letitride.rules.cards import DECK, Card
from letitride.rules.limits import side_limits, spot_limits
from letitride.rules.settlement import Hand, settle_round
from letitride.rules.table_rules import TableRules
from letitride.rules.wager_table import BASE_SPOTS

RIVERSIDE = "examples/riverside/riverside.toml"


def lost(table: TableRules, community: Sequence[Card], dealt: Sequence[Sequence[Card]]) -> int:
    """Return what a round costs the bank by the settlement itself; a side bet that loses was not made."""
    stakes = dict.fromkeys(BASE_SPOTS, spot_limits(table.rules.limit).cents_max)
    stakes |= {one.spot: side_limits(one, table.terms(one.id)).cents_max for one in table.sides}
    hands = [Hand(seat, tuple(cards), stakes) for seat, cards in enumerate(dealt, 1)]
    results = settle_round(table, tuple(community), hands)
    total = 0
    for rows in results.values():
        base = sum(row.net_cents for row in rows if row.wager in BASE_SPOTS)
        total += base + sum(max(row.net_cents, 0) for row in rows if row.wager not in BASE_SPOTS)
    return total


@pytest.mark.parametrize(
    ("ref", "values", "hands"),
    [
        (RIVERSIDE, {}, None),
        ("nsw-1", {}, 2),
        ("nsw-1", {"payout.cap": "maximum", "payout.cents_max": 2_500_000, "payout.scope": "round"}, 3),
        ("hand-dealt-1", {}, 3),
        ("washington-1", {}, 2),
    ],
)
def test_the_worst_round_is_dealt_from_one_deck_and_no_random_round_costs_more(
    ref: str, values: dict[str, object], hands: int | None
) -> None:
    table = catalog.ready_rules(ref, values)  # type: ignore[arg-type]  # values of keys
    worst = most_lost(table, hands)
    cards = [*worst.community, *(card for hand in worst.dealt for card in hand)]
    assert len(cards) == len(set(cards))
    assert worst.cents == lost(table, worst.community, worst.dealt)
    chance = random.Random(21)
    for _ in range(300):
        dealt = chance.sample(DECK, 2 + 3 * worst.hands)
        assert lost(table, dealt[:2], [dealt[n : n + 3] for n in range(2, len(dealt), 3)]) <= worst.cents


def test_two_hands_are_searched_as_going_through_all_of_them_finds() -> None:
    table = catalog.table_rules("nsw-1", {"payout.cap": "maximum", "payout.cents_max": 2_500_000})
    found = most_lost(table, 2, 20_000)
    best = 0
    for community in (Card.parse("7h"), Card.parse("8h")), found.community, (Card.parse("9h"), Card.parse("9s")):
        rest = [card for card in DECK if card not in community]
        pays = {hand: _paid(table, community, hand) for hand in combinations(rest, 3) if _may_pay(community, hand)}
        ranked = sorted(pays, key=lambda hand: -pays[hand])[:400]
        pairs = (pays[one] + pays[two] for one, two in combinations(ranked, 2) if not {*one} & {*two})
        best = max(best, *pairs)
    assert 5_000_000 == best == found.cents


def _may_pay(community: Sequence[Card], hand: Sequence[Card]) -> bool:
    """Whether it is worth looking at: of one suit, or of few ranks."""
    cards = [*community, *hand]
    return len({card.suit for card in cards}) == 1 or len({card.rank for card in cards}) <= 2


def _paid(table: TableRules, community: Sequence[Card], hand: tuple[Card, ...]) -> int:
    stakes = dict.fromkeys(BASE_SPOTS, 20_000)
    rows = settle_round(table, tuple(community), [Hand(1, hand, stakes)])[1]
    return max(0, sum(row.net_cents for row in rows))


def test_a_cap_and_a_shared_cap_bound_what_a_round_costs() -> None:
    cap = {"payout.cap": "maximum", "payout.cents_max": 2_500_000}
    free, each, shared = (
        most_lost(catalog.table_rules("nsw-1", values), 2).cents  # type: ignore[arg-type]  # values of keys
        for values in ({}, cap, {**cap, "payout.scope": "round"})
    )
    assert free > each == 5_000_000 > shared == 2_500_000


def test_hands_that_take_one_anothers_cards_are_packed_as_trying_all_of_them_packs_them() -> None:
    table, chance = catalog.table_rules("nsw-1"), random.Random(7)
    for _ in range(20):
        triples = chance.sample(list(combinations(range(11), 3)), 40)
        worth = sorted(((chance.choice((1, 2, 5, 9, 20)), cards) for cards in triples), reverse=True)
        masks = np.array([sum(1 << card for card in cards) for _, cards in worth], np.int64)
        values = np.array([value for value, _ in worth], np.int64)
        none = np.zeros_like(values)
        search = _Search(table, 3, 500)
        search._pack((DECK[0], DECK[1]), _Worth(masks, none, values, np.arange(40), none, 0), 0, (), (0, 0))
        apart = (some for some in combinations(worth, 3) if len({card for _, cards in some for card in cards}) == 9)
        assert max(sum(value for value, _ in some) for some in apart) == search.best
