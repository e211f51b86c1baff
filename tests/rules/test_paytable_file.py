"""Paytable file: what is read of a TOML file and what is refused, at the edge of every rule."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from letitride.errors import InvalidData
from letitride.rules.hands import Category
from letitride.rules.paytable_file import read_paytable
from letitride.rules.three_hands import ThreeCardCategory
from letitride.rules.wager_table import PUBLISHED

NAMES = [category.name.lower() for category in PUBLISHED["base"].paying]
BASE = dict(zip(NAMES, (1000, 200, 50, 11, 8, 5, 3, 2, 1), strict=True))
HEAD = {"id": "OWN", "title": "Own"}


def base(**changed: Any) -> dict[str, Any]:
    return {**HEAD, "base": {"award": "to_one", "pays": BASE, **changed}}


def bonus(**pays: Any) -> dict[str, Any]:
    return {**HEAD, "bonus": {"award": "total_award", "pays": pays}}


@pytest.mark.parametrize(
    ("table", "sentence"),
    [
        ({**base(), "id": None}, "id: expected a text, got nothing"),
        ({**base(), "title": "  "}, "title: expected a text, got '  '"),
        ({**base(), "title": "a\nb"}, r"title: expected a text, got 'a\nb'"),
        ({**HEAD, "base": {"pays": BASE}}, "base.award: expected 'to_one', got nothing"),
        (base(award="total_award"), "base.award: expected 'to_one', got 'total_award'"),
        (
            {**HEAD, "bonus": {"award": "for_one", "pays": BASE}},
            "bonus.award: expected one of 'total_award', 'to_one', got 'for_one'",
        ),
        (base(pays={}), "base.pays: expected a table of hands and pays, got {}"),
        (base(pays=3), "base.pays: expected a table of hands and pays, got 3"),
        (base(clauses=["nsw:10.1", 3]), "base.clauses: expected a list of clause ids, got ['nsw:10.1', 3]"),
        (base(printed_in=" "), "base.printed_in: expected a text, got ' '"),
        (base(printed_par=2.86), "base.printed_par: expected a percentage as printed, like '2.86%', got 2.86"),
        (
            base(printed_par="1e99999999%"),
            "base.printed_par: expected a percentage as printed, like '2.86%', got '1e99999999%'",
        ),
        (base(printed_par="two%"), "base.printed_par: expected a percentage as printed, like '2.86%', got 'two%'"),
        (
            base(pays={**BASE, "tens_or_better": 3}),
            "base.pays.two_pair: expected at least the 3 of the lesser tens or better, got 2",
        ),
        (
            bonus(royal_flush="1/300"),
            (
                "bonus.pays.royal_flush: expected a pay, above 0 and in whole cents for a dollar, "
                "as a whole number or a fraction like '3/2', got '1/300'"
            ),
        ),
        (
            {**HEAD, "cover_all": {"award": "to_one", "pays": {"royal_flush": 3}}},
            "cover_all.pays.royal_flush: expected a list of 7 pays, for 1 to 7 hands, got 3",
        ),
        (
            {**HEAD, "cover_all": {"award": "to_one", "pays": {"royal_flush": "1234567"}}},
            "cover_all.pays.royal_flush: expected a list of 7 pays, for 1 to 7 hands, got '1234567'",
        ),
    ],
)
def test_what_is_no_paytable_is_refused(table: dict[str, Any], sentence: str) -> None:
    with pytest.raises(InvalidData) as error:
        read_paytable(table, "own.toml")
    assert f"own.toml: {sentence}" == str(error.value)


@pytest.mark.parametrize(("written", "pay"), [("1/100", Fraction(1, 100)), ("5/2", Fraction(5, 2)), (1, Fraction(1))])
def test_a_total_award_is_read_in_whole_cents(written: Any, pay: Fraction) -> None:
    table = read_paytable(bonus(royal_flush=written), "own.toml")
    assert pay == table.pays["bonus"].pay(Category.ROYAL_FLUSH)


def test_what_a_house_prints_is_kept() -> None:
    printed = base(printed_par="3%", printed_hit_frequency="23.88%", printed_in="the felt", clauses=["nsw:10.1"])
    pays = read_paytable(printed, "own.toml").pays["base"]
    assert ("3%", "23.88%", "the felt") == (pays.printed_par, pays.printed_hit_frequency, pays.printed_in)
    assert ("nsw:10.1",) == pays.clauses
    bare = read_paytable(base(), "own.toml").pays["base"]
    assert (None, None, None, ()) == (bare.printed_par, bare.printed_hit_frequency, bare.printed_in, bare.clauses)


def test_a_side_bet_that_pays_a_mini_royal_alone_pays_nothing_else() -> None:
    table = read_paytable({**HEAD, "three_card": {"award": "to_one", "pays": {"mini_royal": 50}}}, "own.toml")
    pays = table.pays["three_card"]
    assert {ThreeCardCategory.MINI_ROYAL: 50} == {one: pay for one in ThreeCardCategory if (pay := pays.pay(one))}


def test_a_push_is_a_pay_and_equal_pays_are_in_order() -> None:
    pays = read_paytable(base(pays={**BASE, "tens_or_better": 0, "two_pair": 3}), "own.toml").pays["base"]
    assert [0, 3, 3] == [
        pays.pay(one) for one in (Category.TENS_OR_BETTER, Category.TWO_PAIR, Category.THREE_OF_A_KIND)
    ]
