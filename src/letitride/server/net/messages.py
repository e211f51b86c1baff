"""Shown: the messages a client gets over its WebSocket, as types for those who write clients; it sends nothing.

`scripts/web_types.py` turns them into the types of the web client, and tests/server/test_page.py holds them against
what the server really sends, so that neither can say more or less than the other.
"""

from __future__ import annotations

from typing import Any, Literal

import msgspec

from letitride.engine.script import ScriptLine
from letitride.engine.state import Dispute
from letitride.rules.settlement import WagerName, WagerResult
from letitride.server.tables.dealer import Clock

CardShown = str
"""A face like 'Th', or the colour of a back like '[red]'."""


class RulesShown(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Which rules are in force."""

    book: str
    sha256: str


class FeesShown(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One row of a fee schedule."""

    limit_cents_max: int
    wager_cents: int
    bank_cents: int


class SignShown(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What the sign at the table says: limits, side bets, fees, pays."""

    limits_cents: list[int]
    limits_scope: str
    step_cents: int
    spot_cents_min: int
    """The least each of three equal base bets may be, whether the limits bind a spot or the three together."""
    spot_cents_max: int
    round_cents_min: int
    """The least chips with which a player can bet on a round: three base bets and their fees."""
    bet_alone: list[str]
    """The side bets that may be made without the base bets."""
    bonus_cents: int | None
    three_card_cents: list[int] | None
    cover_all_cents: list[int] | None
    fees: list[FeesShown] | None
    payout_cents_max: int | None
    paytables: dict[str, str]
    pays: dict[str, dict[str, str | None]]


class FeltShown(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How the felt is laid out."""

    players_side: list[int]
    dealer_side: list[str]
    spots: list[str]
    community: str
    device: str


class BankShown(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Who banks, where a player does."""

    seat: int | None
    stake_cents: int
    chips_cents: int
    hands_in_a_row: int
    action_seat: int | None


class DeckShown(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The deck in play."""

    left: int
    colour: Literal["red", "blue"] | None


class NoticeShown(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A sign about what is to come, in minutes on the wall clock, UTC."""

    posted: int
    when: int
    cents: int | None


class NoticesShown(msgspec.Struct, frozen=True, kw_only=True):
    """What signs say besides the limits."""

    english_only: bool
    minimum: NoticeShown | None = None
    closing: NoticeShown | None = None


class SeatShown(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A seat as its viewer sees it."""

    player: str | None
    sitting_out: bool
    stack_cents: int
    tokens_cents: int
    wagers: dict[WagerName, int]
    medium: str
    fee_cents: int
    """What the house took of the seat this round for the use of the table."""
    lammer: bool
    bonus_lamp: bool
    looked: bool
    choices: dict[str, Literal["ride", "withdraw"]]
    tucked: bool
    cards: list[CardShown]
    hand: str | None
    results: list[WagerResult]


class RulingShown(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What was ruled or ordered."""

    name: str
    sentence: str
    seat: int | None
    clauses: list[str]
    house_default: bool
    by: str
    why: str | None


class OfferShown(msgspec.Struct, frozen=True, kw_only=True):
    """A command that would be accepted now; which fields it has follows from its type."""

    type: str
    by: str
    seat: int = 0
    wagers: dict[WagerName, int] = {}
    cents: int = 0
    bet: int = 0
    choice: Literal["ride", "withdraw"] = "ride"
    out: bool = False
    shown: bool = False
    kind: str = ""
    wager: str = ""
    number: int = 0
    wanted: bool = False


class View(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A table as one viewer may see it."""

    viewer: str
    book: str
    rules: RulesShown
    sign: SignShown
    felt: FeltShown
    coach: bool
    version: int
    phase: str
    round: int
    round_running: bool
    betting_open: bool
    bank: BankShown | None
    community: list[CardShown]
    deck: DeckShown
    drawn: list[CardShown]
    spread: list[CardShown]
    rack: int
    notices: NoticesShown
    seats: dict[str, SeatShown]
    rulings: list[RulingShown]
    disputes: list[Dispute]
    script: ScriptLine | None
    offers: list[OfferShown]


class ViewSent(msgspec.Struct, frozen=True, kw_only=True, tag="view", forbid_unknown_fields=True):
    """The whole view."""

    view: View


class ChangeSent(msgspec.Struct, frozen=True, kw_only=True, tag="change", forbid_unknown_fields=True):
    """What is new in the view since a version: pieces and seats that take the place of the old ones."""

    since: int
    view: dict[str, Any]
    seats: dict[str, SeatShown]


class TableSent(msgspec.Struct, frozen=True, kw_only=True, tag="table", forbid_unknown_fields=True):
    """How the table stands besides the game."""

    table: str
    state: Literal["open", "closing", "closed", "halted"]
    dealer: str
    clock: Clock | None


class AnswerSent(msgspec.Struct, frozen=True, kw_only=True, tag="answer", forbid_unknown_fields=True):
    """What a command came to."""

    command: str
    accepted: bool
    version: int
    code: str = ""
    sentence: str = ""


class ErrorSent(msgspec.Struct, frozen=True, kw_only=True, tag="error", forbid_unknown_fields=True):
    """What was wrong with a message; with the id of the command in it, if it had one."""

    sentence: str
    command: str = ""


class PledgesSent(msgspec.Struct, frozen=True, kw_only=True, tag="pledges", forbid_unknown_fields=True):
    """A shuffle is announced, and seats may pledge."""

    table: str
    round: int
    shuffle: int


class SeatPledged(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What a seat has pledged."""

    seat: int
    commitment: str


class CommitmentSent(msgspec.Struct, frozen=True, kw_only=True, tag="commitment", forbid_unknown_fields=True):
    """The house has committed to a deck, and seats reveal."""

    table: str
    round: int
    shuffle: int
    merkle: str
    seats: list[SeatPledged]
    root: str


class ProofSent(msgspec.Struct, frozen=True, kw_only=True, tag="proof", forbid_unknown_fields=True):
    """A deck is opened or void: its proof can be had."""

    table: str
    round: int
    shuffle: int


class HaltedSent(msgspec.Struct, frozen=True, kw_only=True, tag="halted", forbid_unknown_fields=True):
    """The table is closed for now."""

    why: str


Outgoing = (
    ViewSent | ChangeSent | TableSent | AnswerSent | ErrorSent | PledgesSent | CommitmentSent | ProofSent | HaltedSent
)
