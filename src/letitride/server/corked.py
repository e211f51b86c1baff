"""Corked: messages that leave one connection at one moment leave in one write; each stays a message of its own."""

from __future__ import annotations

from typing import Any

from uvicorn.protocols.utils import ClientDisconnected
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.exceptions import InvalidState


class Corked(WebSocketsSansIOProtocol):
    """To write to a socket takes longer than to make most messages, and an answer and a view often come together."""

    def __init__(self, *args: Any, **more: Any) -> None:
        super().__init__(*args, **more)
        self._corked = False

    async def send(self, message: Any) -> None:
        """Keep a message until the loop has done what it is at; all else is sent by the library, after what is kept."""
        data = message.get("bytes") if message["type"] == "websocket.send" else None
        flows = self.handshake_complete and not self.close_sent and not self.disconnected and self.writable.is_set()
        if data is None or not flows:
            await super().send(message)
            return
        try:
            self.conn.send_binary(data)
        except InvalidState:
            raise ClientDisconnected from None
        if not self._corked:
            self._corked = True
            self.loop.call_soon(self._uncork)

    def _uncork(self) -> None:
        self._corked = False
        if (waiting := self.conn.data_to_send()) and not self.transport.is_closing():
            self.transport.write(b"".join(waiting))
