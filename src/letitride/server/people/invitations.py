"""Invitations: tables that only some people see, and the links that let them in; knows no table's game."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Callable
from functools import partial
from typing import Final

import msgspec
from msgspec.structs import replace

from letitride.errors import InvalidData, MissingData
from letitride.rules.roles import SUPERVISORS
from letitride.rules.words import quantity
from letitride.server.people.accounts import Person, is_staff
from letitride.server.people.sessions import hash_of
from letitride.server.runtime.requests import RoleMissing
from letitride.server.runtime.table_facts import facts_of
from letitride.server.runtime.write_batching import Committer
from letitride.storage.roles.audit import AuditStore
from letitride.storage.roles.documents import DocumentStore
from letitride.storage.roles.tables import TableStore

PREFIX: Final = "private-"
"""How the ids of private tables begin, and of no others; the rest is random, so that no one guesses one."""
TABLES_MAX: Final = 3
"""Private tables of one account at a time."""
GUEST_TABLES_MAX: Final = 1
HOUSE_TABLES_MAX: Final = 500
INVITED_MAX: Final = 200
HOUR_MS: Final = 3600 * 1000
INVITED: Final = "invited"
INVITATION: Final = "invitation"
OWNER: Final = "private-owner"
"""Whose private table it is, where that is not who opened it."""


class Invitation(msgspec.Struct, frozen=True, kw_only=True):
    """Lets some people in, until some time; kept under the hash of its token."""

    table: str
    by: str
    until_ms: int
    uses: int
    """How many more people it lets in."""


class PrivateTables:
    """Who may see which private table."""

    def __init__(
        self,
        tables: TableStore,
        documents: DocumentStore,
        audit: AuditStore,
        committer: Committer,
        clock_ms: Callable[[], int],
    ) -> None:
        self._tables, self._documents, self._audit = tables, documents, audit
        self._committer, self._clock_ms = committer, clock_ms

    def may_see(self, person: Person | None, table_id: str) -> bool:
        """Whether a person may know of a table; it reads the store for a private one."""
        if not is_private(table_id):
            return True
        if person is None:
            return False
        if is_staff(person):
            return True
        return person.name in self._invited(table_id) or person.name == self.owner(table_id)

    def owner(self, table_id: str) -> str:
        """Return whose private table it is; empty where there is none."""
        try:
            return self._owner(table_id, facts_of(self._tables.get(table_id)).private_of)
        except MissingData:
            return ""

    async def check_own(self, person: Person, table_id: str) -> str:
        """Return the owner of a private table, if a person may decide about it: the owner, or who oversees tables."""
        owner = await asyncio.to_thread(self.owner, table_id)
        if owner and (owner == person.name or oversees(person)):
            return owner
        if owner and is_staff(person):  # who knows of the table all the same
            raise RoleMissing(f"expected the owner of the table, or a person who oversees tables, got {person.name}")
        raise MissingData(f"expected a private table of your own, got '{table_id}'")

    async def new_table(self, person: Person) -> str:
        """Return the id for a new private table of a person, if they may have one more."""

        def owners() -> list[str]:
            open_ones = [one for one in self._tables.all() if is_private(one.id) and one.state == "open"]
            return [self._owner(one.id, facts_of(one).private_of) for one in open_ones]

        open_ones = await asyncio.to_thread(owners)
        mine = open_ones.count(person.name)
        most = GUEST_TABLES_MAX if person.guest else TABLES_MAX
        if mine >= most:
            raise InvalidData(
                f"expected at most {quantity(most, 'private table')} of your own, got one more",
                code="private_tables",
                most=most,
            )
        if len(open_ones) >= HOUSE_TABLES_MAX:
            raise InvalidData(
                f"expected at most {HOUSE_TABLES_MAX} private tables in this house, got one more",
                code="private_tables_house",
            )
        return PREFIX + secrets.token_hex(12)

    async def invite(self, person: Person, table_id: str, *, hours: int, uses: int) -> tuple[str, Invitation]:
        """Return the token of a new invitation; by the owner, or by a supervisor, on record."""
        owner = await self.check_own(person, table_id)
        now, token = self._clock_ms(), secrets.token_urlsafe(32)
        invitation = Invitation(table=table_id, by=person.name, until_ms=now + hours * HOUR_MS, uses=uses)

        def put() -> None:
            if owner != person.name:
                self._audit.add(
                    now,
                    person.name,
                    f"invite to {table_id}",
                    f"{uses} {'person' if uses == 1 else 'people'} for {quantity(hours, 'hour')}",
                )
            self._documents.put(INVITATION, hash_of(token), msgspec.json.encode(invitation), 0)

        await self._committer.run(put)
        return token, invitation

    async def accept(self, token: str, person: Person) -> str:
        """Let a person in by an invitation, and return the table's id; who is in already uses nothing up."""
        return await self._committer.run(lambda: self._accept(hash_of(token), person))

    async def take_back(self, person: Person, table_id: str) -> int:
        """Void all invitations to a table that were not used up, and return how many there were."""
        owner = await self.check_own(person, table_id)

        def of_the_table() -> list[str]:
            found = self._documents.find(INVITATION)
            return [one.id for one in found if msgspec.json.decode(one.body, type=Invitation).table == table_id]

        def forget(key: str) -> bool:
            while (kept := self._documents.get(INVITATION, key)) is not None:
                if self._documents.delete(INVITATION, key, kept.version):
                    return True  # else another person has used it meanwhile
            return False

        if owner != person.name:  # before the act: nothing is done that is not on record
            note = f"take back invitations to {table_id}"
            await self._committer.run(lambda: self._audit.add(self._clock_ms(), person.name, note, f"table of {owner}"))
        # All are looked through where no table waits for it.
        keys = await asyncio.to_thread(of_the_table)
        return sum([await self._committer.run(partial(forget, key)) for key in keys])

    async def take_over_from_guest(self, guest: str, name: str) -> None:
        """Let the tables that a guest opened, or was invited to, be those of the account they created."""

        def bring() -> None:
            for record in self._tables.all():
                if not is_private(record.id):
                    continue
                if self._owner(record.id, facts_of(record).private_of) == guest:
                    kept = self._documents.get(OWNER, record.id)
                    self._documents.put(OWNER, record.id, msgspec.json.encode(name), kept.version if kept else 0)
                elif guest in self._invited(record.id):
                    self._let_in(record.id, name)

        await self._committer.run(bring)

    def _owner(self, table_id: str, opened_by: str) -> str:
        """Return whose table it is by now: who opened it as a guest may have an account since."""
        kept = self._documents.get(OWNER, table_id) if opened_by else None
        return msgspec.json.decode(kept.body, type=str) if kept else opened_by

    def _accept(self, key: str, person: Person) -> str:
        while True:
            kept = self._documents.get(INVITATION, key)
            invitation = msgspec.json.decode(kept.body, type=Invitation) if kept else None
            if kept is None or invitation is None or invitation.uses < 1 or invitation.until_ms <= self._clock_ms():
                raise MissingData(
                    "expected a valid invitation, got one that is unknown, expired or used up", code="invitation_over"
                )
            if self.may_see(person, invitation.table):
                return invitation.table
            left = replace(invitation, uses=invitation.uses - 1)
            # The use is paid first: a server that dies in between lets in one too few, never one too many.
            if self._documents.put(INVITATION, key, msgspec.json.encode(left), kept.version) is not None:
                self._let_in(invitation.table, person.name)
                return invitation.table

    def _let_in(self, table_id: str, name: str) -> None:
        while True:
            kept = self._documents.get(INVITED, table_id)
            people = msgspec.json.decode(kept.body, type=list[str]) if kept else []
            if len(people) >= INVITED_MAX:
                raise InvalidData(
                    f"expected at most {INVITED_MAX} people invited to a table, got one more", code="invited_full"
                )
            body = msgspec.json.encode([*people, name])
            if self._documents.put(INVITED, table_id, body, kept.version if kept else 0) is not None:
                return

    def _invited(self, table_id: str) -> list[str]:
        kept = self._documents.get(INVITED, table_id)
        return msgspec.json.decode(kept.body, type=list[str]) if kept else []


def is_private(table_id: str) -> bool:
    """Whether a table is not for everybody."""
    return table_id.startswith(PREFIX)


def oversees(person: Person) -> bool:
    """Whether a person may decide about a table that is another player's own."""
    return bool(set(person.roles) & set(SUPERVISORS))
