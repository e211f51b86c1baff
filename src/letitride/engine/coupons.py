"""Coupons: where a match-play coupon goes with the bet that it lies beside; never whether it may be laid."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from letitride.engine.state import Seat, Table
from letitride.engine.steps import Step
from letitride.ledger import accounts
from letitride.ledger.transfers import Transfer
from letitride.rules.wager_table import BASE


def back(table: Table, seat: int) -> tuple[Transfer, ...]:
    """Return the coupon that lies beside a seat's third bet to its player."""
    laid = accounts.laid_coupon(seat)
    return (Transfer(laid, accounts.coupons(seat), table.cents(laid)),) if table.cents(laid) else ()


def settled(table: Table, step: Step) -> tuple[Transfer, ...]:
    """Return what happens to a coupon with its bet: its player gets its value, or the house has it back."""
    if step.wager != BASE.spot:
        return ()
    laid = accounts.laid_coupon(step.seat)
    target = accounts.stack(step.seat) if step.kind == "pay" else accounts.PROMOTIONS
    return (Transfer(laid, target, table.cents(laid)),) if table.cents(laid) else ()


def undone(seat: Seat, step: Step) -> Iterator[tuple[str, str, int]]:
    """Yield how a coupon goes back to its player with the bets of a void hand, or to the house with forfeited ones."""
    if seat.coupon is msgspec.UNSET:
        return
    number = seat.number
    lies = {"laid": accounts.laid_coupon(number), "won": accounts.stack(number), "lost": accounts.PROMOTIONS}
    target = accounts.coupons(number) if step.kind == "return_bets" else accounts.PROMOTIONS
    if lies[seat.coupon.fate] != target:
        yield lies[seat.coupon.fate], target, seat.coupon.cents
