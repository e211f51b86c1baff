"""Stores: a database opened for an operator's change, unless a server is using it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from letitride.cli.io.times import clock_ms
from letitride.errors import InvalidData
from letitride.storage.roles.stores import Stores
from letitride.storage.urls import files_of, open_store


@contextmanager
def removed_if_refused(url: str) -> Iterator[None]:
    """Remove the files of a store that is new if what is done with it fails."""
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
    except (OSError, ValueError):  # a name that no file can have: opening it says so
        return True


@contextmanager
def changing(url: str) -> Iterator[Stores]:
    """Open the stores of a database to change them; if that is refused, no new file is left behind."""
    with removed_if_refused(url):
        stores = _open_for_change(url)
        try:
            yield stores
        finally:
            stores.close()


def _open_for_change(url: str) -> Stores:
    """Open a database to change it; a SQLite file in use by a server is refused."""
    if (files := files_of(url)) and _exists(files[0]):
        stores = open_store(url, read_only=True)
        try:
            leases = stores.leases.all()
        finally:
            stores.close()
        for lease in leases:
            if lease.until_ms > clock_ms():
                where = f"--server {lease.address}" if lease.address else "--server"
                raise InvalidData(f"expected a database that no server is using, got '{url}': use {where} instead")
    return open_store(url)
