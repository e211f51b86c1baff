"""Socket: the WebSocket of one viewer at one table."""

from __future__ import annotations

import asyncio
import time
from typing import Final

import msgspec
from fastapi import APIRouter, WebSocket, WebSocketDisconnect
from pydantic import BaseModel

from letitride.errors import InvalidData
from letitride.server.asking import Somebody, TheHouse, same_origin, the_house, whoever
from letitride.server.house import House
from letitride.server.people import Person
from letitride.server.sockets import Viewer

router = APIRouter(tags=["tables"])
POLICY_VIOLATION: Final = 1008


class Joined(BaseModel):
    """Where a table is played, and what opens the door there, once."""

    address: str
    """The server that looks after the table; empty: the one that was asked."""
    path: str
    ticket: str


@router.post("/api/tables/{table_id}/join")
async def join(house: TheHouse, person: Somebody, table_id: str) -> Joined:
    """Say where to connect to a table, at whichever server it is."""
    address = "" if table_id in house.rooms else house.nodes.address_of(table_id)
    ticket = await house.nodes.ticket(person.name, table_id)
    return Joined(address=address, path=f"/api/tables/{table_id}/socket", ticket=ticket)


@router.websocket("/api/tables/{table_id}/socket")
async def table_socket(
    websocket: WebSocket, table_id: str, role: str = "", ticket: str = "", changes: bool = False
) -> None:
    """Watch a table and play at it; with `changes`, views after the first tell only what has changed."""
    # Everything is checked before the connection is accepted: middleware does not see WebSockets.
    house = the_house(websocket)
    person = await _by_ticket(house, ticket, table_id) if ticket else whoever(websocket)
    if person is None or table_id not in house.rooms or not same_origin(websocket):
        await websocket.close(POLICY_VIOLATION)
        return
    try:
        viewer = Viewer(house.room(table_id), person, role, changes=changes)
    except InvalidData:
        await websocket.close(POLICY_VIOLATION)
        return
    await websocket.accept()
    sending = asyncio.create_task(_send(websocket, viewer))
    try:
        while not sending.done():
            answer = await viewer.take(await websocket.receive_text(), time.monotonic())
            if answer is not None:
                viewer.outbox.put(msgspec.json.encode(answer))
    except WebSocketDisconnect:
        pass
    finally:
        sending.cancel()
        await asyncio.gather(sending, return_exceptions=True)


async def _send(websocket: WebSocket, viewer: Viewer) -> None:
    await websocket.close(await viewer.send_all(websocket.send_bytes))


async def _by_ticket(house: House, ticket: str, table_id: str) -> Person | None:
    return house.people.person(await house.nodes.use_ticket(ticket, table_id))
