"""Accounts: guests, registering, logging in and out, and who one is."""

from __future__ import annotations

from fastapi import APIRouter, Request, Response
from pydantic import BaseModel, Field

from letitride.server.asking import COOKIE, Somebody, TheHouse, refused, welcome

router = APIRouter(prefix="/api", tags=["people"])


class Login(BaseModel):
    """A name and a password."""

    name: str = Field(max_length=64)
    password: str = Field(max_length=256)


class Known(BaseModel):
    """Who somebody is."""

    name: str
    guest: bool
    roles: list[str]


class Me(Known):
    """Who one is, and what one has."""

    wallet_cents: int


@router.post("/guest")
async def guest(house: TheHouse, response: Response) -> Known:
    """Begin as a guest with chips to play with."""
    person, token = await house.people.guest()
    welcome(response, token)
    return Known(name=person.name, guest=person.guest, roles=list(person.roles))


@router.post("/accounts", status_code=201)
async def register(house: TheHouse, login: Login) -> Known:
    """Make an account."""
    person = await house.people.register(login.name, login.password)
    return Known(name=person.name, guest=person.guest, roles=list(person.roles))


@router.post("/login", responses=refused(403))
async def log_in(house: TheHouse, login: Login, response: Response) -> Known:
    """Begin a session of an account."""
    person, token = await house.people.login(login.name, login.password)
    welcome(response, token)
    return Known(name=person.name, guest=person.guest, roles=list(person.roles))


@router.post("/logout", status_code=204)
async def log_out(house: TheHouse, request: Request, response: Response) -> None:
    """End a session."""
    await house.people.logout(request.cookies.get(COOKIE, ""))
    response.delete_cookie(COOKIE)


@router.get("/me", responses=refused(401))
async def me(house: TheHouse, person: Somebody) -> Me:
    """Who one is, and what is in one's wallet."""
    wallet = house.store.balances(None).get(f"wallet:{person.name}", 0)
    return Me(name=person.name, guest=person.guest, roles=list(person.roles), wallet_cents=wallet)
