"""Copies: runs the tests in copies of this process, made when everything is collected; each takes files one after the other.

What is imported and collected once is there in all of them. The files that take longest are handed out first
(tests/plugins/pace.py); what a copy reports is told here, as if the tests had run here. A copy that is over the limit of
its test is ended from here: what pytest-timeout raises inside it may be caught by an event loop, and never seen.
"""

from __future__ import annotations

import atexit
import math
import os
import signal
import sys
import time
from collections import deque
from collections.abc import Iterator
from contextlib import suppress
from multiprocessing.connection import Connection, Pipe, wait
from typing import Any

import pytest
import pytest_timeout

from tests.plugins.pace import file_of, row_of_files

GRACE_SECONDS = 30.0
"""How long a copy has to end its servers, browsers and databases when it is told to, and to fail a test by itself."""
NUMBER = "PYTEST_COPY"
"""The variable that tells a copy its number, from 0."""
Row = list[int]
"""The places of tests that one copy runs in order."""


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--copies", type=int, default=0, metavar="N", help="run the tests in N copies of this process")


@pytest.hookimpl(tryfirst=True)
def pytest_runtestloop(session: pytest.Session) -> bool | None:
    number = session.config.getoption("copies")
    if not number or session.config.option.collectonly or session.testsfailed:
        return None
    rows = deque(_rows(session.items))
    _Run(session, rows).to_its_end(min(number, len(rows)))
    if session.shouldfail:
        raise session.Failed(session.shouldfail)
    return True


def _rows(items: list[pytest.Item]) -> list[Row]:
    """Return the rows of tests, in the order of their first ones."""
    row_of = row_of_files(dict.fromkeys(file_of(item.nodeid) for item in items))
    rows: dict[str, Row] = {}
    for place, item in enumerate(items):
        rows.setdefault(row_of[file_of(item.nodeid)], []).append(place)
    return list(rows.values())


class _Copy:
    """A copy, as the process that made it knows it."""

    def __init__(self, number: int, pid: int, line: Connection) -> None:
        self.number, self.pid, self.line = number, pid, line
        self.left: Row = []
        """What it has been given and has not run to its end."""
        self.seconds: float | None = None
        """How long it may take for the first of these; None for as long as it likes."""
        self.deadline = math.inf
        """When it is told to end what it does, and then is killed."""
        self.told = False

    def begins(self, seconds: float | None) -> None:
        """Note that it begins with a test, which may take so long."""
        self.seconds, self.told = seconds, False
        self.deadline = time.monotonic() + seconds + GRACE_SECONDS if seconds else math.inf

    def end(self) -> None:
        """Tell it to end as Ctrl-C does, which no event loop keeps for itself; the second time, end it."""
        with suppress(ProcessLookupError):
            os.kill(self.pid, signal.SIGKILL if self.told else signal.SIGINT)
        self.told = True
        self.deadline = time.monotonic() + GRACE_SECONDS


class _Run:
    """A run of all rows: copies that ask for one after the other."""

    def __init__(self, session: pytest.Session, rows: deque[Row]) -> None:
        self._session, self._hook, self._rows = session, session.config.hook, rows
        self._place = {item.nodeid: place for place, item in enumerate(session.items)}
        self._copies: dict[Connection, _Copy] = {}

    def to_its_end(self, number: int) -> None:
        """Run all rows in so many copies."""
        self._session.config._tmp_path_factory.getbasetemp()  # type: ignore[attr-defined]  # one for all copies
        try:
            for one in range(number):
                self._begin(one)
            while self._copies:
                first = min(copy.deadline for copy in self._copies.values())
                patience = None if first == math.inf else max(0.0, first - time.monotonic())
                for line in wait(list(self._copies), patience):
                    self._hear(self._copies[line])  # type: ignore[index]  # what it waits for are connections
                for copy in self._copies.values():
                    if time.monotonic() > copy.deadline:
                        copy.end()
        finally:
            self._end()

    def _begin(self, number: int) -> None:
        ours, theirs = Pipe()
        sys.stdout.flush()
        sys.stderr.flush()
        pid = os.fork()
        if pid == 0:
            for line in (ours, *self._copies):
                line.close()
            _be_a_copy(self._session, theirs, number)
        theirs.close()
        self._copies[ours] = _Copy(number, pid, ours)

    def _hear(self, copy: _Copy) -> None:
        """Do what a copy asks for, or tell what it reports."""
        try:
            said = copy.line.recv()
        except (EOFError, ConnectionResetError):
            self._gone(copy)
            return
        if said is None:
            stopped = self._session.shouldfail or self._session.shouldstop
            row = self._rows.popleft() if self._rows and not stopped else []
            if not copy.left:
                copy.begins(self._limit(row))
            copy.left += row
            with suppress(BrokenPipeError):
                copy.line.send(row)
            return
        self._tell(self._hook.pytest_report_from_serializable(config=self._session.config, data=said), copy)

    def _tell(self, report: pytest.TestReport, copy: _Copy) -> None:
        self._hook.pytest_runtest_logreport(report=report)
        if report.when == "teardown":
            copy.left.remove(self._place[report.nodeid])
            copy.begins(self._limit(copy.left))
            self._hook.pytest_runtest_logfinish(nodeid=report.nodeid, location=report.location)

    def _limit(self, row: Row) -> float | None:
        """Return how long the first of some tests may take, as pytest-timeout reads it."""
        found = pytest_timeout._get_item_settings(self._session.items[row[0]]).timeout if row else None
        return float(found) if found else None

    def _gone(self, copy: _Copy) -> None:
        """See a copy off; one that leaves tests behind died by the first of them, and another takes the rest."""
        del self._copies[copy.line]
        copy.line.close()
        _, status = os.waitpid(copy.pid, 0)
        if not copy.left or self._session.shouldfail:
            return
        item = self._session.items[copy.left[0]]
        said = f"the process that ran it ended with exit code {os.waitstatus_to_exitcode(status)}"
        if copy.told:
            said = f"it took longer than {copy.seconds:g} s, and the process that ran it was ended"
        self._hook.pytest_runtest_logreport(
            report=pytest.TestReport(item.nodeid, item.location, {}, "failed", said, "call")
        )
        if left := copy.left[1:]:
            self._rows.appendleft(left)
            self._begin(copy.number)

    def _end(self) -> None:
        """Ask copies that are still there to end, and kill those that do not."""
        for copy in self._copies.values():
            copy.begins(None)
            copy.end()
        for copy in self._copies.values():
            while os.waitpid(copy.pid, os.WNOHANG) == (0, 0):
                if time.monotonic() > copy.deadline:
                    copy.end()
                time.sleep(0.05)  # a process says nothing more to who made it
        self._copies.clear()


def _be_a_copy(session: pytest.Session, line: Connection, number: int) -> None:
    """Run rows to the last, and end this process."""
    code = 1
    try:
        _be_by_itself(session.config, number)
        session.config.pluginmanager.register(_Reporter(session.config, line))
        for item, following in _with_the_next(session, line):
            session.config.hook.pytest_runtest_protocol(item=item, nextitem=following)
            if session.shouldfail or session.shouldstop:
                break
        code = 0
    except (KeyboardInterrupt, pytest.exit.Exception):
        pass
    finally:
        with suppress(BaseException):
            session._setupstate.teardown_exact(None)  # nothing, unless it was interrupted
        with suppress(BaseException):
            atexit._run_exitfuncs()  # databases and servers that were started here
        os._exit(code)


def _be_by_itself(config: pytest.Config, number: int) -> None:
    """Let go of what copies cannot share: what is printed, and the folder for files."""
    os.environ[NUMBER] = str(number)
    manager = config.pluginmanager
    manager.unregister(manager.get_plugin("terminalreporter"))
    capture: Any = manager.get_plugin("capturemanager")
    capture.stop_global_capturing()
    capture.start_global_capturing()
    factory = config._tmp_path_factory  # type: ignore[attr-defined]  # the sessions have no public name for it
    factory._basetemp = factory.getbasetemp() / f"copy-{number}"
    factory._basetemp.mkdir(mode=0o700, exist_ok=True)  # there, if one of this number died


def _with_the_next(session: pytest.Session, line: Connection) -> Iterator[tuple[pytest.Item, pytest.Item | None]]:
    """Yield each test with the one that comes next: what both use stays set up."""

    def more() -> deque[pytest.Item]:
        line.send(None)
        return deque(session.items[place] for place in line.recv())

    row = more()
    while row:
        item = row.popleft()
        row = row or more()
        yield item, row[0] if row else None


class _Reporter:
    """Sends what tests come to."""

    def __init__(self, config: pytest.Config, line: Connection) -> None:
        self._config, self._line = config, line

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        self._line.send(self._config.hook.pytest_report_to_serializable(config=self._config, report=report))
