"""A real server in a process of its own, on a database in a folder of the test."""

from __future__ import annotations

import os
import signal
import socket
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from functools import cache
from itertools import count
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.cli.forked import Forked
from tests.plugins.copies import NUMBER
from tests.server.guest import PATIENCE

COMMAND = Path(sys.executable).parent / "letitride"
SECONDS = 300
"""How long a server may take to answer, on a machine with much else to do."""


@cache
def _ports() -> Iterator[int]:
    """Ports that no other copy of the tests takes, and no connection that goes out: a killed server gets its own again."""
    copy = os.environ.get(NUMBER)
    return count(20_000 + (1_500 * (int(copy) % 8) + os.getpid() % 1_000 if copy else 331 * os.getpid() % 12_000))


def free_port() -> int:
    """Return a port that no one listens at."""
    for port in _ports():
        with socket.socket() as free, suppress(OSError):
            free.bind(("127.0.0.1", port))
            return port
    raise AssertionError


class Server:
    """A server that can be killed and started again on the same database."""

    lease_ms = 3_000
    workers = 1

    def __init__(self, folder: Path, database: str = "") -> None:
        self.folder = folder
        self.port = free_port()
        self.base = f"http://127.0.0.1:{self.port}"
        self.database = Path(database or folder / "house.db")
        self.address = database or str(self.database)
        self.process: Forked | None = None

    def start(self) -> None:
        """Start it and wait until it answers."""
        self.process = self.launch()
        self.wait()

    def launch(self) -> Forked:
        """Start a process of it."""
        words = ["serve", "--port", str(self.port), "--pace", "0.002", "--db", self.address]
        words += ["--workers", str(self.workers)]
        environ = {**os.environ, "LETITRIDE_DATA_DIR": str(self.folder), "LETITRIDE_LEASE_MS": str(self.lease_ms)}
        return Forked(words, self.folder / "server.log", environ)

    def wait(self) -> None:
        """Wait until it answers."""
        ends = time.monotonic() + SECONDS
        with httpx.Client(base_url=self.base, timeout=PATIENCE, verify=False) as client:
            while time.monotonic() < ends:
                with suppress(httpx.TransportError):
                    # After a kill the tables wait for the leases of the dead to end.
                    if client.get("/healthz").status_code == 200 and len(self.tables()) == 5:
                        return
                time.sleep(0.05)  # a process says nothing to another before it listens
        raise AssertionError((self.folder / "server.log").read_text(encoding="utf-8"))

    def tables(self) -> list[dict[str, Any]]:
        """The tables in the lobby."""
        return list(httpx.get(f"{self.base}/api/tables", timeout=PATIENCE, verify=False).json())

    def stop(self, number: int = signal.SIGTERM) -> int:
        """Stop it, and return its exit code."""
        assert self.process is not None
        self.process.send_signal(number)
        return self.process.wait(SECONDS)


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    """A server that runs."""
    one = Server(tmp_path)
    one.start()
    yield one
    if one.process is not None and one.process.poll() is None:
        one.stop(signal.SIGKILL)
