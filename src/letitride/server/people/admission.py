"""Admission: who may play in a house: everybody, people with an account, or people it has verified; knows no table.

One person has one verified account. So an exclusion or a limit cannot be left behind with an old name: the reference
under which the operator knows the person is taken. Of the reference the store keeps a hash.
"""

from __future__ import annotations

import asyncio
import unicodedata
from collections.abc import Callable
from hashlib import sha256
from typing import Final, Literal

import msgspec
from msgspec.structs import replace

from letitride.engine.refusal import Refusal
from letitride.errors import InvalidData
from letitride.server.people.accounts import People, Person, is_staff
from letitride.server.people.names import key_of
from letitride.storage.roles.audit import AuditStore
from letitride.storage.roles.documents import DocumentStore

Players = Literal["everybody", "accounts", "verified"]
KIND: Final = "identity"
NO_GUESTS: Final = Refusal("account_needed", "You need an account to play here. Sign in or create one.")
NOT_VERIFIED: Final = Refusal("not_verified", "The house has to verify your identity before you can play here.")

STAFF: Final = Refusal("works_in_house", "You work in this house, so you can't play here.")


class Admission:
    """Who may play."""

    def __init__(
        self, people: People, documents: DocumentStore, audit: AuditStore, clock_ms: Callable[[], int]
    ) -> None:
        self._people, self._documents, self._audit, self._clock_ms = people, documents, audit, clock_ms
        self.players: Players = "everybody"
        self.staff_play = False
        """Whether those with a role play in their house."""

    @property
    def has_guests(self) -> bool:
        """Whether people come without an account."""
        return self.players == "everybody"

    async def refuses(self, person: Person) -> Refusal | None:
        """Return why a person may not play here at all; they may have been verified since they came."""
        if is_staff(person) and not self.staff_play:
            return STAFF
        if self.players == "everybody":
            return None
        if person.guest:
            return NO_GUESTS
        if self.players == "accounts" or person.verified:
            return None
        now = await asyncio.to_thread(self._people.person, person.name)
        return None if now is not None and now.verified else NOT_VERIFIED

    async def verify(self, person: Person, reference: str, *, who: str, why: str) -> Person:
        """Say that the house knows who a person is; no person has two accounts, and no account two people."""
        if person.guest:
            raise InvalidData("expected an account, got a guest")
        mark = _mark(reference)

        def check(one: Person) -> Person:
            kept = self._documents.get(KIND, mark)
            owner = msgspec.json.decode(kept.body, type=str) if kept else ""
            if owner not in {"", key_of(one.name)}:
                raise InvalidData(
                    f"expected a person without an account here, got one who has the account of {owner!r}"
                )
            if one.verified not in {"", mark}:
                raise InvalidData(
                    f"expected an account that is not verified, got {one.name}, which is another person's"
                )
            if not one.verified:
                self._audit.add(self._clock_ms(), who, f"verify {one.name}", why)  # nothing is done off the record
            if not owner and self._documents.put(KIND, mark, msgspec.json.encode(key_of(one.name)), 0) is None:
                raise InvalidData("expected a person without an account here, got one who has just been given another")
            return replace(one, verified=mark)

        return await self._people.change(person.name, check)


def _mark(reference: str) -> str:
    said = unicodedata.normalize("NFKC", reference).casefold().strip()
    return sha256(f"letitride-identity/1/{said}".encode()).hexdigest()
