"""Nodes: the servers of one house; which tables this one owns, who owns the others, and who takes those of the dead.

A node says that it is there by a document, and that a table is its own by a lease; both end by themselves when it
dies. Whatever it writes carries the epoch of its lease, and the store refuses an older one: no two owners can write.
"""

from __future__ import annotations

import asyncio
import logging
import secrets
from collections.abc import Callable, Mapping, Sequence
from typing import Final, Protocol

import msgspec

from letitride.errors import LetItRideError, MissingData, StoreDown
from letitride.server.committer import Committer
from letitride.server.sessions import hash_of
from letitride.storage.store import Lease, Store, TableRecord

LEASE_MS: Final = 3_000
"""How long a table waits for an owner that died, before another takes it."""
TICKET_MS: Final = 30_000
_NODE: Final = "node"
_TICKET: Final = "ticket"

log = logging.getLogger(__name__)


class Listing(msgspec.Struct, frozen=True, array_like=True):
    """How a table stands, as a lobby shows it."""

    seated: int
    phase: str
    round: int
    state: str
    """'open', 'closing', 'closed' or 'halted'."""


class Node(msgspec.Struct, frozen=True, kw_only=True):
    """A server of the house."""

    name: str
    address: str
    until_ms: int
    tables: dict[str, Listing] = {}
    """Its tables, for the lobbies of the others."""


class Ticket(msgspec.Struct, frozen=True, kw_only=True):
    """Lets one person open one connection to one table, at whichever node owns it."""

    person: str
    session: str
    """The hash of the session it was given to: what it opens ends with it."""
    table: str
    until_ms: int


class Seen(msgspec.Struct, frozen=True, kw_only=True):
    """What the store tells about nodes and tables at one moment."""

    now_ms: int
    mine: Mapping[str, int]
    """The epochs of this node's own leases, just renewed."""
    leases: Sequence[Lease]
    tables: Sequence[TableRecord]
    nodes: Sequence[Node]

    def in_use(self) -> list[TableRecord]:
        """The tables that somebody should own; one without a row is just being opened."""
        return [one for one in self.tables if one.state == "open" and one.number]

    def free(self) -> list[TableRecord]:
        """The tables that nobody owns, though somebody should."""
        owned = {lease.table_id for lease in self.leases if lease.until_ms > self.now_ms}
        return [one for one in self.in_use() if one.id not in owned]

    @property
    def share(self) -> int:
        """How many tables one node has when all have their part."""
        in_use = sum(record.state == "open" for record in self.tables)
        return -(-in_use // max(len(self.nodes), 1))


class Owner(Protocol):
    """The house as its nodes know it."""

    def epochs(self) -> Mapping[str, int]:
        """Return the tables that are open here, and under which epochs."""

    async def take(self, record: TableRecord, epoch: int) -> None:
        """Go on with a table that is ours now."""

    async def lose(self, table_id: str) -> None:
        """Stop with a table that is another's now."""

    def listing(self) -> dict[str, Listing]:
        """Return how the tables that are open here stand."""

    def at_rest(self) -> list[str]:
        """Return the tables that nobody would miss for a moment."""


class Nodes:
    """This node among the others."""

    def __init__(
        self,
        name: str,
        address: str,
        store: Store,
        committer: Committer,
        clock_ms: Callable[[], int],
        *,
        lease_ms: int = LEASE_MS,
    ) -> None:
        self.name, self.address, self.lease_ms = name, address, lease_ms
        self.seen: Seen | None = None
        self._store, self._committer, self._clock_ms = store, committer, clock_ms
        self._cut_short: set[str] = set()
        """Tables that were being taken when the store went away."""

    @property
    def addresses(self) -> frozenset[str]:
        """Where the nodes of this house can be reached."""
        return frozenset({self.address, *(node.address for node in self.seen.nodes)} if self.seen else {self.address})

    def address_of(self, table_id: str) -> str:
        """Return where a table is played, as far as this node knows."""
        for lease in self.seen.leases if self.seen else ():
            if lease.table_id == table_id and lease.until_ms > self._clock_ms():
                return lease.address
        raise MissingData(f"expected a table that a server is looking after, got '{table_id}'")

    def listing(self) -> dict[str, Listing]:
        """Return how the tables of other nodes stand."""
        return {table: one for node in (self.seen.nodes if self.seen else ()) for table, one in node.tables.items()}

    async def look(self, house: Owner) -> Seen:
        """Say that this node is there, renew what it owns, and see who else is there."""
        alone = self.seen is None or len(self.seen.nodes) < 2
        me = Node(
            name=self.name,
            address=self.address,
            until_ms=self._clock_ms() + self.lease_ms,
            tables={} if alone else house.listing(),
        )
        self.seen = await self._committer.call(lambda: self._tick(me))
        return self.seen

    async def keep(self, house: Owner) -> None:
        """Keep up what is ours and take what is nobody's, for as long as the server runs."""
        while True:
            await asyncio.sleep(self.lease_ms / 3000)
            try:
                await self.once(house)
            except LetItRideError as error:  # the store is away; whether the tables can go on, they find out themselves
                log.warning("leases could not be renewed: %s", error)
            except Exception:  # a bug of ours ends no lease: without them every table would stop
                log.exception("leases could not be renewed")

    async def once(self, house: Owner) -> None:
        """Lose what was taken from us, take what is free, and leave others their share."""
        seen = await self.look(house)
        for table_id, epoch in house.epochs().items():
            if seen.mine.get(table_id) != epoch:
                await house.lose(table_id)
        for record in seen.in_use():
            if record.id in self._cut_short and record.id in seen.mine:
                await self._go_on(record, seen.mine[record.id], house)
        for record in seen.free():
            if len(house.epochs()) < seen.share:
                await self._lease(record, house)
        if len(house.epochs()) > seen.share and len(seen.nodes) > 1:
            for table_id in house.at_rest()[: len(house.epochs()) - seen.share]:
                epoch = house.epochs()[table_id]
                await house.lose(table_id)
                await self.release(table_id, epoch)

    async def lease(self, table_id: str) -> int | None:
        """Own a table that is free, and return under which epoch; nothing if another owns it."""
        now = self._clock_ms()
        lease = await self._committer.call(
            lambda: self._store.lease(table_id, self.name, self.address, now, self.lease_ms)
        )
        return None if lease is None else lease.epoch

    async def release(self, table_id: str, epoch: int) -> None:
        """Give a table back, so that another need not wait for it."""
        await self._committer.call(lambda: self._store.release(table_id, self.name, epoch))

    async def leave(self) -> None:
        """Say that this node is going."""
        await self._committer.call(lambda: self._forget(_NODE, self.name))

    async def ticket(self, person: str, session: str, table_id: str) -> str:
        """Return a ticket that is good once and soon."""
        token = secrets.token_urlsafe(32)
        until = self._clock_ms() + TICKET_MS
        body = msgspec.json.encode(Ticket(person=person, session=session, table=table_id, until_ms=until))
        await self._committer.call(lambda: self._store.put_document(_TICKET, hash_of(token), body, 0))
        return token

    async def use_ticket(self, token: str, table_id: str) -> Ticket | None:
        """Return a ticket and tear it up; nothing if it is not good for this table any more."""
        kept = await self._committer.call(lambda: self._torn(hash_of(token)))
        ticket = msgspec.json.decode(kept, type=Ticket) if kept is not None else None
        good = ticket is not None and ticket.table == table_id and self._clock_ms() < ticket.until_ms
        return ticket if good else None

    async def _lease(self, record: TableRecord, house: Owner) -> None:
        self._cut_short.add(record.id)  # until we know better: it may be ours though the store did not say so
        epoch = await self.lease(record.id)
        if epoch is None:
            self._cut_short.discard(record.id)
        else:
            await self._go_on(record, epoch, house)

    async def _go_on(self, record: TableRecord, epoch: int, house: Owner) -> None:
        try:
            await house.take(record, epoch)
        except StoreDown:
            raise
        except LetItRideError as error:
            log.error("table %s cannot be gone on with: %s", record.id, error)  # noqa: TRY400 (one line says it)
        self._cut_short.discard(record.id)

    def _tick(self, me: Node) -> Seen:
        """In the committer's thread."""
        now = me.until_ms - self.lease_ms
        mine = self._store.renew(self.name, now, self.lease_ms)
        kept = self._store.document(_NODE, self.name)
        self._store.put_document(_NODE, self.name, msgspec.json.encode(me), kept.version if kept else 0)
        nodes = [msgspec.json.decode(one.body, type=Node) for one in self._store.documents(_NODE)]
        for node in nodes:
            # What ends later than any lease could was written by a clock that was ahead: nobody may be there any more,
            # and whoever is says so again at once.
            if not now - self.lease_ms <= node.until_ms <= now + 2 * self.lease_ms:
                self._forget(_NODE, node.name)
        for ticket in self._store.documents(_TICKET):
            if msgspec.json.decode(ticket.body, type=Ticket).until_ms < now:
                self._store.delete_document(_TICKET, ticket.id, ticket.version)
        return Seen(
            now_ms=now,
            mine=mine,
            leases=self._store.leases(),
            tables=self._store.tables(),
            nodes=[node for node in nodes if now < node.until_ms <= now + 2 * self.lease_ms],
        )

    def _torn(self, key: str) -> bytes | None:
        kept = self._store.document(_TICKET, key)
        return kept.body if kept is not None and self._store.delete_document(_TICKET, key, kept.version) else None

    def _forget(self, kind: str, key: str) -> None:
        kept = self._store.document(kind, key)
        if kept is not None:
            self._store.delete_document(kind, key, kept.version)
