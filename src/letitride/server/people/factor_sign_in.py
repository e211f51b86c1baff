"""Factor sign-in: the second half of a sign-in, and the factor given again, on record; it checks no code itself."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from typing import TypeVar

from letitride.errors import InvalidData, MissingData
from letitride.rules.words import quantity
from letitride.server.people.accounts import HERE, Origin, People, Person
from letitride.server.people.factor_records import SignInAgain
from letitride.server.people.password_attempts import TryLater
from letitride.server.people.sessions import hash_of
from letitride.server.people.sign_in_record import STRANGER

T = TypeVar("T")


class FactorSignIn:
    """What people do with their second factors at the door and inside."""

    def __init__(self, people: People, clock_ms: Callable[[], int]) -> None:
        self._people, self._clock_ms = people, clock_ms

    async def finish(self, pending: str, code: str, old: str = "", origin: Origin = HERE) -> tuple[Person, str]:
        """Return who gave a password and now a code as well, and a new session, or refuse."""
        people = self._people
        person = await asyncio.to_thread(self.waiting, pending)
        accepted = await self.at_the_door(person.name, people.factors.accept(person.name, code), origin)
        if not await people.pending.end(pending):
            raise SignInAgain
        left = f", {quantity(accepted.left, 'code')} left" if accepted.way == "recovery code" else ""
        await people.note_sign_in(person, f"sign-in with a {accepted.way}{left}", origin)
        return person, await people.begin_session(person, old, origin, factor_ms=self._clock_ms())

    async def confirm(self, person: Person, code: str, token: str, origin: Origin = HERE) -> None:
        """Let a person who is signed in give the second factor again, as what is done with money and roles demands."""
        accepted = await self.on_record(person, self._people.factors.accept(person.name, code), origin)
        await self._people.note_sign_in(person, f"second factor given again: {accepted.way}", origin)
        await self._people.sessions.prove(token, factor=True)

    async def add_app(self, person: Person, code: str, token: str, origin: Origin = HERE) -> list[str]:
        """Confirm a person's authenticator app by a code; return recovery codes, where there were none."""
        codes = await self.on_record(person, self._people.factors.confirm_app(person.name, code), origin)
        await self._people.sessions.prove(token, factor=True)
        await self.changed(person, "app set up", token, origin)
        return codes

    async def remove_app(self, person: Person, token: str, origin: Origin = HERE) -> None:
        """Forget a person's authenticator app, where their roles let them do without."""
        needed = self._people.factors.is_needed_by(person.roles)
        await self._people.factors.remove_app(person.name, last=not needed)
        await self.changed(person, "app removed", token, origin)

    async def renew_recovery(self, person: Person, token: str, origin: Origin = HERE) -> list[str]:
        """Return ten new recovery codes; those of before are void."""
        codes = await self._people.factors.renew_recovery(person.name)
        await self.changed(person, "new recovery codes", token, origin)
        return codes

    async def reset(self, name: str, *, who: str, why: str = "") -> Person:
        """Forget everything of a person's second factor, on record, and end their sessions."""
        person = await asyncio.to_thread(self._people.find, name)
        if person.guest:
            raise MissingData(f"expected the name of an account, got {name!r}")
        await self._people.record.note(who, f"reset second factor {person.name}", why)
        await self._people.factors.forget(person.name)
        await self._people.sessions.end_all(person.name)
        return person

    def waiting(self, pending: str) -> Person:
        """Return whose sign-in waits for the second factor."""
        waits = self._people.pending.find(pending)
        person = self._people.person(waits.name) if waits is not None else None
        if waits is None or person is None or person.disabled or hash_of(person.password) != waits.password:
            raise SignInAgain
        return person

    async def changed(self, person: Person, what: str, token: str, origin: Origin) -> None:
        """Put on record how a second factor changed, and end the other sessions."""
        await self._people.note_sign_in(person, f"second factor: {what}", origin, always=True)
        await self._people.sessions.end_all(person.name, but=token)

    async def at_the_door(self, name: str, trying: Coroutine[None, None, T], origin: Origin) -> T:
        """Return what comes of a code or a passkey at a sign-in, or put on record that it was refused."""
        try:
            return await trying
        except InvalidData as error:
            what = f"failed sign-in as {name}, second factor: {_refused(error)}"
            await self._people.record.add("failed sign-in", STRANGER, what, origin.address, origin.browser)
            raise

    async def on_record(self, person: Person, trying: Coroutine[None, None, T], origin: Origin) -> T:
        """Return what comes of a code, or put on record that it was refused."""
        try:
            return await trying
        except InvalidData as error:
            await self._people.note_sign_in(person, f"second factor refused: {_refused(error)}", origin)
            raise


def _refused(error: InvalidData) -> str:
    """Return why a code is refused, in a word or two for the record."""
    return "too soon" if isinstance(error, TryLater) else error.code.replace("_", " ")
