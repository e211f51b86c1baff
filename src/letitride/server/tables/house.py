"""House: all tables of one server: opened, found again in the journal, dealt at, watched; knows no network."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from functools import partial
from typing import Literal

from letitride.engine.refusal import Refusal
from letitride.engine.state import Table
from letitride.errors import InvalidData, MissingData, StoreDown
from letitride.ledger.chips import DEFAULT_RACK
from letitride.reports.pit.gaming_day import GamingDays
from letitride.rules import catalog
from letitride.rules.table_names import table_name
from letitride.rules.table_rules import TableRules
from letitride.rules.values import Values
from letitride.server.people.accounts import People
from letitride.server.people.admission import Admission
from letitride.server.people.approvals import Approvals
from letitride.server.people.invitations import PrivateTables
from letitride.server.people.limits import Limits
from letitride.server.people.tickets import Tickets
from letitride.server.people.vouchers import Vouchers
from letitride.server.people.wallet import Wallets
from letitride.server.runtime.budgets import Budgets
from letitride.server.runtime.clock import SharedClock
from letitride.server.runtime.hosts import Hosts
from letitride.server.runtime.metrics import Metrics
from letitride.server.runtime.pace import Pace
from letitride.server.runtime.rates import Buckets, Rates
from letitride.server.runtime.table_facts import PrivateFacts, TableFacts, facts_of, facts_of_rules
from letitride.server.runtime.write_batching import Committer
from letitride.server.tables import stored_shuffles
from letitride.server.tables.bots import BOTS_MAX
from letitride.server.tables.node_records import Listing, NodesAndTables, TableElsewhere
from letitride.server.tables.nodes import LEASE_MS, Nodes
from letitride.server.tables.room import Room
from letitride.server.tables.shared_meters import SharedMeters, new_table_events
from letitride.server.tables.table_metrics import TableMetrics
from letitride.server.tables.table_owner import TableOwner
from letitride.storage.journal import Head, seal
from letitride.storage.past import Past
from letitride.storage.patience import Patience, wait_in_loop
from letitride.storage.roles.journal import Conflict, Write, Written
from letitride.storage.roles.stores import Stores
from letitride.storage.roles.tables import TableRecord
from letitride.storage.sealed import OpenedJournal
from letitride.storage.vault import Vault, fresh_key

NamesInLobby = Literal["everybody", "players", "none"]


class TableIdInUse(InvalidData):
    """An id for a new table that another table has."""


def demo_name(book: str) -> str:
    """Return what the demo table of a published book is called: 'Washington · Cover All', and the limits."""
    return table_name(catalog.ready_rules(book))


class House:
    """All tables of this server."""

    def __init__(
        self,
        stores: Stores,
        *,
        node: str,
        pace: Pace | None = None,
        address: str = "",
        bots: int = 0,
        lease_ms: int = LEASE_MS,
        committer: Committer | None = None,
        vault: Vault | None = None,
    ) -> None:
        self.vault = vault or Vault(fresh_key(), lasting=False)
        """Seals what no copy of the store may tell; with the house's own key, other servers of it open it too."""
        self.committer = committer or Committer(stores.journal)
        if vault is not None:
            stores = replace(stores, journal=OpenedJournal(stores.journal, stores.documents, vault))
        self.stores, self.pace = stores, pace or Pace()
        self._shared_clock = SharedClock(stores.leases.shared_clock_ms)
        self.clock_ms: Callable[[], int] = self._shared_clock
        """The time that everything goes by, at whichever server of the house."""
        clock = lambda: self.clock_ms()  # noqa: E731, PLW0108 - setting the clock sets it for all
        self.people = People(stores.documents, stores.wallets, stores.audit, self.committer, clock, vault=self.vault)
        self.vouchers = Vouchers(stores.documents, stores.journal, stores.audit, self.committer, clock)
        self.admission = Admission(self.people, stores.documents, stores.audit, clock)
        self.limits = Limits(
            stores.documents,
            stores.journal,
            stores.audit,
            self.committer,
            clock,
            vouchers=self.vouchers,
            admission=self.admission,
        )
        self.wallets = Wallets(
            stores.wallets,
            stores.journal,
            stores.documents,
            committer=self.committer,
            clock_ms=clock,
            people=self.people,
            limits=self.limits,
        )
        self.approvals = Approvals(stores.documents, stores.audit, self.committer, clock)
        self.approvals.is_here, self.approvals.on_change = self.is_here, self._wake
        self.private = PrivateTables(stores.tables, stores.documents, stores.audit, self.committer, clock)
        self.nodes = Nodes(
            node,
            address,
            stores.leases,
            stores.tables,
            stores.documents,
            committer=self.committer,
            clock_ms=clock,
            set_clock=self._shared_clock.look,
            lease_ms=lease_ms,
        )
        self.tickets = Tickets(stores.documents, stores.leases, self.committer, clock)
        self.rates, self.buckets, self.budgets = Rates(), Buckets(clock), Budgets()
        self.connected = Counter[str]()
        """How many connections to tables everybody has here."""
        self.origins: frozenset[str] = frozenset()
        """Other sites whose pages may speak to this house: 'https://play.example'."""
        self.trusted_proxies: frozenset[str] = frozenset()
        """Addresses whose word on where a request came from is taken."""
        self.hosts: Hosts | None = None
        """By which names it is asked; None: by any, for a house inside another program, which has its own say."""
        self.secure_cookies = False
        """Whether cookies go over https only, whatever a request came by."""
        self.bots = bots
        """How many players of the house's own keep people company at each table."""
        self.bankers = 0
        """At least so many of them where a player must bank: one person alone could not play there."""
        self.bots_asked_max = BOTS_MAX
        """Up to how many of them people at a table may ask for; their chips are of no value."""
        self.names_in_lobby: NamesInLobby = "players"
        """Whom the lobby tells who sits where."""
        self.rack = DEFAULT_RACK
        """The denominations of a tray where a table has none of its own."""
        self.days = GamingDays()
        """How the house counts its days."""
        self.start_seconds = 0.0
        """How long a start waits for a store that is away."""
        self.rooms: dict[str, Room] = {}
        self.meters = SharedMeters(stores.wallets, lambda: self.rooms)
        self.metrics = Metrics(TableMetrics(lambda: self.rooms))
        self.committer.watch = self.metrics.count_writes
        self._listed: dict[str, tuple[tuple[Table, str, dict[str, int]], Listing]] = {}
        """How tables stood when that was last asked: of one that has not changed it is not found out anew."""
        self.recovering = asyncio.Lock()
        """Held while a table is set going again."""

    async def start(self, *, demo: bool = True) -> None:
        """Find all tables again, and open a demo table for each book where there is none at all.

        A store that goes away meanwhile, as in a fail-over, is waited for as long as may be.
        """
        patience = Patience(self.start_seconds, asyncio.get_running_loop().time)
        await wait_in_loop(self._synchronize, patience)
        tables = await wait_in_loop(lambda: asyncio.to_thread(self.stores.tables.all), patience)
        if demo and not any(record.number for record in tables):
            for book in catalog.rulebook_ids():
                with suppress(
                    TableIdInUse
                ):  # another server of the house starts as well, or this one has written it already
                    await wait_in_loop(partial(self.open, book, demo_name(book), book), patience)
        await wait_in_loop(lambda: self.nodes.run_once(self), patience)

    async def _synchronize(self) -> None:
        """Set the clock by the store's, and forget the dead where no other server can be."""
        await self.committer.run(self._shared_clock.look)
        await self.nodes.check_generation()
        await self.approvals.look()
        if await self.committer.run(self.stores.leases.alone):
            await self.nodes.forget_all()

    async def open(
        self, table_id: str, name: str, ref: str, values: Values | None = None, *, own: PrivateFacts | None = None
    ) -> None:
        """Open a new table by a book; what the book leaves open and no one states is taken from the demo values."""
        await self.open_by(table_id, name, catalog.ready_rules(ref, values), own=own)

    async def open_by(self, table_id: str, name: str, rules: TableRules, *, own: PrivateFacts | None = None) -> None:
        """Open a new table by rules that leave nothing open."""
        await asyncio.to_thread(
            new_table_events, self.stores.journal, self.stores.wallets, rules
        )  # or it is refused at once
        await self._create(table_id, name, facts_of_rules(rules, own))
        lease = await self.nodes.lease(table_id)
        if lease is None:
            raise TableIdInUse(f"expected an id for a new table, got '{table_id}', which another server is opening")
        again = True
        while again:
            table, happened, marks = await asyncio.to_thread(
                new_table_events, self.stores.journal, self.stores.wallets, rules
            )
            row = seal(Head(), table_id=table_id, at=self.clock_ms(), by="house", happened=happened, epoch=lease)
            transfers = [transfer for event in happened for transfer in event.chips]
            write = Write(table_id=table_id, epoch=lease, number=1, rows=[row], transfers=transfers, acks=marks)
            outcome = await self.committer.commit(write)
            # Another table is the first to have a meter that they share: this one does not seed it.
            again = isinstance(outcome, Conflict) and outcome.code == "command"
        if not isinstance(outcome, Written):
            raise TableIdInUse(f"expected a new table to be written, got {outcome}")
        if table_id not in self.rooms:  # the task that looks after our tables may have seen it first
            self._room(self.stores.tables.get(table_id), table, Head(row.number, row.hash), lease)

    def room(self, table_id: str) -> Room:
        """Return a table's room."""
        if table_id not in self.rooms:
            raise MissingData(f"expected a table that is open here, got '{table_id}'")
        return self.rooms[table_id]

    def is_here(self, table_id: str) -> bool:
        """Whether this server looks after a table, as far as it knows."""
        room = self.rooms.get(table_id)
        return room is not None and not room.host.lost

    async def room_here(self, table_id: str) -> Room:
        """Return a table's room, or say at which other server it is."""
        room = self.rooms.get(table_id)
        if room is not None and not room.host.lost:
            return room
        try:
            owner = await self.nodes.owner(table_id)
        except MissingData:
            raise MissingData(f"expected a table that is open here, got '{table_id}'") from None
        sentence = f"expected a table of this server, got '{table_id}', which is at {owner.address}: ask there"
        raise TableElsewhere(sentence, owner if owner.is_reachable else None)

    async def room_if_reachable(self, table_id: str) -> Room | None:
        """Return a table's room; nothing where no server that can be asked looks after it, so that the store counts."""
        try:
            return await self.room_here(table_id)
        except TableElsewhere as elsewhere:
            if elsewhere.node is not None:
                raise
        except MissingData:
            pass
        return None

    async def take_halted(self, record: TableRecord) -> Room:
        """Return a halted or closed table as its journal has it, with no dealer yet."""
        lease = await self.nodes.lease(record.id)
        if lease is None:
            return await self.room_here(record.id)
        table, head = await self._present(record.id, lease)
        return self._room(record, table, head, lease, dealing=False)

    async def retire(self, table_id: str, reason: str, who: str = "") -> None:
        """Close an empty table for good; its journal and its proofs stay. By staff it is on record."""
        room = await self.room_here(table_id)

        def keep() -> None:
            if who:  # before the act: nothing is done that is not on record
                self.stores.audit.add(self.clock_ms(), who, f"table.closed {table_id}", reason)
            self.stores.tables.set_state(table_id, "closed", reason)

        async def shut() -> None:
            if any(seat.player for seat in room.table.seats.values()):
                raise InvalidData(f"expected an empty table, got '{table_id}'")
            await self.committer.run(keep)
            room.host.gate = lambda _table, _command: Refusal("closed", "This table is closed.")

        await room.host.run_between_commands(shut)
        self.rooms.pop(table_id, None)  # it may have been closed by another at the same time
        await room.close()
        room.send_viewers_elsewhere()
        await room.shuffles.void_all(stored_shuffles.TABLE_CLOSED)
        await self.nodes.release(table_id, room.host.epoch)

    async def close(self) -> None:
        """Stop all tables where they are, and write what is left to write."""
        try:
            await self.nodes.stop()
            await self.meters.close()
            await asyncio.gather(*(room.close() for room in self.rooms.values()))
            with suppress(StoreDown):  # what is not given back ends by itself
                await self.nodes.leave()
            with suppress(StoreDown):  # what was counted is of no use to those who come after
                await self.people.record.write_counts()
        finally:  # whatever failed, no thread and no connection is left behind
            self.committer.close()
            self.stores.close()

    def epochs(self) -> dict[str, int]:
        """Return the tables that are open here, and under which epochs."""
        return {table_id: room.host.epoch for table_id, room in self.rooms.items()}

    async def take_table(self, table_id: str, epoch: int) -> None:
        """Go on with a table that is ours now, where its journal ends."""
        record = await asyncio.to_thread(self.stores.tables.get, table_id)
        if record.state != "open":
            await self.nodes.release(table_id, epoch)
            return
        table, head = await self._present(table_id, epoch)
        if table_id not in self.rooms:
            self._room(record, table, head, epoch)

    async def _present(self, table_id: str, epoch: int) -> tuple[Table, Head]:
        """Return a table that is ours now as it stands: its last owner can write nothing more of it."""
        stores = self.stores
        await self.committer.run(lambda: stored_shuffles.claim(stores.documents, table_id, epoch))
        return await asyncio.to_thread(lambda: Past(stores.journal, stores.documents, table_id).present())

    async def halt_table(self, table_id: str, epoch: int, why: str) -> None:
        """Halt a table that is ours and cannot be gone on with, so that the floor sees it."""

        def halt() -> None:
            if self.stores.tables.set_state(table_id, "halted", why, epoch=epoch):
                self.stores.audit.add(self.clock_ms(), "house", f"table.halted {table_id}", why)
            self.stores.leases.release(table_id, self.nodes.name, epoch)

        await self.committer.run(halt)

    async def drop_table(self, table_id: str) -> None:
        """Stop with a table that is another's now; those who watch come again and are sent there."""
        room = self.rooms.pop(table_id, None)
        if room is not None:  # it may have been closed for good meanwhile
            room.host.lost = True
            await room.close()
            room.send_viewers_elsewhere()

    def _wake(self, table_id: str) -> None:
        if table_id in self.rooms:
            self.rooms[table_id].host.wake()

    def sessions_ended(self) -> int:
        """Return how many sessions were ended here."""
        return self.people.sessions.ended

    async def check_sessions(self) -> None:
        """Close what was opened by sessions that another node has ended."""
        await self.people.sessions.check_open()

    def listing(self) -> dict[str, Listing]:
        """Return how the tables that are open here stand."""
        known, self._listed = self._listed, {}
        for table_id, room in self.rooms.items():
            now = (room.table, room.state, self.meters.of(room.table))
            before = known.get(table_id)
            same = before is not None and before[0][0] is now[0] and before[0][1:] == now[1:]
            self._listed[table_id] = before if before is not None and same else (now, room.lobby_entry(now[2]))
        return {table_id: told for table_id, (_, told) in self._listed.items()}

    def apply_changes(self, seen: NodesAndTables) -> None:
        """Take in what other nodes have changed."""
        self.limits.refresh_if_changed(seen.limit_changes)
        self.meters.refresh()

    def idle_tables(self) -> list[str]:
        """Return the tables at which no one sits or works and which no one watches."""
        return [
            table_id
            for table_id, room in self.rooms.items()
            if room.state == "open"
            and not room.visitors
            and not room.shift.person
            and not any(seat.player for seat in room.table.seats.values())
        ]

    async def _create(self, table_id: str, name: str, about: TableFacts) -> None:
        """Remember a new table; one whose server died before it wrote its first row is as good as new."""

        def create() -> None:
            known = None
            with suppress(MissingData):
                known = self.stores.tables.get(table_id)
            if known is not None and (known.number, known.name, facts_of(known)) == (0, name, about):
                return
            try:
                self.stores.tables.create(table_id, name, about.stored())
            except InvalidData as error:
                raise TableIdInUse(str(error)) from None

        await self.committer.run(create)

    def _room(self, record: TableRecord, table: Table, head: Head, epoch: int, *, dealing: bool = True) -> Room:
        host = TableOwner(
            record.id,
            table,
            head,
            epoch=epoch,
            journal=self.stores.journal,
            committer=self.committer,
            clock_ms=self.clock_ms,
            rest=self.vouchers.issue_on_leaving,
        )
        room = self.rooms[record.id] = Room(record, host, self, dealing=dealing)
        self.meters.refresh()
        return room
