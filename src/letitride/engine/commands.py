"""Commands: what a person at the table asks for; whether it may be is for legal to say."""

from __future__ import annotations

from typing import Literal

import msgspec

from letitride.engine.state import Choice
from letitride.rules.settlement import WagerName


class Command(msgspec.Struct, frozen=True, kw_only=True, tag=True):
    """A request. `by` says who asks: 'dealer', 'floor', 'inspector', 'spectator', or 'seat:3'."""

    by: str = "dealer"


class Do(Command, frozen=True):
    """Do the next step of the script; its other fields are what some steps need to know."""

    kind: str
    seat: int = 0
    wager: str = ""
    number: int = 0
    order: tuple[str, ...] = ()
    """The faces of the mixed deck, top first, for a step that mixes."""
    cut: int = 0
    """How many cards the cut takes from the top."""
    face_up: bool = False
    """How an idle deck is spread."""
    throw: int = 0
    """What the dice show together."""


class Sit(Command, frozen=True):
    """Take a seat and buy chips."""

    seat: int
    player: str
    cents: int


class BuyChips(Command, frozen=True):
    """Buy more chips."""

    seat: int
    cents: int


class ExchangeVoucher(Command, frozen=True):
    """Exchange a promotional voucher for chips or tokens."""

    seat: int
    cents: int
    into: Literal["chips", "tokens"] = "tokens"


class Leave(Command, frozen=True):
    """Cash out and leave."""

    seat: int


class SitOut(Command, frozen=True):
    """Sit out the coming rounds, or take part again."""

    seat: int
    out: bool = True


class PlaceWagers(Command, frozen=True):
    """Have just these wagers on the spots of a seat; none takes all of them back."""

    seat: int
    wagers: dict[WagerName, int]
    medium: Literal["chips", "plaques", "tokens", "vouchers", "cash"] = "chips"
    spoken: bool = False


class LookOver(Command, frozen=True):
    """Look over the deck that is spread for the first player."""

    seat: int


class Look(Command, frozen=True):
    """Look at one's three cards."""

    seat: int


class Choose(Command, frozen=True):
    """Let a bet ride or withdraw it."""

    seat: int
    bet: Literal[1, 2]
    choice: Choice


class Tuck(Command, frozen=True):
    """Tuck one's cards early: all remaining bets ride."""

    seat: int


class Claim(Command, frozen=True):
    """Show one's three cards for the side bet, or wave them away."""

    seat: int
    shown: bool


class TakeBank(Command, frozen=True):
    """Bank the coming hand with a stake."""

    seat: int
    cents: int


class DeclineBank(Command, frozen=True):
    """Let the bank go by."""

    seat: int


AnyCommand = (
    Do
    | Sit
    | BuyChips
    | ExchangeVoucher
    | Leave
    | SitOut
    | PlaceWagers
    | LookOver
    | Look
    | Choose
    | Tuck
    | Claim
    | TakeBank
    | DeclineBank
)
