"""Reach: which test executes which lines of the mutated rooms, measured once and kept; it judges nothing.

Lines are kept by function, counted from its `def`, so that what was measured holds when a function moves. A test file
that changed is measured again.
"""

from __future__ import annotations

import ast
import gzip
import hashlib
import json
import os
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from tests.mutation.mutants import ROOT, Function, Module, Mutant, defined, module_names

FOLDER = ROOT / ".mutation"
KEPT = FOLDER / "reach.json.gz"
TESTS = (
    "tests/rules",
    "tests/engine",
    "tests/ledger",
    "tests/records",
    "tests/clauses",
    "tests/autoplay",
    "tests/training",
    "tests/analysis",
    "tests/simulation/test_fuzz.py",
    "tests/storage/test_codec.py",
    "tests/cli/test_commands.py",
    "tests/cli/test_play.py",
    "tests/reports/test_shift.py",
    "tests/storage/test_past.py",
    "tests/server/routes/test_exports.py",
    "tests/server/tables/test_history.py",
    "tests/server/tables/test_private.py",
    "tests/promises/test_12_years_later.py",
    "tests/promises/test_15_digests.py",
    "tests/promises/test_16_irregularities.py",
    "README.md",
    "docs",
)
"""The tests that run in their own process: a mutant does not reach a server or a browser that a test starts."""
IMPORT = "(import)"
TEST_SECONDS_MAX = 5.0
"""A test that takes longer is not used: a thousand quicker ones are."""


@dataclass
class Reach:
    """What is known about the tests."""

    seconds: dict[str, float] = field(default_factory=dict)
    """How long each test takes."""
    lines: dict[str, dict[str, int]] = field(default_factory=lambda: defaultdict(dict))
    """{'engine.agenda:dealing': {test: the lines it executes, as bits}}."""
    breadth: dict[str, int] = field(default_factory=lambda: defaultdict(int))
    """How many functions each test reaches."""
    variants: dict[str, int] = field(default_factory=dict)
    """Which case of its test function each test is, from 0."""
    of_module: dict[str, frozenset[str]] = field(default_factory=dict)
    """The tests that reach each module, as far as they were asked for."""
    at_import: dict[str, int] = field(default_factory=dict)
    """{'rules.cards:_make': the lines that run before any test does, as bits}."""

    def price_of_breadth(self, test: str) -> float:
        """Return what a test takes for what it reaches; a quarter of a second is as good as none."""
        return (self.seconds[test] + 0.25) / (1 + self.breadth[test])

    def tests_of(self, mutant: Mutant) -> list[str]:
        """Return the tests that execute the line of a mutant, or that use what it defines where it runs at import."""
        if mutant.scope.top is None:
            return self._using(mutant, frozenset(mutant.scope.defines))
        rows = self.lines.get(f"{mutant.module}:{top_name(mutant)}", {})
        return [test for test, bits in rows.items() if bits & _bits(mutant)]

    def tests_of_import(self, mutant: Mutant) -> list[str]:
        """Return the tests that may notice a mutant of a function that runs before any test does, if it is one."""
        if mutant.scope.top is None or not self.at_import.get(f"{mutant.module}:{top_name(mutant)}", 0) & _bits(mutant):
            return []
        reached = self.tests_of(mutant)
        own = [test for test in self.own_tests(mutant.module) if test not in reached]
        return [*reached, *own] or self._using(mutant, frozenset({mutant.scope.top.name}))

    def own_tests(self, module: str) -> list[str]:
        """Return the tests of the files that mirror a module, or the package it is in: test_view.py, test_view_parts.py."""
        mirror = "tests/{}/test_{}".format(*f"{module}.".split("."))
        return [test for test in self.seconds if test.startswith((f"{mirror}.py::", f"{mirror}_"))]

    def _using(self, mutant: Mutant, names: frozenset[str]) -> list[str]:
        found = {test for user in _users(names) for test in self.lines.get(user, ())}
        if not found and (further := _defined_with(mutant.source, names) - names):
            return self._using(mutant, names | further)
        return list(found | {*self.own_tests(mutant.module)} or self.tests_of_module(mutant.module))

    def tests_of_module(self, module: str) -> frozenset[str]:
        """Return the tests that reach any function of a module."""
        if module not in self.of_module:
            rows = [rows for name, rows in self.lines.items() if name.startswith(f"{module}:")]
            self.of_module[module] = frozenset(test for row in rows for test in row)
        return self.of_module[module]


def _bits(mutant: Mutant) -> int:
    """Return the lines of a mutant, counted from the `def` around it."""
    assert mutant.scope.top is not None
    return sum(1 << (line - mutant.scope.top.lineno) for line in mutant.lines if line >= mutant.scope.top.lineno)


def top_name(mutant: Mutant) -> str:
    """Return the qualified name of the outermost function around a mutant."""
    names = [one.name for one in mutant.scope.above if isinstance(one, ast.ClassDef)]
    assert mutant.scope.top is not None
    return ".".join([*names[:1], mutant.scope.top.name]) if names else mutant.scope.top.name


def _users(names: frozenset[str], known: dict[str, set[str]] = {}) -> set[str]:  # noqa: B006 - made once for all
    """Return the functions of the rooms that name one of some names."""
    if not known:
        for module in map(Module, module_names()):
            for name, node in functions(module.tree):
                for one in ast.walk(node):
                    for mentioned in (getattr(one, "id", None), getattr(one, "attr", None), getattr(one, "arg", None)):
                        if isinstance(mentioned, str):
                            known.setdefault(mentioned, set()).add(f"{module.name}:{name}")
    return set().union(*(known.get(name, set()) for name in names))


def _defined_with(module: Module, names: frozenset[str]) -> frozenset[str]:
    """Return the names that a module defines at import out of some others: the keys whose condition is `_SHUFFLER`."""
    classes = [one.body for one in module.tree.body if isinstance(one, ast.ClassDef)]
    return frozenset(
        name
        for statement in [*module.tree.body, *(inner for body in classes for inner in body)]
        for name in defined(statement)
        if not isinstance(statement, ast.ClassDef)
        and any(isinstance(one, ast.Name) and one.id in names for one in ast.walk(statement))
    )


def functions(tree: ast.Module) -> Iterator[tuple[str, Function]]:
    """Yield the functions and methods of a module by qualified name, not those inside of functions."""
    for node in tree.body:
        if isinstance(node, Function):
            yield node.name, node
        elif isinstance(node, ast.ClassDef):
            yield from ((f"{node.name}.{one.name}", one) for one in node.body if isinstance(one, Function))


def load() -> Reach:
    """Return what was measured."""
    reach = Reach()
    kept = _kept()
    reach.at_import = kept.pop(IMPORT, {})
    for part in kept.values():
        names = [name for name, _ in part["tests"]]
        quick = [seconds is not None and seconds <= TEST_SECONDS_MAX for _, seconds in part["tests"]]
        reach.seconds.update((name, seconds) for (name, seconds), use in zip(part["tests"], quick, strict=True) if use)
        for function, rows in part["reach"].items():
            for bits, tests in rows.items():
                for place in tests:
                    if quick[place]:
                        reach.lines[function][names[place]] = int(bits, 16)
                        reach.breadth[names[place]] += 1
    cases: dict[str, int] = defaultdict(int)
    for name in reach.seconds:
        function = name.partition("[")[0]
        reach.variants[name] = cases[function]
        cases[function] += 1
    return reach


def _kept() -> dict[str, Any]:
    return json.loads(gzip.decompress(KEPT.read_bytes())) if KEPT.exists() else {}


def _digest(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()[:16]


def files() -> list[str]:
    """Return the test files there are."""
    found: list[Path] = []
    for name in TESTS:
        path = ROOT / name
        found += sorted([*path.rglob("test_*.py"), *path.glob("*.md")]) if path.is_dir() else [path]
    return [str(path.relative_to(ROOT)) for path in found]


def refresh(jobs: int = 1) -> None:
    """Measure the test files that are new or have changed, in processes of their own."""
    kept, there = _kept(), files()
    stale = [name for name in there if kept.get(name, {}).get("digest") != _digest(ROOT / name)]
    if stale:
        print(f"mutate: measuring what {len(stale)} test files reach", file=sys.stderr, flush=True)
        kept |= _measured(stale, kept.get(IMPORT, {}), jobs)
    if stale or set(kept) - {*there, IMPORT}:
        _keep({name: part for name, part in kept.items() if name in {*there, IMPORT}})


def _measured(stale: list[str], at_import: dict[str, int], jobs: int) -> dict[str, Any]:
    """Return what is measured of test files, dealt out to a number of processes, the longest files first."""
    measured = (ROOT / "tests" / "data" / "seconds.txt").read_text(encoding="utf-8").split()
    seconds = dict(zip(measured[1::2], map(float, measured[::2]), strict=True))
    stale = sorted(stale, key=lambda name: -seconds.get(name, 0.0))
    environment = {**os.environ, "HYPOTHESIS_PROFILE": "mutate"}
    found: dict[str, Any] = {}
    with tempfile.TemporaryDirectory() as folder:
        targets = [Path(folder) / f"{place}.json" for place in range(min(jobs, len(stale)))]
        started = [
            subprocess.Popen(
                [sys.executable, "-m", "tests.mutation.reach", target, *stale[place :: len(targets)]],
                cwd=ROOT,
                env=environment,
                stdout=subprocess.DEVNULL,
            )
            for place, target in enumerate(targets)
        ]
        for process, target in zip(started, targets, strict=True):
            if process.wait():
                sys.exit("mutate: the tests could not be measured")
            part = json.loads(target.read_text(encoding="utf-8"))
            for name, bits in part.pop(IMPORT).items():
                at_import[name] = at_import.get(name, 0) | bits
            found |= part
    return {**found, IMPORT: at_import}


def _keep(parts: dict[str, Any]) -> None:
    FOLDER.mkdir(exist_ok=True)
    new = KEPT.with_suffix(".new")
    new.write_bytes(gzip.compress(json.dumps(parts).encode(), 3))
    new.replace(KEPT)


def _own_marks(item: pytest.Item) -> list[pytest.Mark]:
    return getattr(getattr(item, "function", None), "pytestmark", [])


class Gather:
    """Measures, as a plugin of pytest, what each test executes and how long it takes."""

    def __init__(self) -> None:
        from coverage import Coverage  # noqa: PLC0415 - only who measures needs it

        self.cover = Coverage(data_file=None, config_file=False, include=[f"{ROOT}/src/letitride/*"], messages=False)
        self.seconds: dict[str, float | None] = {}
        self.cover.start()  # before anything of letitride is imported

    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        """Leave out the tests that call themselves slow: they count to the end of something."""
        items[:] = [item for item in items if not any(mark.name == "slow" for mark in _own_marks(item))]

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Iterator[None]:
        self.seconds.setdefault(item.nodeid, 0.0)
        self.cover.switch_context(item.nodeid)
        start = time.process_time()
        try:
            return (yield)
        finally:
            if self.seconds[item.nodeid] is not None:
                self.seconds[item.nodeid] = round(time.process_time() - start, 4)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if not report.passed:
            self.seconds[report.nodeid] = None

    def parts(self, wanted: Iterable[str]) -> dict[str, Any]:
        """Return what was measured, by test file."""
        found: dict[str, Any] = {
            name: {"digest": _digest(ROOT / name), "tests": [], "reach": defaultdict(lambda: defaultdict(list))}
            for name in wanted
        }
        places: dict[str, tuple[str, int]] = {}
        for test, seconds in self.seconds.items():
            part = found[test.partition("::")[0]]
            places[test] = (test.partition("::")[0], len(part["tests"]))
            part["tests"].append([test, seconds])
        self.cover.stop()
        data = self.cover.get_data()
        at_import: dict[str, int] = {}
        for module in map(Module, module_names()):
            by_line = data.contexts_by_lineno(str(module.path))
            for name, node in functions(module.tree):
                bits: dict[str, int] = defaultdict(int)
                for line in range(node.lineno, (node.end_lineno or node.lineno) + 1):
                    for test in by_line.get(line, ()):
                        bits[test] |= 1 << (line - node.lineno)
                at_import[f"{module.name}:{name}"] = bits.pop("", 0)
                for test, mask in bits.items():
                    if test in places:
                        file, place = places[test]
                        found[file]["reach"][f"{module.name}:{name}"][f"{mask:x}"].append(place)
        return {**found, IMPORT: {name: mask for name, mask in at_import.items() if mask}}


def main() -> None:
    """Measure test files and write what was measured: `python -m tests.mutation.reach TARGET FILE...`."""
    target, *wanted = sys.argv[1:]
    gather = Gather()
    words = ["-q", "-p", "no:cacheprovider", "--continue-on-collection-errors"]
    code = pytest.main([*words, *wanted], plugins=[gather])
    if code not in {pytest.ExitCode.OK, pytest.ExitCode.TESTS_FAILED, pytest.ExitCode.NO_TESTS_COLLECTED}:
        sys.exit(1)
    Path(target).write_text(json.dumps(gather.parts(wanted)), encoding="utf-8")


if __name__ == "__main__":
    main()
