"""Shutdown: counts every WebSocket, and tells each when the server stops; reads no message."""

from __future__ import annotations

import asyncio
from typing import Final

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from letitride.server.runtime.metrics import Metrics

GOING_AWAY: Final = 1001
SECONDS_TO_LEAVE: Final = 1.0
"""How long one who does not read is waited for."""


class OpenSockets:
    """The open WebSockets of a server."""

    def __init__(self, metrics: Metrics) -> None:
        self.metrics = metrics
        self.closing = False
        self._open: set[_Connection] = set()

    async def close(self) -> None:
        """Tell all clients that the server goes away; let no new ones in."""
        self.closing = True
        everybody = list(self._open)
        closing = [asyncio.ensure_future(one.shut()) for one in everybody]
        if closing:
            _, late = await asyncio.wait(closing, timeout=SECONDS_TO_LEAVE)
            for task in late:
                task.cancel()
            await asyncio.gather(*closing, return_exceptions=True)
        for one in everybody:
            one.end()

    async def serve(self, app: ASGIApp, scope: Scope, receive: Receive, send: Send) -> None:
        """Let one connection be served."""
        one = _Connection(send)
        self._open.add(one)
        self.metrics.sockets.inc()
        try:
            if self.closing:
                await one.shut()
                return
            await app(scope, receive, one.send)
        except asyncio.CancelledError:
            if not self.closing:
                raise
        finally:
            self._open.discard(one)
            self.metrics.sockets.dec()


class _Connection:
    """One connection: what goes out after the close message goes nowhere."""

    def __init__(self, send: Send) -> None:
        self._send, self._shut = send, False
        self._serving = asyncio.current_task()

    async def send(self, message: Message) -> None:
        if self._shut:
            return
        await self._send(message)

    async def shut(self) -> None:
        self._shut = True
        await self._send({"type": "websocket.close", "code": GOING_AWAY, "reason": "the server is stopping"})

    def end(self) -> None:
        """Stop serving, whether or not the close message was read."""
        if self._serving is not None:
            self._serving.cancel()


class ShutdownMiddleware:
    """Puts them around an application."""

    def __init__(self, app: ASGIApp, open_sockets: OpenSockets) -> None:
        self._app, self._open_sockets = app, open_sockets

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve a request; only WebSockets are told."""
        if scope["type"] == "websocket":
            await self._open_sockets.serve(self._app, scope, receive, send)
        else:
            await self._app(scope, receive, send)
