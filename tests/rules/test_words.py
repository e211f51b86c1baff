"""Words and money: numbers carry their unit and their grammar, and amounts their sign."""

from __future__ import annotations

from letitride.rules.money import dollars
from letitride.rules.words import plural, quantity


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
