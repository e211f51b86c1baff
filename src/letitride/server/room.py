"""Room: one table with everything around it: its host, its shuffles, its dealer, and those who watch."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Protocol

from letitride.chance.live import Live
from letitride.engine import commands
from letitride.engine.state import Table
from letitride.server import automatic
from letitride.server.committer import Committer
from letitride.server.host import Answer, Host
from letitride.server.shuffles import Shuffles
from letitride.storage.store import Store, TableRecord


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


@dataclass(eq=False, slots=True)
class Watcher:
    """Somebody who is shown a table; messages wait for him in order, and views only as the latest."""

    messages: asyncio.Queue[dict[str, Any]] = field(default_factory=lambda: asyncio.Queue(256))


class Room:
    """A table with everything around it: its host, its shuffles, its dealer, and those who watch."""

    def __init__(self, record: TableRecord, host: Host, house: Keeper) -> None:
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
