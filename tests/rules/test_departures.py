"""Departures: where a house's own book leaves the document behind it, who set what, and what still rests on a clause."""

from __future__ import annotations

from pathlib import Path

import pytest

from letitride.errors import InvalidData
from letitride.rules import catalog
from letitride.rules.chapters import rules_text
from letitride.rules.explain import KeyFacts, facts
from letitride.rules.rulebook import RuleBook

OWN = """
id = "own-1"
title = "Own"
extends = "nsw-1"
[rules]
burn.card = "top_before_first"
seats = 5
limit.scope = "area"
limit.cents_max = 20_000
[notes]
burn.card = "The shoe's first card is worn."
"""
CHILD = """
id = "child-1"
title = "Child"
extends = "own.toml"
[rules]
seats = 6
"""


def book_of(folder: Path, text: str, name: str = "own.toml") -> RuleBook:
    (folder / name).write_text(text, encoding="utf-8")
    return catalog.rulebook(str(folder / name))


def told(book: RuleBook) -> dict[str, KeyFacts]:
    return {fact.spec.name: fact for fact in facts(book)}


def test_a_value_of_ones_own_is_shown_as_such_with_its_note_and_what_it_departs_from(tmp_path: Path) -> None:
    burn = told(book_of(tmp_path, OWN))["burn.card"]
    assert ("set by own-1; departs from nsw:7.3.3", "The shoe's first card is worn.") == (burn.origin, burn.note)
    data = burn.as_data()
    assert ("own", ("nsw:7.3.3",), "none", ()) == (data.source, data.departs_from, data.document_value, data.clauses)


def test_a_value_inherited_from_a_book_of_ones_own_keeps_its_book_and_its_note(tmp_path: Path) -> None:
    book_of(tmp_path, OWN)
    child = told(book_of(tmp_path, CHILD, "child.toml"))
    assert "set by own-1; departs from nsw:7.3.3" == child["burn.card"].origin
    assert "The shoe's first card is worn." == child["burn.card"].note
    assert "set by child-1; departs from nsw:2.2, nsw:2.2.1" == child["seats"].origin
    assert "nsw:8.3" in child["decide.order"].origin
    assert child["decide.order"].departure is None


def test_a_note_speaks_of_the_value_of_its_own_book(tmp_path: Path) -> None:
    limit = told(book_of(tmp_path, OWN))["limit.cents_max"]
    assert ("set by own-1", "") == (limit.origin, limit.note)  # what nsw-1 notes is of its own value
    assert told(catalog.rulebook("nsw-1"))["limit.cents_max"].note


def test_what_the_document_leaves_to_the_table_or_offers_as_a_variant_is_no_departure(tmp_path: Path) -> None:
    own = told(book_of(tmp_path, OWN))
    assert own["limit.scope"].departure is None
    assert own["limit.cents_max"].departure is None
    shuffler = 'device = "shuffler"\ncut.who = "nobody"\nshuffle.by = "machine"\ndeal.unit = "packet"\n'
    text = f'id = "own-1"\ntitle = "Own"\nextends = "nsw-1"\n[rules]\n{shuffler}burn.card = "bottom_of_packet"\n'
    assert not catalog.departures(book_of(tmp_path, text))
    without = catalog.departures(book_of(tmp_path, text.replace("bottom_of_packet", "none")))
    assert {"burn.card": ("nsw-1+shuffler", ("nsw:7.4.3",))} == {k: (d.book, d.clauses) for k, d in without.items()}


@pytest.mark.parametrize("book_id", ["nsw-1", "washington-1+felt", "california-1", "hand-dealt-1", "shufflemaster-1"])
def test_a_published_book_departs_from_nothing(book_id: str, tmp_path: Path) -> None:
    assert not catalog.departures(catalog.rulebook(book_id))
    same = book_of(tmp_path, f'id = "own-1"\ntitle = "Own"\nextends = "{book_id}"\n')
    assert not catalog.departures(same)


def test_an_inherited_variant_keeps_the_document_that_offers_it(tmp_path: Path) -> None:
    varied = catalog.rulebook(f"{_path(tmp_path)}+shuffler")
    fact = told(varied)["burn.card"]
    assert ("nsw:7.4.3", "nsw-1", None) == (fact.origin, fact.book, fact.departure)


def _path(folder: Path) -> Path:
    book_of(folder, OWN)
    return folder / "own.toml"


def test_no_step_and_no_ruling_cites_a_clause_that_the_book_departs_from(tmp_path: Path) -> None:
    assert "nsw:7.3.3" in catalog.table_rules("nsw-1").step_clauses["deal_community"]
    table = catalog.table_rules(_path(tmp_path))
    cited = {name for names in (*table.step_clauses.values(), *table.ruling_clauses.values()) for name in names}
    assert cited
    assert not cited & catalog.departed_clauses(table.book)
    assert "nsw:7.3.3" not in cited


PAYS = """
id = "OWN-PAYS"
title = "Own pays"
[base]
award = "to_one"
[base.pays]
royal_flush = 1000
straight_flush = 200
four_of_a_kind = 50
full_house = 11
flush = {flush}
straight = 5
three_of_a_kind = 3
two_pair = 2
tens_or_better = 1
"""


@pytest.mark.parametrize(
    ("parent", "flush", "departs"),
    [
        ("nsw-1", 8, False),  # what the document's own table pays
        ("nsw-1", 9, True),
        ("hand-dealt-1", 9, False),  # that document lets a house pay more
        ("hand-dealt-1", 7, True),
    ],
)
def test_a_paytable_departs_where_the_document_does_not_permit_its_pays(
    tmp_path: Path, parent: str, flush: int, *, departs: bool
) -> None:
    (tmp_path / "pays.toml").write_text(PAYS.format(flush=flush), encoding="utf-8")
    book = book_of(
        tmp_path,
        f'id = "own-1"\ntitle = "Own"\nextends = "{parent}"\n[rules]\nbase.paytables = ["pays.toml"]\n'
        'base.paytable = "pays.toml"\n',
    )
    assert departs == ("base.paytable" in catalog.departures(book))
    assert departs == ("base.paytables" in catalog.departures(book))


def test_one_more_paytable_leaves_the_clauses_of_the_others_in_force(tmp_path: Path) -> None:
    (tmp_path / "pays.toml").write_text(PAYS.format(flush=9), encoding="utf-8")
    book = book_of(
        tmp_path,
        'id = "own-1"\ntitle = "Own"\nextends = "shufflemaster-1"\n[rules]\n'
        'base.paytables = ["pays.toml", "LIRX-01", "LIRB-06"]\n',
    )
    left = catalog.departed_clauses(book)
    assert {"sm:bonus.odds.select", "sm:pay.LIRX-02"} <= left
    assert not {"sm:pay.LIRX-01", "sm:pay.LIRB-06.primary"} & left


LOST = """
id = "own-1"
title = "Own"
extends = "nsw-1"
[rules]
deal.community = "each_pass"
burn.card = "first_community"
community.order = "second_third"
burn.when = "after_bet_1"
community.area = "three_in_line"
"""


def test_an_inherited_variant_that_cannot_apply_is_named_and_does_not_refuse_the_book(tmp_path: Path) -> None:
    book = book_of(tmp_path, LOST)
    assert {"shuffler", "two_decks"} == set(book.lost_variants)
    assert not book.variants
    assert "because burn.card is 'bottom_of_packet'" in book.lost_variants["shuffler"]
    with pytest.raises(InvalidData, match="'shuffler' does not go with its values"):
        book.variant("shuffler")
    own = LOST + '[variants.mine]\ncommunity.order = "first_second"\n'
    with pytest.raises(InvalidData, match=r"variants\.mine"):
        book_of(tmp_path, own)


def test_the_drawer_says_which_clauses_a_rule_departs_from(tmp_path: Path) -> None:
    rules = {rule.key: rule for chapter in rules_text(book_of(tmp_path, OWN)).chapters for rule in chapter.rules}
    burn = rules["burn.card"]
    assert ["nsw:7.3.3"] == [clause.id for clause in burn.departs_from]
    assert "the house's own rule, set by own-1; departs from nsw:7.3.3" == burn.origin_words
    assert not rules["deal.unit"].departs_from


def test_values_that_are_tables_are_compared_like_any_other(tmp_path: Path) -> None:
    tiers = "[{limit_cents_max = 10_000, wager_cents = 50, bank_cents = 200}]"
    text = f'id = "own-1"\ntitle = "Own"\nextends = "california-1"\n[rules]\nfee.tiers = {tiers}\n'
    book = book_of(tmp_path, text)
    assert not catalog.departures(book)  # the document leaves them to the card room
    assert "set by own-1" == told(book)["fee.tiers"].origin
