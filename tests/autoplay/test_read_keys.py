"""Read keys: values are noted as they are read, and what was found is known again by them alone."""

from __future__ import annotations

from typing import Any

import pytest

from letitride.autoplay.read_keys import Known, keys_read, with_reader
from letitride.autoplay.trial_rounds import SCENARIOS
from letitride.errors import InvariantBroken
from letitride.rules.catalog import ready_rules


def test_each_key_is_noted_once_in_the_order_of_reading() -> None:
    rules = ready_rules("nsw-1")
    noted, reads = with_reader(rules, rules.rules)
    reads.clear()  # what the table's rules are made of
    values: Any = noted.rules
    assert values.burn.card == "none" == values.burn.card
    assert values.seats == 7
    assert values.wagers["bonus"].cents == rules.terms("bonus").cents
    assert [key for key, _ in reads] == ["burn.card", "seats", "bonus.cents"]


def test_what_was_found_is_known_under_the_values_that_were_read_and_no_others() -> None:
    known = Known[str]()
    known.add([("a", 1), ("b", 2)], "settled")
    known.add([("a", 2)], "void")
    assert known.find({"a": 1, "b": 2, "c": 9}.__getitem__) == "settled"
    assert known.find({"a": 2, "b": 5}.__getitem__) == "void"
    assert known.find({"a": 1, "b": 3}.__getitem__) is None
    with pytest.raises(InvariantBroken, match="another order"):
        known.add([("b", 2)], "settled")
    with pytest.raises(InvariantBroken, match="gave"):
        known.add([("a", 2)], "settled")


def test_of_a_list_only_what_is_looked_for_is_noted_unless_it_is_read_as_a_whole() -> None:
    rules = ready_rules("nsw-1")
    noted, reads = with_reader(rules, rules.rules)
    reads.clear()
    media: Any = noted.rules.bet.media
    assert "chips" in media
    assert "chips" in media
    assert "match_play" not in media
    assert reads == [(("bet.media", "chips"), True), (("bet.media", "match_play"), False)]
    assert tuple(media) == rules.rules.bet.media
    assert len(media) == len(rules.rules.bet.media)
    assert "tokens" in media
    assert reads[2:] == [("bet.media", rules.rules.bet.media)]
    assert keys_read(reads) == ("bet.media",)


def test_lists_that_answer_alike_are_known_and_others_are_not() -> None:
    known = Known[str]()
    known.add([(("media", "chips"), True), (("media", "coupons"), False)], "settled")
    assert known.find({"media": ("chips", "plaques")}.__getitem__) == "settled"
    assert known.find({"media": ("chips", "coupons")}.__getitem__) is None
    assert known.find({"media": ()}.__getitem__) is None


def test_values_that_govern_nothing_are_not_read() -> None:
    rules = ready_rules("nsw-1")  # the house banks, takes no fee, burns nothing, and offers no side bet
    noted, reads = with_reader(rules, rules.rules)
    SCENARIOS["1 seat bet"](noted)
    idle = {"bank.max_consecutive", "bank.stake_cents_max", "burn.when", "fee.tiers", "payout.sides"}
    assert not idle & {*keys_read(reads)}
