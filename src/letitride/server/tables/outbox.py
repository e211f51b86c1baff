"""Outbox: what waits to be sent to one connection; a client that does not read is let go, and holds no one up."""

from __future__ import annotations

import asyncio
from collections import deque
from typing import Final

ANSWERS_MAX: Final = 32
"""Messages that wait for a connection before no more of its own are taken."""
WAITING_MAX: Final = 256
"""Messages that wait for a connection before it counts as one that does not read."""

SERVICE_RESTART: Final = 1012
TRY_AGAIN_LATER: Final = 1013
"""Codes of WebSockets: a table that goes on elsewhere, and one that cannot go on, or a reader that does not read."""


class Outbox:
    """Messages in the order they came; views are not kept here, since only the latest is worth sending."""

    def __init__(self) -> None:
        self.ended = 0
        """With which code the connection is to be closed, if it is."""
        self._messages: deque[bytes] = deque()
        self._loop = asyncio.get_running_loop()
        # A future does what an event does, without asking for the loop each time: this is done for every message.
        self._woken, self._sleeper = False, self._loop.create_future()
        self._full, self._room = False, asyncio.Event()

    def put(self, message: bytes) -> None:
        """Leave a message to be sent."""
        if len(self._messages) >= WAITING_MAX:
            self.end(TRY_AGAIN_LATER)
        else:
            self._messages.append(message)
            self.wake()

    def end(self, code: int) -> None:
        """Close the connection, when what waits is sent."""
        self.ended = code
        self.wake()
        self._room.set()

    def wake(self) -> None:
        """Say that there is something new to see."""
        self._woken = True
        if not self._sleeper.done():
            self._sleeper.set_result(None)

    def next_message(self) -> bytes | None:
        """Return the next message, if one waits."""
        message = self._messages.popleft() if self._messages else None
        if self._full and len(self._messages) < ANSWERS_MAX:
            self._full = False
            self._room.set()
        return message

    async def wait_for_room(self) -> None:
        """Wait until few enough messages wait: a client that sends faster than it reads is heard as it reads."""
        if len(self._messages) >= ANSWERS_MAX and not self.ended:
            self._full = True
            self._room.clear()
            await self._room.wait()

    async def wait_for_message(self) -> None:
        """Wait until there is anything to send or to see."""
        if not self._woken:
            self._sleeper = self._loop.create_future()
            await self._sleeper
        self._woken = False
