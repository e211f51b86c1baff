"""Chapters: every key of a book has one place in the drawer, with its origin and its clauses."""

from __future__ import annotations

import pytest

from letitride.rules import catalog
from letitride.rules.chapters import CHAPTERS, rules_text
from letitride.rules.keyspec import KEYS
from letitride.rules.rulebook import Source

HOUSES = (*catalog.rulebook_ids(), "nsw-1+shuffler")


def test_every_key_is_in_one_chapter() -> None:
    named = [spec.name for chapter in CHAPTERS for spec in chapter.specs]
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
