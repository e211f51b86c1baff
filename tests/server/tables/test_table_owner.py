"""Table owner: all who wait for a command get its answer, even if others have gone; and the way a message takes out."""

from __future__ import annotations

import asyncio
import gc
import weakref
from typing import Any

import pytest
import uvicorn
from uvicorn.server import ServerState
from websockets.client import ClientProtocol
from websockets.frames import Frame
from websockets.uri import parse_uri

from letitride.engine import commands
from letitride.server.net.send_batching import EXTENSION, SendBatching
from letitride.server.runtime.requests import Answer, TableHalted
from letitride.server.tables.room import Room
from tests.server.staffed import PATIENT, open_house, seated

BUY = commands.BuyChips(by="seat:1", seat=1, cents=100)


def hold_the_writer(room: Room) -> tuple[asyncio.Event, asyncio.Event]:
    """Let nothing of a table be written before the second event is set; the first says that something waits for it."""
    held, go, commit = asyncio.Event(), asyncio.Event(), room.house.committer.commit

    async def later(write: Any) -> Any:
        held.set()
        await go.wait()
        return await commit(write)

    room.house.committer.commit = later
    return held, go


def test_one_who_sends_a_command_again_is_answered_though_the_first_connection_is_gone() -> None:
    async def ask() -> None:
        async with open_house("nsw-1", pace=PATIENT) as house:
            room = house.room("nsw-1")
            await seated(house, room, 1, "Ann")
            stack = room.table.cents("stack:1")
            held, go = hold_the_writer(room)
            first = asyncio.create_task(room.submit("Ann", "one", BUY, said="this"))
            again = asyncio.create_task(room.submit("Ann", "one", BUY, said="this"))
            await asyncio.wait_for(held.wait(), 60)
            first.cancel()
            await asyncio.gather(first, return_exceptions=True)
            assert first.cancelled()
            go.set()
            assert (await asyncio.wait_for(again, 60)).accepted
            assert room.table.cents("stack:1") == stack + 100  # once

    asyncio.run(ask())


def test_a_table_that_closes_tells_those_who_wait_and_those_who_ask_again() -> None:
    async def ask() -> None:
        async with open_house("nsw-1", pace=PATIENT) as house:
            room = house.room("nsw-1")
            await seated(house, room, 1, "Ann")
            held, go = hold_the_writer(room)
            waiting: asyncio.Task[Answer] = asyncio.create_task(room.submit("Ann", "one", BUY, said="this"))
            await asyncio.wait_for(held.wait(), 60)
            room.host.halted = "the store is gone"
            await asyncio.wait_for(room.host.close(), 60)
            with pytest.raises(TableHalted):
                await asyncio.wait_for(waiting, 60)
            with pytest.raises(TableHalted):
                await asyncio.wait_for(room.submit("Ann", "one", BUY, said="this"), 60)
            go.set()

    asyncio.run(ask())


def test_a_table_that_several_close_at_once_answers_all_of_them_and_those_who_wait_for_a_turn() -> None:
    async def ask() -> None:
        async with open_house("nsw-1", pace=PATIENT) as house:
            host = house.room("nsw-1").host
            turns = [host.run_between_commands(lambda: asyncio.sleep(0)) for _ in range(8)]
            asked = asyncio.gather(*(host.close() for _ in range(8)), *turns, return_exceptions=True)
            answers = await asyncio.wait_for(asked, 60)
            assert [None] * 8 == answers[:8]
            assert all(one is None or isinstance(one, TableHalted) for one in answers[8:])

    asyncio.run(ask())


class Wire(asyncio.Transport):
    """The near end of a connection: keeps every write as it was made."""

    def __init__(self) -> None:
        super().__init__({"peername": ("127.0.0.1", 1), "sockname": ("127.0.0.1", 2)})
        self.writes: list[bytes] = []
        self.closed, self.written = False, asyncio.Event()

    def write(self, data: Any) -> None:
        self.writes.append(bytes(data))
        self.written.set()

    def is_closing(self) -> bool:
        return self.closed

    def close(self) -> None:
        self.closed = True


def test_messages_of_one_moment_leave_in_one_write_and_all_of_them_before_the_close() -> None:
    async def application(scope: Any, receive: Any, send: Any) -> None:
        put = scope["extensions"][EXTENSION].put
        await receive()
        await send({"type": "websocket.accept"})
        await put(b"an answer")
        await put(b"a view")
        await asyncio.sleep(0.01)
        await put(b"a later view")
        await send({"type": "websocket.close", "code": 1001})

    async def connect() -> None:
        config = uvicorn.Config(application, ws=SendBatching, log_level="critical")
        config.load()
        served, wire, client = SendBatching(config, ServerState(), {}), Wire(), ClientProtocol(parse_uri("ws://house/"))
        served.connection_made(wire)
        client.send_request(client.connect())
        served.data_received(b"".join(client.data_to_send()))
        async with asyncio.timeout(60):
            while len(wire.writes) < 3:
                await wire.written.wait()
                wire.written.clear()
        seen: list[list[bytes]] = []
        for write in wire.writes:
            client.receive_data(write)
            seen.append([event.data for event in client.events_received() if isinstance(event, Frame)])
        assert seen[:2] == [[], [b"an answer", b"a view"]]
        assert seen[2][0] == b"a later view"
        assert (len(seen), client.close_rcvd and client.close_rcvd.code) == (3, 1001)
        served.data_received(b"".join(client.data_to_send()))
        served.connection_lost(None)
        gone = asyncio.Event()
        weakref.finalize(served, gone.set)
        gc.disable()  # one who goes leaves nothing for the collector, which comes seldom
        try:
            del served
            await asyncio.wait_for(gone.wait(), 60)
        finally:
            gc.enable()

    asyncio.run(connect())
