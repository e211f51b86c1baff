"""Socket: the WebSocket of one viewer at one table."""

from __future__ import annotations

import asyncio
import time
from contextlib import suppress
from typing import Final

from fastapi import APIRouter, WebSocket, WebSocketDisconnect

from letitride.errors import InvalidData
from letitride.server.asking import same_origin, the_house, whoever
from letitride.server.sockets import Viewer

router = APIRouter()
POLICY_VIOLATION: Final = 1008
TRY_AGAIN_LATER: Final = 1013


@router.websocket("/api/tables/{table_id}/socket")
async def table_socket(websocket: WebSocket, table_id: str, role: str = "") -> None:
    """Watch a table and play at it, or work at it in a role."""
    # Everything is checked before the connection is accepted: middleware does not see WebSockets.
    house, person = the_house(websocket), whoever(websocket)
    if person is None or table_id not in house.rooms or not same_origin(websocket):
        await websocket.close(POLICY_VIOLATION)
        return
    try:
        viewer = Viewer(house.room(table_id), person, role)
    except InvalidData:
        await websocket.close(POLICY_VIOLATION)
        return
    await websocket.accept()
    viewer.enter()
    sending = asyncio.create_task(viewer.send_all(websocket.send_bytes))
    reading = asyncio.create_task(_read(websocket, viewer))
    try:
        await asyncio.wait({sending, reading}, return_when=asyncio.FIRST_COMPLETED)
        if not reading.done() and viewer.room.host.halted:  # nothing comes any more: whoever wants to come again may
            with suppress(WebSocketDisconnect, RuntimeError):
                if viewer.role:
                    await websocket.send_json({"type": "halted", "why": viewer.room.host.halted})
                await websocket.close(TRY_AGAIN_LATER)
    finally:
        viewer.leave()
        for task in (sending, reading):
            task.cancel()
        await asyncio.gather(sending, reading, return_exceptions=True)


async def _read(websocket: WebSocket, viewer: Viewer) -> None:
    """Take messages and answer them until the connection ends."""
    with suppress(WebSocketDisconnect):
        while (message := await websocket.receive())["type"] == "websocket.receive":
            frame = message.get("text") or message.get("bytes") or ""
            answer = await viewer.take(frame, time.monotonic())
            if answer is not None:
                await websocket.send_json(answer)
