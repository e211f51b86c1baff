"""Offers: the commands a viewer could give now, each of which would be accepted; `legal` has the word."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import msgspec

from letitride.engine import commands, faults, places
from letitride.engine.bets import betting_open, correction_bounds, may_take_back, taken_in
from letitride.engine.legal import legal
from letitride.engine.state import Table
from letitride.engine.steps import KINDS, Step
from letitride.engine.view_types import Offer
from letitride.ledger import accounts
from letitride.rules.banking import wagers_fee
from letitride.rules.limits import buy_in_min, side_limits, spot_limits
from letitride.rules.roles import RUNS
from letitride.rules.settlement import Spot
from letitride.rules.table_rules import TableRules, per_rules
from letitride.rules.wager_table import BASE_SPOTS

_BUY_CENTS: Final = 10_000
"""What a player is offered chips for."""


def offers(table: Table, viewer: str) -> tuple[Offer, ...]:
    """Return the commands a viewer is offered now; each of them would be accepted."""
    return tuple([command for command in _candidates(table, viewer) if legal(table, command) is None])


def grounds(table: Table) -> tuple[object, ...]:
    """Return what offers to all players depend on: while it and a player's `own_grounds` stay, so do their offers."""
    return (
        table.rules,
        table.phase,
        not table.agenda,
        betting_open(table),
        table.phase == "dealing" and any(KINDS[s.kind].mends or s.kind == "await_correction" for s in table.agenda),
        [card.face for card in table.community() if card.up],
        (table.bank_seat, table.bank_stake, table.bank_player, table.bank_hands),
        table.bank_stake and any(seat.wagers for seat in table.seats.values()),
        [n for n, s in table.seats.items() if s.acts_first and s.dealt_in and s.has_base and 1 not in s.choices],
        table.disputes,
    )


def own_grounds(table: Table, number: int) -> tuple[object, ...]:
    """Return what the offers to one player depend on besides: at every seat of theirs, and beside it."""
    if table.rules.rules.hands_per_player == 1:
        return _grounds_of_seat(table, number)
    own = tuple(_grounds_of_seat(table, one) for one in table.own_seats(number))
    seated = tuple(seat.player for seat in table.seats.values())
    return (*own, seated, table.barred, table.separated)


def _grounds_of_seat(table: Table, number: int) -> tuple[object, ...]:
    seat, asked = table.seats[number], _asked(table, number)
    money: tuple[object, ...] = (seat,)
    if table.phase == "betting" and seat.medium == "chips" and not table.bank_stake:
        # However the chips are divided between the stack and the spots, the same is offered as long as they suffice.
        chips = table.cents(accounts.stack(number)) + sum(seat.wagers.values())
        enough = [chips >= needed for needed in _needed(table.rules)]
        money = (msgspec.structs.replace(seat, wagers={}), bool(seat.wagers), enough)
    elif table.phase == "banking" or table.bank_stake or betting_open(table) or _is_to_correct(asked):
        money = (seat, table.cents(accounts.stack(number)))
    return (
        asked,
        *money,
        taken_in(table, seat),
        table.cents(accounts.tokens(number)),
        table.cents(accounts.coupons(number)),
        table.at(places.hand(number)),
    )


def _is_to_correct(step: Step | None) -> bool:
    return step is not None and step.kind == "await_correction"


@per_rules
def _needed(rules: TableRules) -> tuple[int, ...]:
    """Return what each of the wagers that are offered takes in chips, its fees among it."""
    least = spot_limits(rules.rules.limit).cents_min
    offered = (dict.fromkeys(BASE_SPOTS, least), _everything(rules, least))
    return tuple(sum(wagers.values()) + wagers_fee(rules.rules, len(wagers)) for wagers in offered)


def _asked(table: Table, number: int) -> Step | None:
    """Return the next step, where it is the seat's own."""
    step = table.next_step
    return step if step is not None and step.seat == number else None


def _candidates(table: Table, viewer: str) -> Iterator[Offer]:
    """Yield what may be worth asking `legal` about: this only leaves out what has its own time, at another time."""
    if viewer in RUNS:
        yield from _of_staff(table, viewer)
    elif viewer.startswith("seat:"):
        for number in table.own_seats(int(viewer.removeprefix("seat:"))):
            yield from _of_a_player(table, f"seat:{number}", number)
            yield from _beside(table, number)


def _beside(table: Table, number: int) -> Iterator[commands.Sit]:
    """Yield a further hand at a seat beside a player's own, for which the player buys in anew."""
    player, rules = table.seats[number].player, table.rules.rules
    if player and rules.hands_per_player > 1:
        cents = max(_BUY_CENTS, buy_in_min(rules))
        beside = (one for one in (number - 1, number + 1) if one in table.seats)
        yield from (commands.Sit(by=f"seat:{one}", seat=one, player=player, cents=cents) for one in beside)


def _of_staff(table: Table, viewer: str) -> Iterator[Offer]:
    step = table.next_step
    if step is not None and KINDS[step.kind].actor == viewer:
        yield commands.Do(by=viewer, kind=step.kind, seat=step.seat, wager=step.wager, number=step.number)
    for report in faults.evident(table):
        yield msgspec.structs.replace(report, by=viewer)


def _of_a_player(table: Table, viewer: str, seat: int) -> Iterator[Offer]:
    step = _asked(table, seat)
    asked = step.kind if step is not None else ""
    least = spot_limits(table.rules.rules.limit).cents_min
    if betting_open(table):
        yield commands.PlaceWagers(by=viewer, seat=seat, wagers=dict.fromkeys(BASE_SPOTS, least))
        yield commands.PlaceWagers(by=viewer, seat=seat, wagers={})
        yield commands.PlaceWagers(by=viewer, seat=seat, wagers=_everything(table.rules, least))
        if table.cents(accounts.tokens(seat)):
            base: dict[Spot, int] = dict.fromkeys(BASE_SPOTS, least)
            yield commands.PlaceWagers(by=viewer, seat=seat, wagers=base, medium="tokens")
        if coupons := table.cents(accounts.coupons(seat)) + table.cents(accounts.laid_coupon(seat)):
            beside: dict[Spot, int] = dict.fromkeys(BASE_SPOTS, least)
            yield commands.PlaceWagers(by=viewer, seat=seat, wagers=beside, coupon_cents=min(coupons, least))
    yield commands.BuyChips(by=viewer, seat=seat, cents=_BUY_CENTS)
    if asked == "await_inspection":
        yield commands.LookOver(by=viewer, seat=seat)
    if table.phase in {"choice_1", "choice_2"}:
        yield commands.Look(by=viewer, seat=seat)
    if asked == "await_choice":
        for bet in (1, 2):
            yield commands.Choose(by=viewer, seat=seat, bet=bet, choice="ride")
            yield commands.Choose(by=viewer, seat=seat, bet=bet, choice="withdraw")
        for spot in may_take_back(table, seat):
            yield commands.TakeBack(by=viewer, seat=seat, wager=spot)
    if table.phase in {"choice_1", "choice_2"}:
        yield commands.Tuck(by=viewer, seat=seat)
    if table.phase == "banking" or table.bank_stake:
        yield commands.DeclineBank(by=viewer, seat=seat)
        yield commands.TakeBank(by=viewer, seat=seat, cents=table.cents(accounts.stack(seat)) // 2)
    if table.phase == "choice_1":
        yield commands.Claim(by=viewer, seat=seat, shown=True)
        yield commands.Claim(by=viewer, seat=seat, shown=False)
    yield commands.SitOut(by=viewer, seat=seat, out=not table.seats[seat].sitting_out)
    if asked == "await_correction":
        for cents in _even(table, seat):
            yield commands.Correct(by=viewer, seat=seat, cents=cents)
        yield commands.Fold(by=viewer, seat=seat)
        yield commands.RefuseCorrection(by=viewer, seat=seat)
    if table.disputes:
        yield commands.AppealDispute(by=viewer, seat=seat)
    yield commands.Leave(by=viewer, seat=seat)


def _even(table: Table, number: int) -> tuple[int, ...]:
    """Return at what a seat's uneven bets may be made equal: at each of them, as far as that is allowed, and least."""
    seat = table.seats[number]
    least, most = correction_bounds(table, seat)
    lying = (table.cents(accounts.felt(number, s)) for s in reversed(BASE_SPOTS) if s not in seat.withdrawn)
    return tuple(dict.fromkeys((*(min(max(cents, least), most) for cents in lying), least)))


def _everything(rules: TableRules, least: int) -> dict[Spot, int]:
    """Return the least of every wager a table offers."""
    sides = {wager.spot: side_limits(wager, rules.terms(wager.id)).cents_min for wager in rules.sides}
    return {**dict.fromkeys(BASE_SPOTS, least), **sides}
