"""OIDC: a sign-in at the house's provider, from the button to the session; it keeps nothing and sees no password."""

from __future__ import annotations

import asyncio
import logging
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Final, Literal
from urllib.parse import urlencode, urlsplit

import msgspec

from letitride.errors import InvalidData, escaped
from letitride.server.net.oidc_provider import CodeRefused, Description, Provider, ProviderDown, is_safe
from letitride.server.ops.settings import Settings
from letitride.server.people.accounts import Origin, Person
from letitride.server.people.id_tokens import BadToken, Expected, IdToken, UnknownKey, read
from letitride.server.people.names import key_of
from letitride.server.people.oidc_accounts import NotAdmitted, OidcAccounts, Refused
from letitride.server.people.oidc_starts import OidcStarts, Purpose, Start, secrets_of
from letitride.server.people.sessions import hash_of
from letitride.server.people.sign_in_record import STRANGER
from letitride.server.runtime.requests import NotNow
from letitride.server.tables.house import House

log = logging.getLogger(__name__)
CALLBACK: Final = "/api/oidc/callback"
SHOWN_MAX: Final = 80
FRESH_S: Final = 60
"""How long before a confirmation began the provider may have asked for the password."""
Ending = (
    Literal[
        "signed_in",
        "factor_wanted",
        "linked",
        "confirmed",
        "canceled",
        "again",
        "not_believed",
        "provider_down",
        "other_person",
    ]
    | Refused
)
"""How a sign-in ended, for the page to word."""


class Ended(msgspec.Struct, frozen=True, kw_only=True):
    """A sign-in that came back."""

    how: Ending
    to: str = "/"
    token: str = ""
    """Of a new session."""
    pending: str = ""
    """Of a sign-in that waits for the second factor of the account."""


class _NotConfirmed(Exception):
    """Why a sign-in fails."""

    def __init__(self, how: Ending, why: str) -> None:
        super().__init__(why)
        self.how = how


class Oidc:
    """The provider of a house, and the sign-ins there."""

    def __init__(self, house: House, settings: Settings, secret: str, accounts: OidcAccounts) -> None:
        self._house, self._accounts = house, accounts
        self.name = settings.oidc_name or urlsplit(settings.oidc_issuer).hostname or settings.oidc_issuer
        """What the page calls the provider."""
        self._client_id, self._scopes = settings.oidc_client_id, settings.oidc_scopes
        self._roles_claim = settings.oidc_roles_claim
        self._provider = Provider(settings.oidc_issuer, settings.oidc_client_id, secret)
        stores, committer = house.stores, house.committer
        clock = lambda: house.clock_ms()  # noqa: E731, PLW0108 - clocks may be set
        self.starts = OidcStarts(stores.documents, stores.leases, committer, clock)
        accounts.roles, accounts.new_accounts = settings.oidc_roles, settings.oidc_new_accounts

    @property
    def redirect_uri(self) -> str:
        """Where the provider sends people back to: one address, whatever a browser says that the house is called."""
        return self._house.nodes.address + CALLBACK

    async def begin(self, purpose: Purpose, to: str, token: str, person: Person | None) -> tuple[str, str]:
        """Return the address at the provider where a sign-in goes on, and the secret that the browser keeps for it."""
        try:
            known = await self._provider.description(anew=True)  # or the browser would go to a page that is not there
        except ProviderDown as error:
            log.warning("sign-in provider: %s", error)
            raise NotNow(
                f"expected an answer of {self.name}, got none: try again, or sign in with a password",
                code="provider_down",
                name=self.name,
            ) from None
        session = hash_of(token) if token else ""
        state, browser = await self.starts.begin(purpose, to, session=session, person=person.name if person else "")
        return _with_query(known.authorization_endpoint, self._question(purpose, state, browser)), browser

    def _question(self, purpose: Purpose, state: str, browser: str) -> dict[str, str]:
        made = secrets_of(browser)
        fresh = {"prompt": "login", "max_age": "0"} if purpose == "confirm" else {}
        return {
            "response_type": "code",
            "client_id": self._client_id,
            "redirect_uri": self.redirect_uri,
            "scope": " ".join(dict.fromkeys(("openid", *self._scopes))),
            "state": state,
            "nonce": made.nonce,
            "code_challenge": made.challenge,
            "code_challenge_method": "S256",
            **fresh,
        }

    async def finish(self, answer: Mapping[str, str], browser: str, origin: Origin) -> Ended:
        """Return how a sign-in ended that comes back from the provider; what fails is on record."""
        start = await self.starts.use(answer.get("state", ""), browser)
        if start is None:
            return await self._failed("again", "the sign-in had expired, or began in another browser", "/", origin)
        subject = ""
        try:
            token = await self._token(answer, browser)
            subject = token.subject
            return await self._admitted(start, token, origin)
        except _NotConfirmed as error:
            return await self._failed(error.how, str(error), start.to, origin, subject)
        except NotAdmitted as error:
            return await self._failed(error.why, str(error), start.to, origin, subject)

    async def _token(self, answer: Mapping[str, str], browser: str) -> IdToken:
        """Return what the provider says of the person, checked against what was asked."""
        made = secrets_of(browser)
        try:
            known = await self._provider.description()
            self._check_issuer(known, answer)
            if "code" not in answer:
                refused = answer.get("error", "")[:40]
                how: Ending = "canceled" if refused == "access_denied" else "not_believed"
                raise _NotConfirmed(how, f"expected a code of the provider, got {refused or 'none'}")
            text = await self._provider.token(answer["code"], made.verifier, self.redirect_uri)
            expected = Expected(
                issuer=known.issuer, client_id=self._client_id, nonce=made.nonce, roles_claim=self._roles_claim
            )
            now_s = self._house.clock_ms() // 1000
            try:
                return read(text, await self._provider.keys(), expected, now_s)
            except UnknownKey:  # the provider changes its keys now and then
                return read(text, await self._provider.keys(anew=True), expected, now_s)
        except ProviderDown as error:
            raise _NotConfirmed("provider_down", str(error)) from None
        except (BadToken, CodeRefused) as error:
            raise _NotConfirmed("not_believed", str(error)) from None

    @staticmethod
    def _check_issuer(known: Description, answer: Mapping[str, str]) -> None:
        """Refuse the answer of another provider (RFC 9207), whose code is not for this one's eyes."""
        said = answer.get("iss", "" if known.authorization_response_iss_parameter_supported else known.issuer)
        if said != known.issuer:
            raise _NotConfirmed("not_believed", f"expected an answer of {known.issuer}, got one of {said[:200]!r}")

    async def _admitted(self, start: Start, token: IdToken, origin: Origin) -> Ended:
        people = self._house.people
        if start.purpose != "sign_in":
            person = await asyncio.to_thread(self._still_there, start)
            if start.purpose == "link":
                await self._accounts.link(token, person)
                await people.note_sign_in(person, f"link to {self.name}", origin, always=True)
                return Ended(how="linked", to=start.to)
            return await self._confirmed(start, token, person)
        person = await self._accounts.admit(token)
        if (await asyncio.to_thread(people.factors.of, person.name)).is_set:
            await people.note_sign_in(person, f"sign-in at {self.name}, second factor asked for", origin)
            pending = await people.pending.begin(person.name, person.password)
            return Ended(how="factor_wanted", to=start.to, pending=pending)
        await people.note_sign_in(person, f"sign-in at {self.name}", origin)
        session = await people.begin_session(person, origin=origin, proven_ms=token.proven_s * 1000)
        if start.session:
            await people.sessions.end_key(start.session)
        return Ended(how="signed_in", to=start.to, token=session)

    async def _confirmed(self, start: Start, token: IdToken, person: Person) -> Ended:
        """Take a person's word for who they are, if the provider asked for it just now."""
        known = await asyncio.to_thread(self._accounts.find, token)
        if known is None or known.name != person.name:
            raise _NotConfirmed("other_person", f"expected {person.name}, got another person")
        if token.proven_s < start.began_ms // 1000 - FRESH_S:
            raise _NotConfirmed(
                "not_believed", "expected a provider that asked for the password now, got an old answer"
            )
        await self._house.people.sessions.prove_key(start.session)
        return Ended(how="confirmed", to=start.to)

    def _still_there(self, start: Start) -> Person:
        """Return who began a sign-in, if they are signed in still."""
        people = self._house.people
        person = people.person(key_of(start.person)) if people.sessions.is_open(start.session) else None
        if person is None or person.disabled:
            raise _NotConfirmed("again", "expected a person who is signed in, got a session that is over")
        return person

    async def _failed(self, how: Ending, why: str, to: str, origin: Origin, subject: str = "") -> Ended:
        log.info("a sign-in at %s failed: %s", self.name, why)
        whose = f" (subject {escaped(subject)[:SHOWN_MAX]})" if subject else ""
        what = f"failed sign-in at {self.name}: {how.replace('_', ' ')}{whose}"
        await self._house.people.record.add("failed sign-in", STRANGER, what, origin.address, origin.browser)
        return Ended(how=how, to=to)


def accounts_of(house: House) -> OidcAccounts:
    """Return the accounts that are linked to a provider, whether the house has one now or had one."""
    clock = lambda: house.clock_ms()  # noqa: E731, PLW0108 - clocks may be set
    return OidcAccounts(house.people, house.stores.documents, house.stores.audit, house.committer, clock)


def oidc_of(house: House, settings: Settings, accounts: OidcAccounts) -> Oidc | None:
    """Return the provider of a house as its settings name it, or say in a sentence what is missing."""
    if not settings.oidc_issuer:
        return None
    if not settings.oidc_client_id:
        raise InvalidData("expected oidc_client_id, the house's name at its sign-in provider, got none")
    if not is_safe(settings.oidc_issuer):
        raise InvalidData(f"expected an https address for oidc_issuer, got {settings.oidc_issuer!r}")
    if not is_safe(house.nodes.address):
        raise InvalidData(
            "expected the address at which people reach this house by https, as its sign-in provider knows it, got"
            f" address = {house.nodes.address!r}"
        )
    return Oidc(house, settings, _secret(settings), accounts)


def _secret(settings: Settings) -> str:
    """Return the house's password at the provider; a house that has none proves itself by PKCE alone."""
    if not settings.oidc_client_secret_file:
        return settings.oidc_client_secret
    try:
        return Path(settings.oidc_client_secret_file).read_text(encoding="utf-8").strip()
    except (OSError, UnicodeDecodeError) as error:
        said = os.strerror(error.errno) if isinstance(error, OSError) and error.errno else "not a text"
        raise InvalidData(
            f"expected the file of oidc_client_secret_file, got '{settings.oidc_client_secret_file}': {said}"
        ) from None


def _with_query(address: str, values: dict[str, str]) -> str:
    return f"{address}{'&' if '?' in address else '?'}{urlencode(values)}"
