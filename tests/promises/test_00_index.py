"""The index of promises: all 22 of them, each with a test that exists."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).parent.parent.parent
ROWS = [
    line
    for line in (ROOT / "docs" / "promises.md").read_text(encoding="utf-8").splitlines()
    if re.match(r"\| \d+ \|", line)
]


def test_every_promise_has_its_row_and_every_module_its_promise() -> None:
    assert [int(row.split("|")[1]) for row in ROWS] == list(range(1, 23))
    modules = {path.name for path in Path(__file__).parent.glob("test_*.py")} - {Path(__file__).name}
    assert modules == {name for row in ROWS for name in re.findall(r"tests/promises/(test_\w+\.py)", row)}


def test_every_file_it_points_to_is_there() -> None:
    for row in ROWS:
        for path in re.findall(r"`((?:tests|src|scripts)/[\w./-]+)`", row):
            assert (ROOT / path).exists(), path
