"""Pit figures: what a table did within a time as figures that add up, over days and over tables; it judges none."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from functools import reduce
from math import sqrt
from operator import add
from typing import Any

import msgspec

from letitride.reports.shift.figures import Shift


class Figures(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A table's figures, or those of many: money in cents, exact expectations as fractions."""

    rounds: int = 0
    void_rounds: int = 0
    hands: int = 0
    placed_cents: int = 0
    handle_cents: int = 0
    drop_cents: int = 0
    purchases: int = 0
    cashed_out_cents: int = 0
    win_cents: int = 0
    bank_win_cents: int = 0
    """What players' banks won: it is no win of the house."""
    fees_cents: int = 0
    awards_cents: int = 0
    vouchers_cents: int = 0
    irregularities: int = 0
    orders: int = 0
    disputes_raised: int = 0
    disputes_upheld: int = 0
    disputes_rejected: int = 0
    base_cents: int = 0
    base_hands: int = 0
    hands_judged: int = 0
    won_judged_cents: int = 0
    expected_cents: Fraction = Fraction(0)
    """Theoretical win, best play."""
    given_away_cents: Fraction = Fraction(0)
    """What players' mistakes add to it."""
    variance: Fraction = Fraction(0)
    decisions: int = 0
    mistakes: int = 0
    ordinary_won_cents: int = 0
    ordinary_expected_cents: Fraction = Fraction(0)
    ordinary_variance: Fraction = Fraction(0)
    big_hands: int = 0
    big_hands_expected: Fraction = Fraction(0)

    @property
    def as_played_cents(self) -> Fraction:
        """Theoretical win as the hands were played."""
        return self.expected_cents + self.given_away_cents

    @property
    def hold(self) -> Fraction | None:
        """Win divided by drop."""
        return Fraction(self.win_cents, self.drop_cents) if self.drop_cents else None

    @property
    def win_of_handle(self) -> Fraction | None:
        """Win divided by handle."""
        return Fraction(self.win_cents, self.handle_cents) if self.handle_cents else None

    @property
    def average_base_bet(self) -> Fraction | None:
        """One base bet of every hand, in cents."""
        return Fraction(self.base_cents, self.base_hands) if self.base_hands else None

    @property
    def z(self) -> float | None:
        """How many standard deviations the win lies from the theoretical win as played."""
        if not self.variance:
            return None
        return float(self.won_judged_cents - self.as_played_cents) / sqrt(self.variance)

    @property
    def z_ordinary(self) -> float | None:
        """The same where big hands count as nothing."""
        if not self.ordinary_variance:
            return None
        expected = self.ordinary_expected_cents + self.given_away_cents
        return float(self.ordinary_won_cents - expected) / sqrt(self.ordinary_variance)

    def __add__(self, other: Figures) -> Figures:
        mine, theirs = msgspec.structs.asdict(self), msgspec.structs.asdict(other)
        return Figures(**{name: mine[name] + theirs[name] for name in mine})


def figures_of(shift: Shift) -> Figures:
    """Return the figures of a shift."""
    money, theory, ordinary = shift.money, shift.theory, shift.theory.ordinary
    by_house = shift.banked_by == "house"
    return Figures(
        rounds=shift.rounds,
        void_rounds=shift.void_rounds,
        hands=shift.hands,
        placed_cents=shift.placed_cents,
        handle_cents=shift.handle_cents,
        drop_cents=money.drop_cents,
        purchases=money.purchases,
        cashed_out_cents=money.cashed_out_cents,
        win_cents=shift.win_cents if by_house else 0,
        bank_win_cents=0 if by_house else shift.win_cents,
        fees_cents=money.fees_cents,
        awards_cents=money.awards_cents,
        vouchers_cents=money.vouchers_cents,
        irregularities=sum(one.count for one in shift.irregularities),
        orders=sum(one.count for one in shift.orders),
        disputes_raised=shift.disputes_raised,
        disputes_upheld=shift.disputes_upheld,
        disputes_rejected=shift.disputes_rejected,
        base_cents=shift.base_cents,
        base_hands=shift.base_hands,
        hands_judged=theory.hands,
        won_judged_cents=theory.won_cents,
        expected_cents=theory.expected_cents,
        given_away_cents=theory.given_away,
        variance=theory.variance,
        decisions=theory.decisions,
        mistakes=theory.mistakes,
        ordinary_won_cents=ordinary.won_cents,
        ordinary_expected_cents=ordinary.expected,
        ordinary_variance=ordinary.variance,
        big_hands=ordinary.big,
        big_hands_expected=ordinary.big_expected,
    )


def total(every: Iterable[Figures]) -> Figures:
    """Return what figures add up to."""
    return reduce(add, every, Figures())


def as_kept(value: object) -> str:
    """Return an exact figure as JSON keeps it: '7/3'."""
    if isinstance(value, Fraction):
        return str(value)
    raise NotImplementedError(f"expected a fraction, got {type(value).__name__}")


def as_read(kind: type[Any], value: object) -> Any:
    """Return an exact figure that JSON kept."""
    if kind is Fraction and isinstance(value, str):
        return Fraction(value)
    raise NotImplementedError(f"expected a fraction, got {kind.__name__}")
