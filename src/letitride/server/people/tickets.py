"""Tickets: what lets a person in at another server of the house, once and soon; knows no cookie."""

from __future__ import annotations

import secrets
from collections.abc import Callable
from typing import Final

import msgspec

from letitride.server.people.sessions import hash_of
from letitride.server.runtime.write_batching import Committer
from letitride.storage.roles.documents import DocumentStore
from letitride.storage.roles.leases import LeaseStore

TICKET_MS: Final = 30_000
KIND: Final = "ticket"


class Ticket(msgspec.Struct, frozen=True, kw_only=True):
    """Lets one person open one connection to one table, at whichever node owns it."""

    person: str
    session: str
    """The hash of the session it was given to: what it opens ends with it."""
    table: str
    until_ms: int


class Tickets:
    """All tickets of the house; the store keeps their hashes, and its clock says when they end."""

    def __init__(
        self, documents: DocumentStore, leases: LeaseStore, committer: Committer, clock_ms: Callable[[], int]
    ) -> None:
        self._documents, self._leases = documents, leases
        self._committer, self._clock_ms = committer, clock_ms

    async def give(self, person: str, session: str, table_id: str) -> str:
        """Return a ticket that is good once and soon."""
        token = secrets.token_urlsafe(32)

        def put() -> None:
            until = self._leases.now_ms(self._clock_ms()) + TICKET_MS
            body = msgspec.json.encode(Ticket(person=person, session=session, table=table_id, until_ms=until))
            self._documents.put(KIND, hash_of(token), body, 0)

        await self._committer.run(put)
        return token

    async def use(self, token: str, table_id: str) -> Ticket | None:
        """Return a ticket and tear it up; nothing if it is not good for this table any more."""
        key = hash_of(token)

        def tear() -> Ticket | None:
            kept = self._documents.get(KIND, key)
            if kept is None or not self._documents.delete(KIND, key, kept.version):
                return None  # of two who come with it at the same time, one tears it up
            ticket = msgspec.json.decode(kept.body, type=Ticket)
            good = ticket.table == table_id and self._leases.now_ms(self._clock_ms()) < ticket.until_ms
            return ticket if good else None

        return await self._committer.run(tear)

    async def tidy(self) -> None:
        """Forget the tickets that were never used."""

        def forget() -> None:
            now = self._leases.now_ms(self._clock_ms())
            for kept in self._documents.find(KIND):
                if msgspec.json.decode(kept.body, type=Ticket).until_ms <= now:
                    self._documents.delete(KIND, kept.id, kept.version)

        await self._committer.run(forget)
