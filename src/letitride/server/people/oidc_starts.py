"""OIDC starts: sign-ins that began at the house and go on at its provider; each is good once, soon, in one browser.

The browser keeps one secret, of which everything is made that the provider's answer is checked by. The store keeps
hashes alone.
"""

from __future__ import annotations

import hmac
import secrets
from base64 import urlsafe_b64encode
from collections.abc import Callable
from hashlib import sha256
from typing import Final, Literal

import msgspec

from letitride.server.people.sessions import MINUTE_MS, hash_of
from letitride.server.runtime.write_batching import Committer
from letitride.storage.roles.documents import DocumentStore
from letitride.storage.roles.leases import LeaseStore

START_MS: Final = 10 * MINUTE_MS
"""How long a person may take at the provider."""
KIND: Final = "oidc-start"
Purpose = Literal["sign_in", "link", "confirm"]
"""Sign in; let the provider sign this account in from now on; prove who is signed in, for money and roles."""


class Start(msgspec.Struct, frozen=True, kw_only=True):
    """A sign-in that began."""

    browser: str
    """The hash of the browser's secret."""
    purpose: Purpose
    to: str
    """The page of the house that the person comes back to."""
    session: str = ""
    """The hash of the session it began in."""
    person: str = ""
    """Whose that is."""
    began_ms: int
    until_ms: int


class Secrets(msgspec.Struct, frozen=True):
    """What is made of a browser's secret."""

    nonce: str
    verifier: str

    @property
    def challenge(self) -> str:
        """What the provider is told first of the verifier, which it is shown in the end (RFC 7636, S256)."""
        return _in_letters(sha256(self.verifier.encode()).digest())


def secrets_of(browser: str) -> Secrets:
    """Return what is made of a browser's secret."""
    return Secrets(*(_in_letters(hmac.digest(browser.encode(), what, "sha256")) for what in (b"nonce", b"verifier")))


class OidcStarts:
    """All sign-ins of the house that go on at its provider; the store's clock says when they end."""

    def __init__(
        self, documents: DocumentStore, leases: LeaseStore, committer: Committer, clock_ms: Callable[[], int]
    ) -> None:
        self._documents, self._leases = documents, leases
        self._committer, self._clock_ms = committer, clock_ms

    async def begin(self, purpose: Purpose, to: str, *, session: str = "", person: str = "") -> tuple[str, str]:
        """Return the state of a new sign-in, which goes to the provider and back, and the secret of its browser."""
        state, browser = secrets.token_urlsafe(32), secrets.token_urlsafe(32)

        def put() -> None:
            now = self._leases.now_ms(self._clock_ms())
            start = Start(
                browser=hash_of(browser),
                purpose=purpose,
                to=to,
                session=session,
                person=person,
                began_ms=now,
                until_ms=now + START_MS,
            )
            self._documents.put(KIND, hash_of(state), msgspec.json.encode(start), 0)

        await self._committer.run(put)
        return state, browser

    async def use(self, state: str, browser: str) -> Start | None:
        """Return a sign-in and end it; nothing if it is over, or began in another browser."""
        key = hash_of(state)

        def take() -> Start | None:
            kept = self._documents.get(KIND, key)
            if kept is None:
                return None
            start = msgspec.json.decode(kept.body, type=Start)
            if not hmac.compare_digest(start.browser, hash_of(browser)):
                return None  # who only knows the state takes nothing from its owner
            if not self._documents.delete(KIND, key, kept.version):
                return None  # of two who come with it at the same time, one has it
            return start if self._leases.now_ms(self._clock_ms()) < start.until_ms else None

        return await self._committer.run(take)

    async def tidy(self) -> None:
        """Forget the sign-ins that no one came back from."""

        def forget() -> None:
            now = self._leases.now_ms(self._clock_ms())
            for kept in self._documents.find(KIND):
                if msgspec.json.decode(kept.body, type=Start).until_ms <= now:
                    self._documents.delete(KIND, kept.id, kept.version)

        await self._committer.run(forget)


def _in_letters(digest: bytes) -> str:
    return urlsafe_b64encode(digest).rstrip(b"=").decode()
