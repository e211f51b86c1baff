"""Moved alone: what a person moved by their own word within a day, in acts of each kind; it judges no role."""

from __future__ import annotations

from typing import Final

import msgspec

from letitride.rules.roles import MoneyAct
from letitride.server.people.approval_records import Wish
from letitride.storage.roles.documents import DocumentStore

KIND: Final = "alone"
DAY_MS: Final = 24 * 60 * 60_000


class Moved(msgspec.Struct, frozen=True):
    """An act that counted."""

    at_ms: int
    act: MoneyAct
    cents: int
    reference: str
    table: str = ""
    """At which table; another table's act of the same reference is another act."""


def counts(documents: DocumentStore, name: str, wish: Wish, alone_cents: int, now_ms: int) -> bool:
    """Whether an act is within what a person moves alone in a day; then it counts. Only in the committer's thread."""
    while True:
        kept = documents.get(KIND, name)
        known = msgspec.json.decode(kept.body, type=list[Moved]) if kept else []
        recent = [one for one in known if one.at_ms > now_ms - DAY_MS]
        same = (wish.act, wish.table, wish.reference, wish.cents)
        if any((one.act, one.table, one.reference, one.cents) == same for one in recent):
            return True
        if sum(one.cents for one in recent if one.act == wish.act) + wish.cents > alone_cents:
            return False
        body = msgspec.json.encode([*recent, Moved(now_ms, wish.act, wish.cents, wish.reference, wish.table)])
        if documents.put(KIND, name, body, kept.version if kept else 0) is not None:
            return True
