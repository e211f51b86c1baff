"""Passkey sign-in: what people do with their passkeys at the door and inside, on record; it checks none itself."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Callable

from letitride.server.people.accounts import HERE, LoginRefused, Origin, People, Person, is_staff
from letitride.server.people.factor_records import SignInAgain
from letitride.server.people.factor_sign_in import FactorSignIn
from letitride.server.people.passkeys import Passkeys


class PasskeySignIn:
    """Signs people in by passkeys, after the password or by themselves."""

    def __init__(self, people: People, second: FactorSignIn, passkeys: Passkeys, clock_ms: Callable[[], int]) -> None:
        self._people, self._second, self._passkeys = people, second, passkeys
        self._clock_ms = clock_ms

    async def ask(self, pending: str) -> tuple[str, str]:
        """Return what a device is asked with, and the token of its browser: for a sign-in that waits, or for any."""
        waits = await asyncio.to_thread(self._people.pending.find, pending)
        if waits is not None:
            return await self._passkeys.ask(pending, waits.name), pending
        token = secrets.token_urlsafe(32)
        return await self._passkeys.ask(token), token

    async def finish(self, pending: str, answer: str, old: str = "", origin: Origin = HERE) -> tuple[Person, str]:
        """Return whose passkey answered and a new session: after the password, or where its device verified them."""
        people = self._people
        waits = await asyncio.to_thread(people.pending.find, pending)
        after = await asyncio.to_thread(self._second.waiting, pending) if waits is not None else None
        name = after.name if after is not None else ""
        trying = self._passkeys.check(pending, answer, name)
        used = await self._second.at_the_door(name or "an unknown name", trying, origin)
        if after is not None and not await people.pending.end(pending):
            raise SignInAgain
        person = after or await asyncio.to_thread(people.person, used.person)
        if person is None or person.disabled:
            raise LoginRefused("expected a passkey of an active account, got another")
        if after is None and is_staff(person) and not people.staff_passwords:
            raise LoginRefused("expected a sign-in at the house's provider, which its staff use, got a passkey")
        how = "a passkey" if after is not None else "a passkey alone"
        await people.note_sign_in(person, f"sign-in with {how}: {used.name}", origin)
        return person, await people.begin_session(person, old, origin, factor_ms=self._clock_ms())

    async def ask_again(self, person: Person, token: str) -> str:
        """Return what a device is asked with to prove again who is signed in."""
        return await self._passkeys.ask(token, person.name)

    async def confirm(self, person: Person, answer: str, token: str, origin: Origin = HERE) -> None:
        """Let a person who is signed in give the second factor again."""
        used = await self._second.on_record(person, self._passkeys.check(token, answer, person.name), origin)
        await self._people.note_sign_in(person, f"second factor given again: passkey {used.name}", origin)
        await self._people.sessions.prove(token, factor=True)

    async def ask_new(self, person: Person, token: str) -> str:
        """Return what a device is asked with for a new passkey."""
        return await self._passkeys.ask_new(person.name, token)

    async def add(self, person: Person, called: str, answer: str, token: str, origin: Origin = HERE) -> list[str]:
        """Keep a new passkey; return recovery codes, where there was no factor before."""
        trying = self._passkeys.add(person.name, called, answer, token)
        codes = await self._second.on_record(person, trying, origin)
        await self._people.sessions.prove(token, factor=True)
        await self._second.changed(person, f"passkey added: {called}", token, origin)
        return codes

    async def remove(self, person: Person, passkey_id: str, token: str, origin: Origin = HERE) -> None:
        """Forget a passkey, where the person's roles let them do without or there is another factor."""
        needed = self._people.factors.is_needed_by(person.roles)
        called = await self._passkeys.remove(person.name, passkey_id, last=not needed)
        await self._second.changed(person, f"passkey removed: {called}", token, origin)

    @property
    def works_here(self) -> bool:
        """Whether browsers have passkeys at the name by which people reach the house."""
        return self._passkeys.works_here

    async def forget_old(self) -> None:
        """Forget what no passkey answered."""
        await self._passkeys.challenges.forget_old()
