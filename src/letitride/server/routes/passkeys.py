"""Passkeys: WebAuthn for accounts: registered and removed, asked for at a sign-in, by themselves, and again."""

from __future__ import annotations

from typing import Annotated, cast

from fastapi import APIRouter, Depends, Request, Response
from pydantic import BaseModel, ConfigDict, Field, StringConstraints

from letitride.server.net.access import (
    ANYWHERE,
    EnteredPerson,
    PendingToken,
    ProvenAccount,
    Token,
    check_rate,
    clear_pending_cookie,
    origin_of,
    refusals,
    remember_device,
    set_pending_cookie,
    set_session_cookies,
    token_of,
)
from letitride.server.net.lines import LINE
from letitride.server.people.names import key_of
from letitride.server.people.passkey_sign_in import PasskeySignIn
from letitride.server.routes.accounts import Known, known
from letitride.server.routes.factors import RecoveryCodes


def passkey_sign_in(request: Request) -> PasskeySignIn:
    """Return what people do with their passkeys here."""
    return cast("PasskeySignIn", request.app.state.passkeys)


ThePasskeys = Annotated[PasskeySignIn, Depends(passkey_sign_in)]
router = APIRouter(prefix="/api", tags=["people"], responses=ANYWHERE)


class PasskeyQuestion(BaseModel):
    """What a browser asks a device with."""

    options: str = Field(description="The options of WebAuthn, as JSON.")


class PasskeyAnswer(BaseModel):
    """What a device answered."""

    model_config = ConfigDict(extra="forbid")

    credential: str = Field(min_length=2, max_length=16_384, description="The credential of WebAuthn, as JSON.")


class NewPasskey(PasskeyAnswer):
    """A new passkey, and what its owner calls it."""

    name: Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=40)] = Field(pattern=LINE)


@router.post("/login/passkey/options", responses=refusals(409))
async def ask_passkey(
    passkeys: ThePasskeys, request: Request, response: Response, pending: PendingToken
) -> PasskeyQuestion:
    """Ask for a passkey: after the password for one of that account, else for any that says whose it is."""
    check_rate(request, "logins_from")
    options, token = await passkeys.ask(pending)
    set_pending_cookie(request, response, token)
    return PasskeyQuestion(options=options)


@router.post("/login/passkey", responses=refusals(409))
async def log_in_by_passkey(
    passkeys: ThePasskeys, request: Request, response: Response, pending: PendingToken, given: PasskeyAnswer
) -> Known:
    """Sign in by a passkey: after the password, or alone where the device made sure who holds it."""
    check_rate(request, "logins_from")
    person, new = await passkeys.finish(pending, given.credential, token_of(request), origin_of(request))
    set_session_cookies(request, response, new)
    clear_pending_cookie(request, response)
    remember_device(request, response, person)
    return known(person)


@router.post("/me/factors/proof/passkey/options", responses=refusals(401, 409))
async def ask_passkey_again(
    passkeys: ThePasskeys, request: Request, person: EnteredPerson, token: Token
) -> PasskeyQuestion:
    """Ask for one of your passkeys again."""
    check_rate(request, "sessions_of", person.name)
    return PasskeyQuestion(options=await passkeys.ask_again(person, token))


@router.post("/me/factors/proof/passkey", status_code=204, responses=refusals(401, 409))
async def prove_by_passkey(
    passkeys: ThePasskeys, request: Request, person: EnteredPerson, token: Token, given: PasskeyAnswer
) -> None:
    """Give your passkey again, in place of a code."""
    check_rate(request, "logins_as", key_of(person.name))
    await passkeys.confirm(person, given.credential, token, origin_of(request))


@router.post("/me/factors/passkeys/options", responses=refusals(401, 409))
async def ask_new_passkey(
    passkeys: ThePasskeys, request: Request, person: ProvenAccount, token: Token
) -> PasskeyQuestion:
    """Begin to add a passkey: what your browser asks a device with."""
    check_rate(request, "sessions_of", person.name)
    return PasskeyQuestion(options=await passkeys.ask_new(person, token))


@router.post("/me/factors/passkeys", responses=refusals(401, 409))
async def add_passkey(
    passkeys: ThePasskeys, request: Request, person: ProvenAccount, token: Token, given: NewPasskey
) -> RecoveryCodes:
    """Add a passkey; your other sessions end. With the first factor come ten recovery codes."""
    check_rate(request, "sessions_of", person.name)
    codes = await passkeys.add(person, given.name, given.credential, token, origin_of(request))
    return RecoveryCodes(codes=codes)


@router.delete("/me/factors/passkeys/{passkey_id}", status_code=204, responses=refusals(401, 409))
async def remove_passkey(
    passkeys: ThePasskeys, request: Request, person: ProvenAccount, token: Token, passkey_id: str
) -> None:
    """Remove a passkey; your other sessions end. With the last factor the recovery codes go, too."""
    await passkeys.remove(person, passkey_id, token, origin_of(request))
