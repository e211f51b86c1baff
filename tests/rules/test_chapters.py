"""Chapters: every key of a book has one place in the drawer, with its origin and its clauses."""

from __future__ import annotations

from pathlib import Path

import pytest

from letitride.rules import catalog
from letitride.rules.chapters import CHAPTERS, rules_text
from letitride.rules.keyspec import KEYS
from letitride.rules.rulebook import Source

HOUSES = (*catalog.rulebook_ids(), "nsw-1+shuffler")


def test_every_key_is_in_one_chapter() -> None:
    named = [spec.name for chapter in CHAPTERS for spec in chapter.specs()]
    assert sorted(named) == sorted(KEYS)
    assert len({chapter.name for chapter in CHAPTERS}) == len(CHAPTERS)


@pytest.mark.parametrize("house", HOUSES)
def test_a_rule_says_where_it_comes_from_and_what_its_clauses_demand(house: str) -> None:
    found = catalog.rulebook(house)
    told = {rule.key: rule for chapter in rules_text(found).chapters for rule in chapter.rules}
    assert set(told) == set(found.values())
    origins = {rule.origin for rule in told.values()}
    assert origins <= {"ruled", "omission", "house"}
    for key, rule in told.items():
        assert rule.about
        assert rule.says
        assert (rule.origin == "house") == (found.origins[key].source is Source.HOUSE)
        assert rule.origin == "ruled" or not rule.clauses
        for clause in rule.clauses:
            assert clause.demand == catalog.clause(clause.id).demand


def test_a_value_of_a_tables_own_is_told_as_such() -> None:
    rules = catalog.table_rules("washington-1", {"limit.cents_max": 10_000})
    told = {rule.key: rule for chapter in rules_text(rules.book).chapters for rule in chapter.rules}
    assert (told["limit.cents_max"].says, told["limit.cents_max"].origin) == ("$100", "table")


def test_the_chapters_come_in_the_order_in_which_a_player_looks_for_them() -> None:
    washington = rules_text(catalog.rulebook("washington-1")).chapters
    names = ["bets", "base", "sides", "choices", "deal", "paying", "bank", "cards", "wrong", "supervision", "table"]
    assert names == [chapter.name for chapter in washington]
    assert ["Bets and limits", "The three base bets", "Side bets"] == [chapter.title for chapter in washington[:3]]
    assert ["limit.cents_min", "limit.cents_max"] == [rule.key for rule in washington[0].rules[:2]]


def test_a_rule_says_in_words_where_it_comes_from_and_why(tmp_path: Path) -> None:
    path = tmp_path / "own.toml"
    path.write_text('id = "own-1"\ntitle = "Own"\nextends = "nsw-1"\n[rules]\nseats = 5\n[house]\ncoach = true\n')
    book = catalog.table_book(str(path), {"limit.cents_max": 900})
    told = {rule.key: rule for chapter in rules_text(book).chapters for rule in chapter.rules}
    for key, origin, words, note in (
        ("seats", "own", "the house's own rule, set by own-1; departs from nsw:2.2, nsw:2.2.1", None),
        ("deal.unit", "ruled", "ruled by nsw-1", None),
        (
            "fee.kind",
            "omission",
            "nsw-1, by omission: it says nothing else",
            "The document knows no fee.",
        ),
        ("reveal.direction", "house", "house default: the book is silent or leaves it open", None),
        ("limit.cents_max", "table", "set for this table, within what the book allows", "The casino's sign states it."),
    ):
        rule = told[key]
        assert (origin, words, note) == (rule.origin, rule.origin_words, rule.note)
        assert (key == "deal.unit") == bool(rule.clauses)
