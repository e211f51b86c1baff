"""Send batching: messages that leave one connection at one moment leave in one write; each stays its own message."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from typing import Any, Final

from starlette.websockets import WebSocket
from uvicorn.protocols.utils import ClientDisconnected
from websockets.protocol import State

from letitride.server.net.bounded_socket import BoundedSocket

EXTENSION: Final = "letitride.send_batching"
"""Under this name a connection offers its shorter ways, in and out, among the extensions of its scope."""
_TEXT: Final = 0x81
"""The first byte of a message of text that is not cut into fragments. All messages are JSON, and so UTF-8."""
Extensions = dict[str, Any]
"""What servers add to a connection, by name: ASGI's own type."""


class SendBatching(BoundedSocket):
    """To write to a socket takes longer than to make most messages, and an answer and a view often come together."""

    def __init__(self, *args: Any, **more: Any) -> None:
        super().__init__(*args, **more)
        self._holding = False

    async def run_asgi(self) -> None:
        """Serve the connection."""
        extensions: Extensions = self.scope["extensions"]
        extensions[EXTENSION] = self
        try:
            await super().run_asgi()
        finally:
            del extensions[EXTENSION]  # or the connection would hold itself, until the collector comes

    async def send(self, message: Any) -> None:
        """Send a message; a refusal that says why ends the handshake, too, which the library would call an error."""
        await super().send(message)
        if self.initial_response is not None and self.close_sent:
            self.handshake_complete = True

    async def put(self, data: bytes) -> None:
        """Keep a message until the loop has done what it is at; the library sends all else after what is kept."""
        if not self.writable.is_set() or self.disconnected or self.close_sent or self._is_unusual:
            await self.send({"type": "websocket.send", "text": data.decode()})
            return
        if self.conn.state is not State.OPEN:
            raise ClientDisconnected
        self.conn.writes += (head(len(data)), data)
        if not self._holding:
            self._holding = True
            self.loop.call_soon(self._flush)

    async def heard(self) -> str | bytes | None:
        """Return the next message; nothing where the connection is over."""
        message = await self.receive()
        return _frame(message) if message["type"] == "websocket.receive" else None

    @property
    def _is_unusual(self) -> bool:
        """Whether messages do not go out as they are: the handshake is still under way, or they are changed by it."""
        return not self.handshake_complete or bool(self.conn.extensions)

    def _flush(self) -> None:
        self._holding = False
        if (waiting := self.conn.data_to_send()) and not self.transport.is_closing():
            self.transport.write(b"".join(waiting))


def head(length: int) -> bytes:
    """Return the head of a message of text that is whole and not masked; the library takes long to make it."""
    if length < 126:
        return bytes((_TEXT, length))
    return _TEXT.to_bytes() + (b"\x7e" + length.to_bytes(2) if length < 1 << 16 else b"\x7f" + length.to_bytes(8))


def sender_of(websocket: WebSocket) -> Callable[[bytes], Awaitable[None]]:
    """Return how to send messages on a connection: past all layers in between, where the server can do that."""
    batching = _batching_of(websocket)
    if batching is not None:
        return batching.put

    async def put(data: bytes) -> None:
        await websocket.send_text(data.decode())

    return put


def receiver_of(websocket: WebSocket) -> Callable[[], Awaitable[str | bytes | None]]:
    """Return how to hear what comes on a connection, likewise; nothing comes once it is over."""
    batching = _batching_of(websocket)
    if batching is not None:
        return batching.heard

    async def heard() -> str | bytes | None:
        message = await websocket.receive()
        return _frame(message) if message["type"] == "websocket.receive" else None

    return heard


def _batching_of(websocket: WebSocket) -> SendBatching | None:
    extensions: Extensions = websocket.scope.get("extensions") or {}
    return extensions.get(EXTENSION)


def _frame(message: Mapping[str, Any]) -> str | bytes:
    return message.get("text") or message.get("bytes") or ""
