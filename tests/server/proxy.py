"""Proxy: a line between a node and its database that can be cut, or go silent with everything still open."""

from __future__ import annotations

import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from urllib.parse import parse_qs, urlsplit


class Proxy:
    """Carries octets both ways for as long as it is let."""

    def __init__(self, database: str) -> None:
        parts = urlsplit(database)
        self._target = f"{parse_qs(parts.query)['host'][0]}/.s.PGSQL.5432"
        self._listening = socket.create_server(("127.0.0.1", 0))
        self.url = f"postgresql://{parts.username}@127.0.0.1:{self._listening.getsockname()[1]}{parts.path}"
        self._flows, self._cut = threading.Event(), threading.Event()
        self._flows.set()
        self._open: set[socket.socket] = set()
        self._threads: list[threading.Thread] = []
        self.held = threading.Event()
        """Set when something is on its way and does not come through."""
        self._start(self._accept)

    def stall(self) -> None:
        """Let nothing through any more; no one is told."""
        self.held.clear()
        self._flows.clear()

    def cut(self) -> None:
        """End all connections, and take no more."""
        self._cut.set()
        for one in list(self._open):
            with suppress(OSError):
                one.shutdown(socket.SHUT_RDWR)

    def heal(self) -> None:
        """Let everything through, what was held back first."""
        self._cut.clear()
        self._flows.set()

    def close(self) -> None:
        """End it, and leave nothing that the garbage collector would find open."""
        self._cut.set()
        self._listening.shutdown(socket.SHUT_RDWR)  # wakes who waits for the next connection
        self._threads[0].join()
        self.cut()
        self._flows.set()
        for thread in self._threads:
            thread.join()
        for one in (self._listening, *self._open):
            one.close()

    def _start(self, target: Callable[..., None], *given: socket.socket) -> None:
        self._threads.append(threading.Thread(target=target, args=given, daemon=True))
        self._threads[-1].start()

    def _accept(self) -> None:
        with suppress(OSError):
            while True:
                near, _ = self._listening.accept()
                if self._cut.is_set():
                    near.close()
                    continue
                far = socket.socket(socket.AF_UNIX)
                self._open |= {near, far}
                far.connect(self._target)
                for one, other in ((near, far), (far, near)):
                    self._start(self._carry, one, other)

    def _carry(self, one: socket.socket, other: socket.socket) -> None:
        with suppress(OSError):
            while octets := one.recv(65_536):
                if not self._flows.is_set():
                    self.held.set()
                    self._flows.wait()
                other.sendall(octets)
        for end in (one, other):
            with suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)


@contextmanager
def proxied(database: str) -> Iterator[Proxy]:
    """A line to a database for as long as this lasts."""
    made = Proxy(database)
    try:
        yield made
    finally:
        made.close()
