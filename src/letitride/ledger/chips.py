"""Chips: the denominations of a chip tray, and amounts counted in them; never whose chips they are."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

from letitride.errors import InvalidData
from letitride.rules.money import dollars

Rack = tuple[int, ...]
"""The denominations of a tray in cents, the highest first."""
Amounts = Mapping[int, int]
"""Cents by denomination."""
DEFAULT_RACK: Final[Rack] = (100_000, 50_000, 10_000, 2_500, 500, 100)
DENOMINATIONS_MAX: Final = 16
CHIP_CENTS_MAX: Final = 10**9
AMOUNT_CENTS_MAX: Final = 10**12
"""What a tray may be said to hold of one denomination: beyond it someone's hand slipped."""


def rack(denominations: Iterable[int]) -> Rack:
    """Return the denominations of a tray in order, or say which of them cannot be."""
    found = tuple(denominations)
    if not 1 <= len(found) <= DENOMINATIONS_MAX:
        raise InvalidData(f"expected 1 to {DENOMINATIONS_MAX} denominations of chips, got {len(found)}")
    for one in found:
        if not 1 <= one <= CHIP_CENTS_MAX:
            raise InvalidData(f"expected chips of 1 cent to {dollars(CHIP_CENTS_MAX)}, got {dollars(one)}")
    if len(set(found)) < len(found):
        twice = next(one for one in found if found.count(one) > 1)
        raise InvalidData(f"expected each denomination once, got {dollars(twice)} twice")
    return tuple(sorted(found, reverse=True))


def total(held: Rack, amounts: Amounts, *, whole: bool = False) -> int:
    """Return what amounts by denomination add up to; each is whole chips of a denomination that the tray has.

    A `whole` count says an amount for every denomination, so that none is forgotten: a half-entered count is refused.
    """
    for denomination, cents in amounts.items():
        if denomination not in held:
            known = ", ".join(map(dollars, held))
            raise InvalidData(f"expected chips of {known}, got chips of {dollars(denomination)}")
        if not 0 <= cents <= AMOUNT_CENTS_MAX:
            most = dollars(AMOUNT_CENTS_MAX)
            raise InvalidData(f"expected $0 to {most} in {dollars(denomination)} chips, got {dollars(cents)}")
        if cents % denomination:
            raise InvalidData(
                f"expected whole {dollars(denomination)} chips, got {dollars(cents)}, which is not a multiple of"
                f" {dollars(denomination)}"
            )
    missing = [one for one in held if one not in amounts] if whole else []
    if missing:
        left_out = ", ".join(map(dollars, missing))
        raise InvalidData(
            f"expected an amount for every denomination, $0 where there are none, got none for {left_out}"
        )
    return sum(amounts.values())
