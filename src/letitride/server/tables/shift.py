"""Shift: who deals at a table, if it is a person; it deals no card.

A shift is over when the server that plays the table is gone: the automatic dealer goes on. So that the record does not
let it go on for ever, and no one deals at two tables, a document of the dealer's says where they have a shift.
"""

from __future__ import annotations

import asyncio
from typing import Final

import msgspec

from letitride.errors import LetItRideError, MissingData
from letitride.server.people.accounts import Person
from letitride.server.people.names import key_of
from letitride.server.runtime.requests import NotNow, RoleMissing
from letitride.server.tables.live_table import LiveTable

KIND: Final = "shift"


class Kept(msgspec.Struct, frozen=True):
    """A dealer's shift as it is kept."""

    name: str
    table: str


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
                await room.house.committer.run(lambda: self._keep(name))
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
            name = self.person
            await room.house.committer.run(lambda: self._forget(name, who, why or f"shift of {name}"))
            self.person = ""

        await room.host.run_between_commands(end)
        self._stop_timer()
        self._tell()

    async def end_left(self) -> None:
        """End, on record, the shifts at this table of a server that is gone: before the automatic dealer deals on."""
        documents = self._room.house.stores.documents

        def forget() -> None:
            for one in documents.find(KIND):
                kept = msgspec.json.decode(one.body, type=Kept)
                if kept.table == self._room.record.id and kept.name != self.person:
                    self._forget(kept.name, "house", f"the server of {kept.name}'s shift stopped")

        async def end() -> None:
            await self._room.house.committer.run(forget)

        await self._room.host.run_between_commands(end)

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

    def _keep(self, name: str) -> None:
        """Keep that a dealer has the shift here, and nowhere else. Only in the committer's thread."""
        house, table, key = self._room.house, self._room.record.id, key_of(name)
        body = msgspec.json.encode(Kept(name, table))
        while True:
            before = house.stores.documents.get(KIND, key)
            if before is not None:
                other = msgspec.json.decode(before.body, type=Kept).table
                if other != table and self._is_open(other):
                    raise NotNow(
                        f"expected a dealer without a table, got one who deals at {other}: end that shift first"
                    )
                self._note("house", "ended", other, f"shift of {name}")
            if house.stores.documents.put(KIND, key, body, before.version if before else 0) is not None:
                self._note(name, "taken", table, "")
                return

    def _is_open(self, table: str) -> bool:
        """Whether a table is dealt at: at one that is closed or halted a shift is over."""
        try:
            return self._room.house.stores.tables.get(table).state == "open"
        except MissingData:
            return False

    def _forget(self, name: str, who: str, why: str) -> None:
        """Keep that a dealer's shift here is over. Only in the committer's thread."""
        documents, table = self._room.house.stores.documents, self._room.record.id
        kept = documents.get(KIND, key_of(name))
        if kept is not None and msgspec.json.decode(kept.body, type=Kept).table == table:
            documents.delete(KIND, kept.id, kept.version)
        self._note(who, "ended", table, why)

    def _note(self, who: str, what: str, table: str, why: str) -> None:
        house = self._room.house
        house.stores.audit.add(house.clock_ms(), who, f"shift.{what} {table}", why)

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
