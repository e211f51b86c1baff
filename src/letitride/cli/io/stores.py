"""Stores: a database opened for an operator's change, if no server is its one writer."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from letitride.errors import InvalidData
from letitride.storage.roles.stores import Stores
from letitride.storage.urls import files_of, open_store


def clock_ms() -> int:
    """Return the time, as journals have it."""
    return time.time_ns() // 1_000_000


@contextmanager
def removed_if_refused(url: str) -> Iterator[None]:
    """Take the files of a store that was not there before away again where what is done with it fails."""
    files = files_of(url)
    is_new = bool(files) and not _exists(files[0])
    try:
        yield
    except BaseException:
        for file in files if is_new else ():
            with suppress(OSError):
                file.unlink(missing_ok=True)
        raise


def _exists(path: Path) -> bool:
    try:
        return path.exists()
    except (OSError, ValueError):  # a name that no file can have, which is said by who opens it
        return True


@contextmanager
def changing(url: str) -> Iterator[Stores]:
    """Lend the stores of a database to change them; where that is refused, a new file does not stay."""
    with removed_if_refused(url):
        stores = _open_for_change(url)
        try:
            yield stores
        finally:
            stores.close()


def _open_for_change(url: str) -> Stores:
    """Open a database to change it; a SQLite file that a server is using is the server's alone."""
    if (files := files_of(url)) and _exists(files[0]):
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
