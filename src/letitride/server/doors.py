"""Doors: every WebSocket comes in here, is counted, and is told when the house closes; reads no message."""

from __future__ import annotations

import asyncio
from typing import Final

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from letitride.server.metrics import Metrics

GOING_AWAY: Final = 1001
SECONDS_TO_LEAVE: Final = 1.0
"""How long one who does not read is waited for."""


class Doors:
    """The open WebSockets of a server."""

    def __init__(self, metrics: Metrics) -> None:
        self.metrics = metrics
        self.closing = False
        self._open: set[_Door] = set()

    async def close(self) -> None:
        """Tell everybody that the server goes away; let nobody new in."""
        self.closing = True
        doors = list(self._open)
        farewells = [asyncio.ensure_future(door.shut()) for door in doors]
        if farewells:
            _, late = await asyncio.wait(farewells, timeout=SECONDS_TO_LEAVE)
            for one in late:
                one.cancel()
            await asyncio.gather(*farewells, return_exceptions=True)
        for door in doors:
            door.end()

    async def pass_through(self, app: ASGIApp, scope: Scope, receive: Receive, send: Send) -> None:
        """Let one connection be served."""
        door = _Door(send, receive, self.metrics)
        self._open.add(door)
        self.metrics.sockets.inc()
        try:
            if self.closing:
                await door.shut()
                return
            await app(scope, door.receive, door.send)
        except asyncio.CancelledError:
            if not self.closing:
                raise
        finally:
            self._open.discard(door)
            self.metrics.sockets.dec()


class _Door:
    """One connection: what goes out after the farewell goes nowhere."""

    def __init__(self, send: Send, receive: Receive, metrics: Metrics) -> None:
        self._send, self._receive, self._metrics, self._shut = send, receive, metrics, False
        self._serving = asyncio.current_task()

    async def send(self, message: Message) -> None:
        if self._shut:
            return
        if message["type"] == "websocket.send":
            data = message.get("bytes")
            self._metrics.sent(message["text"] if data is None else data)
        await self._send(message)

    async def receive(self) -> Message:
        message = await self._receive()
        if message["type"] == "websocket.receive":
            self._metrics.received()
        return message

    async def shut(self) -> None:
        self._shut = True
        await self._send({"type": "websocket.close", "code": GOING_AWAY, "reason": "the server is stopping"})

    def end(self) -> None:
        """Stop serving, whether or not the farewell was read."""
        if self._serving is not None:
            self._serving.cancel()


class DoorsMiddleware:
    """Puts the doors around an application."""

    def __init__(self, app: ASGIApp, doors: Doors) -> None:
        self._app, self._doors = app, doors

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve a request; only WebSockets go through the doors."""
        if scope["type"] == "websocket":
            await self._doors.pass_through(self._app, scope, receive, send)
        else:
            await self._app(scope, receive, send)
