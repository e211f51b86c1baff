"""Silence: ends a connection on which a database has not answered for too long; it never asks anything itself.

Where something between keeps a line open, the operating system does not notice that its other end is gone.
"""

from __future__ import annotations

import os
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Protocol


class Line(Protocol):
    """A connection to a database, as far as it can be cut."""

    def fileno(self) -> int:
        """Return the descriptor of its socket."""


class Silence:
    """Watches over what is waited for; a wait that is too long ends in an error, as from a line that was cut."""

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._waiting: dict[int, tuple[float, Line]] = {}
        self._lock = threading.Lock()
        self._number = 0
        self._over = threading.Event()
        threading.Thread(target=self._watch, name="silence", daemon=True).start()

    @contextmanager
    def at_most(self, line: Line) -> Iterator[None]:
        """Wait for a database's answer, but not for ever."""
        with self._lock:
            self._number += 1
            mine = self._number
            self._waiting[mine] = (time.monotonic() + self._seconds, line)
        try:
            yield
        finally:
            with self._lock:
                del self._waiting[mine]

    def close(self) -> None:
        """Watch no more."""
        self._over.set()

    def _watch(self) -> None:
        while not self._over.wait(self._seconds / 20):
            with self._lock:
                now = time.monotonic()
                for until, line in self._waiting.values():
                    if until < now:
                        with suppress(OSError):  # it has ended by itself
                            _cut(line.fileno())


def _cut(descriptor: int) -> None:
    with socket.socket(fileno=os.dup(descriptor)) as end:
        end.shutdown(socket.SHUT_RDWR)
