"""What a table does on the project's own records is what it did when their transcripts were written."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.records.transcripts import KEPT, records, transcript


def test_every_record_has_its_transcript_and_no_other_is_kept() -> None:
    assert set(records()) == {path.stem for path in KEPT.iterdir()}


@pytest.mark.parametrize(("name", "path"), records().items(), ids=list(records()))
def test_a_record_is_played_as_it_was(name: str, path: Path) -> None:
    lines = transcript(name, path)
    kept = (KEPT / f"{name}.txt").read_text(encoding="utf-8").splitlines()
    for number, (now, then) in enumerate(zip(lines, kept, strict=False), 1):
        assert now == then, f"step {number}; all of it: python -m tests.records.transcripts --show {name} {number}"
    assert len(lines) == len(kept)
