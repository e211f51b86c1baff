"""OIDC: signing in at the house's provider, as a browser sees it: there with a question, back with an answer."""

from __future__ import annotations

import asyncio
from functools import partial
from typing import Annotated, Final, cast
from urllib.parse import urlencode

from fastapi import APIRouter, Depends, HTTPException, Request, Response
from fastapi.responses import RedirectResponse
from pydantic import BaseModel, ConfigDict, Field

from letitride.server.net.access import (
    ANYWHERE,
    CurrentPerson,
    ProvenAccount,
    ProvenAdministrator,
    TheHouse,
    check_rate,
    current_person,
    entered_person,
    is_secure,
    name_of_cookie,
    origin_of,
    proven,
    refusals,
    set_cookie,
    set_pending_cookie,
    set_session_cookies,
    set_session_hint,
    token_of,
)
from letitride.server.net.lines import Reason
from letitride.server.ops.oidc import CALLBACK, Oidc
from letitride.server.people.oidc_accounts import OidcAccounts
from letitride.server.people.oidc_starts import START_MS, Purpose
from letitride.server.people.passkey_sign_in import PasskeySignIn
from letitride.server.runtime.requests import NotNow

router = APIRouter(prefix="/api", tags=["people"], responses=ANYWHERE)
STARTED: Final = "letitride_oidc"
"""The cookie that ties a sign-in to its browser; it comes along when the provider sends the browser back."""
ENDED: Final = "sign_in"
"""In the address that a browser is sent to in the end: how the sign-in ended, for the page to say."""


class Ways(BaseModel):
    """How people sign in here."""

    provider: str | None
    """What the house's provider is called, where it has one."""
    staff_passwords: bool
    """Whether those with a role sign in with a password."""
    passkeys: bool
    """Whether browsers have passkeys at the address of the house."""


class NewStart(BaseModel):
    """What a sign-in at the provider is for, and where the browser goes after it."""

    model_config = ConfigDict(extra="forbid")

    purpose: Purpose = Field(
        "sign_in",
        description="link: let the provider sign this account in from now on; confirm: prove who you are, as moving"
        " money and giving roles require.",
    )
    to: str = Field("/", max_length=200, pattern=r"^/([A-Za-z0-9_~-][A-Za-z0-9_.~/-]*)?$")


class Started(BaseModel):
    """Where the sign-in goes on."""

    address: str
    """At the provider."""


class OwnLink(BaseModel):
    """How you sign in to your account."""

    linked: bool
    """Whether the house's provider signs you in."""
    password: bool
    """Whether the account has a password."""


def accounts(request: Request) -> OidcAccounts:
    """Return the accounts that are linked to a provider."""
    return cast("OidcAccounts", request.app.state.oidc_accounts)


def provider_of(request: Request) -> Oidc:
    """Return the provider of the house, or say that it has none."""
    found: Oidc | None = request.app.state.oidc
    if found is None:
        raise HTTPException(404, "expected a house with a sign-in provider, got one without: sign in with a password")
    return found


TheProvider = Annotated[Oidc, Depends(provider_of)]


@router.get("/sign-in")
async def ways(house: TheHouse, request: Request) -> Ways:
    """How people sign in here: with a password, and at the house's provider where it has one."""
    found: Oidc | None = request.app.state.oidc
    passkeys: PasskeySignIn = request.app.state.passkeys
    return Ways(
        provider=found.name if found else None,
        staff_passwords=house.people.staff_passwords,
        passkeys=passkeys.works_here,
    )


@router.get("/me/oidc", responses=refusals(401))
async def my_link(request: Request, person: CurrentPerson) -> OwnLink:
    """Whether the house's provider signs you in to this account, and whether it has a password, too."""
    linked = await asyncio.to_thread(accounts(request).is_linked, person)
    return OwnLink(linked=linked, password=bool(person.password))


@router.delete("/me/oidc", status_code=204, responses=refusals(401, 409, 422))
async def unlink(house: TheHouse, request: Request, person: ProvenAccount) -> None:
    """Let the house's provider no longer sign you in to this account; your other sessions end."""
    if not person.password:
        raise NotNow("expected an account with a password, got one that has no other way in", code="only_way_in")
    await house.people.note_sign_in(person, "unlink from the provider", origin_of(request), always=True)
    await accounts(request).unlink(person)
    await house.people.sessions.end_all(person.name, but=token_of(request))


@router.delete("/people/{name}/oidc", status_code=204, responses=refusals(401, 403, 404, 422))
async def unlink_person(
    house: TheHouse,
    request: Request,
    boss: ProvenAdministrator,
    name: str,
    why: Reason = "",
) -> None:
    """Let the house's provider no longer sign a person in to their account; their sessions end."""
    person = await asyncio.to_thread(house.people.find, name)
    note = partial(house.stores.audit.add, house.clock_ms(), boss.name, f"unlink {person.name}", why)
    await house.committer.run(note)
    await accounts(request).unlink(person)
    await house.people.sessions.end_all(person.name)


@router.post("/oidc/start", responses=refusals(401, 404, 409, 422))
async def start(oidc: TheProvider, request: Request, response: Response, wanted: NewStart) -> Started:
    """Begin a sign-in at the house's provider: the browser goes on at the address in the answer."""
    check_rate(request, "logins_from")
    person = None
    match wanted.purpose:
        case "link":
            person = await proven(request, await asyncio.to_thread(current_person, request))
        case "confirm":  # also where the house waits for a second factor, which is set up after it
            person = await asyncio.to_thread(entered_person, request)
    if person is not None and person.guest:
        raise HTTPException(401, "expected a person with an account, got a guest: create an account first")
    address, browser = await oidc.begin(wanted.purpose, wanted.to, token_of(request), person)
    set_cookie(request, response, STARTED, browser, START_MS // 1000, samesite="lax")
    return Started(address=address)


@router.get(CALLBACK.removeprefix("/api"), status_code=303, response_class=RedirectResponse, responses=refusals(404))
async def callback(oidc: TheProvider, request: Request) -> Response:
    """Where the provider sends the browser back to: sign in, and go on to the page it began from."""
    check_rate(request, "logins_from")
    named = name_of_cookie(request, STARTED)
    ended = await oidc.finish(dict(request.query_params), request.cookies.get(named, ""), origin_of(request))
    # To a page of our own, whatever came along: `to` was checked when the sign-in began, and kept here.
    response = RedirectResponse(f"{ended.to}?{urlencode({ENDED: ended.how})}", 303)
    if ended.how != "again":  # a link that someone made up ends no sign-in
        response.delete_cookie(named, httponly=True, samesite="lax", secure=is_secure(request))
    if ended.pending:
        set_pending_cookie(request, response, ended.pending)
    if ended.token:
        set_session_cookies(request, response, ended.token)
        set_session_hint(request, response, ended.token)
    return response
