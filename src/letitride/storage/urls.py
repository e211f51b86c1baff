"""URLs: which stores an address means; it opens them and keeps none."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from typing import Final, cast

from letitride.errors import InvalidData
from letitride.storage.memory.opening import memory_stores
from letitride.storage.roles.stores import Stores
from letitride.storage.sql.opening import sql_stores
from letitride.storage.sql.session import Database
from letitride.storage.sql.sqlite import SqliteDatabase

POSTGRES: Final = ("postgresql:", "postgres:")
"""How the URL of a PostgreSQL database begins."""

SILENCE_SECONDS: Final = 30.0
"""How long a server waits for an answer of a PostgreSQL before it takes the connection for dead."""


def open_store(url: str, *, read_only: bool = False, sole: bool = False) -> Stores:
    """Open 'memory:', 'sqlite:///path', a bare path or 'postgresql://…'; only reading, it makes and changes nothing.

    A server is the sole one of a SQLite file, or is refused; PostgreSQL is there to be shared.
    """
    if url == "memory:":
        return memory_stores()
    if url.startswith(POSTGRES):
        postgres = import_module("letitride.storage.sql.postgres")  # only who asks for it waits for its driver
        silence = SILENCE_SECONDS if sole else None  # what an operator does once may take as long as it takes
        made = postgres.PostgresDatabase(url, read_only=read_only, silence_seconds=silence)
        return sql_stores(cast("Database", made))
    path = url.removeprefix("sqlite:///")
    if "://" in path or not path or not path.isprintable():
        raise InvalidData(f"expected memory:, sqlite:///PATH, a path or postgresql://…, got {url!r}")
    return sql_stores(SqliteDatabase(Path(path), read_only=read_only, sole=sole))
