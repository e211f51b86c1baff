"""House: all tables of one server: opened, found again in the journal, dealt at, watched; knows no network."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Final

from letitride.chance.live import Live
from letitride.engine import commands
from letitride.engine.decide import open_table
from letitride.engine.state import Table
from letitride.errors import InvalidData, MissingData
from letitride.ledger.postings import postings
from letitride.rules import catalog
from letitride.rules.table_rules import TableRules
from letitride.server import automatic
from letitride.server.committer import Committer
from letitride.server.host import Answer, Host, rebuilt
from letitride.server.people import People
from letitride.server.shuffles import Shuffles, spent
from letitride.storage.journal import Head, seal
from letitride.storage.store import Store, TableRecord, Write, Written

LEASE_MS: Final = 3_000
"""How long a table waits for an owner that died, before another takes it."""


@dataclass(frozen=True, slots=True)
class Pace:
    """How long a table takes over things, in seconds."""

    step: float = 0.6
    bets: float = 15.0
    """From the first complete bet on."""
    choice: float = 30.0


@dataclass(eq=False, slots=True)
class Watcher:
    """Somebody who is shown a table; messages wait for him in order, and views only as the latest."""

    messages: asyncio.Queue[dict[str, Any]] = field(default_factory=lambda: asyncio.Queue(256))


class Room:
    """A table with everything around it: its host, its shuffles, its dealer, and those who watch."""

    def __init__(self, record: TableRecord, host: Host, house: House) -> None:
        self.record, self.host = record, host
        self.watchers: set[Watcher] = set()
        self.shuffles = Shuffles(record.id, house.store, house.committer, self.tell)
        self.shift = ""
        """Who deals, if it is a person: then the automatic dealer stands aside."""
        self._house, self._live = house, Live()
        self._dealer = asyncio.create_task(self._deal(), name=f"dealer of {record.id}")

    @property
    def table(self) -> Table:
        """The table as it is on disk."""
        return self.host.table

    def tell(self, message: dict[str, Any]) -> None:
        """Send a message to everybody who watches; one who does not read is let go by his own connection."""
        for watcher in self.watchers:
            if not watcher.messages.full():
                watcher.messages.put_nowait(message)

    def seat_of(self, person: str) -> int:
        """Return where somebody sits; 0: nowhere."""
        return next((n for n, seat in self.table.seats.items() if seat.player == person), 0)

    async def submit(self, client: str, command_id: str, command: commands.AnyCommand) -> Answer:
        """Carry a command out, once it is durable."""
        return await self.host.submit(client, command_id, command)

    async def close(self) -> None:
        """Stop dealing and answer what was taken; the round waits in the journal."""
        self._dealer.cancel()
        await asyncio.gather(self._dealer, return_exceptions=True)
        await self.host.close()

    async def _deal(self) -> None:
        bets_since = 0.0
        while not self.host.halted:
            changed = self.host.changed
            await self.shuffles.open(spent(self.table))
            act = automatic.next_act(self.table, self._live)
            if self.shift or self.record.state != "open":
                await changed.wait()
            elif not isinstance(act, automatic.Waits):
                bets_since = 0.0
                await self._act(act)
                await asyncio.sleep(self._house.pace.step)
            elif act.what == "deck":
                await self._shuffle()
            elif act.what == "bets":
                bets_since = bets_since or time.monotonic()
                left = bets_since + self._house.pace.bets - time.monotonic()
                if not await _happens(changed, left) and (close := automatic.close_bets(self.table, self._live)):
                    await self._act(close)
                elif left <= 0:
                    bets_since = 0.0
            elif act.what == "seat":
                if not await _happens(changed, self._house.pace.choice):
                    late = automatic.for_an_absent_player(self.table)
                    if late is not None:
                        await self._act(late)
            else:
                await changed.wait()

    async def _act(self, act: commands.AnyCommand) -> None:
        await self.submit("dealer", "", act)

    async def _shuffle(self) -> None:
        step = self.table.next_step
        if step is None:
            return
        seats = {n for n, seat in self.table.seats.items() if seat.player and not seat.away} if self.watchers else set()
        order = await self.shuffles.order(self.table.round + 1, seats, step.number)
        await self.submit("dealer", "", automatic.shuffle(step, order))


async def _happens(event: asyncio.Event, seconds: float) -> bool:
    """Return whether something happens within a time."""
    try:
        await asyncio.wait_for(event.wait(), max(seconds, 0.0))
    except TimeoutError:
        return False
    return True


class House:
    """All tables of this server."""

    def __init__(self, store: Store, *, node: str, pace: Pace | None = None, address: str = "") -> None:
        self.store, self.node, self.address, self.pace = store, node, address, pace or Pace()
        self.committer = Committer(store)
        self.clock_ms: Callable[[], int] = lambda: time.time_ns() // 1_000_000
        self.people = People(store, self.committer, self.clock_ms)
        self.rooms: dict[str, Room] = {}

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

    def _room(self, record: TableRecord, table: Table, head: Head, epoch: int) -> None:
        host = Host(
            record.id,
            table,
            head,
            epoch=epoch,
            store=self.store,
            committer=self.committer,
            clock_ms=self.clock_ms,
        )
        self.rooms[record.id] = Room(record, host, self)


def _about(rules: TableRules) -> dict[str, Any]:
    return {
        "rulebook": rules.book.id,
        "sha256": rules.book.digest,
        "paytables": {str(wager): name for wager, name in rules.paytables.items()},
        "seats": rules.rules.seats,
        "limits_cents": [rules.rules.limit.cents_min, rules.rules.limit.cents_max],
    }
