"""Chapters: the keys of a rule book in the order in which a person at a table looks for them; never a book's values."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, Literal

import msgspec

from letitride.rules import catalog
from letitride.rules.explain import BookIdentity, KeyFacts, facts, identity
from letitride.rules.keyspec import KEYS, WAGERS, Keys, KeySpec
from letitride.rules.plain import extended
from letitride.rules.rulebook import RuleBook, Source
from letitride.rules.values import PlainValue
from letitride.rules.wager_table import BASE

RuleOrigin = Literal["ruled", "omission", "house", "table", "own"]


@dataclass(frozen=True, slots=True)
class Chapter:
    """Some keys under a heading: whole sections by their name, single keys by theirs."""

    name: str
    title: str
    holds: tuple[str, ...]

    def specs(self, keys: Keys = KEYS) -> tuple[KeySpec, ...]:
        """Return its keys, in its own order."""
        return tuple(spec for held in self.holds for spec in keys.values() if held in _shelves(spec))


@dataclass(frozen=True, slots=True, kw_only=True)
class ClauseText:
    """A clause of a rule document, and what it demands in our own words."""

    id: str
    demand: str


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleText:
    """One rule: what it is about, what it says here, where that comes from, and the clauses behind it."""

    key: str
    about: str
    says: str
    value: PlainValue
    """What `says` words, for clients that word it in their own language."""
    unit: str | None
    wager: str | None
    """The wager of which it is a term."""
    origin: RuleOrigin
    origin_words: str
    book: str
    """The book that gives the value."""
    clauses: tuple[ClauseText, ...]
    note: str | None
    departs_from: tuple[ClauseText, ...]
    """The clauses of the document behind the book that the rule departs from."""
    departs_document: str | None
    """The document that it departs from."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ChapterText:
    """Rules that belong together."""

    name: str
    title: str
    rules: tuple[RuleText, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class RulesText(BookIdentity):
    """The rules of a book, or of a table with its own values."""

    chapters: tuple[ChapterText, ...]


def _shelves(spec: KeySpec) -> set[str]:
    """Return the names under which a chapter may hold a key."""
    side = {WAGERS} if spec.wager and spec.wager != BASE.id else set()
    return {spec.name, spec.section} | side


CHAPTERS: Final = (
    Chapter("bets", "Bets and limits", ("limit", "bet", "hands_per_player")),
    Chapter(BASE.id, "The three base bets", (BASE.id, "payout", "odds")),
    Chapter("sides", "Side bets", (WAGERS,)),
    Chapter("choices", "Your cards and decisions", ("decide", "cards", "coach", "advice")),
    Chapter("deal", "The deal", ("deal", "community", "burn", "round")),
    Chapter("paying", "Opening hands, taking and paying bets", ("reveal", "settle")),
    Chapter("bank", "Who banks, and fees", ("bank", "fee")),
    Chapter(
        "cards", "Decks, shuffle and cut", ("device", "decks", "deck", "shuffler", "shuffle", "cut", "stub", "idle")
    ),
    Chapter("wrong", "When something goes wrong", ("irreg", "misdeal")),
    Chapter(
        "supervision", "Supervision and disputes", ("supervisor", "dispute", "annul", "collusion", "device_breach")
    ),
    Chapter("table", "The table", ("seats", "layout", "sitout", "close")),
)


def rules_text(book: RuleBook) -> RulesText:
    """Return what a book says, chapter by chapter; keys that mean nothing in it are left out."""
    return extended(RulesText, identity(book), chapters=tuple(_chapters(book)))


def _chapters(book: RuleBook) -> Iterator[ChapterText]:
    known = {fact.spec.name: fact for fact in facts(book)}
    for chapter in CHAPTERS:
        rules = tuple(_rule(known[spec.name]) for spec in chapter.specs(book.keys) if known[spec.name].applies)
        if rules:
            yield ChapterText(name=chapter.name, title=chapter.title, rules=rules)


def _rule(fact: KeyFacts) -> RuleText:
    return RuleText(
        key=fact.spec.name,
        about=fact.spec.doc,
        says=fact.words,
        value=msgspec.to_builtins(fact.value),
        unit=fact.spec.unit or None,
        wager=fact.spec.wager or None,
        origin=_origin(fact),
        origin_words=_origin_words(fact),
        book=fact.book,
        clauses=clause_texts(fact.demanding),
        note=fact.note or None,
        departs_from=clause_texts(fact.departure.clauses) if fact.departure else (),
        departs_document=fact.departure.document if fact.departure else None,
    )


def clause_texts(ids: tuple[str, ...]) -> tuple[ClauseText, ...]:
    """Return clauses with what each demands, in our own words."""
    return tuple(ClauseText(id=name, demand=catalog.clause(name).demand) for name in ids)


def _origin(fact: KeyFacts) -> RuleOrigin:
    match fact.source:
        case Source.HOUSE:
            return "house"
        case Source.TABLE:
            return "table"
        case Source.DOCUMENT:
            if fact.own:
                return "own"
            return "ruled" if fact.demanding or not fact.note else "omission"


def _origin_words(fact: KeyFacts) -> str:
    given = _given_words(fact)
    return f"{given}; {fact.departure.words}" if fact.departure else given


def _given_words(fact: KeyFacts) -> str:
    match _origin(fact):
        case "house":
            return "house default: the book is silent or leaves it open"
        case "table":
            return "set for this table, within what the book allows"
        case "omission":
            return f"{fact.book}, by omission: it says nothing else"
        case "own":
            return f"the house's own rule, set by {fact.book}"
        case "ruled":
            return f"ruled by {fact.book}"
