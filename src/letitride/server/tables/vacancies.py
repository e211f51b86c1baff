"""Vacancies: seats whose players are no longer connected: they sit out, so that no one waits, and at last leave.

Chips are never touched: a player who leaves takes them into their wallet, as if they had got up themselves. Since when
they are gone is kept, so that a restart, or another server of the house, does not begin to count anew.
"""

from __future__ import annotations

import asyncio
from functools import partial
from typing import Final

import msgspec

from letitride.engine import commands
from letitride.engine.refusal import Refusal
from letitride.engine.state import Table
from letitride.errors import LetItRideError, StoreDown
from letitride.server.runtime.requests import TableHalted
from letitride.server.tables.live_table import LiveTable

KIND: Final = "gone-since"
"""Of each table a document: its players who are not connected, and since when, in milliseconds of the house's clock."""


class Vacancies:
    """Since when players of a table are not connected."""

    def __init__(self, room: LiveTable) -> None:
        self._room = room
        self._gone_since: dict[str, float] = {}
        self._kept: dict[str, int] | None = None
        """What is kept of it; None: it has not been read yet."""

    def note_connected(self, person: str) -> None:
        """A person is connected."""
        self._gone_since.pop(person, None)

    async def run(self) -> None:
        """Look after the seats until the table is halted."""
        room, pace = self._room, self._room.house.pace
        while not room.host.halted:
            await asyncio.sleep(min(pace.sits_out, pace.leaves) / 4)
            try:
                await self.look()
            except TableHalted:
                return
            except (StoreDown, LetItRideError):
                continue

    async def look(self) -> None:
        """Let those sit out, or leave, who have been gone for long enough."""
        now, room = asyncio.get_running_loop().time(), self._room
        if self._kept is None:
            await self._recall(now)
        seats = {number: seat for number, seat in room.table.seats.items() if seat.player}
        seated = {seat.player for seat in seats.values()}
        self._gone_since = {name: since for name, since in self._gone_since.items() if name in seated}
        here = room.connected.keys() | room.bot_names
        self._gone_since.update({name: now for name in seated - here if name not in self._gone_since})
        await self._keep(now)
        for number, seat in seats.items():
            if seat.player not in self._gone_since:
                continue
            gone = now - self._gone_since[seat.player]
            by, guard = f"seat:{number}", partial(self._refuse_if_back, number, seat.player)
            if gone >= room.house.pace.sits_out and room.table.banks(number):  # no one gets up from a bank
                await room.submit("house", "", commands.DeclineBank(by=by, seat=number), guard=guard)
            if gone >= room.house.pace.leaves:
                await room.submit("house", "", commands.Leave(by=by, seat=number), guard=guard)
            elif gone >= room.house.pace.sits_out and not seat.sitting_out:
                await room.submit("house", "", commands.SitOut(by=by, seat=number), guard=guard)

    async def _recall(self, now: float) -> None:
        """Go on with what this server, or the last owner of the table, has kept."""
        room = self._room
        found = await asyncio.to_thread(room.house.stores.documents.get, KIND, room.record.id)
        self._kept = msgspec.json.decode(found.body, type=dict[str, int]) if found else {}
        clock_ms = room.house.clock_ms()
        gone = {name: now - (clock_ms - since) / 1000 for name, since in self._kept.items()}
        self._gone_since = {name: since for name, since in gone.items() if name not in room.connected}

    async def _keep(self, now: float) -> None:
        """Write down who is gone, where that has changed."""
        if self._kept is not None and self._kept.keys() == self._gone_since.keys():
            return
        room, clock_ms = self._room, self._room.house.clock_ms()
        kept = {name: clock_ms - round(1000 * (now - since)) for name, since in self._gone_since.items()}
        documents, body = room.house.stores.documents, msgspec.json.encode(kept)

        def put() -> None:
            done = None
            while done is None:
                found = documents.get(KIND, room.record.id)
                done = documents.put(KIND, room.record.id, body, found.version if found else 0)

        await room.house.committer.run(put)
        self._kept = kept

    def _refuse_if_back(self, number: int, person: str, table: Table) -> Refusal | None:
        """Refuse to act for a seat that is another's by now, or whose player is back."""
        if table.seats[number].player == person and person not in self._room.connected:
            return None
        return Refusal("not_gone", f"The player of seat {number} is there.")
