"""Passkey challenges: what a passkey is asked to sign, for one browser, once and soon; the store keeps no token."""

from __future__ import annotations

import secrets
from collections.abc import Callable
from typing import Final

import msgspec

from letitride.server.people.sessions import MINUTE_MS, hash_of
from letitride.server.runtime.write_batching import Committer
from letitride.storage.roles.documents import DocumentStore

CHALLENGE_MS: Final = 5 * MINUTE_MS
KIND: Final = "passkey-challenge"


class Challenge(msgspec.Struct, frozen=True, kw_only=True):
    """What a passkey is asked to sign, until when."""

    challenge: str
    """In hexadecimal digits."""
    until_ms: int


class PasskeyChallenges:
    """The challenges of all browsers; of each browser the last one counts."""

    def __init__(self, documents: DocumentStore, committer: Committer, clock_ms: Callable[[], int]) -> None:
        self._documents, self._committer, self._clock_ms = documents, committer, clock_ms

    async def begin(self, token: str) -> bytes:
        """Return a new challenge for the browser that has a token."""
        challenge, key = secrets.token_bytes(32), hash_of(token)
        body = msgspec.json.encode(Challenge(challenge=challenge.hex(), until_ms=self._clock_ms() + CHALLENGE_MS))

        def put() -> None:
            while True:
                kept = self._documents.get(KIND, key)
                if self._documents.put(KIND, key, body, kept.version if kept else 0) is not None:
                    return

        await self._committer.run(put)
        return challenge

    async def use(self, token: str) -> bytes | None:
        """Return the challenge of a browser and tear it up; nothing where there is none or it is too old."""

        def tear() -> bytes | None:
            kept = self._documents.get(KIND, hash_of(token)) if token else None
            if kept is None or not self._documents.delete(KIND, kept.id, kept.version):
                return None
            found = msgspec.json.decode(kept.body, type=Challenge)
            return bytes.fromhex(found.challenge) if found.until_ms > self._clock_ms() else None

        return await self._committer.run(tear)

    async def forget_old(self) -> None:
        """Forget the challenges that no passkey answered."""

        def forget() -> None:
            for kept in self._documents.find(KIND):
                if msgspec.json.decode(kept.body, type=Challenge).until_ms <= self._clock_ms():
                    self._documents.delete(KIND, kept.id, kept.version)

        await self._committer.run(forget)
