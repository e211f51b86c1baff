"""Forked: the command as a copy of a process that has loaded its code; how an installed one starts is not tested by it.

To load a server takes longer than most of what is tested there. `tests/server/ops/test_serve_command.py` starts it as
people do.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Mapping, Sequence
from multiprocessing import get_context
from pathlib import Path

from letitride.cli.main import run

# With `tests.server` a server hashes passwords as cheaply as a house in a test's own process does.
_LOADED = ["letitride.cli.house.serve", "letitride.server.running", "tests.server", __name__]
_AS_COPIES = get_context("forkserver")
_AS_COPIES.set_forkserver_preload(_LOADED)


class Forked:
    """A process of the command, to be asked and told what any other process is."""

    def __init__(self, words: Sequence[str], log: Path, environ: Mapping[str, str]) -> None:
        # What is left over when the tests end is ended, and not waited for.
        self._process = _AS_COPIES.Process(target=_run, args=(list(words), str(log), dict(environ)), daemon=True)
        self._process.start()
        assert self._process.pid is not None
        self.pid = self._process.pid

    def poll(self) -> int | None:
        """Return its exit code, or nothing while it runs."""
        return self._process.exitcode

    def wait(self, timeout: float | None = None) -> int:
        """Wait for its end, and return its exit code."""
        self._process.join(timeout)
        if (code := self.poll()) is None:
            raise subprocess.TimeoutExpired("letitride", timeout or 0.0)
        return code

    def send_signal(self, number: int) -> None:
        """Send it a signal, if it is there."""
        if self.poll() is None:
            os.kill(self.pid, number)

    def kill(self) -> None:
        """Kill it."""
        self.send_signal(signal.SIGKILL)


def _run(words: list[str], log: str, environ: dict[str, str]) -> None:
    """Be the command, with words and surroundings of its own, and all it says at the end of a file."""
    with Path(log).open("ab") as said:
        for stream in (1, 2):
            os.dup2(said.fileno(), stream)
    os.environ.clear()
    os.environ.update(environ)
    sys.argv = ["letitride", *words]
    run()
