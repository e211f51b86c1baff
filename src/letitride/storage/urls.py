"""URLs: which stores an address means; it opens them and keeps none."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from typing import Final, cast

from letitride.errors import InvalidData
from letitride.storage.memory.opening import memory_stores
from letitride.storage.patience import Patience, wait_for
from letitride.storage.roles.stores import Stores
from letitride.storage.sql.opening import sql_stores
from letitride.storage.sql.session import Database
from letitride.storage.sql.sqlite import SqliteDatabase

POSTGRES: Final = ("postgresql:", "postgres:")
"""How the URL of a PostgreSQL database begins."""

START_SECONDS: Final = 30.0
"""How long a server that starts waits for a PostgreSQL that is away: a replica takes over within seconds."""
SILENCE_SECONDS: Final = 30.0
"""How long a server waits for an answer of a PostgreSQL before it takes the connection for dead."""


def open_store(url: str, *, read_only: bool = False, sole: bool = False) -> Stores:
    """Open 'memory:', 'sqlite:///path', a bare path or 'postgresql://…'; only reading, it makes and changes nothing.

    A server is the sole one of a SQLite file, or is refused; PostgreSQL is there to be shared, and a server waits
    for one that is failing over.
    """
    if url == "memory:":
        return memory_stores()
    if url.startswith(POSTGRES):
        postgres = import_module("letitride.storage.sql.postgres")  # only who asks for it waits for its driver
        if not sole:  # what an operator does once may take as long as it takes, and is told at once what is wrong
            return sql_stores(cast("Database", postgres.PostgresDatabase(url, read_only=read_only)))
        made = wait_for(
            lambda: postgres.PostgresDatabase(url, silence_seconds=SILENCE_SECONDS), Patience(start_seconds(url))
        )
        return sql_stores(cast("Database", made))
    path = url.removeprefix("sqlite:///")
    if "://" in path or not path or not path.isprintable():
        raise InvalidData(f"expected memory:, sqlite:///PATH, a path or postgresql://…, got {url!r}")
    try:
        Path(path).exists()
    except OSError as error:  # a name too long, a folder that may not be looked into
        raise InvalidData(f"expected a path of a SQLite file, got '{path}': {error.strerror}") from None
    return sql_stores(SqliteDatabase(Path(path), read_only=read_only, sole=sole))


def start_seconds(url: str) -> float:
    """Return how long a server that starts waits for a store that is away: no replica takes over from a file."""
    return START_SECONDS if url.startswith(POSTGRES) else 0.0


def files_of(url: str) -> tuple[Path, ...]:
    """Return the files that a SQLite store is kept in; none for another."""
    if url == "memory:" or url.startswith(POSTGRES):
        return ()
    path = Path(url.removeprefix("sqlite:///"))
    return tuple(path.with_name(path.name + end) for end in ("", "-wal", "-shm", ".lock"))
