"""Live: puts a mutant into this process and runs tests on it; called in a forked child, which ends with it.

A mutant inside a function takes the place of the function's code wherever the function is held: in a class, a table of
functions, behind a decorator. What was computed with the old code is forgotten.
"""

from __future__ import annotations

import ast
import functools
import gc
import os
import resource
import signal
import sys
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from types import CodeType, FunctionType
from typing import Any

import pytest
from _pytest.runner import runtestprotocol

from tests.mutation.mutants import SOURCE, Mutant

MEMORY_BYTES = 4 * 2**30
STUCK_SECONDS = 10.0
"""CPU seconds more than ten times its usual, after which a test counts as stuck."""
WALL_SECONDS = 300.0


class Tell:
    """What a child tells its parent, a line at a time: its number, each test it begins, and what came of it."""

    def __init__(self, pipe: int, seconds: Mapping[str, float]) -> None:
        self.pipe, self.seconds = pipe, seconds
        self._say("child", str(os.getpid()))
        signal.signal(signal.SIGPROF, signal.SIG_DFL)
        signal.signal(signal.SIGALRM, signal.SIG_DFL)
        signal.setitimer(signal.ITIMER_REAL, WALL_SECONDS)
        used = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[0]) * resource.getpagesize()
        resource.setrlimit(resource.RLIMIT_AS, (used + MEMORY_BYTES, resource.RLIM_INFINITY))

    def _say(self, kind: str, what: str = "") -> None:
        os.write(self.pipe, f"{kind} {what}\n".encode())

    def begun(self, test: str) -> None:
        """A test begins: if it takes far longer than usual, the process ends here."""
        signal.setitimer(signal.ITIMER_PROF, STUCK_SECONDS + 10 * self.seconds.get(test, 0.0))
        self._say("begun", test)

    def killed(self, test: str) -> None:
        """A test failed."""
        self._say("killed", test)

    def survived(self) -> None:
        """No test failed."""
        self._say("survived")

    def unfit(self) -> None:
        """The change cannot be made in a running process."""
        self._say("unfit")


class Live:
    """The functions and caches of a process that has everything imported and all tests collected."""

    def __init__(self, items: list[pytest.Item]) -> None:
        self.items = {item.nodeid: item for item in items}
        gc.unfreeze()  # what is frozen is not listed
        gc.collect()
        self.functions: dict[tuple[str, str], list[FunctionType]] = defaultdict(list)
        self.caches: list[Any] = []
        for one in gc.get_objects():
            if isinstance(one, FunctionType) and one.__code__.co_filename.startswith(str(SOURCE)):
                self.functions[one.__code__.co_filename, one.__code__.co_qualname].append(one)
            elif isinstance(one, functools._lru_cache_wrapper):
                self.caches.append(one)
        gc.freeze()
        self.imports = _imports()

    def put(self, mutant: Mutant) -> bool:
        """Change the function in this process; say whether that was possible."""
        top = mutant.scope.top
        if top is None:
            return False
        first = min([top.lineno, *(one.lineno for one in top.decorator_list)])
        for code in _codes(mutant.compiled()):
            if code.co_firstlineno == first and code.co_name == top.name:
                held = self.functions.get((str(mutant.source.path), code.co_qualname), [])
                held = [one for one in held if one.__code__.co_firstlineno == first]
                if not held or any(len(one.__code__.co_freevars) != len(code.co_freevars) for one in held):
                    return False
                for function in held:
                    function.__code__ = code
                self.forget(f"letitride.{mutant.module}")
                return True
        return False

    def forget(self, module: str) -> None:
        """Empty every cache that may hold what a module computed."""
        for cache in self.caches:
            if module in self.imports(cache.__module__):
                cache.cache_clear()

    def run(self, tests: list[str], tell: Tell, folder: Path) -> None:
        """Run tests until one fails, and tell of each before it begins."""
        items = [self.items[test] for test in tests]
        folder.mkdir()
        items[0].config._tmp_path_factory._basetemp = folder  # type: ignore[attr-defined]  # each child has its own
        for item, following in zip(items, [*items[1:], None], strict=True):
            tell.begun(item.nodeid)
            if any(report.failed for report in runtestprotocol(item, log=False, nextitem=following)):
                tell.killed(item.nodeid)
                return
        tell.survived()


def _codes(code: CodeType) -> Iterator[CodeType]:
    for const in code.co_consts:
        if isinstance(const, CodeType):
            yield const
            yield from _codes(const)


def _imports() -> Callable[[str], frozenset[str]]:
    """Return a function that says which modules of the project a module imports, itself included."""
    direct: dict[str, set[str]] = {}
    for name, module in list(sys.modules.items()):
        path = getattr(module, "__file__", None)
        if path and name.partition(".")[0] in {"letitride", "tests"} and path.endswith(".py"):
            direct[name] = set(_named_in(ast.parse(Path(path).read_text(encoding="utf-8"))))

    @functools.cache
    def reached(name: str) -> frozenset[str]:
        seen, left = set(), [name]
        while left:
            one = left.pop()
            if one not in seen:
                seen.add(one)
                left += [inner for inner in direct.get(one, ()) if inner in direct]
        return frozenset(seen)

    return reached


def _named_in(tree: ast.Module) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (one.name for one in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.module
            yield from (f"{node.module}.{one.name}" for one in node.names)
