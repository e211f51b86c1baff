"""Explain: a key's value as a person and as JSON have it, the clauses named for it, and how two books differ."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import msgspec
import pytest

from letitride.rules import catalog
from letitride.rules.explain import KeyFacts, differences, facts, identity, in_words
from letitride.rules.keys import FeeTier
from letitride.rules.keyspec import KEYS
from letitride.rules.rulebook import RuleBook


def fact(book: str, key: str) -> KeyFacts:
    (found,) = facts(catalog.rulebook(book), [KEYS[key]])
    return found


def with_value(book: RuleBook, key: str, value: Any) -> RuleBook:
    """Return a book with a value that no file gave it."""
    section, _, name = key.partition(".")
    wagers = book.rules.wagers
    if section in wagers:
        part = msgspec.structs.replace(wagers[section], **{name: value})
        return replace(book, rules=msgspec.structs.replace(book.rules, wagers={**wagers, section: part}))
    changed = msgspec.structs.replace(getattr(book.rules, section), **{name: value})
    return replace(book, rules=msgspec.structs.replace(book.rules, **{section: changed}))


@pytest.mark.parametrize(
    ("key", "value", "words"),
    [
        ("limit.cents_min", None, "unset"),
        ("bonus.offered", True, "yes"),
        ("bonus.offered", False, "no"),
        ("limit.cents_min", 750, "$7.50"),
        ("seats", 7, "7 seats"),
        ("hands_per_player", 1, "1 hand"),
        ("decks", 2, "two, each every second round"),
        ("device", "hand", "the hand"),
        ("sitout.rounds_max", "unlimited", "without limit"),
        ("dispute", ("floor", "casino_supervisor"), "floor, casino supervisor"),
        ("shuffler.models", (), "none"),
        ("shuffler.model", "", "none"),
        ("base.paytable", "LIRX-01", "LIRX-01"),
        (
            "fee.tiers",
            (FeeTier(limit_cents_max=10_000, wager_cents=50, bank_cents=200), FeeTier(50_000, 100, 300)),
            "; ".join(
                (
                    "up to $100: $0.50 for each wager, $2 for each banked hand",
                    "up to $500: $1 for each wager, $3 for each banked hand",
                )
            ),
        ),
        ("fee.tiers", (), "none"),
    ],
)
def test_a_value_is_read_as_a_person_says_it(key: str, value: Any, words: str) -> None:
    assert in_words(KEYS[key], value) == words


@pytest.mark.parametrize(
    ("book_id", "key", "clauses", "demanding"),
    [
        ("nsw-1", "deck.check", ("nsw:1.1.deck-checking", "nsw:3.4", "nsw:3.7.s2"), ("nsw:3.4", "nsw:3.7.s2")),
        ("nsw-1", "round.start", ("nsw:1.1.round",), ("nsw:1.1.round",)),  # a definition alone
        ("california-1", "coach", (), ()),
    ],
)
def test_a_value_comes_from_the_clauses_that_demand_it_or_else_from_a_definition(
    book_id: str, key: str, clauses: tuple[str, ...], demanding: tuple[str, ...]
) -> None:
    found = fact(book_id, key)
    assert (found.clauses, found.demanding) == (clauses, demanding)
    assert found.origin == (", ".join(demanding) or "house default")


def test_a_key_says_in_json_only_what_there_is_to_say() -> None:
    limit = fact("nsw-1", "limit.cents_min").as_data()
    assert (limit.value, limit.unit, limit.words) == (500, "cents", "$5")
    assert limit.note is not None
    scope = fact("nsw-1", "limit.scope").as_data()
    assert (scope.unit, scope.table_may_choose) == (None, ("wager", "area"))
    hidden = fact("nsw-1", "cards.hidden").as_data()
    assert (hidden.note, hidden.table_may_choose) == (None, None)
    fee = fact("nsw-1", "fee.tiers").as_data()
    assert (fee.applies, fee.value, fee.words) == (False, None, "not applicable")


def test_books_do_not_differ_in_a_key_that_neither_of_them_knows() -> None:
    book = catalog.rulebook("nsw-1")
    assert not list(differences(book, book))
    assert not list(differences(book, with_value(book, "three_card.paytable", "3CB-6")))  # it has no such wager
    other = with_value(book, "limit.cents_min", 501)
    assert [(one.value, two.value) for one, two in differences(book, other)] == [(500, 501)]
    without, having = catalog.rulebook("shufflemaster-1"), catalog.rulebook("washington-1")
    known = {one.spec.name: (one.applies, two.applies) for one, two in differences(without, having)}
    assert known["cover_all.cents_min"] == (False, True)


def test_a_book_without_an_edition_names_none() -> None:
    book = catalog.rulebook("nsw-1")
    assert identity(book).edition == book.edition
    assert identity(replace(book, edition="")).edition is None
