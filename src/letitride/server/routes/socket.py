"""Socket: the WebSocket of one viewer at one table."""

from __future__ import annotations

import asyncio
import time
from typing import Final

from fastapi import APIRouter, WebSocket, WebSocketDisconnect

from letitride.errors import InvalidData
from letitride.server.asking import same_origin, the_house, whoever
from letitride.server.sockets import Viewer

router = APIRouter()
POLICY_VIOLATION: Final = 1008
NORMAL: Final = 1000


@router.websocket("/api/tables/{table_id}/socket")
async def table_socket(websocket: WebSocket, table_id: str, role: str = "") -> None:
    """Watch a table and play at it."""
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
    sending = asyncio.create_task(viewer.send_all(websocket.send_bytes))
    try:
        while not sending.done():
            answer = await viewer.take(await _frame(websocket), time.monotonic())
            if answer is not None:
                await websocket.send_json(answer)
    except WebSocketDisconnect:
        pass
    finally:
        sending.cancel()
        await asyncio.gather(sending, return_exceptions=True)


async def _frame(websocket: WebSocket) -> str | bytes:
    """Return the next frame as it came, text or not."""
    message = await websocket.receive()
    if message["type"] == "websocket.disconnect":
        raise WebSocketDisconnect(message.get("code", NORMAL))
    text = message.get("text")
    return message.get("bytes") or b"" if text is None else str(text)
