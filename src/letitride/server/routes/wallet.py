"""Wallet: what you have in the house, more play chips, and the cashier's desk."""

from __future__ import annotations

import asyncio
from typing import Literal

import msgspec
from fastapi import APIRouter, Request
from pydantic import BaseModel, Field

from letitride.rules.money import dollars
from letitride.server.net.access import (
    ANYWHERE,
    CurrentPerson,
    ProvenAdministrator,
    TheHouse,
    check_other,
    check_rate,
    refusals,
)
from letitride.server.people.accounts import Person
from letitride.server.people.approval_records import CashWish, Wish
from letitride.server.people.wallet import Movement

router = APIRouter(prefix="/api", tags=["wallet"], responses=ANYWHERE)


class Moved(BaseModel):
    """Money that came into a wallet, or went out of it."""

    at_ms: int
    kind: str
    cents: int
    balance_cents: int
    reference: str
    why: str


class VisitPaid(BaseModel):
    """What went to a table and came back from it."""

    table: str
    since_ms: int
    until_ms: int
    """0: you are still there."""
    bought_cents: int
    back_cents: int


class Wallet(BaseModel):
    """What you have, and where it came from and went, the latest first."""

    cents: int
    outside_cents: int | None
    """What you could bring, if the cashier says so."""
    top_up_cents: int | None
    """What POST /api/me/chips would give now; null where the house gives no play chips."""
    movements: list[Moved]
    visits: list[VisitPaid]


class Amount(BaseModel):
    """An amount that is moved once, however often it is asked for under its reference."""

    cents: int = Field(gt=0, le=10**13)
    reference: str = Field(pattern=r"^[A-Za-z0-9._:-]{1,64}$")
    why: str = Field(min_length=1, max_length=500)


@router.get("/me/wallet", responses=refusals(401))
async def wallet(house: TheHouse, person: CurrentPerson) -> Wallet:
    """What you have, and the last movements."""
    play = await house.limits.play(person.name)
    return Wallet(
        cents=await house.wallets.balance(person.name),
        outside_cents=await asyncio.to_thread(house.wallets.cashier.balance, person.name),
        top_up_cents=await house.wallets.top_up_due(person),
        movements=[moved(one) for one in await house.wallets.movements(person.name)],
        visits=[
            VisitPaid(
                table=one.table,
                since_ms=one.since_ms,
                until_ms=one.until_ms,
                bought_cents=one.bought_cents,
                back_cents=one.back_cents,
            )
            for one in reversed(play.visits)
        ],
    )


@router.post("/me/chips", responses=refusals(401, 422))
async def chips(house: TheHouse, request: Request, person: CurrentPerson) -> Moved:
    """Get play chips up to what a guest begins with."""
    check_rate(request, "chips_of", person.name)
    return moved(await house.wallets.top_up(person))


@router.post("/wallets/{name}/deposit", responses=refusals(401, 404, 409, 422))
async def deposit(house: TheHouse, request: Request, by: ProvenAdministrator, name: str, amount: Amount) -> Moved:
    """Deposit money in another person's wallet."""
    person = await asyncio.to_thread(house.people.find, name)
    await check_other(request, by, person, "credit")
    await house.approvals.clear(by, _wish("deposit", person, amount))
    return moved(await house.wallets.deposit(person, amount.cents, amount.reference, amount.why, by.name))


@router.post("/wallets/{name}/withdraw", responses=refusals(401, 404, 409, 422))
async def withdraw(house: TheHouse, by: ProvenAdministrator, name: str, amount: Amount) -> Moved:
    """Pay money out of a player's wallet."""
    person = await asyncio.to_thread(house.people.find, name)
    await house.approvals.clear(by, _wish("withdrawal", person, amount))
    return moved(await house.wallets.withdraw(person, amount.cents, amount.reference, amount.why, by.name))


def _wish(act: Literal["deposit", "withdrawal"], person: Person, amount: Amount) -> Wish:
    way = "into" if act == "deposit" else "out of"
    return Wish(
        act=act,
        cents=amount.cents,
        about=f"{dollars(amount.cents)} {way} the wallet of {person.name}",
        why=amount.why,
        reference=f"{person.name}/{amount.reference}",
        body=msgspec.json.encode(CashWish(person.name, amount.reference)),
        to=person.name if act == "deposit" else "",
    )


def moved(one: Movement) -> Moved:
    """Return a movement as its owner sees it."""
    return Moved(
        at_ms=one.at_ms,
        kind=one.kind,
        cents=one.cents,
        balance_cents=one.balance_cents,
        reference=one.reference,
        why=one.why,
    )
