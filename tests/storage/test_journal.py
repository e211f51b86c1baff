"""The journal: sealed as documented, so that anybody can check it with other tools."""

from __future__ import annotations

import hashlib
import json

import pytest
from msgspec.structs import replace

from letitride.storage.journal import START, Bad, Head, Row, check, hash_of, seal
from tests.storage.helpers import row, said


def independent(one: Row) -> str:
    fields = [one.table_id, one.number, one.at, one.by, one.command, one.epoch, one.previous]
    line = json.dumps(fields, ensure_ascii=False, separators=(",", ":"))
    return hashlib.sha256(b"letitride-journal/1\n" + line.encode() + b"\n" + one.events).hexdigest()


def test_a_row_is_sealed_as_documented() -> None:
    sealed = seal(
        Head(), table_id="tisch ü", at=1_790_000_000_123, by='seat:3 "Ann"', happened=[said("no")], command="7", epoch=4
    )
    assert (1, START) == (sealed.number, sealed.previous)
    assert independent(sealed) == sealed.hash == hash_of(sealed)
    assert "913e1d83" == sealed.hash[:8]  # a seal that changes would make every journal look forged


@pytest.mark.parametrize("field", ["table_id", "at", "by", "command", "epoch", "number", "previous", "events"])
def test_every_field_is_under_the_seal(field: str) -> None:
    sealed = row(Head())
    value = getattr(sealed, field)
    other = value + 1 if isinstance(value, int) else value + (b" " if isinstance(value, bytes) else "x")
    assert sealed.hash != hash_of(replace(sealed, **{field: other}))


def test_the_first_bad_row_is_named() -> None:
    rows, head = [], Head()
    for _ in range(5):
        rows.append(row(head))
        head = Head(rows[-1].number, rows[-1].hash)
    assert check(rows, "t1", head) is None
    assert check([], "t1", Head()) is None
    for bad, number, reason in (
        ([*rows[:2], *rows[3:]], 3, "expected row 3, got row 4"),
        ([rows[1], rows[0]], 1, "expected row 1, got row 2"),
        ([*rows[:2], rows[1]], 3, "expected row 3, got row 2"),
        ([rows[0], replace(rows[1], by="Eve")], 2, "expected the hash"),
        ([rows[0], row(Head(1, START))], 2, "expected the previous hash"),
        ([row(Head(), "t2")], 1, "expected a row of table t1, got one of table t2"),
        (rows[:4], 5, "expected the journal to end at row 5, got its end at 4"),
        ([*rows, row(head)], 6, "expected the journal to end at row 5, got its end at 6"),
    ):
        found = check(bad, "t1", head)
        assert isinstance(found, Bad)
        assert number == found.number
        assert reason in found.reason
