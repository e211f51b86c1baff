"""People: guests and accounts, their passwords and roles; knows nothing of tables.

Passwords are kept as argon2id. Names are one where they only look different: 'Anna' and 'ANNA' are the same person.
"""

from __future__ import annotations

import asyncio
import re
import secrets
import unicodedata
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

import msgspec
from argon2 import PasswordHasher
from argon2.exceptions import VerificationError
from msgspec.structs import replace

from letitride.engine.refusal import NAME_MAX
from letitride.errors import InvalidData, MissingData
from letitride.rules.roles import SPECTATOR, STAFF, STAFF_ACCOUNTS, TABLE, AccountRole, spoken
from letitride.server.people.sessions import Session, Sessions
from letitride.server.runtime.write_batching import Committer
from letitride.storage.roles.audit import AuditStore
from letitride.storage.roles.documents import DocumentStore
from letitride.storage.roles.wallets import WalletStore

PLAY_CENTS: Final = 100_000
"""What a guest gets to play with: chips of no value."""
FAILURES_MAX: Final = 5
LOCKED_MS: Final = 15 * 60 * 1000
PASSWORD_MIN: Final = 10
HASHES_AT_ONCE: Final = 2
"""One hash takes 64 MiB and all of a core."""
RESERVED: Final = frozenset(
    {"house", TABLE, "out", "automatic", "cage", "cashier", SPECTATOR, *STAFF, *map(spoken, STAFF), *STAFF_ACCOUNTS}
)
RESERVED_STARTS: Final = ("bot ", "bot-", "guest-", "guest ")
_NAME: Final = re.compile(r"\w[\w.'-]*( \w[\w.'-]*)*")
"""As the table wants the names of its players."""


@dataclass(frozen=True, slots=True)
class StaffMember:
    """A person who works here; locked: too many failures keep them from signing in now."""

    name: str
    roles: tuple[AccountRole, ...]
    disabled: bool
    locked: bool


class Person(msgspec.Struct, frozen=True, kw_only=True):
    """Somebody who plays, deals, or watches over the game."""

    name: str
    roles: tuple[AccountRole, ...] = ("player",)
    guest: bool = False
    password: str = ""
    """As argon2id writes it; empty: nobody can log in as this."""
    failures: int = 0
    """In a row."""
    locked_until_ms: int = 0
    disabled: bool = False
    """Whether the house has shut the account: nobody can be this person."""


class _Strangers(msgspec.Struct, frozen=True):
    """How often somebody tried to log in as nobody."""

    failures: int = 0


class LoginRefused(InvalidData):
    """A login that failed, said so that nobody learns which part of it was wrong."""


class People:
    """Everybody the house knows. Writing goes through the committer's thread, hashing through others."""

    def __init__(
        self,
        documents: DocumentStore,
        wallets: WalletStore,
        audit: AuditStore,
        committer: Committer,
        clock_ms: Callable[[], int],
    ) -> None:
        self._documents, self._wallets, self._audit = documents, wallets, audit
        self._committer, self._clock_ms = committer, clock_ms
        self._hasher = PasswordHasher()
        self._hashing = asyncio.Semaphore(HASHES_AT_ONCE)
        self._nobody = self._hasher.hash(secrets.token_hex())
        self.sessions = Sessions(documents, committer, clock_ms)
        self.play_cents = PLAY_CENTS

    async def guest(self, old: str = "") -> tuple[Person, str]:
        """Return a new guest with chips to play with, and his session; the old session is over."""

        def arrive() -> Person:
            while True:
                person = Person(name=f"Guest-{secrets.randbelow(10**8):08}", guest=True)
                if self._documents.put("person", key_of(person.name), msgspec.json.encode(person), 0):
                    break
            if self.play_cents:
                self._wallets.fund(person.name, self.play_cents, "play chips", at=self._clock_ms(), who="house")
            return person

        person = await self._committer.call(arrive)
        return person, await self.sessions.begin(person.name, old)

    async def register(self, name: str, password: str, roles: tuple[AccountRole, ...] = ("player",)) -> Person:
        """Return a new account."""
        name = unicodedata.normalize("NFKC", name)
        check_name(name, staff=roles != ("player",))
        person = Person(name=name, roles=roles, password=await self._hash(password))
        body = msgspec.json.encode(person)
        if await self._committer.call(lambda: self._documents.put("person", key_of(name), body, 0)) is None:
            raise InvalidData(f"expected a name that is free, got '{name}'")
        return person

    async def login(self, name: str, password: str, old: str = "") -> tuple[Person, str]:
        """Return who somebody is and a new session, or refuse; too many failures lock the account for a while."""
        person = await self._prove(name, password)
        return person, await self.sessions.begin(person.name, old)

    async def change_password(self, person: Person, old: str, new: str) -> str:
        """Keep a new password, end all sessions, and return a new one."""
        await self._prove(person.name, old)
        hashed = await self._hash(new)
        key = key_of(person.name)
        changed = await self._committer.call(lambda: self._change(key, lambda one: replace(one, password=hashed)))
        await self.sessions.end_all(changed.name)
        return await self.sessions.begin(changed.name)

    def staff(self) -> list[Person]:
        """Return everybody with a role beyond a player's."""
        everybody = (msgspec.json.decode(kept.body, type=Person) for kept in self._documents.find("person"))
        return [person for person in everybody if set(person.roles) - {"player"}]

    def administrators(self) -> list[Person]:
        """Return the administrators who can log in."""
        return [person for person in self.staff() if "administrator" in person.roles and not person.disabled]

    async def set_roles(
        self,
        name: str,
        roles: tuple[AccountRole, ...] | None = None,
        *,
        disabled: bool | None = None,
        unlock: bool = False,
        new_password: str | None = None,
        who: str = "",
        why: str = "",
    ) -> Person:
        """Change what somebody may do or how he logs in, and end his sessions: none goes on as what he was.

        An administrator stays. Whoever gets a new password, or his account back, is not locked out any more. What is
        changed by somebody is on record.
        """
        hashed = None if new_password is None else await self._hash(new_password)
        unlocked = unlock or hashed is not None or disabled is False

        def changed(person: Person) -> Person:
            if person.guest:
                raise MissingData(f"expected the name of an account, got {name!r}")
            after = replace(
                person,
                roles=person.roles if roles is None else roles,
                disabled=person.disabled if disabled is None else disabled,
                password=hashed or person.password,
                failures=0 if unlocked else person.failures,
                locked_until_ms=0 if unlocked else person.locked_until_ms,
            )
            stays = "administrator" in after.roles and not after.disabled
            if not stays and [one.name for one in self.administrators()] == [person.name]:
                raise InvalidData("expected another administrator before the last one goes, got none")
            if who:  # before the act: nothing is done that is not on record
                freed = unlock or (unlocked and self.is_locked(person))
                signs = (("disabled", after.disabled), ("unlocked", freed), ("new password", hashed is not None))
                marks = "".join(f" ({word})" for word, is_so in signs if is_so)
                note = f"{after.name}: {', '.join(after.roles)}{marks}"
                self._audit.add(self._clock_ms(), who, "change staff", f"{note}; {why}" if why else note)
            return after

        person = await self._committer.call(lambda: self._change(key_of(name), changed))
        await self.sessions.end_all(person.name)
        return person

    def is_locked(self, person: Person) -> bool:
        """Whether too many failures keep somebody from logging in now."""
        return person.locked_until_ms > self._clock_ms()

    def member(self, person: Person) -> StaffMember:
        """Return a person as an administrator sees them."""
        return StaffMember(person.name, person.roles, person.disabled, self.is_locked(person))

    def find(self, name: str) -> Person:
        """Return somebody by name."""
        person = self._person(key_of(name))
        if person is None:
            raise MissingData(f"expected the name of somebody the house knows, got {name!r}")
        return person

    def person(self, name: str) -> Person | None:
        """Return somebody by his name, if there is anybody of that name."""
        return self._person(key_of(name)) if name else None

    def by_session(self, token: str) -> Person | None:
        """Return whose session it is, if it is anybody's still."""
        session: Session | None = self.sessions.find(token)
        person = None if session is None else self._person(key_of(session.name))
        return None if person is None or person.disabled else person

    async def logout(self, token: str) -> None:
        """End a session."""
        await self.sessions.end(token)

    async def _prove(self, name: str, password: str) -> Person:
        """Return who somebody is, if the password is his.

        Each try is settled in the committer's thread, one after another: of any number at the same time, none counts
        once the account is locked. Every failure costs one hash and one write, whether there is such an account or not.
        """
        key = key_of(name)
        before = await asyncio.to_thread(self._person, key)
        right = await self._verify(before.password if before else "", password)
        proven = await self._committer.call(lambda: self._settle(key, before, right=right))
        if proven is None:
            raise LoginRefused("expected the name and password of an account that is not locked, got others")
        return proven

    def _settle(self, key: str, before: Person | None, *, right: bool) -> Person | None:
        person = self._person(key)
        if person is None or before is None or person.password != before.password:
            self._count_stranger()
            return None
        now = self._clock_ms()
        if now < person.locked_until_ms:
            self._count_stranger()
            return None
        if right and not person.disabled:
            return (
                self._change(key, lambda one: replace(one, failures=0, locked_until_ms=0))
                if person.failures
                else person
            )

        def fail(one: Person) -> Person:
            failures = one.failures + 1
            if failures < FAILURES_MAX:
                return replace(one, failures=failures)
            return replace(one, failures=0, locked_until_ms=now + LOCKED_MS)

        if self._change(key, fail).locked_until_ms > now:
            self._audit.add(now, "house", f"lock {person.name}", f"{FAILURES_MAX} failures in a row")
        return None

    def _count_stranger(self) -> None:
        kept = self._documents.get("strangers", "all")
        count = msgspec.json.decode(kept.body, type=_Strangers) if kept else _Strangers()
        body = msgspec.json.encode(_Strangers(count.failures + 1))
        self._documents.put("strangers", "all", body, kept.version if kept else 0)

    def _change(self, key: str, change: Callable[[Person], Person]) -> Person:
        """Change somebody, however many others do so at the same time; only in the committer's thread."""
        while True:
            kept = self._documents.get("person", key) if key else None
            if kept is None:
                raise MissingData(f"expected the name of somebody the house knows, got {key!r}")
            changed = change(msgspec.json.decode(kept.body, type=Person))
            if self._documents.put("person", kept.id, msgspec.json.encode(changed), kept.version) is not None:
                return changed

    def _person(self, key: str) -> Person | None:
        kept = self._documents.get("person", key) if key else None
        return msgspec.json.decode(kept.body, type=Person) if kept else None

    async def _hash(self, password: str) -> str:
        if len(password) < PASSWORD_MIN:
            raise InvalidData(f"expected a password of {PASSWORD_MIN} signs or more, got {len(password)}")
        async with self._hashing:
            return await asyncio.to_thread(self._hasher.hash, password)

    async def _verify(self, hashed: str, password: str) -> bool:
        """Whether a password is right; where there is nothing to compare it with, it takes as long."""

        def verify() -> bool:
            try:
                self._hasher.verify(hashed or self._nobody, password)
            except VerificationError:
                return False
            return bool(hashed)

        async with self._hashing:
            return await asyncio.to_thread(verify)


def key_of(name: str) -> str:
    """Return what is the same for all names that look the same but for their letters' size or width."""
    return unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", name).casefold())


def check_name(name: str, *, staff: bool = False) -> None:
    """Refuse a name that no account can have; those of the house are for its own people."""
    if not 1 <= len(name) <= NAME_MAX or not _NAME.fullmatch(name):
        raise InvalidData(f"expected a name of 1 to {NAME_MAX} signs, like Ann or Mary-Lou O'Neil, got {name!r}")
    alphabets = {unicodedata.name(sign, "").partition(" ")[0] for sign in name if sign.isalpha()}
    if len(alphabets & {"LATIN", "CYRILLIC", "GREEK"}) > 1:
        raise InvalidData(f"expected a name in the letters of one alphabet, got {name!r}")
    key = key_of(name)
    if (key in RESERVED and not staff) or key.startswith(RESERVED_STARTS) or key == "out":
        raise InvalidData(f"expected a name that is not one of the house's own, got {name!r}")
