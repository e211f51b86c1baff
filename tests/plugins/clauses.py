"""Clause marks: checks them, runs a test under the books of its clauses, and records what passed.

`@pytest.mark.clause("sm:bonus.deal.6c")` says that the test proves the clause. A test that asks for
the fixture `book` runs once under every published book that has the clauses' documents, so that a
test of the manufacturer's manuals runs under the Washington packet too; `@pytest.mark.books(...)`
names other books.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from letitride.rules import catalog
from letitride.rules.rulebook import RuleBook

_RESULTS = pytest.StashKey[dict[str, dict[str, Any]]]()


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--clause-results", metavar="FILE", help="write the results of clause-marked tests as JSON")


def pytest_configure(config: pytest.Config) -> None:
    config.stash[_RESULTS] = {}


def clauses_of(node: pytest.Item | pytest.Function) -> list[str]:
    """Return the clauses a test is marked with."""
    return [clause for mark in node.iter_markers("clause") for clause in mark.args]


def book_of(item: pytest.Item) -> str | None:
    """Return the id of the book a test runs under, if it asked for one."""
    callspec = getattr(item, "callspec", None)
    return callspec.params.get("book") if callspec else None


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "book" not in metafunc.fixturenames:
        return
    named = [book for mark in metafunc.definition.iter_markers("books") for book in mark.args]
    wanted = {clause.partition(":")[0] for clause in clauses_of(metafunc.definition)}
    books = named or [
        book_id for book_id in catalog.rulebook_ids() if wanted & set(catalog.documents(catalog.rulebook(book_id)))
    ]
    if not books:
        raise pytest.UsageError(f"{metafunc.definition.nodeid} asks for a book and names no clause and no books")
    metafunc.parametrize("book", books, indirect=True)


@pytest.fixture
def book(request: pytest.FixtureRequest) -> RuleBook:
    """The rule book in force."""
    return catalog.rulebook(request.param)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        for clause in clauses_of(item):
            if clause not in catalog.register():
                raise pytest.UsageError(f"{item.nodeid} is marked with the unknown clause {clause!r}")


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Any:
    report = yield
    if clauses := clauses_of(item):
        report.user_properties.append(("clauses", {"clauses": clauses, "book": book_of(item)}))
    return report


class _Recorder:
    """Gathers reports, from this process or from copies of it."""

    def __init__(self, config: pytest.Config) -> None:
        self.results = config.stash[_RESULTS]

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        facts = dict(report.user_properties).get("clauses")
        if facts is None:
            return
        result = self.results.setdefault(report.nodeid, {**facts, "passed": False, "failed": False})
        result["passed"] |= report.when == "call" and report.passed
        result["failed"] |= report.failed or report.skipped


@pytest.hookimpl(trylast=True)
def pytest_sessionstart(session: pytest.Session) -> None:
    if session.config.getoption("--clause-results"):
        session.config.pluginmanager.register(_Recorder(session.config))


def pytest_sessionfinish(session: pytest.Session) -> None:
    target = session.config.getoption("--clause-results")
    if target:
        tests = [{"test": name, **facts} for name, facts in session.config.stash[_RESULTS].items()]
        Path(target).write_text(json.dumps(tests, indent=1), encoding="utf-8")
