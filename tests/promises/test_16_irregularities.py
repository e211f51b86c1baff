"""Promise 16: dealer errors can be put right by the book, on record: each irregularity has records, replayed in tests/records/."""

from __future__ import annotations

from letitride.records.reader import read_record
from letitride.records.replay import replay
from letitride.rules import catalog
from tests.records.test_irregularities import RECORDS


def test_there_is_a_record_for_each_irregularity_and_book_and_one_of_each_book_comes_to_its_ruling() -> None:
    assert set(catalog.rulebook_ids()) == {one.stem for one in RECORDS}
    for book in catalog.rulebook_ids():
        path = next(one for one in sorted(RECORDS) if one.stem == book)
        done = replay(read_record(path.read_text(encoding="utf-8"), path.name), path.name)
        assert {outcome.status for outcome in done.outcomes} <= {"settled", "void"}
