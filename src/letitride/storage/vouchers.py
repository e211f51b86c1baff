"""Vouchers: how vouchers and the marks of spent ones are kept, and whether journals agree; never who may redeem one."""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Sequence
from typing import Final, Literal

import msgspec

from letitride.storage.roles.documents import DocumentStore
from letitride.storage.roles.journal import JournalStore

Into = Literal["chips", "tokens", "match_play"]
"""What a voucher is exchanged for; one for 'match_play' is a coupon, which lies beside a bet."""
WORDS: Final[dict[Into, str]] = {"chips": "chips", "tokens": "tokens", "match_play": "match-play coupons"}
KIND: Final = "vouchers"
CLIENT: Final = "voucher"
"""Under whose name the store keeps that a voucher is spent."""


class Voucher(msgspec.Struct, frozen=True, kw_only=True):
    """A voucher as it was issued; it never changes."""

    id: str
    person: str
    cents: int
    into: Into
    """What it is exchanged for."""
    why: str
    """What the house gives it for, and its conditions in words."""
    issued_ms: int
    issued_by: str
    until_ms: int = 0
    """Until when it is redeemed; 0: without end."""

    @property
    def wish(self) -> tuple[object, ...]:
        """What was asked for."""
        lasts_ms = self.until_ms - self.issued_ms if self.until_ms else 0
        return self.person, self.cents, self.into, self.why, lasts_ms


class Redeemed(msgspec.Struct, frozen=True, kw_only=True):
    """Where and when a voucher was redeemed."""

    table: str
    row: int
    at_ms: int


class Exchange(msgspec.Struct, frozen=True, kw_only=True):
    """What a row of a journal tells of a voucher."""

    table: str
    row: int
    cents: int
    voucher: str
    """Which one; older rows do not say it."""


def redeemed(journal: JournalStore, voucher: str) -> Redeemed | None:
    """Return the mark that a voucher is spent, if it is."""
    kept = journal.reply(CLIENT, voucher)
    return msgspec.json.decode(kept, type=Redeemed) if kept is not None else None


def disagreements(
    documents: DocumentStore,
    journal: JournalStore,
    exchanges: Iterable[Exchange],
    unread: Container[tuple[str, int]] = (),
) -> Iterator[str]:
    """Yield where vouchers, the marks of spent ones and what journals say of them do not agree.

    Of a row that could not be read, by its table and number, the mark is taken at its word.
    """
    issued = {one.id: msgspec.json.decode(one.body, type=Voucher) for one in documents.find(KIND)}
    named = [one for one in exchanges if one.voucher]
    marks = {name: redeemed(journal, name) for name in {*issued, *(one.voucher for one in named)}}
    spent = {name: mark for name, mark in marks.items() if mark is not None and (mark.table, mark.row) not in unread}
    told: dict[str, list[Exchange]] = {}
    places = {(mark.table, mark.row): name for name, mark in spent.items()}
    for one in exchanges:
        if name := one.voucher or places.get((one.table, one.row), ""):
            told.setdefault(name, []).append(one)
    for name in sorted({*told, *spent}):
        yield from _of_one(name, issued.get(name), spent.get(name), told.get(name, []))
    due = sum(issued[name].cents for name in spent if name in issued)
    left = sum(one.cents for all_of_it in told.values() for one in all_of_it)
    if due != left:
        yield f"expected {due} cents to leave promotions for the vouchers that are spent, got {left}"


def _of_one(name: str, voucher: Voucher | None, mark: Redeemed | None, told: Sequence[Exchange]) -> Iterator[str]:
    where = " and ".join(_place(one) for one in told)
    if voucher is None:
        yield f"expected a voucher that was issued, got {name} at {where}"
    elif any(one.cents != voucher.cents for one in told):
        came = " and ".join(str(one.cents) for one in told)
        yield f"expected {voucher.cents} cents for the voucher {name}, got {came} at {where}"
    if len(told) > 1:
        yield f"expected the voucher {name} to be redeemed once, got it at {where}"
    if mark is None:
        yield f"expected the voucher {name} to be marked as spent at {where}, got no mark"
    elif _place(mark) not in map(_place, told):
        yield f"expected the voucher {name} redeemed at {_place(mark)}, as it is marked, got {where or 'no such row'}"


def _place(one: Exchange | Redeemed) -> str:
    return f"table {one.table}, row {one.row}"
