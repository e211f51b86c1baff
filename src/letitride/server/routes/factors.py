"""Factors: the second factor of an account: set up, given at a sign-in and again, taken away by its owner."""

from __future__ import annotations

import asyncio
from typing import Annotated, cast
from urllib.parse import urlsplit

from fastapi import APIRouter, Depends, Request, Response
from pydantic import BaseModel, ConfigDict, Field

from letitride.server.net.access import (
    ANYWHERE,
    EnteredPerson,
    PendingToken,
    ProvenAccount,
    ProvenAdministrator,
    TheHouse,
    Token,
    check_other,
    check_rate,
    clear_pending_cookie,
    origin_of,
    refusals,
    remember_device,
    set_session_cookies,
    token_of,
)
from letitride.server.net.forwarding import by_one_worker
from letitride.server.net.lines import Reason
from letitride.server.people.factor_sign_in import FactorSignIn
from letitride.server.people.names import key_of
from letitride.server.people.second_factors import AppDraft
from letitride.server.routes.accounts import Known, known


def factor_sign_in(request: Request) -> FactorSignIn:
    """Return what people do with their second factors here."""
    return cast("FactorSignIn", request.app.state.factors)


TheFactors = Annotated[FactorSignIn, Depends(factor_sign_in)]
router = APIRouter(prefix="/api", tags=["people"], responses=ANYWHERE)


class Code(BaseModel):
    """The code that an authenticator app shows, or a recovery code."""

    model_config = ConfigDict(extra="forbid")

    code: str = Field(min_length=1, max_length=64)


class PasskeyShown(BaseModel):
    """A passkey of yours."""

    id: str
    name: str
    added_ms: int
    used_ms: int = Field(description="When it was used last; 0: never since it was added.")


class Factors(BaseModel):
    """What an account asks for besides its password."""

    app_since_ms: int | None = Field(description="Since when there is an authenticator app; null where there is none.")
    recovery_codes: int = Field(description="How many recovery codes are left.")
    passkeys: list[PasskeyShown]
    needed: bool = Field(description="Whether this house wants one of your role.")


class RecoveryCodes(BaseModel):
    """Recovery codes, shown this once; each signs its owner in once in place of the second factor."""

    codes: list[str]


@router.post("/login/code", responses=refusals(409))
async def log_in_by_code(
    second: TheFactors, request: Request, response: Response, pending: PendingToken, given: Code
) -> Known:
    """Finish a sign-in after the password: give the code of your app, or a recovery code."""
    by_one_worker(request)
    check_rate(request, "logins_from")
    person, new = await second.finish(pending, given.code, token_of(request), origin_of(request))
    set_session_cookies(request, response, new)
    clear_pending_cookie(request, response)
    remember_device(request, response, person)
    return known(person)


@router.get("/me/factors", responses=refusals(401))
async def factors(house: TheHouse, person: EnteredPerson) -> Factors:
    """What your account asks for besides its password."""
    found = await asyncio.to_thread(house.people.factors.of, person.name)
    since = found.app_since_ms if found.app else None
    needed = not person.guest and house.people.factors.is_needed_by(person.roles)
    passkeys = [
        PasskeyShown(id=one.id, name=one.name, added_ms=one.added_ms, used_ms=one.used_ms) for one in found.passkeys
    ]
    return Factors(app_since_ms=since, recovery_codes=len(found.recovery), passkeys=passkeys, needed=needed)


@router.post("/me/factors/proof", status_code=204, responses=refusals(401))
async def prove_by_code(second: TheFactors, request: Request, person: EnteredPerson, token: Token, given: Code) -> None:
    """Give your second factor again: moving money, giving roles and changing how you sign in need it fresh."""
    by_one_worker(request)
    check_rate(request, "logins_as", key_of(person.name))
    await second.confirm(person, given.code, token, origin_of(request))


@router.post("/me/factors/app", responses=refusals(401))
async def draw_app(house: TheHouse, request: Request, person: ProvenAccount) -> AppDraft:
    """Begin to set up an authenticator app: a secret as text and as a QR code; it counts once a code confirms it."""
    check_rate(request, "sessions_of", person.name)
    return await house.people.factors.draw_app(person.name, _called(house.nodes.address))


@router.post("/me/factors/app/confirm", responses=refusals(401, 409))
async def confirm_app(
    second: TheFactors, request: Request, person: ProvenAccount, token: Token, given: Code
) -> RecoveryCodes:
    """Confirm the app by a code; your other sessions end. With the first factor come ten recovery codes."""
    by_one_worker(request)
    check_rate(request, "logins_as", key_of(person.name))
    return RecoveryCodes(codes=await second.add_app(person, given.code, token, origin_of(request)))


@router.delete("/me/factors/app", status_code=204, responses=refusals(401, 409))
async def remove_app(second: TheFactors, request: Request, person: ProvenAccount, token: Token) -> None:
    """Remove the app; your other sessions end. With the last factor the recovery codes go, too."""
    await second.remove_app(person, token, origin_of(request))


@router.post("/me/factors/recovery", responses=refusals(401, 409))
async def renew_recovery_codes(
    second: TheFactors, request: Request, person: ProvenAccount, token: Token
) -> RecoveryCodes:
    """Make ten new recovery codes; those of before are void, and your other sessions end."""
    check_rate(request, "sessions_of", person.name)
    return RecoveryCodes(codes=await second.renew_recovery(person, token, origin_of(request)))


@router.delete("/people/{name}/factors", status_code=204, responses=refusals(401, 403, 404))
async def reset(
    house: TheHouse,
    request: Request,
    boss: ProvenAdministrator,
    name: str,
    why: Reason = "",
) -> None:
    """Reset a person's second factor, as when the phone is lost; their sessions end."""
    person = await asyncio.to_thread(house.people.find, name)
    await check_other(request, boss, person, "reset the second factor of")
    await factor_sign_in(request).reset(person.name, who=boss.name, why=why)


def _called(address: str) -> str:
    """Return what an app lists the house under."""
    return f"letitride {urlsplit(address).hostname or ''}".strip()
