"""Past: a table's journal as moments and rounds, from any place in it, with marks that save reading from row 1.

A mark is the table as it was at one row, kept as a document beside the journal. It only saves time: the journal alone
says what was, a mark that does not fit it is passed over, and without any mark everything is found just the same.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from typing import Final

import msgspec

from letitride.engine.events import AnyEvent, TableOpened
from letitride.engine.evolve import evolve, new_table
from letitride.engine.state import Table
from letitride.errors import InvalidData, InvariantBroken, MissingData
from letitride.records.rounds import Moment, PlayedRound, after_end, cut
from letitride.rules.table_rules import TableRules
from letitride.storage.journal import BrokenJournal, Head, OpenedRow, Row, SealedRow, follows, hash_of, read
from letitride.storage.roles.documents import DocumentStore
from letitride.storage.roles.journal import JournalStore
from letitride.storage.roles.texts import is_text
from letitride.storage.tables_codec import decode_table, encode_table

MARK_EVERY: Final = 1_000
"""Rows between two marks."""


class Mark(msgspec.Struct, frozen=True, kw_only=True):
    """Where a table was kept: its row and that row's hash, its round then, and a time that no row up to it is after."""

    row: int
    hash: str
    round: int
    at_ms: int


@dataclass(frozen=True, slots=True)
class _Start:
    """Where a walk begins: after a row, with the table as it was then; or before the first row."""

    row: int = 0
    hash: str = ""
    table: Table | None = None


class Past:
    """What was played at one table. It reads; marks are written by the thread that may write documents."""

    def __init__(self, journal: JournalStore, documents: DocumentStore, table_id: str) -> None:
        if not is_text(table_id) or not table_id:
            raise MissingData(f"expected a table that is known here, got {table_id!r}")
        journal.last(table_id)  # refuses one that is not there
        self._journal, self._documents, self.id = journal, documents, table_id
        first = next(journal.rows(table_id, limit=1), None)
        if first is not None and (reason := follows(first, table_id, Head())):
            raise BrokenJournal(table_id, 1, reason)  # what cannot be trusted here spoils everything after it
        opened = read(first)[0] if first is not None else None
        if not isinstance(opened, TableOpened):
            raise MissingData(f"expected a table that was opened, got '{table_id}'")
        self.opened_by: TableRules = opened.rules
        self.left_out = ""
        """What a walk could not read for want of the house's key, in a sentence; empty: nothing."""
        self.marks = [msgspec.json.decode(doc.body, type=Mark) for doc in documents.find(self._kind("marks"))]

    def moments(self, start: _Start | None = None) -> Iterator[Moment]:
        """Yield what happened at the table, from its opening or from a place in its journal on.

        It ends before a round in play that is sealed where no key is there, which `left_out` says then.
        """
        try:
            yield from (moment for moment, _ in self._walk(start or _Start()))
        except SealedRow as no:
            self.left_out = (
                f"left out: rows from {no.number} on, of a round in play and sealed until its deck is opened"
            )

    def follow(self, wait: Callable[[], bool], *, past: bool = True) -> Iterator[Moment]:
        """Yield what happens at the table as its journal grows, with `past` from its opening on.

        `wait` is asked where there is nothing new, and says whether to look again. What is sealed is waited for, too.
        """
        start = _Start()
        if not past:
            table, head = self.present()
            start = _Start(head.number, head.hash, table)
        while True:
            with suppress(SealedRow):
                for moment, row in self._walk(start):
                    start = _Start(row.number, row.hash, moment.after)
                    yield moment
            if not wait():
                return

    def _walk(self, start: _Start) -> Iterator[tuple[Moment, Row]]:
        """Read the rows after a place; one that is not as it was written ends it, and is shown to no one."""
        table, last = start.table, Head(start.row, start.hash) if start.row else Head()
        for row in self._journal.rows(self.id, after=start.row):
            if not row.events:
                raise MissingData(
                    f"expected rows that are in the store, got row {row.number} of table '{self.id}', which is in an"
                    " archive: 'letitride archive restore' brings it back"
                )
            if reason := follows(row, self.id, last):
                raise BrokenJournal(self.id, last.number + 1, reason)
            last = Head(row.number, row.hash)
            happened, before = read(row), table
            table = _after(table, happened)
            yield Moment(row.number, row.at, row.by, happened, before, table, row.command), row

    def present(self) -> tuple[Table, Head]:
        """Return the table as its journal leaves it, and where that ends; every row that is read for it is checked.

        Rows before the last mark are not read: who wants to know of those too verifies the journal.
        """
        end = self._journal.last(self.id)  # before the rows: it may grow meanwhile
        start = self._before(lambda _: True)
        table, head = start.table, Head(start.row, start.hash)
        for moment, row in self._walk(start):
            table, head = moment.after, Head(row.number, row.hash)
        if head.number < end.number:
            reason = f"expected the journal to end at row {end.number}, got its end at {head.number}"
            raise BrokenJournal(self.id, head.number + 1, reason)
        return _there(table), head

    def last_round(self) -> int:
        """Return the number of the last round that is over; 0: none is."""
        known = self.marks[-1].round if self.marks else 0
        start = self._before(lambda mark: mark.round <= known - 2)  # since then a round has ended for sure
        return max((end.round for moment in self.moments(start) if (end := moment.end) is not None), default=0)

    def rounds(self, first: int = 1, last: int | None = None, *, running: bool = False) -> Iterator[PlayedRound]:
        """Yield rounds by number; the one that is not over only where `running` asks for it."""
        start = self._before(lambda mark: mark.round <= first - 2)
        moments = self.moments(start)
        since = first - 1 if start.row else 0
        for one in cut(after_end(moments, since), running=running):
            if last is not None and one.number > last:
                return
            if one.number >= first:
                yield one
            if one.number == last:
                return

    def rounds_touching(self, from_ms: int, to_ms: int) -> Iterator[PlayedRound]:
        """Yield the rounds of which something happened within a time, the one that is not over among them."""
        start = self._before_time(from_ms)
        since = start.table.round + 1 if start.table is not None else 0
        for one in cut(after_end(self.moments(start), since), running=True):
            if one.moments[0].at_ms >= to_ms:
                return
            if one.ended_ms >= from_ms:
                yield one

    def rounds_between(self, from_ms: int, to_ms: int) -> Iterator[PlayedRound]:
        """Yield the rounds that ended within a time: from its first millisecond on, and before the last."""
        touched = self.rounds_touching(from_ms, to_ms)
        return (one for one in touched if one.status != "running" and one.ended_ms < to_ms)

    def due(self, head: Head) -> bool:
        """Whether enough has happened since the last mark to make another."""
        return head.number - (self.marks[-1].row if self.marks else 0) >= MARK_EVERY

    def unmarked(self) -> Iterator[tuple[Table, Head, int]]:
        """Yield what marks are to be made of, where there are none up to the journal's end: (table, row, time)."""
        for moment, row in self._walk(self._before(lambda _: True)):
            head = Head(row.number, row.hash)
            if self.due(head) and not _is_secret(row):
                yield moment.after, head, moment.at_ms

    def mark(self, table: Table, head: Head, at_ms: int) -> None:
        """Keep a table as it was at a row of its journal; called only in the thread that writes.

        Of a row that only the house's key opens nothing is kept: the table would tell what the row hides.
        """
        if any(map(_is_secret, self._journal.rows(self.id, head.number - 1, 1))):
            return
        made = Mark(row=head.number, hash=head.hash, round=table.round, at_ms=at_ms)
        name = f"{made.row:012}"
        body = encode_table(table, self.opened_by)
        self._documents.put(self._kind("table-at"), name, body, 0)
        self._documents.put(self._kind("marks"), name, msgspec.json.encode(made), 0)
        self.marks.append(made)
        self.marks.sort(key=lambda one: one.row)

    def _kind(self, what: str) -> str:
        return f"{what}:{self.id}"

    def _before(self, fits: Callable[[Mark], bool]) -> _Start:
        """Return the last mark that fits and can be read, or the beginning."""
        for mark in reversed(list(self.marks)):  # another thread may add one meanwhile
            if fits(mark) and (start := self._read(mark)) is not None:
                return start
        return _Start()

    def _before_time(self, at_ms: int) -> _Start:
        """Return a mark at which the round that was on at a time had not begun, or the beginning."""
        known = [mark.round for mark in self.marks if mark.at_ms < at_ms]
        return self._before(lambda mark: mark.round <= known[-1] - 2) if known else _Start()

    def _read(self, mark: Mark) -> _Start | None:
        kept = self._documents.get(self._kind("table-at"), f"{mark.row:012}")
        row = next(self._journal.rows(self.id, after=mark.row - 1, limit=1), None)
        if kept is None or row is None or (row.number, row.hash) != (mark.row, mark.hash):
            return None
        if hash_of(row) != row.hash:
            return None  # a reader who begins before it finds that out
        try:
            return _Start(mark.row, mark.hash, decode_table(kept.body, self.opened_by))
        except InvalidData:
            return None


def _is_secret(row: Row) -> bool:
    return isinstance(row, OpenedRow) and row.secret


def rebuilt(rows: Iterable[Row]) -> Table:
    """Return a table as its journal tells it, from the first row on."""
    table: Table | None = None
    for row in rows:
        table = _after(table, read(row))
    return _there(table)


def _after(table: Table | None, happened: Iterable[AnyEvent]) -> Table:
    """Return the table that follows from events."""
    for event in happened:
        table = new_table(event) if isinstance(event, TableOpened) else evolve(_there(table), event)
    return _there(table)


def _there(table: Table | None) -> Table:
    if table is None:
        raise InvariantBroken("a journal begins with the opening of its table")
    return table
