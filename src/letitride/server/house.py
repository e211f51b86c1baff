"""House: all tables of one server: opened, found again in the journal, dealt at, watched; knows no network."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, Final

from letitride.engine.decide import open_table
from letitride.engine.state import Table
from letitride.errors import InvalidData, MissingData
from letitride.ledger.postings import postings
from letitride.rules import catalog
from letitride.rules.table_rules import TableRules
from letitride.server.committer import Committer
from letitride.server.door import NotNow
from letitride.server.host import Host, rebuilt
from letitride.server.pace import Pace
from letitride.server.people import People
from letitride.server.room import Room
from letitride.server.watchers import Watcher
from letitride.storage.journal import Head, seal
from letitride.storage.store import Store, TableRecord, Write, Written

__all__ = ["House", "Pace", "Room", "Watcher"]

LEASE_MS: Final = 3_000
"""How long a table waits for an owner that died, before another takes it."""


class House:
    """All tables of this server."""

    def __init__(self, store: Store, *, node: str, pace: Pace | None = None, address: str = "", bots: int = 0) -> None:
        self.store, self.node, self.address, self.pace = store, node, address, pace or Pace()
        self.bots = bots
        """How many players of the house's own keep people company at each table."""
        self.committer = Committer(store)
        self.clock_ms: Callable[[], int] = lambda: time.time_ns() // 1_000_000
        self.people = People(store, self.committer, self.clock_ms)
        self.rooms: dict[str, Room] = {}
        self.recovering = asyncio.Lock()
        """Held while a table is set going again."""

    async def start(self, *, demo: bool = True) -> None:
        """Find all tables again, and open a demo table for each book where there is none at all."""
        if demo and not self.store.tables():
            for book in catalog.rulebook_ids():
                await self.open(book, f"Demo {book}", book)
        await self._take_free()

    async def open(self, table_id: str, name: str, ref: str, values: Mapping[str, Any] | None = None) -> None:
        """Open a new table by a book; what the book leaves open and nobody states is taken from the demo values."""
        missing = catalog.rulebook(ref).missing()
        stated = {key: value for key, value in catalog.STATED.items() if key in missing}
        rules = catalog.table_rules(ref, {**stated, **(values or {})})
        await self.committer.call(lambda: self.store.create_table(table_id, name, _about(rules)))
        table, opened = open_table(rules)
        lease = await self._lease(table_id)
        if lease is None:
            raise InvalidData(f"expected a table that no other server owns, got '{table_id}'")
        row = seal(Head(), table_id=table_id, at=self.clock_ms(), by="house", happened=opened, epoch=lease)
        transfers = [transfer for event in opened for transfer in postings(event)]
        write = Write(table_id=table_id, epoch=lease, number=1, rows=[row], transfers=transfers)
        outcome = await self.committer.commit(write)
        if not isinstance(outcome, Written):
            raise InvalidData(f"expected a new table to be written, got {outcome}")
        self._room(self.store.table(table_id), table, Head(row.number, row.hash), lease)

    async def keep_leases(self) -> None:
        """Renew the leases of our tables and take those that nobody owns, for as long as the server runs."""
        while True:
            await asyncio.sleep(LEASE_MS / 3000)
            await self._take_free()
            for room in list(self.rooms.values()):
                lease = partial(self.store.lease, room.record.id, self.node, self.address, self.clock_ms(), LEASE_MS)
                await self.committer.call(lease)

    def room(self, table_id: str) -> Room:
        """Return a table's room."""
        if table_id not in self.rooms:
            raise MissingData(f"expected a table that is open here, got '{table_id}'")
        return self.rooms[table_id]

    async def take_halted(self, record: TableRecord) -> Room:
        """Return a halted or closed table as its journal has it, with nobody dealing yet."""
        lease = await self._lease(record.id)
        if lease is None:
            raise NotNow(f"expected a table that no other server owns, got '{record.id}'")
        rows = await asyncio.to_thread(lambda: list(self.store.rows(record.id)))
        head = Head(rows[-1].number, rows[-1].hash) if rows else Head()
        return self._room(record, rebuilt(rows), head, lease, dealing=False)

    async def close(self) -> None:
        """Stop all tables where they are, and write what is left to write."""
        await asyncio.gather(*(room.close() for room in self.rooms.values()))
        for room in self.rooms.values():
            await self.committer.call(partial(self.store.release, room.record.id, self.node, room.host.epoch))
        self.committer.close()
        self.store.close()

    async def _take_free(self) -> None:
        for record in self.store.tables():
            if record.state == "open" and record.id not in self.rooms:
                lease = await self._lease(record.id)
                if lease is not None:
                    self._take(record, lease)

    def _take(self, record: TableRecord, lease: int) -> None:
        rows = list(self.store.rows(record.id))
        self._room(record, rebuilt(rows), self.store.last(record.id), lease)

    async def _lease(self, table_id: str) -> int | None:
        lease = await self.committer.call(
            lambda: self.store.lease(table_id, self.node, self.address, self.clock_ms(), LEASE_MS)
        )
        return None if lease is None else lease.epoch

    def _room(self, record: TableRecord, table: Table, head: Head, epoch: int, *, dealing: bool = True) -> Room:
        host = Host(
            record.id,
            table,
            head,
            epoch=epoch,
            store=self.store,
            committer=self.committer,
            clock_ms=self.clock_ms,
        )
        self.rooms[record.id] = Room(record, host, self, dealing=dealing)
        return self.rooms[record.id]


def _about(rules: TableRules) -> dict[str, Any]:
    return {
        "rulebook": rules.book.id,
        "sha256": rules.book.digest,
        "paytables": {str(wager): name for wager, name in rules.paytables.items()},
        "seats": rules.rules.seats,
        "limits_cents": [rules.rules.limit.cents_min, rules.rules.limit.cents_max],
    }
