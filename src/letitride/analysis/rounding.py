"""Rounding: exact figures as they are printed, half up from the fraction itself; never read back into a computation."""

from __future__ import annotations

from fractions import Fraction
from typing import Final

MINUS: Final = "\N{MINUS SIGN}"


def decimal(value: Fraction | float, digits: int = 4, *, signed: bool = False) -> str:
    """Return a figure with so many decimals: '26.6057', and '+0.0046' where it is signed."""
    scaled = Fraction(value) * 10**digits
    rounded = (2 * scaled.numerator + scaled.denominator) // (2 * scaled.denominator)
    whole, part = divmod(abs(rounded), 10**digits)
    sign = MINUS if rounded < 0 else "+" if signed and rounded else ""
    return f"{sign}{whole:,}" + (f".{part:0{digits}}" if digits else "")


def percent(value: Fraction | float, digits: int = 4) -> str:
    """Return a share in percent: '3.5057%'."""
    return decimal(Fraction(value) * 100, digits) + "%"


def odds(value: Fraction) -> str:
    """Return how rare something is: '1 in 649,740'; one decimal where it is not rare."""
    return f"1 in {decimal(1 / value, 0 if value < Fraction(1, 1000) else 1)}"


def fraction(value: Fraction) -> str:
    """Return a figure as the reduced fraction, with a true minus."""
    return str(value).replace("-", MINUS)


def units(value: Fraction) -> str:
    """Return an amount in units as it is, whole or as a fraction: '1,000', '3/2'."""
    return decimal(value, 0) if value.denominator == 1 else fraction(value)


def money(cents: Fraction | float, *, signed: bool = False) -> str:
    """Return an amount of cents in dollars, to the cent: '$7.50', and '+$0.33' where it is signed."""
    text = decimal(Fraction(cents) / 100, 2, signed=signed)
    sign = text[0] if text[0] in {MINUS, "+"} else ""
    return f"{sign}${text.removeprefix(sign)}"
