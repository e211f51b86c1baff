"""OIDC provider: the house's sign-in provider over the network: its description, its keys, a code changed for a token.

It judges no token, and knows no person.
"""

from __future__ import annotations

import asyncio
import logging
import time
from typing import Final, TypeVar
from urllib.parse import quote, urlsplit

import httpx2
import msgspec
from joserfc.errors import JoseError
from joserfc.jwk import KeySet

from letitride.errors import LetItRideError
from letitride.server.runtime.machines import is_loopback

log = logging.getLogger(__name__)
WELL_KNOWN: Final = "/.well-known/openid-configuration"
KEPT_SECONDS: Final = 3_600.0
"""How long a provider's description and keys are taken for its own."""
KEYS_AGAIN_SECONDS: Final = 30.0
"""How soon its keys are asked for again where a token is signed with one that is not known."""
ANSWER_SECONDS: Final = 8.0
ANSWER_MAX: Final = 512 * 1024
Answer = TypeVar("Answer")


class ProviderDown(LetItRideError):
    """A provider that does not answer, or not as one does."""


class CodeRefused(LetItRideError):
    """A provider that gives no token for a code."""


class Description(msgspec.Struct, frozen=True):
    """What a provider says of itself."""

    issuer: str
    authorization_endpoint: str
    token_endpoint: str
    jwks_uri: str
    token_endpoint_auth_methods_supported: tuple[str, ...] = ("client_secret_basic",)
    authorization_response_iss_parameter_supported: bool = False


class _Tokens(msgspec.Struct, frozen=True):
    id_token: str


class _No(msgspec.Struct, frozen=True):
    error: str = ""


class _Keys(msgspec.Struct, frozen=True):
    keys: tuple[dict[str, object], ...]


class Provider:
    """What this server knows of the provider, and asks it."""

    def __init__(self, issuer: str, client_id: str, secret: str) -> None:
        self.issuer, self._client_id, self._secret = issuer, client_id, secret
        self._asking = asyncio.Lock()
        self._known: tuple[Description, float] | None = None
        self._keys: tuple[KeySet, float] | None = None

    async def description(self, *, anew: bool = False) -> Description:
        """Return what the provider says of itself, asked for once an hour; anew, it shows that it is there."""
        async with self._asking:
            now = time.monotonic()
            if anew or self._known is None or now - self._known[1] > KEPT_SECONDS:
                found = await self._get(self.issuer.rstrip("/") + WELL_KNOWN, Description)
                if found.issuer != self.issuer:
                    raise ProviderDown(f"expected the provider {self.issuer}, got one that calls itself {found.issuer}")
                for address in (found.authorization_endpoint, found.token_endpoint, found.jwks_uri):
                    if not is_safe(address):
                        raise ProviderDown(f"expected an address of the provider by https, got {address}")
                self._known = found, now
            return self._known[0]

    async def keys(self, *, anew: bool = False) -> KeySet:
        """Return the keys that the provider signs with; asked for anew where one of them is not known here."""
        where = (await self.description()).jwks_uri
        async with self._asking:
            now = time.monotonic()
            most = KEYS_AGAIN_SECONDS if anew else KEPT_SECONDS
            if self._keys is None or now - self._keys[1] > most:
                self._keys = _key_set(await self._ask("GET", where)), now
            return self._keys[0]

    async def token(self, code: str, verifier: str, redirect_uri: str) -> str:
        """Return the ID token that the provider gives for a code."""
        known = await self.description()
        form = {
            "grant_type": "authorization_code",
            "code": code,
            "redirect_uri": redirect_uri,
            "client_id": self._client_id,
            "code_verifier": verifier,
        }
        # As RFC 6749 wants it: both parts are quoted before they are joined.
        account = httpx2.BasicAuth(quote(self._client_id, safe=""), quote(self._secret, safe=""))
        by_form = "client_secret_basic" not in known.token_endpoint_auth_methods_supported
        if self._secret and by_form:
            form["client_secret"] = self._secret
        auth = account if self._secret and not by_form else None
        return _read(await self._ask("POST", known.token_endpoint, form, auth), _Tokens).id_token

    async def _get(self, address: str, kind: type[Answer]) -> Answer:
        return _read(await self._ask("GET", address), kind)

    async def _ask(
        self, method: str, address: str, form: dict[str, str] | None = None, auth: httpx2.BasicAuth | None = None
    ) -> bytes:
        """Return what the provider answers; it is not followed elsewhere, and not listened to for long."""
        try:
            async with (
                asyncio.timeout(ANSWER_SECONDS),
                httpx2.AsyncClient(timeout=ANSWER_SECONDS, headers={"Accept": "application/json"}) as client,
                client.stream(method, address, data=form, auth=auth) as answer,
            ):
                body = bytearray()
                async for piece in answer.aiter_bytes():
                    body += piece
                    if len(body) > ANSWER_MAX:
                        raise ProviderDown(f"expected a short answer of {address}, got more than {ANSWER_MAX:,} bytes")
        except (httpx2.HTTPError, httpx2.InvalidURL, OSError, TimeoutError) as error:
            raise ProviderDown(f"expected an answer of {address}, got none: {error!r}") from None
        if answer.status_code == httpx2.codes.OK:
            return bytes(body)
        if form is not None and answer.is_client_error:
            raise CodeRefused(f"expected a token of {address}, got {answer.status_code} {_error_of(bytes(body))}")
        raise ProviderDown(f"expected an answer of {address}, got status {answer.status_code}")


def is_safe(address: str) -> bool:
    """Whether no one can listen to what is said to an address: it is asked by https, or is this machine's own."""
    try:
        parts = urlsplit(address)
    except ValueError:
        return False
    host = parts.hostname or ""
    return bool(host) and (parts.scheme == "https" or (parts.scheme == "http" and is_loopback(host)))


def _key_set(body: bytes) -> KeySet:
    """Return the keys for signatures; those for other ends, and secrets, which no one should publish, are left out."""
    kept = [
        one
        for one in _read(body, _Keys).keys
        if one.get("kty") in {"RSA", "EC", "OKP"} and one.get("use", "sig") == "sig"
    ]
    try:
        return KeySet.import_key_set({"keys": kept})  # type: ignore[typeddict-item]  # it reads them itself
    except (JoseError, ValueError, TypeError) as error:
        raise ProviderDown(f"expected the provider's keys, got something else: {error}") from None


def _read(body: bytes, kind: type[Answer]) -> Answer:
    try:
        return msgspec.json.decode(body, type=kind)
    except (msgspec.MsgspecError, UnicodeDecodeError) as error:
        raise ProviderDown(f"expected an answer as OpenID Connect describes it, got another: {error}") from None


def _error_of(body: bytes) -> str:
    """Return the code of a refusal, such as 'invalid_grant'."""
    try:
        return msgspec.json.decode(body, type=_No).error[:40]
    except (msgspec.MsgspecError, UnicodeDecodeError):
        return ""
