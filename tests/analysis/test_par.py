"""Par sheets: printed figures reproduced to their digits, conventions told, bad input refused."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from letitride import coupon_value
from letitride.analysis.base import best_play, distribution, plain_nets
from letitride.analysis.best_hand import best_hands
from letitride.analysis.best_hand_counts import stored
from letitride.analysis.caps import cap, capped_nets
from letitride.analysis.par import base_sheet, lint, sheets
from letitride.analysis.rounding import percent
from letitride.errors import InvalidData
from letitride.rules import catalog
from letitride.rules.rulebook import RuleBook
from tests.analysis import independent
from tests.clauses.helpers import settled
from tests.clauses.helpers import table as at_a_table

# What the documents print: (par, hit frequency).
BASE = {
    "LIRX-01": ("2.86%", "23.88%"),
    "LIRX-02": ("2.80%", "23.88%"),
    "LIRX-03": ("2.66%", "23.88%"),
    "LIRX-04": ("4.63%", "23.88%"),
    "LIRX-05": ("2.48%", "23.88%"),
    "LIRX-06": ("3.05%", "23.88%"),
    "LIRB-03": ("2.86%", "23.88%"),
    "LIRB-06": ("2.86%", "23.88%"),
    "LIRB-09": ("2.86%", "23.88%"),
    "LIRB-10": ("3.05%", "23.88%"),
    "LIRB-25": ("2.66%", "23.88%"),
    "LIRB-28": ("3.05%", "23.88%"),
    "LIRB-29": ("2.66%", "23.88%"),
}
BONUS = {
    "LIRB-03": ("23.73%", "23.88%"),
    "LIRB-06": ("25.39%", "7.63%"),
    "LIRB-09": ("35.14%", "2.87%"),
    "LIRB-10": ("26.93%", "7.63%"),
    "LIRB-25": ("26.93%", "7.63%"),
    "LIRB-28": ("27.70%", "7.63%"),
    "LIRB-29": ("27.70%", "7.63%"),
}
PAYS = {
    "LIRX-01": (1000, 200, 50, 11, 8, 5, 3, 2, 1),
    "LIRX-02": (500, 100, 25, 15, 10, 5, 3, 2, 1),
    "LIRX-03": (100, 50, 30, 15, 9, 6, 3, 2, 1),
    "LIRX-04": (500, 100, 25, 11, 8, 5, 3, 2, 1),
    "LIRX-05": (200, 100, 40, 15, 9, 5, 3, 2, 1),
    "LIRX-06": (500, 200, 50, 11, 8, 5, 3, 2, 1),
}
PRIMARY = {"LIRB-03": "LIRX-01", "LIRB-06": "LIRX-01", "LIRB-09": "LIRX-01", "LIRB-10": "LIRX-06"} | {
    "LIRB-25": "LIRX-03",
    "LIRB-28": "LIRX-06",
    "LIRB-29": "LIRX-03",
}
AWARDS = {
    "LIRB-03": (20000, 1000, 100, 75, 50, 25, 4, 3, 1),
    "LIRB-06": (20000, 2000, 100, 75, 50, 25, 8, 4),
    "LIRB-09": (20000, 2000, 300, 150, 50, 25, 5),
    "LIRB-10": (10000, 2000, 100, 75, 50, 25, 8, 4),
    "LIRB-25": (10000, 2000, 100, 75, 50, 25, 8, 4),
    "LIRB-28": (5000, 2000, 100, 75, 50, 25, 8, 4),
    "LIRB-29": (5000, 2000, 100, 75, 50, 25, 8, 4),
}


def figures(table_id: str, wager: str) -> tuple[str, str, tuple[int, ...]]:
    """Return par and hit frequency as a document prints them, computed, and the pays they belong to."""
    (sheet,) = [one for one in sheets(catalog.paytable(table_id)) if one.wager.id == wager]
    pays = tuple(int(line.pay) for line in sheet.lines if line.pay is not None)
    return percent(sheet.par, 2), percent(sheet.hit_frequency, 2), pays


def _clause(table_id: str, suffix: str = "") -> Any:
    return pytest.param(table_id, marks=pytest.mark.clause(f"sm:pay.{table_id}{suffix}"), id=table_id)


@pytest.mark.books("shufflemaster-1", "washington-1")
@pytest.mark.parametrize("table_id", [_clause(name) for name in PAYS])
def test_the_printed_par_of_a_base_table_is_its_exact_element_of_risk(book: RuleBook, table_id: str) -> None:
    assert table_id in book.rules.wagers["base"].paytables
    assert figures(table_id, "base") == (*BASE[table_id], PAYS[table_id])
    ready = at_a_table(book, base__paytable=table_id, bonus__offered=False)
    assert list(settled(ready, "base").values()) == [(pay, 1) for pay in PAYS[table_id]]


@pytest.mark.books("shufflemaster-1", "washington-1")
@pytest.mark.parametrize("table_id", [_clause(name, ".primary") for name in PRIMARY])
def test_the_printed_par_of_a_bonus_game_s_base_table(book: RuleBook, table_id: str) -> None:
    assert table_id in book.rules.wagers["base"].paytables
    assert figures(table_id, "base") == (*BASE[table_id], PAYS[PRIMARY[table_id]])
    ready = at_a_table(book, base__paytable=table_id)
    assert list(settled(ready, "base").values()) == [(pay, 1) for pay in PAYS[PRIMARY[table_id]]]


@pytest.mark.books("shufflemaster-1", "washington-1")
@pytest.mark.parametrize("table_id", [_clause(name, ".secondary") for name in AWARDS])
def test_the_printed_par_of_a_bonus_holds_only_where_the_stake_is_kept(book: RuleBook, table_id: str) -> None:
    assert table_id in book.rules.wagers["base"].paytables
    assert figures(table_id, "bonus") == (*BONUS[table_id], AWARDS[table_id])
    ready = at_a_table(book, base__paytable=table_id)
    assert list(settled(ready, "bonus").values()) == [(award, 0) for award in AWARDS[table_id]]


@pytest.mark.clause("wa:pay.LIRX", "wa:pay.LIRB")
def test_the_packet_has_the_same_tables_with_the_same_figures(book: RuleBook) -> None:
    listed = book.rules.wagers["base"].paytables
    assert set(listed) == {*PAYS, *PRIMARY}
    for table_id in listed:
        assert figures(table_id, "base")[:2] == BASE[table_id]
        ready = at_a_table(book, base__paytable=table_id, bonus__offered=table_id in BONUS)
        assert list(settled(ready, "base").values()) == [(pay, 1) for pay in PAYS[PRIMARY.get(table_id, table_id)]]
        if table_id in BONUS:
            assert figures(table_id, "bonus") == (*BONUS[table_id], AWARDS[table_id])
            assert list(settled(ready, "bonus").values()) == [(award, 0) for award in AWARDS[table_id]]


def test_lint_finds_no_printed_figure_wrong_and_a_wrong_one_if_it_is() -> None:
    remarks = [r for name in catalog.paytable_ids() for sheet in sheets(catalog.paytable(name)) for r in lint(sheet)]
    assert not [remark for remark in remarks if remark.wrong]
    pays = catalog.paytable("LIRX-01").pays["base"]
    misprinted = base_sheet(replace(pays, printed_par="2.85%", printed_hit_frequency="23.87%"))
    assert [remark.text for remark in lint(misprinted) if remark.wrong] == [
        "prints a par of 2.85%; it is 2.8648%",
        "prints a hit frequency of 23.87%; it is 23.8780%",
    ]
    generous = {category: 10 * pay for category, pay in pays.columns[0].items()}
    gift = base_sheet(replace(pays, columns=(generous,), printed_par=None, printed_hit_frequency=None))
    assert any("more than is bet" in remark.text for remark in lint(gift))


def test_stored_cover_all_counts_are_what_counting_finds() -> None:
    for hands, (total, counts) in enumerate(stored(), 1):
        assert [Fraction(count, total) for count in counts] == list(best_hands(hands).values())


def test_a_maximum_payout_changes_value_and_play() -> None:
    pays = catalog.paytable("LIRX-01").pays["base"]
    free = -distribution(plain_nets(pays), best_play(plain_nets(pays))).mean
    assert cap(pays, 2_500, 10**9).house_edge == free
    tight = cap(pays, 2_500, 100_000)
    assert tight.house_edge > free
    assert tight.changed_bet1 + tight.changed_bet2 > 0
    kept = distribution(capped_nets(pays, 2_500, 100_000, "player_round"), best_play(plain_nets(pays)))
    assert -kept.mean >= tight.house_edge  # playing on as if nothing were capped is no better
    for scope in ("player_round", "hand", "wager"):
        assert cap(pays, 2_500, 100_000, scope).house_edge >= free
    for stake, most, expected in ((0, 10, "a stake of a cent or more"), (500, 499, "a maximum payout of 500 cents")):
        with pytest.raises(InvalidData, match=expected):
            cap(pays, stake, most)


@pytest.mark.parametrize(("most", "by_wager"), [(100_000, False), (40_000, False), (60_000, True)])
def test_a_capped_game_is_that_of_every_hand_by_a_second_method(most: int, by_wager: bool) -> None:
    pays = catalog.paytable("LIRX-01").pays["base"]
    stake = 2_500
    listed = [int(pay) for pay in pays.columns[0].values()]
    nets = np.full((4, 10), 0, dtype=np.int64)
    for bets in (1, 2, 3):
        for column, pay in enumerate(listed):
            paid = bets * min(pay * stake, most) if by_wager else min(bets * pay * stake, most)
            nets[bets, column] = paid
        nets[bets, 9] = -bets * stake
    counts, _ = independent.prospects()
    value = {bets: counts @ nets[bets] for bets in (1, 2, 3)}
    kept = np.maximum(value[1], value[2]).sum(axis=1)
    ridden = np.maximum(value[2], value[3]).sum(axis=1)
    won = int(np.maximum(kept, ridden).sum())
    found = cap(pays, stake, most, "wager" if by_wager else "player_round")
    assert found.house_edge == Fraction(-won, 51_979_200 * stake)


@pytest.mark.parametrize("table_id", ["LIRX-01", "LIRB-06"])
def test_a_coupon_is_worth_how_often_the_bet_beside_it_wins_by_a_second_method(table_id: str) -> None:
    pays = catalog.paytable(table_id).pays["base"]
    counts, _ = independent.prospects()
    wins = int(counts[:, :, : len(pays.columns[0])].sum())
    assert coupon_value(pays) == Fraction(wins, 51_979_200)
    fewer = replace(pays, columns=({hand: pay for hand, pay in pays.columns[0].items() if pay > 1},))
    assert 0 < coupon_value(fewer) < coupon_value(pays)


def test_percent_rounds_half_up_as_documents_print() -> None:
    assert [percent(Fraction(n, 100_000), 2) for n in (2864, 2865, -2865, 5)] == ["2.86%", "2.87%", "−2.86%", "0.01%"]
