"""Books of a house: whatever values the checks accept together, rounds come to their end and every promise holds."""

from __future__ import annotations

from itertools import islice

import pytest

from letitride.chance.seeded import Seeded
from letitride.errors import InvalidData
from letitride.rules import catalog
from letitride.rules.values import Values
from tests.simulation.own_books import combinations, find_fault, own_rules

FOUND: list[tuple[str, Values]] = [
    ("hand-dealt-1", {"burn.when": "at_deal"}),
    ("hand-dealt-1", {"burn.when": "at_deal", "deal.community": "last"}),
    ("nsw-1+shuffler", {"burn.when": "after_bet_1", "irreg.exposed_many": "hands_void"}),
    ("california-1", {"bank.stake_cents_max": 4}),
    ("california-1", {"seats": 1, "bank.seat": "separate"}),
    ("hand-dealt-1", {"cut.cards_min": 51}),
    ("washington-1", {"cards.hidden": False}),
    ("shufflemaster-1", {"bet.spoken_cash": True}),
]
"""Values that once stopped a table, or the fuzz run over it."""


@pytest.mark.parametrize(("ref", "values"), FOUND, ids=str)
def test_rounds_end_by_books_that_once_stopped_a_table(ref: str, values: Values) -> None:
    assert find_fault(own_rules(ref, values), 250) == ""


@pytest.mark.parametrize("ref", catalog.rulebook_ids())
def test_rounds_end_by_a_published_book_with_some_keys_changed(ref: str) -> None:
    for _, values, rules in islice(combinations(Seeded("changed", ref), [ref]), 10):
        assert find_fault(rules, 200) == "", values


@pytest.mark.parametrize(
    ("ref", "values"),
    [
        ("nsw-1", {"burn.card": "first_community", "community.order": "second_third"}),
        ("shufflemaster-1", {"burn.card": "first_community", "community.order": "second_third"}),
        ("hand-dealt-1", {"shuffle.when": ("before_play",)}),
        ("california-1", {"seats": 1}),
        ("washington-1", {"bet.media": ("plaques",)}),
    ],
    ids=str,
)
def test_values_by_which_no_round_can_end_are_refused(ref: str, values: Values) -> None:
    with pytest.raises(InvalidData, match="because"):
        own_rules(ref, values)
