"""Vacancies: seats whose players are no longer connected: they sit out, so that no one waits, and at last leave.

Chips are never touched: a player who leaves takes them into their wallet, as if they had got up themselves.
"""

from __future__ import annotations

import asyncio
from functools import partial

from letitride.engine import commands
from letitride.engine.refusal import Refusal
from letitride.engine.state import Table
from letitride.errors import LetItRideError, StoreDown
from letitride.server.runtime.requests import TableHalted
from letitride.server.tables.live_table import LiveTable


class Vacancies:
    """Since when players of a table are not connected."""

    def __init__(self, room: LiveTable) -> None:
        self._room = room
        self._gone_since: dict[str, float] = {}

    def came(self, person: str) -> None:
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
        seats = {number: seat for number, seat in room.table.seats.items() if seat.player}
        seated = {seat.player for seat in seats.values()}
        self._gone_since = {name: since for name, since in self._gone_since.items() if name in seated}
        for number, seat in seats.items():
            if seat.player in room.connected or seat.player in room.bot_names:
                continue
            gone = now - self._gone_since.setdefault(seat.player, now)
            by, guard = f"seat:{number}", partial(self._gone, number, seat.player)
            if gone >= room.house.pace.sits_out and room.table.banks(number):  # no one gets up from a bank
                await room.submit("house", "", commands.DeclineBank(by=by, seat=number), guard=guard)
            if gone >= room.house.pace.leaves:
                await room.submit("house", "", commands.Leave(by=by, seat=number), guard=guard)
            elif gone >= room.house.pace.sits_out and not seat.sitting_out:
                await room.submit("house", "", commands.SitOut(by=by, seat=number), guard=guard)

    def _gone(self, number: int, person: str, table: Table) -> Refusal | None:
        """Refuse to act for a seat that is another's by now, or whose player is back."""
        if table.seats[number].player == person and person not in self._room.connected:
            return None
        return Refusal("not_gone", f"The player of seat {number} is there.")
