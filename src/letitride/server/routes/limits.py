"""Limits: what you may lose and how long you may play; stricter at once, looser in a day."""

from __future__ import annotations

import asyncio
from typing import Annotated

from fastapi import APIRouter
from msgspec.structs import asdict
from pydantic import BaseModel, ConfigDict, Field

from letitride.server.net.access import ANYWHERE, Administrator, CurrentPerson, Supervisor, TheHouse, refusals
from letitride.server.people import visits
from letitride.server.people.bounds import DAY_MS, Bounds
from letitride.server.tables.house import House

router = APIRouter(prefix="/api", tags=["limits"], responses=ANYWHERE)

Cents = Annotated[int, Field(ge=0, le=10**13)]
Minutes = Annotated[int, Field(ge=0, le=60 * 24)]
Why = Annotated[str, Field(min_length=1, max_length=500)]


class LimitsGiven(BaseModel):
    """Limits; what is left out stays as it is, and null is no limit."""

    model_config = ConfigDict(extra="forbid")

    loss_day_cents: Cents | None = None
    loss_week_cents: Cents | None = None
    loss_month_cents: Cents | None = None
    time_day_minutes: Minutes | None = None
    reminder_minutes: Minutes | None = None


class LimitsByStaff(LimitsGiven):
    """Limits for a player, and why."""

    why: Why


class LimitsShown(BaseModel):
    """Limits; null is none."""

    loss_day_cents: int | None
    loss_week_cents: int | None
    loss_month_cents: int | None
    time_day_minutes: int | None
    reminder_minutes: int | None


class Waiting(BaseModel):
    """A looser limit, and when it will hold."""

    value: int | None
    from_ms: int


class Used(BaseModel):
    """What counts against the limits: losses of visits that are over, and all that is at tables now."""

    loss_day_cents: int
    loss_week_cents: int
    loss_month_cents: int
    time_day_minutes: int
    sitting_since_ms: int
    """0: you have no seat."""


class MyLimits(BaseModel):
    """Your own limits, what waits, what holds, and what is used of it."""

    own: LimitsShown
    waiting: dict[str, Waiting]
    in_force: LimitsShown
    used: Used
    excluded_until_ms: int


class Exclusion(BaseModel):
    """For how many days you want to be excluded."""

    days: int = Field(ge=1, le=3_650)


class ExclusionByStaff(Exclusion):
    """For how many days a player is excluded, and why."""

    why: Why


@router.get("/me/limits", responses=refusals(401))
async def mine(house: TheHouse, person: CurrentPerson) -> MyLimits:
    """Your limits."""
    return await shown(house, person.name)


@router.patch("/me/limits", responses=refusals(401, 422))
async def change(house: TheHouse, person: CurrentPerson, limits: LimitsGiven) -> MyLimits:
    """Change your limits: what is stricter holds at once, what is looser in 24 hours."""
    await house.limits.change(person.name, limits.model_dump(exclude_unset=True))
    return await shown(house, person.name)


@router.delete("/me/limits/waiting", responses=refusals(401))
async def cancel(house: TheHouse, person: CurrentPerson) -> MyLimits:
    """Cancel a looser limit that has not taken effect."""
    await house.limits.cancel(person.name)
    return await shown(house, person.name)


@router.post("/me/limits/reminder", responses=refusals(401))
async def confirm(house: TheHouse, person: CurrentPerson) -> MyLimits:
    """Confirm the reminder of how long you have been playing, and go on."""
    await house.limits.confirm(person.name)
    return await shown(house, person.name)


@router.post("/me/exclusion", responses=refusals(401, 422))
async def exclude_me(house: TheHouse, person: CurrentPerson, exclusion: Exclusion) -> MyLimits:
    """Exclude yourself from playing for some days; no one can make it shorter."""
    await house.limits.exclude(person.name, exclusion.days, person.name, "the player's own request")
    return await shown(house, person.name)


@router.patch("/people/{name}/limits", responses=refusals(401, 404, 422))
async def change_for(house: TheHouse, by: Administrator, name: str, limits: LimitsByStaff) -> MyLimits:
    """Change a player's limits, on the record: stricter at once, looser in 24 hours."""
    person = await asyncio.to_thread(house.people.find, name)
    wanted = limits.model_dump(exclude_unset=True, exclude={"why"})
    await house.limits.change(person.name, wanted, by.name, limits.why)
    return await shown(house, person.name)


@router.post("/people/{name}/exclusion", responses=refusals(401, 404, 422))
async def exclude(house: TheHouse, by: Administrator, name: str, exclusion: ExclusionByStaff) -> MyLimits:
    """Exclude a player, on the record."""
    person = await asyncio.to_thread(house.people.find, name)
    await house.limits.exclude(person.name, exclusion.days, by.name, exclusion.why)
    return await shown(house, person.name)


@router.put("/tables/{table_id}/limits", status_code=204, responses=refusals(401, 404, 422))
async def set_for_table(house: TheHouse, by: Supervisor, table_id: str, limits: LimitsByStaff) -> None:
    """Set the limits of everyone at a table, on the record."""
    table = await asyncio.to_thread(house.stores.tables.get, table_id)
    await house.limits.set_for_table(table.id, Bounds(**limits.model_dump(exclude={"why"})), by.name, limits.why)


async def shown(house: House, name: str) -> MyLimits:
    """Return a player's limits as they see them."""
    (own, in_force), play = await house.limits.in_force(name), await house.limits.play(name)
    now = house.clock_ms()
    day, week, month = (max(visits.lost_cents(play, now, days * DAY_MS), 0) for days in (1, 7, 30))
    return MyLimits(
        own=LimitsShown(**asdict(own.bounds)),
        waiting={name: Waiting(value=one.value, from_ms=one.from_ms) for name, one in own.pending.items()},
        in_force=LimitsShown(**asdict(in_force)),
        used=Used(
            loss_day_cents=day,
            loss_week_cents=week,
            loss_month_cents=month,
            time_day_minutes=visits.played_ms(play, now, DAY_MS) // 60_000,
            sitting_since_ms=visits.sitting_since_ms(play, now),
        ),
        excluded_until_ms=own.excluded_until_ms,
    )
