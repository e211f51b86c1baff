"""Rule-book file: what is read of a TOML file, what a book takes over from the one it extends, and what is refused."""

from __future__ import annotations

from typing import Any

import pytest

from letitride.errors import InvalidData
from letitride.rules import catalog
from letitride.rules.paytable_file import read_paytable
from letitride.rules.paytables import Paytable
from letitride.rules.rulebook import Origin, RuleBook, Source, Variant
from letitride.rules.rulebook_file import read_rulebook
from letitride.rules.wagers import Wager

HEAD = {"id": "own-1", "title": "Own"}
TOPS = "'id', 'title', 'name', 'document', 'edition', 'extends', 'must_state', 'wagers', 'rules', 'house', 'options', 'variants', 'notes'"
PAYS = dict.fromkeys(("royal_flush", "straight_flush"), 7)


def load(ref: str) -> Paytable:
    return read_paytable({"id": "MINE", "title": ref, "base": {"award": "to_one", "pays": PAYS}}, ref)


def load_wager(ref: str) -> tuple[Wager, Paytable]:
    raise AssertionError(ref)  # no book here has a wager of its own


def read(parent: RuleBook | None = None, /, **data: Any) -> RuleBook:
    return read_rulebook({**HEAD, **data}, "own.toml", parent, load, load_wager)


def refusal(data: dict[str, Any]) -> str:
    with pytest.raises(InvalidData) as error:
        read_rulebook(data, "own.toml", None, load, load_wager)
    return str(error.value)


@pytest.mark.parametrize(
    ("data", "sentence"),
    [
        ({"title": "Own"}, "id: expected a text, got nothing"),
        ({"id": "own-1"}, "title: expected a text, got nothing"),
        ({**HEAD, "id": "a/b"}, "id: expected a name like 'my-room-1', got 'a/b'"),
        ({**HEAD, "id": "-a"}, "id: expected a name like 'my-room-1', got '-a'"),
        ({**HEAD, "id": "a+b"}, "id: expected a name like 'my-room-1', got 'a+b'"),
        ({**HEAD, "edition": " "}, "edition: expected a text on one line, got ' '"),
        ({**HEAD, "edition": "a\nb"}, r"edition: expected a text on one line, got 'a\nb'"),
        ({**HEAD, "document": 3}, "document: expected a text on one line, got 3"),
        ({**HEAD, "extends": ["nsw-1"]}, "extends: expected a text on one line, got ['nsw-1']"),
        ({**HEAD, "rules": 3}, "rules: expected a table, got 3"),
        ({**HEAD, "house": []}, "house: expected a table, got []"),
        ({**HEAD, "options": "x"}, "options: expected a table, got 'x'"),
        ({**HEAD, "variants": True}, "variants: expected a table, got true"),
        ({**HEAD, "notes": 3}, "notes: expected a table, got 3"),
        ({**HEAD, "variants": {"a b": {}}}, "variants: expected a name like 'two_decks', got 'a b'"),
        ({**HEAD, "variants": {"a": 3}}, "variants.a: expected a table, got 3"),
        ({**HEAD, "variants": {"a": {"house": 3}}}, "variants.a: expected a table, got {house = 3}"),
        (
            {**HEAD, "variants": {"a": {"decks": 2, "device": "hand"}}},
            "variants.a: decks: expected 1, because only a shuffler alternates two decks, got 2",
        ),
        ({**HEAD, "options": {"seats": 7}}, "options.seats: expected a list of values, got 7"),
        ({**HEAD, "options": {"seats": [7, 8]}}, "options: seats: expected a whole number from 1 to 7, got 8"),
        ({**HEAD, "options": {"seats": [5, 6]}}, "options.seats: expected a list with 7, got [5, 6]"),
        ({**HEAD, "notes": {"seats": 3}}, "notes.seats: expected a text on one line, got 3"),
        ({**HEAD, "notes": {"seats": "a\nb"}}, r"notes.seats: expected a text on one line, got 'a\nb'"),
        ({**HEAD, "must_state": "seats"}, "must_state: expected a list of keys, got 'seats'"),
        (
            {**HEAD, "must_state": ["fee.tiers", "seats"]},
            "must_state: expected one of 'limit.cents_min', 'limit.cents_max', 'fee.tiers', 'payout.cents_max', got 'seats'",
        ),
        ({**HEAD, "rules": {"seats": 9}}, "seats: expected a whole number from 1 to 7, got 9"),
    ],
)  # fmt: skip
def test_what_is_no_book_is_refused_in_one_sentence(data: dict[str, Any], sentence: str) -> None:
    assert f"own.toml: {sentence}" == refusal(data)


@pytest.mark.parametrize(
    ("name", "hint"),
    [
        ("extend", "; did you mean 'extends'?"),
        ("seats", "; keys stand under [rules]"),
        ("deal", "; keys stand under [rules]"),
        ("deal.unit", "; keys stand under [rules]"),
        ("qqq", ""),
    ],
)
def test_a_name_that_has_no_place_in_a_book_is_refused_with_a_hint(name: str, hint: str) -> None:
    told = f"own.toml: expected one of {TOPS}, got the unknown key '{name}'{hint}"
    assert told == refusal({**HEAD, name: "x"})


@pytest.mark.parametrize(
    "data",
    [
        {"rules": {"limit.cents_max": 900}, "house": {"limit": {"cents_max": 900}}},
        {"rules": {"limit.cents_max": 900}, "must_state": ["limit.cents_max"]},
        {"house": {"limit.cents_max": 900}, "must_state": ["limit.cents_max"]},
    ],
)
def test_a_key_has_one_place_in_a_book(data: dict[str, Any]) -> None:
    told = "own.toml: limit.cents_max: expected it in one of [rules], [house] and must_state, got it in two"
    assert told == refusal({**HEAD, **data})


def test_a_book_keeps_what_it_says_itself() -> None:
    book = read(
        document="own",
        edition="The first",
        must_state=["limit.cents_max"],
        rules={"seats": 5},
        house={"hands_per_player": 2},
        options={"seats": [4, 5], "bank.cover": ["net"]},  # what means nothing in the book need not hold its value
        variants={"small": {"seats": 3, "house": {"coach": False}}},
        notes={"seats": "The pit is small."},
    )
    assert ("own-1", "Own", "own", "The first", ()) == (
        book.id,
        book.title,
        book.document,
        book.edition,
        book.lineage,
    )
    assert (5, 2, None) == (book.rules.seats, book.rules.hands_per_player, book.rules.limit.cents_max)
    assert {"limit.cents_max"} == book.must_state
    assert ("limit.cents_max",) == book.missing()
    assert {"seats": (4, 5), "bank.cover": ("net",)} == book.options
    assert {"small": Variant({"seats": 3}, {"coach": False})} == book.variants
    assert {"seats": "The pit is small."} == book.notes
    assert Origin(Source.DOCUMENT, "own-1") == book.origins["seats"] == book.origins["limit.cents_max"]
    assert Origin(Source.HOUSE, "own-1") == book.origins["hands_per_player"] == book.origins["device"]


def test_a_book_takes_over_from_the_one_it_extends_all_but_its_name_and_what_it_says_itself() -> None:
    grandparent = read(
        document="old",
        edition="The first",
        must_state=["limit.cents_min", "limit.cents_max"],
        rules={"coach": False, "base.paytables": ["a.toml"], "base.paytable": "a.toml"},
        options={"seats": [6, 7], "coach": [False, True], "decks": [1], "idle": ["reshuffle"]},
        variants={"small": {"seats": 6}, "alone": {"seats": 7}},
        notes={"seats": "Old.", "coach": "Old."},
    )
    parent = read(grandparent, id="own-2")
    book = read(
        parent,
        id="own-3",
        title="Third",
        rules={"seats": 5, "limit.cents_max": 900},
        house={"decks": 1},
        options={"coach": [False]},
        variants={"small": {"seats": 4}},
        notes={"seats": "New."},
    )
    assert (("own-1",), ("own-2", "own-1")) == (parent.lineage, book.lineage)
    assert ("own-3", "Third", "", "") == (book.id, book.title, book.document, book.edition)
    assert {"coach": (False,), "idle": ("reshuffle",)} == book.options
    assert {"small": Variant({"seats": 4}, {}), "alone": Variant({"seats": 7}, {})} == book.variants
    assert {"seats": "New.", "coach": "Old."} == book.notes
    assert {"limit.cents_min"} == book.must_state
    assert (5, None, 900, False) == (
        book.rules.seats,
        book.rules.limit.cents_min,
        book.rules.limit.cents_max,
        book.rules.coach,
    )
    assert ("MINE", ["MINE"]) == (book.rules.wagers["base"].paytable, list(book.paytables))
    givers = {name: (one.source.value, one.book) for name, one in book.origins.items() if one.book != "own-1"}
    assert {
        "seats": ("document", "own-3"),
        "limit.cents_max": ("document", "own-3"),
        "decks": ("house", "own-3"),
    } == givers


def test_a_published_book_is_taken_over_with_its_variants() -> None:
    book = read(catalog.rulebook("nsw-1+shuffler"), rules={"seats": 6})
    assert ("nsw-1+shuffler",) == book.lineage
    assert {"shuffler", "two_decks"} == book.variants.keys()
    assert (6, "shuffler") == (book.rules.seats, book.rules.device)
