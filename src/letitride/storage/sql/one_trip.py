"""One trip: statements of one transaction that PostgreSQL is sent and answers together; it knows no statement.

Each time a thread waits for the database, a busy event loop takes the interpreter's lock, and the thread waits for that
too. So all statements go out with BEGIN and COMMIT around them, and there is one wait for all of their answers.
"""

from __future__ import annotations

import select
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from typing import Any, Final, cast

import psycopg
from psycopg import errors, pq
from sqlalchemy.pool import PoolProxiedConnection

from letitride.storage.sql import bulk
from letitride.storage.sql.session import Refused, Session, Values
from letitride.storage.sql.writes import MOVE

IDLE_SECONDS: Final = 1.0
"""A connection that was used so lately is not asked first whether it is still there."""
_NAMES: Final = "letitride: prepared"
_LOCK: Final = (
    "SELECT FROM accounts WHERE scope = '' AND name = ANY(ARRAY(SELECT jsonb_array_elements_text($1::jsonb)))"
    " ORDER BY name FOR NO KEY UPDATE"
)
_DONE: Final = {pq.ExecStatus.COMMAND_OK, pq.ExecStatus.TUPLES_OK}

Statement = tuple[str, bytes]
"""SQL, and its rows as JSON."""


class Recorded(Session):
    """Notes what is to be done in a transaction instead of doing it: of work that reads nothing."""

    SHARED = True

    def __init__(self) -> None:
        self.statements: list[Statement] = []

    def run(self, sql: str, **_values: Any) -> list[tuple[Any, ...]]:
        """Refuse: what is read is not there before the trip."""
        raise AssertionError(f"nothing is read on one trip: {sql}")

    def count(self, sql: str, **_values: Any) -> int:
        """Refuse likewise."""
        raise AssertionError(f"nothing is counted on one trip: {sql}")

    def many(self, sql: str, rows: Sequence[Values]) -> None:
        together, order = bulk.postgres(sql)
        for part in bulk.without_repeats(rows) if sql == MOVE else [rows]:
            if part:
                packed = bulk.as_json(part, order)
                if packed is None:
                    raise Refused("a value that JSON cannot hold")
                self.statements.append((together.replace(":rows", "$1"), packed.encode()))

    def lock(self, accounts: Sequence[str]) -> None:
        self.statements.append((_LOCK, bulk.encode(accounts)))

    def savepoint(self) -> AbstractContextManager[None]:
        """Refuse: a trip is refused as a whole."""
        raise AssertionError("nothing is undone in part on one trip")


class Trips:
    """The connection that trips are made on; it is kept between two of them."""

    def __init__(self, connect: Callable[[], PoolProxiedConnection]) -> None:
        self._connect = connect
        self._lock = threading.Lock()
        self._kept: tuple[PoolProxiedConnection, float] | None = None

    def make(
        self, statements: Sequence[Statement], answered: Callable[[Any], AbstractContextManager[None]]
    ) -> tuple[list[list[bytes]], dict[Any, Any]]:
        """Return the first column of what each statement returned, and what the connection's pool knows of it."""
        connection = self._take()
        try:
            raw = cast("psycopg.Connection[Any]", connection.driver_connection)
            with answered(raw):
                found = _exchange(raw.pgconn, statements, connection.info.setdefault(_NAMES, {}))
        except BaseException as error:  # whatever was prepared, or is still on its way: it is not used again
            connection.invalidate()
            if isinstance(error, psycopg.IntegrityError | psycopg.DataError):
                raise Refused(str(error).strip()) from None
            raise
        info = connection.info
        self._keep(connection)
        return found, info

    def let_go(self) -> None:
        """Give back the connection that is kept."""
        with self._lock:
            kept, self._kept = self._kept, None
        if kept is not None:
            kept[0].close()

    def _take(self) -> PoolProxiedConnection:
        with self._lock:
            kept, self._kept = self._kept, None
        if kept is not None:
            if time.monotonic() - kept[1] < IDLE_SECONDS:
                return kept[0]
            kept[0].close()
        return self._connect()

    def _keep(self, connection: PoolProxiedConnection) -> None:
        with self._lock:
            before, self._kept = self._kept, (connection, time.monotonic())
        if before is not None:
            before[0].close()


def _exchange(line: pq.abc.PGconn, statements: Sequence[Statement], names: dict[str, bytes]) -> list[list[bytes]]:
    """Send a transaction, wait for its answers, and return what its statements returned; or raise its first error."""
    line.enter_pipeline_mode()
    line.send_query_params(b"BEGIN", None)
    asked = [False]
    for sql, rows in statements:
        if sql not in names:
            names[sql] = b"letitride_%d" % len(names)
            line.send_prepare(names[sql], sql.encode())
            asked.append(False)
        line.send_query_prepared(names[sql], [rows])
        asked.append(True)
    line.send_query_params(b"COMMIT", None)
    line.pipeline_sync()
    answers = _answers(line)
    line.exit_pipeline_mode()
    for one in answers:
        if one.status == pq.ExecStatus.FATAL_ERROR:
            raise errors.error_from_result(one)
    if len(answers) != len(asked) + 1 or any(one.status not in _DONE for one in answers):
        raise psycopg.OperationalError("the database answered a transaction in part")
    # A transaction that has failed is rolled back at COMMIT without an error.
    if answers[-1].command_status != b"COMMIT":
        raise psycopg.OperationalError("the database did not commit a transaction")
    return [
        [value for row in range(one.ntuples) if (value := one.get_value(row, 0)) is not None]
        for one, wanted in zip(answers, asked, strict=False)
        if wanted
    ]


def _answers(line: pq.abc.PGconn) -> list[pq.abc.PGresult]:
    """Wait until all is sent and answered."""
    ready = select.poll()
    ready.register(line.socket, select.POLLIN | select.POLLOUT)
    while line.flush():
        if ready.poll()[0][1] & ~select.POLLOUT:
            line.consume_input()
    ready.modify(line.socket, select.POLLIN)
    found: list[pq.abc.PGresult] = []
    while True:
        while line.is_busy():
            ready.poll()
            line.consume_input()
        if (one := line.get_result()) is None:
            if line.status != pq.ConnStatus.OK:
                raise psycopg.OperationalError(line.get_error_message())
        elif one.status == pq.ExecStatus.PIPELINE_SYNC:
            return found
        else:
            found.append(one)
