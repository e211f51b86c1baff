"""Bounded HTTP: a connection whose requests are counted while they come, and ended where they are too much or too slow.

It sees every byte before the application does, and nothing of who sends it.
"""

from __future__ import annotations

import asyncio
import json
from asyncio.transports import BaseTransport, Transport
from functools import partial
from typing import Final, cast

import uvicorn
from uvicorn._types import ASGI3Application
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol, RequestResponseCycle
from uvicorn.server import ServerState

from letitride.server.net.bounded_socket import BoundedSocket
from letitride.server.net.connections import connections_of
from letitride.server.net.headers import ALWAYS, DATA_POLICY
from letitride.server.net.relay import ClientEnd
from letitride.server.net.socket_forwarding import SocketForwarder, socket_forwarder_of
from letitride.server.runtime.waiting_lines import Turn

HEAD_TOO_LARGE: Final = "431 Request Header Fields Too Large"
BAD_REQUEST: Final = "400 Bad Request"
NO_REQUEST: Final = "expected a request by HTTP/1.1, got something else"
NO_ROOM: Final = "503 Service Unavailable"


class _TooMuch(Exception):
    """More than a request may bring; raised inside the parser, which stops at once."""


class BoundedHttp(HttpToolsProtocol):
    """One connection, and what is known of the request that comes on it."""

    def __init__(
        self,
        config: uvicorn.Config,
        server_state: ServerState,
        app_state: dict[str, object],
        _loop: asyncio.AbstractEventLoop | None = None,
    ) -> None:
        super().__init__(config, server_state, app_state, _loop)
        self.address = ""
        self._all = connections_of(config)
        self._ended = self._head_too_large = False
        self._in_head, self._bytes, self._head_bytes, self._headers = True, 0, 0, 0
        """Whether the headers of a request are waited for, and what has come of it."""
        self._since: float | None = self._all.clock()
        """Since when the headers or the body are waited for; None between two requests."""
        self._unread_since: float | None = None
        self._closing_since: float | None = None
        self._turn: Turn | None = None
        self.passed_on = False
        """Whether another server of the house has passed it on to this one."""

    @property
    def idle(self) -> bool:
        """Whether nothing has been asked that is not answered."""
        cycle: RequestResponseCycle | None = self.cycle  # none before the first request
        return cycle is None or cycle.response_complete

    def connection_made(self, transport: BaseTransport) -> None:
        """Begin, if there is room."""
        super().connection_made(cast("Transport", transport))
        self.address = self._all.counted_address(self.client[0] if self.client else "")
        if not self._all.add(self):
            self.abort()

    def connection_lost(self, exc: Exception | None) -> None:
        """Be gone."""
        self._all.remove(self)
        super().connection_lost(exc)
        self._end_turn()

    def abort(self) -> None:
        """End the connection at once."""
        self._ended = True
        self.transport.abort()

    def overdue(self, now: float) -> str:
        """Return what has taken too long, or nothing."""
        budgets = self._all.budgets
        if self.transport.is_closing():
            self._closing_since = self._closing_since or now
            return "closing" if now - self._closing_since > budgets.closing_seconds else ""
        if self._unread_since is not None and now - self._unread_since > budgets.unread_seconds:
            return "unread"
        if self._since is None:
            return ""
        if self._in_head:
            return "headers" if now - self._since > budgets.header_seconds else ""
        return "body" if now - self._since > budgets.body_seconds else ""

    def data_received(self, data: bytes) -> None:
        """Count what comes, and have it parsed."""
        if self._ended:
            return
        if self._since is None:
            self._since = self._all.clock()
        self._all.note_bytes(self)
        self._bytes += len(data)
        if self._bytes > self._all.budgets.request_bytes_max:
            self._all.cut_off("bytes")
            self.abort()
            return
        super().data_received(data)
        if self._in_head and self._bytes > self._all.budgets.header_bytes_max and not self.transport.is_closing():
            self._refuse_head()

    def on_message_begin(self) -> None:
        """Begin a request."""
        super().on_message_begin()
        self._in_head, self._head_bytes, self._headers = True, 0, 0
        if len(self.pipeline) >= self._all.budgets.pipelined_max:
            raise _TooMuch

    def on_url(self, url: bytes) -> None:
        """Take a piece of the address."""
        self._count(len(url))
        super().on_url(url)

    def on_header(self, name: bytes, value: bytes) -> None:
        """Take a header."""
        self._headers += 1
        self._count(len(name) + len(value))
        super().on_header(name, value)

    def on_headers_complete(self) -> None:
        """Begin to wait for the body."""
        self._in_head, self._since = False, self._all.clock()
        super().on_headers_complete()

    def on_message_complete(self) -> None:
        """Have a whole request; what comes next is another."""
        self._in_head, self._since, self._bytes = True, None, 0
        super().on_message_complete()

    def handle_websocket_upgrade(self) -> None:
        """Go on as a WebSocket when its turn comes, if there is room for one more; frames wait until then."""
        if not self._all.has_room(self.address):
            self._answer(NO_ROOM, "expected fewer connections to tables, got too many: try again later")
            return
        self.flow.pause_reading()
        self._all.begin_request(self.address, self._upgrade)

    def on_response_complete(self) -> None:
        """Have answered; the next request of this address is worked on."""
        self._end_turn()
        super().on_response_complete()

    def _start_asgi_task(self, cycle: RequestResponseCycle, app: ASGI3Application) -> None:
        """Work on a request when its turn comes."""
        self._all.begin_request(self.address, partial(self._begin, cycle, app))

    def _begin(self, cycle: RequestResponseCycle, app: ASGI3Application, turn: Turn) -> bool:
        if self._ended or cycle.disconnected or self.transport.is_closing():
            return False
        self._turn = turn
        super()._start_asgi_task(cycle, app)
        return True

    def _upgrade(self, turn: Turn) -> bool:
        if self._ended or self.transport.is_closing():
            return False
        forwarder = socket_forwarder_of(self.config)
        if forwarder is None or self.passed_on or not forwarder.may_be_elsewhere(self.url):
            self._upgrade_here(turn)
            return True
        self._turn = turn
        task = self.loop.create_task(self._forward_socket(forwarder))
        self.tasks.add(task)
        task.add_done_callback(self.tasks.discard)
        return True

    async def _forward_socket(self, forwarder: SocketForwarder) -> None:
        """Let the WebSocket go on at another server; where none has the table, the application says so."""
        try:
            passed = await forwarder.forward(self, self.url)
        except BaseException:
            self.abort()
            raise
        if passed or self._ended or self.transport.is_closing():
            self._end_turn()
        elif self._turn is not None:
            turn, self._turn = self._turn, None
            self._upgrade_here(turn)

    def _upgrade_here(self, turn: Turn) -> None:
        """Go on as a WebSocket here."""
        self.flow.resume_reading()
        super().handle_websocket_upgrade()
        socket = cast("BoundedSocket", self.transport.get_protocol())
        self._all.replace(self, socket)
        socket.turn = turn

    @property
    def https(self) -> bool:
        """Whether it came by https."""
        return self.scheme == "https"

    def request_bytes(self) -> bytes:
        """Return the request for a WebSocket as it came."""
        lines = [b" ".join((b"GET", self.url, b"HTTP/1.1"))]
        lines += [b": ".join(pair) for pair in self.headers]
        return b"\r\n".join((*lines, b"", b""))

    def hand_to_relay(self, outer: ClientEnd) -> None:
        """Let a relay have the connection."""
        self.connections.discard(self)
        self._all.replace(self, outer)
        told = cast("set[object]", self.connections)  # that the server stops, like those of the library
        told.add(outer)
        outer.gone = partial(told.discard, outer)
        self.transport.set_protocol(outer)
        self.flow.resume_reading()

    def detach(self) -> None:
        """Forget the connection, which another process has: to close it here does not end it there."""
        self._ended = True
        self.transport.abort()

    def _end_turn(self) -> None:
        if self._turn is not None:
            self._turn.end()
            self._turn = None

    def send_400_response(self, msg: str) -> None:  # noqa: ARG002 - the words of the library
        """Refuse what cannot be parsed, or was too much to go on parsing."""
        if self._head_too_large:
            self._refuse_head()
        else:
            self._answer(BAD_REQUEST, NO_REQUEST)

    def pause_writing(self) -> None:
        """Note since when nothing is read."""
        self._unread_since = self._all.clock()
        super().pause_writing()

    def resume_writing(self) -> None:
        """Note that something was read."""
        self._unread_since = None
        super().resume_writing()

    def _count(self, many: int) -> None:
        budgets = self._all.budgets
        self._head_bytes += many
        if self._head_bytes > budgets.header_bytes_max or self._headers > budgets.headers_max:
            self._head_too_large = True
            raise _TooMuch

    def _refuse_head(self) -> None:
        budgets = self._all.budgets
        self._all.cut_off("headers")
        said = f"{budgets.headers_max} headers and {budgets.header_bytes_max:,} bytes before its body at most"
        self._answer(HEAD_TOO_LARGE, f"expected a request with {said}, got more")

    def _answer(self, status: str, sentence: str) -> None:
        """Answer in the application's place, and end the connection."""
        body = json.dumps({"detail": sentence})
        told = {"Content-Type": "application/json", "Content-Length": str(len(body)), "Connection": "close"}
        headers = {**told, **ALWAYS, "Content-Security-Policy": DATA_POLICY}
        lines = (f"HTTP/1.1 {status}", *(f"{name}: {value}" for name, value in headers.items()), "", body)
        self.transport.write("\r\n".join(lines).encode())
        self.transport.close()
        self._ended = True
