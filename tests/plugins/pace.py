"""Pace: starts the longest test files first and marks them slow, by seconds that were measured before; skips nothing.

Of several copies (tests/plugins/copies.py) each runs a file at a time, and three of them the browser tests in a row,
each with one browser.

`pytest --write-seconds` measures anew. A file that is not listed counts as quick.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from pathlib import Path

import pytest

SECONDS = Path(__file__).parent.parent / "data" / "seconds.txt"
LISTED_SECONDS = 1.0
SLOW_SECONDS = 8.0
"""A file that takes longer beside four others on two cores is left out of `make check`."""
BROWSER = "tests/browser/"
"""What starts a browser is left out too."""
BROWSER_ROWS = 3


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--write-seconds", action="store_true", help="write what each test file took to tests/data")


class Watch:
    """Adds up what each test file took."""

    def __init__(self) -> None:
        self.seconds: defaultdict[str, float] = defaultdict(float)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        self.seconds[file_of(report.nodeid)] += report.duration

    def pytest_sessionfinish(self) -> None:
        longest = sorted(((seconds, name) for name, seconds in self.seconds.items()), reverse=True)
        rows = [f"{seconds:.0f} {name}\n" for seconds, name in longest if seconds >= LISTED_SECONDS]
        SECONDS.write_text("".join(rows), encoding="utf-8")


def pytest_configure(config: pytest.Config) -> None:
    if config.getoption("write_seconds"):
        config.pluginmanager.register(Watch())


def file_of(nodeid: str) -> str:
    """Return the file of a test."""
    return nodeid.partition("::")[0]


def listed() -> dict[str, float]:
    """Return what each of the longer test files took when it was measured."""
    rows = (line.split() for line in SECONDS.read_text(encoding="utf-8").splitlines())
    return {name: float(seconds) for seconds, name in rows}


def row_of_files(files: Iterable[str]) -> dict[str, str]:
    """Return the row that each file is run in: its own, or one of a few for all that need a browser."""
    seconds = listed()
    found = {file: file for file in files}
    taken = [0.0] * BROWSER_ROWS
    for file in sorted((file for file in found if file.startswith(BROWSER)), key=lambda one: -seconds.get(one, 0.0)):
        row = taken.index(min(taken))
        taken[row] += seconds.get(file, 0.0)
        found[file] = f"{BROWSER}{row}"
    return found


@pytest.hookimpl(tryfirst=True)  # before tests are chosen by their marks
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    seconds = listed()
    for item in items:
        if item.nodeid.startswith(BROWSER) or seconds.get(file_of(item.nodeid), 0.0) > SLOW_SECONDS:
            item.add_marker("slow")
    row_of = row_of_files(dict.fromkeys(file_of(item.nodeid) for item in items))
    taken: defaultdict[str, float] = defaultdict(float)
    for file, row in row_of.items():
        taken[row] += seconds.get(file, 0.0)
    items.sort(key=lambda item: -taken[row_of[file_of(item.nodeid)]])  # within a file everything stays in order
