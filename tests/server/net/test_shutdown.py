"""Shutdown: every WebSocket is counted, told when the house closes, and let go even if it does not read."""

from __future__ import annotations

import asyncio
from typing import Any

from starlette.types import Message, Receive, Scope, Send

from letitride.server.net.shutdown import SECONDS_TO_LEAVE, OpenSockets, ShutdownMiddleware
from letitride.server.runtime.metrics import Metrics


class Client:
    """The far end of a connection; one that is stuck takes nothing any more."""

    def __init__(self, *, stuck: bool) -> None:
        self.stuck, self.got = stuck, list[Message]()

    async def send(self, message: Message) -> None:
        if self.stuck:
            await asyncio.Event().wait()
        self.got.append(message)

    async def receive(self) -> Message:
        await asyncio.Event().wait()
        raise AssertionError


async def application(_: Scope, receive: Receive, send: Send) -> None:
    await send({"type": "websocket.send", "bytes": b'{"type":"view","view":{}}'})
    await receive()


def test_all_are_told_and_a_client_that_does_not_read_is_let_go() -> None:
    async def live() -> None:
        metrics = Metrics()
        open_sockets = OpenSockets(metrics)
        served = ShutdownMiddleware(application, open_sockets)
        clients = [Client(stuck=stuck) for stuck in (False, True, False)]
        scope: dict[str, Any] = {"type": "websocket"}
        serving = [asyncio.create_task(served(scope, one.receive, one.send)) for one in clients]
        await asyncio.sleep(0)
        assert 3 == metrics.sockets._value.get()
        loop = asyncio.get_running_loop()
        began = loop.time()
        await open_sockets.close()
        await asyncio.wait_for(asyncio.gather(*serving), 60)  # no one ends in an error
        assert loop.time() - began >= SECONDS_TO_LEAVE  # one was waited for
        assert [[1001], [], [1001]] == [[one["code"] for one in client.got if "code" in one] for client in clients]
        assert 0 == metrics.sockets._value.get()
        late = Client(stuck=False)
        await served(scope, late.receive, late.send)
        assert ["websocket.close"] == [one["type"] for one in late.got]

    asyncio.run(live())


def test_a_cancelled_connection_is_cancelled_while_the_house_is_open() -> None:
    async def live() -> bool:
        served = ShutdownMiddleware(application, OpenSockets(Metrics()))
        one = Client(stuck=False)
        serving = asyncio.create_task(served({"type": "websocket"}, one.receive, one.send))
        await asyncio.sleep(0)
        serving.cancel()
        await asyncio.gather(serving, return_exceptions=True)
        return serving.cancelled()

    assert asyncio.run(live())
