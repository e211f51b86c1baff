"""Explain: what a rule book says about each key, where that comes from, and how two books differ."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import msgspec

from letitride.rules import catalog
from letitride.rules.clauses import clauses_of_key
from letitride.rules.keys import FeeTier
from letitride.rules.keyspec import KEYS, KeySpec
from letitride.rules.money import dollars
from letitride.rules.refs import split_variants
from letitride.rules.rulebook import RuleBook, Source
from letitride.rules.table_rules import offered_wagers


@dataclass(frozen=True, slots=True)
class KeyFacts:
    """One key of one book: its value in words, its source, and the clauses behind it."""

    spec: KeySpec
    value: Any
    applies: bool
    source: Source
    book: str
    clauses: tuple[str, ...]
    note: str
    options: tuple[Any, ...]
    """The values among which a table may choose, where the book rules the key and leaves a choice."""

    @property
    def words(self) -> str:
        """The value as a person reads it."""
        return "not applicable" if not self.applies else in_words(self.spec, self.value)

    @property
    def demanding(self) -> tuple[str, ...]:
        """The clauses that demand something, or where there are none the definitions."""
        wanted = tuple(name for name in self.clauses if catalog.clause(name).provable)
        return wanted or self.clauses

    @property
    def origin(self) -> str:
        """Where the value comes from: clause ids, or the words 'house default'."""
        if not self.applies:
            return ""
        if self.source is Source.DOCUMENT:
            return ", ".join(self.demanding) or ("by omission" if self.note else f"set by {self.book}")
        return "house default" if self.source is Source.HOUSE else "set for this table"

    def as_data(self) -> dict[str, Any]:
        """Return the facts as plain data, as `--json` prints them."""
        return {
            "key": self.spec.name,
            "value": msgspec.to_builtins(self.value) if self.applies else None,
            "applies": self.applies,
            "unit": self.spec.unit or None,
            "words": self.words,
            "source": str(self.source),
            "book": self.book,
            "clauses": list(self.clauses),
            "note": self.note or None,
            "table_may_choose": list(self.options) or None,
        }


def in_words(spec: KeySpec, value: Any) -> str:
    """Return a key's value as a person reads it: '$5', 'a packet of three cards'."""
    match value:
        case None:
            return "unset"
        case bool():
            return "yes" if value else "no"
        case int() if spec.unit == "cents":
            return dollars(value)
        case int() if spec.unit:
            return f"{value} {spec.unit if value != 1 else spec.unit.removesuffix('s')}"
        case tuple() if value and isinstance(value[0], FeeTier):
            return "; ".join(_fee(tier) for tier in value)
        case tuple():
            return ", ".join(item.replace("_", " ") for item in value) or "none"
        case _:
            return spec.meanings.get(str(value)) or str(value) or "none"


def _fee(tier: FeeTier) -> str:
    limit, wager, hand = (dollars(cents) for cents in (tier.limit_cents_max, tier.wager_cents, tier.bank_cents))
    return f"up to {limit}: {wager} for each wager, {hand} for each banked hand"


def facts(book: RuleBook, specs: Iterable[KeySpec] = KEYS.values()) -> Iterator[KeyFacts]:
    """Yield what a book says about keys, in the keys' own order."""
    register = catalog.register().values()
    for spec in specs:
        origin = book.origins[spec.name]
        cited = _documents(origin.book) if origin.source is Source.DOCUMENT else ()
        yield KeyFacts(
            spec=spec,
            value=spec.read(book.rules),
            applies=spec.applies_to(book.rules),
            source=origin.source,
            book=origin.book,
            clauses=tuple(clause.id for clause in clauses_of_key(spec.name, cited, register)),
            note=book.notes.get(spec.name, ""),
            options=book.options.get(spec.name, ()),
        )


def _documents(book_id: str) -> tuple[str, ...]:
    """Return the documents of the published book that gave a value; what a house rules has no clause."""
    name, _ = split_variants(book_id)
    return catalog.documents(catalog.rulebook(name)) if name in catalog.rulebook_ids() else ()


def differences(left: RuleBook, right: RuleBook) -> Iterator[tuple[KeyFacts, KeyFacts]]:
    """Yield the keys whose value differs between two books, or that only one of them knows."""
    for one, other in zip(facts(left), facts(right), strict=True):
        if (one.applies, other.applies) == (False, False):
            continue
        if one.applies != other.applies or one.value != other.value:
            yield one, other


def identity_data(book: RuleBook) -> dict[str, Any]:
    """Return which book it is, as plain data."""
    return {
        "id": book.id,
        "title": book.title,
        "edition": book.edition or None,
        "extends": list(book.lineage),
        "sha256": book.digest,
    }


def summary_data(book: RuleBook) -> dict[str, Any]:
    """Return a book in short, as plain data."""
    return {
        **identity_data(book),
        "bank": book.rules.bank.mode,
        "device": book.rules.device,
        "wagers": [str(wager) for wager in offered_wagers(book.rules)],
        "variants": list(book.variants),
        "must_state": list(book.missing()),
    }
