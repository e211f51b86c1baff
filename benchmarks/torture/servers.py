"""Servers: the processes of a house under test: started, stopped, killed, frozen, with a wrong clock or a full disk."""

from __future__ import annotations

import asyncio
import os
import resource
import signal
import socket
import subprocess
import sys
import time
from contextlib import suppress
from itertools import count
from pathlib import Path

import httpx

TABLES = 5
START_SECONDS = 300.0
"""How long a server may take to show its tables, on a machine with much else to do."""
WAITS = (
    "import sys, letitride.cli.house.serve, letitride.server.app; from letitride.cli.main import run; "
    "sys.stdin.readline(); run()"
)
"""A server that has loaded its code and waits for a word to begin: a restart takes but a moment."""
_PORTS = count(14_000 + os.getpid() % 5_000)
RATES = (
    "messages_of",
    "messages_by",
    "messages_from",
    "sockets_of",
    "chips_of",
    "calls_from",
    "calls_of",
    "guests_from",
)
"""What is counted by person and by address: here all people come from one."""


def free_port() -> int:
    """Return a port that nothing listens at, and that no connection takes which goes out while a server is away."""
    for port in _PORTS:
        with socket.socket() as free, suppress(OSError):
            free.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            free.bind(("127.0.0.1", port))
            return port
    raise AssertionError


class Server:
    """One server, which comes back at the same address on the same database."""

    def __init__(self, folder: Path, database: str, *, lease_ms: int = 1_000, older: Path | None = None) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self.folder, self.database, self._lease_ms, self._older = folder, database, lease_ms, older
        """The checkout of an earlier version that it runs until it is upgraded."""
        self.port = free_port()
        self.base = f"http://127.0.0.1:{self.port}"
        self.clock = folder / "clock"
        self.set_clock(0)
        (folder / "house.toml").write_text(
            "[rates]\n" + "".join(f"{name} = 600000\n" for name in RATES), encoding="ascii"
        )
        self.process: subprocess.Popen[bytes] | None = None
        self._next: subprocess.Popen[bytes] | None = None

    def _launch(self) -> subprocess.Popen[bytes]:
        paces = ["--pace", "0.005", "--pace-bets", "0.2", "--pace-decision", "3"]
        where = ["--port", str(self.port), "--address", self.base, "--db", self.database, "--no-browser"]
        where += ["--config", str(self.folder / "house.toml"), "--workers", "1"]
        here = str(Path(__file__).parent / "clock")
        environ = {
            **os.environ,
            "LETITRIDE_DATA_DIR": str(self.folder),
            "LETITRIDE_LEASE_MS": str(self._lease_ms),
            "LETITRIDE_DECK_KEY": str(self.folder.parent / "house.key"),  # one for all servers of the house
            "TORTURE_CLOCK": str(self.clock),
            "PYTHONPATH": os.pathsep.join(filter(None, (here, self._source, os.environ.get("PYTHONPATH")))),
        }
        with (self.folder / "server.log").open("ab") as log:
            return subprocess.Popen(
                [sys.executable, "-c", WAITS, "serve", *where, *paces],
                stdin=subprocess.PIPE,
                stdout=log,
                stderr=log,
                env=environ,
            )

    @property
    def _source(self) -> str:
        return str(self._older / "src") if self._older else ""

    def upgrade(self) -> None:
        """Run the version of this checkout from the next start on."""
        self._older = None
        if self._next is not None:
            self._next.kill()
            self._next.communicate()
            self._next = None

    def start(self) -> None:
        """Begin, and have the next one wait."""
        self.process = self._next or self._launch()
        self._next = self._launch()
        assert self.process.stdin is not None  # noqa: S101 - it is a pipe
        with suppress(OSError):
            self.process.stdin.write(b"\n")
            self.process.stdin.close()

    @property
    def alive(self) -> bool:
        """Whether the process runs."""
        return self.process is not None and self.process.poll() is None

    def send(self, number: int) -> None:
        """Send the process a signal."""
        if self.process is not None and self.alive:
            self.process.send_signal(number)

    def stop(self, number: int = signal.SIGKILL) -> None:
        """End it and wait until it is gone."""
        if self.process is not None and self.alive:
            self.process.send_signal(number)
            try:
                self.process.wait(30)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()

    def set_clock(self, seconds: float) -> None:
        """Let its wall clock be wrong by so many seconds."""
        beside = self.clock.with_suffix(".new")
        beside.write_text(str(seconds), encoding="ascii")
        os.utime(beside, (time.time(), time.time()))
        beside.replace(self.clock)

    def let_files_grow(self, most: int = -1) -> None:
        """Let no file of the process grow beyond so many bytes, as a full disk does; or any, with -1."""
        if self.process is not None and self.alive:
            with suppress(ProcessLookupError):
                _, hard = resource.prlimit(self.process.pid, resource.RLIMIT_FSIZE)
                resource.prlimit(self.process.pid, resource.RLIMIT_FSIZE, (most, hard))

    def end(self) -> None:
        """End it for good, with the one that waits to follow."""
        self.stop()
        if self._next is not None:
            self._next.kill()
            self._next.communicate()

    def log(self) -> str:
        """Return the last words of its log."""
        path = self.folder / "server.log"
        return "\n".join(path.read_text(encoding="utf-8", errors="replace").splitlines()[-12:]) if path.exists() else ""


async def ready(server: Server, client: httpx.AsyncClient) -> bool:
    """Wait until a server shows every table, or has died; whether it does."""
    end = time.monotonic() + START_SECONDS
    while time.monotonic() < end and server.alive:
        with suppress(httpx.HTTPError, ValueError, TypeError):
            found = await client.get(f"{server.base}/api/tables", timeout=5)
            if found.status_code == 200 and len(found.json()) >= TABLES:
                return True
        await asyncio.sleep(0.05)
    return False
