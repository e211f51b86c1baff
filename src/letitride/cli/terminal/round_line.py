"""Round line: a round of the terminal table as one line of JSON for programs; it tells no rule."""

from __future__ import annotations

from dataclasses import dataclass, field

from letitride.cli.terminal.account import Entry
from letitride.cli.terminal.game import Chosen
from letitride.cli.terminal.saving import last_record
from letitride.cli.terminal.session import Session
from letitride.engine.state import Choice
from letitride.ledger import accounts
from letitride.rules.cards import show
from letitride.rules.plain import LEFT_OUT
from letitride.rules.settlement import WagerResult


@dataclass(frozen=True, slots=True, kw_only=True)
class ChoiceLine:
    """A decision that was made, and what it gave away."""

    bet: int
    choice: Choice
    best: str
    value_of_riding_per_unit: str
    given_away_cents: str


@dataclass(frozen=True, slots=True, kw_only=True)
class BankLine:
    """What a seat staked as the bank, and what the bank won or lost."""

    stake_cents: int
    net_cents: int


@dataclass(frozen=True, slots=True, kw_only=True)
class CouponLine:
    """A match-play coupon, what happened to it, and what it won."""

    cents: int
    fate: str
    net_cents: int


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundLine:
    """A round that is over as it went for the player's seat, with its record."""

    type: str = "round"
    rulebook: str
    round: int
    status: str
    seat: int
    cards: str
    community: str
    hand: str | None
    wagers: tuple[WagerResult, ...]
    choices: tuple[ChoiceLine, ...]
    bank: BankLine | None
    fee_cents: int
    net_cents: int
    stack_cents: int
    record: str | None
    coupon: CouponLine | None = field(default=None, metadata=LEFT_OUT)
    """The match-play coupon, where one was laid; what it won is part of the net."""


def round_line(session: Session, entry: Entry, chosen: list[Chosen]) -> RoundLine:
    """Return a hand of the round that was over last."""
    bank = BankLine(stake_cents=entry.bank_stake_cents, net_cents=entry.bank_net_cents)
    return RoundLine(
        rulebook=session.wanted.rules.book.id,
        round=entry.number,
        status=entry.status,
        seat=entry.seat,
        cards=show(entry.cards),
        community=show(entry.community),
        hand=entry.hand.words or None,
        wagers=entry.results,
        choices=tuple(_choice(one) for one in chosen if one.seat == entry.seat),
        bank=bank if entry.bank_stake_cents else None,
        fee_cents=entry.fee_cents,
        net_cents=entry.net_cents,
        stack_cents=session.table.cents(accounts.stack(entry.seat)),
        record=last_record(session),
        coupon=_coupon(entry),
    )


def _coupon(entry: Entry) -> CouponLine | None:
    laid = entry.coupon
    return CouponLine(cents=laid.cents, fate=laid.fate, net_cents=entry.coupon_net_cents) if laid else None


def _choice(one: Chosen) -> ChoiceLine:
    return ChoiceLine(
        bet=one.advice.bet,
        choice=one.choice,
        best=one.advice.best,
        value_of_riding_per_unit=one.advice.exact,
        given_away_cents=str(one.advice.cost_of(one.choice)),
    )
