"""Capped play: element of risk and strategy under a maximum payout, confirmed by playing every case another way."""

from __future__ import annotations

from fractions import Fraction

import pytest

from letitride.analysis.base import CASES, cases_of
from letitride.analysis.caps import cap, changed_classes, classes_under
from letitride.analysis.par import base_sheet
from letitride.rules import catalog

PAYS = catalog.paytable("LIRX-01").pays["base"]


@pytest.mark.parametrize(("stake", "most"), [(1_000, 2_500_000), (20_000, 2_500_000), (50_000, 500_000)])
def test_the_element_of_risk_is_what_is_lost_of_what_is_left_in_action(stake: int, most: int) -> None:
    capped = cap(PAYS, stake, most)
    riding = Fraction(sum(cases * bets for cases, _, bets, _ in cases_of(capped.play)), CASES)
    assert riding == capped.average_wager
    assert capped.element_of_risk == -capped.results.mean / riding


def test_a_maximum_that_never_binds_changes_no_figure_and_no_class() -> None:
    capped, plain = cap(PAYS, 500, 1_500_000), base_sheet(PAYS)
    assert (plain.house_edge, plain.element_of_risk) == (capped.house_edge, capped.element_of_risk)
    assert (plain.bet1_ride_rate, plain.bet2_ride_rate) == capped.ride_rates
    assert not list(changed_classes(PAYS, capped))


def test_the_classes_that_a_maximum_changes_are_named() -> None:
    capped = cap(PAYS, 20_000, 2_500_000)
    changed = list(changed_classes(PAYS, capped))
    assert (4, 0) == (capped.changed_bet1, capped.changed_bet2)
    assert 4 == len(changed)
    assert (
        "three of one suit, 3 ways to a straight flush, 0 high cards: bet 1 is taken back; without the maximum it rides"
        in [one.words for one in changed]
    )
    every = list(classes_under(PAYS, capped))
    assert {*changed} < {*every}
    assert {3, 4} == {one.feature.cards for one in every}
