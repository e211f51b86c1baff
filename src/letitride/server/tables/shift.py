"""Shift: who deals at a table, if it is a person; kept in memory alone, so after a restart no one has it."""

from __future__ import annotations

import asyncio

from letitride.errors import LetItRideError
from letitride.server.people.accounts import Person
from letitride.server.runtime.requests import NotNow, RoleMissing
from letitride.server.tables.live_table import LiveTable


class Shift:
    """The shift of a human dealer, who keeps it for a while when they are not connected."""

    def __init__(self, room: LiveTable) -> None:
        self._room = room
        self.person = ""
        self._timer: asyncio.TimerHandle | None = None

    async def take(self, person: Person) -> None:
        """Let a dealer have the table: from the next command on the automatic dealer stands aside."""
        room, name = self._room, person.name
        if "dealer" not in person.roles:
            raise RoleMissing(f"expected a person with the role dealer, got {name}")

        async def take() -> None:
            if self.person not in {"", name}:
                raise NotNow(f"expected a table without a human dealer, got one where {self.person} has the shift")
            if room.seat_of(name):
                raise NotNow("expected a dealer who does not play at this table, got one who sits at it")
            if not self.person:
                await room.audit(name, "shift.taken", "")
                self.person = name

        await room.host.run_between_commands(take)
        self.note_disconnected(name)  # a dealer who takes it without being connected has the time of grace to come
        self._tell()

    async def end(self, who: str, why: str = "") -> None:
        """End the shift: the automatic dealer goes on."""
        room = self._room

        async def end() -> None:
            if not self.person:
                raise NotNow("expected a table with a human dealer, got one without")
            await room.audit(who, "shift.ended", why or f"shift of {self.person}")
            self.person = ""

        await room.host.run_between_commands(end)
        self._stop_timer()
        self._tell()

    def note_connected(self, person: str) -> None:
        """The dealer is connected again."""
        if person == self.person:
            self._stop_timer()

    def note_disconnected(self, person: str) -> None:
        """The dealer may be connected no longer: then their time of grace begins."""
        if person == self.person and not self._room.is_connected("dealer", person) and self._timer is None:
            grace = self._room.house.pace.grace
            self._timer = asyncio.get_running_loop().call_later(
                grace, lambda: self._room.run_in_background(self._lapse(person))
            )

    def close(self) -> None:
        """Forget everything."""
        self._stop_timer()

    async def _lapse(self, person: str) -> None:
        self._timer = None
        if self.person == person and not self._room.is_connected("dealer", person):
            try:
                await self.end("house", f"{person} did not come back")
            except NotNow:
                return
            except LetItRideError:
                self.note_disconnected(person)  # the store is away: try again after the same time

    def _stop_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _tell(self) -> None:
        self._room.announce()
        self._room.host.wake()
