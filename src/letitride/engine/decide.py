"""Decide: what follows from a command, as events that carry their whole outcome; it changes nothing."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Final, assert_never

import msgspec

from letitride.engine import (
    agenda,
    amounts,
    choosing,
    commands,
    coupons,
    disputes,
    effects,
    events,
    meters,
    mishaps,
    orders,
    places,
    rulings,
)
from letitride.engine.bets import claimed_spot, complete, corrected
from letitride.engine.evolve import evolve, new_table
from letitride.engine.legal import legal
from letitride.engine.refusal import Refusal
from letitride.engine.rereading import reread, unclaimed
from letitride.engine.results import base_anew, read_round
from letitride.engine.showdown import settling
from letitride.engine.state import Phase, Table
from letitride.engine.steps import KINDS, Step
from letitride.ledger import accounts
from letitride.ledger.transfers import Transfer
from letitride.rules.settlement import Results, settle_own
from letitride.rules.table_rules import TableRules

Events = tuple[events.AnyEvent, ...]


def open_table(rules: TableRules, readings: Mapping[str, int] | None = None) -> tuple[Table, Events]:
    """Return a new table by a rule book, and the events that opened it.

    `readings` are what those meters hold, by wager, that tables of its house share already: it does not seed them.
    """
    opened = events.TableOpened(rules=rules, chips=tuple(meters.seeds(rules, readings or {})))
    following: list[events.AnyEvent] = [events.MetersRead(readings=dict(readings))] if readings else []
    following.append(events.PhaseBegan(phase="opening", agenda=tuple(agenda.opening(rules.rules)), round=0))
    table = new_table(opened)
    for event in following:
        table = evolve(table, event)
    return table, (opened, *following)


def decide(table: Table, command: commands.AnyCommand) -> Events | Refusal:
    """Return what follows from a command, or why it is refused."""
    return play(table, command)[1]


def play(table: Table, command: commands.AnyCommand) -> tuple[Table, Events | Refusal]:
    """Return the table after a command, with what followed; a refused command changes nothing."""
    refusal = legal(table, command)
    if refusal is not None:
        return table, refusal
    happened: list[events.AnyEvent] = []
    if isinstance(command, commands.Do):
        following, done = _do(table, command)
        table = _evolved(table, following, happened)
        if done.step.kind in rulings.COUNTS:
            table = _evolved(table, rulings.after_count(table, done), happened)
        settling = table.phase == "settling" and done.step.kind == "return_excess"
        if settling and table.seats[done.step.seat].results:  # a hand that cannot be read has none
            table = _evolved(table, (events.RoundRead(results=base_anew(table, done.step.seat)),), happened)
    else:
        if back := orders.came_back(table, command):
            table = _evolved(table, back, happened)
        table = _evolved(table, _follow(table, command), happened)
        if table.phase == "settling" and isinstance(command, (commands.Order, commands.Report)):
            void = next((event.void_seat for event in happened if isinstance(event, events.Ruled)), 0)
            table = _evolved(table, tuple(reread(table, void)) if void else (), happened)
        if table.phase == "dealing" and _changed_bets(command):
            # Where the first card closes betting, a bet after the call still changes who is dealt in.
            table = _evolved(table, (_redealt(table),), happened)
            return table, tuple(happened)
    while not _goes_on(table) and (begun := tuple(_next_phase(table))):
        table = _evolved(table, begun, happened)
    return table, tuple(happened)


def _evolved(table: Table, following: Iterable[events.AnyEvent], happened: list[events.AnyEvent]) -> Table:
    """Return the table after events, each of which is evolved and told here, once."""
    for event in following:
        table = evolve(table, event)
        happened.append(event)
    return table


def _changed_bets(command: commands.Unscripted) -> bool:
    """Whether a command after the call changes who is dealt in."""
    refused = isinstance(command, commands.Order) and command.kind == "refuse_bet"
    return refused or isinstance(command, commands.PlaceWagers)


def _follow(table: Table, command: commands.Unscripted) -> Iterator[events.AnyEvent]:
    match command:
        case commands.Choose():  # the commonest first
            yield choosing.choose(table, command)
        case commands.PlaceWagers():
            yield _place(table, command)
            if command.coupon_cents is not msgspec.UNSET:
                cents, held = command.coupon_cents, accounts.coupons(command.seat)
                laid = (Transfer(held, accounts.laid_coupon(command.seat), cents),)
                yield events.CouponLaid(seat=command.seat, cents=cents, chips=laid)
        case commands.Sit():
            wallet, purse = accounts.wallet(command.player), accounts.stack(command.seat)
            chips = (Transfer(wallet, purse, command.cents),) if command.cents else ()
            yield events.PlayerSat(seat=command.seat, player=command.player, chips=chips)
        case commands.BuyChips():
            wallet, purse = accounts.wallet(table.seats[command.seat].player), accounts.stack(command.seat)
            yield events.ChipsBought(seat=command.seat, chips=(Transfer(wallet, purse, command.cents),))
        case commands.ExchangeVoucher():
            purses = {"chips": accounts.stack, "tokens": accounts.tokens, "match_play": accounts.coupons}
            purse = purses[command.into](command.seat)
            given = (Transfer(accounts.PROMOTIONS, purse, command.cents),)
            yield events.VoucherExchanged(seat=command.seat, voucher=command.voucher, chips=given)
        case commands.Leave():
            yield orders.leave(table, command.seat)
        case commands.SitOut():
            yield events.SatOut(seat=command.seat, out=command.out)
        case commands.LookOver():
            yield events.DeckLooked(seat=command.seat)
        case commands.Look():
            yield events.CardsLooked(seat=command.seat)
        case commands.TakeBack():
            yield choosing.take_back(command.seat, command.wager)
        case commands.Tuck():
            yield from choosing.tuck(table, command.seat)
        case commands.Claim():
            yield _claim(table, command)
        case commands.TakeBank():
            staked = (Transfer(accounts.stack(command.seat), accounts.BANK, command.cents),)
            yield events.BankTaken(seat=command.seat, stake_cents=command.cents, chips=staked)
        case commands.DeclineBank():
            declined = _declined(table, command.seat)
            yield declined
            if why := table.seats[command.seat].leaves:
                yield orders.leave(evolve(table, declined), command.seat, why)
        case commands.Mishap():
            yield mishaps.happen(table, command)
        case commands.Report():
            yield from _report(table, command)
        case commands.WentAway():
            yield events.PlayerWentAway(seat=command.seat)
        case commands.CameBack():
            yield events.PlayerCameBack(seat=command.seat)
        case commands.Correct() | commands.RefuseCorrection():
            yield from _correct(table, command)
        case commands.Fold():
            left, last = rulings.hand_void(table, command.seat)
            yield events.HandFolded(seat=command.seat, agenda=left, last=last)
        case commands.Order():
            yield from orders.follow(table, command)
        case commands.RaiseDispute() | commands.DecideDispute() | commands.AppealDispute():
            yield disputes.follow(table, command)
        case commands.AskAdvice():
            yield events.AdviceAsked(seat=command.seat, wanted=command.wanted)
        case commands.Advise():
            yield events.AdviceGiven(seat=command.seat, by=command.by, words=command.words)
        case _:
            assert_never(command)


def _report(table: Table, report: commands.Report) -> Iterator[events.AnyEvent]:
    ruled = rulings.follow(table, report)
    yield ruled
    decision = ruled.ruling.name.partition(":")[2]
    after = evolve(table, ruled)
    if decision == "ride":
        yield from choosing.tuck(after, report.seat, events.RULED_FOR_ABSENT)
    elif decision == "withdraw" and (step := table.agenda[0]).kind == "await_choice":
        yield from choosing.withdraw_for_absent(after, step)


def _correct(table: Table, command: commands.Correct | commands.RefuseCorrection) -> Iterator[events.AnyEvent]:
    seat = table.seats[command.seat]
    if isinstance(command, commands.RefuseCorrection):
        yield events.BetsCorrected(seat=command.seat, wagers=dict(seat.wagers), refused=True)
        return
    wagers = corrected(seat, command.cents)
    chips = tuple(amounts.changed_bets(table, command.seat, wagers))
    yield events.BetsCorrected(seat=command.seat, wagers=wagers, chips=chips)


def _declined(table: Table, seat: int) -> events.BankDeclined:
    """The bank goes by a seat, or is given back before anybody bet against it."""
    if table.bank_stake:
        back = (Transfer(accounts.BANK, accounts.stack(seat), table.bank_stake),)
        return events.BankDeclined(seat=seat, inserted=(), chips=back)
    left = [other for other in agenda.bank_candidates(table) if other != seat]
    return events.BankDeclined(seat=seat, inserted=agenda.offer(left[0]) if left else ())


def _place(table: Table, command: commands.PlaceWagers) -> events.WagersPlaced:
    seat = table.seats[command.seat]
    old, new = amounts.purse_of(seat.number, seat.medium), amounts.purse_of(seat.number, command.medium)
    chips = [Transfer(accounts.felt(seat.number, name), old, cents) for name, cents in seat.wagers.items()]
    chips += coupons.back(table, seat.number)
    if command.medium == "cash" and command.wagers:
        total = sum(command.wagers.values())
        chips.append(Transfer(accounts.wallet(seat.player), new, total))
    chips += [Transfer(new, accounts.felt(seat.number, name), cents) for name, cents in command.wagers.items()]
    medium = "chips" if command.medium == "cash" else command.medium
    lamps = Step("confirm_lamps")
    sensor = any(wager.spot in command.wagers for wager in agenda.with_sensor(table.rules))
    confirmed = sensor and table.phase == "betting" and lamps not in table.agenda
    return events.WagersPlaced(
        seat=seat.number,
        wagers=command.wagers,
        medium=medium,
        chips=tuple(chips),
        inserted=(lamps,) if confirmed else (),
    )


def _claim(table: Table, command: commands.Claim) -> events.SideBetClaimed:
    seat = table.seats[command.seat]
    spot = claimed_spot(table)
    result = settle_own(table.rules, spot, seat.wagers[spot], table.faces(seat.number))
    step = Step("pay" if command.shown else "take", seat.number, spot)
    # Shown to the dealer alone (sm:3cb.opt2.3): the cards stay face down for everyone else.
    return events.SideBetClaimed(seat=seat.number, shown=command.shown, moves=(), inserted=(step,), results=(result,))


def _do(table: Table, command: commands.Do) -> tuple[list[events.AnyEvent], events.StepDone]:
    """Return what follows from a step of the script, and the step that is done by it."""
    step, following = table.agenda[0], list[events.AnyEvent]()
    if step.kind == "call_no_more_bets":
        for seat in table.seats.values():
            if seat.wagers and not complete(table, seat):  # no three bets, no cards
                back = _place(table, commands.PlaceWagers(seat=seat.number, wagers={}))
                following.append(msgspec.structs.replace(back, returned=True))
    if command.order and not KINDS[step.kind].needs:
        bound = events.FacesBound(deck=table.at(places.READY)[0].deck, order=command.order)
        following.append(bound)
        table = evolve(table, bound)
    done = events.StepDone(
        step=step,
        moves=tuple(effects.moves(table, step, command)),
        chips=tuple(amounts.chips(table, step)),
        says=effects.says(table, step, command),
        found=effects.count(table, step, command),
        inserted=rulings.due_after(table, step),
        results=effects.results(table, step),
        wagers=amounts.without_excess(table, step.seat) if step.kind == "return_excess" else None,
    )
    following.append(done)
    if command.unbound:
        following.append(events.FacesUnbound(deck=step.number))
    if type(command) is commands.ReadMeters:
        following.append(events.MetersRead(readings=dict(command.meters)))
    return following, done


def _goes_on(table: Table) -> bool:
    """Whether this part of the procedure goes on, no matter who is seated: nearly always, so it is asked first."""
    if not table.agenda or table.phase in _DEPENDS_ON_PLAYERS:
        return False
    return table.agenda[0].kind not in _WAITS_FOR_ONE


_DEPENDS_ON_PLAYERS: Final = frozenset({"idle", "betting", "banking"})
_WAITS_FOR_ONE: Final = frozenset({"offer_bank", "await_bank", "await_inspection"})
"""The steps that are in vain when their player has gone."""


def _next_phase(table: Table) -> Iterator[events.AnyEvent]:
    """Yield what begins the next part of the procedure, if nothing is left to do in this one."""
    rules = table.rules.rules
    seated = any(seat.player for seat in table.seats.values())
    if table.phase == "idle" and seated:
        yield _began("between", tuple(agenda.arrival(table)), table.round)
    elif table.phase == "betting" and not seated:
        yield _began("idle", tuple(agenda.idle(table)), table.round - 1)  # the round was not played
    elif table.phase == "betting" and rules.bank.mode == "player" and not table.bank_stake:
        yield _began("banking", tuple(agenda.banking(table)), table.round - 1)  # the bank was given back
    elif table.phase == "banking" and not seated:
        yield _began("idle", tuple(agenda.idle(table)), table.round)
    elif agenda.offered_in_vain(table):
        yield _began("banking", tuple(agenda.banking(table)), table.round)
    elif _inspector_has_gone(table):
        if seated:
            yield _began("between", tuple(agenda.arrival(table)), table.round)
        else:
            yield _began("idle", tuple(agenda.idle(table)), table.round)
    elif not table.agenda:
        match table.phase:
            case "opening":
                yield _began("idle", tuple(agenda.idle(table)), 0)
            case "between" if seated and rules.bank.mode == "player":
                yield _began("banking", tuple(agenda.banking(table)), table.round)
            case "banking" if not table.bank_stake:
                # No player took it: no round is dealt until one does, or a newcomer is offered it.
                steps = tuple(agenda.banking(table))
                yield from [_began("banking", steps, table.round)] if steps else []
            case "between" | "banking" if seated:
                yield _began("betting", tuple(agenda.betting(table.rules)), table.round + 1)
            case "between":
                yield _began("idle", tuple(agenda.idle(table)), table.round)
            case "betting":
                yield _began("dealing", _dealing(table), table.round)
            case "dealing":
                yield _began("choice_1", tuple(agenda.choices(table, 1)), table.round)
            case "choice_1":
                yield _began("choice_2", tuple(agenda.choices(table, 2)), table.round)
            case "choice_2" if meters.to_read(table):
                yield _began("choice_2", (Step("read_meters"),), table.round)
            case "choice_2":
                results, takes = read_round(table)
                yield events.RoundRead(results=results)
                if takes:
                    yield events.MetersTaken(takes=takes, chips=tuple(meters.set_aside(table, takes)))
                yield _began("settling", settling(table, unclaimed(table, results)), table.round)
            case "settling":
                # A coupon beside a bet of which no chips were left, and which was not settled, is still its player's.
                left = (back for number in table.seats for back in coupons.back(table, number))
                yield events.RoundEnded(round=table.round, chips=(*meters.moved(table), *left))
                yield from _those_who_go(table)
                yield _began("between", tuple(agenda.after_round(table)), table.round)
            case "ruling":
                if table.voiding:
                    back = tuple(meters.given_back(table))
                    yield events.RoundVoided(round=table.round, results=_void_results(table), chips=back)
                    yield from _those_who_go(table)
                yield _began("between", tuple(agenda.after_ruling(table)), table.round)


def _those_who_go(table: Table) -> Iterator[events.PlayerLeft | events.SatOut]:
    """Those who were ordered to go are gone when the round is over; those who are away keep seats and chips."""
    for number, seat in table.seats.items():
        if seat.leaves:
            yield orders.leave(table, number, seat.leaves)
        elif seat.away and not seat.sitting_out:
            yield events.SatOut(seat=number, out=True)


def _void_results(table: Table) -> Results:
    return {number: seat.results for number, seat in table.seats.items() if seat.results}


def _inspector_has_gone(table: Table) -> bool:
    step = table.next_step
    return step is not None and step.kind == "await_inspection" and not table.seats[step.seat].player


def _redealt(table: Table) -> events.PhaseBegan:
    """Plan the deal anew for those who have bets now; what was done before it is not done again."""
    planned = _dealing(table)
    if not any(complete(table, seat) for seat in table.seats.values()):
        return _began("betting", tuple(agenda.betting(table.rules)), table.round)
    return _began("dealing", tuple(step for step in planned if _is_due(table, step)), table.round)


def _is_due(table: Table, step: Step) -> bool:
    """Whether a step that is planned for those who have bets now was not done before the first card already."""
    match step.kind:
        case "collect_fee":
            return not table.seats[step.seat].fee_cents
        case "place_lammer" | "collect_bonus":
            return bool(table.cents(accounts.felt(step.seat, step.wager)))
        case "throw_dice" | "count_deck" | "mix_deck":
            return step in table.agenda
        case _:
            return True


def _dealing(table: Table) -> tuple[Step, ...]:
    seats = [n for n, seat in table.seats.items() if complete(table, seat)]
    return tuple(agenda.dealing(table, agenda.order_of_deal(table, seats)))


def _began(phase: Phase, steps: tuple[Step, ...], number: int) -> events.PhaseBegan:
    return events.PhaseBegan(phase=phase, agenda=steps, round=number)
