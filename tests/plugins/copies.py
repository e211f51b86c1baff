"""Copies: runs the tests in copies of this process, made when everything is collected; each takes files one after the other.

What is imported and collected once is there in all of them. The files that take longest are handed out first
(tests/plugins/pace.py); what a copy reports is told here, as if the tests had run here.
"""

from __future__ import annotations

import atexit
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

from tests.plugins.pace import file_of, row_of_files

GRACE_SECONDS = 30.0
"""How long a copy has to end its servers, browsers and databases when the run is interrupted."""
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
                for line in wait(list(self._copies)):
                    self._hear(self._copies[line])  # type: ignore[index]  # what it waits for are connections
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
            copy.left += row
            with suppress(BrokenPipeError):
                copy.line.send(row)
            return
        self._tell(self._hook.pytest_report_from_serializable(config=self._session.config, data=said), copy)

    def _tell(self, report: pytest.TestReport, copy: _Copy) -> None:
        self._hook.pytest_runtest_logreport(report=report)
        if report.when == "teardown":
            copy.left.remove(self._place[report.nodeid])
            self._hook.pytest_runtest_logfinish(nodeid=report.nodeid, location=report.location)

    def _gone(self, copy: _Copy) -> None:
        """See a copy off; one that leaves tests behind died by the first of them, and another takes the rest."""
        del self._copies[copy.line]
        copy.line.close()
        _, status = os.waitpid(copy.pid, 0)
        if not copy.left or self._session.shouldfail:
            return
        item = self._session.items[copy.left[0]]
        code = os.waitstatus_to_exitcode(status)
        said = f"the process that ran it ended with exit code {code}"
        self._hook.pytest_runtest_logreport(
            report=pytest.TestReport(item.nodeid, item.location, {}, "failed", said, "call")
        )
        if left := copy.left[1:]:
            self._rows.appendleft(left)
            self._begin(copy.number)

    def _end(self) -> None:
        """Ask copies that are still there to end, and kill those that do not."""
        for copy in self._copies.values():
            with suppress(ProcessLookupError):
                os.kill(copy.pid, signal.SIGINT)
        end = time.monotonic() + GRACE_SECONDS
        for copy in self._copies.values():
            while os.waitpid(copy.pid, os.WNOHANG) == (0, 0):
                if time.monotonic() > end:
                    os.kill(copy.pid, signal.SIGKILL)
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
