"""Stores: a database opened for an operator's change, if no server is its one writer."""

from __future__ import annotations

import time
from pathlib import Path

from letitride.errors import InvalidData
from letitride.storage.roles.stores import Stores
from letitride.storage.urls import POSTGRES, open_store


def clock_ms() -> int:
    """Return the time, as journals have it."""
    return time.time_ns() // 1_000_000


def open_for_change(url: str) -> Stores:
    """Open a database to change it; a SQLite file that a server is using is the server's alone."""
    if not url.startswith(POSTGRES) and Path(url.removeprefix("sqlite:///")).is_file():
        stores = open_store(url, read_only=True)
        try:
            leases = stores.leases.all()
        finally:
            stores.close()
        for lease in leases:
            if lease.until_ms > clock_ms():
                where = f"--server {lease.address}" if lease.address else "--server"
                raise InvalidData(
                    f"expected a database that no server is using, got '{url}': ask the server by {where}"
                )
    return open_store(url)
