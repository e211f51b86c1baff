"""Table facts: what the register keeps of a table beside its journal; never how the table stands now."""

from __future__ import annotations

from typing import Any

import msgspec

from letitride.rules import catalog
from letitride.rules.table_rules import TableRules
from letitride.rules.wager_table import BASE
from letitride.storage.roles.tables import TableRecord


class TableFacts(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What a lobby shows of a table by its rules, and whose private table it is."""

    rulebook: str
    sha256: str = ""
    paytables: dict[str, str] = {}
    side_bets: dict[str, str] = {}
    """The names of its side bets, by id."""
    seats: int = 0
    limits_cents: list[int | None] = msgspec.field(default_factory=lambda: [None, None])
    private_of: str = ""
    """Whose private table it is; empty where it is open to all."""
    title: str = ""
    """What a house's own book is called; of a published one the catalog knows it."""
    base_pays: str = ""
    """What a house's own paytable pays for the base game, the best hand first: '1000-200-50-11-8-5-3-2-1'."""

    def stored(self) -> dict[str, Any]:  # a codec: the register keeps JSON
        """Return them as the register keeps them."""
        data: dict[str, Any] = msgspec.to_builtins(self)  # likewise
        return data


def facts(rules: TableRules, *, private_of: str = "") -> TableFacts:
    """Return the facts of a new table."""
    pays, own_pays = rules.base_pays, rules.paytables[BASE.id] in rules.book.paytables
    return TableFacts(
        rulebook=rules.book.id,
        sha256=rules.book.digest,
        paytables={str(wager): name for wager, name in rules.paytables.items()},
        side_bets={wager.id: wager.title for wager in rules.sides},
        seats=rules.rules.seats,
        limits_cents=[rules.rules.limit.cents_min, rules.rules.limit.cents_max],
        private_of=private_of,
        title="" if catalog.is_published(rules.book.id) else rules.book.title,
        base_pays="-".join(str(pays.pay(rank)) for rank in pays.listed) if own_pays else "",
    )


def facts_of(record: TableRecord) -> TableFacts:
    """Return the facts of a table that is registered."""
    return msgspec.convert(record.about, TableFacts)
