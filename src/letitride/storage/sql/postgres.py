"""PostgreSQL: the same schema for many servers at once; a lost database is reported in one sentence."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext, suppress
from functools import cache
from pathlib import Path
from typing import Any, Final, TypeVar, cast

import psycopg
from sqlalchemy import Connection, TextClause, create_engine, event, text
from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import ArgumentError, DataError, DBAPIError, IntegrityError, SQLAlchemyError

from letitride.errors import InvalidData, StoreDown
from letitride.storage import dump
from letitride.storage.roles.journal import Hazard
from letitride.storage.sql import bulk, lines, replication
from letitride.storage.sql.migrations import CURRENT, check_version, migrate
from letitride.storage.sql.one_trip import Recorded, Trips
from letitride.storage.sql.schema import POSTGRES_MIGRATIONS
from letitride.storage.sql.session import Database, Query, Refused, Session, Values
from letitride.storage.sql.silence import Silence
from letitride.storage.sql.writes import MOVE

T = TypeVar("T")
SCHEMA: Final = "letitride"
"""Our tables live in a schema of their own, so that a database can be shared."""
_OPTIONS: Final = (
    f"-csearch_path={SCHEMA} -csynchronous_commit=on -clock_timeout=2000 -cidle_in_transaction_session_timeout=3000"
    " -cenable_seqscan=off -cenable_hashjoin=off -cenable_mergejoin=off"
)
"""A commit that is confirmed outlives a crash, whatever the server, the role, the database or the URL are set to; and a
server that froze in the middle of a transaction must not hold up the others who want its tables. What is looked up has
an index: a plan made while a house was young would read all accounts for a few, and is kept when it has thousands."""
_LINE: Final = {"keepalives_idle": 5, "keepalives_interval": 2, "keepalives_count": 3, "tcp_user_timeout": 12_000}
"""A database whose machine is gone without a word is noticed within seconds."""
_RETRIED: Final = {"40001", "40P01"}
"""Serialization failure and deadlock: nothing is wrong with the work, it is only to be done again."""
_READ_ONLY: Final = "25006"
_LOCKED: Final = "55P03"
_END_FROZEN: Final = """
    SELECT pg_terminate_backend(pid) FROM pg_stat_activity
    WHERE datname = current_database() AND usename = current_user AND pid <> pg_backend_pid()
        AND backend_xid IS NOT NULL AND wait_event = 'ClientRead'
        AND state_change < clock_timestamp() - interval '3 seconds'"""
"""Ends transactions whose client stopped in the middle of a pipeline: to PostgreSQL such a session is active, and its
time-out for idle transactions never begins."""
_TRIES: Final = 6
_TIMELINE: Final = (
    "SELECT CASE WHEN pg_is_in_recovery() THEN 0"
    " ELSE ('x' || left(pg_walfile_name(pg_current_wal_lsn()), 8))::bit(32)::int END"
)
_WAIT_FOR_REPLICAS: Final = "SyncRepWaitForLSN"
"""The function of PostgreSQL that warns where a commit was not waited for after all; its words are in any language."""
_PRIMARY: Final = "target_session_attrs"
_ALONE: Final = "letitride: not replicated"
_POOL: Final = "letitride: pool"
_SEVERAL: Final = re.compile(r"(?P<begin>[a-z]+://(?:[^@/?]*@)?)(?P<hosts>[^/?]*,[^/?]*)(?P<end>.*)")
"""A URL of a primary and its replicas: postgresql://user@one:5432,two:5432/database."""
_BATCH: Final = "batch"
_LOCK: Final = "SELECT FROM accounts WHERE scope = '' AND name = ANY(%s) ORDER BY name FOR NO KEY UPDATE"
_MIGRATING: Final = 5_428_117_001
"""The advisory lock of migrations: servers that start together migrate once."""


class PostgresSession(Session):
    """A transaction of a pooled connection."""

    SHARED = True

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def run(self, sql: str, **values: Any) -> list[tuple[Any, ...]]:
        with _refusals():
            done = self._connection.execute(_text(sql), values)
            return [tuple(row) for row in done] if done.returns_rows else []

    def count(self, sql: str, **values: Any) -> int:
        with _refusals():
            return self._connection.execute(_text(sql), values).rowcount

    def many(self, sql: str, rows: Sequence[Values]) -> None:
        with _refusals():
            for part in bulk.without_repeats(rows) if sql == MOVE else [rows]:
                together, order = bulk.postgres(sql)
                if len(part) > 1 and (packed := bulk.as_json(part, order)) is not None:
                    self._connection.execute(_text(together), {"rows": packed})
                elif part:
                    self._connection.execute(_text(sql), [dict(row) for row in part])

    def lock(self, accounts: Sequence[str]) -> None:
        self._raw.execute(_LOCK, (list(accounts),))

    @property
    def _raw(self) -> psycopg.Connection[Any]:
        return cast("psycopg.Connection[Any]", self._connection.connection.driver_connection)

    @contextmanager
    def savepoint(self) -> Iterator[None]:
        """Send all that is done inside without waiting for each answer: one way there and back for many tables."""
        raw = self._raw
        try:
            with raw.pipeline():
                raw.execute(f"SAVEPOINT {_BATCH}")
                yield
                raw.execute(f"RELEASE SAVEPOINT {_BATCH}")
        except (psycopg.Error, SQLAlchemyError, Refused) as error:
            # What was to be prepared after the statement that failed was not, and the driver does not know it.
            raw.prepare_threshold = None
            if isinstance(error, psycopg.IntegrityError | psycopg.DataError | Refused):
                raw.execute(f"ROLLBACK TO SAVEPOINT {_BATCH}")
                raise error if isinstance(error, Refused) else Refused(str(error).strip()) from None
            raise


class PostgresDatabase(Database):
    """A PostgreSQL database."""

    BY_CHARACTERS = 'id COLLATE "C"'
    CHARACTER = "chr"
    ONE_TRIP = True
    EACH = "SELECT json_array_elements_text(CAST(:ids AS json))"

    def __init__(self, url: str, *, read_only: bool = False, silence_seconds: float | None = None) -> None:
        self._silence = Silence(silence_seconds) if silence_seconds is not None else None
        self._url = _url(url)
        self._shown = self._url.set(drivername="postgresql").render_as_string(hide_password=True)
        self._engine = create_engine(
            self._url,
            hide_parameters=True,  # in messages and logs: what a statement brings are cards, and hashes of sessions
            pool_pre_ping=True,  # a connection that died while idle is replaced without a word
            connect_args={"options": _OPTIONS, "connect_timeout": 5, **_LINE},
            execution_options={"postgresql_readonly": True} if read_only else {},
        )
        # A query by itself needs no transaction around it, which would go to the server and back twice more.
        self._reading = self._engine if read_only else self._engine.execution_options(isolation_level="AUTOCOMMIT")
        self._timeline = 0
        """The latest history of the server that was written to: each fail-over begins another."""
        self._first = 0
        """Which of several hosts is asked first."""
        self._pools = 0
        """How many pools were let go: a connection of one of those is closed when it comes back."""
        self._closed = False
        self._trips = Trips(self._engine.raw_connection)
        ping = self._engine.dialect.do_ping
        self._engine.dialect.do_ping = self._watched(ping)  # type: ignore[assignment, method-assign]  # it has no event for that
        event.listen(self._engine, "do_connect", self._connecting)
        event.listen(self._engine, "connect", self._connected)
        event.listen(self._engine, "checkin", self._returned)
        try:
            if read_only:
                self._check_version()
            else:
                self.transact(self._migrate)
        except BaseException:
            self.close()
            raise

    def _connecting(self, _dialect: Any, record: Any, _words: Any, asked: dict[str, str]) -> None:
        """Ask the hosts in another order where the first of them turned out to be replaced."""
        if self._closed:
            raise StoreDown(f"the database {self._shown} is closed")
        record.info[_POOL] = self._pools
        for part in ("host", "port"):
            several = str(asked.get(part, "")).split(",")
            first = self._first % len(several)
            if first:
                asked[part] = ",".join(several[first:] + several[:first])

    def _watched(self, ping: Callable[[Any], bool]) -> Callable[[Any], bool]:
        def watched(raw: Any) -> bool:
            with self._answered(raw):
                return ping(raw)

        return watched

    def _answered(self, raw: Any) -> AbstractContextManager[None]:
        """Wait for the database no longer than it may be silent."""
        return nullcontext() if self._silence is None else self._silence.at_most(raw)

    def _connected(self, raw: Any, record: Any) -> None:
        """Refuse a primary that another has replaced, and hear of commits that no replica has."""

        def heard(notice: Any) -> None:
            if notice.source_function == _WAIT_FOR_REPLICAS:
                record.info[_ALONE] = True

        raw.add_notice_handler(heard)
        with self._answered(raw):
            timeline = raw.execute(_TIMELINE).fetchone()[0]
            raw.rollback()
        if timeline and timeline < self._timeline:
            self._first += 1  # another host may be the right one
            raise StoreDown(
                f"the database {self._shown} is a primary that another has replaced: expected timeline"
                f" {self._timeline}, got {timeline}; stop it, or make it a replica"
            )
        self._timeline = max(timeline, self._timeline)

    def _returned(self, _raw: Any, record: Any) -> None:
        """Close a connection that was in use when its pool was let go: no one would ever do it."""
        if record.info.get(_POOL) != self._pools:
            record.invalidate()

    def _let_go(self) -> None:
        """Close all connections, those in use as soon as they come back."""
        self._pools += 1
        self._trips.let_go()
        self._engine.dispose()

    def _migrate(self, session: Session) -> None:
        session.run("SET LOCAL lock_timeout = 60000")  # another server may migrate just now
        session.run("SELECT pg_advisory_xact_lock(:key)", key=_MIGRATING)
        if not session.run("SELECT 1 FROM pg_namespace WHERE nspname = :name", name=SCHEMA):
            session.run(f"CREATE SCHEMA {SCHEMA}")
        migrate(session, POSTGRES_MIGRATIONS, self._shown)

    def _check_version(self) -> None:
        asked = "SELECT 1 FROM pg_tables WHERE schemaname = :name AND tablename = 'schema_versions'"
        if not self.read(asked, name=SCHEMA):
            raise InvalidData(f"expected a database of letitride, got {self._shown}, which is another")
        check_version(self.read(CURRENT)[0][0], self._shown)

    def clock_ms(self) -> int | None:
        """Return the time by the database's clock: many processes have many clocks, and one database."""
        return int(self.read("SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint")[0][0])

    def may_write(self) -> bool:
        """Whether this is no standby, and its journals may be added to."""
        asked = "SELECT NOT pg_is_in_recovery() AND has_table_privilege(:table, 'INSERT')"
        return bool(self.read(asked, table=f"{SCHEMA}.journal")[0][0])

    def hazards(self) -> list[Hazard]:
        """Return what the server is set to that could lose what it confirmed."""
        return replication.hazards(self.read)

    def read(self, sql: str, **values: Any) -> list[tuple[Any, ...]]:
        with (
            self._failures(),
            self._reading.connect() as connection,
            self._answered(connection.connection.driver_connection),
        ):
            try:
                return [tuple(row) for row in connection.execute(_text(sql), values)]
            except (DataError, UnicodeError):
                return []

    def transact(self, work: Callable[[Session], T]) -> T:
        for attempt in range(_TRIES):
            try:
                with self._failures(), self._engine.connect() as connection:
                    with self._answered(connection.connection.driver_connection), connection.begin():
                        done = work(PostgresSession(connection))
                    alone = connection.info.pop(_ALONE, False)
                    raw = cast("psycopg.Connection[Any]", connection.connection.driver_connection)
                    if raw.prepare_threshold is None:  # something was refused: the next has a connection that prepares
                        connection.invalidate()
                    if alone:
                        raise self._not_replicated()
                    return done
            except _Again as again:
                if attempt == _TRIES - 1:
                    raise StoreDown(f"the database {self._shown} has no room for the write: {again}") from None
                time.sleep(0.005 * 2**attempt)
            except Refused as refused:
                raise InvalidData(f"expected what the database can keep, got something else: {refused}") from None
        raise AssertionError  # the last attempt returns or raises

    def at_once(self, _work: Callable[[Session], None]) -> list[list[bytes]] | None:
        """Do work that reads nothing on one way there and back, unless any of it is refused, or to be done again."""
        recorded = Recorded()
        try:
            _work(recorded)
            with self._failures():
                found, info = self._trips.make(recorded.statements, self._answered)
        except (Refused, UnicodeError, _Again):
            return None
        if info.pop(_ALONE, False):
            raise self._not_replicated()
        return found

    def _not_replicated(self) -> StoreDown:
        return StoreDown(f"the database {self._shown} wrote what its replicas have not confirmed")

    @contextmanager
    def _failures(self) -> Iterator[None]:
        try:
            yield
        except (SQLAlchemyError, psycopg.Error) as error:
            cause = error.orig if isinstance(error, DBAPIError) else error
            why = str(cause).strip().partition("\n")[0]
            state = getattr(cause, "sqlstate", None)
            if state in _RETRIED:
                raise _Again(why) from None
            if state == _READ_ONLY:  # another server is the primary by now: the next connection looks for it
                self._let_go()
            if state == _LOCKED:  # perhaps by a server that stands still: the next try finds the row free
                with suppress(StoreDown):
                    self.read(_END_FROZEN)
            raise StoreDown(f"the database {self._shown} cannot be reached or used: {why}") from error

    def alone(self) -> bool:
        """Never: a database is there to be shared."""
        return False

    @contextmanager
    def snapshot(self) -> Iterator[Query]:
        """Lend what runs queries of one moment."""
        with self._failures(), self._engine.connect() as connection:
            still = connection.execution_options(isolation_level="REPEATABLE READ", postgresql_readonly=True)
            yield lambda sql, **values: [tuple(row) for row in still.execute(_text(sql), values)]

    def copy_to(self, path: Path) -> None:
        """Write everything to a new file of JSON lines."""
        with self.snapshot() as query:
            dump.write_dump(path, lines.export(query))

    def close(self) -> None:
        """Let go of all connections."""
        if self._silence is not None:
            self._silence.close()
        self._closed = True
        self._let_go()


class _Again(Exception):
    """What the database asks to be done again."""


@contextmanager
def _refusals() -> Iterator[None]:
    try:
        yield
    except (IntegrityError, DataError) as error:
        raise Refused(str(error.orig).strip()) from None
    except UnicodeError as error:
        raise Refused(str(error)) from None


@cache
def _text(sql: str) -> TextClause:
    return text(sql)


def _url(written: str) -> URL:
    try:
        if (several := _SEVERAL.fullmatch(written)) is None:
            return make_url(written).set(drivername="postgresql+psycopg")
        made = make_url(several["begin"] + several["end"]).set(drivername="postgresql+psycopg")
        hosts = [("host", one if ":" in one else f"{one}:5432") for one in several["hosts"].split(",")]
        wanted = [] if _PRIMARY in made.query else [(_PRIMARY, "read-write")]
        return made.update_query_pairs([*hosts, *wanted])
    except (ArgumentError, ValueError):
        raise InvalidData("expected a URL like postgresql://user@host/database, got one that cannot be read") from None
