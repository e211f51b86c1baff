"""Mutations: sets each key of each published book to another legal value and asks whether a test notices what follows.

For every key that a clause of the book carries, the tests marked with those clauses run in a forked
child in which that one value is different, for all but those who only read it: the tests, and what
prints books, are told the published value. So a key is caught when a test fails by what the code did
with the value, and never by the value itself.
"""

from __future__ import annotations

import json
import os
import re
import sys
import time
from collections.abc import Iterator, Sequence
from itertools import islice, permutations
from pathlib import Path
from types import FrameType
from typing import Any

import msgspec
import pytest
from _pytest.runner import runtestprotocol
from msgspec import inspect

from letitride.errors import InvalidData
from letitride.rules import catalog, chapters, explain, keyspec, rulebook
from letitride.rules.keys import Rules, Terms
from letitride.rules.keys.table import PLAIN_MODE
from letitride.rules.keyspec import KEYS, KeySpec
from letitride.rules.rulebook import RuleBook, Source
from tests.plugins.clauses import book_of, clauses_of

CAUGHT, MISSED, UNTESTED, BOUND, UNTRIED = "caught", "missed", "untested", "bound", "untried"
VALUES = 6
"""How many other values of a key are tried at most: a list of paytables has dozens."""
ORDERED = {"dispute", "layout.spots"}
"""Lists whose order means something; the others are sets, however they are printed."""
TESTS = str(Path(__file__).parent.parent)
PAYTABLES = Terms.__dict__["paytables"]
PRINTS = (explain.__file__, chapters.__file__)
TELLS = ("RuleBook.value", "RuleBook.values", "RuleBook.shown")
"""What a rule book tells of its values: to tests, to print, for its digest."""


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--mutations", metavar="FILE", help="run the mutation proof and write its report as JSON")
    parser.addoption("--mutation-keys", metavar="REGEX", default="", help="only these of 'book key'")
    parser.addoption("--mutation-seconds", type=float, default=3600.0, help="how long the mutation proof may take")


@pytest.hookimpl(tryfirst=True)
def pytest_runtestloop(session: pytest.Session) -> bool | None:
    target = session.config.getoption("--mutations")
    if not target:
        return None
    deadline = time.monotonic() + session.config.getoption("--mutation-seconds")
    wanted = session.config.getoption("--mutation-keys")
    first = catalog.rulebook(catalog.rulebook_ids()[0])
    if (failing := _first_to_fail(session.items, first, None, in_force=first)) is not None:
        raise pytest.UsageError(f"{session.items[failing].nodeid} fails without any mutation: mend that first")
    report = [
        {"book": book_id, "key": name, **row}
        for book_id in catalog.rulebook_ids()
        for name in catalog.rulebook(book_id).values()
        if _is_ruled(catalog.rulebook(book_id), name) and re.search(wanted, f"{book_id} {name}")
        for row in _try_key(session.items, book_id, name, deadline)
    ]
    Path(target).write_text(json.dumps(report, indent=1), encoding="utf-8")
    return True


def _is_ruled(book: RuleBook, name: str) -> bool:
    """Whether a clause of the book's documents rules a key; what is ruled by omission has no clause to mark."""
    documents = catalog.documents(book)
    named = any(name in clause.keys and clause.document in documents for clause in catalog.register().values())
    return named and book.origins[name].source is Source.DOCUMENT


def _try_key(items: list[pytest.Item], book_id: str, name: str, deadline: float) -> Iterator[dict[str, Any]]:
    """Yield what came of every other value of a key that fits the book, or of the first that fits with others changed."""
    book = catalog.rulebook(book_id)
    fitting = list(mutants(book, KEYS[name]))[:VALUES] or list(islice(mutants(book, KEYS[name], companions=5), 1))
    if not fitting:
        yield {"result": BOUND}
    tests = [item for item in items if _concerns(item, book, name)]
    for mutant in fitting:
        changed = [
            key for key, spec in KEYS.items() if key != name and spec.read(mutant.rules) != spec.read(book.rules)
        ]
        facts = {"value": msgspec.to_builtins(mutant.value(name)), "with": changed}
        if time.monotonic() > deadline:
            yield {**facts, "result": UNTRIED}
        elif not tests:
            yield {**facts, "result": UNTESTED}
        else:
            yield {**facts, "result": CAUGHT if _noticed(tests, book_id, mutant) else MISSED}


def _concerns(item: pytest.Item, book: RuleBook, name: str) -> bool:
    under = book_of(item)
    if under is not None and under.partition("+")[0] != book.id:
        return False
    documents = catalog.documents(book)
    return any(
        name in catalog.clause(clause).keys and catalog.clause(clause).document in documents
        for clause in clauses_of(item)
    )


def mutants(book: RuleBook, spec: KeySpec, companions: int = 0) -> Iterator[RuleBook]:
    """Yield the book with another legal value of a key, and with up to so many other keys changed to fit it."""
    for value in _other_values(book, spec):
        yield from _fitted(book, {spec.name: value}, companions)


def _fitted(book: RuleBook, values: dict[str, Any], companions: int) -> Iterator[RuleBook]:
    try:
        yield book.with_values(values, Source.DOCUMENT, "mutant")
    except InvalidData as error:
        at_fault = str(error).split(": ")[1]
        if companions and at_fault not in values:
            for value in _companions(book, KEYS[at_fault]):
                yield from _fitted(book, {**values, at_fault: value}, companions - 1)


def _companions(book: RuleBook, spec: KeySpec) -> Iterator[Any]:
    yield from _other_values(book, spec)
    if spec.name == "settle.bets_order":
        yield from permutations(("base", "three_card", "bonus", "cover_all"))  # for a wager that is offered now


def _other_values(book: RuleBook, spec: KeySpec) -> Iterator[Any]:
    value = spec.read(book.rules)
    yield from (other for other in _candidates(inspect.type_info(spec.annotation), book, spec, value) if other != value)


def _candidates(info: Any, book: RuleBook, spec: KeySpec, value: Any) -> Iterator[Any]:
    match info:
        case inspect.Metadata(type=inner):
            yield from _candidates(inner, book, spec, value)
        case inspect.UnionType(types=kinds):
            for kind in kinds:
                yield from _candidates(kind, book, spec, value)
        case inspect.NoneType():
            yield None
        case inspect.LiteralType(values=values):
            yield from values
        case inspect.BoolType():
            yield not value
        case inspect.IntType(ge=least):
            yield from (value + 1, value - 1) if isinstance(value, int) else (least or 1,)
        case inspect.StrType() if spec.name == "shuffler.mode":
            yield from (PLAIN_MODE, *(name for name, wager in book.wagers.items() if "models" in wager.keys))
        case inspect.StrType():
            yield from _paytables(book, spec.name) if ".paytable" in spec.name else ("another",)
            if value and ".paytable" not in spec.name:
                yield f"{value}1"  # a later release
        case inspect.VarTupleType() if spec.name == "settle.bets_order":
            yield from permutations(value)  # what is not offered has no place in the order
        case inspect.VarTupleType(item_type=item):
            held = value or ()
            yield held[:-1]
            if spec.name in ORDERED:
                yield tuple(reversed(held))
            for extra in _candidates(item, book, spec, None):
                yield (*held, extra)


def _paytables(book: RuleBook, name: str) -> list[str]:
    """Return the paytables that price a wager, those the book lists first."""
    wager = name.partition(".")[0]
    fit = [table_id for table_id in catalog.paytable_ids() if wager in catalog.paytable(table_id).pays]
    return sorted(fit, key=lambda table_id: table_id not in book.value(f"{wager}.paytables"))


def _noticed(tests: list[pytest.Item], book_id: str, mutant: RuleBook) -> bool:
    """Whether a test fails with one published book changed, and by that change alone."""
    book = catalog.rulebook(book_id)
    left = tests
    while (failing := _first_to_fail(left, book, mutant, in_force=mutant)) is not None:
        # A test that reads the same value elsewhere is misled by what it is told: with the book unchanged it fails too.
        if _first_to_fail([left[failing]], book, mutant, in_force=book) is None:
            return True
        left = left[failing + 1 :]
    return False


def _first_to_fail(tests: list[pytest.Item], book: RuleBook, mutant: RuleBook | None, in_force: RuleBook) -> int | None:
    """Run tests in a forked child, which takes what it changes with it; return the place of the first that fails."""
    answers, answer = os.pipe()
    child = os.fork()
    if child == 0:
        if mutant is not None:
            _change(book, mutant, in_force)
        failing = next((place for place, test in enumerate(tests) if _run(test)), None)
        os.write(answer, json.dumps(failing).encode())
        os._exit(0)
    os.close(answer)
    with os.fdopen(answers) as told:
        found = told.read()
    os.waitpid(child, 0)
    if not found:
        raise pytest.UsageError("the tests of a changed book ended without an answer")
    place: int | None = json.loads(found)
    return place


def _change(book: RuleBook, mutant: RuleBook, in_force: RuleBook) -> None:
    """Put a book in the place of a published one, in this process, and conceal from readers what differs."""
    for spec in KEYS.values():
        if spec.read(book.rules) != spec.read(mutant.rules):
            of = [one.rules.wagers[spec.wager].paytables for one in (book, mutant)] if spec.wager else []
            setattr(*concealed(spec, told=spec.read(book.rules), held=spec.read(mutant.rules), paytables=of))
    published = catalog._published_rulebook
    catalog._published_rulebook = lambda wanted: in_force if wanted == book.id else published(wanted)
    catalog._published_table_rules.cache_clear()


def _run(test: pytest.Item) -> bool:
    """Run a test in this process; return whether it failed."""
    return any(report.failed for report in runtestprotocol(test, log=False, nextitem=None))


def concealed(spec: KeySpec, told: Any, held: Any, paytables: Sequence[Any] = ()) -> tuple[type, str, property]:
    """Return what to set so that those who only read a key are told one value where books hold another.

    The code that carries rules out still gets what books hold. The terms of all wagers are of one type: those of a wager
    are known by their `paytables`.
    """
    section = Terms() if spec.wager else Rules() if not spec.section else getattr(Rules(), spec.section)
    owner, name = type(section), spec.name.rpartition(".")[2]
    slot = owner.__dict__[name]

    def read(self: object) -> Any:
        value = slot.__get__(self, owner)
        meant = not spec.wager or name == "paytables" or PAYTABLES.__get__(self, Terms) in paytables
        return told if value == held and meant and only_reads(sys._getframe(1)) else value

    return owner, name, property(read)


def only_reads(frame: FrameType) -> bool:
    """Whether a value is read by a test, or by what prints books."""
    reader: FrameType | None = frame
    while reader is not None and reader.f_code.co_filename == keyspec.__file__:
        reader = reader.f_back  # a key reads its value for whoever asked it
    if reader is None:
        return False
    where = reader.f_code.co_filename
    if where == rulebook.__file__:
        return reader.f_code.co_qualname.removesuffix(".<locals>.<dictcomp>") in TELLS
    return where in PRINTS or where.startswith(TESTS)
