"""People: guests and accounts, their sessions and roles; knows nothing of tables.

A session is 32 random bytes in a cookie; the store keeps only its hash. Passwords are kept as argon2id.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable
from hashlib import sha256
from typing import Final, Literal

import msgspec
from argon2 import PasswordHasher
from argon2.exceptions import VerifyMismatchError

from letitride.errors import InvalidData, MissingData
from letitride.server.committer import Committer
from letitride.storage.store import Store

Role = Literal["player", "dealer", "floor", "casino_supervisor", "inspector", "administrator"]
ROLES: Final[tuple[Role, ...]] = ("player", "dealer", "floor", "casino_supervisor", "inspector", "administrator")
PLAY_CENTS: Final = 100_000
"""What a guest gets to play with: chips of no value."""
SESSION_MS: Final = 12 * 3600 * 1000
FAILURES_MAX: Final = 5
LOCKED_MS: Final = 15 * 60 * 1000
NAME_MAX: Final = 24
PASSWORD_MIN: Final = 10


class Person(msgspec.Struct, frozen=True, kw_only=True):
    """Somebody who plays, deals, or watches over the game."""

    name: str
    roles: tuple[Role, ...] = ("player",)
    guest: bool = False
    password: str = ""
    """As argon2id writes it; empty: nobody can log in as this."""
    failures: int = 0
    locked_until_ms: int = 0
    disabled: bool = False
    """Whether the house has shut the account: nobody can be this person."""


class Session(msgspec.Struct, frozen=True, kw_only=True):
    """Who somebody is until when."""

    name: str
    until_ms: int


class LoginRefused(InvalidData):
    """A login that failed, said so that nobody learns which part of it was wrong."""


class People:
    """Everybody the house knows. Writing goes through the committer's thread."""

    def __init__(self, store: Store, committer: Committer, clock_ms: Callable[[], int]) -> None:
        self._store, self._committer, self._clock_ms = store, committer, clock_ms
        self._hasher = PasswordHasher()
        self._nobody = self._hasher.hash(secrets.token_hex())

    async def guest(self) -> tuple[Person, str]:
        """Return a new guest with chips to play with, and his session."""
        while True:
            person = Person(name=f"Guest-{secrets.randbelow(10**8):08}", guest=True)
            if await self._put(person, 0) is not None:
                break
        await self._committer.call(
            lambda: self._store.fund(person.name, PLAY_CENTS, "play chips", at=self._clock_ms(), who="house")
        )
        return person, await self._begin(person)

    async def register(self, name: str, password: str, roles: tuple[Role, ...] = ("player",)) -> Person:
        """Return a new account."""
        if (
            not 1 <= len(name) <= NAME_MAX
            or not name.isprintable()
            or name != name.strip()
            or name.startswith("Guest-")
        ):
            raise InvalidData(f"expected a name of 1 to {NAME_MAX} signs that is not a guest's, got {name!r}")
        if len(password) < PASSWORD_MIN:
            raise InvalidData(f"expected a password of {PASSWORD_MIN} signs or more, got {len(password)}")
        person = Person(name=name, roles=roles, password=self._hasher.hash(password))
        if await self._put(person, 0) is None:
            raise InvalidData(f"expected a name that is free, got '{name}'")
        return person

    async def login(self, name: str, password: str) -> tuple[Person, str]:
        """Return who somebody is and a new session, or refuse; too many failures lock the account for a while."""
        kept = self._store.document("person", name)
        person = msgspec.json.decode(kept.body, type=Person) if kept else Person(name=name, password="")
        now = self._clock_ms()
        try:
            self._hasher.verify(person.password or self._nobody, password)
            right = bool(person.password) and not person.disabled
        except VerifyMismatchError:
            right = False
        if kept is None or not right or now < person.locked_until_ms:
            if kept is not None and now >= person.locked_until_ms:
                failures = person.failures + 1
                locked = now + LOCKED_MS if failures >= FAILURES_MAX else 0
                changed = msgspec.structs.replace(person, failures=0 if locked else failures, locked_until_ms=locked)
                await self._put(changed, kept.version)
            raise LoginRefused("expected the name and password of an account that is not locked, got others")
        if person.failures:
            await self._put(msgspec.structs.replace(person, failures=0, locked_until_ms=0), kept.version)
        return person, await self._begin(person)

    def by_session(self, token: str) -> Person | None:
        """Return whose session it is, if it is anybody's still."""
        kept = self._store.document("session", _hash(token)) if token else None
        if kept is None:
            return None
        session = msgspec.json.decode(kept.body, type=Session)
        if session.until_ms <= self._clock_ms():
            return None
        person = self._store.document("person", session.name)
        found = msgspec.json.decode(person.body, type=Person) if person else None
        return None if found is None or found.disabled else found

    def staff(self) -> list[Person]:
        """Return everybody with a role beyond a player's."""
        everybody = (msgspec.json.decode(kept.body, type=Person) for kept in self._store.documents("person"))
        return [person for person in everybody if set(person.roles) - {"player"}]

    def administrators(self) -> list[Person]:
        """Return the administrators who can log in."""
        return [person for person in self.staff() if "administrator" in person.roles and not person.disabled]

    async def set_roles(
        self, name: str, roles: tuple[Role, ...] | None = None, *, disabled: bool | None = None
    ) -> Person:
        """Change what somebody may do; the last administrator stays one."""

        def change() -> Person:
            kept = self._store.document("person", name)
            person = msgspec.json.decode(kept.body, type=Person) if kept else None
            if kept is None or person is None or person.guest:
                raise MissingData(f"expected the name of an account, got {name!r}")
            changed = msgspec.structs.replace(
                person,
                roles=person.roles if roles is None else roles,
                disabled=person.disabled if disabled is None else disabled,
            )
            stays = "administrator" in changed.roles and not changed.disabled
            if not stays and [one.name for one in self.administrators()] == [person.name]:
                raise InvalidData("expected another administrator before the last one goes, got none")
            if self._store.put_document("person", kept.id, msgspec.json.encode(changed), kept.version) is None:
                raise InvalidData(f"expected nobody else to change {name!r} meanwhile, got a change: try again")
            return changed

        return await self._committer.call(change)

    async def logout(self, token: str) -> None:
        """End a session."""
        key = _hash(token)

        def forget() -> None:
            if (kept := self._store.document("session", key)) is not None:
                self._store.delete_document("session", key, kept.version)

        await self._committer.call(forget)

    async def _begin(self, person: Person) -> str:
        token = secrets.token_urlsafe(32)
        session = Session(name=person.name, until_ms=self._clock_ms() + SESSION_MS)
        body = msgspec.json.encode(session)
        await self._committer.call(lambda: self._store.put_document("session", _hash(token), body, 0))
        return token

    async def _put(self, person: Person, version: int) -> int | None:
        body = msgspec.json.encode(person)
        return await self._committer.call(lambda: self._store.put_document("person", person.name, body, version))


def _hash(token: str) -> str:
    return sha256(token.encode()).hexdigest()
