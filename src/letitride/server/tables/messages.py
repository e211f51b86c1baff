"""Messages: everything a client is sent over its WebSocket, one type each; they decide nothing.

The server sends no other message. `scripts/web_types.py` turns them into the types of the web client. Views are
written piece by piece by `frames`; tests/server/routes/test_page.py holds what it writes against these types.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

import msgspec

from letitride.engine.view_types import SeatView, View
from letitride.server.runtime.pace import PaceName
from letitride.server.runtime.requests import Answer


class ViewSent(msgspec.Struct, frozen=True, kw_only=True, tag="view", forbid_unknown_fields=True):
    """The whole view."""

    view: View


class ChangeSent(msgspec.Struct, frozen=True, kw_only=True, tag="change", forbid_unknown_fields=True):
    """What is new in the view since a version: pieces and seats that take the place of the old ones."""

    since: int
    view: dict[str, Any]  # any of the view's pieces, each of the type it has there
    seats: dict[int, SeatView]


@dataclass(frozen=True, slots=True, kw_only=True)
class Clock:
    """Whose time runs: everyone's for bets, or a seat's; and when it is over, in milliseconds since 1970."""

    what: Literal["bets", "choice"]
    seat: int | None
    ends_ms: int


State = Literal["open", "closing", "closed", "halted"]


class TableSent(msgspec.Struct, frozen=True, kw_only=True, tag="table", forbid_unknown_fields=True):
    """How the table stands besides the game."""

    table: str
    state: State
    dealer: str
    """Who has the shift, or 'automatic'."""
    clock: Clock | None
    pace: PaceName
    """How fast the automatic dealer deals: as the only player wants it, or 'normal'."""
    bots: int = 0
    """How many bots play here, or will as soon as they can."""
    bots_max: int = 0
    """Up to how many bots people at this table may ask for."""


ErrorCode = Literal[
    "too_many_messages",
    "unreadable",
    "not_allowed",
    "shuffle_share",
    "moved",
    "halted",
    "store_down",
]
"""Why a message was not taken; `shuffle_share` for a pledge, a link or a nonce that came too late or was another's."""


class ErrorSent(msgspec.Struct, frozen=True, kw_only=True, tag="error", omit_defaults=True, forbid_unknown_fields=True):
    """What was wrong with a message; with the id of the command in it, if it had one."""

    code: ErrorCode
    sentence: str
    command: str = ""


class PledgesSent(msgspec.Struct, frozen=True, kw_only=True, tag="pledges", forbid_unknown_fields=True):
    """The house has mixed its deck and fixed it by a digest; seats may pledge until bets are closed."""

    table: str
    round: int
    shuffle: int
    merkle: str


class SeatPledged(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What a seat has pledged."""

    seat: int
    commitment: str


class CommitmentSent(msgspec.Struct, frozen=True, kw_only=True, tag="commitment", forbid_unknown_fields=True):
    """Bets are closed, the root fixes deck, pledges, cuts and dice: seats reveal links for the dice, or nonces."""

    table: str
    round: int
    shuffle: int
    merkle: str
    seats: tuple[SeatPledged, ...]
    cuts: tuple[int, ...]
    """How many cards went from the top to the bottom, cut by cut."""
    dice: int | None = None
    """How often dice are thrown for it, 0 or 1; none in the root of a deck from before this was bound."""
    root: str
    throws: tuple[tuple[int, int, int], ...]
    """The dice that were thrown since; they enter the order."""
    wants: Literal["", "link", "nonce"]
    """What is asked for now; nothing any more where the order is fixed or the deck in play."""


class ShareSent(msgspec.Struct, frozen=True, kw_only=True, tag="share", forbid_unknown_fields=True):
    """What a seat gave for a shuffle is written down: its acknowledgement, and news for everyone at the table."""

    table: str
    round: int
    shuffle: int
    seat: int
    what: Literal["pledge", "link", "nonce"]
    value: str


class ProofSent(msgspec.Struct, frozen=True, kw_only=True, tag="proof", forbid_unknown_fields=True):
    """A deck is opened or void: its proof can be had."""

    table: str
    round: int
    shuffle: int


class HaltedSent(msgspec.Struct, frozen=True, kw_only=True, tag="halted", forbid_unknown_fields=True):
    """The table is closed for now."""

    why: str


Outgoing = (
    ViewSent
    | ChangeSent
    | TableSent
    | Answer
    | ErrorSent
    | PledgesSent
    | CommitmentSent
    | ShareSent
    | ProofSent
    | HaltedSent
)
