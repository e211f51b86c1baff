"""Lobby: the tables of the house, and the proofs of their decks."""

from __future__ import annotations

import html
from typing import Any

from fastapi import APIRouter
from fastapi.responses import HTMLResponse, PlainTextResponse
from pydantic import BaseModel

from letitride.errors import MissingData
from letitride.server.asking import TheHouse, refused
from letitride.server.house import Room

router = APIRouter(tags=["lobby"])


class Listed(BaseModel):
    """A table in the lobby."""

    id: str
    name: str
    rulebook: str
    sha256: str
    paytables: dict[str, str]
    seats: int
    limits_cents: list[int | None]
    seated: int
    phase: str
    round: int
    halted: bool


@router.get("/", response_class=HTMLResponse, include_in_schema=False)
async def home(house: TheHouse) -> str:
    """A plain page: the tables, and where the interface is described."""
    rows = "".join(
        f"<tr><td>{html.escape(one.name)}</td><td>{one.seated} of {one.seats}</td>"
        f"<td>{html.escape(one.phase)}</td><td>{one.round}</td></tr>"
        for one in map(listed, house.rooms.values())
    )
    return (
        "<!doctype html><html lang='en'><meta charset='utf-8'><title>letitride</title><h1>letitride</h1>"
        "<p>Tables of this house. The interface is at <a href='/docs'>/docs</a>.</p>"
        f"<table><tr><th>table</th><th>seated</th><th>now</th><th>round</th></tr>{rows}</table></html>"
    )


@router.get("/healthz", response_class=PlainTextResponse)
async def healthy() -> str:
    """Whether the server runs."""
    return "ok"


@router.get("/api/tables")
async def tables(house: TheHouse) -> list[Listed]:
    """All tables."""
    return [listed(room) for room in house.rooms.values()]


@router.get("/api/tables/{table_id}/proofs/{round_number}/{shuffle}", responses=refused(404))
async def proof(house: TheHouse, table_id: str, round_number: int, shuffle: int) -> dict[str, Any]:
    """The proof of a deck, once it is opened."""
    found = house.room(table_id).shuffles.proof(round_number, shuffle)
    if found is None:
        raise MissingData(f"expected a shuffle that is opened, got round {round_number}, shuffle {shuffle}")
    return found


def listed(room: Room) -> Listed:
    """Return a table as the lobby shows it."""
    table = room.table
    return Listed(
        id=room.record.id,
        name=room.record.name,
        **room.record.about,
        seated=sum(bool(seat.player) for seat in table.seats.values()),
        phase=table.phase,
        round=table.round,
        halted=bool(room.host.halted),
    )
