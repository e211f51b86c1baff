"""Accounts: guests, creating an account, signing in and out, and who you are."""

from __future__ import annotations

import asyncio
from typing import Literal

from fastapi import APIRouter, HTTPException, Request, Response
from msgspec.structs import replace
from pydantic import BaseModel, ConfigDict, Field

from letitride.server.net.access import (
    ANYWHERE,
    CurrentPerson,
    EnteredPerson,
    OptionalPerson,
    TheHouse,
    Token,
    address_of,
    check_rate,
    clear_session_cookies,
    origin_of,
    refusals,
    remember_device,
    set_session_cookies,
    token_of,
)
from letitride.server.net.forwarding import by_one_worker
from letitride.server.people.accounts import Person, WhenAbsent
from letitride.server.people.admission import NO_GUESTS
from letitride.server.people.names import key_of
from letitride.server.people.passwords import is_weak
from letitride.server.routes.learn import TheLearning
from letitride.server.routes.sessions import Ended
from letitride.server.runtime.requests import NotNow
from letitride.server.tables.house import House
from letitride.training.coach_data import CoachMode

FactorWait = Literal["", "set_up", "give"]
router = APIRouter(prefix="/api", tags=["people"], responses=ANYWHERE)


class Login(BaseModel):
    """A name and a password."""

    name: str = Field(max_length=64)
    password: str = Field(max_length=256)


class NewPassword(BaseModel):
    """The current password, and the new one."""

    old: str = Field(max_length=256)
    new: str = Field(max_length=256)


class Proof(BaseModel):
    """Your password, once more."""

    password: str = Field(max_length=256)


class Known(BaseModel):
    """Who a person is."""

    name: str
    guest: bool
    roles: list[str]
    weak_password: bool = False
    """At a sign-in: the password is easy to guess, and a new one should be chosen."""


class Me(Known):
    """Who one is, and what one has."""

    wallet_cents: int
    when_absent: WhenAbsent
    coach: CoachMode
    """When the coach speaks to them at a table whose book allows it."""
    second_factor: FactorWait
    """What this house wants of their role before anything else: a factor set up, or its code; empty: nothing."""


class MySettings(BaseModel):
    """What you want of the tables you play at; what is left out stays as it is."""

    model_config = ConfigDict(extra="forbid")

    when_absent: WhenAbsent = Field(
        "",
        description="What is decided for you when your time is over, where the book leaves it open; empty: as the"
        " table has it.",
    )
    coach: CoachMode = Field("after", description="When the coach speaks to you, where the book allows it.")


@router.post("/guest", responses=refusals(403))
async def guest(house: TheHouse, request: Request, response: Response, token: Token) -> Known:
    """Begin as a guest with play chips, where the house has guests."""
    if not house.admission.has_guests:
        raise HTTPException(403, NO_GUESTS.sentence)
    check_rate(request, "guests_from")
    person, new = await house.people.guest(token)
    set_session_cookies(request, response, new)
    return known(person)


@router.post("/accounts", status_code=201, responses=refusals(409, 422))
async def register(
    house: TheHouse, request: Request, learning: TheLearning, login: Login, visitor: OptionalPerson
) -> Known:
    """Create an account; a guest keeps their play chips, limits and lessons, and gets up from a table to do so."""
    check_rate(request, "accounts_from")
    guest = visitor if visitor is not None and visitor.guest else None
    person = await house.people.prepare(login.name, login.password)  # what is refused costs no seat
    if guest is not None:
        tables = {visit.table for visit in (await house.limits.play(guest.name)).visits if not visit.until_ms}
        rooms = [await house.room_here(table_id) for table_id in sorted(tables)]
        if not all([await room.get_up(guest.name) for room in rooms]):
            raise NotNow(
                "expected a guest who is not in a round, got one whose bets are down: finish the round, and your chips"
                " come with you",
                code="finish_round",
            )
    chosen = {} if guest is None else {"when_absent": guest.when_absent, "coach": guest.coach}
    await house.people.add(replace(person, **chosen))
    if guest is not None:
        await house.private.take_over_from_guest(guest.name, person.name)
        await house.limits.take_over_from_guest(guest.name, person.name)
        await learning.take_over_from_guest(guest.name, person.name)
        await request.app.state.own_rounds.take_over_from_guest(guest.name, person.name)
        await request.app.state.round_links.take_over_from_guest(guest.name, person.name)
        await house.wallets.take_over_from_guest(guest, person)
    return known(person)


@router.post("/login", responses=refusals(422))
async def log_in(house: TheHouse, request: Request, response: Response, login: Login, token: Token) -> Known:
    """Sign in; the session of this cookie ends. An account with a second factor is asked for it first."""
    by_one_worker(request)
    check_rate(request, "logins_from")
    # Of one address: what others try under a name keeps no one from signing in.
    check_rate(request, "logins_as", f"{address_of(request)} {key_of(login.name)}")
    person, new = await house.people.login(login.name, login.password, token, origin_of(request))
    set_session_cookies(request, response, new)
    remember_device(request, response, person)
    weak = await asyncio.to_thread(is_weak, login.password, person.name)
    return known(person).model_copy(update={"weak_password": weak})


@router.post("/logout", status_code=204)
async def log_out(house: TheHouse, request: Request, response: Response, token: Token) -> None:
    """End a session."""
    await house.people.logout(token, origin_of(request))
    clear_session_cookies(request, response)


@router.post("/logout-everywhere", responses=refusals(401))
async def log_out_everywhere(house: TheHouse, request: Request, response: Response, person: EnteredPerson) -> Ended:
    """End all of your sessions, this one too."""
    clear_session_cookies(request, response)
    return Ended(sessions=await house.people.logout_everywhere(person, origin_of(request)))


@router.get("/me", responses=refusals(401))
async def me(house: TheHouse, person: EnteredPerson, token: Token) -> Me:
    """Who you are, and what is in your wallet."""
    wallet = await house.wallets.balance(person.name)
    return Me(
        name=person.name,
        guest=person.guest,
        roles=list(person.roles),
        wallet_cents=wallet,
        when_absent=person.when_absent,
        coach=person.coach,
        second_factor=await asyncio.to_thread(_factor_wait, house, person, token),
    )


@router.put("/me/settings", status_code=204, responses=refusals(401, 422))
async def change_settings(house: TheHouse, request: Request, person: CurrentPerson, wanted: MySettings) -> None:
    """Say what you want of the tables you play at: who decides when your time is over, and when the coach speaks."""
    check_rate(request, "sessions_of", person.name)
    await house.people.change(person.name, lambda one: replace(one, **wanted.model_dump(exclude_unset=True)))


@router.post("/me/password", status_code=204, responses=refusals(401, 422))
async def change_password(
    house: TheHouse, request: Request, response: Response, person: CurrentPerson, passwords: NewPassword
) -> None:
    """Change your password; all other sessions end, and this one is renewed."""
    by_one_worker(request)
    check_rate(request, "logins_as", key_of(person.name))
    origin, token = origin_of(request), token_of(request)
    changed, new = await house.people.change_password(person, passwords.old, passwords.new, origin, token=token)
    set_session_cookies(request, response, new)
    remember_device(request, response, changed)


@router.post("/me/proof", status_code=204, responses=refusals(401, 422))
async def prove(house: TheHouse, request: Request, person: EnteredPerson, token: Token, proof: Proof) -> None:
    """Give your password again: moving money and giving roles need it given a short while ago."""
    by_one_worker(request)
    check_rate(request, "logins_as", key_of(person.name))
    await house.people.confirm_password(person, proof.password, token, origin_of(request))


def _factor_wait(house: House, person: Person, token: str) -> FactorWait:
    session = house.people.sessions.find(token)
    if session is None or not house.people.waits_for_factor(person, session):
        return ""
    return "give" if house.people.factors.of(person.name).is_set else "set_up"


def known(person: Person) -> Known:
    """Return a person as others may know them."""
    return Known(name=person.name, guest=person.guest, roles=list(person.roles))
