"""Relevance: how much a test has to do with a mutant, by the words they share; it only orders, it leaves nothing out.

A test's words are those of its function, and of the keys, steps, rulings and functions of the clauses it is marked
with. A word that few tests have counts more.
"""

from __future__ import annotations

import ast
import inspect
import math
import re
from collections import Counter, defaultdict
from functools import cache
from itertools import pairwise
from typing import TYPE_CHECKING

from tests.mutation.mutants import ROOT, Mutant, header

if TYPE_CHECKING:
    import pytest

_WORD = re.compile(r"[A-Za-z_]{4,}")


class Relevance:
    """Scores tests for mutants."""

    def __init__(self, items: dict[str, pytest.Item]) -> None:
        self.tests: dict[str, list[str]] = defaultdict(list)
        """The tests that have a word."""
        seen: Counter[str] = Counter()
        for name, item in items.items():
            for word in _words_of(item):
                self.tests[word].append(name)
                seen[word] += 1
        self.weights = {word: math.log(len(items) / number) for word, number in seen.items()}

    def scores(self, mutant: Mutant) -> Counter[str]:
        """Return how much each test has to do with a mutant; a test that is not named has nothing."""
        found: Counter[str] = Counter()
        for word in _words_of_mutant(mutant):
            for test in self.tests.get(word, ()):
                found[test] += self.weights[word]  # type: ignore[assignment]  # a score, no count
        return found


def _words_of_mutant(mutant: Mutant) -> set[str]:
    words = {*_WORD.findall(mutant.was), *_WORD.findall(mutant.function), *mutant.scope.defines}
    if mutant.scope.top is None:
        return words | _entry_of(mutant)  # its statement may be a table with hundreds of words
    for node in header(mutant.scope.statement) if mutant.scope.statement else ():
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            words |= set(_WORD.findall(node.value))
        elif isinstance(node, ast.Attribute):
            words.add(node.attr)
    return words


def _entry_of(mutant: Mutant) -> set[str]:
    """Return the words of the key whose value a mutant is in, where it is in a table."""
    way = [*mutant.scope.above, mutant.node]
    for table, inner in pairwise(way):
        if isinstance(table, ast.Dict) and inner in table.values:
            key = table.keys[table.values.index(inner)]
            return set(_WORD.findall(ast.unparse(key))) if key else set()
    return set()


def _words_of(item: pytest.Item) -> set[str]:
    words = set(_WORD.findall(item.nodeid)) | _in_file(item.nodeid.partition("::")[0])
    function = getattr(item, "function", None)
    if function is not None:
        words |= _in_function(function)
    for mark in item.iter_markers("clause"):
        words.update(*map(_in_clause, mark.args))
    return words


@cache
def _in_function(function: object) -> frozenset[str]:
    try:
        return frozenset(_WORD.findall(inspect.getsource(inspect.unwrap(function))))  # type: ignore[arg-type]  # a test
    except OSError:
        return frozenset()


@cache
def _in_file(name: str) -> frozenset[str]:
    """Return the words of the imports of a file of tests: what it is about."""
    path = ROOT / name
    if path.suffix != ".py":
        return frozenset()
    tree = ast.parse(path.read_text(encoding="utf-8"))
    return frozenset(
        one.name for node in tree.body if isinstance(node, ast.ImportFrom | ast.Import) for one in node.names
    )


@cache
def _in_clause(name: str) -> frozenset[str]:
    from letitride.rules import catalog  # noqa: PLC0415 - only a process of tests may import it

    clause = catalog.clause(name)
    told = (*clause.keys, *clause.steps, *clause.rulings, *clause.code)
    return frozenset(word for one in told for word in _WORD.findall(one))
