"""Bounded socket: a WebSocket whose frames and bytes are counted before they are parsed; it reads no message."""

from __future__ import annotations

import asyncio
from asyncio.transports import BaseTransport
from typing import Final

import uvicorn
from uvicorn._types import ASGIReceiveEvent, WebSocketReceiveEvent
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from uvicorn.server import ServerState

from letitride.server.net.connections import connections_of
from letitride.server.runtime.tokens import Tokens
from letitride.server.runtime.waiting_lines import Turn

FRAME_BYTES_MIN: Final = 6
"""No frame of a client is shorter: two bytes of a head and four of a mask."""
FLOODS_BELOW: Final = 0.5
"""Where an address sends too much, the connections that have less than this share of their own burst left are cut."""
INVALID_TEXT: Final = 1007
POLICY_VIOLATION: Final = 1008


class Arrived(asyncio.Queue[ASGIReceiveEvent]):
    """What came on one connection, for the one who serves it: a deque and a future, where the library counts tasks."""

    _came: asyncio.Future[None] | None = None

    def put_nowait(self, item: ASGIReceiveEvent) -> None:
        """Leave what came, and wake who waits for it."""
        self._queue.append(item)  # type: ignore[attr-defined]  # the deque of the library's queue
        if self._came is not None and not self._came.done():
            self._came.set_result(None)

    async def get(self) -> ASGIReceiveEvent:
        """Return what came first, when there is anything."""
        while self.empty():
            self._came = asyncio.get_running_loop().create_future()
            await self._came
        return self.get_nowait()


class BoundedSocket(WebSocketsSansIOProtocol):
    """One WebSocket: parsing a frame takes longer than sending one, so only so many are parsed."""

    def __init__(
        self,
        config: uvicorn.Config,
        server_state: ServerState,
        app_state: dict[str, object],
        _loop: asyncio.AbstractEventLoop | None = None,
    ) -> None:
        super().__init__(config, server_state, app_state, _loop)
        self.queue = Arrived()
        self.address = ""
        self.idle = False
        """A connection to a table is never closed to make room for others."""
        self._all = connections_of(config)
        budgets, now = self._all.budgets, self._all.clock()
        self._frames = Tokens(budgets.frames_burst, budgets.frames_a_second, now)
        self._bytes = Tokens(budgets.socket_bytes_burst, budgets.socket_bytes_a_second, now)
        self._cut = False
        self.turn: Turn | None = None
        """The turn in which it is opened; once it is open its frames are counted instead."""
        self._unread_since: float | None = None
        self._closing_since: float | None = None

    def connection_made(self, transport: BaseTransport) -> None:
        """Begin."""
        super().connection_made(transport)
        self.address = self._all.counted_address(self.client[0] if self.client else "")

    def connection_lost(self, exc: Exception | None) -> None:
        """Be gone."""
        self._all.remove(self)
        super().connection_lost(exc)
        self._end_turn()

    def shutdown(self) -> None:
        """Close with the server; what the application says after that reaches no one."""
        super().shutdown()
        self.disconnected = True

    def start_keepalive(self) -> None:
        """Be open."""
        self._end_turn()
        super().start_keepalive()

    def abort(self) -> None:
        """End the connection at once."""
        self.transport.abort()

    def overdue(self, now: float) -> str:
        """Return what has taken too long, or nothing."""
        budgets = self._all.budgets
        if self.transport.is_closing():
            self._closing_since = self._closing_since or now
            return "closing" if now - self._closing_since > budgets.closing_seconds else ""
        late = self._unread_since is not None and now - self._unread_since > budgets.unread_seconds
        return "unread" if late else ""

    def data_received(self, data: bytes) -> None:
        """Parse as many frames as may come, and cut the connection off where there are more."""
        if not self.handshake_initiated:
            super().data_received(data)  # the request, which was counted as one
            return
        now, start = self._all.clock(), 0
        self._all.note_message(self.address)
        if len(data) > self._bytes.left(now):
            self._cut_off("bytes", "too many bytes")
        self._bytes.spend(len(data))
        while start < len(data) and not self._cut and not self.transport.is_closing():
            left = self._frames_left(now)
            if left < 1:
                self._cut_off("frames", "too many frames")
                return
            self.conn.receive_data(data[start : start + FRAME_BYTES_MIN * left])
            start += FRAME_BYTES_MIN * left
            self._spend(len(self.conn.events))
            if self.conn.parser_exc is not None:
                self.handle_parser_exception()
                return
            self.handle_events()
            if len(self.frames) > self._all.budgets.fragments_max:
                self._cut_off("fragments", "too many fragments of one message")

    def send_receive_event_to_app(self) -> None:
        """Hand a message on; a text that is none ends the connection, where the library would log a whole error."""
        frames, self.frames = self.frames, []
        if self.close_sent:
            return
        data = frames[0] if len(frames) == 1 else b"".join(frames)
        if self.curr_msg_data_type == "text":
            try:
                message: WebSocketReceiveEvent = {"type": "websocket.receive", "text": data.decode()}
            except UnicodeDecodeError:
                self._cut_off("text", "expected UTF-8 in a text", INVALID_TEXT)
                return
        else:
            message = {"type": "websocket.receive", "bytes": data}
        # Reading pauses where a message waits already. Mostly none does, and then to pause and go on would cost more
        # than to parse the message.
        waits = not self.queue.empty()
        self.queue.put_nowait(message)
        if waits and not self.read_paused:
            self.read_paused = True
            self.transport.pause_reading()

    def pause_writing(self) -> None:
        """Note since when nothing is read."""
        self._unread_since = self._all.clock()
        super().pause_writing()

    def resume_writing(self) -> None:
        """Note that something was read."""
        self._unread_since = None
        super().resume_writing()

    def _end_turn(self) -> None:
        if self.turn is not None:
            self.turn.end()
            self.turn = None

    def _frames_left(self, now: float) -> int:
        """Return how many frames may be parsed now; an address that sends too much is cut where it does so."""
        own = self._frames.left(now)
        if not self.address:
            return int(own)
        shared = self._all.frames_from(self.address).left(now)
        return int(min(own, max(shared, own - FLOODS_BELOW * self._all.budgets.frames_burst)))

    def _spend(self, frames: int) -> None:
        self._frames.spend(frames)
        if self.address:
            shared = self._all.frames_from(self.address)
            shared.left(self._all.clock())
            shared.spend(frames)

    def _cut_off(self, what: str, reason: str, code: int = POLICY_VIOLATION) -> None:
        """Say why, and end the connection without reading on."""
        self._cut = True
        self._all.cut_off(what)
        self.queue.put_nowait({"type": "websocket.disconnect", "code": code, "reason": reason})
        self.conn.fail(code, reason)
        if waiting := b"".join(self.conn.data_to_send()):
            self.transport.write(waiting)
        self.close_sent = True
        self.transport.close()
