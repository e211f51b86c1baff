"""Messages: what a client gets over its WebSocket, as types; it sends nothing.

`scripts/web_types.py` turns them into the types of the web client, and tests/server/test_page.py holds them against
what the server really sends, so that neither can say more or less than the other.
"""

from __future__ import annotations

from typing import Any, Literal

import msgspec

from letitride.engine.view_types import SeatView, View
from letitride.server.tables.dealer import Clock


class ViewSent(msgspec.Struct, frozen=True, kw_only=True, tag="view", forbid_unknown_fields=True):
    """The whole view."""

    view: View


class ChangeSent(msgspec.Struct, frozen=True, kw_only=True, tag="change", forbid_unknown_fields=True):
    """What is new in the view since a version: pieces and seats that take the place of the old ones."""

    since: int
    view: dict[str, Any]
    seats: dict[int, SeatView]


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


ErrorCode = Literal[
    "too_many_messages",
    "unreadable",
    "not_allowed",
    "shuffle_share",
    "moved",
    "halted",
    "store_down",
]
"""Why a message was not taken; `shuffle_share` where a pledge or a nonce came too late or was not a player's own."""


class ErrorSent(msgspec.Struct, frozen=True, kw_only=True, tag="error", forbid_unknown_fields=True):
    """What was wrong with a message; with the id of the command in it, if it had one."""

    code: ErrorCode
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
