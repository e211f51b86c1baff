"""Sessions: who is signed in until when; knows tokens, never passwords.

A session is 32 random bytes in a cookie, new at each login; the store keeps only their hash. It ends after twelve
hours, or when nothing was done in it for as long as its owner's roles allow. When something was done last is known here
at once, and is in the store as often as that needs to be exact to an eighth.
"""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from hashlib import sha256
from typing import Final

import msgspec
from msgspec.structs import replace

from letitride.errors import StoreDown
from letitride.server.runtime.write_batching import Committer
from letitride.storage.roles.documents import Document, DocumentStore

SESSION_MS: Final = 12 * 3600 * 1000
CHECK_SECONDS: Final = 15.0
"""How soon a connection ends whose session expired, or was ended through another server."""
CHECKS_A_CLEANING: Final = 40
KEPT_SHARE: Final = 8
"""What is kept of the last activity is older than the truth by an eighth of the idle time at most."""
MINUTE_MS: Final = 60 * 1000
KIND: Final = "session"


class Session(msgspec.Struct, frozen=True, kw_only=True):
    """Who is signed in until when."""

    id: str
    """What its owner may call it by; no secret."""
    name: str
    began_ms: int
    until_ms: int
    idle_ms: int = 0
    """After how long without activity it ends; 0: it does not."""
    seen_ms: int = 0
    """When something was done in it, as far as that is kept."""
    proven_ms: int = 0
    """When its owner gave the password last, here or at the house's provider."""
    factor_ms: int = 0
    """When its owner gave a second factor last; 0: never in this session."""
    device: str = ""
    """What the browser it began in says to be."""
    address: str = ""
    """Where it began, where the house keeps that."""


@dataclass(slots=True)
class _Activity:
    """When something was done in a session that ends without."""

    seen_ms: int
    kept_ms: int
    idle_ms: int


class Sessions:
    """All sessions, and the connections that end with them."""

    def __init__(self, documents: DocumentStore, committer: Committer, clock_ms: Callable[[], int]) -> None:
        self._documents, self._committer, self._clock_ms = documents, committer, clock_ms
        self._open: dict[str, set[asyncio.Event]] = {}
        self._active: dict[str, _Activity] = {}
        self.ended = 0
        """How many were ended here: other servers of the house look at their own connections when it grows."""

    async def begin(
        self,
        name: str,
        old: str = "",
        *,
        idle_ms: int = 0,
        device: str = "",
        address: str = "",
        proven_ms: int | None = None,
        factor_ms: int = 0,
    ) -> str:
        """Return the token of a new session; the owner's last one is over, so that no one can foist one on them."""
        token, now = secrets.token_urlsafe(32), self._clock_ms()
        session = Session(
            id=secrets.token_hex(8),
            name=name,
            began_ms=now,
            until_ms=now + SESSION_MS,
            idle_ms=idle_ms,
            seen_ms=now,
            proven_ms=now if proven_ms is None else min(proven_ms, now),
            factor_ms=factor_ms,
            device=device,
            address=address,
        )
        body = msgspec.json.encode(session)

        def put() -> None:
            self._documents.put(KIND, hash_of(token), body, 0)
            if old:
                self._forget(hash_of(old))

        await self._committer.run(put)
        self._tell(hash_of(old))
        return token

    def is_open(self, key: str) -> bool:
        """Whether the session of this hash is not over."""
        return self._valid(key) is not None

    def find(self, token: str) -> Session | None:
        """Return a session that is not over."""
        return self._valid(hash_of(token)) if token else None

    def touch(self, key: str) -> None:
        """Note that something is done now in the session of this hash; it reads the store the first time."""
        if key not in self._active and (session := self._valid(key)) is not None and session.idle_ms:
            self._active[key] = _Activity(session.seen_ms, session.seen_ms, session.idle_ms)
        self.touch_known(key)

    def touch_known(self, key: str) -> None:
        """Note that something is done now in a session that was touched before."""
        if (activity := self._active.get(key)) is not None:
            activity.seen_ms = max(activity.seen_ms, self._clock_ms())

    def idle_minutes(self, token: str) -> int:
        """Return after how many minutes without activity a session is over; 0 where that is not why."""
        kept = self._documents.get(KIND, hash_of(token)) if token else None
        session = msgspec.json.decode(kept.body, type=Session) if kept else None
        if session is None or session.until_ms <= self._clock_ms() or not self._is_idle(hash_of(token), session):
            return 0
        return session.idle_ms // MINUTE_MS

    async def prove(self, token: str, *, factor: bool = False) -> None:
        """Note that the owner of a session has given the password now, or the second factor."""
        await self.prove_key(hash_of(token), factor=factor)

    async def prove_key(self, key: str, *, factor: bool = False) -> None:
        """Note that the owner of the session of this hash has proven now who they are."""
        now = self._clock_ms()
        said = {"factor_ms" if factor else "proven_ms": now, "seen_ms": now}
        await self._committer.run(partial(self._change, key, lambda one: replace(one, **said)))

    async def of(self, name: str) -> list[Session]:
        """Return a person's sessions, the oldest first, each with its last activity as far as it is known here."""
        found = await asyncio.to_thread(self._all)
        now = self._clock_ms()
        mine = [
            replace(session, seen_ms=self._seen_ms(kept.id, session))
            for kept, session in found
            if session.name == name and session.until_ms > now and not self._is_idle(kept.id, session)
        ]
        return sorted(mine, key=lambda session: session.began_ms)

    async def end(self, token: str) -> None:
        """End a session."""
        if token:
            await self._end([hash_of(token)])

    async def end_key(self, key: str) -> None:
        """End the session of this hash."""
        await self._end([key])

    async def end_one(self, name: str, session_id: str) -> bool:
        """End one of a person's sessions by its id; whether there was one."""
        found = await asyncio.to_thread(self._all)
        keys = [kept.id for kept, session in found if (session.name, session.id) == (name, session_id)]
        await self._end(keys)
        return bool(keys)

    async def end_all(self, name: str, but: str = "") -> int:
        """End all sessions of a person, except the one of a token, and return how many there were."""
        found = await asyncio.to_thread(self._all)
        keys = [kept.id for kept, session in found if session.name == name and not (but and kept.id == hash_of(but))]
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
                await self.keep_activity()
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

    async def keep_activity(self) -> None:
        """Write down when something was done last, where the store is too far behind."""
        for key, one in list(self._active.items()):
            if one.seen_ms - one.kept_ms >= one.idle_ms // KEPT_SHARE:
                seen = one.seen_ms
                await self._committer.run(partial(self._keep_seen, key, seen))  # one by one: tables write in between
                one.kept_ms = seen

    async def forget_expired(self) -> int:
        """Forget the sessions that have expired, and return how many there were."""
        now = self._clock_ms()
        old = [kept.id for kept, session in await asyncio.to_thread(self._all) if session.until_ms <= now]
        await self._end(old)
        return len(old)

    async def _end(self, keys: list[str]) -> None:
        for key in keys:  # one by one: tables write in between
            await self._committer.run(partial(self._forget, key))
            self._tell(key)

    def _keep_seen(self, key: str, seen_ms: int) -> None:
        self._change(key, lambda one: replace(one, seen_ms=seen_ms))

    def _change(self, key: str, change: Callable[[Session], Session]) -> None:
        """Change a session that is there still, however many others do so; only in the committer's thread."""
        while (kept := self._documents.get(KIND, key)) is not None:
            changed = msgspec.json.encode(change(msgspec.json.decode(kept.body, type=Session)))
            if self._documents.put(KIND, key, changed, kept.version) is not None:
                return

    def _forget(self, key: str) -> None:
        self._active.pop(key, None)
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
        return session if session.until_ms > self._clock_ms() and not self._is_idle(kept.id, session) else None

    def _is_idle(self, key: str, session: Session) -> bool:
        return bool(session.idle_ms) and self._clock_ms() >= self._seen_ms(key, session) + session.idle_ms

    def _seen_ms(self, key: str, session: Session) -> int:
        known = self._active.get(key)
        return max(session.seen_ms, known.seen_ms if known else 0)

    def _all(self) -> list[tuple[Document, Session]]:
        found = self._documents.find(KIND)
        return [(kept, msgspec.json.decode(kept.body, type=Session)) for kept in found]


def hash_of(token: str) -> str:
    """Return what the store keeps of a token."""
    return sha256(token.encode(errors="replace")).hexdigest()
