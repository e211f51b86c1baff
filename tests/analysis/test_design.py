"""Design: the nearest tables of all within bounds, against every table priced one by one."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise, product
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from letitride import paytable
from letitride.analysis.base import best_play, distribution, plain_nets, price
from letitride.analysis.design import BOUNDS, Design, Range, count_tables, design, table_of
from letitride.analysis.design_boxes import Boxes, corners
from letitride.analysis.design_goal import Figure, Goal
from letitride.analysis.design_nearest import roughness
from letitride.analysis.find_rows import PAYING
from letitride.errors import InvalidData
from letitride.rules.hands import Category

R, SF, K4, FH, FL, ST, K3, P2, TENS = PAYING


def every_table(bounds: dict[Category, Range]) -> list[tuple[int, ...]]:
    ranges = (range(low, high + 1) for low, high in (bounds[category] for category in PAYING))
    return [pays for pays in product(*ranges) if all(a >= b for a, b in pairwise(pays))]


def brute(
    bounds: dict[Category, Range], figure: Figure, target: Fraction, within: Fraction, deviation: float | None
) -> list[tuple[int, ...]]:
    """Every table by distance, then by roughness (for a hit frequency not), then by pays."""
    ranked = []
    for pays in every_table(bounds):
        table = table_of(pays)
        nets = plain_nets(table)
        if deviation is not None and distribution(nets, best_play(nets)).standard_deviation > deviation:
            continue
        off = max(abs(getattr(price(table), figure) - target) - within, Fraction(0))
        rough = 0.0 if figure == "hit_frequency" else float(roughness(np.array([pays]))[0])
        ranked.append((off, rough, pays))
    return [pays for _, _, pays in sorted(ranked)]


def small(**changed: Range) -> dict[Category, Range]:
    """Bounds with few tables in them."""
    least = {R: (300, 301), SF: (60, 61), K4: (25, 25), FH: (11, 12), FL: (8, 8), ST: (5, 6), K3: (3, 3), P2: (2, 2)}
    return {**least, TENS: (1, 1), **{Category[name]: pair for name, pair in changed.items()}}


WIDE = {"ROYAL_FLUSH": (100, 900), "STRAIGHT_FLUSH": (60, 60), "FULL_HOUSE": (11, 11), "STRAIGHT": (5, 5)}


@pytest.mark.parametrize(
    ("figure", "target", "bounds", "within", "deviation"),
    [
        ("element_of_risk", "0.025", small(FLUSH=(7, 9), TWO_PAIR=(1, 2)), "0", None),
        ("house_edge", "0.04", small(FLUSH=(4, 9), STRAIGHT=(3, 7)), "0", None),  # flush and straight overlap
        ("house_edge", "0.05", small(FULL_HOUSE=(4, 9), FLUSH=(4, 9), STRAIGHT=(4, 9)), "0", None),  # all three overlap
        ("house_edge", "-0.3", small(THREE_OF_A_KIND=(3, 6)), "0", None),  # no table is there: the dearest is nearest
        ("element_of_risk", "0.03", small(FLUSH=(7, 9)), "0.002", None),  # equally near: by roughness
        ("house_edge", "0.05", small(ROYAL_FLUSH=(100, 112), FLUSH=(7, 8)), "0", 2.6),
        ("element_of_risk", "0.5", small(TENS_OR_BETTER=(-1, 2), TWO_PAIR=(-1, 2)), "0", None),  # unpaid, or a push
        ("hit_frequency", "0.08", small(TENS_OR_BETTER=(-1, 1), TWO_PAIR=(-1, 2)), "0", None),
        ("house_edge", "0.035", small(**WIDE), "0", None),  # one pay with 801 values
    ],
)
def test_the_nearest_are_those_that_pricing_every_table_finds(  # noqa: PLR0917 - a case and its fixture
    figure: Figure,
    target: str,
    bounds: dict[Category, Range],
    within: str,
    deviation: float | None,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    goal, tolerance = Fraction(target), Fraction(within)
    expected = brute(bounds, figure, goal, tolerance, deviation)
    for table_by_table in (2_048, 4):  # the second time nearly all of it by sums and bounds
        monkeypatch.setattr("letitride.analysis.design.SMALL", table_by_table)
        found = design(goal, figure, bounds=bounds, within=tolerance, max_deviation=deviation, count=7)
        assert expected[:7] == [one.pays for one in found.tables]
        assert found.complete
        assert len(every_table(bounds)) == found.in_bounds
        assert found.searched + found.excluded == found.in_bounds
        assert 0 < found.searched <= found.in_bounds


@settings(max_examples=40, deadline=None)
@given(st.data())
def test_no_table_of_a_box_lies_beyond_its_bounds(data: Any) -> None:
    def pays(top: int) -> list[int]:
        return sorted((data.draw(st.integers(-1, top)) for _ in PAYING), reverse=True)

    top = data.draw(st.sampled_from([1, 2, 8, 60]))  # low pays lose, and most rounds are lost at real tables
    one, other = np.array([pays(top)]), np.array([pays(top)])
    low, high = np.minimum(one, other), np.maximum(one, other)
    found = corners(Boxes(low, high, np.ones(1)))
    inside = tuple(data.draw(st.integers(a, b)) for a, b in zip(low[0].tolist(), high[0].tolist(), strict=True))
    table = table_of(inside)
    figures, nets = price(table), plain_nets(table)
    for name in ("element_of_risk", "house_edge"):
        least, most = found.figures[name]
        assert least[0] - 1e-9 <= float(getattr(figures, name)) <= most[0] + 1e-9
    spread = distribution(nets, best_play(nets)).standard_deviation ** 2
    assert found.variance[0][0] - 1e-6 <= spread <= found.variance[1][0] + 1e-6
    for distance in (0.0, 0.01, 0.3):
        goal = Goal("house_edge", Fraction(1, 20))
        if found.beyond(goal, distance)[0]:
            assert abs(figures.house_edge - goal.target) > distance
    if found.decided(Goal("house_edge", Fraction(0)))[0]:
        rides = tuple(value > 0 for value in found.values_low[0][1].tolist())
        assert rides == best_play(nets).bet2[True]


@given(st.lists(st.tuples(st.integers(-1, 6), st.integers(0, 3)), min_size=9, max_size=9))
@settings(max_examples=30, deadline=None)
def test_tables_within_bounds_are_counted(pairs: list[tuple[int, int]]) -> None:
    bounds = {category: (low, low + more) for category, (low, more) in zip(PAYING, pairs, strict=True)}
    low, high = (np.array([bounds[category][end] for category in PAYING]) for end in (0, 1))
    assert len(every_table(bounds)) == count_tables(low, high)


def test_a_table_that_pays_a_lesser_hand_more_is_never_listed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("letitride.analysis.design.SMALL", 1)
    one = {
        "ROYAL_FLUSH": (300, 300),
        "STRAIGHT_FLUSH": (60, 60),
        "STRAIGHT": (5, 5),
    }  # so that halves part between them
    bounds = small(**one, FOUR_OF_A_KIND=(11, 14), FULL_HOUSE=(11, 14))
    wanted = price(table_of((300, 60, 11, 14, 8, 5, 3, 2, 1))).house_edge  # what such a table would be worth
    found = design(wanted, "house_edge", bounds=bounds, count=3)
    assert brute(bounds, "house_edge", wanted, Fraction(0), None)[:3] == [one.pays for one in found.tables]


def test_the_published_table_is_found_among_billions() -> None:
    wanted = price(paytable("LIRX-01").pays["base"]).element_of_risk
    found = design(wanted, keep={R: 1000, SF: 200, TENS: 1}, count=20)
    assert (1000, 200, 50, 11, 8, 5, 3, 2, 1) in [one.pays for one in found.tables]
    assert wanted == found.tables[0].element_of_risk
    assert dict(found.bounds) == {**BOUNDS, R: (1000, 1000), SF: (200, 200), TENS: (1, 1)}


def test_a_search_that_is_stopped_says_so_and_shows_what_it_has() -> None:
    def stopped(after: int) -> Design:
        left = iter([False] * after)
        return design(Fraction(25, 1000), count=3, stop=lambda: next(left, True))

    assert not stopped(0).complete
    assert (3, 0) == (len(stopped(2).tables), stopped(2).excluded)


def test_progress_is_told_and_never_falls() -> None:
    told: list[float] = []
    design(Fraction(1, 20), "house_edge", bounds=small(FLUSH=(4, 9), STRAIGHT=(3, 7)), tell=told.append)
    assert sorted(told) == told
    assert told[-1] <= 1.0000001


@pytest.mark.parametrize(
    ("asked", "sentence"),
    [
        ({"target": 0.025}, "expected a target as a Fraction or a whole number, got 0.025"),
        ({"target": True}, "expected a target as a Fraction or a whole number, got true"),
        ({"target": float("nan")}, "expected a target as a Fraction"),
        ({"figure": "par"}, "expected one of 'element_of_risk', 'house_edge', 'hit_frequency', got 'par'"),
        ({"within": Fraction(-1)}, "expected a tolerance of 0 or more, got -1"),
        ({"count": 0}, "expected how many tables to list as a whole number from 1 to 1,000, got 0"),
        ({"count": True}, "from 1 to 1,000, got true"),
        ({"max_deviation": float("nan")}, "expected a deviation of more than nothing, got nan"),
        ({"bounds": {R: (5, 4)}}, "different pays of a royal flush, the least first, got 5 to 4"),
        ({"bounds": {R: (1.0, 4)}}, "expected the pay of a royal flush (-1 for none) as a whole number"),
        (
            {"bounds": {R: (1, 200_000)}},
            "expected 1 to 100,000 different pays of a royal flush, the least first, got 1 to 200,000",
        ),
        ({"bounds": {Category.LOW_PAIR: (1, 2)}}, "expected one of 'royal flush'"),
        ({"bounds": {"royal flush": (1, 2)}}, "expected one of 'royal flush'"),
        (
            {"bounds": {R: (200, 300)}, "keep": {R: 200}},
            "expected either bounds or one pay for a royal flush, got both",
        ),
        ({"keep": {R: 10**10}}, "as a whole number from -1 to 1,000,000,000, got 10000000000"),
        ({"bounds": 5}, "expected bounds by hand, got 5"),
    ],
)
def test_what_cannot_be_meant_is_refused(asked: dict[str, Any], sentence: str) -> None:
    with pytest.raises(InvalidData) as refused:
        design(**{"target": Fraction(25, 1000), **asked})
    assert sentence in str(refused.value)


def test_where_no_table_fits_none_is_listed() -> None:
    assert () == design(Fraction(25, 1000), max_deviation=0.5).tables
    assert () == design(Fraction(1, 4), "hit_frequency", max_deviation=0.5).tables
    rising = design(Fraction(25, 1000), bounds=small(TENS_OR_BETTER=(9, 9)))
    assert ((), 0, 0) == (rising.tables, rising.in_bounds, rising.searched)
