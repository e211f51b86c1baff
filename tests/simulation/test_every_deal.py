"""Every way of dealing and burning that the checks accept deals whole rounds; the prices know nothing of it."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import numpy as np
import pytest

from letitride.analysis.base import price
from letitride.rules.catalog import ready_rules
from letitride.rules.values import Values
from letitride.simulation.fuzz import Tally, fuzz
from letitride.simulation.game import BLOCK
from letitride.simulation.plan import plan, stakes_of
from letitride.simulation.run import simulate
from letitride.training.staff.elsewhere import round_of
from tests.simulation.every_deal import BANKED, DEVICES, accepted, dealt_by, find_deal_fault
from tests.simulation.own_books import own_rules

BURNS: list[tuple[str, Values]] = [
    ("nsw-1", {"burn.card": "top_before_each", "burn.when": "at_turn"}),
    ("nsw-1", {"burn.card": "top_before_second", "burn.when": "at_turn", "irreg.wrong_burn": "all_void"}),
    ("washington-1+hand", {"burn.card": "top_before_each"}),
    ("nsw-1+shuffler", {"burn.when": "after_bet_2"}),
    ("nsw-1", {"burn.card": "last_community", "burn.when": "after_bet_2"}),
]

_rules = cache(lambda device: own_rules(*DEVICES[device]))


@pytest.mark.parametrize("device", DEVICES)
def test_every_way_of_dealing_that_is_accepted_deals_a_whole_round(device: str) -> None:
    rules, dealt = _rules(device), 0
    for values in accepted(rules.rules, quick=True):
        dealt += 1
        assert find_deal_fault(dealt_by(rules, values), seed=dealt) == "", values
    assert dealt == {"shoe": 46, "hand": 46, "shuffler": 66}[device]


@pytest.mark.parametrize(
    ("values", "fault"),
    [
        ({"burn.card": "first_community", "community.order": "second_third"}, "bet 2 is decided with []"),
        ({"burn.card": "first_community", "burn.when": "after_bet_1"}, "bet 2 is decided with []"),
        (
            {"burn.card": "last_community", "burn.when": "after_bet_2", "community.area": "three_in_line"},
            "dealer_count",
        ),
        ({"burn.card": "top_before_each", "burn.when": "at_turn", "stub.to_discard": "after_deal"}, "waits"),
        ({"burn.card": "bottom_of_packet"}, "waits"),
    ],
    ids=str,
)
def test_the_trial_finds_a_round_that_cannot_be_dealt(values: Values, fault: str) -> None:
    assert fault in find_deal_fault(dealt_by(_rules("shoe"), values))


@pytest.mark.parametrize(("ref", "values"), BURNS, ids=str)
def test_fuzzing_breaks_no_promise_where_other_cards_are_burned(ref: str, values: Values) -> None:
    assert isinstance(fuzz(own_rules(ref, values), 250, seed=8), Tally)


def test_a_player_bank_deals_from_its_left_with_two_cards_burned() -> None:
    values: Values = {"deal.unit": "single", "burn.card": "top_before_each"}
    assert find_deal_fault(own_rules(BANKED, values), seats=(4, 5, 1)) == ""


def test_the_book_of_the_documentation_deals_two_burned_cards(tmp_path: Path) -> None:
    text = (Path(__file__).parents[2] / "docs/rulebook-format.md").read_text(encoding="utf-8")
    book = tmp_path / "burn-and-turn.toml"
    book.write_text(next(one for one in text.split("```") if "burn-and-turn-1" in one).removeprefix("toml"), "utf-8")
    rules = ready_rules(book)
    assert find_deal_fault(rules) == ""
    assert [step.number for step in round_of(rules) if step.kind == "burn_top"] == [1, 2]


def test_two_burned_cards_change_no_price_and_no_simulated_round() -> None:
    none, two = (own_rules("nsw-1", {"burn.card": card}) for card in ("none", "top_before_each"))
    assert price(none.pays["base"]) == price(two.pays["base"])
    plans = [plan(rules, 3, stakes_of(rules)) for rules in (none, two)]
    first, second = (simulate(one.game, seed=7, rounds=BLOCK) for one in plans)
    assert np.array_equal(first.cells, second.cells)
    assert (first.rounds, first.squares) == (second.rounds, second.squares)
