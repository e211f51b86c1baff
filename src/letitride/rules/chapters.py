"""Chapters: the keys of a rule book in the order in which a person at a table looks for them; never a book's values."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final

from letitride.rules import catalog
from letitride.rules.explain import KeyFacts, facts
from letitride.rules.keyspec import KEYS, KeySpec
from letitride.rules.rulebook import RuleBook, Source


@dataclass(frozen=True, slots=True)
class Chapter:
    """Some keys under a heading: whole sections by their name, single keys by theirs."""

    name: str
    title: str
    holds: tuple[str, ...]

    @property
    def specs(self) -> tuple[KeySpec, ...]:
        """Its keys, in its own order."""
        return tuple(spec for held in self.holds for spec in KEYS.values() if held in {spec.name, spec.section})


CHAPTERS: Final = (
    Chapter("bets", "Bets and limits", ("limit", "bet", "hands_per_player", "backing")),
    Chapter("base", "The three base bets", ("base", "payout", "odds", "ace_wrap")),
    Chapter("sides", "Side bets", ("bonus", "three_card", "cover_all")),
    Chapter("choices", "Your cards and choices", ("decide", "cards", "coach", "advice")),
    Chapter("deal", "The deal", ("deal", "community", "burn", "round")),
    Chapter("paying", "Opening, taking and paying", ("reveal", "settle")),
    Chapter("bank", "Who banks, and fees", ("bank", "fee")),
    Chapter(
        "cards", "Decks, shuffle and cut", ("device", "decks", "deck", "shuffler", "shuffle", "cut", "stub", "idle")
    ),
    Chapter("wrong", "When something goes wrong", ("irreg", "misdeal", "void")),
    Chapter(
        "supervision", "Supervision and disputes", ("supervisor", "dispute", "annul", "collusion", "device_breach")
    ),
    Chapter("table", "The table", ("seats", "layout", "sitout", "close")),
)


def chapters_data(book: RuleBook) -> list[dict[str, Any]]:
    """Return what a book says, chapter by chapter, as plain data; keys that mean nothing in it are left out."""
    told = {fact.spec.name: fact for fact in facts(book)}
    found = []
    for chapter in CHAPTERS:
        rules = [_rule(told[spec.name]) for spec in chapter.specs if told[spec.name].applies]
        if rules:
            found.append({"name": chapter.name, "title": chapter.title, "rules": rules})
    return found


def _rule(fact: KeyFacts) -> dict[str, Any]:
    return {
        "key": fact.spec.name,
        "about": fact.spec.doc,
        "says": fact.words,
        "origin": _origin(fact),
        "origin_words": _origin_words(fact),
        "clauses": list(clauses_data(fact.demanding)),
        "note": fact.note or None,
    }


def clauses_data(ids: tuple[str, ...]) -> Iterator[dict[str, str]]:
    """Yield clauses with what each demands, in our own words."""
    for name in ids:
        yield {"id": name, "demand": catalog.clause(name).demand}


def _origin(fact: KeyFacts) -> str:
    match fact.source:
        case Source.HOUSE:
            return "house"
        case Source.TABLE:
            return "table"
        case Source.DOCUMENT:
            return "ruled" if fact.demanding or not fact.note else "omission"


def _origin_words(fact: KeyFacts) -> str:
    match _origin(fact):
        case "house":
            return "house default: the book is silent or leaves it open"
        case "table":
            return "set for this table, within what the book allows"
        case "omission":
            return f"{fact.book}, by omission: it says so by not saying otherwise"
        case _:
            return f"ruled by {fact.book}"
