"""Vouchers: promotional vouchers that the house issues and players redeem at a table; it moves no money."""

from __future__ import annotations

import asyncio
from typing import Annotated

import msgspec
from fastapi import APIRouter, Request
from pydantic import BaseModel, ConfigDict, Field, StringConstraints

from letitride.rules.money import dollars
from letitride.server.net.access import (
    ANYWHERE,
    Administrator,
    CurrentPerson,
    ProvenAdministrator,
    TheHouse,
    check_other,
    refusals,
)
from letitride.server.people.approval_records import VoucherWish, Wish
from letitride.server.people.vouchers import leaving_id_prefix
from letitride.storage.vouchers import Into, Redeemed, Voucher

router = APIRouter(prefix="/api", tags=["vouchers"], responses=ANYWHERE)


class VoucherShown(BaseModel):
    """A voucher, its conditions, and whether it was redeemed."""

    id: str
    cents: int
    into: Into
    """What the dealer exchanges it for."""
    why: str
    """What the house gives it for, and its conditions in words."""
    left: bool
    """Whether it is for tokens or coupons you held when you left a table."""
    issued_ms: int
    until_ms: int
    """Until when it is redeemed; 0: without end."""
    redeemed_at: str | None
    """The table at which it was redeemed."""
    redeemed_ms: int


class VoucherIssued(BaseModel):
    """A voucher to issue, once for each reference of its player."""

    model_config = ConfigDict(extra="forbid")

    cents: int = Field(gt=0, le=10**9, strict=True)
    into: Into = "chips"
    days: Annotated[int, Field(ge=1, le=3650, strict=True)] | None
    """For how many days it is good; null, which has to be said: without end."""
    reference: str = Field(pattern=r"^[A-Za-z0-9._:-]{1,64}$")
    why: Annotated[str, StringConstraints(strip_whitespace=True, pattern=r"^[^\x00-\x1f\x7f]{1,500}$")]


@router.get("/me/vouchers", responses=refusals(401))
async def mine(house: TheHouse, person: CurrentPerson) -> list[VoucherShown]:
    """Your vouchers, the latest first."""
    return [_shown(*one) for one in await house.vouchers.of(person.name)]


@router.get("/vouchers/{name}", responses=refusals(401, 404))
async def of(house: TheHouse, _: Administrator, name: str) -> list[VoucherShown]:
    """A player's vouchers, the latest first."""
    person = await asyncio.to_thread(house.people.find, name)
    return [_shown(*one) for one in await house.vouchers.of(person.name)]


@router.post("/vouchers/{name}", status_code=201, responses=refusals(401, 404, 409, 422))
async def issue(
    house: TheHouse, request: Request, by: ProvenAdministrator, name: str, wanted: VoucherIssued
) -> VoucherShown:
    """Issue a voucher to another person, as the cashier or for a promotion."""
    person = await asyncio.to_thread(house.people.find, name)
    await check_other(request, by, person, "issue a voucher to")
    await house.approvals.clear(
        by,
        Wish(
            act="voucher",
            cents=wanted.cents,
            about=f"voucher of {dollars(wanted.cents)} for {person.name}",
            why=wanted.why,
            reference=f"{person.name}/{wanted.reference}",
            body=msgspec.json.encode(VoucherWish(person.name, wanted.reference, wanted.into, wanted.days)),
            to=person.name,
        ),
    )
    issued = await house.vouchers.issue(
        person,
        wanted.cents,
        wanted.into,
        reference=wanted.reference,
        days=wanted.days,
        why=wanted.why,
        who=by.name,
    )
    return _shown(*issued)


def _shown(voucher: Voucher, redeemed: Redeemed | None) -> VoucherShown:
    return VoucherShown(
        id=voucher.id,
        cents=voucher.cents,
        into=voucher.into,
        why=voucher.why,
        left=voucher.id.startswith(leaving_id_prefix(voucher.person)),
        issued_ms=voucher.issued_ms,
        until_ms=voucher.until_ms,
        redeemed_at=redeemed.table if redeemed else None,
        redeemed_ms=redeemed.at_ms if redeemed else 0,
    )
