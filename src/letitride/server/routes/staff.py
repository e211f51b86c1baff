"""Staff: the first administrator, and the people they hire; every change is on record."""

from __future__ import annotations

import asyncio
from functools import partial
from typing import Annotated

from fastapi import APIRouter, HTTPException, Request
from pydantic import BaseModel, ConfigDict, Field, StringConstraints

from letitride.rules.roles import AccountRole
from letitride.server.net.access import ANYWHERE, Administrator, ProvenAdministrator, TheHouse, check_other, refusals
from letitride.server.net.forwarding import by_one_worker
from letitride.server.net.lines import LINE
from letitride.server.ops.setup import Setup
from letitride.server.people.accounts import StaffMember
from letitride.server.tables.house import House

router = APIRouter(prefix="/api", tags=["operator"], responses=ANYWHERE)


class FirstAdministrator(BaseModel):
    """The code that the server showed when it started, and who is to run the house."""

    model_config = ConfigDict(extra="forbid")

    code: str = Field(max_length=64)
    name: str = Field(max_length=64)
    password: str = Field(max_length=256)


class SetupNeeded(BaseModel):
    """Whether there is a first administrator to be made."""

    needed: bool


class NewStaff(BaseModel):
    """A person to hire."""

    model_config = ConfigDict(extra="forbid")

    name: str = Field(max_length=64)
    password: str = Field(max_length=256)
    roles: list[AccountRole] = Field(min_length=1)


class StaffChange(BaseModel):
    """What changes about a person: their roles, whether their account is shut or locked, their password."""

    model_config = ConfigDict(extra="forbid")

    roles: list[AccountRole] | None = None
    disabled: bool | None = Field(None, description="False opens the account again, and unlocks it.")
    unlock: bool = Field(False, description="Forget wrong passwords: the next try is possible at once.")
    new_password: str | None = Field(None, max_length=256, description="Replaces the current one; it unlocks, too.")
    why: str = Field("", max_length=500, pattern=LINE)


class Identity(BaseModel):
    """Under which reference the operator knows a person, and how that was checked; the reference is kept as a hash."""

    model_config = ConfigDict(extra="forbid")

    reference: Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=200)]
    why: str = Field(min_length=1, max_length=500, pattern=LINE)


@router.get("/setup")
async def set_up_needed(house: TheHouse, request: Request) -> SetupNeeded:
    """Whether the house waits for its first administrator, who needs the code that the server showed."""
    setup: Setup = request.app.state.setup
    known = await asyncio.to_thread(house.people.administrators) if setup.code else []
    if known:  # made at another worker
        setup.forget_code()
    return SetupNeeded(needed=bool(setup.code))


@router.post("/setup", status_code=201, responses=refusals(422, 401, 403, 409))
async def set_up(house: TheHouse, request: Request, first: FirstAdministrator) -> StaffMember:
    """Create the first administrator, once, with the code that the server showed when it started."""
    by_one_worker(request)
    setup: Setup = request.app.state.setup
    # Everybody is looked through only while there is a code: anybody may ask this.
    known = await asyncio.to_thread(house.people.administrators) if setup.code else []
    if known or not setup.code:
        raise HTTPException(409, "expected a house without an administrator, got one that has its own")
    if not setup.is_right(first.code):
        raise HTTPException(403, "expected the code that the server showed when it started, got another")
    # Taken before anything is awaited: the code makes one administrator.
    code, setup.code = setup.code, ""
    try:
        person = await house.people.register(first.name, first.password, ("player", "administrator"))
    except BaseException:
        setup.code = code
        raise
    setup.code = code
    setup.forget_code()
    await _note(house, person.name, "first administrator", person.name)
    return house.people.member(person)


@router.get("/staff", responses=refusals(401, 403))
async def list_staff(house: TheHouse, _: Administrator) -> list[StaffMember]:
    """Everyone who works here."""
    people = house.people
    return await asyncio.to_thread(lambda: [people.member(person) for person in people.staff()])


@router.post("/staff", status_code=201, responses=refusals(422, 401, 403))
async def hire(house: TheHouse, boss: ProvenAdministrator, new: NewStaff) -> StaffMember:
    """Create an account with roles."""
    person = await house.people.register(new.name, new.password, _ordered(new.roles), by=boss.name)
    await _note(house, boss.name, "hire", f"{person.name}: {', '.join(person.roles)}")
    return house.people.member(person)


@router.patch("/staff/{name}", responses=refusals(422, 401, 403, 404))
async def change_staff(
    house: TheHouse, request: Request, boss: ProvenAdministrator, name: str, change: StaffChange
) -> StaffMember:
    """Give a person other roles or a new password, shut or open the account; the last administrator stays."""
    member = await asyncio.to_thread(house.people.find, name)
    if change.roles is not None and set(change.roles) - set(boss.roles):
        await check_other(request, boss, member, "give a role to")
    person = await house.people.set_roles(
        name,
        None if change.roles is None else _ordered(change.roles),
        disabled=change.disabled,
        unlock=change.unlock,
        new_password=change.new_password,
        who=boss.name,
        why=change.why,
    )
    return house.people.member(person)


@router.post("/people/{name}/verification", status_code=204, responses=refusals(401, 403, 404, 422))
async def verify(house: TheHouse, by: ProvenAdministrator, name: str, identity: Identity) -> None:
    """Verify a person's identity: one person has one account that may play where the house verifies its players."""
    person = await asyncio.to_thread(house.people.find, name)
    await house.admission.verify(person, identity.reference, who=by.name, why=identity.why)


def _ordered(roles: list[AccountRole]) -> tuple[AccountRole, ...]:
    return tuple(dict.fromkeys(("player", *roles)))


async def _note(house: House, who: str, what: str, why: str) -> None:
    await house.committer.run(partial(house.stores.audit.add, house.clock_ms(), who, what, why))
