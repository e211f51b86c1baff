"""Account: a player's results in a session, hand by hand, beside what best play expects; it moves no chip."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace

import msgspec

from letitride.cli.terminal.language import t
from letitride.engine.events import StepDone
from letitride.engine.state import Coupon
from letitride.records.rounds import PlayedRound, ShownHand
from letitride.reports.shift.theory import Theory
from letitride.rules.cards import Card
from letitride.rules.hands import evaluate
from letitride.rules.money import dollars
from letitride.rules.settlement import WagerResult


@dataclass(frozen=True, slots=True)
class Entry:
    """One round as it went for a seat."""

    number: int
    seat: int
    status: str
    cards: tuple[Card, ...]
    community: tuple[Card, ...]
    hand: ShownHand
    """How the dealer read the hand; empty where it was not opened, or where the seat had the bank."""
    results: tuple[WagerResult, ...]
    fee_cents: int
    bank_stake_cents: int
    """What the seat staked as the bank; 0: it did not bank."""
    bank_net_cents: int
    coupon: Coupon | None = None
    """The match-play coupon that lay beside the third bet."""

    @property
    def coupon_net_cents(self) -> int:
        """What the coupon won: its value in chips, or nothing, since it cost nothing."""
        return self.coupon.cents if self.coupon is not None and self.coupon.fate == "won" else 0

    @property
    def net_cents(self) -> int:
        """What the round won or lost, the fee and the coupon with it."""
        wagers = sum(result.net_cents for result in self.results)
        return wagers + self.coupon_net_cents + self.bank_net_cents - self.fee_cents

    @property
    def category(self) -> str:
        """What the hand was by the paytable's names; empty where it was not opened."""
        five = {*self.cards, *self.community}
        return evaluate(tuple(five)).category.label if len(five) == 5 else ""


@dataclass(slots=True)
class Account:
    """The rounds of a session, and what best play would have expected of its bets."""

    seats: tuple[int, ...]
    """The player's, each with a hand of its own."""
    rounds: int = 0
    entries: list[Entry] = field(default_factory=list)
    theory: Theory = field(default_factory=Theory)

    def add(self, one: PlayedRound) -> None:
        """Count a round that is over."""
        mine = {seat: one.results[seat] for seat in self.seats if one.results.get(seat)}
        self.rounds += 1
        self.entries += entries_of(one, self.seats)
        if mine:
            self.theory.add(replace(one, results=mine))

    def last(self) -> list[Entry]:
        """Return the hands of the round that was over last."""
        return [entry for entry in self.entries[-len(self.seats) :] if entry.number == self.entries[-1].number]

    @property
    def fees_cents(self) -> int:
        """What the seat has paid the house for the use of the table."""
        return sum(entry.fee_cents for entry in self.entries)

    @property
    def banked(self) -> list[Entry]:
        """The rounds in which the seat had the bank."""
        return [entry for entry in self.entries if entry.bank_stake_cents]


def entries_of(one: PlayedRound, seats: tuple[int, ...]) -> list[Entry]:
    """Return a round as it went for each hand of a player; where none was played, for the first seat."""
    played = [seat for seat in seats if one.results.get(seat) or (one.bank is not None and one.bank[0] == seat)]
    return [_entry(one, seat) for seat in played or seats[:1]]


def _entry(one: PlayedRound, seat: int) -> Entry:
    shown = one.shown_hands().get(seat, ShownHand())
    banks = one.bank is not None and one.bank[0] == seat
    won = -sum(result.net_cents for results in one.results.values() for result in results)
    coupon = one.last.seats[seat].coupon
    return Entry(
        number=one.number,
        seat=seat,
        status=one.status,
        cards=tuple(map(Card.parse, shown.cards)),
        community=_community(one),
        hand=shown,
        results=one.results.get(seat, ()),
        fee_cents=one.last.seats[seat].fee_cents,
        bank_stake_cents=one.bank[1] if one.bank is not None and banks else 0,
        bank_net_cents=won if banks else 0,
        coupon=None if coupon is msgspec.UNSET else coupon,
    )


def _community(one: PlayedRound) -> tuple[Card, ...]:
    """Return the community cards that were turned, in their order."""
    done = (event for moment in one.moments for event in moment.events if isinstance(event, StepDone))
    return tuple(event.moves[0].card.face for event in done if event.step.kind == "turn_community" and event.moves)


def summary(account: Account, *, bought_cents: int, net_cents: int) -> Iterator[str]:
    """Yield the result of a session, a line for each fact."""
    theory, net, has = account.theory, dollars(net_cents, signed=True), dollars(bought_cents + net_cents)
    yield t("sum.rounds", rounds=account.rounds, bought=dollars(bought_cents), has=has, net=net)
    if theory.hands:
        won = dollars(-theory.won_cents, signed=True)
        expected = dollars(round(-theory.expected_cents), signed=True)
        deviation = dollars(round(theory.standard_deviation))
        yield t("sum.hands", hands=theory.hands, won=won, expected=expected, deviation=deviation)
        if theory.mistakes:
            cost = dollars(round(theory.given_away))
            yield t("sum.mistakes", decisions=theory.decisions, wrong=theory.mistakes, cost=cost)
        elif theory.decisions:
            yield t("sum.best", decisions=theory.decisions)
    if coupons := sum(entry.coupon_net_cents for entry in account.entries):
        yield t("sum.coupons", won=dollars(coupons))
    if account.banked:
        won = dollars(sum(entry.bank_net_cents for entry in account.banked), signed=True)
        yield t("sum.banked", rounds=len(account.banked), won=won)
    if account.fees_cents:
        yield t("sum.fees", fees=dollars(account.fees_cents))


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionFigures:
    """The result of a session; expectations are exact, in cents over the whole session."""

    rounds: int
    bought_cents: int
    net_cents: int
    hands: int
    hands_net_cents: int
    expected_net_cents: str
    expected_as_played_net_cents: str
    standard_deviation_cents: float
    choices: int
    mistakes: int
    given_away_cents: str
    banked_rounds: int
    banked_net_cents: int
    fees_cents: int


def session_figures(account: Account, *, bought_cents: int, net_cents: int) -> SessionFigures:
    """Return the result of a session, for a program."""
    theory = account.theory
    return SessionFigures(
        rounds=account.rounds,
        bought_cents=bought_cents,
        net_cents=net_cents,
        hands=theory.hands,
        hands_net_cents=-theory.won_cents,
        expected_net_cents=str(-theory.expected_cents),
        expected_as_played_net_cents=str(-theory.as_played_cents),
        standard_deviation_cents=theory.standard_deviation,
        choices=theory.decisions,
        mistakes=theory.mistakes,
        given_away_cents=str(theory.given_away),
        banked_rounds=len(account.banked),
        banked_net_cents=sum(entry.bank_net_cents for entry in account.banked),
        fees_cents=account.fees_cents,
    )
