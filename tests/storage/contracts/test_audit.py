"""The contract of the audit, the same for every store."""

from __future__ import annotations

import pytest

from letitride.errors import InvalidData
from letitride.storage.roles.stores import Stores
from tests.storage.helpers import BAD_TEXTS


def test_the_audit_is_read_in_order(store: Stores) -> None:
    for at in range(5):
        store.audit.add(at, "floor:Flo", f"act {at}", "because")
    found = list(store.audit.rows())
    assert list(range(5)) == [one.at for one in found]
    assert found[2:4] == list(store.audit.rows(after=found[1].number, limit=2))


@pytest.mark.parametrize("text", BAD_TEXTS)
def test_a_text_that_no_database_keeps_is_refused(store: Stores, text: str) -> None:
    with pytest.raises(InvalidData, match="expected a text in Unicode without NUL"):
        store.audit.add(1, "x", "y", text)
    assert [] == list(store.audit.rows())


def test_a_text_of_two_lines_is_kept(store: Stores) -> None:
    store.audit.add(1, "x", "Grüße\nin two lines", "")
    assert ["Grüße\nin two lines"] == [one.what for one in store.audit.rows()]
