"""Forwarding: requests about a table of another server, asked there in the client's name; it reads neither."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Sequence
from typing import Final

import httptools
from starlette.requests import HTTPConnection, Request
from starlette.responses import JSONResponse, Response

from letitride.server.net.bodies import BOOKS_MAX
from letitride.server.runtime.introductions import Introduction, signed_line, verified
from letitride.server.runtime.machines import host_and_port
from letitride.server.tables.node_records import Node, TableElsewhere
from letitride.server.tables.nodes import Nodes

log = logging.getLogger(__name__)
PASSED: Final = "x-passed-on"
"""The header of a request that was passed on: it is answered where it comes to, and not passed on again."""
SECONDS_MAX: Final = 30.0
CONNECT_SECONDS: Final = 2.0
ANSWER_MAX: Final = 4 * BOOKS_MAX
AT_ONCE: Final = 256
"""Requests that are asked elsewhere at one time; others wait."""
PIECE: Final = 65_536
BETWEEN: Final = (
    "expected a table that a server looks after, got one that is moving between servers: try again in a moment"
)
_OF_ONE_LINE: Final = frozenset(
    {b"connection", b"keep-alive", b"transfer-encoding", b"content-length", b"expect", b"te", b"trailer", b"upgrade"}
)
"""Headers that are about a connection, and not about what is asked on it."""
_OURS: Final = frozenset({b"date", b"connection", b"transfer-encoding", b"content-length"})


class Forwarder:
    """What this server asks others for."""

    def __init__(self, nodes: Nodes, key: bytes, clock_ms: Callable[[], int]) -> None:
        self.nodes, self._key, self._clock_ms = nodes, key, clock_ms
        self._few = asyncio.Semaphore(AT_ONCE)

    def read(self, line: bytes) -> Introduction | None:
        """Return whom another server introduces to this one."""
        return verified(self._key, line, self.nodes.name, self._clock_ms())

    def introduction(self, node: Node, address: str, port: int, *, https: bool) -> bytes:
        """Return the line that introduces a client to another server."""
        whom = Introduction(to=node.name, address=address, port=port, https=https, at_ms=self._clock_ms())
        return signed_line(self._key, whom)

    async def open(self, node: Node) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        """Return a new connection to another server."""
        async with asyncio.timeout(CONNECT_SECONDS):
            return await asyncio.open_connection(*host_and_port(node.inner), limit=PIECE)

    async def answer(self, request: Request, elsewhere: TableElsewhere) -> Response:
        """Return the answer of the server that looks after a table, or that no server answers now."""
        if elsewhere.node is None or was_forwarded(request):
            return JSONResponse({"detail": str(elsewhere)}, 409)
        found = await self.ask(request, elsewhere.node, await request.body())
        return found or JSONResponse({"detail": BETWEEN}, 503, {"Retry-After": "1"})

    async def ask_all(self, request: Request, nodes: Sequence[Node] | None = None) -> list[Response]:
        """Return what other servers answer to the same request about their own tables; silent ones are left out.

        A request that was itself passed on is asked nowhere else.
        """
        if was_forwarded(request):
            return []
        asked = self.nodes.others if nodes is None else nodes
        body = await request.body()
        found = await asyncio.gather(*(self.ask(request, node, body) for node in asked))
        return [one for one in found if one is not None and one.status_code == 200]

    async def ask(self, request: Request, node: Node, body: bytes) -> Response | None:
        """Return what another server answers to a request; nothing if it does not."""
        try:
            async with self._few, asyncio.timeout(SECONDS_MAX):
                return await self._ask(request, node, body)
        except (OSError, TimeoutError, asyncio.IncompleteReadError, httptools.HttpParserError, _TooMuch) as error:
            log.warning("server %s at %s does not answer: %r", node.name, node.inner, error)
            return None

    async def _ask(self, request: Request, node: Node, body: bytes) -> Response:
        reader, writer = await self.open(node)
        try:
            writer.write(self._introduced(request, node) + head(request, len(body)) + body)
            await writer.drain()
            answer = _Answer()
            parser = httptools.HttpResponseParser(answer)
            while not answer.complete:
                piece = await reader.read(PIECE)
                if not piece:
                    raise ConnectionResetError("the connection ended before the answer did")
                parser.feed_data(piece)
            response = Response(bytes(answer.body), parser.get_status_code())
            kept = [(name, value) for name, value in answer.headers if name not in _OURS]
            response.raw_headers = [*kept, (b"content-length", str(len(answer.body)).encode())]
            return response
        finally:
            writer.transport.abort()

    def _introduced(self, request: Request, node: Node) -> bytes:
        host, port = request.client or ("", 0)
        return self.introduction(node, host, port, https=request.url.scheme == "https")


class _TooMuch(Exception):
    """A longer answer than any that is passed on."""


class _Answer:
    """An answer while it comes in."""

    def __init__(self) -> None:
        self.headers: list[tuple[bytes, bytes]] = []
        self.body, self.complete = bytearray(), False

    def on_header(self, name: bytes, value: bytes) -> None:
        self.headers.append((name.lower(), value))

    def on_body(self, body: bytes) -> None:
        self.body += body
        if len(self.body) > ANSWER_MAX:
            raise _TooMuch(f"more than {ANSWER_MAX:,} bytes")

    def on_message_complete(self) -> None:
        self.complete = True


def was_forwarded(connection: HTTPConnection) -> bool:
    """Whether another server asks for a client; a client that says so itself is merely sent nowhere else."""
    return PASSED in connection.headers


def head(request: Request, length: int) -> bytes:
    """Return the first lines of a request as they are sent on."""
    scope = request.scope
    query = b"?" + scope["query_string"] if scope["query_string"] else b""
    lines = [b" ".join((scope["method"].encode(), scope["raw_path"] + query, b"HTTP/1.1"))]
    lines += [name + b": " + value for name, value in scope["headers"] if name.lower() not in _OF_ONE_LINE]
    lines += [b"content-length: %d" % length, b"connection: close", PASSED.encode() + b": 1", b"", b""]
    return b"\r\n".join(lines)


def by_one_worker(request: Request) -> None:
    """Have one worker answer what is counted in memory, such as wrong passwords, and not each of them anew."""
    nodes: Nodes = request.app.state.forwarder.nodes
    first = min(nodes.pool_workers, key=lambda node: node.name, default=None)
    if first is not None and first.name < nodes.name and not was_forwarded(request):
        raise TableElsewhere("expected to be asked at another worker", first)
