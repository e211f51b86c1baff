"""URLs: which store an address means; it opens one and keeps none."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from typing import cast

from letitride.errors import InvalidData
from letitride.storage.memory import MemoryStore
from letitride.storage.sqlite import SqliteStore
from letitride.storage.store import Store


def open_store(url: str, *, read_only: bool = False, sole: bool = False) -> Store:
    """Open 'memory:', 'sqlite:///path', a bare path or 'postgresql://…'; only reading, it makes and changes nothing.

    A server is the sole one of a SQLite file, or is refused; PostgreSQL is there to be shared.
    """
    if url == "memory:":
        return MemoryStore()
    if url.startswith(("postgresql:", "postgres:")):
        postgres = import_module("letitride.storage.postgres")  # only who asks for it waits for its driver
        return cast("Store", postgres.opened(url, read_only=read_only))
    path = url.removeprefix("sqlite:///")
    if "://" in path or not path or not path.isprintable():
        raise InvalidData(f"expected memory:, sqlite:///PATH, a path or postgresql://…, got {url!r}")
    return SqliteStore(Path(path), read_only=read_only, sole=sole)
