"""Limits of a spot: the same amounts that the table itself takes, whether limits bind a spot or the three together."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from letitride.autoplay.steps import command_for
from letitride.engine import commands
from letitride.engine.decide import open_table, play
from letitride.engine.legal import legal
from letitride.engine.state import Table
from letitride.engine.view import view
from letitride.errors import InvalidData, InvariantBroken
from letitride.rules import catalog
from letitride.rules.banking import round_cents_min
from letitride.rules.keys import Rules
from letitride.rules.keys.wagers import Limit, Terms
from letitride.rules.limits import bet_alone, find_spot_limits, spot_ceiling, spot_floor, spot_limits, spots_bound
from letitride.rules.wager_table import BASE_SPOTS
from tests.autoplay.at_work import seeded


@given(
    least=st.integers(1, 60),
    more=st.integers(0, 120),
    step=st.integers(1, 20),
    scope=st.sampled_from(["wager", "area"]),
)
def test_the_spot_limits_are_the_least_and_the_most_of_the_amounts_that_keep_the_limits(
    least: int, more: int, step: int, scope: Any
) -> None:
    limit = Limit(cents_min=least, cents_max=least + more, cents_step=step, scope=scope)
    bound = spots_bound(limit)
    kept = [c for c in range(1, 200) if least <= bound * c <= least + more and (bound * c - least) % step == 0]
    found = find_spot_limits(limit)
    if found is None:
        assert not kept
    else:
        assert kept == list(range(found.cents_min, found.cents_max + 1, found.cents_step))


@pytest.mark.parametrize(
    "values",
    [
        {"limit.cents_min": 500, "limit.cents_max": 50_000, "limit.scope": "area"},
        {"limit.cents_min": 500, "limit.cents_max": 9_000, "limit.scope": "area", "limit.cents_step": 500},
        {"limit.cents_min": 600, "limit.cents_max": 9_000, "limit.scope": "area", "limit.cents_step": 300},
        {"limit.cents_min": 500, "limit.cents_max": 2_600, "limit.scope": "wager", "limit.cents_step": 500},
    ],
)
def test_the_table_takes_the_spot_limits_and_nothing_outside_them(values: dict[str, Any]) -> None:
    table = betting_table("nsw-1", values)
    spot = spot_limits(table.rules.rules.limit)
    taken = [cents for cents in range(1, spot.cents_max + 2 * spot.cents_step) if _taken(table, cents)]
    assert taken == list(range(spot.cents_min, spot.cents_max + 1, spot.cents_step))
    sign = view(table, "seat:1").sign
    assert (spot.cents_min, spot.cents_max) == (sign.spot_cents_min, sign.spot_cents_max)
    assert round_cents_min(table.rules.rules) == sign.round_cents_min == 3 * spot.cents_min


def test_the_least_of_a_round_counts_the_fees() -> None:
    rules = catalog.table_rules("california-1", catalog.STATED).rules
    assert round_cents_min(rules) == 3 * 500 + 3 * (rules.fee.tiers or ())[0].wager_cents


@pytest.mark.parametrize(
    "values",
    [
        {"limit.cents_min": 500, "limit.cents_max": 500},
        {"limit.cents_min": 500, "limit.cents_max": 50_000, "limit.cents_step": 300},
    ],
)
def test_limits_that_leave_no_bet_are_refused(values: dict[str, Any]) -> None:
    with pytest.raises(InvalidData, match="limit.scope: expected 'wager', because no three equal bets"):
        catalog.table_rules("nsw-1", {**values, "limit.scope": "area"})


def test_a_side_bet_alone_is_named_on_the_sign_where_the_table_deals_to_it() -> None:
    for alone in (False, True):
        table = betting_table("shufflemaster-1", {"three_card.alone": alone})
        sign = view(table, "seat:1").sign
        assert bet_alone(table.rules.rules) == sign.bet_alone == (("three_card",) if alone else ())


def betting_table(book: str, values: dict[str, Any]) -> Table:
    """Return a table that takes bets, with a player at seat 1."""
    table, _ = open_table(catalog.table_rules(book, values))
    table, _ = play(table, commands.Sit(by="seat:1", seat=1, player="Ann", cents=10_000_000))
    source = seeded(1)
    while table.phase != "betting":
        table, _ = play(table, command_for(table, table.agenda[0], source))
    return table


def _taken(table: Table, cents: int) -> bool:
    wagers: Any = dict.fromkeys(BASE_SPOTS, cents)
    return legal(table, commands.PlaceWagers(by="seat:1", seat=1, wagers=wagers)) is None


@pytest.mark.parametrize(
    ("scope", "cents", "least", "most"),
    [
        ("wager", 500, 500, 500),
        ("area", 1_500, 500, 500),
        ("area", 1_501, 501, 500),
        ("area", 1_499, 500, 499),
    ],
)
def test_a_minimum_is_kept_by_a_third_rounded_up_and_a_maximum_by_a_third_rounded_down(
    scope: Any, cents: int, least: int, most: int
) -> None:
    limit = Limit(scope=scope)
    assert (spot_floor(limit, cents), spot_ceiling(limit, cents)) == (least, most)
    assert spots_bound(limit) * spot_floor(limit, cents) >= cents >= spots_bound(limit) * spot_ceiling(limit, cents)


@pytest.mark.parametrize("limit", [Limit(cents_min=None), Limit(cents_max=None), Limit(cents_min=None, cents_max=None)])
def test_limits_that_are_not_stated_leave_no_bet(limit: Limit) -> None:
    assert find_spot_limits(limit) is None
    with pytest.raises(InvariantBroken, match="limits that leave no bet"):
        spot_limits(limit)


@pytest.mark.parametrize(
    ("offered", "alone", "wagers"),
    [(True, True, ("three_card",)), (True, False, ()), (False, True, ()), (False, False, ())],
)
def test_the_three_card_bet_is_made_alone_where_it_is_offered_and_may_be(
    offered: bool, alone: bool, wagers: tuple[str, ...]
) -> None:
    assert bet_alone(Rules(wagers={"three_card": Terms(offered=offered, alone=alone)})) == wagers
