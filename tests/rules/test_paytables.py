"""Paytables: the published ones, a house's own, and what is refused."""

from __future__ import annotations

import pickle
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from letitride.errors import InvalidData, MissingData
from letitride.rules import catalog
from letitride.rules.hands import Category
from letitride.rules.paytable_file import read_paytable
from letitride.rules.paytables import Paytable, pays_of
from letitride.rules.three_hands import ThreeCardCategory
from letitride.rules.wager_table import BASE as BASE_WAGER
from letitride.rules.wager_table import PUBLISHED as WAGERS
from letitride.rules.wagers import Award

PUBLISHED = (
    *(f"3CB-{n}" for n in range(1, 7)),
    "COVER-ALL",
    "HD-BASE",
    "HD-SIDE",
    *(f"LIRB-{n}" for n in ("03", "06", "09", "10", "25", "28", "29")),
    *(f"LIRX-0{n}" for n in range(1, 7)),
)
PAYS = [1000, 200, 50, 11, 8, 5, 3, 2, 1]
NAMES = [category.name.lower() for category in BASE_WAGER.paying]


def data(**changed: Any) -> dict[str, Any]:
    """Return a valid base paytable as data, with some pays changed; None leaves one out."""
    pays = {**dict(zip(NAMES, PAYS, strict=True)), **changed}
    listed = {name: pay for name, pay in pays.items() if pay is not None}
    return {"id": "OWN", "title": "Own", "base": {"award": "to_one", "pays": listed}}


def test_every_published_table_is_there() -> None:
    assert PUBLISHED == catalog.paytable_ids()


def test_only_the_dollar_bonus_is_a_total_award() -> None:
    for table_id in PUBLISHED:
        for wager, pays in catalog.paytable(table_id).pays.items():
            assert (wager == "bonus") == (pays.award is Award.TOTAL), table_id


def test_lirb_tables_price_base_and_bonus_in_one_file() -> None:
    for table_id in PUBLISHED:
        expected = {"base", "bonus"} if table_id.startswith("LIRB") else None
        if expected:
            assert expected == set(catalog.paytable(table_id).pays)


@pytest.mark.parametrize(
    ("table_id", "base", "bonus"),
    [
        ("LIRX-01", ("2.86%", "23.88%"), None),
        ("LIRX-02", ("2.80%", "23.88%"), None),
        ("LIRX-03", ("2.66%", "23.88%"), None),
        ("LIRX-04", ("4.63%", "23.88%"), None),
        ("LIRX-05", ("2.48%", "23.88%"), None),
        ("LIRX-06", ("3.05%", "23.88%"), None),
        ("LIRB-03", ("2.86%", "23.88%"), ("23.73%", "23.88%")),
        ("LIRB-06", ("2.86%", "23.88%"), ("25.39%", "7.63%")),
        ("LIRB-09", ("2.86%", "23.88%"), ("35.14%", "2.87%")),
        ("LIRB-10", ("3.05%", "23.88%"), ("26.93%", "7.63%")),
        ("LIRB-25", ("2.66%", "23.88%"), ("26.93%", "7.63%")),
        ("LIRB-28", ("3.05%", "23.88%"), ("27.70%", "7.63%")),
        ("LIRB-29", ("2.66%", "23.88%"), ("27.70%", "7.63%")),
    ],
)
def test_printed_par_and_hit_frequency_are_kept_as_printed(
    table_id: str, base: tuple[str, str], bonus: tuple[str, str] | None
) -> None:
    pays = catalog.paytable(table_id).pays
    assert base == (pays["base"].printed_par, pays["base"].printed_hit_frequency)
    if bonus:
        assert bonus == (pays["bonus"].printed_par, pays["bonus"].printed_hit_frequency)


def test_the_bonus_as_a_total_award_reproduces_the_printed_par() -> None:
    """Counted from the text file of hand counts: shares nothing with the reader of paytables but the pays."""
    lines = (Path(__file__).parent.parent / "data" / "counts" / "five-card.txt").read_text().splitlines()[3:]
    counts = {name: int(numbers[-1]) for name, *numbers in map(str.split, lines)}
    for table_id in (one for one in PUBLISHED if one.startswith("LIRB")):
        pays = catalog.paytable(table_id).pays["bonus"]
        listed = {category.name.lower(): pays.pay(category) or Fraction(0) for category in pays.listed}
        par = 1 - sum((pay * counts[name] for name, pay in listed.items()), Fraction(0)) / 2_598_960
        hits = Fraction(sum(counts[name] for name in listed), 2_598_960)
        assert pays.printed_par == f"{float(par):.2%}"
        assert pays.printed_hit_frequency == f"{float(hits):.2%}"


def test_a_mini_royal_without_an_award_of_its_own_pays_as_a_straight_flush() -> None:
    pays = catalog.paytable("3CB-1").pays["three_card"]
    assert pays.pay(ThreeCardCategory.STRAIGHT_FLUSH) == pays.pay(ThreeCardCategory.MINI_ROYAL) == 40
    assert ThreeCardCategory.MINI_ROYAL not in pays.listed
    assert ThreeCardCategory.MINI_ROYAL in catalog.paytable("3CB-4").pays["three_card"].listed


def test_odds_are_shown_as_to_one_or_as_a_win() -> None:
    table = catalog.paytable("LIRB-03")
    assert "1,000 to 1" == table.pays["base"].odds(Category.ROYAL_FLUSH)
    assert "win $20,000" == table.pays["bonus"].odds(Category.ROYAL_FLUSH)
    assert table.pays["base"].odds(Category.LOW_PAIR) is None
    assert "3 to 2" == read_paytable(data(tens_or_better=1, two_pair="3/2"), "x").pays["base"].odds(Category.TWO_PAIR)


BASE = {
    "LIRX-01": "1000 200 50 11 8 5 3 2 1",
    "LIRX-02": "500 100 25 15 10 5 3 2 1",
    "LIRX-03": "100 50 30 15 9 6 3 2 1",
    "LIRX-04": "500 100 25 11 8 5 3 2 1",
    "LIRX-05": "200 100 40 15 9 5 3 2 1",
    "LIRX-06": "500 200 50 11 8 5 3 2 1",
    "LIRB-03": "1000 200 50 11 8 5 3 2 1",
    "LIRB-06": "1000 200 50 11 8 5 3 2 1",
    "LIRB-09": "1000 200 50 11 8 5 3 2 1",
    "LIRB-10": "500 200 50 11 8 5 3 2 1",
    "LIRB-25": "100 50 30 15 9 6 3 2 1",
    "LIRB-28": "500 200 50 11 8 5 3 2 1",
    "LIRB-29": "100 50 30 15 9 6 3 2 1",
}
BONUS = {
    "LIRB-03": "20000 1000 100 75 50 25 4 3 1",
    "LIRB-06": "20000 2000 100 75 50 25 8 4",
    "LIRB-09": "20000 2000 300 150 50 25 5",
    "LIRB-10": "10000 2000 100 75 50 25 8 4",
    "LIRB-25": "10000 2000 100 75 50 25 8 4",
    "LIRB-28": "5000 2000 100 75 50 25 8 4",
    "LIRB-29": "5000 2000 100 75 50 25 8 4",
}


@pytest.mark.parametrize(
    ("wager", "table_id", "pays"),
    [("base", *row) for row in BASE.items()] + [("bonus", *row) for row in BONUS.items()],
)
def test_every_table_with_a_printed_par_pays_what_its_source_prints(wager: str, table_id: str, pays: str) -> None:
    listed = catalog.paytable(table_id).pays[wager]
    assert [int(pay) for pay in pays.split()] == [listed.pay(category) for category in listed.listed]
    assert list(listed.wager.paying)[: len(listed.listed)] == list(listed.listed)


def test_a_pay_is_asked_for_by_the_right_kind_of_hand_and_number_of_hands() -> None:
    with pytest.raises(InvalidData, match="expected a category of the three_card wager"):
        catalog.paytable("3CB-1").pays["three_card"].pay(Category.TWO_PAIR)
    cover_all = catalog.paytable("COVER-ALL").pays["cover_all"]
    for hands in (-1, 0, 8):
        with pytest.raises(InvalidData, match=f"expected 1 to 7 hands for the cover_all wager, got {hands}"):
            cover_all.pay(Category.FLUSH, hands)


def test_a_published_table_cannot_be_changed() -> None:
    pays = catalog.paytable("LIRX-01").pays
    with pytest.raises(TypeError, match="published values never change"):
        pays["base"].columns[0][Category.FLUSH] = Fraction(1)
    with pytest.raises(TypeError, match="published values never change"):
        pays.clear()
    assert pays == pickle.loads(pickle.dumps(pays))


def test_an_id_is_found_in_any_case_and_an_unknown_one_is_refused_with_a_hint() -> None:
    assert catalog.paytable("lirx-01") == catalog.paytable("LIRX-01")
    with pytest.raises(MissingData, match=r"id of a paytable, got 'LIRX-07'; did you mean 'LIRX-0\d'\?"):
        catalog.paytable("LIRX-07")


def test_a_wager_that_a_table_does_not_price_is_refused() -> None:
    with pytest.raises(MissingData, match="expected a paytable that prices the bonus wager, got LIRX-01"):
        pays_of(catalog.paytable("LIRX-01"), "bonus")


def test_equal_pays_have_equal_digests_and_others_do_not() -> None:
    assert read_paytable(data(), "x").digest == catalog.paytable("LIRX-01").digest
    assert len({catalog.paytable(table_id).digest for table_id in PUBLISHED}) == len(PUBLISHED)


@given(st.lists(st.integers(0, 100_000), min_size=9, max_size=9), st.integers(1, 1000))
def test_any_pays_in_order_are_read_and_written_back_exactly(numbers: list[int], unit: int) -> None:
    pays = [Fraction(number, unit) for number in sorted(numbers, reverse=True)]
    own = read_paytable(data(**{name: str(pay) for name, pay in zip(NAMES, pays, strict=True)}), "x")
    assert pays == [own.pays["base"].pay(category) for category in BASE_WAGER.paying]
    again = {wager.wager: wager.pays for wager in own.as_data().wagers}
    assert own == read_paytable({**data(), "base": {"award": "to_one", "pays": again["base"]}}, "x")


@pytest.mark.parametrize(
    ("changed", "sentence"),
    [
        ({"flush": -8}, "own.toml: base.pays.flush: expected a pay, 0 or more, as a whole number or a fraction like '3/2', got -8"),
        ({"flush": 8.5}, "base.pays.flush: expected a pay, 0 or more, as a whole number or a fraction like '3/2', got 8.5"),
        ({"flush": "8/0"}, "base.pays.flush: expected a pay, 0 or more, as a whole number or a fraction like '3/2', got '8/0'"),
        ({"flush": True}, "base.pays.flush: expected a pay, 0 or more, as a whole number or a fraction like '3/2', got true"),
        ({"flush": "1e99999999"}, "base.pays.flush: expected a pay"),
        ({"flush": 4}, "base.pays.flush: expected at least the 5 of the lesser straight, got 4"),
        ({"royal_flush": 100}, "base.pays.royal_flush: expected at least the 200 of the lesser straight flush, got 100"),
        ({"flush": None}, "base.pays.flush: expected a pay, because the lesser tens or better has one, got none"),
        ({"flsh": 8}, "got the unknown key 'base.pays.flsh'; did you mean 'flush'?"),
    ],
)  # fmt: skip
def test_a_bad_pay_is_refused_in_one_sentence(changed: dict[str, Any], sentence: str) -> None:
    with pytest.raises(InvalidData) as error:
        read_paytable(data(**changed), "own.toml")
    assert sentence in str(error.value)
    assert str(error.value).startswith("own.toml: ")
    assert "\n" not in str(error.value)


@pytest.mark.parametrize(
    ("table", "sentence"),
    [
        ({"title": "Own", "base": {}}, "own.toml: id: expected a text, got nothing"),
        ({"id": "OWN", "title": 3, "base": {}}, "own.toml: title: expected a text, got 3"),
        ({"id": "OWN", "title": "Own"}, "expected a table for one of the wagers base, bonus, three_card, cover_all, got none"),
        ({"id": "OWN", "title": "Own", "bse": {}}, "got the unknown key 'bse'; did you mean 'base'?"),
        ({"id": "OWN", "title": "Own", "base": 3}, "own.toml: base: expected a table, got 3"),
        ({"id": "OWN", "title": "Own", "base": {"pays": {}}}, "base.award: expected 'to_one', got nothing"),
        ({"id": "OWN", "title": "Own", "base": {"award": "for_one"}}, "base.award: expected 'to_one', got 'for_one'"),
        ({"id": "OWN", "title": "Own", "base": {"award": "to_one"}}, "base.pays: expected a table of hands and pays, got unset"),
        ({"id": "OWN", "title": "Own", "base": {**data()["base"], "clauses": "x"}}, "base.clauses: expected a list of clause ids, got 'x'"),
        ({"id": "OWN", "title": "Own", "base": {**data()["base"], "printed_par": "2.86"}}, "base.printed_par: expected a percentage as printed, like '2.86%', got '2.86'"),
        ({"id": "OWN", "title": "Own", "base": {**data()["base"], "par": "2%"}}, "got the unknown key 'base.par'"),
        ({"id": "OWN", "title": "Own", "bonus": {"award": "total_award", "pays": {**data()["base"]["pays"], "tens_or_better": 0}}}, "bonus.pays.tens_or_better: expected a pay, above 0"),
        ({"id": "OWN", "title": "Own", "cover_all": {"award": "to_one", "pays": {"royal_flush": [1, 2]}}}, "cover_all.pays.royal_flush: expected a list of 7 pays, for 1 to 7 hands, got [1, 2]"),
    ],
)  # fmt: skip
def test_a_bad_table_is_refused_in_one_sentence(table: dict[str, Any], sentence: str) -> None:
    with pytest.raises(InvalidData) as error:
        read_paytable(table, "own.toml")
    assert sentence in str(error.value)
    assert "\n" not in str(error.value)


def test_a_total_award_comes_instead_of_the_stake() -> None:
    base, bonus = catalog.paytable("LIRX-01").pays["base"], catalog.paytable("LIRB-03").pays["bonus"]
    assert (base.returns_stake, bonus.returns_stake) == (True, False)
    assert [base.net(Fraction(2)), bonus.net(Fraction(2))] == [2, 1]
    assert [base.net(None), bonus.net(None)] == [-1, -1]


def test_a_wager_pays_the_hands_from_its_least_one_up() -> None:
    paying = {name: wager.paying for name, wager in WAGERS.items()}
    assert {wager: (hands[0].label, hands[-1].label, len(hands)) for wager, hands in paying.items()} == {
        "base": ("royal flush", "tens or better", 9),
        "bonus": ("royal flush", "tens or better", 9),
        "three_card": ("mini royal", "pair", 6),
        "cover_all": ("royal flush", "three of a kind", 7),
    }
    for hands in paying.values():
        assert list(hands) == sorted(set(hands), reverse=True)
    own = read_paytable(data(), "x").pays["base"]
    assert [own.pay(hand) for hand in BASE_WAGER.paying] == PAYS
    with pytest.raises(InvalidData, match="got the unknown key 'base.pays.low_pair'"):
        read_paytable(data(low_pair=1), "x")


def test_cover_all_asks_for_the_number_of_hands_where_none_is_given() -> None:
    table = catalog.paytable("COVER-ALL")
    pays = table.pays["cover_all"]
    assert table.shown().grids[0].rows[2][0] == "four of a kind"
    for ask in (pays.pay, pays.odds):
        with pytest.raises(InvalidData, match="expected 1 to 7 hands for the cover_all wager, got 0"):
            ask(Category.FLUSH)


def test_a_table_shows_its_digest_and_one_grid_for_each_wager() -> None:
    table = catalog.paytable("LIRB-03")
    page = table.shown()
    assert page.facts == (("sha256", table.digest),)
    base, bonus = page.grids
    assert (base.title, bonus.title) == ("base, printed par 2.86%", f"bonus, printed par {_par(table)}")
    assert base.columns == ("hand", "pays")
    assert base.rows[0] == ("royal flush", "1,000 to 1")
    assert bonus.rows[0] == ("royal flush", "win $20,000")
    assert len(base.rows) == 9
    assert "  royal flush      1,000 to 1" in str(table).splitlines()  # a short grid is not folded away
    assert read_paytable(data(), "x").shown().grids[0].title == "base"  # a house prints no par


def _par(table: Paytable) -> str | None:
    return table.pays["bonus"].printed_par


def test_cover_all_has_a_column_for_each_number_of_hands_on_paper_and_in_json() -> None:
    table = catalog.paytable("COVER-ALL")
    (shown,) = table.shown().grids
    assert shown.columns == ("hand", "1 hand", "2 hands", "3 hands", "4 hands", "5 hands", "6 hands", "7 hands")
    assert [row[:3] for row in shown.rows[:2]] == [
        ("royal flush", "500 to 1", "300 to 1"),
        ("straight flush", "200 to 1", "100 to 1"),
    ]
    assert all(len(row) == 8 for row in shown.rows)
    (wager,) = table.as_data().wagers
    assert wager.pays is None
    assert [column.hands for column in wager.columns or ()] == [1, 2, 3, 4, 5, 6, 7]
    assert [column.pays["royal_flush"] for column in wager.columns or ()][:3] == [500, 300, 250]
    (base,) = catalog.paytable("LIRX-01").as_data().wagers
    assert base.columns is None
    assert (base.pays or {})["royal_flush"] == 1_000
