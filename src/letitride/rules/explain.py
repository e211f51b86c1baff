"""Explain: what a rule book says about each key, where that comes from, and how two books differ."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

import msgspec

from letitride.rules import catalog
from letitride.rules.clauses import clauses_of_key
from letitride.rules.departures import Departure
from letitride.rules.keys import FeeTier
from letitride.rules.keyspec import KeySpec
from letitride.rules.money import dollars
from letitride.rules.plain import extended
from letitride.rules.refs import split_variants
from letitride.rules.rulebook import RuleBook, Source
from letitride.rules.table_rules import offered_wagers
from letitride.rules.values import PlainValue, RuleValue
from letitride.rules.words import plural


@dataclass(frozen=True, slots=True, kw_only=True)
class KeyData:
    """One key of a book: its value, where that comes from, and the clauses behind it."""

    key: str
    value: PlainValue
    applies: bool
    unit: str | None
    words: str
    source: str
    book: str
    clauses: tuple[str, ...]
    note: str | None
    table_may_choose: tuple[PlainValue, ...] | None
    departs_from: tuple[str, ...] | None
    """The clauses of the document that the value departs from, or the document itself where it rules by omission."""
    document_value: PlainValue
    """What the document says instead."""
    document_words: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class BookIdentity:
    """Which rule book it is."""

    id: str
    title: str
    edition: str | None
    extends: tuple[str, ...]
    sha256: str


@dataclass(frozen=True, slots=True, kw_only=True)
class BookSummary(BookIdentity):
    """A rule book in short."""

    bank: str
    device: str
    wagers: tuple[str, ...]
    variants: Mapping[str, str]
    """What each variant is called, by the name under which it is chosen."""
    must_state: tuple[str, ...]
    paytables: dict[str, tuple[str, ...]]
    """The paytables that a table may choose from, by wager, in the order offered."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BookInFull(BookSummary):
    """A rule book with all its keys."""

    keys: tuple[KeyData, ...]


@dataclass(frozen=True, slots=True)
class KeyFacts:
    """One key of one book: its value in words, its source, and the clauses behind it."""

    spec: KeySpec
    value: RuleValue
    applies: bool
    source: Source
    book: str
    clauses: tuple[str, ...]
    note: str
    options: tuple[PlainValue, ...]
    """The values among which a table may choose, where the book rules the key and leaves the value open."""
    departure: Departure | None = None
    """Where the value departs from the document that the book rests on."""

    @property
    def own(self) -> bool:
        """Whether a house's own book gives the value, this one or one that it extends."""
        return self.source is not Source.TABLE and not catalog.is_published(self.book)

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
        """Where the value comes from: clause ids, a house's own book, or the words 'house default'."""
        if not self.applies:
            return ""
        return f"{self.given_by}; {self.departure.words}" if self.departure else self.given_by

    @property
    def given_by(self) -> str:
        """Who gives the value, without what it departs from."""
        match self.source:
            case Source.TABLE:
                return "set for this table"
            case Source.HOUSE:
                return "house default"
            case Source.DOCUMENT if self.own:
                return f"set by {self.book}"
            case Source.DOCUMENT:
                return ", ".join(self.demanding) or ("by omission" if self.note else f"set by {self.book}")

    def as_data(self) -> KeyData:
        """Return the facts as `--json` and HTTP state them."""
        left = self.departure
        return KeyData(
            key=self.spec.name,
            value=msgspec.to_builtins(self.value) if self.applies else None,
            applies=self.applies,
            unit=self.spec.unit or None,
            words=self.words,
            source="own" if self.own and self.source is Source.DOCUMENT else str(self.source),
            book=self.book,
            clauses=self.clauses,
            note=self.note or None,
            table_may_choose=self.options or None,
            departs_from=None if left is None else left.clauses or (left.document,),
            document_value=None if left is None else msgspec.to_builtins(left.value),
            document_words=None if left is None else in_words(self.spec, left.value),
        )


def in_words(spec: KeySpec, value: RuleValue) -> str:
    """Return a key's value as a person reads it: '$5', 'a packet of three cards'."""
    match value:
        case None:
            return "unset"
        case bool():
            return "yes" if value else "no"
        case int() if spec.unit == "cents":
            return dollars(value)
        case int() if spec.unit:
            return f"{value} {plural(spec.unit.removesuffix('s'), value)}"
        case tuple() if value and isinstance(value[0], FeeTier):
            return "; ".join(_fee(tier) for tier in value)
        case tuple():
            return ", ".join(item.replace("_", " ") for item in value) or "none"
        case _:
            return spec.meanings.get(str(value)) or str(value) or "none"


def _fee(tier: FeeTier) -> str:
    limit, wager, hand = (dollars(cents) for cents in (tier.limit_cents_max, tier.wager_cents, tier.bank_cents))
    return f"up to {limit}: {wager} for each wager, {hand} for each banked hand"


def facts(book: RuleBook, specs: Iterable[KeySpec] | None = None) -> Iterator[KeyFacts]:
    """Yield what a book says about keys, in the keys' own order."""
    values, departed = book.values(), catalog.departures(book)
    for spec in book.keys.values() if specs is None else specs:
        origin = book.origins[spec.name]
        cited = _documents(origin.book) if origin.source is Source.DOCUMENT else ()
        yield KeyFacts(
            spec=spec,
            value=spec.read(book.rules),
            applies=spec.applies_to(book.rules),
            source=origin.source,
            book=origin.book,
            clauses=_clauses(spec.name, cited, values, own=not catalog.is_published(book.id)),
            note=book.notes.get(spec.name, ""),
            options=book.options.get(spec.name, ()),
            departure=departed.get(spec.name),
        )


def _clauses(key: str, documents: tuple[str, ...], values: Mapping[str, PlainValue], *, own: bool) -> tuple[str, ...]:
    """Return the clauses behind a key that demand anything of such a table.

    Where none does, a published book still names those that its value comes from.
    """
    found = clauses_of_key(key, documents, catalog.register().values())
    arising = tuple(clause.id for clause in found if clause.arises(values))
    return arising if arising or own else tuple(clause.id for clause in found)


def _documents(book_id: str) -> tuple[str, ...]:
    """Return the documents of the published book that gave a value; what a house rules has no clause."""
    name, _ = split_variants(book_id)
    return catalog.documents(catalog.rulebook(name)) if catalog.is_published(name) else ()


def differences(left: RuleBook, right: RuleBook) -> Iterator[tuple[KeyFacts, KeyFacts]]:
    """Yield the keys whose value differs between two books, or that only one of them knows."""
    both = [spec for name, spec in left.keys.items() if name in right.keys]
    for one, other in zip(facts(left, both), facts(right, both), strict=True):
        if (one.applies, other.applies) == (False, False):
            continue
        if one.applies != other.applies or one.value != other.value:
            yield one, other


def identity(book: RuleBook) -> BookIdentity:
    """Return which book it is."""
    return BookIdentity(
        id=book.id,
        title=book.title,
        edition=book.edition or None,
        extends=book.lineage,
        sha256=book.digest,
    )


def summary(book: RuleBook) -> BookSummary:
    """Return a book in short."""
    return extended(
        BookSummary,
        identity(book),
        bank=book.rules.bank.mode,
        device=book.rules.device,
        wagers=tuple(map(str, offered_wagers(book))),
        variants={name: variant.title or name.replace("_", " ") for name, variant in book.variants.items()},
        must_state=book.missing(),
        paytables={str(wager): tuple(book.rules.wagers[wager.id].paytables) for wager in offered_wagers(book)},
    )


def in_full(book: RuleBook) -> BookInFull:
    """Return a book with all its keys."""
    return extended(BookInFull, summary(book), keys=tuple(fact.as_data() for fact in facts(book)))
