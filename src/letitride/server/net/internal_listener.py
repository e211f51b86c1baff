"""Internal listener: where other servers of the house come in, each connection introduced first; it answers nothing."""

from __future__ import annotations

import asyncio
import logging
from asyncio.transports import BaseTransport, Transport
from collections.abc import Callable
from typing import Any, Final, cast

from letitride.server.net.bounded_http import BoundedHttp
from letitride.server.runtime.introductions import LINE_MAX, Introduction

log = logging.getLogger(__name__)
LINE_SECONDS: Final = 5.0
"""How long a connection that has not been introduced may stay."""
WAITING_MAX: Final = 256
"""How many of them may stay at a time; the one who came first goes, so that a server of the house still gets in."""
Read = Callable[[bytes], Introduction | None]
Begin = Callable[[], BoundedHttp]


class InternalListener(asyncio.Protocol):
    """A connection of another server, until the one it is for is introduced; then it is like any other."""

    def __init__(self, read: Read, begin: Begin, waiting: dict[InternalListener, None]) -> None:
        self._read, self._begin, self._waiting = read, begin, waiting
        self._came = b""
        self._transport: Transport | None = None
        self._late: asyncio.TimerHandle | None = None

    def connection_made(self, transport: BaseTransport) -> None:
        """Wait for the line."""
        self._transport = cast("Transport", transport)
        self._late = asyncio.get_running_loop().call_later(LINE_SECONDS, self._transport.abort)
        self._waiting[self] = None
        if len(self._waiting) > WAITING_MAX:
            next(iter(self._waiting)).close_unheard()

    def connection_lost(self, _: Exception | None) -> None:
        """Be gone."""
        self._time_out()

    def close_unheard(self) -> None:
        """Close the connection unheard."""
        self._time_out()
        if self._transport is not None:
            self._transport.abort()

    def _time_out(self) -> None:
        self._waiting.pop(self, None)
        if self._late is not None:
            self._late.cancel()

    def data_received(self, data: bytes) -> None:
        """Read the line; all that follows is the request."""
        transport = self._transport
        if transport is None or transport.is_closing():
            return
        self._came += data
        line, ended, rest = self._came.partition(b"\n")
        if not ended and len(self._came) <= LINE_MAX:
            return
        whom = self._read(line) if ended and len(line) <= LINE_MAX else None
        if whom is None:
            log.warning("A connection to the inner port came without an introduction by this house; it was closed.")
            self.close_unheard()
            return
        self._time_out()
        begun = self._begin()
        begun.passed_on = True
        begun.connection_made(cast("Transport", IntroducedTransport(transport, whom)))
        transport.set_protocol(begun)
        if rest:
            begun.data_received(rest)


class IntroducedTransport:
    """A transport that says it comes from the client for whom it was opened."""

    def __init__(self, transport: Transport, whom: Introduction) -> None:
        self._transport, self._whom = transport, whom
        self.write, self.is_closing = transport.write, transport.is_closing  # asked for every message

    def __getattr__(self, name: str) -> Any:  # whatever a transport has
        return getattr(self._transport, name)

    def get_extra_info(self, name: str, default: object = None) -> object:
        """Return what is known of the connection: of the client, and not of the server in between."""
        match name:
            case "socket":
                return None
            case "peername":
                return self._whom.address, self._whom.port
            case "sslcontext":
                return self._whom.https
            case _:
                return self._transport.get_extra_info(name, default)
