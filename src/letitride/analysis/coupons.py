"""Coupons: what a match-play coupon of one unit is worth beside the third bet, exactly; never who may lay one."""

from __future__ import annotations

from fractions import Fraction

from letitride.analysis.base import CASES, THREE, columns_of, require_base
from letitride.rules.paytables import Pays


def coupon_value(pays: Pays) -> Fraction:
    """Return what a match-play coupon of one unit wins on average: how often the bet that it lies beside wins.

    The third bet always rides, so that no decision changes it: the best play is what it is without a coupon. The coupon
    is the house's own, and costs nothing where it loses.
    """
    require_base(pays)
    wins = [pay is not None for pay in columns_of(pays)]
    won = sum(hands * many for hands, row in THREE for column, many in row if column < len(wins) and wins[column])
    return Fraction(won, CASES)
