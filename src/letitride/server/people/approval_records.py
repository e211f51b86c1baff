"""Approval records: what is kept of an act with money that waits for a second person; they decide nothing."""

from __future__ import annotations

from typing import Final, Literal

import msgspec

from letitride.rules.money import dollars
from letitride.rules.roles import MoneyAct
from letitride.rules.words import quantity
from letitride.server.runtime.requests import NotNow
from letitride.storage.vouchers import Into

MINUTE_MS: Final = 60_000

State = Literal["waiting", "approved", "done", "failed", "declined", "expired"]


class Approval(msgspec.Struct, frozen=True, kw_only=True):
    """An act with money that one person asks for and another approves."""

    id: str
    act: MoneyAct
    cents: int
    about: str
    """What is to be done, in a line: 'pay $5,000 to Ann'."""
    why: str
    wish: msgspec.Raw
    """What the way of the act reads, as JSON."""
    to: str = ""
    """Whose money it will be, where it is a person's: they do not approve it."""
    table: str = ""
    """The table it is about, whose owner carries it out; empty: any server does."""
    round: int = 0
    asked_by: str
    asked_ms: int
    until_ms: int
    state: State = "waiting"
    decided_by: str = ""
    decided_ms: int = 0
    decided_why: str = ""
    outcome: str = ""
    """Why it was not carried out after all."""

    @property
    def is_open(self) -> bool:
        """Whether it is still to be decided or carried out."""
        return self.state in {"waiting", "approved"}


class Wish(msgspec.Struct, frozen=True, kw_only=True):
    """An act with money that a person asks for."""

    act: MoneyAct
    cents: int
    about: str
    why: str
    reference: str
    """What names it among the person's wishes: asked for again under it, it is the same one."""
    body: bytes
    """What is to be done, as JSON for the way of the act."""
    to: str = ""
    table: str = ""
    round: int = 0


class CashWish(msgspec.Struct, frozen=True):
    """Money that is to come into a wallet, or to go out of it."""

    name: str
    reference: str


class VoucherWish(msgspec.Struct, frozen=True):
    """A voucher that is to be issued."""

    name: str
    reference: str
    into: Into
    days: int | None


class AwaitsApproval(NotNow):
    """An act that a second person has to approve first: nothing was done."""

    code = "awaits_approval"


def awaits(approval: Approval, who: str) -> AwaitsApproval:
    """Return what tells a person that their request waits, and for whom."""
    minutes = max((approval.until_ms - approval.asked_ms) // MINUTE_MS, 1)
    return AwaitsApproval(
        f"{dollars(approval.cents)} needs a second person's approval, so nothing was done yet: {who} or a higher"
        f" role can approve it under Approvals within {quantity(minutes, 'minute')}",
        cents=approval.cents,
        approval=approval.id,
        role=who,
        minutes=minutes,
    )
