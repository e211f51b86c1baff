"""Book data: what the `rules` commands print of rule books for programs; never for people."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import msgspec

from letitride.rules import catalog
from letitride.rules.clauses import Clause
from letitride.rules.explain import (
    BookIdentity,
    BookSummary,
    KeyData,
    KeyFacts,
    differences,
    facts,
    identity,
    summary,
)
from letitride.rules.keyspec import KEYS
from letitride.rules.plain import LEFT_OUT, extended
from letitride.rules.rulebook import RuleBook
from letitride.rules.values import PlainValue, Values
from letitride.rules.wagers import Wager
from letitride.rules.words import show_value

if TYPE_CHECKING:
    from letitride.autoplay.dealable import Dealt


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownBook(BookSummary):
    """A rule book with the values of a table's own, and all its keys."""

    table: Values
    keys: tuple[KeyData, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class KeyMeaning(KeyData):
    """One key of a book, with its meaning and its legal values."""

    meaning: str
    expected: str
    values: dict[str, str]
    default: PlainValue
    applies_where: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownKeys(BookIdentity):
    """Some keys of a book."""

    keys: tuple[KeyMeaning, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ClauseKeys:
    """A clause with the values of the keys that carry it."""

    id: str
    kind: str
    demand: str
    keys: tuple[KeyData, ...]
    paytables: tuple[str, ...]
    behaviour: str
    steps: tuple[str, ...]
    rulings: tuple[str, ...]
    inherits: tuple[str, ...]
    excepts: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownClauses(BookIdentity):
    """Some clauses behind a book."""

    clauses: tuple[ClauseKeys, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundsDealt:
    """What was dealt to check a book, and which of its keys have no effect."""

    rounds: int
    settled: int
    disturbed: int
    irregularities: tuple[str, ...]
    tables: tuple[str, ...]
    lost_variants: Mapping[str, str]
    inert_keys: Mapping[str, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckedBook(BookIdentity):
    """A valid book: what a table must still set, the keys that it sets itself, and what was dealt under it."""

    valid: bool
    table: Values
    must_state: tuple[str, ...]
    own_keys: tuple[str, ...]
    dealt: RoundsDealt


def rounds_dealt(dealt: Dealt) -> RoundsDealt:
    """Return what was dealt to check a book, as data."""
    return RoundsDealt(
        rounds=dealt.rounds,
        settled=dealt.trial.settled,
        disturbed=dealt.trial.disturbed,
        irregularities=tuple(sorted(dealt.trial.ruled)),
        tables=tuple(dealt.tables),
        lost_variants=dealt.lost_variants,
        inert_keys=dealt.inert_keys,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class DifferingSide:
    """What one of two books says about a key."""

    value: PlainValue
    applies: bool
    words: str
    source: str
    clauses: tuple[str, ...]
    note: str | None
    departs_from: tuple[str, ...] | None


@dataclass(frozen=True, slots=True, kw_only=True)
class DifferingKey:
    """A key whose value differs between two books."""

    key: str
    meaning: str
    left: DifferingSide
    right: DifferingSide


@dataclass(frozen=True, slots=True, kw_only=True)
class BooksCompared:
    """Where two books differ."""

    left: BookIdentity
    right: BookIdentity
    differences: tuple[DifferingKey, ...]
    wagers_of_left_alone: tuple[str, ...] | None = field(default=None, metadata=LEFT_OUT)
    wagers_of_right_alone: tuple[str, ...] | None = field(default=None, metadata=LEFT_OUT)


def summaries() -> tuple[BookSummary, ...]:
    """Return the published books in short."""
    return tuple(summary(catalog.rulebook(book_id)) for book_id in catalog.rulebook_ids())


def shown_book(book: RuleBook, own: Values) -> ShownBook:
    """Return a book with a table's own values, and all its keys."""
    return extended(ShownBook, summary(book), table=own, keys=tuple(fact.as_data() for fact in facts(book)))


def shown_keys(book: RuleBook, found: Iterable[KeyFacts]) -> ShownKeys:
    """Return some keys of a book with their meanings."""
    return extended(ShownKeys, identity(book), keys=tuple(map(_meaning, found)))


def _meaning(fact: KeyFacts) -> KeyMeaning:
    spec = fact.spec
    return extended(
        KeyMeaning,
        fact.as_data(),
        meaning=spec.doc,
        expected=spec.expected,
        values=dict(spec.meanings),
        default=msgspec.to_builtins(spec.default),
        applies_where=applies_where(fact),
    )


def applies_where(fact: KeyFacts) -> str | None:
    """Return where a key means anything, in words; nothing if it always does."""
    if not fact.spec.applies:
        return None
    other, *wanted = fact.spec.applies
    return f"where {other} is {' or '.join(show_value(value) for value in wanted)}"


def shown_clauses(book: RuleBook, clauses: Iterable[Clause]) -> ShownClauses:
    """Return some clauses behind a book, with what it makes of them."""
    return extended(ShownClauses, identity(book), clauses=tuple(_clause(book, clause) for clause in clauses))


def _clause(book: RuleBook, clause: Clause) -> ClauseKeys:
    return ClauseKeys(
        id=clause.id,
        kind=clause.kind,
        demand=clause.demand,
        keys=tuple(fact.as_data() for fact in facts(book, [KEYS[name] for name in clause.keys])),
        paytables=clause.paytables,
        behaviour=clause.behaviour,
        steps=clause.steps,
        rulings=clause.rulings,
        inherits=clause.inherits,
        excepts=clause.excepts,
    )


def books_compared(left: RuleBook, right: RuleBook) -> BooksCompared:
    """Return where two books differ."""
    found = (
        DifferingKey(key=one.spec.name, meaning=one.spec.doc, left=_side(one), right=_side(other))
        for one, other in differences(left, right)
    )
    return BooksCompared(
        left=identity(left),
        right=identity(right),
        differences=tuple(found),
        wagers_of_left_alone=tuple(wager.id for wager in wagers_alone(left, right)) or None,
        wagers_of_right_alone=tuple(wager.id for wager in wagers_alone(right, left)) or None,
    )


def wagers_alone(book: RuleBook, other: RuleBook) -> tuple[Wager, ...]:
    """Return the wagers that one book knows and another does not, or knows otherwise."""
    known = {wager.digest for wager in other.wagers.values()}
    return tuple(wager for wager in book.wagers.values() if wager.digest not in known)


def _side(fact: KeyFacts) -> DifferingSide:
    data = fact.as_data()
    return DifferingSide(
        value=data.value,
        applies=data.applies,
        words=data.words,
        source=data.source,
        clauses=data.clauses,
        note=data.note,
        departs_from=data.departs_from,
    )
