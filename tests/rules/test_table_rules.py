"""Table rules: which paytables a table may choose, where they come from, and what a table shows of its rules."""

from __future__ import annotations

import tomllib
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from letitride.errors import InvalidData
from letitride.rules import catalog
from letitride.rules.hands import Category
from letitride.rules.paytables import Paytable
from letitride.rules.shown import Grid
from letitride.rules.table_rules import REMEMBERED_MAX, TableRules, adopt_paytables, offered_wagers, per_rules
from letitride.rules.values import Values
from tests.paytables import base_paytable

HD_BASE = tuple(int(pay) for pay in catalog.paytable("HD-BASE").pays["base"].columns[0].values())
BOOK = 'id = "own-1"\ntitle = "Own"\n'


def ready(ref: str, values: Values, **texts: str) -> Any:
    return catalog.table_rules_of_texts(ref, values, {f"{name}.toml": text for name, text in texts.items()})


def refusal(call: Callable[[], object]) -> str:
    with pytest.raises(InvalidData) as error:
        call()
    return str(error.value)


def test_a_table_shows_its_limits_and_the_paytable_of_each_wager() -> None:
    table = catalog.table_rules("washington-1", {"limit.cents_min": 700, "limit.cents_max": 12_300})
    assert "by washington-1, $7 to $123" == table.headline()
    page, book = table.shown(), table.book.shown()
    assert "table rules by washington-1, $7 to $123" == page.title
    assert (book.facts, book.grids) == (page.facts, page.grids[1:])
    rows = (("base", "LIRB-25"), ("bonus", "LIRB-25"), ("three_card", "3CB-1"), ("cover_all", "COVER-ALL"))
    assert Grid(("wager", "paytable"), rows, "wagers") == page.grids[0]


def test_a_table_offers_the_base_wager_and_what_its_book_offers() -> None:
    found = {
        book: [*map(str, offered_wagers(catalog.rulebook(book)))] for book in ("nsw-1", "hand-dealt-1", "washington-1")
    }
    assert {
        "nsw-1": ["base"],
        "hand-dealt-1": ["base", "three_card"],
        "washington-1": ["base", "bonus", "three_card", "cover_all"],
    } == found


@pytest.mark.parametrize(
    ("house", "values", "sentence"),
    [
        ("nsw-1", {"base.paytable": "LIRX-02"}, "base.paytable: expected 'LIRX-01', got 'LIRX-02'"),
        ("california-1", {"base.paytable": "LIRX-04"}, "base.paytable: expected one of 'LIRX-01', 'LIRX-02', 'LIRX-03', got 'LIRX-04'"),
        ("nsw-1", {"base.paytable": "3CB-1"}, "base.paytable: expected a paytable that prices the base wager, got 3CB-1, which does not"),
        ("washington-1", {"base.paytable": "LIRX-01"}, "base.paytable: expected a paytable that prices the bonus wager, got LIRX-01, which does not"),
        ("washington-1", {"three_card.paytable": "LIRX-01"}, "three_card.paytable: expected a paytable that prices the three_card wager, got LIRX-01, which does not"),
        ("washington-1", {"cover_all.paytable": "3CB-1"}, "cover_all.paytable: expected a paytable that prices the cover_all wager, got 3CB-1, which does not"),
        ("hand-dealt-1", {"three_card.paytable": "3CB-1"}, "three_card.paytable: expected 'HD-SIDE', got '3CB-1'"),
        ("hand-dealt-1", {"base.paytable": "LIRX-02"}, "base.paytable: expected 'HD-BASE' or a table that pays no hand less, got 'LIRX-02'"),
        ("nsw-1", {"base.paytable": 3}, "base.paytable: expected a text, got 3"),
    ],
)  # fmt: skip
def test_a_paytable_that_the_book_does_not_allow_is_refused_before_the_table_is_ready(
    house: str, values: Values, sentence: str
) -> None:
    assert f"table by {house}: {sentence}" == refusal(lambda: catalog.table_book(house, values))


@pytest.mark.parametrize(
    ("pays", "allowed"),
    [
        ({}, True),
        ({"royal_flush": HD_BASE[0] + 1}, True),
        ({"tens_or_better": HD_BASE[-1] + 1}, True),
        ({"flush": HD_BASE[4] - 1}, False),
        ({"royal_flush": 5000, "tens_or_better": None}, False),
    ],
)
def test_where_odds_are_a_floor_a_table_may_pay_more_but_no_hand_less(pays: dict[str, Any], allowed: bool) -> None:
    own = base_paytable("OWN", pays=HD_BASE, **pays)
    if allowed:
        table = ready("hand-dealt-1", {"base.paytable": "own.toml"}, own=own)
        assert "OWN" == table.paytables["base"]
        paid = {one.name.lower(): table.pays["base"].pay(one) for one in Category}
        assert pays.items() <= paid.items()
    else:
        told = "table by hand-dealt-1: base.paytable: expected 'HD-BASE' or a table that pays no hand less, got 'OWN'"
        assert told == refusal(lambda: ready("hand-dealt-1", {"base.paytable": "own.toml"}, own=own))


def test_a_table_that_pays_more_is_refused_where_odds_are_exact() -> None:
    own = base_paytable("OWN", royal_flush=5000)
    told = "table by nsw-1: base.paytable: expected 'LIRX-01', got 'OWN'"
    assert told == refusal(lambda: ready("nsw-1", {"base.paytable": "own.toml"}, own=own))


def test_it_is_enough_to_pay_no_less_than_one_of_the_listed_tables() -> None:
    book = BOOK + "[rules]\nbase.paytables = ['LIRX-01', 'LIRX-02']\nbase.odds_floor = 'at_least'\n"
    pays = tuple(int(pay) for pay in catalog.paytable("LIRX-02").pays["base"].columns[0].values())
    table = ready("book.toml", {"base.paytable": "own.toml"}, book=book, own=base_paytable("OWN", pays=pays, flush=11))
    assert Fraction(11) == table.pays["base"].pay(Category.FLUSH)


def test_a_books_own_paytable_is_known_by_its_id() -> None:
    book = BOOK + "[rules]\nbase.paytables = ['own.toml', 'LIRX-01']\nbase.paytable = 'own.toml'\n"
    own = base_paytable("OWN", royal_flush=777)
    for values in ({}, {"base.paytable": "OWN"}, {"base.paytable": "own.toml"}):
        table = ready("book.toml", values, book=book, own=own)
        assert Fraction(777) == table.pays["base"].pay(Category.ROYAL_FLUSH)
        assert (("OWN", "LIRX-01"), "OWN") == (
            table.rules.wagers["base"].paytables,
            table.rules.wagers["base"].paytable,
        )
        assert ["OWN"] == list(table.book.paytables)
    published = ready("book.toml", {"base.paytable": "LIRX-01"}, book=book, own=own)
    assert {"base": "LIRX-01"} == published.paytables


@pytest.mark.parametrize(
    ("rules", "sentence"),
    [
        ("base.paytables = ['LIRX-01', '3CB-1']", "table by own-1: base.paytables: expected a paytable that prices the base wager, got 3CB-1, which does not"),
        ("base.paytables = 'own.toml'", "book.toml: base.paytables: expected a list, each a text, got 'own.toml'"),
        ("base.paytables = ['own.toml', 3]", "book.toml: base.paytables: expected a list, each a text, got ['OWN', 3]"),
        ("base.paytable = 'bad.toml'", "book.toml: base.paytable: bad.toml: expected valid TOML, got an error: Invalid value (at end of document)"),
        ("base.paytables = ['own.toml', 'other.toml']", "book.toml: base.paytables: expected an id of its own, got 'OWN', another paytable's"),
    ],
)  # fmt: skip
def test_paytables_that_do_not_fit_are_refused_with_their_book(rules: str, sentence: str) -> None:
    texts = {"own": base_paytable("OWN"), "other": base_paytable("OWN", royal_flush=999), "bad": "x ="}
    assert sentence == refusal(lambda: ready("book.toml", {}, book=f"{BOOK}[rules]\n{rules}\n", **texts))


def test_only_paytables_are_loaded_by_their_paths() -> None:
    def load(ref: str) -> Paytable:
        assert "t/a.toml" == ref
        return catalog.paytable("LIRX-01")

    values = {
        "shuffler.models": ["t/a.toml"],
        "shuffler.vendor": "t/a.toml",
        "three_card.paytables": ["3CB-1", "t/a.toml"],
        "base.paytable": "t/a.toml",
        "cover_all.paytable": "COVER-ALL",
    }
    adopted, tables = adopt_paytables(values, {}, load, "own")
    assert {**values, "three_card.paytables": ["3CB-1", "LIRX-01"], "base.paytable": "LIRX-01"} == adopted
    assert {"LIRX-01": catalog.paytable("LIRX-01")} == tables


def test_a_table_is_not_ready_until_it_states_what_its_book_leaves_to_it() -> None:
    told = refusal(lambda: catalog.table_rules("california-1"))
    number, tiers = "(a whole number, 1 or more)", "[{limit_cents_max = 5000, wager_cents = 100, bank_cents = 200}]"
    assert told.startswith(
        f"table by california-1: expected a value for limit.cents_min {number}, limit.cents_max {number}"
    )
    assert f"fee.tiers (a list of tables with limit_cents_max, wager_cents, bank_cents, like {tiers}), got none" in told
    fees: Values = tomllib.loads(f'"fee.tiers" = {tiers}')
    values = {"limit.cents_min": 500, "limit.cents_max": 5_000, **fees}
    assert catalog.table_rules("california-1", values).rules.fee.tiers  # the example is one
    assert ("limit.cents_min", "fee.tiers") == catalog.table_book("california-1", {"limit.cents_max": 900}).missing()


def test_a_bonus_that_pays_all_to_one_needs_no_word_for_awards(tmp_path: Path) -> None:
    rows = "royal_flush = 1000\nstraight_flush = 200\nfour_of_a_kind = 50\nfull_house = 11\nflush = 8\nstraight = 5\n"
    rows += "three_of_a_kind = 3\ntwo_pair = 2\ntens_or_better = 1\n"

    def opened(award: str) -> TableRules:
        paytable = tmp_path / "one.toml"
        parts = [f'id = "ONE"\ntitle = "One"\n[base]\naward = "to_one"\n[base.pays]\n{rows}']
        paytable.write_text(f'{parts[0]}[bonus]\naward = "{award}"\n[bonus.pays]\n{rows}', encoding="utf-8")
        book = tmp_path / "room.toml"
        rules = '[rules]\nbonus.offered = true\nsettle.bets_order = ["base", "bonus"]\nodds.wording = ["to"]\nbase.paytables = ["one.toml"]\nbase.paytable = "one.toml"\n'
        book.write_text(f'id = "room-1"\ntitle = "Room"\nextends = "nsw-1"\n{rules}', encoding="utf-8")
        return catalog.ready_rules(str(book))

    assert opened("to_one").pays["bonus"].award == "to_one"
    with pytest.raises(InvalidData, match="odds.wording: expected a list with 'win', because total awards are shown"):
        opened("total_award")


def test_amounts_that_could_run_over_are_refused() -> None:
    with pytest.raises(InvalidData, match="limit.cents_max: expected 100,000,000,000 cents at most, got 100000000001"):
        catalog.table_rules("washington-1", {"limit.cents_max": 10**11 + 1})
    tier = {"limit_cents_max": 10**12, "wager_cents": 50, "bank_cents": 200}
    with pytest.raises(InvalidData, match="fee.tiers: expected 100,000,000,000 cents at most"):
        catalog.ready_rules("california-1", {"fee.tiers": [tier]})
    assert catalog.table_rules("washington-1", {"limit.cents_max": 10**11}).cents_max == 10**11
    rich = """id = "rich"
title = "Rich"
[base]
award = "to_one"
[base.pays]
royal_flush = 1_000_000_000
"""
    book = f'{BOOK}extends = "nsw-1"\n[rules]\nbase.paytable = "rich.toml"\nbase.paytables = ["rich.toml"]\n'
    texts = {"own.toml": book, "rich.toml": rich}
    few: Values = {"limit.cents_min": 100, "limit.cents_max": 10**8}
    assert catalog.table_rules_of_texts("own.toml", few, texts).cents_max == 10**8
    with pytest.raises(InvalidData, match="expected limits and pays by which a round pays"):
        catalog.table_rules_of_texts("own.toml", {**few, "limit.cents_max": 10**10}, texts)


def test_what_is_found_by_rules_is_remembered_for_these_very_rules_and_no_longer_than_there_is_room() -> None:
    asked = list[TableRules]()

    @per_rules
    def found(rules: TableRules) -> int:
        asked.append(rules)
        return rules.cents_max

    rules = catalog.table_rules("washington-1")
    assert found(rules) == found(rules) == rules.cents_max
    assert [rules] == asked
    others = [replace(rules) for _ in range(REMEMBERED_MAX)]  # equal to one another: they are not compared
    assert {rules.cents_max} == {found(one) for one in others}
    assert len(asked) == 1 + REMEMBERED_MAX
    assert found(others[-1]) == found(rules)
    assert asked[-1] is rules  # forgotten, and found again
