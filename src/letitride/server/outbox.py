"""Outbox: what waits to be sent to one connection; whoever does not read is let go, and holds nobody up."""

from __future__ import annotations

import asyncio
from collections import deque
from typing import Final

WAITING_MANY: Final = 16
"""Messages that wait before nothing more is read from their connection."""
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
        self._woken = asyncio.Event()

    def put(self, message: bytes) -> None:
        """Leave a message to be sent."""
        if len(self._messages) >= WAITING_MAX:
            self.end(TRY_AGAIN_LATER)
        else:
            self._messages.append(message)
            self._woken.set()

    def end(self, code: int) -> None:
        """Close the connection, when what waits is sent."""
        self.ended = code
        self._woken.set()

    def wake(self) -> None:
        """Say that there is something new to see."""
        self._woken.set()

    @property
    def full(self) -> bool:
        """Whether so much waits that it should be sent before anything else is done."""
        return len(self._messages) > WAITING_MANY

    def take(self) -> bytes | None:
        """Return the next message, if one waits."""
        return self._messages.popleft() if self._messages else None

    async def something(self) -> None:
        """Wait until there is anything to send or to see."""
        await self._woken.wait()
        self._woken.clear()
