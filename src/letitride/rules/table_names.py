"""Table names: what people call a table, by its book, what is special about it, and its limits; it opens none."""

from __future__ import annotations

import re
from typing import Final

from letitride.rules.money import dollars
from letitride.rules.table_rules import TableRules

SPECIALS: Final = {"bank": "player-banked", "shuffler": "shuffler", "shoe": "shoe", "hand": "dealt by hand"}
"""What sets a table apart beside its side bets: who banks, or how it is dealt; by the codes it is worded by."""


def table_name(rules: TableRules) -> str:
    """Return the name of a table: 'Washington · Cover All', and the limits."""
    limit = rules.rules.limit
    limits = f"{dollars(limit.cents_min or 0)}–{dollars(limit.cents_max or 0)}"
    book = rules.book.name or re.split("[:,]", rules.book.title)[0]
    return " · ".join((book, _special(rules), limits))


def _special(rules: TableRules) -> str:
    """Return what sets a table apart: a bank of players, the last of its side bets, or how it is dealt."""
    if rules.rules.bank.mode == "player":
        return SPECIALS["bank"]
    return rules.sides[-1].title if rules.sides else SPECIALS[rules.rules.device]
