"""Fresh: imports letitride anew with one module changed and runs tests on it, in a child of a process without letitride.

What a module does when it is imported (tables, defaults, class bodies) cannot be changed afterwards. The process kept
for it has everything else imported, so that a child only has to import letitride and some files of tests.
"""

from __future__ import annotations

import contextlib
import importlib
import importlib.abc
import importlib.machinery
import importlib.util
import json
import os
import signal
import socket
import sys
from collections.abc import Mapping
from importlib.machinery import ModuleSpec
from pathlib import Path
from types import CodeType

import pytest

from tests.mutation.live import Tell
from tests.mutation.mutants import ROOT, Module

LIBRARIES = ("hypothesis", "msgspec", "numpy", "numba", "sqlalchemy", "fastapi", "typer", "rich", "httpx", "websockets")
"""What takes long to import; one that is missing is not missed."""
REQUEST_BYTES_MAX = 1 << 20


class Changed(importlib.machinery.SourceFileLoader):
    """Loads a module of letitride with a mutant in it."""

    def __init__(self, name: str, path: Path, code: CodeType) -> None:
        super().__init__(name, str(path))
        self.code = code

    def get_code(self, fullname: str) -> CodeType:  # noqa: ARG002 - the one it was made for
        return self.code


class Finder(importlib.abc.MetaPathFinder):
    """Finds the changed module before the one on disk."""

    def __init__(self, module: Module, code: CodeType) -> None:
        self.name = f"letitride.{module.name}"
        self.module, self.code = module, code

    def find_spec(self, fullname: str, *_: object) -> ModuleSpec | None:
        """Return the changed module where it is asked for."""
        if fullname != self.name:
            return None
        loader = Changed(fullname, self.module.path, self.code)
        return importlib.util.spec_from_file_location(fullname, self.module.path, loader=loader)


class Watch:
    """Tells, as a plugin of pytest, what happened to the wanted tests, in the wanted order."""

    def __init__(self, tell: Tell, wanted: list[str]) -> None:
        self.tell, self.wanted = tell, {test: place for place, test in enumerate(wanted)}
        self.over = False

    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        items[:] = [item for item in items if item.nodeid in self.wanted]
        items.sort(key=lambda item: self.wanted[item.nodeid])

    def pytest_runtest_logstart(self, nodeid: str) -> None:
        self.tell.begun(nodeid)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.failed:
            self._killed(report.nodeid)

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        if report.failed:
            self._killed(f"import of {report.nodeid}")

    def _killed(self, by: str) -> None:
        if not self.over:
            self.over = True
            self.tell.killed(by)
            os._exit(0)


class Zygote:
    """A process that has imported what tests need but letitride, and forks a child for each request."""

    def __init__(self) -> None:
        here, there = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        here.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, REQUEST_BYTES_MAX)
        self.child = os.fork()
        if self.child == 0:
            here.close()
            signal.signal(signal.SIGINT, signal.SIG_IGN)
            _serve(there)
            os._exit(0)
        there.close()
        self.socket = here

    def start(self, module: str, name: str | None, tests: list[str], seconds: Mapping[str, float], folder: Path) -> int:
        """Run tests on a mutant, or without one; return the pipe that tells what came of it."""
        read, write = os.pipe()
        wanted = {
            "module": module,
            "mutant": name,
            "tests": tests,
            "seconds": {test: seconds.get(test, 0.0) for test in tests},
            "folder": str(folder),
        }
        path = folder.with_suffix(".json")
        path.write_text(json.dumps(wanted), encoding="utf-8")
        socket.send_fds(self.socket, [str(path).encode()], [write])
        os.close(write)
        return read


def _serve(there: socket.socket) -> None:
    for library in LIBRARIES:
        with contextlib.suppress(ImportError):
            importlib.import_module(library)
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # nobody waits for the children: their pipes say when they end
    while True:
        data, pipes, _, _ = socket.recv_fds(there, REQUEST_BYTES_MAX, 1)
        if not data:
            return
        if os.fork() == 0:
            signal.signal(signal.SIGCHLD, signal.SIG_DFL)
            there.close()
            _work(Path(data.decode()), pipes[0])
            os._exit(0)
        os.close(pipes[0])


def _work(request: Path, pipe: int) -> None:
    wanted = json.loads(request.read_text(encoding="utf-8"))
    request.unlink()
    tell = Tell(pipe, wanted["seconds"])
    tell.begun("import")
    if wanted["mutant"]:
        module = Module(wanted["module"])
        mutant = next(one for one in module.mutants if one.name == wanted["mutant"])
        sys.meta_path.insert(0, Finder(module, mutant.compiled()))
    out = os.open(os.devnull, os.O_WRONLY)
    os.dup2(out, 1)
    os.dup2(out, 2)
    watch = Watch(tell, wanted["tests"])
    files = list(dict.fromkeys(test.partition("::")[0] for test in wanted["tests"]))
    arguments = ["-q", "-x", "-p", "no:cacheprovider", "--capture=sys", f"--rootdir={ROOT}"]
    arguments += ["-W", "ignore::pytest.PytestAssertRewriteWarning"]  # hypothesis is imported already
    code = pytest.main([*arguments, f"--basetemp={wanted['folder']}", *files], plugins=[watch])
    if code in {pytest.ExitCode.OK, pytest.ExitCode.NO_TESTS_COLLECTED}:
        tell.survived()
    else:
        tell.killed("import")
