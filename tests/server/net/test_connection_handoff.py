"""Connection hand-off: a connection that one worker accepted goes on at another, and nothing on it is lost."""

from __future__ import annotations

import asyncio
import socket
from asyncio.transports import BaseTransport, Transport
from pathlib import Path
from typing import cast

from letitride.server.net.bounded_http import BoundedHttp
from letitride.server.net.connection_handoff import ConnectionHandoff
from letitride.server.runtime.worker_slot import WorkerSlot


class Taken(asyncio.Protocol):
    """What the other worker has."""

    passed_on = False

    def __init__(self) -> None:
        self.came = b""
        self.more = asyncio.Event()
        self.transport: Transport | None = None

    def connection_made(self, transport: BaseTransport) -> None:
        self.transport = cast("Transport", transport)

    def data_received(self, data: bytes) -> None:
        self.came += data
        self.more.set()


def test_a_connection_is_handed_to_another_worker_and_to_none_that_is_not_there(tmp_path: Path) -> None:
    async def go() -> None:
        ends = socket.socketpair()
        places = [WorkerSlot(node=node, folder=tmp_path, line=end) for node, end in zip("ab", ends, strict=True)]
        one, other = map(ConnectionHandoff, places)
        taken = Taken()
        other.listen(lambda: cast("BoundedHttp", taken))
        with socket.create_server(("127.0.0.1", 0)) as door:
            reader, writer = await asyncio.open_connection(*door.getsockname())
            accepted, address = door.accept()
        asked = b"GET /api/tables/t/socket HTTP/1.1\r\n" + b"x" * 40_000
        assert not await one.hand("c", accepted.fileno(), asked)
        assert await one.hand("b", accepted.fileno(), asked)
        accepted.close()  # it is the other's now
        await taken.more.wait()
        assert (taken.came, taken.passed_on) == (asked, True)
        assert taken.transport is not None
        assert taken.transport.get_extra_info("peername") == address
        taken.more.clear()
        writer.write(b"frame")
        await taken.more.wait()
        taken.transport.write(b"answer")
        assert await reader.readexactly(6) == b"answer"
        taken.transport.close()
        assert await reader.read() == b""
        other.close()
        assert not await one.hand("b", ends[0].fileno(), asked)
        one.close()
        writer.close()
        for end in ends:
            end.close()

    asyncio.run(go())
