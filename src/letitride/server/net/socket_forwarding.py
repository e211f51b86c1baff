"""Socket forwarding: a WebSocket for a table of another server goes on there; which server that is, the leases say."""

from __future__ import annotations

import asyncio
import logging
from asyncio.transports import Transport
from collections.abc import Awaitable, Callable
from typing import Final, Protocol
from urllib.parse import unquote

import uvicorn

from letitride.errors import LetItRideError
from letitride.server.net.connections import Connections
from letitride.server.net.forwarding import CONNECT_SECONDS, Forwarder
from letitride.server.net.relay import ClientEnd, ServerEnd
from letitride.server.runtime.machines import host_and_port
from letitride.server.tables.node_records import Node

log = logging.getLogger(__name__)
_TABLES: Final = "/api/tables/"
_SOCKET: Final = "/socket"


class PendingSocket(Protocol):
    """A connection on which a WebSocket is asked for, and nothing answered yet."""

    address: str
    client: tuple[str, int] | None
    transport: Transport

    @property
    def https(self) -> bool:
        """Whether it came by https."""

    def request_bytes(self) -> bytes:
        """Return the request as it came."""

    def hand_to_relay(self, outer: ClientEnd) -> None:
        """Let another protocol have the connection."""

    def detach(self) -> None:
        """Forget the connection, which another process has."""


Hand = Callable[[str, int, bytes], Awaitable[bool]]
"""Hands a connection, by the number of its file, with what was asked to the worker that is a node; whether it can."""


class SocketForwarder:
    """Which WebSockets go elsewhere, and how they get there."""

    def __init__(self, forwarder: Forwarder, connections: Connections, is_here: Callable[[str], bool]) -> None:
        self._forwarder, self._connections, self._is_here = forwarder, connections, is_here
        self.hand: Hand | None = None
        """How connections get to other workers of this machine, where there are any."""

    def may_be_elsewhere(self, url: bytes) -> bool:
        """Whether a WebSocket that is asked for may be at another server."""
        table_id = table_of(url)
        return bool(table_id) and not self._is_here(table_id)

    async def forward(self, asking: PendingSocket, url: bytes) -> bool:
        """Let a WebSocket go on at the server that looks after its table; whether there is one."""
        try:
            owner = await self._forwarder.nodes.owner(table_of(url))
        except LetItRideError:  # there is none: what to say of that, the route knows
            return False
        file = asking.transport.get_extra_info("socket") if self.hand is not None else None
        if (
            self.hand is not None
            and file is not None
            and await self.hand(owner.name, file.fileno(), asking.request_bytes())
        ):
            asking.detach()
            return True
        return owner.is_reachable and await self._relay(asking, owner)

    async def _relay(self, asking: PendingSocket, owner: Node) -> bool:
        loop = asyncio.get_running_loop()
        try:
            async with asyncio.timeout(CONNECT_SECONDS):
                beyond, inner = await loop.create_connection(ServerEnd, *host_and_port(owner.inner))
        except (OSError, TimeoutError) as error:
            log.warning("server %s at %s does not answer: %s", owner.name, owner.inner, error)
            return False
        outer = ClientEnd(self._connections, asking.address)
        inner.other, outer.other = outer, inner
        outer.connection_made(asking.transport)
        host, port = asking.client or ("", 0)
        beyond.write(self._forwarder.introduction(owner, host, port, https=asking.https) + asking.request_bytes())
        asking.hand_to_relay(outer)
        return True


def table_of(url: bytes) -> str:
    """Return the table whose WebSocket is at an address; nothing for another address."""
    path = url.partition(b"?")[0].decode("ascii", "replace")
    between = path.removeprefix(_TABLES).removesuffix(_SOCKET)
    return unquote(between) if path == f"{_TABLES}{between}{_SOCKET}" else ""


def socket_forwarder_of(config: uvicorn.Config) -> SocketForwarder | None:
    """Return what passes the WebSockets of an application on, if anything does."""
    found = getattr(getattr(config.app, "state", None), "socket_forwarder", None)
    return found if isinstance(found, SocketForwarder) else None
