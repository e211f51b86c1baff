"""Nodes: the servers of one house; which tables this one owns, who owns the others, and who takes those of the dead.

A node says that it is there by a document, and that a table is its own by a lease; both end by themselves when it
dies. Whatever it writes carries the epoch of its lease, and the store refuses an older one: no two owners can write.
Leases go by the store's clock, so that it does not matter what a node's own says; each look sets the house's by it.
"""

from __future__ import annotations

import asyncio
import logging
import os
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Final, Protocol

import msgspec

from letitride.errors import InvalidData, LetItRideError, MissingData, StoreDown
from letitride.server.people.limits import CHANGES
from letitride.server.runtime.machines import this_machine
from letitride.server.runtime.reader_threads import read_in_thread
from letitride.server.runtime.requests import TableLost
from letitride.server.runtime.write_batching import Committer
from letitride.server.tables import generations
from letitride.server.tables.generations import OURS
from letitride.server.tables.node_records import Listing, Node, NodesAndTables, TableElsewhere
from letitride.storage.roles.documents import Document, DocumentStore
from letitride.storage.roles.leases import Lease, LeaseStore
from letitride.storage.roles.tables import TableRecord, TableStore

LEASE_MS: Final = 3_000
"""How long a table waits for an owner that died, before another takes it."""
TOGETHER_MAX: Final = 4
"""Tables that are read from their journals at the same time; the others wait for their turn."""
WORKS_LEASES: Final = 10
"""For how many leases' time a server is kept alive whose loop does not come round."""
_NODE: Final = "node"

log = logging.getLogger(__name__)


class HouseTables(Protocol):
    """The house as its nodes know it."""

    def epochs(self) -> Mapping[str, int]:
        """Return the tables that are open here, and under which epochs."""

    async def take_table(self, table_id: str, epoch: int) -> None:
        """Go on with a table that is ours now."""

    async def halt_table(self, table_id: str, epoch: int, why: str) -> None:
        """Let a table be that is ours and cannot be gone on with."""

    async def drop_table(self, table_id: str) -> None:
        """Stop with a table that is another's now."""

    def listing(self) -> dict[str, Listing]:
        """Return how the tables that are open here stand."""

    def apply_changes(self, seen: NodesAndTables) -> None:
        """Take in what other nodes have changed."""

    def idle_tables(self) -> list[str]:
        """Return the tables that no one would miss for a moment."""

    def sessions_ended(self) -> int:
        """Return how many sessions were ended here."""

    async def check_sessions(self) -> None:
        """Close what was opened by sessions that another node has ended."""


class Nodes:
    """This node among the others."""

    def __init__(
        self,
        name: str,
        address: str,
        leases: LeaseStore,
        tables: TableStore,
        documents: DocumentStore,
        *,
        committer: Committer,
        clock_ms: Callable[[], int],
        set_clock: Callable[[], None],
        lease_ms: int = LEASE_MS,
    ) -> None:
        self.name, self.address, self.lease_ms = name, address, lease_ms
        self.inner = self.pool = ""
        """Where other servers of the house reach this one, and what the workers of its pool have in common."""
        self.seen: NodesAndTables | None = None
        self.records: Mapping[str, TableRecord] = {}
        """What is known of the tables of the house, also of those of other nodes; not how they stand now."""
        self._leases, self._tables, self._documents = leases, tables, documents
        self._committer, self._clock_ms, self._set_clock = committer, clock_ms, set_clock
        self._known: dict[str, Listing] = {}
        """How tables stood when a server last said so; a table that moves is not gone."""
        self._taking: dict[str, asyncio.Task[None]] = {}
        self._few = asyncio.Semaphore(TOGETHER_MAX)
        self._soon = asyncio.Event()
        self._looked: float | None = None
        self._patient_until = 0.0
        self.generation = OURS
        self._outdated = ""
        self._said: Node | None = None
        """What this node last said of itself."""
        self._renewed = self._works_until = 0.0

    @property
    def addresses(self) -> frozenset[str]:
        """Where the nodes of this house can be reached."""
        return frozenset({self.address, *(node.address for node in self.seen.nodes)} if self.seen else {self.address})

    @property
    def others(self) -> list[Node]:
        """The other nodes that live and can be asked."""
        return [node for node in (self.seen.nodes if self.seen else ()) if node.name != self.name and node.is_reachable]

    @property
    def pool_workers(self) -> list[Node]:
        """The other workers behind the same port."""
        return [node for node in self.others if self.pool and node.pool == self.pool]

    async def free_tables_of(self, name: str) -> None:
        """Free the tables of a node whose process is known to be dead, and take our share of them."""

        def bury() -> None:
            for lease in self._leases.all():
                if lease.node == name:
                    self._leases.release(lease.table_id, name, lease.epoch)
            self._forget(name)

        await self._committer.run(bury)
        self.look_at_once()

    async def owner(self, table_id: str) -> Node:
        """Return the other node that owns a table now."""

        def look() -> tuple[TableRecord, Lease | None, int, Document | None]:
            record, lease = self._tables.get(table_id), self._leases.owner(table_id)
            return record, lease, self._now(), self._documents.get(_NODE, lease.node) if lease is not None else None

        record, lease, now, said = await asyncio.to_thread(look)
        if lease is not None and lease.until_ms > now and lease.node != self.name:
            if said is not None:
                return msgspec.json.decode(said.body, type=Node)
            return Node(name=lease.node, address=lease.address, until_ms=lease.until_ms)
        if record.state == "closed":
            raise MissingData(f"expected a table that is open here, got '{table_id}'")
        how = "moving between servers: try again in a moment" if record.state == "open" else record.state
        raise TableElsewhere(f"expected a table that a server looks after, got '{table_id}', which is {how}")

    def listing(self) -> dict[str, Listing]:
        """Return how tables stand that are at other nodes, or on their way to one."""
        now = {table: one for node in (self.seen.nodes if self.seen else ()) for table, one in node.tables.items()}
        return {**self._known, **now}

    async def renew(self, house: HouseTables) -> NodesAndTables:
        """Say that this node is there, renew what it owns, and see who else is there."""
        before, loop = self.seen, asyncio.get_running_loop()
        # Of use to others alone, and to look through all tables takes a moment.
        here = house.listing() if self.pool or (before is not None and len(before.nodes) > 1) else {}
        me = Node(
            name=self.name,
            address=self.address,
            until_ms=0,
            tables=here,
            ended=house.sessions_ended(),
            rank=self.generation.rank,
            inner=self.inner,
            machine=this_machine(),
            pool=self.pool,
            process=os.getpid(),
        )
        # To say that it lives comes between two transactions of tables; to look at the others, beside them.
        now, mine = await self._committer.run(lambda: self._renew(me))
        seen = self.seen = await read_in_thread(self._others, now, mine)
        if seen.dead or seen.generation is self.generation:  # which is not on record
            await self._committer.run(lambda: self._note(seen.dead))
        if self._looked is not None and loop.time() - self._looked > self.lease_ms / 1000:
            # The store, or this process, was away. So may be the others: they get the time to say that they live.
            self._patient_until = loop.time() + self.lease_ms / 1000
        self._looked = loop.time()
        self._known |= {**here, **{table: one for node in seen.nodes for table, one in node.tables.items()}}
        self._known = {table: one for table, one in self._known.items() if table in seen.in_use}
        ended = {node.name: node.ended for node in before.nodes} if before else {}
        if any(node.ended > ended.get(node.name, 0) for node in seen.nodes if node.name != self.name):
            await house.check_sessions()
        return seen

    async def run(self, house: HouseTables) -> None:
        """Keep up what is ours and take tables without an owner, for as long as the server runs."""
        if not self._leases.alone():
            self._committer.run_regularly(self._beat, self.lease_ms / 3000)
        while True:
            self._works_until = time.monotonic() + WORKS_LEASES * self.lease_ms / 1000
            try:
                async with asyncio.timeout(self.lease_ms / 3000):
                    await self._soon.wait()
            except TimeoutError:
                pass
            self._soon.clear()
            try:
                await self.balance(house)
            except LetItRideError as error:  # the store is away; whether the tables can go on, they find out themselves
                log.warning("leases could not be renewed: %s", error)
            except Exception:  # leases have to be renewed, whatever else goes wrong
                log.exception("leases could not be renewed")

    def look_at_once(self) -> None:
        """Look at once: something has changed."""
        self._soon.set()

    async def run_once(self, house: HouseTables) -> None:
        """Do what is to be done now, and wait for tables that were taken, but not for so long that a lease ends."""
        await self.balance(house, asyncio.get_running_loop().time() + self.lease_ms / 3000)

    async def balance(self, house: HouseTables, wait_until: float = 0.0) -> None:
        """Lose what was taken from us, take what is free, and leave others their share."""
        before = house.epochs()  # a table that is opened meanwhile is not among those we have a look at
        seen = await self.renew(house)
        house.apply_changes(seen)
        for table_id, epoch in before.items():
            if seen.mine.get(table_id) != epoch and house.epochs().get(table_id) == epoch:
                await house.drop_table(table_id)
        missing = seen.mine.keys() & seen.in_use - house.epochs().keys()
        for table_id, epoch in seen.mine.items():  # ours, and not here: it could not be read, or not be given back
            if table_id in missing and table_id not in house.epochs():
                await self._begin(table_id, epoch, house, wait_until)
        if self._is_outdated(seen):
            for table_id in house.idle_tables() if len(seen.nodes) > 1 else ():  # the rest goes when this server stops
                await self._give_away(table_id, house)
            return
        patient = asyncio.get_running_loop().time() < self._patient_until
        for table_id in seen.free(given_back=patient):
            if self._load(seen, house) >= seen.share:
                break
            if (leased := await self.lease(table_id)) is not None:
                await self._begin(table_id, leased, house, wait_until)
        excess = self._load(seen, house) - seen.share
        if excess > 0 and len(seen.nodes) > 1:
            for table_id in house.idle_tables()[:excess]:
                await self._give_away(table_id, house)

    async def _give_away(self, table_id: str, house: HouseTables) -> None:
        given = house.epochs()[table_id]
        await house.drop_table(table_id)
        await self.release(table_id, given)

    def _is_outdated(self, seen: NodesAndTables) -> bool:
        """Whether a later generation works in this house, which is said once."""
        why = generations.outdated(self.generation, seen.generation)
        if why != self._outdated:
            self._outdated = why
            log.warning("this server takes no more tables: %s", why)
        return bool(why)

    async def check_generation(self) -> None:
        """Refuse a house that a later generation has worked in."""
        await self._committer.run(lambda: generations.check(self._documents, self.generation))

    async def lease(self, table_id: str) -> int | None:
        """Own a table that is free, and return under which epoch; nothing if another owns it."""
        lease = await self._committer.run(
            lambda: self._leases.take(table_id, self.name, self.address, self._now(), self.lease_ms)
        )
        return None if lease is None else lease.epoch

    async def release(self, table_id: str, epoch: int) -> None:
        """Give a table back, so that another need not wait for it."""
        await self._committer.run(lambda: self._leases.release(table_id, self.name, epoch))

    async def forget_all(self) -> None:
        """Forget all nodes and their leases: for one that is alone, so that the others can only be dead."""

        def forget() -> None:
            self._leases.forget()
            for one in self._documents.find(_NODE):
                self._documents.delete(_NODE, one.id, one.version)

        await self._committer.run(forget)

    async def stop(self) -> None:
        """Take no more tables."""
        taking = list(self._taking.values())
        for task in taking:
            task.cancel()
        await asyncio.gather(*taking, return_exceptions=True)

    async def leave(self) -> None:
        """Say that this node is going, and give back what is still in its name."""

        def gone() -> None:
            self._works_until = 0.0  # no more beats
            for table_id, epoch in self._leases.renew(self.name, self._now(), self.lease_ms).items():
                self._leases.release(table_id, self.name, epoch)
            self._forget(self.name)

        await self._committer.run(gone)

    def _load(self, seen: NodesAndTables, house: HouseTables) -> int:
        """How many of the tables in use are here, or will be."""
        return len(seen.in_use & {*house.epochs(), *self._taking})

    async def _begin(self, table_id: str, epoch: int, house: HouseTables, wait_until: float) -> None:
        """Take a table, after some time by and by: to read many long journals may last longer than a lease."""
        if table_id in self._taking:
            return
        if asyncio.get_running_loop().time() < wait_until:
            await self._take(table_id, epoch, house)
        else:
            self._taking[table_id] = asyncio.create_task(self._take(table_id, epoch, house), name=f"take {table_id}")
            self._taking[table_id].add_done_callback(lambda _: self._taking.pop(table_id))

    async def _take(self, table_id: str, epoch: int, house: HouseTables) -> None:
        async with self._few:
            try:
                await house.take_table(table_id, epoch)
            except StoreDown as error:  # the lease is ours, so it is tried again
                log.warning("table %s is waiting for the database: %s", table_id, error)
            except TableLost as error:  # while it was read
                log.warning("table %s was not taken over: %s", table_id, error)
            except InvalidData as error:  # a journal that was changed: the sentence says it all
                log.error("table %s is halted: %s", table_id, error)  # noqa: TRY400 - no traceback
                await house.halt_table(table_id, epoch, f"it cannot be resumed: {error}")
            except Exception as error:  # a journal that cannot be read: the floor has to know
                log.exception("table %s cannot be resumed", table_id)
                await house.halt_table(table_id, epoch, f"it cannot be resumed: {type(error).__name__}: {error}")

    def _now(self) -> int:
        return self._leases.now_ms(self._clock_ms())

    def _others(self, now: int, mine: Mapping[str, int]) -> NodesAndTables:
        """Return how the house stands; in a thread that no table waits for."""
        self._set_clock()
        nodes = [msgspec.json.decode(one.body, type=Node) for one in self._documents.find(_NODE)]
        changes = self._documents.get(CHANGES, "all")
        tables = self._tables.standings()
        known = generations.known(self._documents)
        in_use = frozenset(one.id for one in tables)
        if not in_use.union(*(node.tables for node in nodes)) <= self.records.keys():  # what tables are never changes
            self.records = {record.id: record for record in self._tables.all()}
        return NodesAndTables(
            now_ms=now,
            generation=known if known is not None and known.rank >= self.generation.rank else self.generation,
            mine=mine,
            tables=tables,
            in_use=in_use,
            nodes=[node for node in nodes if node.until_ms > now],
            dead=[node.name for node in nodes if node.until_ms + 10 * self.lease_ms < now],
            limit_changes=changes.version if changes else 0,
        )

    def _note(self, dead: Sequence[str]) -> None:
        """Keep what was found out of the others, in the committer's thread."""
        generations.latest(self._documents, self.generation)
        for name in dead:
            self._forget(name)

    def _renew(self, me: Node) -> tuple[int, dict[str, int]]:
        now = self._now()
        mine = self._leases.renew(self.name, now, self.lease_ms)
        kept = self._documents.get(_NODE, self.name)
        body = msgspec.json.encode(msgspec.structs.replace(me, until_ms=now + self.lease_ms))
        self._documents.put(_NODE, self.name, body, kept.version if kept else 0)
        self._said, self._renewed = me, time.monotonic()
        return now, mine

    def _beat(self) -> None:
        """Renew leases between two looks that are far apart: a server with much to do is not a dead one.

        In the committer's thread, and not for long after the loop was last seen to work.
        """
        behind = time.monotonic() - self._renewed
        if self._said is not None and behind * 3000 >= self.lease_ms and time.monotonic() < self._works_until:
            try:
                self._renew(self._said)
            except LetItRideError as error:  # it is tried again, and tables find out themselves
                log.warning("leases could not be renewed: %s", error)

    def _forget(self, name: str) -> None:
        kept = self._documents.get(_NODE, name)
        if kept is not None:
            self._documents.delete(_NODE, name, kept.version)
