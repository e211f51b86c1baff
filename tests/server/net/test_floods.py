"""Floods: what one connection or address brings is counted before it is parsed, and cut off where it is too much."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, cast

import httpx
import msgspec
import pytest
import uvicorn
from uvicorn.server import ServerState
from websockets.client import ClientProtocol
from websockets.frames import Close, Frame, Opcode
from websockets.uri import parse_uri

from letitride.server.net.bounded_http import BoundedHttp
from letitride.server.net.connections import Connections
from letitride.server.net.send_batching import SendBatching
from letitride.server.runtime.budgets import Budgets, within_files
from letitride.server.runtime.metrics import Metrics
from letitride.server.runtime.waiting_lines import Busy, Turn, WaitingLines
from tests.server.staffed import QUICK, asking, open_house, serving

HERE, THERE = "192.0.2.1", "192.0.2.2"
CHUNK = 256_000
"""As much as an event loop reads at once."""


class Wire(asyncio.Transport):
    """A transport that keeps what is written."""

    def __init__(self, host: str = HERE) -> None:
        super().__init__()
        self.written, self.closed, self.protocol = b"", False, cast("asyncio.BaseProtocol", None)
        self._host = host

    def get_extra_info(self, name: str, default: Any = None) -> Any:
        return {"peername": (self._host, 1), "sockname": ("127.0.0.1", 80)}.get(name, default)

    def write(self, data: Any) -> None:
        self.written += bytes(data)

    def close(self) -> None:
        self.closed = True

    def abort(self) -> None:
        self.closed = True

    def is_closing(self) -> bool:
        return self.closed

    def pause_reading(self) -> None: ...

    def resume_reading(self) -> None: ...

    def set_protocol(self, protocol: asyncio.BaseProtocol) -> None:
        self.protocol = protocol

    def get_protocol(self) -> asyncio.BaseProtocol:
        return self.protocol


class Door:
    """A server's connections, with a clock of the test's own and an application that answers at once or never."""

    def __init__(self, *, answers: bool = True, **budgets: float) -> None:
        self.now, self.metrics, self.answers = 0.0, Metrics(), answers
        self.proxies: frozenset[str] = frozenset()
        self.state = self
        given = msgspec.structs.replace(Budgets(), **budgets)
        self.connections = Connections(given, self.metrics, lambda: self.proxies, lambda: self.now)
        self.config = uvicorn.Config(cast("Any", self), log_level="critical", http=BoundedHttp, ws=SendBatching)
        self.served = ServerState()

    async def __call__(self, scope: Any, _: Any, send: Any) -> None:
        if scope["type"] == "websocket":
            await send({"type": "websocket.accept"})
        if not self.answers or scope["type"] == "websocket":
            await asyncio.Event().wait()
        await send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"0")]})
        await send({"type": "http.response.body", "body": b""})

    def __bool__(self) -> bool:
        return True

    def come(self, host: str = HERE) -> tuple[BoundedHttp, Wire]:
        """A new connection."""
        if not self.config.loaded:
            self.config.load()
            self.config.loaded_app = cast("Any", self)
        one, wire = BoundedHttp(self.config, self.served, {}, asyncio.get_running_loop()), Wire(host)
        wire.protocol = one
        one.connection_made(wire)
        return one, wire

    async def socket(self, host: str = HERE) -> tuple[SendBatching, Wire, ClientProtocol]:
        """A new WebSocket."""
        one, wire = self.come(host)
        client = ClientProtocol(parse_uri("ws://house/"))
        client.send_request(client.connect())
        one.data_received(b"".join(client.data_to_send()))
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        client.receive_data(wire.written)
        wire.written = b""
        return cast("SendBatching", wire.protocol), wire, client

    def cut_off(self, what: str) -> float:
        """How often something was cut off."""
        return self.metrics.registry.get_sample_value("letitride_cut_off_total", {"what": what}) or 0.0


@contextmanager
def over() -> Iterator[None]:
    """Let whatever still waits be over, without a word."""
    yield
    for task in asyncio.all_tasks() - {asyncio.current_task()}:
        task.cancel()


def frame(opcode: Opcode, data: bytes = b"", *, fin: bool = True) -> bytes:
    """A frame as a client sends it."""
    return Frame(opcode, data, fin=fin).serialize(mask=True)


def said(client: ClientProtocol, wire: Wire) -> tuple[list[Frame], Close | None]:
    """The frames that came back, and with what the connection was closed."""
    client.receive_data(wire.written)
    return [one for one in client.events_received() if isinstance(one, Frame)], client.close_rcvd


@pytest.mark.parametrize("kind", ["pings", "empty continuations", "empty messages", "unasked pongs"])
def test_a_socket_is_cut_off_after_so_many_frames_however_empty(kind: str) -> None:
    async def flood() -> None:
        door = Door(fragments_max=10**6)
        socket, wire, client = await door.socket()
        first, more = {
            "pings": (b"", frame(Opcode.PING)),
            "empty continuations": (frame(Opcode.TEXT, b"x", fin=False), frame(Opcode.CONT, fin=False)),
            "empty messages": (b"", frame(Opcode.BINARY)),
            "unasked pongs": (b"", frame(Opcode.PONG)),
        }[kind]
        many = CHUNK // len(more)
        socket.data_received(first + more * many)
        frames, closed = said(client, wire)
        assert (1008, "too many frames") == (closed and closed.code, closed and closed.reason)
        assert wire.closed
        burst = door.connections.budgets.frames_burst
        assert (
            max(len(socket.frames), sum(one.opcode is Opcode.PONG for one in frames), socket.queue.qsize() - 2) <= burst
        )
        assert 1 == door.cut_off("frames")
        wire.written = b""
        socket.data_received(more * many)  # what was on its way is not even looked at
        assert b"" == wire.written

    async def run() -> None:
        with over():
            await flood()

    asyncio.run(run())


@pytest.mark.parametrize(
    ("opcode", "data", "code"),
    [(None, b"", 1007), (Opcode.CLOSE, b"\x03\xe8", 1000), (Opcode.TEXT, b"\xff", 1007)],
    ids=["alone", "and an end", "twice"],
)
def test_a_text_that_is_none_ends_a_socket_without_a_word_in_the_log(
    opcode: Opcode | None, data: bytes, code: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    after = b"" if opcode is None else frame(opcode, data)

    async def talk() -> None:
        with over():
            socket, wire, client = await Door().socket()
            logged: list[str] = []
            monkeypatch.setattr(socket.logger, "exception", logged.append)
            socket.data_received(frame(Opcode.TEXT, b"\xbb", fin=False) + frame(Opcode.CONT, b"x") + after)
            _, closed = said(client, wire)
            assert wire.closed
            assert (code, []) == (closed and closed.code, logged)

    asyncio.run(talk())


def test_frames_come_again_with_time_and_a_message_has_so_many_fragments() -> None:
    async def talk() -> None:
        door = Door(frames_burst=10, frames_a_second=5)
        socket, wire, client = await door.socket()
        for _ in range(20):  # at the rate that is allowed
            socket.data_received(frame(Opcode.PING) * 5)
            door.now += 1
        frames, closed = said(client, wire)
        assert (100, None) == (sum(one.opcode is Opcode.PONG for one in frames), closed)
        socket, wire, client = await (door := Door()).socket()
        most = door.connections.budgets.fragments_max
        socket.data_received(frame(Opcode.TEXT, b"x", fin=False) + frame(Opcode.CONT, fin=False) * most)
        assert "too many fragments of one message" == (client.receive_data(wire.written), client.close_rcvd)[1].reason
        socket, wire, client = await (door := Door(socket_bytes_burst=1_000, socket_bytes_a_second=100)).socket()
        socket.data_received(frame(Opcode.TEXT, b"x" * 900))
        assert not wire.closed
        socket.data_received(frame(Opcode.TEXT, b"x" * 900))
        assert (True, 1) == (wire.closed, door.cut_off("bytes"))

    async def run() -> None:
        with over():
            await talk()

    asyncio.run(run())


def test_an_address_that_floods_by_many_sockets_loses_those_and_no_other() -> None:
    async def flood() -> None:
        door = Door(frames_burst=100, frames_a_second=1, frames_from_burst=165, frames_from_a_second=1)
        calm = await door.socket()
        elsewhere = await door.socket(THERE)
        floods = [await door.socket() for _ in range(4)]
        for socket, _, _ in floods:
            socket.data_received(frame(Opcode.PING) * 80)
        assert [False, False, True, True] == [wire.closed for _, wire, _ in floods]
        for socket, wire, client in (calm, elsewhere):
            socket.data_received(frame(Opcode.PING))
            assert [Opcode.PONG] == [one.opcode for one in said(client, wire)[0]]

    async def run() -> None:
        with over():
            await flood()

    asyncio.run(run())


REQUEST = b"GET / HTTP/1.1\r\nhost: house\r\n"


@pytest.mark.parametrize(
    "head",
    [
        REQUEST + b"x: " + b"a" * 100_000,
        REQUEST + b"x: " + b"a" * 40_000 + b"\r\n\r\n",
        REQUEST + b"a: b\r\n" * 200 + b"\r\n",
        b"GET /" + b"a" * 40_000 + b" HTTP/1.1\r\n\r\n",
        b"\r\n" * 50_000,
    ],
    ids=["one without end", "one that is too long", "too many", "a long address", "lines before the first"],
)
def test_headers_are_refused_where_they_are_too_much_and_nothing_more_is_kept(head: bytes) -> None:
    async def ask() -> None:
        door = Door()
        one, wire = door.come()
        fed = 0
        for start in range(0, len(head), 8_192):
            if wire.closed:
                break
            one.data_received(head[start : start + 8_192])
            fed += 8_192
        assert wire.closed
        assert fed <= door.connections.budgets.header_bytes_max + 2 * 8_192
        status, _, rest = wire.written.partition(b"\r\n")
        assert b"HTTP/1.1 431 Request Header Fields Too Large" == status
        sentence = "expected a request with 100 headers and 32,768 bytes before its body at most, got more"
        assert sentence == json.loads(rest.partition(b"\r\n\r\n")[2])["detail"]
        assert 1 == door.cut_off("headers")

    asyncio.run(ask())


def test_requests_that_wait_on_one_connection_are_few_and_bodies_end() -> None:
    async def ask() -> None:
        door = Door(answers=False, request_bytes_max=100_000)
        one, wire = door.come()
        one.data_received((REQUEST + b"\r\n") * 1_000)
        assert wire.closed
        assert len(one.pipeline) <= door.connections.budgets.pipelined_max
        one, wire = door.come()
        one.data_received(b"POST / HTTP/1.1\r\nhost: house\r\ncontent-length: 999999999\r\n\r\n")
        for _ in range(4):
            one.data_received(b"x" * 30_000)
        assert (True, 1) == (wire.closed, door.cut_off("bytes"))

    async def run() -> None:
        with over():
            await ask()

    asyncio.run(run())


def test_a_client_that_takes_too_long_is_cut_off() -> None:
    async def wait() -> None:
        door = Door(answers=False)
        budgets = door.connections.budgets
        silent, slow, body, busy, deaf = (door.come() for _ in range(5))
        slow[0].data_received(b"GET / HT")
        body[0].data_received(b"POST / HTTP/1.1\r\nhost: house\r\ncontent-length: 5\r\n\r\nab")
        busy[0].data_received(REQUEST + b"\r\n")
        deaf[0].data_received(REQUEST + b"\r\n")
        socket, wire, _ = await door.socket()
        closing = await door.socket()
        closing[1].closed = True  # and what was sent last is never read
        deaf[0].pause_writing()
        socket.pause_writing()

        def cut() -> list[bool]:
            door.connections.sweep()
            return [one[1].closed for one in (silent, slow, body, busy, deaf)] + [wire.closed]

        assert [False] * 6 == cut()
        door.now = budgets.header_seconds
        slow[0].data_received(b"TP")  # a byte now and then is no headers
        door.now += 0.1
        assert [True, True, False, False, False, False] == cut()
        assert (2, 0) == (door.cut_off("headers"), door.cut_off("closing"))
        door.now = budgets.unread_seconds + 0.1
        assert [True, True, False, False, True, True] == cut()
        assert (2, 1) == (door.cut_off("unread"), door.cut_off("closing"))
        door.now = budgets.body_seconds + 0.1
        assert [True, True, True, False, True, True] == cut()
        assert 1 == door.cut_off("body")

    async def run() -> None:
        with over():
            await wait()

    asyncio.run(run())


def test_idle_connections_make_room_for_newcomers_and_sockets_are_kept() -> None:
    async def come() -> None:
        door = Door(waiting_from_max=20, waiting_max=30, sockets_from_max=2, sockets_max=3)
        sockets = [await door.socket(), await door.socket()]
        idle = [door.come() for _ in range(100)]
        assert [True] * 80 + [False] * 20 == [wire.closed for _, wire in idle]
        newcomer, wire = door.come()
        newcomer.data_received(REQUEST + b"\r\n")
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        assert wire.written.startswith(b"HTTP/1.1 200")
        others = [door.come(THERE) for _ in range(15)]  # room for all is made by the address with the most
        assert not any(other.closed for _, other in others)
        assert 30 + len(sockets) == len(door.connections)
        assert not any(wire.closed for _, wire, _ in sockets)
        third, wire = door.come()
        client = ClientProtocol(parse_uri("ws://house/"))
        client.send_request(client.connect())
        third.data_received(b"".join(client.data_to_send()))
        assert wire.written.startswith(b"HTTP/1.1 503")
        await door.socket(THERE)
        assert 3 + 29 == len(door.connections)
        for one, _, _ in sockets:
            one.connection_lost(None)
        assert not (await door.socket())[1].closed

    async def run() -> None:
        with over():
            await come()

    asyncio.run(run())


def test_a_busy_connection_makes_no_room_and_a_trusted_proxy_speaks_for_many() -> None:
    async def come() -> None:
        door = Door(answers=False, waiting_from_max=3)
        busy = [door.come() for _ in range(3)]
        for one, _ in busy:
            one.data_received(REQUEST + b"\r\n")
        assert door.come()[1].closed
        assert not any(wire.closed for _, wire in busy)
        assert 1 == door.cut_off("connections")
        door.proxies = frozenset({THERE})
        assert not any(door.come(THERE)[1].closed for _ in range(10))

    async def run() -> None:
        with over():
            await come()

    asyncio.run(run())


def test_only_so_many_requests_of_an_address_are_begun_at_one_time() -> None:
    async def ask() -> None:
        door = Door(answers=False, requests_from_max=4, turn_seconds=60)
        here = [door.come() for _ in range(10)]
        for one, _ in here:
            one.data_received((REQUEST + b"\r\n") * 3)
        socket, wire = door.come()
        client = ClientProtocol(parse_uri("ws://house/"))
        client.send_request(client.connect())
        socket.data_received(b"".join(client.data_to_send()))
        assert 4 == len(door.served.tasks)
        door.come(THERE)[0].data_received(REQUEST + b"\r\n")
        assert 5 == len(door.served.tasks)
        assert wire.protocol is socket  # it is no WebSocket before its turn
        for one, gone in here[4:9]:  # one that goes while waiting is not begun
            gone.close()
            one.connection_lost(None)
        here[0][0].connection_lost(None)
        assert 6 == len(door.served.tasks)
        here[1][0].connection_lost(None)
        assert 7 == len(door.served.tasks)
        assert wire.protocol is not socket
        door = Door(answers=False, requests_from_max=1, turn_seconds=0)
        for _ in range(3):
            door.come()[0].data_received(REQUEST + b"\r\n")
        while len(door.served.tasks) < 3:  # what takes long makes no one wait
            await asyncio.sleep(0)

    async def run() -> None:
        with over():
            await ask()

    asyncio.run(run())


def test_one_who_was_worked_on_for_too_long_waits_while_others_are_there_and_only_then() -> None:
    async def ask() -> None:
        now = 0.0
        for others in (False, True):
            lines = WaitingLines(Busy(0.0, 1e-9, lambda: now))  # any time at all is too long
            begun: list[Turn] = []

            def begin(turn: Turn, begun: list[Turn] = begun) -> bool:
                begun.append(turn)
                return True

            if others:
                lines.note("ben")
            for _ in range(2):
                lines.ask("ann", 1, 60.0, begin)
            begun[0].end()
            assert (1 if others else 2) == len(begun)
            lines.ask("ben", 1, 60.0, begin)
            assert "ben" == begun[-1].whose

    asyncio.run(ask())


def test_budgets_fit_in_the_files_a_process_may_open() -> None:
    ours = Budgets()
    assert ours is within_files(ours, 20_000)
    small = within_files(ours, 1_024)
    assert 824 == small.sockets_max + small.waiting_max
    assert 329 == small.waiting_max


def test_requests_of_one_asker_are_answered_so_many_at_a_time_and_no_one_is_forgotten() -> None:
    async def wait() -> None:
        lines, ways = WaitingLines(), (2, 2, 60.0)
        ann = [await lines.enter("ann", *ways) for _ in range(2)]
        waiting = [asyncio.ensure_future(lines.enter("ann", *ways)) for _ in range(2)]
        await asyncio.sleep(0)
        assert await lines.enter("ann", *ways) is None
        ben = await lines.enter("ben", *ways)
        waiting[0].cancel()  # and is gone before the turn comes
        await asyncio.sleep(0)
        assert ann[0] is not None
        ann[0].end()
        ann[0].end()  # twice is once
        for turn in (ann[1], ben, await waiting[1]):
            assert turn is not None
            turn.end()
        assert 0 == len(lines)
        assert await lines.enter("ann", 1, 1, 0.0) is not None  # it ends by itself
        assert await lines.enter("ann", 1, 1, 60.0) is not None

    asyncio.run(wait())


def test_over_a_network_a_flood_gets_its_answer_and_newcomers_theirs() -> None:
    """The same by real sockets: heads without end are refused, frames without end are cut, and the house answers on."""

    async def flood() -> None:
        async with open_house(pace=QUICK) as house:
            house.budgets = msgspec.structs.replace(house.budgets, waiting_from_max=30)
            async with serving(house) as base, httpx.AsyncClient(base_url=base, timeout=60) as client:
                host, port = base.removeprefix("http://").split(":")
                idle = [await asyncio.open_connection(host, port) for _ in range(60)]
                reader, writer = await asyncio.open_connection(host, port)
                writer.write(REQUEST + b"x: " + b"a" * 100_000)
                assert b"HTTP/1.1 431 Request Header Fields Too Large\r\n" == await reader.readline()
                assert 200 == (await client.get("/healthz")).status_code
                assert b"" == await idle[0][0].read()
                for _, one in (*idle, (reader, writer)):
                    one.transport.abort()

    asyncio.run(flood())


def test_a_session_gets_so_many_answers_at_a_time() -> None:
    async def ask() -> None:
        async with open_house(pace=QUICK) as house, asking(house, "Ann") as client:
            house.budgets = msgspec.structs.replace(house.budgets, requests_of_max=1, requests_waiting_max=2)
            found = await asyncio.gather(*(client.get("/api/me") for _ in range(6)))
            codes = sorted(one.status_code for one in found)
            assert [200, 200, 200, 429, 429, 429] == codes
            assert 200 == (await client.get("/api/me")).status_code

    asyncio.run(ask())
