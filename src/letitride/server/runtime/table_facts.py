"""Table facts: what the register keeps of a table beside its journal; never how the table stands now."""

from __future__ import annotations

from functools import cache
from typing import Any

import msgspec

from letitride.rules import catalog
from letitride.rules.paytables import Pays, base_pays
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
    bots: int = 0
    """How many bots a private table has by its owner's wish."""
    choice_seconds: float = 0.0
    """What a player has for a decision at a private table; 0: as everywhere in the house."""
    title: str = ""
    """What a house's own book is called; of a published one the catalog knows it."""
    base_pays: str = ""
    """What a house's own paytable pays for the base game, the best hand first: '1000-200-50-11-8-5-3-2-1'."""
    device: str = ""
    """What the cards are dealt from."""
    bank: str = ""
    """Who pays the winners."""

    def stored(self) -> dict[str, Any]:  # a codec: the register keeps JSON
        """Return them as the register keeps them."""
        data: dict[str, Any] = msgspec.to_builtins(self)  # likewise
        return data


class PrivateFacts(msgspec.Struct, frozen=True, kw_only=True):
    """What is a private table's own beside its rules."""

    owner: str
    bots: int = 0
    choice_seconds: float = 0.0
    """0: as everywhere in the house."""


def facts_of_rules(rules: TableRules, own: PrivateFacts | None = None) -> TableFacts:
    """Return the facts of a new table."""
    own = own or PrivateFacts(owner="")
    own_pays = rules.paytables[BASE.id] in rules.book.paytables
    return TableFacts(
        rulebook=rules.book.id,
        sha256=rules.book.digest,
        paytables={str(wager): name for wager, name in rules.paytables.items()},
        side_bets={wager.id: wager.title for wager in rules.sides},
        seats=rules.rules.seats,
        limits_cents=[rules.rules.limit.cents_min, rules.rules.limit.cents_max],
        private_of=own.owner,
        bots=own.bots,
        choice_seconds=own.choice_seconds,
        title="" if catalog.is_published(rules.book.id) else rules.book.title,
        base_pays=_in_short(rules.base_pays) if own_pays else "",
        device=rules.rules.device,
        bank=rules.rules.bank.mode,
    )


def facts_of(record: TableRecord) -> TableFacts:
    """Return the facts of a table that is registered."""
    return msgspec.convert(record.about, TableFacts)


def device_of(known: TableFacts) -> str:
    """Return what the cards of a table are dealt from, by its own record or by its published book."""
    return known.device or (catalog.rulebook(known.rulebook).rules.device if _published(known) else "")


def bank_of(known: TableFacts) -> str:
    """Return who pays the winners of a table: 'house' or 'player'."""
    return known.bank or (catalog.rulebook(known.rulebook).rules.bank.mode if _published(known) else "")


def base_pays_of(known: TableFacts) -> str:
    """Return what the base game of a table pays in the trade's short form; empty where that is not known here."""
    return known.base_pays or _published_pays(known.paytables.get(BASE.id, ""))


def _published(known: TableFacts) -> bool:
    return catalog.is_published(known.rulebook)


@cache
def _published_pays(ref: str) -> str:
    return _in_short(base_pays(catalog.paytable(ref))) if ref in catalog.paytable_ids() else ""


def _in_short(pays: Pays) -> str:
    return "-".join(str(pays.pay(rank)) for rank in pays.listed)
