"""The past of a table is the same out of every store, with its marks and without them."""

from __future__ import annotations

import pytest

from letitride.errors import MissingData
from letitride.rules import catalog
from letitride.storage.past import Past
from letitride.storage.roles.stores import Stores
from tests.storage.helpers import play_into


def test_every_store_tells_the_same_past_with_marks_and_without(store: Stores) -> None:
    play_into(store, "t1", catalog.ready_rules("nsw-1"), 2_600)
    plain = Past(store.journal, store.documents, "t1")
    every = list(plain.rounds(running=True))
    for found in plain.unmarked():
        plain.mark(*found)
    marked = Past(store.journal, store.documents, "t1")
    assert len(marked.marks) == 1
    assert marked.marks == plain.marks
    last = marked.last_round()
    assert last == every[-1].number - 1
    assert list(marked.rounds(last - 4, last + 1, running=True)) == every[-6:]
    assert list(marked.rounds()) == every[:-1]


@pytest.mark.parametrize("name", ["", "nowhere", "a\0b", "a\nb"])
def test_a_table_that_is_not_there_has_no_past(store: Stores, name: str) -> None:
    with pytest.raises(MissingData):
        Past(store.journal, store.documents, name)
