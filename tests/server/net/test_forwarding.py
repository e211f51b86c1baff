"""Forwarding: who may introduce a client, and where a relay may put a frame of its own."""

from __future__ import annotations

import asyncio
import socket
from unittest.mock import Mock

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from websockets.frames import Frame, Opcode

from letitride.server.net.forwarding import PASSED
from letitride.server.net.internal_listener import WAITING_MAX, InternalListener
from letitride.server.net.relay import Frames
from letitride.server.net.socket_forwarding import table_of
from letitride.server.runtime.introductions import FRESH_MS, Introduction, signed_line, verified
from letitride.server.runtime.machines import host_and_port, is_loopback, this_machine
from letitride.server.tables.node_records import Node
from tests.server.inside import inside

KEY, OTHER = b"k" * 32, b"o" * 32
ONE = Introduction(to="n1", address="192.0.2.7", port=4711, https=True, at_ms=1_000_000)


def test_an_introduction_is_believed_by_the_server_it_is_for_with_the_houses_key_and_soon() -> None:
    line = signed_line(KEY, ONE).removesuffix(b"\n")
    assert ONE == verified(KEY, line, "n1", ONE.at_ms + FRESH_MS)
    assert verified(OTHER, line, "n1", ONE.at_ms) is None
    assert verified(KEY, line, "n2", ONE.at_ms) is None
    assert verified(KEY, line, "n1", ONE.at_ms + FRESH_MS + 1) is None
    assert verified(KEY, line, "n1", ONE.at_ms - FRESH_MS - 1) is None
    assert verified(KEY, line.replace(b"192.0.2.7", b"192.0.2.8"), "n1", ONE.at_ms) is None
    assert verified(KEY, b"GET / HTTP/1.1\r", "n1", ONE.at_ms) is None


class Line(asyncio.Transport):
    """A connection to the internal listener."""

    def __init__(self) -> None:
        super().__init__()
        self.is_gone = False

    def abort(self) -> None:
        self.is_gone = True

    def is_closing(self) -> bool:
        return self.is_gone

    def set_protocol(self, protocol: asyncio.BaseProtocol) -> None:
        pass


def test_however_many_strangers_wait_at_the_inner_door_a_server_of_the_house_gets_in() -> None:
    async def go() -> None:
        begun, waiting = Mock(), dict[InternalListener, None]()
        strangers = [Line() for _ in range(WAITING_MAX + 20)]
        for line in strangers:
            InternalListener(lambda _: None, Mock(), waiting).connection_made(line)
        assert [True] * 20 + [False] * WAITING_MAX == [line.is_gone for line in strangers]
        server, door = Line(), InternalListener(lambda line: ONE if line == b"one" else None, lambda: begun, waiting)
        door.connection_made(server)
        door.data_received(b"one\nGET")
        assert (False, WAITING_MAX - 1) == (server.is_gone, len(waiting))
        begun.data_received.assert_called_once_with(b"GET")
        for late in list(waiting):
            late.close_unheard()

    asyncio.run(go())


@given(st.lists(st.binary(max_size=300) | st.integers(60_000, 70_000).map(bytes), max_size=6), st.data())
def test_a_relay_knows_where_a_frame_of_the_server_ends(bodies: list[bytes], data: st.DataObject) -> None:
    head = b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\n\r\n"
    pieces = [head, *(Frame(Opcode.BINARY, body).serialize(mask=False) for body in bodies)]
    ends = {sum(map(len, pieces[: number + 1])) for number in range(len(pieces))}
    whole, frames, at = b"".join(pieces), Frames(), 0
    near = sorted({min(max(end + off, 1), len(whole)) for end in (0, *ends) for off in range(-3, 15)})
    cuts = data.draw(st.sets(st.sampled_from(near) | st.integers(1, len(whole)), max_size=40))
    assert not frames.is_between_frames
    for cut in sorted({*cuts, len(whole)}):
        frames.follow(whole[at:cut])
        at = cut
        assert frames.is_between_frames is (at in ends)


def test_passwords_are_tried_at_one_worker_and_who_cannot_reach_it_is_told_to_come_again() -> None:
    async def go() -> None:
        async with inside("t1") as here:
            await here.account("Boss", "administrator")
            nodes = here.house.nodes
            assert nodes.seen is not None
            wrong = {"name": "Boss", "password": "not the password"}
            with socket.socket() as taken:  # bound, and no one listens there
                taken.bind(("127.0.0.1", 0))
                mate = Node(name="", address="", until_ms=0, machine=this_machine(), pool="pool")
                mate = msgspec.structs.replace(mate, inner=f"127.0.0.1:{taken.getsockname()[1]}")
                for name, pool, status in (("0", "pool", 503), ("z", "pool", 403), ("0", "another", 403)):
                    nodes.pool = "pool"
                    there = msgspec.structs.replace(mate, name=name, pool=pool)
                    nodes.seen = msgspec.structs.replace(nodes.seen, nodes=[there])
                    told = await here.client().post("/api/login", json=wrong)
                    assert (status, "1" if status == 503 else None) == (
                        told.status_code,
                        told.headers.get("retry-after"),
                    )
                # What was passed on is answered here, no matter whose name is first.
                nodes.seen = msgspec.structs.replace(nodes.seen, nodes=[msgspec.structs.replace(mate, name="0")])
                told = await here.client().post("/api/login", json=wrong, headers={PASSED: "1"})
                assert told.status_code == 403

    asyncio.run(go())


@pytest.mark.parametrize(
    ("url", "table"),
    [
        (b"/api/tables/nsw-1/socket?ticket=x", "nsw-1"),
        (b"/api/tables/a%20b/socket", "a b"),
        (b"/api/tables/nsw-1/state", ""),
        (b"/api/tables/socket", ""),
        (b"/socket", ""),
    ],
)
def test_the_table_of_a_socket_is_in_its_address(url: bytes, table: str) -> None:
    assert table == table_of(url)


def test_a_server_on_another_machine_is_in_reach_only_by_an_address_that_leads_there() -> None:
    here = Node(name="n", address="", until_ms=0, inner="127.0.0.1:5", machine="")
    assert not here.is_reachable
    assert msgspec.structs.replace(here, inner="one:8766").is_reachable
    assert not msgspec.structs.replace(here, inner="").is_reachable
    assert [host_and_port(one) for one in ("one", "one:9", "[::1]:9", "::1", "[::1]")] == [
        ("one", 0),
        ("one", 9),
        ("::1", 9),
        ("::1", 0),
        ("::1", 0),
    ]
    assert [is_loopback(one) for one in ("127.0.0.9", "[::1]", "localhost", "one", "192.0.2.1")] == [
        True,
        True,
        True,
        False,
        False,
    ]
