"""SQLite: one file, one writer, readers that never wait for it; it never forgets what it confirmed."""

from __future__ import annotations

import os
import sqlite3
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from io import BufferedWriter
from pathlib import Path
from typing import Any, Final, TypeVar

from letitride.errors import InvalidData, MissingData, StoreDown
from letitride.storage.roles.journal import Hazard
from letitride.storage.sql import bulk
from letitride.storage.sql.migrations import CURRENT, check_version, migrate
from letitride.storage.sql.schema import SQLITE_MIGRATIONS
from letitride.storage.sql.session import Database, Query, Refused, Session, Values

try:
    import fcntl
except ImportError:  # no such locks on Windows: there a server never knows that it is alone
    fcntl = None  # type: ignore[assignment]  # a module elsewhere

T = TypeVar("T")
_BUSY_SECONDS: Final = 5.0
_HANDOVER_SECONDS: Final = 5.0
"""How long a new server waits for one that is just stopping."""
MAGIC: Final = b"SQLite format 3\0"
"""What every SQLite file begins with."""


class SqliteSession(Session):
    """A transaction on the writer's connection."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection

    def run(self, sql: str, **values: Any) -> list[tuple[Any, ...]]:
        with _refusals():
            return self._connection.execute(sql, values).fetchall()

    def count(self, sql: str, **values: Any) -> int:
        with _refusals():
            return self._connection.execute(sql, values).rowcount

    def many(self, sql: str, rows: Sequence[Values]) -> None:
        with _refusals():
            together, order = bulk.sqlite(sql)
            if len(rows) > 1 and (packed := bulk.as_json(rows, order)) is not None:
                self._connection.execute(together, {"rows": packed})
            else:
                self._connection.executemany(sql, rows)

    @contextmanager
    def savepoint(self) -> Iterator[None]:
        self._connection.execute("SAVEPOINT one")
        try:
            yield
        except Refused:
            self._connection.execute("ROLLBACK TO one")
            self._connection.execute("RELEASE one")
            raise
        self._connection.execute("RELEASE one")


class SqliteDatabase(Database):
    """One SQLite file, made if there is none."""

    BACKUP = "db"

    def __init__(self, path: Path, *, read_only: bool = False, sole: bool = False) -> None:
        self._path = path
        self._writing = threading.RLock()
        self._pooling = threading.Lock()
        self._idle: list[sqlite3.Connection] = []
        self._writer: sqlite3.Connection | None = None
        self._sole: BufferedWriter | None = None
        """The file whose lock says that we are alone; the system frees it when we die."""
        self._closed = False
        self._opened = False
        if read_only and not path.is_file():
            raise MissingData(f"expected a SQLite database, got '{path}', which does not exist")
        new = [one for one in (path, self._lock_path()) if not read_only and not one.exists()]
        if sole:
            self._be_alone()
        try:
            if read_only:
                self._check_version()
            else:
                self._writer = self._connect()
                self.transact(lambda session: migrate(session, SQLITE_MIGRATIONS, str(path)))
        except BaseException:
            for one in new if sole or path in new else ():  # a refusal leaves nothing behind
                with suppress(OSError):
                    one.unlink(missing_ok=True)
            self.close()
            raise
        self._opened = not read_only

    def _lock_path(self) -> Path:
        path = self._path.resolve()  # whatever name it goes by, a file has one mark
        return path.with_name(f"{path.name}.lock")

    def _connect(self) -> sqlite3.Connection:
        _make_own(self._path)
        with self._failures():
            made = sqlite3.connect(self._path, timeout=_BUSY_SECONDS, isolation_level=None, check_same_thread=False)
        try:
            with self._failures():
                made.execute("PRAGMA journal_mode = WAL")
                made.execute("PRAGMA synchronous = FULL")  # a commit that was confirmed outlives the power
                made.execute("PRAGMA foreign_keys = ON")
                made.execute(f"PRAGMA busy_timeout = {int(_BUSY_SECONDS * 1000)}")
                for statement in bulk.SQLITE_MOVES:
                    made.execute(statement)
        except BaseException:
            made.close()
            raise
        return made

    def _check_version(self) -> None:
        try:
            done = self.read(CURRENT)[0][0]
        except StoreDown:
            raise InvalidData(f"expected a database of letitride, got '{self._path}', which is another") from None
        check_version(done, str(self._path))

    @contextmanager
    def _failures(self) -> Iterator[None]:
        try:
            yield
        except sqlite3.OperationalError as error:
            raise StoreDown(f"the database {self._path} cannot be used: {error}") from error
        except sqlite3.ProgrammingError as error:  # a connection that was closed
            raise StoreDown(f"the database {self._path} is closed: {error}") from error
        except sqlite3.DatabaseError as error:
            if self._opened:  # it was one when it was opened
                raise StoreDown(f"the database {self._path} is damaged: {error}") from error
            raise InvalidData(f"expected a SQLite database, got '{self._path}': {error}") from None

    def read(self, sql: str, **values: Any) -> list[tuple[Any, ...]]:
        with self._reader() as connection, self._failures():
            try:
                return connection.execute(sql, values).fetchall()
            except (OverflowError, UnicodeError):
                return []

    @contextmanager
    def _reader(self) -> Iterator[sqlite3.Connection]:
        """Lend a connection that can only read, so that no query waits for the writer."""
        with self._pooling:
            if self._is_closed():
                raise StoreDown(f"the database {self._path} is closed")
            connection = self._idle.pop() if self._idle else None
        if connection is None:
            with self._failures():
                connection = sqlite3.connect(
                    f"{self._path.resolve().as_uri()}?mode=ro",
                    uri=True,
                    timeout=_BUSY_SECONDS,
                    isolation_level=None,
                    check_same_thread=False,
                )
        try:
            yield connection
        except BaseException:
            connection.close()
            raise
        with self._pooling:
            closed = self._is_closed()
            if not closed:
                self._idle.append(connection)
        if closed:
            connection.close()

    def _is_closed(self) -> bool:
        return self._closed  # another thread may have closed the store since

    def transact(self, work: Callable[[Session], T]) -> T:
        writer = self._writer
        if writer is None:
            raise StoreDown(f"the database {self._path} is closed or open for reading only")
        with self._writing, self._failures():
            writer.execute("BEGIN IMMEDIATE")
            try:
                done = work(SqliteSession(writer))
                writer.execute("COMMIT")
            except BaseException as error:
                if writer.in_transaction:
                    writer.execute("ROLLBACK")
                if isinstance(error, Refused):
                    raise InvalidData(f"expected what the database can keep, got something else: {error}") from None
                raise
            return done

    def alone(self) -> bool:
        """Whether this process is the only server of the file, which it marks so for as long as it holds the store."""
        if self._sole is None and fcntl is not None:
            mark = self._lock_path().open("ab")
            try:
                fcntl.flock(mark, fcntl.LOCK_EX | fcntl.LOCK_NB)
                stands = os.fstat(mark.fileno()).st_ino == self._lock_path().stat().st_ino
            except OSError:
                stands = False
            if not stands:  # another server has it, or took it away with a database that it was refused
                mark.close()
                return False
            self._sole = mark
        return self._sole is not None

    def _be_alone(self) -> None:
        """Refuse a file that a server is using, before anything is read or written."""
        if not self._path.resolve().parent.is_dir() or fcntl is None:
            return
        end = time.monotonic() + _HANDOVER_SECONDS
        try:
            while not self.alone():
                if time.monotonic() > end:
                    raise InvalidData(
                        f"expected a database that no server is using, got '{self._path}': "
                        "stop that server first, or let several share a PostgreSQL"
                    )
                time.sleep(0.05)
        except OSError as error:
            raise InvalidData(f"expected a writable database, got '{self._path}': {error}") from None

    def copy_to(self, path: Path) -> None:
        """Copy the database as it is now, while it is read and written, into a new SQLite file."""
        if path.exists():
            raise InvalidData(f"expected the path of a new file, got '{path}', which exists")
        with self._reader() as reader, self._failures():
            _make_own(path)
            try:
                target = sqlite3.connect(path)
            except sqlite3.OperationalError as error:
                raise InvalidData(f"expected a writable path, got '{path}': {error}") from None
            try:
                reader.backup(target)
                target.execute("PRAGMA journal_mode = DELETE")  # a backup is one file
            except BaseException:
                target.close()
                path.unlink(missing_ok=True)
                raise
            target.close()

    @contextmanager
    def snapshot(self) -> Iterator[Query]:
        """Lend what runs queries of one moment."""
        with self._reader() as reader, self._failures():
            reader.execute("BEGIN")
            try:
                yield lambda sql, **values: reader.execute(sql, values).fetchall()
            finally:
                reader.execute("COMMIT")

    def clock_ms(self) -> int | None:
        """Nothing: all who use a file go by the clock of its machine."""
        return None

    def may_write(self) -> bool:
        """Whether the file and its folder may be written."""
        return os.access(self._path, os.W_OK) and os.access(self._path.parent, os.W_OK)

    def hazards(self) -> list[Hazard]:
        """Nothing: every connection that writes sets for itself what it needs."""
        return []

    def close(self) -> None:
        """Let go of the file."""
        with self._pooling:
            self._closed = True
            idle, self._idle = self._idle, []
        for connection in idle:
            connection.close()
        with self._writing:
            writer, self._writer = self._writer, None
            if writer is not None:
                with suppress(sqlite3.Error):
                    writer.close()
        sole, self._sole = self._sole, None
        if sole is not None:
            sole.close()


def _make_own(path: Path) -> None:
    """Make a file that is not there readable by its owner alone: it will hold passwords' hashes and hidden cards."""
    with suppress(OSError):  # what cannot be made is reported when it is opened
        path.touch(mode=0o600, exist_ok=False)


@contextmanager
def _refusals() -> Iterator[None]:
    try:
        yield
    except (sqlite3.IntegrityError, sqlite3.DataError, sqlite3.InterfaceError, OverflowError, UnicodeError) as error:
        raise Refused(str(error)) from None
