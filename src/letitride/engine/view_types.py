"""View types: what a view of a table is made of, the same for Python, JSON and the web client; they compute nothing."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, TypeVar

import msgspec

from letitride.engine import commands
from letitride.engine.script import ScriptLine
from letitride.engine.state import Choice, Coupon, Dispute, Phase
from letitride.rules.hands import Reading
from letitride.rules.keys import FeeTier
from letitride.rules.reasons import Reason
from letitride.rules.settlement import Spot, WagerResult

CardView = str
"""A face like 'Th', or the color of a back like '[red]'."""

Offer = (
    commands.Do
    | commands.Report
    | commands.Sit
    | commands.BuyChips
    | commands.Leave
    | commands.SitOut
    | commands.PlaceWagers
    | commands.LookOver
    | commands.Look
    | commands.Choose
    | commands.TakeBack
    | commands.Tuck
    | commands.Claim
    | commands.TakeBank
    | commands.DeclineBank
    | commands.Correct
    | commands.Fold
    | commands.RefuseCorrection
    | commands.AppealDispute
)
"""A command that would be accepted now."""
AnyOffer = TypeVar("AnyOffer", bound=Offer)


class RulesView(msgspec.Struct, frozen=True, kw_only=True, gc=False, forbid_unknown_fields=True):
    """Which rules are in force."""

    book: str
    sha256: str


class SideBetView(msgspec.Struct, frozen=True, kw_only=True, gc=False, forbid_unknown_fields=True, omit_defaults=True):
    """A bet beside the base game: its spot, its name, and what it may be."""

    spot: str
    title: str
    label: str
    """What the felt prints on its spot."""
    about: str
    cents_min: int
    cents_max: int
    cents_step: int
    withdraw: tuple[int, ...] = ()
    """The base decisions with which it may be taken back; left out where it never is."""
    withdraw_percent: int = 100
    """What of it is returned then; left out where that is all of it."""


class PayView(msgspec.Struct, frozen=True, kw_only=True, gc=False, forbid_unknown_fields=True, omit_defaults=True):
    """What a hand pays, in parts: odds, an amount, or what it takes of a meter and an amount beside it."""

    odds: tuple[int, int] | None = None
    win_cents: int = 0
    meter_percent: int = 0
    meter_cents: int = 0
    hands: int = 0
    """For how many hands in the round it holds, where their number is not known yet."""


class SignView(msgspec.Struct, frozen=True, kw_only=True, gc=False, forbid_unknown_fields=True):
    """What the sign at the table says: limits, side bets, fees, pays, and the maximum payout where there is one."""

    limits_cents: tuple[int | None, int | None]
    limits_scope: str
    step_cents: int
    spot_cents_min: int
    """The least each of three equal base bets may be, whether the limits bind a spot or the three together."""
    spot_cents_max: int
    round_cents_min: int
    """The least chips with which a player can bet on a round: three base bets and their fees."""
    bet_alone: tuple[str, ...]
    """The side bets that may be made without the base bets."""
    side_bets: tuple[SideBetView, ...]
    """The bets beside the base game, in the order of the felt."""
    fees: tuple[FeeTier, ...] | None
    fee: FeeTier | None
    """The row of the fees that holds at this table's limit."""
    payout_cents_max: int | None
    payout_scope: str | msgspec.UnsetType = msgspec.UNSET
    """What the maximum payout is counted over, as the rule book's key names it; left out where there is none."""
    payout_sides: tuple[str, ...] | msgspec.UnsetType = msgspec.UNSET
    """The titles of the side bets that it binds as well, each by itself; left out where it binds none."""
    paytables: dict[str, str]
    pays: dict[str, dict[str, str | None]]
    """What each hand pays, in English; null where it loses."""
    pay_values: dict[str, dict[str, tuple[PayView, ...]]]
    """The same in parts, for clients that word it; one for each number of hands where it depends on that."""
    bet_media: tuple[str, ...]
    """What is bet with, and 'vouchers' where the dealer exchanges them."""


class FeltView(msgspec.Struct, frozen=True, kw_only=True, gc=False, forbid_unknown_fields=True):
    """How the felt is laid out."""

    players_side: tuple[int, ...]
    dealer_side: tuple[str, ...]
    spots: tuple[str, ...]
    community: str
    device: str


class BankView(msgspec.Struct, frozen=True, kw_only=True, gc=False, forbid_unknown_fields=True, omit_defaults=True):
    """Who banks, where a player does."""

    seat: int | None
    stake_cents: int
    chips_cents: int
    hands_in_a_row: int
    action_seat: int | None
    sentence: str = ""
    """What is to be said of it: that no player has taken it, where that is so."""


class DeckView(msgspec.Struct, frozen=True, kw_only=True, gc=False, forbid_unknown_fields=True):
    """The deck in play."""

    left: int
    colour: Literal["red", "blue"] | None


class NoticeView(msgspec.Struct, frozen=True, kw_only=True, gc=False, forbid_unknown_fields=True):
    """A sign about what is to come, in minutes on the wall clock, UTC."""

    posted: int
    when: int
    cents: int | None


class NoticesView(msgspec.Struct, frozen=True, kw_only=True, gc=False, omit_defaults=True, forbid_unknown_fields=True):
    """What signs say besides the limits: a higher minimum or a closing to come, and the language."""

    minimum: NoticeView | None = None
    closing: NoticeView | None = None
    english_only: bool


class SeatView(msgspec.Struct, frozen=True, kw_only=True, gc=False, forbid_unknown_fields=True):
    """A seat as its viewer sees it."""

    player: str | None
    sitting_out: bool
    stack_cents: int
    tokens_cents: int
    wagers: dict[Spot, int]
    medium: str
    fee_cents: int
    """What the house took of the seat this round for the use of the table."""
    lammer: bool
    lamps: tuple[str, ...]
    """The spots whose sensors are lit."""
    looked: bool
    choices: Mapping[int, Choice]
    tucked: bool
    cards: tuple[CardView, ...]
    hand: str | None
    """What the hand is called, for viewers who see all five cards of it."""
    results: tuple[WagerResult, ...]
    reasons: tuple[Reason, ...] | msgspec.UnsetType = msgspec.UNSET
    """Why results are what they are, where the viewer sees all the cards that decided them; left out where none is."""
    reading: Reading | msgspec.UnsetType = msgspec.UNSET
    """The parts of what the hand is called; left out where it is not."""
    coupons_cents: int | msgspec.UnsetType = msgspec.UNSET
    """The match-play coupons that lie on no bet; left out where there are none."""
    coupon: Coupon | msgspec.UnsetType = msgspec.UNSET
    """The coupon beside the third bet of this round, and what happened to it; left out where none was laid."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RulingView:
    """What was ruled or ordered."""

    name: str
    sentence: str
    seat: int | None
    clauses: tuple[str, ...]
    house_default: bool
    by: str
    why: str | None


# The parts of a view are plain dataclasses: unlike structs, they can be joined into one class.


@dataclass(frozen=True, kw_only=True)
class FixedView:
    """What all viewers see of a table and what stays as long as its rules and its column of awards do."""

    book: str
    rules: RulesView
    sign: SignView
    felt: FeltView
    coach: bool
    absent: str
    """What the table does where a decision is due and does not come: a value of `irreg.absent`."""
    absent_open: bool
    """Whether the book leaves that open, so that players choose for themselves."""


@dataclass(frozen=True, kw_only=True)
class SharedView:
    """What all viewers see alike, except the cards and the seats."""

    version: int
    phase: Phase
    round: int
    round_running: bool
    betting_open: bool
    bank: BankView | None
    meters: dict[str, int]
    """What each jackpot holds, in cents, by wager."""
    notices: NoticesView


@dataclass(frozen=True, kw_only=True)
class LaidOutView:
    """The cards outside the seats, as all viewers see them."""

    community: tuple[CardView, ...]
    packet: tuple[CardView, ...]
    """The dealer's packet, top card first, until its cards are in the community area and one of them is burned."""
    deck: DeckView
    drawn: tuple[CardView, ...]
    spread: tuple[CardView, ...]
    rack: int


@dataclass(frozen=True, kw_only=True)
class PrivateView:
    """What one viewer learns and is offered."""

    viewer: str
    rulings: tuple[RulingView, ...]
    disputes: tuple[Dispute, ...]
    script: ScriptLine | None
    offers: tuple[Offer, ...]


@dataclass(frozen=True, kw_only=True)
class View(PrivateView, LaidOutView, SharedView, FixedView):
    """A table as one viewer may see it."""

    seats: dict[int, SeatView]

    def offer(self, kind: type[AnyOffer], seat: int = 0) -> AnyOffer | None:
        """Return the first command of a kind that is offered, at a seat where the viewer has more than one."""
        found = (one for one in self.offers if isinstance(one, kind))
        return next((one for one in found if not seat or one.by == f"seat:{seat}"), None)
