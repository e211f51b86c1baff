"""Room: one table with everything around it: its dealer, its door, its shift, its bots, and what is said of it."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Mapping
from contextlib import suppress

from letitride.engine import commands
from letitride.engine.refusal import Refusal
from letitride.engine.state import Table
from letitride.errors import LetItRideError, StoreDown
from letitride.server.runtime.requests import TableLost
from letitride.server.tables.bots import Bots, bot_number, bots_max
from letitride.server.tables.dealer import Dealer
from letitride.server.tables.door import CLOSING, Door
from letitride.server.tables.frames import Frames
from letitride.server.tables.live_table import LiveTable, TableHouse
from letitride.server.tables.messages import State, TableSent
from letitride.server.tables.node_records import Listing
from letitride.server.tables.quotas import Quotas
from letitride.server.tables.shift import Shift
from letitride.server.tables.table_owner import TableOwner
from letitride.server.tables.vacancies import Vacancies
from letitride.storage.roles.tables import TableRecord


class Room(LiveTable):
    """A table with everything around it."""

    def __init__(self, record: TableRecord, host: TableOwner, house: TableHouse, *, dealing: bool = True) -> None:
        super().__init__(record, host, house)
        self.frames = Frames()
        self.door, self.shift = Door(self), Shift(self)
        self.dealer = Dealer(self, self.door, self.shift)
        self.vacancies = Vacancies(self)
        self.quotas = Quotas(lambda: house.clock_ms(), lambda: house.budgets)  # noqa: PLW0108 - clocks may be set
        self._told: TableSent | None = None
        self._dealing: asyncio.Task[None] | None = None
        self._bots: Bots | None = None
        self.on_news = self._announce
        host.gate, host.on_halt, host.patience_seconds = self._refuse, self._halted, house.pace.patience
        host.on_change = self._changed
        if dealing:
            self.start()

    def start(self) -> None:
        """Begin to deal, unless it has begun."""
        if self._dealing is None or self._dealing.done():
            self._dealing = asyncio.create_task(self._deal(), name=f"dealer of {self.record.id}")
            self.run_in_background(self._end_stale())
            if self.house.pace.sits_out:
                self.run_in_background(self.vacancies.run())
            banked = self.table.rules.rules.bank.mode != "house"
            least = max(self.house.bots, self.house.bankers) if banked else self.house.bots
            usual = max(least, min(int(self.record.about.get("bots", 0)), bots_max(self)))
            if usual or any(bot_number(seat.player) for seat in self.table.seats.values()):
                self._have_bots(least, usual)

    async def _deal(self) -> None:
        """Deal, after the shifts of a server that is gone are ended."""
        while not self.host.halted:
            try:
                await self.shift.end_left()
            except StoreDown:
                await asyncio.sleep(self.house.pace.retry)
            else:
                break
        await self.dealer.run()

    def _have_bots(self, least: int, usual: int) -> Bots:
        if not self._bots:
            self._bots = Bots(self, self.door, least, usual)
            self.run_in_background(self._bots.run())
        return self._bots

    def change_bots(self, by: int) -> int:
        """Have some bots more or fewer at the wish of the people there; return how many there are to be."""
        bots = self._have_bots(0, 0)
        bots.change(by)
        self.announce()
        return bots.wanted

    def dismiss_bots(self) -> None:
        """Have no bots any more: the table is about to close."""
        if self._bots:
            self._bots.dismiss()

    @property
    def state(self) -> State:
        """'open', 'closing', 'closed' or 'halted'."""
        return "halted" if self.host.halted else self.door.state

    def standing(self) -> TableSent:
        """Return what anyone may know of the table besides the game: who deals, whether it is open, whose time runs."""
        return TableSent(
            table=self.record.id,
            state=self.state,
            dealer=self.shift.person or "automatic",
            clock=self.dealer.clock,
            pace=self.pace,
            bots=self._bots.wanted if self._bots else 0,
            bots_max=bots_max(self),
        )

    def lobby_entry(self, meters: dict[str, int]) -> Listing:
        """Return how the table stands in a lobby, with what its jackpots hold."""
        seated = [seat.player for seat in self.table.seats.values() if seat.player]
        people = {name: (self.seat_of(name), self.chips_of(name)) for name in seated}
        bots = [name for name in seated if name in self.bot_names]
        return Listing(len(seated), self.table.phase, self.table.round, self.state, meters, people, bots)

    def post_meters(self, shown: Mapping[str, int]) -> None:
        """Show what the meters hold that this table shares with others."""
        self.frames.posted = shown
        self.wake_viewers()

    def on_duty(self, person: str) -> bool:
        """Whether a person works at this table now."""
        return self.shift.person == person or any(name == person and many for (name, _), many in self.staff.items())

    def note_connected(self, person: str, role: str) -> None:
        """A person is connected."""
        self.connected[person] += 1
        self.vacancies.note_connected(person)
        if role:
            self.staff[person, role] += 1
            self.shift.note_connected(person)
        self.host.wake()

    def note_disconnected(self, person: str, role: str) -> None:
        """A person is connected no longer, or by one connection less."""
        self.connected[person] -= 1
        self.connected += Counter()  # those who are gone are forgotten
        if role:
            self.staff[person, role] -= 1
            self.shift.note_disconnected(person)
        self.host.wake()

    async def close(self) -> None:
        """Stop dealing and answer what was taken; the round waits in the journal."""
        self.shift.close()
        waits = [*self._tasks, *([self._dealing] if self._dealing else [])]
        for task in waits:
            task.cancel()
        await asyncio.gather(*waits, return_exceptions=True)
        await self.host.close()

    def _refuse(self, table: Table, command: commands.AnyCommand) -> Refusal | None:
        refused = self.door.refuse(table, command) or self.dealer.refuse(table, command)
        return refused or self._refuse_late(table, command)

    def _refuse_late(self, table: Table, command: commands.AnyCommand) -> Refusal | None:
        """Return why no bet is placed or changed: the cards that it would be on are being bound."""
        bets = isinstance(command, commands.PlaceWagers) and table.phase == "dealing"
        return Refusal("betting_closed", "Betting is closed.") if bets and self.shuffles.closes_bets else None

    async def _end_stale(self) -> None:
        """End, in public, what another server of the house left behind."""
        with suppress(StoreDown, TableLost):  # then it is done when the next deck is mixed
            await self.shuffles.end_stale()
            await self.open_decks()

    def _halted(self, why: str) -> None:
        if self.host.lost:
            self.send_viewers_elsewhere()
            self.house.nodes.look_at_once()
            return
        self.announce()
        self.run_in_background(self._keep_halted(why))

    def _changed(self) -> None:
        self.wake_viewers()
        if self._told is not None and self.pace != self._told.pace:  # another person sat down, or got up
            self._announce()

    def _announce(self) -> None:
        """Tell everybody how the table stands, if that is news."""
        standing = self.standing()
        if standing != self._told:
            self._told = standing
            self.send_all(standing)

    async def _keep_halted(self, why: str) -> None:
        """Write down that the table is halted, so that it stays so after a restart; if need be later."""
        reason = (CLOSING if self.door.state == "closing" else "") + why
        while True:
            try:
                await self.keep_state("halted", reason, who="house", what="table.halted", why=why)
            except StoreDown:
                await asyncio.sleep(1.0)
            except LetItRideError:
                return
            else:
                return
