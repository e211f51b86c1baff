"""Money: integer cents, and how an amount is written; never a float."""

from fractions import Fraction


def dollars(cents: Fraction | int) -> str:
    """Return an amount as '$75' or '$7.50'."""
    whole, rest = divmod(round(cents), 100)
    return f"${whole:,}" if rest == 0 else f"${whole:,}.{rest:02}"
