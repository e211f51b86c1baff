"""Read keys: values are noted as they are read, and what was found is known again by them alone."""

from __future__ import annotations

from typing import Any

import pytest

from letitride.autoplay.read_keys import Known, with_reader
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
