"""SQL backups: a whole database in one file, and a backup of any kind back into an empty one."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from letitride.errors import InvalidData, MissingData
from letitride.storage import dump
from letitride.storage.sql import lines
from letitride.storage.sql.session import Database
from letitride.storage.sql.sqlite import MAGIC, SqliteDatabase


class SqlBackups:
    """What copies a whole database."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self.suffix = database.BACKUP

    def write(self, path: Path) -> None:
        self._database.copy_to(path)

    def restore(self, path: Path) -> None:
        self._database.transact(lambda session: lines.load(session, read_backup(path)))


def read_backup(path: Path) -> Iterator[dump.Line]:
    """Yield the lines of a backup, be it a SQLite file or a dump; a row that was changed is refused."""
    return dump.whole(_lines_of(path))


def _lines_of(path: Path) -> Iterator[dump.Line]:
    try:
        if path.exists() and not path.is_file():
            raise InvalidData(f"expected a backup, got '{path}', which is no file")
        with path.open("rb") as file:
            is_database = file.read(len(MAGIC)) == MAGIC
    except FileNotFoundError:
        raise MissingData(f"expected a backup, got '{path}', which does not exist") from None
    except OSError as error:
        raise InvalidData(f"expected a backup that can be read, got '{path}': {error.strerror}") from None
    if not is_database:
        yield from dump.read_dump(path)
        return
    kept = SqliteDatabase(path, read_only=True)
    try:
        with kept.snapshot() as query:
            yield from lines.export(query)
    finally:
        kept.close()
