"""Socket: where a table is played, and the WebSocket of one viewer there."""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from contextlib import suppress
from typing import Final

import msgspec
from fastapi import APIRouter, WebSocket, WebSocketDisconnect
from pydantic import BaseModel

from letitride.errors import InvalidData, LetItRideError
from letitride.server.net.access import (
    ANYWHERE,
    CurrentPerson,
    TheHouse,
    Token,
    address_of,
    house_of,
    optional_person,
    record_refusal,
    refusals,
    same_origin,
    token_of,
)
from letitride.server.net.send_batching import receiver_of, sender_of
from letitride.server.net.sockets import TOO_MANY_SECONDS, Viewer
from letitride.server.people.accounts import Person
from letitride.server.people.sessions import hash_of
from letitride.server.runtime.requests import Answer
from letitride.server.tables.node_records import TableElsewhere
from letitride.server.tables.outbox import SERVICE_RESTART

router = APIRouter(tags=["tables"], responses=ANYWHERE)
POLICY_VIOLATION: Final = 1008
CONNECTIONS_MAX: Final = 100
"""Connections one person may have at one server: an inspector watches many tables, none of them twice."""


class Joined(BaseModel):
    """Where a table is played, and what opens the door there, once."""

    address: str
    """The server that looks after the table; empty: the one that was asked."""
    path: str
    ticket: str
    name: str
    """What the table is called."""
    now_ms: int
    """The server's clock, by which the times of a table run out."""


@router.post("/api/tables/{table_id}/join", responses=refusals(401, 404, 409))
async def join(house: TheHouse, person: CurrentPerson, token: Token, table_id: str) -> Joined:
    """Say where to connect to a table, at whichever server it is."""
    room = house.rooms.get(table_id)
    address = "" if room is not None and not room.host.lost else (await house.nodes.owner(table_id)).address
    address = "" if address == house.nodes.address else address  # another worker of this very server
    ticket = await house.tickets.give(person.name, hash_of(token), table_id)
    name = room.record.name if room is not None else (await asyncio.to_thread(house.stores.tables.get, table_id)).name
    path = f"/api/tables/{table_id}/socket"
    return Joined(address=address, path=path, ticket=ticket, name=name, now_ms=house.clock_ms())


@router.websocket("/api/tables/{table_id}/socket")
async def table_socket(
    websocket: WebSocket, table_id: str, role: str = "", ticket: str = "", changes: bool = False
) -> None:
    """Watch a table, play at it, or work at it in a role; with `changes`, later views hold only what is new."""
    # Everything is checked before the connection is accepted: middleware does not see WebSockets.
    house = house_of(websocket)
    person, session = await _who(websocket, ticket, table_id)
    if person is None or not same_origin(websocket):
        await websocket.close(POLICY_VIOLATION)
        return
    if not house.is_here(table_id):
        await _send_away(websocket, table_id)
        return
    try:
        viewer = Viewer(house.room(table_id), person, role, changes=changes, address=address_of(websocket))
    except InvalidData:
        await record_refusal(websocket, person, f"{table_id} as {role}")
        await websocket.close(POLICY_VIOLATION)
        return
    many = house.connected[person.name] >= CONNECTIONS_MAX
    if many or house.buckets.take("sockets_of", person.name, house.rates.sockets_of):
        house.metrics.count_cut_off("sockets")
        await websocket.close(POLICY_VIOLATION)
        return
    house.connected[person.name] += 1
    try:
        await websocket.accept()
        await _serve(websocket, viewer, session)
    finally:
        house.connected[person.name] -= 1
        house.connected += Counter()  # those who are gone are forgotten


async def _send_away(websocket: WebSocket, table_id: str) -> None:
    """End a connection to a table that is not here: it is joined again where it goes on, if anywhere."""
    try:
        await house_of(websocket).room_here(table_id)
    except TableElsewhere:
        pass
    except LetItRideError:
        await websocket.close(POLICY_VIOLATION)
        return
    await websocket.accept()  # a code is told only on a connection that is open
    await websocket.close(SERVICE_RESTART)


async def _serve(websocket: WebSocket, viewer: Viewer, session: str) -> None:
    """Let a person watch and play until they go or their session is over."""
    viewer.enter()
    sending = asyncio.create_task(_send(websocket, viewer))
    reading = asyncio.create_task(_read(websocket, viewer, session))
    leaving = asyncio.create_task(_end_with_session(websocket, viewer, session))
    tasks = {sending, reading, leaving}
    try:
        await asyncio.wait({sending, reading}, return_when=asyncio.FIRST_COMPLETED)
    finally:
        viewer.leave()
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


async def _who(websocket: WebSocket, ticket: str, table_id: str) -> tuple[Person | None, str]:
    """Return who connects and the hash of their session: by the ticket they bring, or by their cookie."""
    house = house_of(websocket)
    if not ticket and not token_of(websocket):
        return None, ""
    if not ticket:
        return await asyncio.to_thread(optional_person, websocket), hash_of(token_of(websocket))
    good = await house.tickets.use(ticket, table_id)
    if good is None or not await asyncio.to_thread(house.people.sessions.is_open, good.session):
        return None, ""
    await asyncio.to_thread(house.people.sessions.touch, good.session)
    return await asyncio.to_thread(house.people.person, good.person), good.session


async def _end_with_session(websocket: WebSocket, viewer: Viewer, session: str) -> None:
    """Close a connection when the session that opened it is over."""
    await house_of(websocket).people.sessions.until_ended(session)
    viewer.outbox.end(POLICY_VIOLATION)


async def _send(websocket: WebSocket, viewer: Viewer) -> None:
    """Send what there is to see, and close the connection when there is nothing more."""
    with suppress(WebSocketDisconnect, OSError, RuntimeError):  # it may be gone by then
        await websocket.close(await viewer.send_all(sender_of(websocket)))


async def _read(websocket: WebSocket, viewer: Viewer, session: str) -> None:
    """Take messages and answer them until the connection ends."""
    sessions, heard = house_of(websocket).people.sessions, receiver_of(websocket)
    with suppress(WebSocketDisconnect):
        while (frame := await heard()) is not None:
            answer = await viewer.take(frame, time.monotonic())
            if viewer.is_flooding:
                await asyncio.sleep(TOO_MANY_SECONDS)
            if isinstance(answer, Answer):  # a command, and nothing that the page does by itself
                sessions.touch_known(session)
            if answer is not None:
                viewer.outbox.put(msgspec.json.encode(answer))
                await viewer.outbox.wait_for_room()
