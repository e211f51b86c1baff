"""Payouts: the payout desk, for a round that people dealt on a real table; it keeps nothing and moves no money."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from fastapi import APIRouter, Request
from pydantic import BaseModel, ConfigDict, Field

from letitride.records.payout import RoundPaid, pay_entered
from letitride.records.real_round import RealHand, RealRound
from letitride.rules import catalog
from letitride.rules.banking import fee_tier
from letitride.rules.table_rules import TableRules
from letitride.rules.wager_table import BASE
from letitride.server.net.access import ANYWHERE, check_rate, refusals
from letitride.server.routes.history import MISSING
from letitride.server.routes.par import Ref, known_book
from letitride.server.runtime.pricing import run_pricing

router = APIRouter(prefix="/api", tags=["par"], responses=ANYWHERE)
Cents = Annotated[int, Field(ge=0, le=10**11)]
Word = Annotated[str, Field(max_length=40)]


class HandEntered(BaseModel):
    """A seat: its cards, its bets in cents by spot, and which of bets 1 and 2 ride."""

    model_config = ConfigDict(extra="forbid")

    seat: int = Field(ge=1, le=20)
    cards: list[Word] = Field(max_length=3)
    wagers: dict[Word, Cents] = Field(max_length=20)
    rides: list[int] = Field([], max_length=2)


class RoundEntered(BaseModel):
    """A round as the camera saw it, under a published book."""

    model_config = ConfigDict(extra="forbid")

    rulebook: str = Field(max_length=100)
    values: dict[Word, int | str | bool] = Field(
        {}, max_length=40, description="The table's own values, such as payout.cents_max."
    )
    hands: list[HandEntered] = Field(max_length=20)
    community: list[Word] = Field(max_length=2)
    bank_seat: int = Field(0, ge=0, le=20)
    bank_cents: Cents = 0
    dice: int = Field(0, ge=0, le=18)
    meters: dict[Word, Cents] = Field({}, max_length=20, description="What each jackpot showed before the round.")


@dataclass(frozen=True, slots=True, kw_only=True)
class PayoutTold:
    """What the round is paid, and the round as a record."""

    paid: RoundPaid
    record: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SpotOfFelt:
    """A spot that can be bet on."""

    spot: str
    wager: str
    base: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class FeltOfBook:
    """What a round is entered on: the seats, the spots, and who banks."""

    book: str
    seats: int
    spots: tuple[SpotOfFelt, ...]
    banked: bool
    fees: bool
    capped: bool
    """Whether a table may have a maximum payout."""


@router.get("/rulebooks/{ref}/felt", responses=MISSING)
async def felt_of_book(ref: Ref) -> FeltOfBook:
    """The seats and spots of a published book, for entering a round."""
    return await run_pricing(lambda: _felt(catalog.ready_rules(known_book(ref))))


@router.post("/payout", responses=refusals(404, 422))
async def payout(request: Request, entered: RoundEntered) -> PayoutTold:
    """What every spot of a round is paid, step by step."""
    check_rate(request, "pars_from")
    return await run_pricing(lambda: _paid(entered))


def _paid(asked: RoundEntered) -> PayoutTold:
    entered = RealRound(
        rulebook=known_book(asked.rulebook),
        values=dict(asked.values),
        hands=tuple(
            RealHand(seat=one.seat, cards=tuple(one.cards), wagers=dict(one.wagers), rides=tuple(one.rides))
            for one in asked.hands
        ),
        community=tuple(asked.community),
        bank_seat=asked.bank_seat,
        bank_cents=asked.bank_cents,
        dice=asked.dice,
        meters=dict(asked.meters),
    )
    paid, record = pay_entered(catalog.ready_rules(entered.rulebook, entered.values), entered)
    return PayoutTold(paid=paid, record=record)


def _felt(rules: TableRules) -> FeltOfBook:
    return FeltOfBook(
        book=rules.book.id,
        seats=rules.rules.seats,
        spots=tuple(
            SpotOfFelt(spot=spot, wager=one.id, base=one.id == BASE.id)
            for one in rules.wagers.values()
            for spot in one.spots
        ),
        banked=rules.rules.bank.mode == "player",
        fees=fee_tier(rules.rules) is not None,
        capped="maximum" in rules.book.options.get("payout.cap", ()) or rules.rules.payout.cap == "maximum",
    )
