"""Money: integer cents, and how an amount is written; never a float."""

from typing import Final

CENTS_MAX: Final = 10**11
"""No stake, limit, fee or bank is more than a thousand million dollars."""
PAYOUT_CENTS_MAX: Final = 2**62
"""What all wagers of a round can come to together: journals and ledgers keep cents in 64 bits."""


def dollars(cents: int, *, signed: bool = False) -> str:
    """Return an amount as '$75', '$7.50' or '-$7.50', and '+$75' where it is signed."""
    whole, rest = divmod(abs(cents), 100)
    sign = "-" if cents < 0 else "+" if signed and cents else ""
    return f"{sign}${whole:,}" if rest == 0 else f"{sign}${whole:,}.{rest:02}"
