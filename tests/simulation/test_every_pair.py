"""Every pair: a sample of the pairs of keys of a book is refused or dealt, and what is skipped would come to the same."""

from __future__ import annotations

from collections import Counter

import pytest

from letitride.autoplay import trial_rounds
from letitride.chance.seeded import Seeded
from letitride.errors import InvalidData
from letitride.rules.keyspec import KEYS
from tests.simulation import every_pair
from tests.simulation.every_pair import Book, sampled, try_pair
from tests.simulation.own_books import own_rules

DISTURBED = ("an exposed card", "a hand too short, found later", "a wrong burn", "device_jam in the deal")


@pytest.fixture(autouse=True)
def few(monkeypatch: pytest.MonkeyPatch) -> None:
    chosen = {name: trial_rounds.SCENARIOS[name] for name in ("1 seat bet", *DISTURBED)}
    monkeypatch.setattr(every_pair, "SCENARIOS", chosen)


@pytest.mark.parametrize("ref", ["nsw-1", "california-1"])
def test_a_sample_of_pairs_is_refused_or_dealt(ref: str) -> None:
    report = sampled(Seeded("sample", ref), [Book(ref)], 30, float("inf"))
    assert report.failed == []
    total = report.total()
    assert total["tried"] == 30 == total["refused"] + total["dealt"] + total["alike"]
    assert total["refused"]
    assert total["dealt"]


def test_a_pair_is_refused_just_where_a_rule_book_with_it_is() -> None:
    book, chance = Book("nsw-1"), Seeded("refusals")
    for _ in range(25):
        one, other = (chance.choice(changes) for changes in chance.shuffled([c for c in book.changes if c])[:2])
        try:
            own_rules("nsw-1", dict((one, other)))
            refused = False
        except InvalidData:
            refused = True
        assert refused == (book.changed(one, other) is None), (one, other)


def test_a_pair_that_cannot_be_dealt_is_told_with_the_book_that_shows_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(every_pair, "find_faults", lambda *_: iter(()))
    counts = Counter[str]()
    told = try_pair(Book("nsw-1"), counts, ("burn.card", "first_community"), ("community.order", "second_third"))
    assert counts["failed"] == 1
    assert "no decision before its card" in told
    assert "burn.card = 'first_community'\ncommunity.order = 'second_third'\n" in told


def test_every_key_has_other_values_to_pair() -> None:
    book = Book("washington-1")
    without = [name for name, changes in zip(KEYS, book.changes, strict=True) if not changes]
    assert without == ["cover_all.paytable"]  # of which one is published
