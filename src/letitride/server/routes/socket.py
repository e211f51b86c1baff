"""Socket: the WebSocket of one viewer at one table."""

from __future__ import annotations

import asyncio
import time
from typing import Final

import msgspec
from fastapi import APIRouter, WebSocket, WebSocketDisconnect

from letitride.errors import InvalidData
from letitride.server.asking import same_origin, the_house, whoever
from letitride.server.sockets import Viewer

router = APIRouter()
POLICY_VIOLATION: Final = 1008
TRY_AGAIN_LATER: Final = 1013


@router.websocket("/api/tables/{table_id}/socket")
async def table_socket(websocket: WebSocket, table_id: str, role: str = "", changes: bool = False) -> None:
    """Watch a table and play at it; with `changes`, views after the first tell only what has changed."""
    # Everything is checked before the connection is accepted: middleware does not see WebSockets.
    house, person = the_house(websocket), whoever(websocket)
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
    await viewer.send_all(websocket.send_bytes)
    await websocket.close(TRY_AGAIN_LATER)  # the table is halted, or he does not read
