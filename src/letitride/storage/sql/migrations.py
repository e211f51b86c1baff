"""Migrations: the schema's versions, each made once and in order; never data."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from letitride.errors import InvalidData
from letitride.storage.sql.schema import VERSION, VERSIONS
from letitride.storage.sql.session import Session

CURRENT: Final = "SELECT COALESCE(MAX(version), 0) FROM schema_versions"


def migrate(session: Session, versions: Sequence[Sequence[str]], shown: str) -> None:
    """Bring a database to the version of today; one that is newer is refused."""
    session.run(VERSIONS)
    done = session.run(CURRENT)[0][0]
    _refuse_newer(done, shown)
    for version, statements in enumerate(versions[done:], done + 1):
        for statement in statements:
            session.run(statement)
        session.run("INSERT INTO schema_versions (version) VALUES (:version)", version=version)


def check_version(done: int, shown: str) -> None:
    """Refuse a database of another version than that of today."""
    _refuse_newer(done, shown)
    if done < VERSION:
        raise InvalidData(f"{shown}: expected a schema of version {VERSION}, got version {done}")


def _refuse_newer(version: int, shown: str) -> None:
    if version > VERSION:
        raise InvalidData(f"{shown}: expected a schema of version {VERSION} or older, got version {version}")
