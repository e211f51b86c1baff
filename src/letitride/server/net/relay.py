"""Relay: a WebSocket that is played at another server, byte for byte in both directions; it reads no message."""

from __future__ import annotations

import asyncio
from asyncio.transports import BaseTransport, Transport
from collections.abc import Callable
from typing import Final, cast

from letitride.server.net.connections import Connections

GOING_AWAY: Final = b"\x88\x02\x03\xe9"
"""The frame that closes a connection because a server goes: code 1001."""
_LENGTHS: Final = {126: 2, 127: 8}
"""How many bytes more tell the length of a frame whose short length is one of these."""
_HEAD_END: Final = b"\r\n\r\n"


class Frames:
    """Follows where a server's frames end, so that another may come after one."""

    def __init__(self) -> None:
        self._head, self._held, self._left = True, b"", 0

    @property
    def is_between_frames(self) -> bool:
        """Whether the last frame is whole, and the handshake over."""
        return not self._head and not self._held and not self._left

    def follow(self, data: bytes) -> None:
        """Take note of what goes through."""
        if self._head:
            head, ended, data = (self._held + data).partition(_HEAD_END)
            self._held = b"" if ended else head[-len(_HEAD_END) :]
            self._head = not ended
        while data and not self._head:
            if self._left:
                taken = min(self._left, len(data))
                self._left, data = self._left - taken, data[taken:]
                continue
            data = self._held + data
            more = _LENGTHS.get(data[1] & 0x7F, 0) if len(data) > 1 else 0
            if len(data) < 2 + more:
                self._held = data
                return
            self._left = int.from_bytes(data[2 : 2 + more], "big") if more else data[1] & 0x7F
            self._held, data = b"", data[2 + more :]


class RelayEnd(asyncio.Protocol):
    """One end of a relay."""

    def __init__(self) -> None:
        self.transport: Transport | None = None
        self.other: RelayEnd | None = None

    def connection_made(self, transport: BaseTransport) -> None:
        """Be open."""
        self.transport = cast("Transport", transport)

    def data_received(self, data: bytes) -> None:
        """Hand on what comes."""
        if self.other is not None and self.other.transport is not None:
            self.other.transport.write(data)

    def pause_writing(self) -> None:
        """Take no more from the other end than this one reads."""
        if self.other is not None and self.other.transport is not None and not self.other.transport.is_closing():
            self.other.transport.pause_reading()

    def resume_writing(self) -> None:
        """Go on."""
        if self.other is not None and self.other.transport is not None and not self.other.transport.is_closing():
            self.other.transport.resume_reading()

    def connection_lost(self, _: Exception | None) -> None:
        """End the other end, too, when it has what was sent."""
        if self.other is not None and self.other.transport is not None:
            self.other.transport.close()


class ClientEnd(RelayEnd):
    """The client's end: counted like any connection to a table."""

    idle = False

    def __init__(self, every: Connections, address: str) -> None:
        super().__init__()
        self.address, self._every = address, every
        self.gone: Callable[[], None] = lambda: None
        self._unread_since: float | None = None
        self._closing_since: float | None = None
        self.frames = Frames()
        """What the other server sends to the client."""

    def data_received(self, data: bytes) -> None:
        """Hand on what comes, whose frames the other server counts."""
        self._every.note_message(self.address)
        super().data_received(data)

    def overdue(self, now: float) -> str:
        """Return what has taken too long, or nothing."""
        budgets = self._every.budgets
        if self.transport is None or self.transport.is_closing():
            self._closing_since = self._closing_since or now
            return "closing" if now - self._closing_since > budgets.closing_seconds else ""
        late = self._unread_since is not None and now - self._unread_since > budgets.unread_seconds
        return "unread" if late else ""

    def abort(self) -> None:
        """End the connection at once."""
        if self.transport is not None:
            self.transport.abort()

    def shutdown(self) -> None:
        """Tell the client that the server goes."""
        if self.transport is not None:
            if self.frames.is_between_frames:
                self.transport.write(GOING_AWAY)
            self.transport.close()

    def pause_writing(self) -> None:
        """Note since when nothing is read."""
        self._unread_since = self._every.clock()
        super().pause_writing()

    def resume_writing(self) -> None:
        """Note that something was read."""
        self._unread_since = None
        super().resume_writing()

    def connection_lost(self, exc: Exception | None) -> None:
        """Be gone."""
        self._every.remove(self)
        self.gone()
        super().connection_lost(exc)


class ServerEnd(RelayEnd):
    """The end at the other server."""

    def data_received(self, data: bytes) -> None:
        """Hand on what comes, and see where a frame ends."""
        if isinstance(self.other, ClientEnd):
            self.other.frames.follow(data)
        super().data_received(data)
