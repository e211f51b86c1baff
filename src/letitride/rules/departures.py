"""Departures: where a house's own book leaves the published document it rests on; it judges nothing."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass

import msgspec

from letitride.rules.clauses import Clause
from letitride.rules.paytables import Paytable
from letitride.rules.rulebook import RuleBook, Source
from letitride.rules.table_rules import PaytableLoader, may_choose
from letitride.rules.values import PlainValue, RuleValue


@dataclass(frozen=True, slots=True)
class Departure:
    """A key whose value is not what the document says, nor one that it leaves to the table."""

    key: str
    document: str
    """The prefix of the document's clauses."""
    book: str
    """The published book, with the variants that come nearest."""
    value: RuleValue
    """The document's own value."""
    clauses: tuple[str, ...]
    """The clauses that the key carries, as far as they concern such a table; none where it rules by omission."""

    @property
    def words(self) -> str:
        """What is left: 'departs from nsw:7.3.3'."""
        return f"departs from {', '.join(self.clauses) or f'{self.document}, which rules it by omission'}"


def departures(
    book: RuleBook, published: RuleBook, documents: Sequence[str], register: Collection[Clause], load: PaytableLoader
) -> dict[str, Departure]:
    """Return where a book departs from the published book it rests on, by key.

    A document offers variants, and a book may rest on any of them: it is compared with those it departs from least.
    """
    nearest = published
    left = tuple(_differing(book, nearest, load))
    while left:
        others = [nearest.variant(name) for name in nearest.variants if f"+{name}" not in nearest.id]
        found = [(tuple(_differing(book, one, load)), one) for one in others]
        fewest = min(found, key=lambda pair: len(pair[0]), default=None)
        if fewest is None or len(fewest[0]) >= len(left):
            break
        left, nearest = fewest
    values = nearest.values()
    return {key: _departure(book, key, nearest, values, documents, register) for key in left}


def broken_clauses(
    book: RuleBook, found: Mapping[str, Departure], documents: Collection[str], register: Collection[Clause]
) -> frozenset[str]:
    """Return the clauses, of all documents behind a book, that its departures leave: they are not in force there."""
    return frozenset(
        clause.id
        for clause in register
        if clause.document in documents
        and any(_leaves(clause, book, one) for key, one in found.items() if key in clause.keys)
    )


def _departure(  # noqa: PLR0917 - what a departure is found by
    book: RuleBook,
    key: str,
    nearest: RuleBook,
    values: Mapping[str, object],
    documents: Sequence[str],
    register: Collection[Clause],
) -> Departure:
    said = nearest.value(key)
    bare = Departure(key, documents[0], nearest.id, said, ())
    rows = [one for one in register if key in one.keys and one.arises(values) and _leaves(one, book, bare)]
    for document in documents:
        mine = [one for one in rows if one.document == document]
        if wanted := tuple(one.id for one in mine if one.provable) or tuple(one.id for one in mine):
            return Departure(key, document, nearest.id, said, wanted)
    return bare


def _leaves(clause: Clause, book: RuleBook, one: Departure) -> bool:
    """Whether a departure leaves a clause that its key carries; a paytable that may still be chosen keeps its own."""
    if not (clause.paytables and one.key.endswith(".paytables")):
        return True
    kept, said = book.values().get(one.key), msgspec.to_builtins(one.value)
    listed = kept if isinstance(kept, list | tuple) else ()
    return not set(clause.paytables) <= set(listed) or set(clause.paytables) == set(said)


def _differing(book: RuleBook, other: RuleBook, load: PaytableLoader) -> Iterator[str]:
    """Yield the keys that a document rules and a book has otherwise than the document says or permits."""
    mine, theirs = {key: _without_own(book, value) for key, value in book.values().items()}, other.values()
    for key, value in theirs.items():
        ruled = other.origins[key].source is Source.DOCUMENT and key not in other.must_state
        if not ruled or key not in mine or mine[key] == value or mine[key] in other.options.get(key, ()):
            continue
        if key.endswith((".paytable", ".paytables")) and _pays_as_permitted(book, key, mine[key], other, load):
            continue
        yield key


def _without_own(book: RuleBook, value: PlainValue) -> PlainValue:
    """Return a value without the house's own wagers: a document that does not know them orders the rest."""
    if not isinstance(value, list | tuple):
        return value
    return type(value)(one for one in value if not (isinstance(one, str) and one in book.own_wagers))


def _pays_as_permitted(book: RuleBook, key: str, value: object, other: RuleBook, load: PaytableLoader) -> bool:
    """Whether every paytable that a value names is one that the other book lets a table choose, or pays the same."""
    wager = other.wagers[key.partition(".")[0]]
    listed = {(other.paytables.get(name) or load(name)).digest for name in other.rules.wagers[wager.id].paytables}

    def table(name: str) -> Paytable:
        return book.paytables.get(name) or load(name)

    names = value if isinstance(value, list | tuple) else (value,)
    tables = [table(str(name)) for name in names]
    return all(one.digest in listed or may_choose(other, wager, one, load) for one in tables)
