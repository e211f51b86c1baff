"""Commands: what a person at the table asks for; whether it may be is for legal to say."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

import msgspec

from letitride.engine.state import Choice, DisputedBet
from letitride.rules.rulings import Irregularity
from letitride.rules.settlement import Spot


class Command(msgspec.Struct, frozen=True, kw_only=True, tag=True, gc=False):
    """A request. `by` says who asks: 'dealer', 'floor', 'casino_supervisor', 'inspector', 'spectator', 'seat:3'."""

    by: str = "dealer"


class Do(Command, frozen=True):
    """Do the next step of the script; its other fields are what some steps need to know."""

    kind: str
    seat: int = 0
    wager: str = ""
    number: int = 0
    order: tuple[str, ...] = ()
    """The faces of the deck, top first: for a step that mixes, or for the first card of a deck that has none yet."""
    unbound: bool = False
    """Whether a deck is mixed without an order: which card lies where is then bound with its first card."""
    cut: int = 0
    """How many cards the cut takes from the top."""
    face_up: bool = False
    """How an idle deck is spread."""
    throw: int = 0
    """What the dice show together."""


class ReadMeters(Do, frozen=True):
    """The step that reads the meters which tables of the house share, with what they hold; no client sends it."""

    meters: dict[str, int] = {}
    """In cents, by wager."""


class PlayerCommand(Command, frozen=True, kw_only=True):
    """A request that is a player's own."""

    by: str = ""


class SeatAct(PlayerCommand, frozen=True):
    """What the player at a seat does; `by` is that seat where nothing else is said."""

    seat: int

    def __post_init__(self) -> None:
        if not self.by:
            msgspec.structs.force_setattr(self, "by", f"seat:{self.seat}")


class Sit(SeatAct, frozen=True):
    """Take a seat and buy chips."""

    player: str
    cents: int


class BuyChips(SeatAct, frozen=True):
    """Buy more chips."""

    cents: int


class ExchangeVoucher(SeatAct, frozen=True):
    """Exchange a promotional voucher for chips or tokens, or bring a match-play coupon to the table."""

    cents: int
    into: Literal["chips", "tokens", "match_play"] = "tokens"
    voucher: str = ""
    """Which one, where the house keeps account of them."""


class Leave(SeatAct, frozen=True):
    """Cash out and leave."""


class SitOut(SeatAct, frozen=True):
    """Sit out the coming rounds, or take part again."""

    out: bool = True


class PlaceWagers(SeatAct, frozen=True):
    """Put just these wagers on the spots of a seat; none takes all of them back."""

    wagers: dict[Spot, int]
    medium: Literal["chips", "plaques", "tokens", "vouchers", "cash"] = "chips"
    spoken: bool = False
    coupon_cents: int | msgspec.UnsetType = msgspec.UNSET
    """The value of the match-play coupon beside the third bet; left out where none is laid."""


class LookOver(SeatAct, frozen=True):
    """Look over the deck that is spread for the first player."""


class Look(SeatAct, frozen=True):
    """Look at your three cards."""


class Choose(SeatAct, frozen=True):
    """Let a bet ride or withdraw it."""

    bet: Literal[1, 2]
    choice: Choice


class TakeBack(SeatAct, frozen=True):
    """Take a side bet back with a base decision, where its file lets a player do so."""

    wager: Spot


class Tuck(SeatAct, frozen=True):
    """Tuck your cards early: all remaining bets ride."""


class Claim(SeatAct, frozen=True):
    """Show the dealer your three cards for the side bet, or keep them hidden."""

    shown: bool


class TakeBank(SeatAct, frozen=True):
    """Bank the coming hand with a stake."""

    cents: int


class DeclineBank(SeatAct, frozen=True):
    """Pass the bank on."""


MishapKind = Literal["exposed", "exposed_burn", "long", "short", "stray", "drawn", "unloaded", "bets", "burn"]


class Mishap(Command, frozen=True):
    """What really went wrong, as a camera would see it, noticed or not; by 'table' alone."""

    kind: MishapKind
    seat: int = 0
    """The seat it happened to; 0: the dealer's own cards."""
    number: int = 0
    """Which of the cards there, from 1; for 'drawn', 1 says that its face was seen; for 'burn', which was burned."""
    wagers: dict[Spot, int] = {}
    """What really lies on the base spots of the seat."""


class Report(Command, frozen=True):
    """Report an irregularity; the book rules on it."""

    kind: Irregularity
    seat: int = 0
    number: int = 0
    """Which community card was exposed."""


class WentAway(Command, frozen=True):
    """Say that a player has left the table in mid-round."""

    seat: int


class CameBack(Command, frozen=True):
    """Say that a player who was away is there again."""

    seat: int


class Correct(SeatAct, frozen=True):
    """Make your base bets equal."""

    cents: int


class Fold(SeatAct, frozen=True):
    """Give up your cards and take your bets back, where uneven bets were found in time."""


class RefuseCorrection(SeatAct, frozen=True):
    """Refuse to make your base bets equal."""


Ground = Literal["", "collusion", "device", "refused_correction", "fraud", "disturbance"]
"""What a suspicion or an annulment rests on."""
OrderKind = Literal[
    "count",
    "change_deck",
    "recut",
    "refuse_bet",
    "limits",
    "announce_minimum",
    "announce_closing",
    "close",
    "act_first",
    "separate",
    "english_only",
    "bar",
    "void_bets",
    "annul",
    "give_up_seat",
]


class Order(Command, frozen=True):
    """Give an order, as a supervisor or an inspector."""

    kind: OrderKind
    seats: tuple[int, ...] = ()
    number: int = 0
    """Which deck."""
    cards: tuple[str, ...] = ()
    """Which cards of the deck are changed; none: all of it."""
    cents_min: int = 0
    cents_max: int = 0
    minute: int = 0
    """The time on the wall clock, in minutes, where notice must be given."""
    when: int = 0
    """The time that a sign announces."""
    ground: Ground = ""
    why: str = ""


class RaiseDispute(SeatAct, frozen=True):
    """Dispute a ruling or a payment."""

    about: str
    concerns: DisputedBet | msgspec.UnsetType = msgspec.UNSET
    """Which round and bet."""


class DecideDispute(Command, frozen=True):
    """Rule on a dispute, and say what the house pays for it, if anything."""

    number: int
    upheld: bool
    cents: int = 0
    why: str = ""
    absent: tuple[str, ...] = ()
    """The lower instances that are not on duty."""


class AppealDispute(SeatAct, frozen=True):
    """Appeal a ruling: take it to the person who rules next."""


class AskAdvice(SeatAct, frozen=True):
    """Ask the others for advice, or stop asking."""

    wanted: bool = True


class Advise(Command, frozen=True):
    """Tell a player what to do."""

    seat: int
    words: str


SeatCommand = (
    Sit
    | BuyChips
    | ExchangeVoucher
    | Leave
    | SitOut
    | PlaceWagers
    | LookOver
    | Look
    | Choose
    | TakeBack
    | Tuck
    | Claim
    | TakeBank
    | DeclineBank
    | WentAway
    | CameBack
    | Correct
    | Fold
    | RefuseCorrection
    | RaiseDispute
    | AppealDispute
    | AskAdvice
)
"""What a seat does, or what is said of it."""
Unscripted = Mishap | Report | Order | DecideDispute | Advise | SeatCommand
"""What is no step of the script."""
AnyCommand = Do | Unscripted


def with_readings(do: Do, readings: Mapping[str, int]) -> Do:
    """Return the step that reads meters, with what they hold."""
    step = {name: getattr(do, name) for name in Do.__struct_fields__}
    return ReadMeters(**step, meters=dict(readings))


def readings_of(command: AnyCommand) -> Mapping[str, int]:
    """Return what meters hold by a command; nothing where it reads none."""
    return command.meters if isinstance(command, ReadMeters) else {}
