"""Words and money: numbers carry their unit and their grammar, and amounts their sign."""

from __future__ import annotations

import pytest

from letitride.rules.keys import FeeTier
from letitride.rules.money import dollars
from letitride.rules.words import did_you_mean, one_of, plural, quantity, shortened, show_value


def test_a_noun_agrees_with_its_number() -> None:
    assert [quantity(n, "card") for n in (0, 1, 2, 1_000)] == ["0 cards", "1 card", "2 cards", "1,000 cards"]
    assert (plural("six", 2), plural("seat", 1)) == ("sixes", "seat")


def test_an_amount_shows_cents_where_there_are_any() -> None:
    assert [dollars(cents) for cents in (7_500, 750, -750, 0, 123_456_700)] == [
        "$75",
        "$7.50",
        "-$7.50",
        "$0",
        "$1,234,567",
    ]


def test_a_signed_amount_shows_plus_and_minus_and_nothing_for_nothing() -> None:
    assert [dollars(cents, signed=True) for cents in (750, 0, -1)] == ["+$7.50", "$0", "-$0.01"]


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (None, "unset"),
        (True, "true"),
        (False, "false"),
        (7, "7"),
        ("a b", "'a b'"),
        ("a\nb", r"'a\nb'"),
        (["a", 1], "['a', 1]"),
        ((), "[]"),
        ({"a": "b", "c": None}, "{a = 'b', c = unset}"),
        (FeeTier(10_000, 50, 200), "{limit_cents_max = 10000, wager_cents = 50, bank_cents = 200}"),
    ],
)
def test_a_value_is_shown_as_toml_writes_it(value: object, shown: str) -> None:
    assert show_value(value) == shown


def test_a_long_text_is_told_by_its_beginning_and_its_end() -> None:
    text = "ab" * 60
    assert (shortened(text), shortened(f"{text}.")) == (text, f"{text[:80]}…{text[-29:]}.")
    assert shortened("x" * 20 + "y" * 31, 50) == f"{'x' * 10}…{'y' * 30}"


def test_a_choice_is_offered_as_one_of_several() -> None:
    assert (one_of(["a"]), one_of(["a", 2])) == ("'a'", "one of 'a', 2")


def test_the_nearest_name_is_asked_for_and_a_far_one_is_not() -> None:
    assert did_you_mean("flsh", ["flush", "flash", "straight"]) == "; did you mean 'flush'?"
    assert did_you_mean("royal", ["flush", "straight"]) == ""
