"""Backups: made, listed and fetched by administrators, while tables go on."""

from __future__ import annotations

import asyncio
from functools import partial
from typing import Annotated, Final

from fastapi import APIRouter, Depends, HTTPException, Request
from fastapi.responses import FileResponse
from pydantic import BaseModel

from letitride.server.net.access import ANYWHERE, Administrator, Responses, TheHouse, refusals
from letitride.server.ops import backups as kept

router = APIRouter(prefix="/api/backups", tags=["operator"], responses=ANYWHERE)
FILE: Final[Responses] = {200: {"content": {"application/octet-stream": {}}, "description": "The backup."}}


class BackupFile(BaseModel):
    """A backup that is complete."""

    name: str
    bytes: int
    made_ms: int


def _backups(request: Request) -> kept.Backups:
    found: kept.Backups | None = request.app.state.backups
    if found is None:
        raise HTTPException(409, "expected a server with a data folder for backups, got one without")
    return found


Kept = Annotated[kept.Backups, Depends(_backups)]


@router.post("", status_code=201, responses=refusals(422, 401, 403, 409))
async def make_backup(house: TheHouse, person: Administrator, backups: Kept, request: Request) -> BackupFile:
    """Copy everything the house has into a new file; one backup is made at a time."""
    making: asyncio.Lock = request.app.state.making_backup
    if making.locked():
        raise HTTPException(409, "expected one backup at a time, got a second while one is being made")
    async with making:
        made = await asyncio.to_thread(backups.make, house.stores.backups)
    await house.committer.run(partial(house.stores.audit.add, house.clock_ms(), person.name, "backup", made.name))
    return _shown(made)


@router.get("", responses=refusals(401, 403, 409))
async def list_backups(_: Administrator, backups: Kept) -> list[BackupFile]:
    """All backups, the oldest first."""
    return [_shown(one) for one in await asyncio.to_thread(backups.all)]


@router.get("/{name}", response_class=FileResponse, responses=FILE | refusals(401, 403, 404, 409))
async def fetch_backup(house: TheHouse, person: Administrator, backups: Kept, name: str) -> FileResponse:
    """One backup as a file. It holds every secret of the house: guard it like one."""
    path = await asyncio.to_thread(backups.path, name)
    await house.committer.run(partial(house.stores.audit.add, house.clock_ms(), person.name, "fetch backup", name))
    return FileResponse(path, media_type="application/octet-stream", filename=name)


def _shown(one: kept.Backup) -> BackupFile:
    return BackupFile(name=one.name, bytes=one.bytes, made_ms=one.made_ms)
