"""Worker slot: what a worker knows of the pool it is one of; it starts and ends no process."""

from __future__ import annotations

import socket
from dataclasses import dataclass, field
from pathlib import Path


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkerSlot:
    """One worker among others that share a listening socket."""

    node: str
    """The name under which it holds leases, which the process that looks after the worker pool knows."""
    folder: Path
    """Where workers hand connections to one another; no one else can look into it."""
    line: socket.socket = field(repr=False)
    """How it says that it is ready, and hears of others that died; closed when its pool is no longer looked after."""
    setup_code: str = field(default="", repr=False)
    """What makes the first administrator, at whichever worker."""
    first: bool = False
    """Whether it speaks for the worker pool at its start."""

    def socket_path(self, node: str = "") -> Path:
        """Return where a worker takes connections that others hand to it."""
        return self.folder / f"{node or self.node}.sock"
