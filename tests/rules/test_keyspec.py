"""Key specs: what a value must be in words, which keys may be unset, how keys are found, flattened and built."""

from __future__ import annotations

import re
from typing import Any

import pytest

from letitride.errors import InvalidData, InvariantBroken, MissingData
from letitride.rules.keys import Rules
from letitride.rules.keys.meta import Section
from letitride.rules.keys.play import Deal
from letitride.rules.keyspec import KEYS, SECTIONS, _specs, applies_in, build, default_terms, find_keys, flatten
from letitride.rules.wager_table import PUBLISHED


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("device", "one of 'shuffler', 'shoe', 'hand'"),
        ("decks", "one of 1, 2"),
        ("dispute", "a list, each one of 'casino_supervisor', 'dealer', 'floor', 'games_supervisor'"),
        ("seats", "a whole number from 1 to 7"),
        ("limit.cents_min", "a whole number, 1 or more"),
        ("sitout.rounds_max", "a whole number, 1 or more or 'unlimited'"),
        ("coach", "true or false"),
        ("base.paytable", "a text"),
        ("base.paytables", "a list, each a text"),
        (
            "fee.tiers",
            "a list of tables with limit_cents_max, wager_cents, bank_cents, like [{limit_cents_max = 5000, wager_cents = 100, bank_cents = 200}]",
        ),
    ],
)
def test_a_wrong_value_is_refused_with_what_is_expected(name: str, expected: str) -> None:
    with pytest.raises(InvalidData, match=re.escape(f"own: {name}: expected {expected}")):
        KEYS[name].check(2.5, "own")


@pytest.mark.parametrize("value", ["a\nb", "\x1b[31m", ["a", "b\x00"]])
def test_a_text_that_cannot_be_shown_on_one_line_is_refused(value: Any) -> None:
    name = "shuffler.models" if isinstance(value, list) else "shuffler.vendor"
    assert KEYS[name].check(["a"] if isinstance(value, list) else "a", "own")
    with pytest.raises(InvalidData, match=f"own: {name}: expected a "):
        KEYS[name].check(value, "own")


def test_four_keys_may_be_left_to_the_table() -> None:
    unset = {"limit.cents_min", "limit.cents_max", "fee.tiers", "payout.cents_max"}
    assert unset == {name for name, spec in KEYS.items() if spec.may_be_unset}


def test_a_condition_holds_only_where_the_key_it_names_means_anything() -> None:
    """A controller that is left over in the book of a table without a shuffler is none."""
    stated = {"shuffler.controller": True}
    assert applies_in(("shuffler.controller", True), build(stated))
    assert not applies_in(("shuffler.controller", True), build({**stated, "device": "hand"}))
    assert not applies_in(("shuffler.controller", True), build({}))
    assert applies_in((), build({}))


def test_a_key_is_digested_where_it_applies_and_if_later_where_it_is_not_at_its_default() -> None:
    shuffler, by_hand = build({"shuffler.software": "A v1"}), build({"shuffler.software": "A v1", "device": "hand"})
    software, mode = KEYS["shuffler.software"], KEYS["shuffler.mode"]
    assert (True, True) == (software.is_digested(shuffler), mode.is_digested(shuffler))
    assert (False, True) == (software.is_digested(Rules()), mode.is_digested(Rules()))
    assert (False, False) == (software.is_digested(by_hand), mode.is_digested(by_hand))


def test_a_key_that_does_not_say_what_it_means_is_our_own_bug() -> None:
    class Silent(Section, frozen=True):
        number: int = 1

    with pytest.raises(InvariantBroken, match="the key dark.number does not say what it means"):
        list(_specs(Silent, "dark."))


def test_every_section_says_what_it_is_about() -> None:
    assert {spec.section for spec in KEYS.values()} == set(SECTIONS)
    assert ("The table.", "The deal.") == (SECTIONS[""], SECTIONS["deal"])


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("limit.centsmin", ["limit.cents_min"]),
        ("Limit.Min", ["limit.cents_min"]),
        ("bonus.", ["bonus.cents"]),
        ("seats", ["seats"]),
        ("threecard.settle", ["three_card.settle"]),
        ("round", ["round.start"]),
        ("REVEAL", ["reveal.direction"]),
    ],
)
def test_a_key_is_found_without_regard_to_case_underscores_and_cents(text: str, found: list[str]) -> None:
    assert found == [spec.name for spec in find_keys(text)]


@pytest.mark.parametrize("text", ["", "_", "cents", "nothing at all"])
def test_what_names_no_key_finds_none(text: str) -> None:
    with pytest.raises(MissingData, match=f"expected a rule-book key, got '{text}'"):
        find_keys(text)


def test_a_tree_of_tables_becomes_dotted_keys() -> None:
    tree = {"seats": 5, "deal": {"unit": "single"}, "fee.kind": "flat", "limit": {}}
    assert {"seats": 5, "deal.unit": "single", "fee.kind": "flat"} == flatten(tree, "own")


@pytest.mark.parametrize(
    ("tree", "told"),
    [
        ({"limit": 3}, "'limit'"),
        ({"dealing": {}}, "'dealing'"),
        ({"dealing": {"unit": "single"}}, "'dealing'"),
        ({"deal": {"unt": "single"}}, "'deal.unt'; did you mean 'deal.unit'?"),
        ({"void": "stakes_returned"}, "'void'; it is no key any more, because every stake of a void round is returned"),
    ],
)
def test_a_name_that_is_no_key_is_refused(tree: dict[str, Any], told: str) -> None:
    sentence = f"own: expected the keys of a rule book, got the unknown key {told}"
    with pytest.raises(InvalidData, match="^" + re.escape(sentence)):
        flatten(tree, "own")


def test_rules_are_built_of_some_keys_and_the_rest_keep_their_defaults() -> None:
    terms = {name: default_terms(wager) for name, wager in PUBLISHED.items()}
    assert Rules(deal=Deal(unit="single"), wagers=terms) == build({"deal.unit": "single"})
    assert Rules(seats=5, wagers=terms) == build({"seats": 5})
    assert Rules(wagers=terms) == build({})
    assert 300 == build({"bonus.cents": 300}).wagers["bonus"].cents
