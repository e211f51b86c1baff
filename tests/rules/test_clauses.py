"""Clauses: how a register is read, and which clauses stand behind the steps and rulings of a book."""

from __future__ import annotations

from typing import Any

import pytest

from letitride.errors import InvalidData
from letitride.rules.clauses import Clause, clauses_of_key, clauses_of_rulings, clauses_of_steps, read_register


def clause(name: str, kind: Any = "play", **fields: Any) -> Clause:
    return Clause(id=name, kind=kind, demand="Something.", **fields)


@pytest.mark.parametrize("kind", ["config", "definition", "note", "paytable", "play", "procedure", "ruling"])
def test_a_definition_and_a_note_demand_nothing(kind: str) -> None:
    assert (kind not in {"definition", "note"}) == clause("a:1", kind).provable


@pytest.mark.parametrize(
    "data",
    [
        {},
        {"clause": 3},
        {"clause": [{"id": "a:1"}]},
        {"clause": [{"id": "a:1", "kind": "law", "demand": "x"}]},
        {"clause": [{"id": "a:1", "kind": "play", "demand": "x", "more": 1}]},
    ],
)
def test_what_is_no_register_is_refused(data: dict[str, Any]) -> None:
    with pytest.raises(InvalidData, match=r"^a\.toml: expected a list of clauses, got "):
        read_register(data, "a.toml")


def test_a_register_is_read() -> None:
    read = read_register({"clause": [{"id": "a:1", "kind": "play", "demand": "Something."}]}, "a.toml")
    assert (clause("a:1"),) == read


REGISTER = (
    clause("old:1", steps=("pay",), rulings=("misdeal",)),
    clause("old:2", steps=("pay", "take"), keys=("seats",)),
    clause("old:2.1", steps=("take",)),
    clause("old:21", steps=("take",)),
    clause("new:1", excepts=("old:2",), steps=("pay:bonus@coach=true", "take@seats=5"), keys=("seats", "coach")),
    clause("other:1", excepts=("old:1",), steps=("pay",), rulings=("misdeal",), keys=("seats", "decks")),
)


def test_the_clauses_of_a_nearer_document_come_first_and_replace_what_they_except() -> None:
    steps = clauses_of_steps(("new", "old"), REGISTER, {"coach": True, "seats": 7})
    assert {"pay:bonus": ("new:1",), "pay": ("old:1",), "take": ("old:21",)} == steps
    steps = clauses_of_steps(("new", "old"), REGISTER, {"coach": False, "seats": 5})
    assert {"take": ("new:1", "old:21"), "pay": ("old:1",)} == steps


def test_a_document_that_a_book_does_not_extend_neither_demands_nor_replaces() -> None:
    assert {"misdeal": ("old:1",)} == clauses_of_rulings(("new", "old"), REGISTER, {})
    assert {"misdeal": ("other:1",)} == clauses_of_rulings(("other", "old"), REGISTER, {})
    steps = clauses_of_steps(("old",), REGISTER, {})
    assert {"pay": ("old:1", "old:2"), "take": ("old:2", "old:2.1", "old:21")} == steps


def test_the_clauses_of_a_key_are_those_of_the_first_document_that_has_any() -> None:
    def found(key: str, *documents: str) -> list[str]:
        return [one.id for one in clauses_of_key(key, documents, REGISTER)]

    assert ["new:1"] == found("seats", "new", "old")
    assert ["old:2"] == found("seats", "old", "new")
    assert ["other:1"] == found("decks", "new", "old", "other")
    assert [] == found("decks", "new", "old")
