"""Plain data: what a dataclass becomes in JSON, and what a book's open values are filled with."""

from __future__ import annotations

from dataclasses import dataclass, field

import pytest

from letitride.errors import InvalidData
from letitride.rules import catalog
from letitride.rules.plain import LEFT_OUT, extended, plain
from letitride.rules.wagers import Award


@dataclass(frozen=True, slots=True, kw_only=True)
class Inner:
    in_: str | None = field(default=None, metadata={"alias": "in"})
    gone: int | None = field(default=None, metadata=LEFT_OUT)
    last: tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Outer(Inner):
    parts: dict[Award, Inner]


def test_fields_are_keys_in_their_order_and_only_marked_ones_are_left_out() -> None:
    assert {"in": None, "last": []} == plain(Inner(last=()))
    shown = plain(extended(Outer, Inner(in_="x", gone=0, last=(1, 2)), parts={Award.TOTAL: Inner(last=(3,))}))
    assert ["in", "gone", "last", "parts"] == list(shown)
    assert {"in": "x", "gone": 0, "last": [1, 2], "parts": {"total_award": {"in": None, "last": [3]}}} == shown


def test_what_is_no_dataclass_is_what_it_was() -> None:
    assert [1, None, "a", {"b": [True, 1.5]}] == plain((1, None, "a", {"b": (True, 1.5)}))


def test_values_that_a_book_leaves_open_are_filled_in_and_no_others() -> None:
    open_keys = catalog.rulebook("california-1").missing()
    assert set(open_keys) == set(catalog.stated_values("california-1"))
    own = {"limit.cents_min": 2_000}
    assert "limit.cents_min" not in catalog.stated_values("california-1", own)
    assert 2_000 == catalog.ready_rules("california-1", own).rules.limit.cents_min
    with pytest.raises(InvalidData, match="expected a value for"):
        catalog.table_rules("california-1")


def test_a_class_is_no_value() -> None:
    with pytest.raises(TypeError):
        plain(Inner)
