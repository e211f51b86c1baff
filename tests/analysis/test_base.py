"""The base game: every exact figure against a second method that goes through all 51,979,200 cases."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from letitride.analysis.base import CASES, PROFILES, best_play, distribution, plain_nets, price, scaled
from letitride.analysis.base_rows import FOUR_CARD_ROWS
from letitride.analysis.find_rows import find_rows
from letitride.errors import InvalidData
from letitride.reports.shift import theory
from letitride.rules import catalog
from tests.analysis import independent

TABLES = [table_id for table_id in catalog.paytable_ids() if "base" in catalog.paytable(table_id).pays]


def test_the_stored_rows_are_those_of_all_hands() -> None:
    rows, profiles = find_rows()
    assert rows == FOUR_CARD_ROWS
    assert tuple((hands, int(category), profile) for hands, category, profile in profiles) == PROFILES
    assert (len(FOUR_CARD_ROWS), len(PROFILES)) == (33, 59)


@pytest.mark.parametrize("ties", ["withdraw", "ride"])
@pytest.mark.parametrize("table_id", TABLES)
def test_a_price_is_that_of_every_case_gone_through(table_id: str, ties: Any) -> None:
    pays = catalog.paytable(table_id).pays["base"]
    nets, unit = scaled(pays)
    won, ride_1, ride_2, results = independent.base_game(np.array(nets), ties)
    found = price(pays, ties)
    assert found.house_edge == Fraction(-won, CASES * unit)
    assert found.bet1_ride_rate == Fraction(ride_1, 22_100)
    assert found.bet2_ride_rate == Fraction(ride_2, 22_100 * 49)
    assert found.average_wager == 1 + found.bet1_ride_rate + found.bet2_ride_rate
    assert found.element_of_risk == found.house_edge / found.average_wager
    counts, _ = independent.prospects()
    assert found.hit_frequency == Fraction(int(counts[:, :, :9].sum()), CASES)
    spread = distribution(plain_nets(pays), best_play(plain_nets(pays), ties))
    assert spread.cases == {Fraction(net, unit): cases for net, cases in results.items()}
    assert spread.mean == -found.house_edge
    assert spread.total == sum(results.values()) == CASES


@pytest.mark.parametrize("table_id", ["LIRX-01", "LIRB-25"])
def test_a_hold_band_stands_on_the_variance_of_every_case(table_id: str) -> None:
    """The variance of a hand, and that of ordinary hands, where a win of 100 bets or more counts as nothing."""
    pays = catalog.paytable(table_id).pays["base"]
    nets, unit = scaled(pays)
    *_, results = independent.base_game(np.array(nets), "withdraw")
    found = theory._alone_spread(theory._Paid.of(pays), None)

    def moments(cases: dict[int, int]) -> tuple[Fraction, Fraction]:
        mean = Fraction(sum(net * many for net, many in cases.items()), CASES * unit)
        return mean, Fraction(sum(net * net * many for net, many in cases.items()), CASES * unit**2) - mean**2

    ordinary = {net: many for net, many in results.items() if net < 100 * unit}
    assert found.variance == moments(results)[1]
    assert (found.ordinary_mean, found.ordinary_variance) == moments(ordinary)
    assert found.big == Fraction(CASES - sum(ordinary.values()), CASES) > 0


def test_the_figures_of_the_best_known_table() -> None:
    found = price(catalog.paytable("LIRX-01").pays["base"])
    assert found.house_edge == Fraction(37963, 1082900)
    spread = distribution(
        plain_nets(catalog.paytable("LIRX-01").pays["base"]),
        best_play(plain_nets(catalog.paytable("LIRX-01").pays["base"])),
    )
    assert str(spread.standard_deviation).startswith("5.15")


def test_pays_of_a_side_bet_are_not_priced_as_if_they_were_the_base_game() -> None:
    bonus = next(pays for pays in catalog.paytable("LIRB-06").pays.values() if not pays.wager.is_base)
    with pytest.raises(InvalidData, match="expected pays of the base game, got those of"):
        price(bonus)
