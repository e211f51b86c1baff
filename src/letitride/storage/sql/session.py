"""Session: statements read, written in one transaction, or read of one moment; never a dialect."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any, ClassVar, Final, TypeVar

from letitride.storage.roles.journal import Hazard

T = TypeVar("T")
Values = Mapping[str, Any]
Query = Callable[..., list[tuple[Any, ...]]]
"""Runs a query with values by name and returns its rows."""
_PAGE: Final = 1_000


class Refused(Exception):
    """A database's no to one statement, in its own words."""


class Session(ABC):
    """One transaction. Statements name their values as :name; a no of the database is Refused."""

    SHARED: ClassVar = False
    """Whether other processes write at the same time."""

    @abstractmethod
    def run(self, sql: str, **values: Any) -> list[tuple[Any, ...]]:
        """Run a statement and return its rows."""

    @abstractmethod
    def count(self, sql: str, **values: Any) -> int:
        """Run a statement and return how many rows it changed."""

    @abstractmethod
    def many(self, sql: str, rows: Sequence[Values]) -> None:
        """Run a statement once for each set of values."""

    def lock(self, accounts: Sequence[str]) -> None:  # noqa: B027 - nothing to do where one process writes
        """Lock accounts outside tables, always in the same order, where other processes write at the same time."""

    @abstractmethod
    def savepoint(self) -> AbstractContextManager[None]:
        """Undo what is done inside, if it is refused, and nothing else."""


class Database(ABC):
    """A database with our schema. One thread writes; any thread may read."""

    BY_CHARACTERS: ClassVar = "id"
    """An id in the order of its characters, whatever language the database sorts by."""
    CHARACTER: ClassVar = "char"
    """The function that makes a character of its number."""
    EACH: ClassVar = "SELECT value FROM json_each(:ids)"
    """What picks the texts of a list that is given as JSON."""
    ONE_TRIP: ClassVar = False
    """Whether it can do work in one exchange."""
    BACKUP: ClassVar = "jsonl"
    """How the name of a backup's file ends."""

    @abstractmethod
    def read(self, sql: str, **values: Any) -> list[tuple[Any, ...]]:
        """Run a query outside any transaction of a writer; a value that cannot be kept is in no row."""

    @abstractmethod
    def transact(self, work: Callable[[Session], T]) -> T:
        """Do work in one transaction; it may be called again where the database asks for it."""

    def at_once(self, _work: Callable[[Session], None]) -> list[list[bytes]] | None:
        """Do work that reads nothing in one transaction and one exchange; return what its statements returned.

        Nothing where the database refuses any of it, or has no such way: then nothing is done.
        """
        return None

    @abstractmethod
    def snapshot(self) -> AbstractContextManager[Query]:
        """Lend what runs queries of one moment: all answers are of the same state."""

    @abstractmethod
    def copy_to(self, path: Path) -> None:
        """Write everything, as it is at one moment, to a new file."""

    @abstractmethod
    def clock_ms(self) -> int | None:
        """Return the time by the database's own clock, where it has one that processes share."""

    @abstractmethod
    def alone(self) -> bool:
        """Whether no other process can be writing here, for as long as this one does."""

    @abstractmethod
    def may_write(self) -> bool:
        """Whether this process has the right to add to journals here; found out without writing."""

    @abstractmethod
    def hazards(self) -> list[Hazard]:
        """Return what the database is set to that could lose what it confirmed."""

    @abstractmethod
    def close(self) -> None:
        """Let go of everything."""


def pages(
    query: Query, sql: str, *, after: int = 0, limit: int | None = None, **values: Any
) -> Iterator[tuple[Any, ...]]:
    """Yield the rows of a query page by page, so that no reader holds a snapshot for long; the key comes first."""
    left = limit
    while left is None or left > 0:
        page = _PAGE if left is None else min(left, _PAGE)
        found = query(sql, after=after, page=page, **values)
        yield from found
        if len(found) < page:
            return
        after = found[-1][0]
        left = None if left is None else left - page
