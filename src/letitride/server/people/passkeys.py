"""Passkeys: WebAuthn credentials of accounts, registered, asked for and checked; knows neither passwords nor sessions.

They are bound to the name by which people reach the house, so that a page that only looks like it gets nothing.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from ipaddress import ip_address
from typing import Final, NamedTuple
from urllib.parse import urlsplit

import msgspec
from msgspec.structs import replace
from webauthn import (
    base64url_to_bytes,
    generate_authentication_options,
    generate_registration_options,
    options_to_json,
    verify_authentication_response,
    verify_registration_response,
)
from webauthn.helpers import bytes_to_base64url, parse_authentication_credential_json
from webauthn.helpers.exceptions import WebAuthnException
from webauthn.helpers.structs import (
    AuthenticatorSelectionCriteria,
    PublicKeyCredentialDescriptor,
    ResidentKeyRequirement,
    UserVerificationRequirement,
)

from letitride.errors import InvalidData
from letitride.server.people.factor_records import OWNERS, FactorNeeded, FactorRecord, Passkey, WrongPasskey, owner_id
from letitride.server.people.names import key_of
from letitride.server.people.passkey_challenges import PasskeyChallenges
from letitride.server.people.recovery_codes import hash_of_code, new_codes
from letitride.server.people.second_factors import SecondFactors, without_codes
from letitride.server.runtime.requests import NotNow
from letitride.server.runtime.write_batching import Committer
from letitride.storage.roles.documents import DocumentStore
from letitride.storage.vault import Vault

PASSKEYS_MAX: Final = 10
NOT_HERE: Final = "no_passkeys_here"
_UNREADABLE: Final = (WebAuthnException, ValueError, KeyError, TypeError)
"""What the library raises for what is no answer of a passkey."""


class Site(NamedTuple):
    """By which name people reach the house, as passkeys are bound to it."""

    rp_id: str
    origin: str


class Used(NamedTuple):
    """A passkey that was right."""

    person: str
    """The key of whose it is."""
    name: str
    verified: bool
    """Whether the device made sure who holds it, by a finger, a face or a PIN."""


def site_of(address: str) -> Site:
    """Return by which name people reach the house, or say why passkeys cannot be bound to it."""
    parts = urlsplit(address)
    host = parts.hostname or ""
    try:
        ip_address(host)
    except ValueError:
        named = bool(host)
    else:
        named = False
    if not named:
        raise NotNow(
            f"expected a house that people reach by a name, such as https://cards.example, got '{address}': passkeys"
            " are bound to a name, so set `address`",
            code=NOT_HERE,
        )
    if parts.scheme != "https" and host != "localhost":
        raise NotNow(
            f"expected a house that people reach over https, got '{address}': browsers allow passkeys only there",
            code=NOT_HERE,
        )
    return Site(host, f"{parts.scheme}://{parts.netloc}")


class Passkeys:
    """The passkeys of everybody the house knows."""

    def __init__(
        self,
        factors: SecondFactors,
        documents: DocumentStore,
        committer: Committer,
        clock_ms: Callable[[], int],
        *,
        vault: Vault,
        address: Callable[[], str],
    ) -> None:
        self._factors, self._documents = factors, documents
        self._committer, self._clock_ms = committer, clock_ms
        self._vault, self._address = vault, address
        self.challenges = PasskeyChallenges(documents, committer, clock_ms)

    @property
    def works_here(self) -> bool:
        """Whether browsers have passkeys at the name by which people reach the house."""
        try:
            site_of(self._address())
        except NotNow:
            return False
        return True

    async def ask_new(self, name: str, token: str) -> str:
        """Return what a browser asks a device for a new passkey with, as JSON."""
        site, known = site_of(self._address()), await asyncio.to_thread(self._factors.of, name)
        options = generate_registration_options(
            rp_id=site.rp_id,
            rp_name="letitride",
            user_name=name,
            user_id=self._vault.derive(f"passkeys of {key_of(name)}"),
            challenge=await self.challenges.begin(token),
            authenticator_selection=AuthenticatorSelectionCriteria(
                resident_key=ResidentKeyRequirement.PREFERRED, user_verification=UserVerificationRequirement.PREFERRED
            ),
            exclude_credentials=_descriptors(known),
        )
        return options_to_json(options)

    async def add(self, name: str, called: str, answer: str, token: str) -> list[str]:
        """Keep a new passkey under a name for its owner; return recovery codes, where there was no factor before."""
        site, challenge = site_of(self._address()), await self._challenge(token)
        try:
            made = verify_registration_response(
                credential=answer,
                expected_challenge=challenge,
                expected_rp_id=site.rp_id,
                expected_origin=site.origin,
            )
        except _UNREADABLE:
            raise _wrong() from None
        passkey = Passkey(
            id=bytes_to_base64url(made.credential_id),
            name=called,
            key=made.credential_public_key.hex(),
            count=made.sign_count,
            added_ms=self._clock_ms(),
        )
        codes = new_codes()

        def added(one: FactorRecord) -> FactorRecord:
            if len(one.passkeys) >= PASSKEYS_MAX:
                raise NotNow(
                    f"expected at most {PASSKEYS_MAX} passkeys, got one more: remove one first", code="passkeys_many"
                )
            hashes = one.recovery or tuple(map(hash_of_code, codes))
            return replace(one, passkeys=(*one.passkeys, passkey), recovery=hashes)

        owner = msgspec.json.encode(key_of(name))
        if await self._committer.run(lambda: self._documents.put(OWNERS, owner_id(passkey.id), owner, 0)) is None:
            raise NotNow("expected a passkey that no account has, got one that an account has", code="passkey_known")
        after = await self._factors.change(name, added)
        return codes if hash_of_code(codes[0]) in after.recovery else []

    async def ask(self, token: str, name: str = "") -> str:
        """Return what a browser asks a device with, as JSON: for a passkey of a person, or for any that says whose."""
        site = site_of(self._address())
        known = await asyncio.to_thread(self._factors.of, name) if name else FactorRecord()
        if name and not known.passkeys:
            raise NotNow("expected an account with a passkey, got one without", code="no_passkey")
        verify = UserVerificationRequirement.PREFERRED if name else UserVerificationRequirement.REQUIRED
        options = generate_authentication_options(
            rp_id=site.rp_id,
            challenge=await self.challenges.begin(token),
            allow_credentials=_descriptors(known),
            user_verification=verify,
        )
        return options_to_json(options)

    async def check(self, token: str, answer: str, name: str = "") -> Used:
        """Return whose passkey answered, or refuse; without a name its device has to verify who holds it."""
        site, challenge = site_of(self._address()), await self._challenge(token)
        try:
            said = parse_authentication_credential_json(answer)
        except _UNREADABLE:
            raise _wrong() from None
        owner = await asyncio.to_thread(self._owner, said.id)
        if not owner or (name and owner != key_of(name)):
            raise _wrong()
        used: list[Used] = []

        def checked(one: FactorRecord) -> FactorRecord:
            passkey = next((each for each in one.passkeys if each.id == said.id), None)
            if passkey is None:
                raise _wrong()
            try:
                found = verify_authentication_response(
                    credential=said,
                    expected_challenge=challenge,
                    expected_rp_id=site.rp_id,
                    expected_origin=site.origin,
                    credential_public_key=bytes.fromhex(passkey.key),
                    credential_current_sign_count=passkey.count,
                    require_user_verification=not name,
                )
            except _UNREADABLE:
                raise _wrong() from None
            used[:] = [Used(owner, passkey.name, found.user_verified)]
            after = replace(passkey, count=found.new_sign_count, used_ms=self._clock_ms())
            return replace(one, passkeys=tuple(after if each is passkey else each for each in one.passkeys))

        await self._factors.change(owner, checked)
        return used[0]

    async def remove(self, name: str, passkey_id: str, *, last: bool) -> str:
        """Forget a passkey, and return what it was called; where it is not to be the `last` factor, it stays."""
        called: list[str] = []

        def removed(one: FactorRecord) -> FactorRecord:
            gone = next((each for each in one.passkeys if each.id == passkey_id), None)
            if gone is None:
                raise NotNow("expected a passkey of yours, got another", code="no_passkey")
            after = replace(one, passkeys=tuple(each for each in one.passkeys if each is not gone))
            if not (last or after.is_set):
                raise FactorNeeded
            called[:] = [gone.name]
            return without_codes(after)

        await self._factors.change(name, removed)
        await self._committer.run(lambda: self._forget(passkey_id))
        return called[0]

    async def _challenge(self, token: str) -> bytes:
        challenge = await self.challenges.use(token)
        if challenge is None:
            raise NotNow(
                "expected the answer to a recent request for a passkey, got one that came too late: try again",
                code="passkey_late",
            )
        return challenge

    def _owner(self, passkey_id: str) -> str:
        kept = self._documents.get(OWNERS, owner_id(passkey_id))
        return msgspec.json.decode(kept.body, type=str) if kept is not None else ""

    def _forget(self, passkey_id: str) -> None:
        kept = self._documents.get(OWNERS, owner_id(passkey_id))
        if kept is not None:
            self._documents.delete(OWNERS, kept.id, kept.version)


def _descriptors(known: FactorRecord) -> list[PublicKeyCredentialDescriptor]:
    return [PublicKeyCredentialDescriptor(id=base64url_to_bytes(one.id)) for one in known.passkeys]


def _wrong() -> InvalidData:
    return WrongPasskey("expected a passkey known to this house, got another")
