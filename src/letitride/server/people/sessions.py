"""Sessions: who somebody is until when; knows tokens, never passwords.

A session is 32 random bytes in a cookie, new at each login; the store keeps only their hash.
"""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from hashlib import sha256
from typing import Final

import msgspec

from letitride.errors import StoreDown
from letitride.server.runtime.write_batching import Committer
from letitride.storage.roles.documents import Document, DocumentStore

SESSION_MS: Final = 12 * 3600 * 1000
CHECK_SECONDS: Final = 15.0
"""How soon a connection ends whose session expired, or was ended through another server."""
CHECKS_A_CLEANING: Final = 40
KIND: Final = "session"


class Session(msgspec.Struct, frozen=True, kw_only=True):
    """Who somebody is until when."""

    id: str
    """What its owner may call it by; no secret."""
    name: str
    began_ms: int
    until_ms: int


class Sessions:
    """All sessions, and the connections that end with them."""

    def __init__(self, documents: DocumentStore, committer: Committer, clock_ms: Callable[[], int]) -> None:
        self._documents, self._committer, self._clock_ms = documents, committer, clock_ms
        self._open: dict[str, set[asyncio.Event]] = {}
        self.ended = 0
        """How many were ended here: other servers of the house look at their own connections when it grows."""

    async def begin(self, name: str, old: str = "") -> str:
        """Return the token of a new session; the one its owner had before is over, so nobody can foist one on him."""
        token, now = secrets.token_urlsafe(32), self._clock_ms()
        session = Session(id=secrets.token_hex(8), name=name, began_ms=now, until_ms=now + SESSION_MS)
        body = msgspec.json.encode(session)

        def put() -> None:
            self._documents.put(KIND, hash_of(token), body, 0)
            if old:
                self._forget(hash_of(old))

        await self._committer.call(put)
        self._tell(hash_of(old))
        return token

    def is_open(self, key: str) -> bool:
        """Whether the session of this hash is not over."""
        return self._valid(key) is not None

    def find(self, token: str) -> Session | None:
        """Return a session that is not over."""
        return self._valid(hash_of(token)) if token else None

    async def of(self, name: str) -> list[Session]:
        """Return somebody's sessions, the oldest first."""
        found = await asyncio.to_thread(self._all)
        now = self._clock_ms()
        mine = [session for _, session in found if session.name == name and session.until_ms > now]
        return sorted(mine, key=lambda session: session.began_ms)

    async def end(self, token: str) -> None:
        """End a session."""
        if token:
            await self._end([hash_of(token)])

    async def end_one(self, name: str, session_id: str) -> bool:
        """End one of somebody's sessions by its id; whether there was one."""
        found = await asyncio.to_thread(self._all)
        keys = [kept.id for kept, session in found if (session.name, session.id) == (name, session_id)]
        await self._end(keys)
        return bool(keys)

    async def end_all(self, name: str) -> int:
        """End all sessions of somebody, and return how many there were."""
        found = await asyncio.to_thread(self._all)
        keys = [kept.id for kept, session in found if session.name == name]
        await self._end(keys)
        return len(keys)

    async def until_ended(self, key: str) -> None:
        """Wait until the session of this hash is over: what it opened has to be closed then."""
        over = asyncio.Event()
        self._open.setdefault(key, set()).add(over)
        try:
            with suppress(StoreDown):  # then `check_open` finds out
                if not await asyncio.to_thread(self._valid, key):
                    return
            await over.wait()
        finally:
            self._open[key].discard(over)
            if not self._open[key]:
                del self._open[key]

    async def tidy(self) -> None:
        """End what has expired, for as long as the server runs."""
        checks = 0
        while True:
            await asyncio.sleep(CHECK_SECONDS)
            checks += 1
            with suppress(StoreDown):  # it is asked again
                await self.check_open()
                if checks % CHECKS_A_CLEANING == 0:
                    await self.forget_expired()

    async def check_open(self) -> None:
        """Tell the connections of sessions that are over."""
        watched = set(self._open)
        for found in await asyncio.to_thread(self._documents.named, KIND, [*watched]):
            if self._read(found) is not None:
                watched.discard(found.id)
        for over in watched:
            self._tell(over)

    async def forget_expired(self) -> int:
        """Forget the sessions that have expired, and return how many there were."""
        now = self._clock_ms()
        old = [kept.id for kept, session in await asyncio.to_thread(self._all) if session.until_ms <= now]
        await self._end(old)
        return len(old)

    async def _end(self, keys: list[str]) -> None:
        for key in keys:  # one by one: tables write in between
            await self._committer.call(partial(self._forget, key))
            self._tell(key)

    def _forget(self, key: str) -> None:
        if (kept := self._documents.get(KIND, key)) is not None and self._documents.delete(KIND, key, kept.version):
            self.ended += 1

    def _tell(self, key: str) -> None:
        for over in self._open.get(key, ()):
            over.set()

    def _valid(self, key: str) -> Session | None:
        kept = self._documents.get(KIND, key)
        return self._read(kept) if kept is not None else None

    def _read(self, kept: Document) -> Session | None:
        session = msgspec.json.decode(kept.body, type=Session)
        return session if session.until_ms > self._clock_ms() else None

    def _all(self) -> list[tuple[Document, Session]]:
        found = self._documents.find(KIND)
        return [(kept, msgspec.json.decode(kept.body, type=Session)) for kept in found]


def hash_of(token: str) -> str:
    """Return what the store keeps of a token."""
    return sha256(token.encode(errors="replace")).hexdigest()
