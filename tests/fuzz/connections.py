"""Connections: bytes as they come from a network, fed to the server's own HTTP and WebSocket ends without a socket."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from functools import cache
from typing import Any

from websockets.frames import Opcode

from letitride.errors import InvalidData
from tests.server.net.test_floods import Door, frame

SOCKET = b"\x01"
"""An input that begins so is what a client sends over an open WebSocket; any other is a connection from its first byte."""
REQUEST = b"GET /api/tables HTTP/1.1\r\nHost: house\r\nAccept: */*\r\n\r\n"
POSTED = b"POST /api/guest HTTP/1.1\r\nHost: house\r\nContent-Length: 2\r\nContent-Type: application/json\r\n\r\n{}"
CHUNKED = b"POST /api/guest HTTP/1.1\r\nHost: house\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n"
UPGRADE = (
    b"GET /api/tables/nsw-1/socket HTTP/1.1\r\nHost: house\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    b"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n"
)


@cache
def _door() -> tuple[asyncio.AbstractEventLoop, Door, list[str]]:
    loop, failed = asyncio.new_event_loop(), list[str]()

    def note(_: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        failed.append(f"{context.get('message')}: {context.get('exception')!r}")

    loop.set_exception_handler(note)
    return loop, Door(), failed


def feed(data: bytes) -> None:
    """Feed bytes to a new connection in two pieces; whatever they are, nothing may be raised."""
    loop, door, failed = _door()
    failed.clear()
    loop.run_until_complete(_feed(door, data))
    if failed:
        raise AssertionError("; ".join(failed))


async def _feed(door: Door, data: bytes) -> None:
    door.now += 3600  # what earlier inputs have used up is there again
    if data.startswith(SOCKET):
        one, wire, _ = await door.socket()
        data = data[1:]
    else:
        one, wire = door.come()
    half = len(data) // 2
    for piece in (data[:half], data[half:]):
        if not wire.closed and piece:
            wire.protocol.data_received(piece)  # type: ignore[attr-defined]  # an upgrade takes another one's place
            await asyncio.sleep(0)
            await asyncio.sleep(0)
    cut = wire.closed
    wire.protocol.connection_lost(None)  # type: ignore[attr-defined]  # as above
    del one
    waiting = asyncio.all_tasks() - {asyncio.current_task()}
    for task in waiting:
        task.cancel()
    await asyncio.gather(*waiting, return_exceptions=True)
    if cut:
        raise InvalidData("the connection was closed")


def begin() -> Iterable[bytes]:
    """Return what clients send."""
    yield from (REQUEST, POSTED, CHUNKED, UPGRADE, REQUEST * 3, UPGRADE + frame(Opcode.TEXT, b"{}"))
    text = frame(Opcode.TEXT, b'{"type": "clock", "on": true}')
    parts = frame(Opcode.TEXT, b"{", fin=False) + frame(Opcode.PING, b"p") + frame(Opcode.CONT, b"}")
    closing = frame(Opcode.CLOSE, b"\x03\xe8bye")
    yield from (SOCKET + one for one in (text, parts, closing, text * 5 + closing, frame(Opcode.BINARY, b"\x00" * 200)))
