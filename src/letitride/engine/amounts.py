"""Amounts: the chips that a step of the script moves, by the kind of the step; never whether it may be done."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Final

from letitride.engine import coupons, faults
from letitride.engine.state import Seat, Table
from letitride.engine.steps import Step
from letitride.ledger import accounts
from letitride.ledger.transfers import Transfer
from letitride.rules.banking import bank_fee, wagers_fee
from letitride.rules.settlement import Spot
from letitride.rules.wager_table import BASE_SPOTS


def purse_of(seat: int, medium: str) -> str:
    """The account that a seat's stakes come from and go back to."""
    return accounts.tokens(seat) if medium == "tokens" else accounts.stack(seat)


def banker(table: Table) -> str:
    """The account that pays and takes: the house's, or that of the player who banks."""
    return accounts.TRAY if table.rules.rules.bank.mode == "house" else accounts.BANK


def changed_bets(table: Table, number: int, wagers: Mapping[Spot, int]) -> Iterator[Transfer]:
    """Return what changes hands when a seat's bets become others, spot by spot."""
    seat = table.seats[number]
    purse = purse_of(number, seat.medium)
    for spot in BASE_SPOTS:
        if spot in seat.withdrawn:
            continue
        there = accounts.felt(number, spot)
        more = wagers.get(spot, 0) - table.cents(there)
        if more > 0:
            yield Transfer(purse, there, more)
        elif more < 0:
            yield Transfer(there, purse, -more)


def chips(table: Table, step: Step) -> Iterable[Transfer]:
    """Return the amounts a step moves."""
    moves = _MOVES.get(step.kind) if step.seat else None
    return moves(table, step, table.seats[step.seat]) if moves is not None else ()


def _to_the_bank(table: Table, step: Step, _seat: Seat) -> Iterator[Transfer]:
    spot = accounts.felt(step.seat, step.wager)
    yield Transfer(spot, banker(table), table.cents(spot))


def _pushed_back(table: Table, step: Step, seat: Seat) -> Iterator[Transfer]:
    spot = accounts.felt(step.seat, step.wager)
    lies = table.cents(spot)
    back = table.rules.by_spot[step.wager].withdrawn_cents(lies)
    ways = (purse_of(step.seat, seat.medium), back), (banker(table), lies - back)
    return (Transfer(spot, target, cents) for target, cents in ways if cents)


def _settled(table: Table, step: Step, seat: Seat) -> list[Transfer]:
    (result,) = [one for one in seat.results if one.wager == step.wager]
    spot, bank = accounts.felt(step.seat, step.wager), banker(table)
    moved: list[Transfer] = []
    if not table.cents(spot):  # it was taken to the tray before the deal
        if result.back_cents:
            moved.append(Transfer(bank, spot, result.back_cents))
    elif lost := result.stake_cents - result.back_cents:
        moved.append(Transfer(spot, bank, lost))
    if result.paid_cents:
        moved.append(Transfer(bank, accounts.stack(step.seat), result.paid_cents))  # wins are paid in chips
    if result.back_cents:
        moved.append(Transfer(spot, purse_of(step.seat, seat.medium), result.back_cents))
    return [*moved, *coupons.settled(table, step)]


def _fee(table: Table, step: Step, seat: Seat) -> Iterator[Transfer]:
    rules = table.rules.rules
    fee = bank_fee(rules) if step.seat == table.bank_seat else wagers_fee(rules, len(seat.wagers))
    if fee:
        yield Transfer(accounts.stack(step.seat), accounts.FEES, fee)


def _undone(table: Table, step: Step, seat: Seat) -> Iterator[Transfer]:
    """Yield what undoes a seat's part in the round: its stakes are returned or forfeited."""
    purse, bank = purse_of(step.seat, seat.medium), banker(table)
    moved: list[tuple[str, str, int]] = []
    for name in seat.wagers:
        spot = accounts.felt(step.seat, name)
        lying = table.cents(spot)
        if step.kind == "return_bets" or name in seat.withdrawn:
            moved.append((spot, purse, lying))
        elif lying:
            moved.append((spot, bank, lying))
        else:
            moved.append((purse, bank, seat.back.get(name, 0)))  # it was settled, and had gone back
    moved.append((accounts.stack(step.seat), bank, seat.paid_cents))
    moved += coupons.undone(seat, step)
    if step.kind == "return_bets":
        moved += [(bank, purse, seat.taken_cents), (accounts.FEES, accounts.stack(step.seat), seat.fee_cents)]
    return (Transfer(*one) for one in moved if one[2])


def _excess(table: Table, step: Step, seat: Seat) -> Iterator[Transfer]:
    purse = purse_of(step.seat, seat.medium)
    over = faults.over_maximum(table, seat)
    return (Transfer(accounts.felt(step.seat, name), purse, cents) for name, cents in over.items())


def _restored(table: Table, step: Step, seat: Seat) -> Iterator[Transfer]:
    yield Transfer(banker(table), accounts.felt(step.seat, step.wager), seat.wagers[step.wager])


def _stake_back(table: Table, step: Step, _seat: Seat) -> Iterator[Transfer]:
    if left := table.cents(accounts.BANK):
        yield Transfer(accounts.BANK, accounts.stack(step.seat), left)


_MOVES: Final[Mapping[str, Callable[[Table, Step, Seat], Iterable[Transfer]]]] = {
    "collect_bonus": _to_the_bank,
    "place_lammer": _to_the_bank,
    "push_back": _pushed_back,
    "push_back_side": _pushed_back,
    "pay": _settled,
    "take": _settled,
    "return_wager": _settled,
    "collect_fee": _fee,
    "return_bets": _undone,
    "forfeit_bets": _undone,
    "return_excess": _excess,
    "restore_bonus": _restored,
    "return_stake": _stake_back,
}


def without_excess(table: Table, number: int) -> dict[Spot, int]:
    """Return a seat's bets cut down to the maximum."""
    seat = table.seats[number]
    over = faults.over_maximum(table, seat)
    return {name: cents - over.get(name, 0) for name, cents in seat.wagers.items()}
