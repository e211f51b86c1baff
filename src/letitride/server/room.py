"""Room: one table with everything around it: its host, its shuffles, its dealer, and those who watch."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final, Protocol

import msgspec

from letitride.chance.live import Live
from letitride.engine import commands
from letitride.engine.state import Table
from letitride.server import automatic
from letitride.server.committer import Committer
from letitride.server.frames import Frames
from letitride.server.host import Answer, Host
from letitride.server.outbox import SERVICE_RESTART, Outbox
from letitride.server.shuffles import Shuffles
from letitride.storage import snapshots
from letitride.storage.store import Store, TableRecord

SNAPSHOT_ROWS: Final = 500
"""How many rows of a journal are read again at most, when a table is gone on with, and those of one round."""


@dataclass(frozen=True, slots=True)
class Pace:
    """How long a table takes over things, in seconds."""

    step: float = 0.6
    bets: float = 15.0
    """From the first complete bet on."""
    choice: float = 30.0


class Keeper(Protocol):
    """The house as a room knows it."""

    store: Store
    committer: Committer
    pace: Pace
    clock_ms: Callable[[], int]


class Room:
    """A table with everything around it: its host, its shuffles, its dealer, and those who watch."""

    def __init__(self, record: TableRecord, host: Host, house: Keeper) -> None:
        self.record, self.host = record, host
        self.watchers: set[Outbox] = set()
        self.frames = Frames()
        self.shuffles = Shuffles(record.id, house.store, house.committer, self.tell)
        self.shift = ""
        """Who deals, if it is a person: then the automatic dealer stands aside."""
        self._house, self._live = house, Live()
        self._kept_at = host.head.number
        host.on_change = self.wake
        self._dealer = asyncio.create_task(self._deal(), name=f"dealer of {record.id}")

    @property
    def table(self) -> Table:
        """The table as it is on disk."""
        return self.host.table

    def tell(self, message: dict[str, Any]) -> None:
        """Send a message to everybody who watches; one who does not read is let go by his own connection."""
        encoded = msgspec.json.encode(message)
        for watcher in self.watchers:
            watcher.put(encoded)

    def wake(self) -> None:
        """Say to everybody who watches that there is something new to see."""
        for watcher in self.watchers:
            watcher.wake()

    def leave(self) -> None:
        """Send everybody who watches to where the table is now."""
        for watcher in self.watchers:
            watcher.end(SERVICE_RESTART)

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
        before = self.table.round
        await self.submit("dealer", "", act)
        if self.table.round != before or self.table.phase in {"between", "betting", "idle"}:
            await self.shuffles.open_all()
        if self.host.head.number >= self._kept_at + SNAPSHOT_ROWS and self.table.round != before:
            await self._keep_snapshot()

    async def _keep_snapshot(self) -> None:
        """Spare whoever goes on with this table the reading of its whole journal."""
        store, head = self._house.store, self.host.head
        body = snapshots.take(self.table, head)

        def put() -> None:
            kept = store.document(snapshots.KIND, self.record.id)
            store.put_document(snapshots.KIND, self.record.id, body, kept.version if kept else 0)

        self._kept_at = head.number
        await self._house.committer.call(put)

    async def _shuffle(self) -> None:
        step = self.table.next_step
        if step is None:
            return
        await self.shuffles.open_all()
        seats = {n for n, seat in self.table.seats.items() if seat.player and not seat.away} if self.watchers else set()
        order = await self.shuffles.order(self.table.round + 1, seats)
        await self.submit("dealer", "", automatic.shuffle(step, order))


async def _happens(event: asyncio.Event, seconds: float) -> bool:
    """Return whether something happens within a time."""
    try:
        await asyncio.wait_for(event.wait(), max(seconds, 0.0))
    except TimeoutError:
        return False
    return True
