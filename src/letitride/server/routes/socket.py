"""Socket: the WebSocket of one viewer at one table."""

from __future__ import annotations

import asyncio
import time
from typing import Final

from fastapi import APIRouter, WebSocket, WebSocketDisconnect

from letitride.errors import InvalidData
from letitride.server.asking import same_origin, the_house, token_of, whoever
from letitride.server.sockets import Viewer

router = APIRouter()
POLICY_VIOLATION: Final = 1008


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
    leaving = asyncio.create_task(_close_with_session(websocket))
    try:
        while not sending.done():
            answer = await viewer.take(await websocket.receive_text(), time.monotonic())
            if answer is not None:
                await websocket.send_json(answer)
    except WebSocketDisconnect:
        pass
    finally:
        sending.cancel()
        leaving.cancel()
        await asyncio.gather(sending, leaving, return_exceptions=True)


async def _close_with_session(websocket: WebSocket) -> None:
    """Close a connection when the session that opened it is over."""
    await the_house(websocket).people.sessions.until_ended(token_of(websocket))
    await websocket.close(POLICY_VIOLATION)
