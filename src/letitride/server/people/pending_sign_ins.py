"""Pending sign-ins: who has given a password and is asked for a second factor; none of them is a session."""

from __future__ import annotations

import secrets
from collections.abc import Callable
from typing import Final

import msgspec

from letitride.server.people.sessions import MINUTE_MS, hash_of
from letitride.server.runtime.write_batching import Committer
from letitride.storage.roles.documents import DocumentStore

PENDING_MS: Final = 5 * MINUTE_MS
KIND: Final = "pending-sign-in"


class PendingSignIn(msgspec.Struct, frozen=True, kw_only=True):
    """Who has given a password, and until when the second factor is waited for."""

    name: str
    password: str
    """A hash of what is kept of the password: a new one ends what waits."""
    until_ms: int


class PendingSignIns:
    """All sign-ins that wait; the store keeps hashes of their tokens, so that any server of the house goes on."""

    def __init__(self, documents: DocumentStore, committer: Committer, clock_ms: Callable[[], int]) -> None:
        self._documents, self._committer, self._clock_ms = documents, committer, clock_ms

    async def begin(self, name: str, password: str) -> str:
        """Return the token of a sign-in that waits."""
        token = secrets.token_urlsafe(32)
        until = self._clock_ms() + PENDING_MS
        body = msgspec.json.encode(PendingSignIn(name=name, password=hash_of(password), until_ms=until))
        await self._committer.run(lambda: self._documents.put(KIND, hash_of(token), body, 0))
        return token

    def find(self, token: str) -> PendingSignIn | None:
        """Return a sign-in that waits."""
        kept = self._documents.get(KIND, hash_of(token)) if token else None
        found = msgspec.json.decode(kept.body, type=PendingSignIn) if kept is not None else None
        return found if found is not None and found.until_ms > self._clock_ms() else None

    async def end(self, token: str) -> bool:
        """End a sign-in that waits; of several who end it, one is told that it was there."""

        def forget() -> bool:
            kept = self._documents.get(KIND, hash_of(token))
            return kept is not None and self._documents.delete(KIND, kept.id, kept.version)

        return await self._committer.run(forget)

    async def forget_old(self) -> None:
        """Forget what was waited for in vain."""

        def forget() -> None:
            for kept in self._documents.find(KIND):
                if msgspec.json.decode(kept.body, type=PendingSignIn).until_ms <= self._clock_ms():
                    self._documents.delete(KIND, kept.id, kept.version)

        await self._committer.run(forget)
