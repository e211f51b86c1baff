"""Accounts: guests and accounts, their passwords and roles; knows nothing of tables.

Names are one where they only look different: 'Anna' and 'ANNA' are the same person.
"""

from __future__ import annotations

import asyncio
import secrets
import unicodedata
from collections.abc import Callable
from dataclasses import dataclass
from hashlib import sha256
from typing import Final, Literal

import msgspec
from msgspec.structs import replace

from letitride.errors import InvalidData, MissingData
from letitride.rules.roles import AccountRole
from letitride.server.people.factor_records import FactorWanted
from letitride.server.people.known_devices import is_device_of
from letitride.server.people.names import check_name, key_of, skeletons_of
from letitride.server.people.password_attempts import PasswordAttempts, TryLater
from letitride.server.people.passwords import Passwords
from letitride.server.people.pending_sign_ins import PendingSignIns
from letitride.server.people.second_factors import SecondFactors
from letitride.server.people.sessions import MINUTE_MS, Session, Sessions
from letitride.server.people.sign_in_record import STRANGER, SignInRecord
from letitride.server.runtime.write_batching import Committer
from letitride.storage.roles.audit import AuditStore
from letitride.storage.roles.documents import DocumentStore
from letitride.storage.roles.wallets import WalletStore
from letitride.storage.vault import Vault
from letitride.training.coach_data import CoachMode

PLAY_CENTS: Final = 100_000
"""What a guest gets to play with: chips of no value."""
IDLE_MS: Final = 60 * MINUTE_MS
STAFF_IDLE_MS: Final = 30 * MINUTE_MS
PROOF_MS: Final = 10 * MINUTE_MS
WhenAbsent = Literal["", "withdraw", "coach"]
"""Take the bet back, or decide as the coach would; empty: as the table has it."""
LOOKS: Final = "looks"
"""Which account has a skeleton of its name, by the skeleton's hash."""
ALL: Final = "all"


@dataclass(frozen=True, slots=True)
class StaffMember:
    """A person who works here; locked: wrong passwords were tried of late, and their sources wait before the next."""

    name: str
    roles: tuple[AccountRole, ...]
    disabled: bool
    locked: bool
    second_factor: bool = False


class Person(msgspec.Struct, frozen=True, kw_only=True):
    """A person who plays, deals, or supervises."""

    name: str
    roles: tuple[AccountRole, ...] = ("player",)
    guest: bool = False
    password: str = ""
    """As argon2id writes it; empty: no one can sign in to this account."""
    disabled: bool = False
    """Whether the house has shut the account: no one can sign in to it."""
    verified: str = ""
    """A hash of the reference under which the operator knows this person; empty: not verified."""
    when_absent: WhenAbsent = ""
    """What is decided for them when their time is over or they are gone, where the book leaves it open."""
    made_by: str = ""
    """Who made this account or last gave it roles or a password; empty: the person alone."""
    made_ms: int = 0
    """When they did."""
    coach: CoachMode = "after"
    """When the coach speaks at a table whose book allows it."""


class LoginRefused(InvalidData):
    """A login that failed, said so that no one learns which part of it was wrong."""


@dataclass(frozen=True, slots=True)
class Origin:
    """Where a request comes from."""

    address: str = ""
    """As it goes on record; empty: this machine."""
    network: str = ""
    """As it is counted."""
    device: str = ""
    """What the browser says to have been given at a sign-in before."""
    browser: str = ""
    """What the browser says to be."""


HERE: Final = Origin()


class People:
    """Everybody the house knows. Writing goes through the committer's thread, hashing through others."""

    def __init__(
        self,
        documents: DocumentStore,
        wallets: WalletStore,
        audit: AuditStore,
        committer: Committer,
        clock_ms: Callable[[], int],
        *,
        vault: Vault | None = None,
    ) -> None:
        self._documents, self._wallets, self._audit = documents, wallets, audit
        self._committer, self._clock_ms = committer, clock_ms
        self.passwords = Passwords()
        self.sessions = Sessions(documents, committer, clock_ms)
        self.tries = PasswordAttempts(clock_ms)
        self.record = SignInRecord(audit, committer, clock_ms)
        self.factors = SecondFactors(documents, committer, clock_ms, vault)
        self.pending = PendingSignIns(documents, committer, clock_ms)
        self.play_cents = PLAY_CENTS
        self.staff_passwords = True
        """Whether those with a role sign in with a password."""
        self.session_addresses = True
        """Whether a session keeps the address it began at."""
        self.idle_ms, self.staff_idle_ms = IDLE_MS, STAFF_IDLE_MS
        """After how long without activity a session of an account ends."""
        self.proof_ms = PROOF_MS
        """How recently a person who moves money or gives roles has given the password, or the second factor."""

    async def guest(self, old: str = "") -> tuple[Person, str]:
        """Return a new guest with chips to play with, and their session; the old session is over."""

        def arrive() -> Person:
            while True:
                person = Person(name=f"Guest-{secrets.randbelow(10**8):08}", guest=True)
                if self._documents.put("person", key_of(person.name), msgspec.json.encode(person), 0):
                    break
            if self.play_cents:
                self._wallets.fund(person.name, self.play_cents, "play chips", at=self._clock_ms(), who="house")
            return person

        person = await self._committer.run(arrive)
        return person, await self.begin_session(person, old)

    async def begin_session(
        self, person: Person, old: str = "", origin: Origin = HERE, *, proven_ms: int | None = None, factor_ms: int = 0
    ) -> str:
        """Return the token of a new session; a guest, who could not sign in again, has it for its whole time."""
        idle = 0 if person.guest else self.staff_idle_ms if is_staff(person) else self.idle_ms
        seen = {"device": origin.browser, "address": origin.address if self.session_addresses else ""}
        return await self.sessions.begin(
            person.name, old, idle_ms=idle, proven_ms=proven_ms, factor_ms=factor_ms, **seen
        )

    async def register(
        self, name: str, password: str, roles: tuple[AccountRole, ...] = ("player",), *, by: str = ""
    ) -> Person:
        """Return a new account; `by` is who makes it, where that is another person."""
        person = await self.prepare(name, password, roles)
        return await self.add(replace(person, made_by=by, made_ms=self._clock_ms()) if by else person)

    async def prepare(self, name: str, password: str, roles: tuple[AccountRole, ...] = ("player",)) -> Person:
        """Return an account as it would be kept, or refuse a name or a password that cannot be had."""
        name = unicodedata.normalize("NFKC", name)
        check_name(name, staff=roles != ("player",))
        if await asyncio.to_thread(self._documents.get, "person", key_of(name)) is not None:
            raise _taken(name)
        return Person(name=name, roles=roles, password=await self.passwords.hash(password, name))

    async def add(self, person: Person) -> Person:
        """Keep an account that was prepared, unless its name was taken meanwhile."""
        await self._committer.run(lambda: self._put_new_account(person))
        return person

    async def login(self, name: str, password: str, old: str = "", origin: Origin = HERE) -> tuple[Person, str]:
        """Return the person and a new session, or refuse; a source with too many failures waits.

        An account with a second factor is asked for it: until it is given there is no session.
        """
        person = await self._prove(name, password, origin)
        if (await asyncio.to_thread(self.factors.of, person.name)).is_set:
            await self.note_sign_in(person, "password given, second factor asked for", origin)
            raise FactorWanted(await self.pending.begin(person.name, person.password))
        await self.note_sign_in(person, "sign-in", origin)
        return person, await self.begin_session(person, old, origin)

    async def note_sign_in(self, person: Person, what: str, origin: Origin, *, always: bool = False) -> None:
        """Put on record what a person did to sign in, or about how they do."""
        rows = always or is_staff(person)
        await self.record.add("sign-in", person.name, what, origin.address, origin.browser, always=rows)

    async def confirm_password(self, person: Person, password: str, token: str, origin: Origin = HERE) -> None:
        """Let a person who is signed in give the password again, as what is done with money and roles demands."""
        await self._prove(person.name, password, origin)
        await self.sessions.prove(token)

    async def change_password(
        self, person: Person, old: str, new: str, origin: Origin = HERE, *, token: str = ""
    ) -> tuple[Person, str]:
        """Keep a new password, end all sessions, and return who it is now and a new session in place of this one."""
        await self._prove(person.name, old, origin)
        hashed = await self.passwords.hash(new, person.name)
        key = key_of(person.name)
        changed = await self._committer.run(lambda: self._change(key, lambda one: replace(one, password=hashed)))
        await self.note_sign_in(changed, "new password", origin)
        before = await asyncio.to_thread(self.sessions.find, token)
        await self.sessions.end_all(changed.name)
        factor_ms = before.factor_ms if before is not None else 0
        return changed, await self.begin_session(changed, origin=origin, factor_ms=factor_ms)

    def staff(self) -> list[Person]:
        """Return everybody with a role beyond a player's."""
        everybody = (msgspec.json.decode(kept.body, type=Person) for kept in self._documents.find("person"))
        return [person for person in everybody if is_staff(person)]

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
        """Change what a person may do or how they sign in, and end their sessions: none goes on with old rights.

        An administrator stays. After a new password, or where an account is open again, wrong passwords of before are
        forgotten. What is changed by a person is on record.
        """
        hashed = None if new_password is None else await self.passwords.hash(new_password, name)
        unlocked = unlock or hashed is not None or disabled is False

        def changed(person: Person) -> Person:
            if person.guest:
                raise MissingData(f"expected the name of an account, got {name!r}")
            after = replace(
                person,
                roles=person.roles if roles is None else roles,
                disabled=person.disabled if disabled is None else disabled,
                password=hashed or person.password,
                **({"made_by": who, "made_ms": self._clock_ms()} if who and (roles is not None or hashed) else {}),
            )
            stays = "administrator" in after.roles and not after.disabled
            if not stays and [one.name for one in self.administrators()] == [person.name]:
                raise InvalidData("expected another administrator before the last one leaves, got none")
            if who:  # before the act: nothing is done that is not on record
                freed = unlock or (unlocked and self.is_locked(person))
                signs = (("disabled", after.disabled), ("unlocked", freed), ("new password", hashed is not None))
                marks = "".join(f" ({word})" for word, is_so in signs if is_so)
                note = f"{after.name}: {', '.join(after.roles)}{marks}"
                self._audit.add(self._clock_ms(), who, "change staff", f"{note}; {why}" if why else note)
            return after

        person = await self._committer.run(lambda: self._change(key_of(name), changed))
        if unlocked:
            self.tries.forget(key_of(name))
        await self.sessions.end_all(person.name)
        return person

    async def change(self, name: str, change: Callable[[Person], Person]) -> Person:
        """Change a person as a function says, which may refuse it; it runs in the committer's thread."""
        return await self._committer.run(lambda: self._change(key_of(name), change))

    def is_locked(self, person: Person) -> bool:
        """Whether wrong passwords for an account were tried of late, so that their sources wait."""
        return self.tries.is_tried(key_of(person.name))

    def member(self, person: Person) -> StaffMember:
        """Return a person as an administrator sees them."""
        factor = self.factors.of(person.name).is_set
        return StaffMember(person.name, person.roles, person.disabled, self.is_locked(person), factor)

    def find(self, name: str) -> Person:
        """Return a person by name."""
        person = self._person(key_of(name))
        if person is None:
            raise MissingData(f"expected the name of an account, got {name!r}")
        return person

    def person(self, name: str) -> Person | None:
        """Return a person by name, if there is an account of that name."""
        return self._person(key_of(name)) if name else None

    def entered(self, token: str) -> tuple[Person, Session] | None:
        """Return whose session it is, if it is anybody's still, and the session."""
        session = self.sessions.find(token)
        person = None if session is None else self._person(key_of(session.name))
        return None if session is None or person is None or person.disabled else (person, session)

    def waits_for_factor(self, person: Person, session: Session) -> bool:
        """Whether a session opens nothing until a second factor is given in it."""
        return not session.factor_ms and not person.guest and self.factors.is_needed_by(person.roles)

    async def logout(self, token: str, origin: Origin = HERE) -> None:
        """End a session."""
        found = await asyncio.to_thread(self.entered, token)
        await self.sessions.end(token)
        if found is not None and not (person := found[0]).guest:
            await self.record.add("sign-out", person.name, "sign-out", origin.address, always=is_staff(person))

    async def logout_everywhere(self, person: Person, origin: Origin = HERE) -> int:
        """End all sessions of a person, and return how many there were."""
        ended = await self.sessions.end_all(person.name)
        if not person.guest:
            what = "sign-out everywhere"
            await self.record.add("sign-out", person.name, what, origin.address, always=is_staff(person))
        return ended

    async def _prove(self, name: str, password: str, origin: Origin) -> Person:
        """Return the person, if the password is theirs; a failure costs the same with and without an account."""
        key = key_of(name)
        before = await asyncio.to_thread(self._person, key)
        known = before is not None and is_device_of(before.name, before.password, origin.device)
        source = origin.device if known else origin.network
        # A name that no account has may be a password in the wrong field: it goes on no record.
        failed = f"failed sign-in as {'an unknown name' if before is None or before.guest else before.name}"
        try:
            self.tries.begin(source, key, known=known)
        except TryLater:
            await self.record.add("failed sign-in", STRANGER, f"{failed}, too soon", origin.address, origin.browser)
            raise
        right = await self.passwords.verify(before.password if before else "", password)
        person = await asyncio.to_thread(self._person, key)
        same = person is not None and before is not None and person.password == before.password
        if person is None or person.disabled or not (right and same):
            await self.record.add("failed sign-in", STRANGER, failed, origin.address, origin.browser)
            raise LoginRefused("expected the name and password of an account, got a wrong name or password")
        self.tries.succeed(source, key, known=known)
        if is_staff(person) and not self.staff_passwords:  # said to those alone who have the password
            what = "failed sign-in with a password"
            await self.record.add("failed sign-in", person.name, what, origin.address, origin.browser)
            raise LoginRefused(
                "expected a sign-in at the house's provider, which its staff use, got a password", code="staff_provider"
            )
        return person

    def _put_new_account(self, person: Person) -> None:
        """Keep a new account whose name looks like no other's; only in the committer's thread."""
        if self._documents.get(LOOKS, ALL) is None:  # accounts from before names were compared by their looks
            for kept in self._documents.find("person"):
                known = msgspec.json.decode(kept.body, type=Person)
                if not known.guest:
                    self._reserve_name(known.name)
            self._documents.put(LOOKS, ALL, b"{}", 0)
        if self._documents.get("person", key_of(person.name)) is not None:
            raise _taken(person.name)
        if not self._reserve_name(person.name):
            raise InvalidData(
                f"expected a name that looks like no other, got '{person.name}', which looks like one in use:"
                " try another",
                code="name_alike",
            )
        if self._documents.put("person", key_of(person.name), msgspec.json.encode(person), 0) is None:
            raise _taken(person.name)

    def _reserve_name(self, name: str) -> bool:
        """Let no other name look like this one; whether none does."""
        taken = True
        for look in skeletons_of(name):
            doc_id = sha256(look.encode()).hexdigest()
            if self._documents.put(LOOKS, doc_id, msgspec.json.encode(key_of(name)), 0) is None:
                kept = self._documents.get(LOOKS, doc_id)
                owner = msgspec.json.decode(kept.body, type=str) if kept else ""
                taken = taken and (owner == key_of(name) or self._person(owner) is None)
        return taken

    def _change(self, key: str, change: Callable[[Person], Person]) -> Person:
        """Change a person, however many others do so at the same time; only in the committer's thread."""
        while True:
            kept = self._documents.get("person", key) if key else None
            if kept is None:
                raise MissingData(f"expected the name of an account, got {key!r}")
            changed = change(msgspec.json.decode(kept.body, type=Person))
            if self._documents.put("person", kept.id, msgspec.json.encode(changed), kept.version) is not None:
                return changed

    def _person(self, key: str) -> Person | None:
        kept = self._documents.get("person", key) if key else None
        return msgspec.json.decode(kept.body, type=Person) if kept else None


def is_staff(person: Person) -> bool:
    """Whether a person watches over the tables."""
    return bool(set(person.roles) - {"player"})


def _taken(name: str) -> InvalidData:
    return InvalidData(f"expected a name that is free, got '{name}'", code="name_taken")
