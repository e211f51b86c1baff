"""Retold: the command behind what happened, found again from its events; what decides otherwise is not taken for it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, cast

import msgspec

from letitride.autoplay.steps import plain
from letitride.engine import commands, events, places
from letitride.engine.decide import Events, decide
from letitride.engine.disputes import passed_over
from letitride.engine.places import Move
from letitride.engine.state import Ruling, Table
from letitride.engine.steps import KINDS
from letitride.errors import InvalidData
from letitride.records.dealt import written
from letitride.rules.roles import STAFF
from letitride.rules.wager_table import BASE, BASE_SPOTS


def command_of(table: Table, by: str, happened: Events) -> commands.AnyCommand:
    """Return a command that gives just these events at a table; `by` is who is said to have given it."""
    candidates = [(command, decide(table, command)) for command in _candidates(table, by, happened)]
    for command, follows in candidates:
        if follows == happened:
            return command
    for command, follows in candidates:
        if isinstance(follows, tuple) and _besides(follows) == _besides(happened) != ():
            return command
    kinds = ", ".join(type(event).__name__ for event in happened)
    raise InvalidData(f"expected events that follow from a command at this table, got {kinds}")


def _besides(happened: Events) -> Events:
    """Return what happened besides what happened to players who were away: of old they lost their seats."""
    return tuple(
        _as_of_old(event)
        for event in happened
        if not isinstance(event, events.PlayerCameBack | events.SatOut)
        and not (isinstance(event, events.PlayerLeft) and event.why == "went away")
    )


def _as_of_old(event: events.AnyEvent) -> events.AnyEvent:
    """Return an event without what older journals tell otherwise: checks found nothing, claims were shown to all,
    side bets were settled hand by hand, spoken bets could be called other than chips, other clauses were cited,
    and rulings and what the dealer says were worded differently."""
    match event:
        case events.StepDone() if event.step.kind == "check_deck":
            return events.StepDone(step=event.step)
        case events.StepDone():
            return msgspec.structs.replace(event, says="")
        case events.SideBetClaimed():
            return msgspec.structs.replace(event, moves=())
        case events.Ruled() if event.ruling.case is not None and event.ruling.case.kind == "absent":
            return msgspec.structs.replace(event, ruling=Ruling(name="", sentence=""))
        case events.Ruled():
            return msgspec.structs.replace(event, ruling=msgspec.structs.replace(event.ruling, sentence=""))
        case events.DisputeDecided():
            return msgspec.structs.replace(event, clauses=())
        case events.WagersPlaced() if event.medium != "tokens":
            return msgspec.structs.replace(event, medium="chips")
        case events.PhaseBegan(phase="settling"):
            return msgspec.structs.replace(event, agenda=())
        case _:
            return event


def _candidates(table: Table, by: str, happened: Events) -> Iterator[commands.AnyCommand]:
    first = next((event for event in happened if not isinstance(event, events.PlayerCameBack)), happened[0])
    if isinstance(first, events.FacesBound) or (isinstance(first, events.WagersPlaced) and first.returned):
        first = next(event for event in happened if isinstance(event, events.StepDone))
    if isinstance(first, events.StepDone):
        yield from _steps(first, by, happened)
    elif isinstance(first, events.Ruled) and first.ruling.name.startswith("order:"):
        yield from _orders(table, first, happened)
    elif isinstance(first, events.Ruled) and first.ruling.case is not None:
        ruling = first.ruling
        yield commands.Report(by=ruling.by, kind=first.ruling.case.kind, seat=ruling.seat, number=ruling.number)
    elif isinstance(first, events.MishapHappened):
        base: Any = {spot: cents for spot, cents in (first.wagers or {}).items() if spot in BASE_SPOTS}
        kind: Any = first.kind
        yield commands.Mishap(by="table", kind=kind, seat=first.seat, number=first.number, wagers=base)
    elif isinstance(first, events.DisputeDecided):
        yield _decision(table, first)
    elif isinstance(first, events.AdviceGiven):
        yield commands.Advise(by=first.by, seat=first.seat, words=first.words)
    else:
        seat = first.dispute.seat if isinstance(first, events.DisputeRaised) else getattr(first, "seat", None)
        laid = next((event.cents for event in happened if isinstance(event, events.CouponLaid)), msgspec.UNSET)
        for who in dict.fromkeys((by, f"seat:{seat}", *STAFF)):
            for act in _seat_acts(who, first):
                bets = isinstance(act, commands.PlaceWagers)
                yield msgspec.structs.replace(act, coupon_cents=laid) if bets else act


def _steps(done: events.StepDone, by: str, happened: Events) -> Iterator[commands.Do]:
    step, kind = done.step, KINDS[done.step.kind]
    throw = re.match(r"\d+", done.says) if kind.needs == "throw" else None
    shown = step.kind in {"spread_idle", "gather_deck"} and {move.up for move in done.moves} == {True}
    known = plain(step)
    bound = next((event.order for event in happened if isinstance(event, events.FacesBound)), ())
    unbound = any(isinstance(event, events.FacesUnbound) for event in happened)
    read = next((event.readings for event in happened if isinstance(event, events.MetersRead)), None)
    yield msgspec.structs.replace(
        known if read is None else commands.with_readings(known, read),
        by=by if by and step.kind == "check_deck" else known.by,  # by whom it was checked
        order=_order(done.moves) if kind.needs == "order" and not unbound else bound,
        unbound=unbound,
        cut=len(done.moves) if kind.needs == "cut" else 0,
        throw=int(throw[0]) if throw else 0,
        face_up=shown,
    )


def _order(moves: tuple[Move, ...]) -> tuple[str, ...]:
    """Return the order of a mixed deck as the cards were laid into it; what was not laid there was missing."""
    laid = (move for move in moves if move.target != places.OUTSIDE)
    return tuple(written(str(move.card.face), up=move.up, foreign=move.card.foreign) for move in laid)


def _orders(table: Table, ruled: events.Ruled, happened: Events) -> Iterator[commands.Order]:
    ruling = ruled.ruling
    _, kind, *ground = ruling.name.split(":")
    grounds: list[Any] = [ground[0]] if ground else ["", "device"]
    name: Any = kind
    sign = next((event.sign for event in happened if isinstance(event, events.SignPosted)), None)
    limits: tuple[tuple[int, int], ...] = ((sign.cents, 0),) if sign else ((0, 0),)
    if ruled.rules is not None:
        limit = ruled.rules.rules.limit
        least, most = cast("tuple[int, int]", (limit.cents_min, limit.cents_max))  # nothing is left open
        limits = ((least, most), (least, 0), (0, most), (0, 0))
    known = table.signs.get({"limits": "minimum", "close": "closing"}.get(kind, ""))
    minute = sign.minute if sign else known.when if known else 0
    deck = ruled.agenda[0].number if kind in {"change_deck", "change_cards"} else 0
    cards = tuple(step.wager for step in ruled.agenda if step.kind == "change_card") if kind == "change_cards" else ()
    name = "change_deck" if cards else name
    for why_ground in grounds:
        why = "" if ruling.why == why_ground.replace("_", " ") else ruling.why
        for cents_min, cents_max in limits:
            yield commands.Order(
                by=ruling.by,
                kind=name,
                seats=ruling.seats,
                number=deck,
                cards=cards,
                cents_min=cents_min,
                cents_max=cents_max,
                minute=minute,
                when=sign.when if sign else 0,
                ground=why_ground,
                why=why,
            )


def _decision(table: Table, decided: events.DisputeDecided) -> commands.DecideDispute:
    return commands.DecideDispute(
        by=decided.by,
        number=decided.number,
        upheld=decided.upheld,
        cents=decided.chips[0].cents if decided.chips else 0,
        why=decided.why,
        absent=passed_over(table, decided),
    )


def _seat_acts(by: str, event: events.AnyEvent) -> Iterator[commands.AnyCommand]:
    """Yield what a person may have done at a seat so that this happened."""
    match event:
        case events.PlayerSat():
            yield commands.Sit(by=by, seat=event.seat, player=event.player, cents=sum(one.cents for one in event.chips))
        case events.ChipsBought():
            yield commands.BuyChips(by=by, seat=event.seat, cents=event.chips[0].cents)
        case events.VoucherExchanged():
            cents, voucher = event.chips[0].cents, event.voucher
            for into in ("tokens", "chips", "match_play"):
                yield commands.ExchangeVoucher(by=by, seat=event.seat, cents=cents, into=into, voucher=voucher)
        case events.PlayerLeft():
            yield commands.Leave(by=by, seat=event.seat)
        case events.SatOut():
            yield commands.SitOut(by=by, seat=event.seat, out=event.out)
        case events.WagersPlaced():
            media: Any = dict.fromkeys((event.medium, "cash", "chips"))  # what is bet in cash lies there as chips
            for medium in media:
                yield commands.PlaceWagers(by=by, seat=event.seat, wagers=dict(event.wagers), medium=medium)
        case events.DeckLooked():
            yield commands.LookOver(by=by, seat=event.seat)
        case events.CardsLooked():
            yield commands.Look(by=by, seat=event.seat)
        case events.ChoiceMade():
            bet: Any = event.bet
            yield commands.Choose(by=by, seat=event.seat, bet=bet, choice=event.choice)
        case events.SideBetTakenBack():
            yield commands.TakeBack(by=by, seat=event.seat, wager=event.wager)
        case events.CardsTucked():
            yield commands.Tuck(by=by, seat=event.seat)
        case events.SideBetClaimed():
            yield commands.Claim(by=by, seat=event.seat, shown=event.shown)
        case events.BankTaken():
            yield commands.TakeBank(by=by, seat=event.seat, cents=event.stake_cents)
        case events.BankDeclined():
            yield commands.DeclineBank(by=by, seat=event.seat)
        case events.PlayerWentAway():
            yield commands.WentAway(by=by, seat=event.seat)
        case events.PlayerCameBack():
            yield commands.CameBack(by=by, seat=event.seat)
        case events.BetsCorrected(refused=True):
            yield commands.RefuseCorrection(by=by, seat=event.seat)
        case events.BetsCorrected():
            yield commands.Correct(by=by, seat=event.seat, cents=event.wagers[BASE.spot])  # which is never taken back
        case events.HandFolded():
            yield commands.Fold(by=by, seat=event.seat)
        case events.DisputeRaised():
            yield commands.RaiseDispute(
                by=by, seat=event.dispute.seat, about=event.dispute.about, concerns=event.dispute.concerns
            )
        case events.DisputeAppealed():
            yield commands.AppealDispute(by=by, seat=event.seat)
        case events.AdviceAsked():
            yield commands.AskAdvice(by=by, seat=event.seat, wanted=event.wanted)
