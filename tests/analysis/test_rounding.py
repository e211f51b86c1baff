"""Rounding for print: half up from the exact fraction, signs and thousands as a reader expects them."""

from __future__ import annotations

from fractions import Fraction

from letitride.analysis.rounding import decimal, fraction, odds, percent, units


def test_a_figure_is_rounded_half_up_from_its_fraction() -> None:
    assert [decimal(Fraction(n, 1000), 2) for n in (1004, 1005, -1005, -1006)] == ["1.00", "1.01", "−1.00", "−1.01"]
    assert decimal(Fraction(1_234_567, 2), 1) == "617,283.5"
    assert decimal(Fraction(7, 2), 0) == "4"


def test_nothing_is_neither_plus_nor_minus() -> None:
    assert decimal(Fraction(-1, 1000), 2, signed=True) == "0.00"
    assert decimal(Fraction(1, 2), 2, signed=True) == "+0.50"


def test_percent_agrees_with_the_figures_the_documents_print() -> None:
    values = (Fraction(37963, 1325152), Fraction(10343, 43316), Fraction(2865, 100_000))
    assert [percent(value, 2) for value in values] == ["2.86%", "23.88%", "2.87%"]
    assert percent(Fraction(7, 200)) == "3.5000%"


def test_fractions_units_and_odds() -> None:
    assert (fraction(Fraction(-3, 7)), units(Fraction(20_000)), units(Fraction(3, 2))) == ("−3/7", "20,000", "3/2")
    assert (odds(Fraction(1, 649_740)), odds(Fraction(5, 21))) == ("1 in 649,740", "1 in 4.2")
