"""Recorded: the rounds that are kept as records, replayed once for all tests of the engine."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from pathlib import Path

import msgspec

from letitride.engine.state import Table
from letitride.records.reader import read_record
from letitride.records.replay import Replayed, replay
from letitride.rules.rulebook import Source

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


def at(name: str, phase: str, *, last: bool = False) -> Table:
    """The first or the last table of a phase in a recorded round."""
    found = [step.after for step in recorded(f"examples/{name}").steps if step.after.phase == phase]
    return found[-1 if last else 0]


def by_another(table: Table, **values: object) -> Table:
    """The table by a book that says otherwise."""
    named = {name.replace("__", "."): value for name, value in values.items()}
    book = table.rules.book.with_values(named, Source.TABLE, "test")
    return msgspec.structs.replace(table, rules=replace(table.rules, book=book))
