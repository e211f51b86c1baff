"""Key: how a rule-book key says what it means, in which unit, and when it applies."""

from __future__ import annotations

from typing import Any

import msgspec


class Section(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A group of keys. Each key's default is the house's answer where a document is silent."""


def key(
    doc: str,
    *,
    unit: str = "",
    applies: tuple[Any, ...] = (),
    ge: int | None = None,
    le: int | None = None,
    later: bool = False,
    **meanings: str,
) -> msgspec.Meta:
    """Describe a key: its sentence, its unit, its bounds, the meaning of each legal value.

    `applies` names another key and the values of it under which this key means anything:
    `("bank.mode", "player")`. `later` marks a key that came after the published books: their digests
    leave it out where it has its default, which is what was done before there was a key.
    """
    extra = {"unit": unit, "applies": applies, "later": later, "meanings": meanings}
    return msgspec.Meta(description=doc, ge=ge, le=le, extra=extra)
