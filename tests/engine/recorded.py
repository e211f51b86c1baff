"""Recorded: the rounds that are kept as records, replayed once for all tests of the engine."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from letitride.records.reader import read_record
from letitride.records.replay import Replayed, replay

FOLDER = Path(__file__).parent.parent / "records"
ROUNDS = tuple(
    str(path.relative_to(FOLDER).with_suffix(""))
    for kind in ("examples", "irregularities")
    for path in sorted((FOLDER / kind).rglob("*.round"))
)
"""Rounds by every book, with trouble and without."""


@cache
def recorded(name: str) -> Replayed:
    """Return a recorded round, replayed."""
    path = FOLDER / f"{name}.round"
    return replay(read_record(path.read_text(encoding="utf-8")), path.name)
