"""OIDC accounts: which account is whose at the house's sign-in provider, and what its roles are there.

A person is known by the provider and the subject it gives them, never by an e-mail address or a name: those change
hands.
"""

from __future__ import annotations

import asyncio
import re
import secrets
import unicodedata
from collections.abc import Callable, Iterator, Mapping
from hashlib import sha256
from typing import Final, Literal

import msgspec

from letitride.engine.refusal import NAME_MAX
from letitride.errors import InvalidData
from letitride.rules.roles import PLAYER, AccountRole
from letitride.server.people.accounts import People, Person, is_staff
from letitride.server.people.id_tokens import IdToken
from letitride.server.people.names import check_name, key_of
from letitride.server.runtime.write_batching import Committer
from letitride.storage.roles.audit import AuditStore
from letitride.storage.roles.documents import Document, DocumentStore

KIND: Final = "oidc-account"
PROVIDER: Final = "sign-in provider"
"""Who is on record for what follows from its claims."""
AS_TOLD: Final = "as its groups say"
TRIES: Final = 20
NewAccounts = Literal["none", "players", "everybody"]
Refused = Literal["no_role", "unknown", "disabled", "last_administrator", "linked_already"]


class NotAdmitted(InvalidData):
    """A person whom the provider knows and the house does not let in."""

    def __init__(self, why: Refused, sentence: str) -> None:
        super().__init__(sentence)
        self.why = why


class Linked(msgspec.Struct, frozen=True):
    """An account, by the provider and the subject that it belongs to."""

    issuer: str
    subject: str
    account: str
    """The account's key."""


class OidcAccounts:
    """The accounts of people who sign in at the provider."""

    def __init__(
        self,
        people: People,
        documents: DocumentStore,
        audit: AuditStore,
        committer: Committer,
        clock_ms: Callable[[], int],
    ) -> None:
        self._people, self._documents, self._audit = people, documents, audit
        self._committer, self._clock_ms = committer, clock_ms
        self.roles: Mapping[str, AccountRole] = {}
        """The role that each group of the provider has here; empty: the house gives the roles itself."""
        self.new_accounts: NewAccounts = "players"
        """For whom an account is made when they come first."""

    async def admit(self, token: IdToken) -> Person:
        """Return whose account it is, with the roles that the provider says; or refuse, and take away old roles."""
        roles = self._roles_of(token)
        person = await asyncio.to_thread(self.find, token)
        if person is not None and person.disabled:
            raise NotAdmitted("disabled", "expected an active account, got one that is disabled")
        if roles is not None and not roles:
            if person is not None and is_staff(person):
                await self._set_roles(person, (PLAYER,))
            raise NotAdmitted(
                "no_role", "expected a person with a role in this house, got one in none of the groups that have one"
            )
        if person is None:
            return await self._create(token, roles or (PLAYER,))
        return person if roles is None or set(roles) == set(person.roles) else await self._set_roles(person, roles)

    def find(self, token: IdToken) -> Person | None:
        """Return whose account it is, if there is one."""
        kept = self._documents.get(KIND, _id_of(token))
        return self._people.person(msgspec.json.decode(kept.body, type=Linked).account) if kept else None

    async def link(self, token: IdToken, person: Person) -> None:
        """Let the provider sign a person in to the account they have."""
        if not await self._keep(token, person):
            known = await asyncio.to_thread(self.find, token)
            if known is None or known.name != person.name:
                raise NotAdmitted("linked_already", "expected a person without an account here, got one who has one")

    def is_linked(self, person: Person) -> bool:
        """Whether the provider signs a person in to an account."""
        return bool(self._links(person))

    async def unlink(self, person: Person) -> None:
        """Let the provider sign no one in to an account any more."""

        def forget() -> None:
            for kept in self._links(person):
                self._documents.delete(KIND, kept.id, kept.version)

        await self._committer.run(forget)

    def _links(self, person: Person) -> list[Document]:
        key, found = key_of(person.name), self._documents.find(KIND)
        return [kept for kept in found if msgspec.json.decode(kept.body, type=Linked).account == key]

    def _roles_of(self, token: IdToken) -> tuple[AccountRole, ...] | None:
        """Return the roles that a person's groups have here; nothing where the house gives them itself."""
        if not self.roles:
            return None
        groups = set(token.groups)
        found = dict.fromkeys(role for group, role in self.roles.items() if group in groups)
        return (PLAYER, *(role for role in found if role != PLAYER)) if found else ()

    async def _set_roles(self, person: Person, roles: tuple[AccountRole, ...]) -> Person:
        try:
            return await self._people.set_roles(person.name, roles, who=PROVIDER, why=AS_TOLD)
        except InvalidData as error:  # the house would have no administrator
            await self._people.sessions.end_all(person.name)
            raise NotAdmitted("last_administrator", str(error)) from None

    async def _create(self, token: IdToken, roles: tuple[AccountRole, ...]) -> Person:
        staff = roles != (PLAYER,)
        if self.new_accounts == "none" or (staff and self.new_accounts != "everybody"):
            raise NotAdmitted(
                "unknown", "expected a person with an account that is linked to the provider, got one without"
            )
        person = await self._with_free_name(token, roles)
        if await self._keep(token, person):
            if staff:
                note = f"{person.name}: {', '.join(roles)}; {AS_TOLD}"
                await self._committer.run(lambda: self._audit.add(self._clock_ms(), PROVIDER, "hire", note))
            return person
        await self._committer.run(lambda: self._forget(person))  # they came twice at the same time
        return await asyncio.to_thread(self.find, token) or person

    def _forget(self, person: Person) -> None:
        """Take back an account that was made a moment ago and that no one has."""
        kept = self._documents.get("person", key_of(person.name))
        if kept is not None and msgspec.json.decode(kept.body, type=Person) == person:
            self._documents.delete("person", kept.id, kept.version)

    async def _with_free_name(self, token: IdToken, roles: tuple[AccountRole, ...]) -> Person:
        for name in names_for(token):
            person = Person(name=name, roles=roles, made_by=PROVIDER, made_ms=self._clock_ms())
            try:
                check_name(name, staff=roles != (PLAYER,))
                await self._people.add(person)
            except InvalidData:  # another's, or one that no one may have
                continue
            return person
        raise InvalidData("expected a name that is free, got none after many tries: sign in again")

    async def _keep(self, token: IdToken, person: Person) -> bool:
        body = msgspec.json.encode(Linked(token.issuer, token.subject, key_of(person.name)))
        return await self._committer.run(lambda: self._documents.put(KIND, _id_of(token), body, 0)) is not None


def names_for(token: IdToken) -> Iterator[str]:
    """Return names for a new account: what the provider calls the person, then the same with a number, then any."""
    told = [one for one in map(_as_name, token.names) if one]
    yield from told
    for number in range(2, TRIES):
        for name in told[:1]:
            yield f"{name[: NAME_MAX - 3]}-{number}"
    for _ in range(TRIES):
        yield f"Person-{secrets.randbelow(10**8):08}"


def _as_name(told: str) -> str:
    """Return what a provider calls a person as a name of an account: of an address what is before the @."""
    plain = unicodedata.normalize("NFKC", told).partition("@")[0]
    return re.sub(r"[^\w.'-]+", " ", plain).strip(" .'-_")[:NAME_MAX].strip(" .'-")


def _id_of(token: IdToken) -> str:
    """Return where an account is kept, by what makes a person unique."""
    return sha256(f"letitride-oidc/1/{len(token.issuer)}/{token.issuer}/{token.subject}".encode()).hexdigest()
