"""Payout: what every spot of a real round is paid, step by step; it changes no table, and the engine agrees with it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from letitride.records.player import read_settings, rules_of
from letitride.records.real_round import PER_BET, RealHand, RealRound, check_entered, entered_of, record_of
from letitride.records.record import Record
from letitride.records.replay import replay
from letitride.records.writer import write_record
from letitride.rules.banking import bank_fee, order_of_action, seat_of_throw, settle_hands_banked, wagers_fee
from letitride.rules.cards import Card
from letitride.rules.hands import announce, evaluate
from letitride.rules.money import dollars
from letitride.rules.settlement import Hand, Results, WagerResult, read_cards, settle_meters, settle_round
from letitride.rules.table_rules import TableRules
from letitride.rules.wager_table import BASE, BASE_SPOTS, bet_name
from letitride.rules.wagers import Wager
from letitride.rules.words import quantity


@dataclass(frozen=True, slots=True, kw_only=True)
class SpotPaid:
    """One spot: what it comes to, and how."""

    spot: str
    name: str
    stake_cents: int
    fate: str
    """'won', 'lost', 'withdrawn' or 'returned'."""
    paid_cents: int
    back_cents: int
    net_cents: int
    steps: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class HandPaid:
    """One hand with its spots."""

    seat: int
    player: str
    cards: tuple[str, ...]
    hand: str
    spots: tuple[SpotPaid, ...]
    fee_cents: int
    net_cents: int
    """With the fee."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundPaid:
    """A whole round."""

    rulebook: str
    title: str
    community: tuple[str, ...]
    hands: tuple[HandPaid, ...]
    """In the order in which they are settled."""
    bank_fee_cents: int
    house_net_cents: int
    """What the house, or the bank, wins or loses by the wagers."""


def pay_round(rules: TableRules, entered: RealRound) -> RoundPaid:
    """Return what every spot of a round is paid; what cannot be a round is refused with a sentence."""
    check_entered(rules, entered)
    settling = _Settling(rules, entered)
    return RoundPaid(
        rulebook=rules.book.id,
        title=rules.book.title,
        community=entered.community,
        hands=tuple(settling.hand(one) for one in settling.in_order),
        bank_fee_cents=bank_fee(rules.rules) if entered.bank_seat else 0,
        house_net_cents=-sum(one.net_cents for rows in settling.final.values() for one in rows),
    )


class _Settling:
    """A round as it is settled, stage by stage: by the paytables and their maximums, then by jackpots or the bank."""

    def __init__(self, rules: TableRules, entered: RealRound) -> None:
        self.rules, self.entered = rules, entered
        self.community = tuple(map(Card.parse, entered.community))
        self.in_order = tuple(_in_order(rules, entered))
        hands = [_hand(one) for one in self.in_order]
        self.plain: Results = settle_round(rules, self.community, hands)
        self.final: Results = self._covered(hands) if rules.rules.bank.mode == "player" else self._metered(hands)

    def _covered(self, hands: list[Hand]) -> Results:
        return settle_hands_banked(self.rules, self.community, hands, self.entered.bank_cents)

    def _metered(self, hands: list[Hand]) -> Results:
        seeds = {one.id: one.meter.seed_cents for one in self.rules.sides if one.meter is not None}
        return settle_meters(self.rules, self.community, hands, self.plain, {**seeds, **self.entered.meters})[0]

    def hand(self, one: RealHand) -> HandPaid:
        """Return what a hand is paid."""
        cards = tuple(map(Card.parse, one.cards))
        spots = tuple(
            self._spot(cards, row, last) for row, last in zip(self.plain[one.seat], self.final[one.seat], strict=True)
        )
        fee = wagers_fee(self.rules.rules, len(one.wagers))
        return HandPaid(
            seat=one.seat,
            player=one.name,
            cards=one.cards,
            hand=announce(evaluate((*cards, *self.community))),
            spots=spots,
            fee_cents=fee,
            net_cents=sum(spot.net_cents for spot in spots) - fee,
        )

    def _spot(self, cards: tuple[Card, ...], row: WagerResult, last: WagerResult) -> SpotPaid:
        return SpotPaid(
            spot=row.wager,
            name=_name(self.rules, row.wager),
            stake_cents=last.stake_cents,
            fate=last.fate,
            paid_cents=last.paid_cents,
            back_cents=last.back_cents,
            net_cents=last.net_cents,
            steps=tuple(self._steps(cards, row, last)),
        )

    def _steps(self, cards: tuple[Card, ...], row: WagerResult, last: WagerResult) -> Iterator[str]:
        """Yield how a spot comes to what it is paid, one thing after the other."""
        stake = dollars(row.stake_cents)
        if row.fate == "withdrawn":
            yield f"taken back: {dollars(row.back_cents)} returned"
            return
        wager = self.rules.by_spot[row.wager]
        pays, many = self.rules.pays[wager.id], 0
        if wager.by_hands:
            every = self._competing(wager)
            cards, many = max(every, key=lambda one: read_cards(wager, one, self.community)), len(every)
        rank = read_cards(wager, cards, self.community)
        what = f"best of {quantity(many, 'hand')}: {rank.label}" if many else rank.label
        pay = pays.pay(rank, many)
        if pay is None:
            yield f"{what} loses {stake}"
        else:
            uncut = replace(pays, most_cents=None).paid_cents(pay, row.stake_cents)
            yield f"{what}: {pays.odds(rank, many, row.stake_cents)} on {stake} is {dollars(uncut)}"
            if uncut > row.paid_cents:
                yield f"the maximum payout cuts it to {dollars(row.paid_cents)}"
        if row.fate == "won" and row.back_cents and last.fate == "won":
            yield f"the stake of {dollars(row.back_cents)} is returned"
        yield from self._afterwards(row, last)

    def _afterwards(self, row: WagerResult, last: WagerResult) -> Iterator[str]:
        if self.rules.rules.bank.mode != "player":
            if last.paid_cents > row.paid_cents:
                yield f"jackpot and envy add {dollars(last.paid_cents - row.paid_cents)}"
        elif last.fate == "returned" != row.fate:
            yield f"the bank does not cover it: {dollars(last.back_cents)} returned"
        elif last.paid_cents < row.paid_cents:
            yield f"the bank covers {dollars(last.paid_cents)} of {dollars(row.paid_cents)}"
        elif last.back_cents > row.back_cents:
            taken = dollars(last.stake_cents - last.back_cents)
            yield f"the bank takes {taken}: {dollars(last.back_cents)} returned"

    def _competing(self, wager: Wager) -> list[tuple[Card, ...]]:
        """Return the hands that compete for the best one."""
        every = self.rules.terms(wager.id).count == "hands_dealt"
        hands = (one for one in self.entered.hands if every or BASE.spot in one.wagers)
        return [tuple(map(Card.parse, one.cards)) for one in hands]


def _in_order(rules: TableRules, entered: RealRound) -> Iterator[RealHand]:
    """Yield the hands in the order of action."""
    by_seat = {one.seat: one for one in entered.hands}
    if rules.rules.bank.mode == "player":
        first = seat_of_throw(entered.dice, entered.bank_seat, list(by_seat)) if entered.dice else 0
        order = order_of_action(rules.rules, list(by_seat), first)
    else:
        order = tuple(sorted(by_seat, reverse=rules.rules.reveal.direction == "right_to_left"))
    yield from (by_seat[seat] for seat in order)


def _hand(one: RealHand) -> Hand:
    stakes = {spot: cents for spot, cents in one.wagers.items() if cents}
    back = frozenset(PER_BET[bet] for bet in (1, 2) if bet not in one.rides)
    cards = tuple(map(Card.parse, one.cards))
    return Hand(one.seat, cards, stakes, frozenset(back & stakes.keys()), player=one.name)


def _name(rules: TableRules, spot: str) -> str:
    if spot in BASE_SPOTS:
        return f"Bet {'12$'[BASE_SPOTS.index(spot)]}"
    name = bet_name(spot, rules.by_spot)
    return f"{name[:1].upper()}{name[1:]}"


def pay_record(record: Record, where: str, rulebook: str = "") -> RoundPaid:
    """Return what the last round of a record is paid, after the engine has played it: a round it refuses is refused."""
    rules = rules_of(record, where, rulebook)
    entered = entered_of(record, read_settings(record, where))
    check_entered(rules, entered)
    replay(record, where, rules)
    return pay_round(rules, entered)


def pay_entered(rules: TableRules, entered: RealRound) -> tuple[RoundPaid, str]:
    """Return what an entered round is paid, and its record, which the engine has played."""
    check_entered(rules, entered)
    record = record_of(rules, entered)
    replay(record, "the round", rules)
    return pay_round(rules, entered), write_record(record)
