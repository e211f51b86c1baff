"""Proxy: a wire between a server and its database that can be cut, blocked or slowed; it reads nothing."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from typing import Literal

State = Literal["open", "cut", "blocked", "slow"]
PIECE = 1 << 16
SLOW_SECONDS = 0.2


class Proxy:
    """A port of this machine that leads to a Unix socket, for as long as the wire is whole."""

    def __init__(self, target: str) -> None:
        self.target = target
        self.port = 0
        self._state: State = "open"
        self._whole = asyncio.Event()
        self._whole.set()
        self._writers: set[asyncio.StreamWriter] = set()
        self._server: asyncio.Server | None = None

    async def start(self) -> None:
        """Listen at a free port."""
        self._server = await asyncio.start_server(self._connected, "127.0.0.1", 0)
        self.port = self._server.sockets[0].getsockname()[1]

    def set(self, state: State) -> None:
        """Cut, block, slow or mend the wire."""
        self._state = state
        if state == "blocked":
            self._whole.clear()
        else:
            self._whole.set()
        if state == "cut":
            self.drop()

    def drop(self) -> None:
        """End every connection that passes now."""
        for writer in list(self._writers):
            writer.transport.abort()

    def lead_to(self, target: str) -> None:
        """Lead to another socket from now on."""
        self.target = target
        self.drop()

    async def close(self) -> None:
        """Listen no more."""
        self.drop()
        if self._server is not None:
            self._server.close()

    async def _connected(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if self._state == "cut":
            writer.transport.abort()
            return
        try:
            far_reader, far_writer = await asyncio.open_unix_connection(self.target)
        except OSError:
            writer.transport.abort()
            return
        ends = {writer, far_writer}
        self._writers |= ends
        try:
            await asyncio.gather(self._pass_on(reader, far_writer), self._pass_on(far_reader, writer))
        finally:
            self._writers -= ends
            for one in ends:
                one.transport.abort()

    async def _pass_on(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(OSError, asyncio.IncompleteReadError):
            while piece := await reader.read(PIECE):
                await self._whole.wait()
                if self._state == "slow":
                    await asyncio.sleep(SLOW_SECONDS)
                writer.write(piece)
                await writer.drain()
        writer.transport.abort()
