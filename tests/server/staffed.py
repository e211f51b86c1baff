"""Staffed: a house in the test's own process: real tables, a real store, real viewers, and clocks as short as a test needs."""

from __future__ import annotations

import asyncio
import json
import socket
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from functools import partial
from itertools import count
from typing import Any

import httpx
import msgspec
import uvicorn

from letitride.engine.state import Table
from letitride.rules.roles import AccountRole
from letitride.server.app import UVICORN, create
from letitride.server.net.access import COOKIE
from letitride.server.net.sockets import Viewer
from letitride.server.people.accounts import Person
from letitride.server.people.names import key_of
from letitride.server.runtime.pace import Pace
from letitride.server.tables.house import House
from letitride.server.tables.room import Room
from letitride.storage.roles.stores import Stores
from letitride.storage.urls import open_store

QUICK = Pace(step=0, bets=0, choice=0, share=0, grace=60, retry=0, patience=60)
PATIENT = Pace(step=0, bets=1000, choice=1000, share=0, grace=1000, retry=0, patience=60)
MONEY = 100_000
IDS = count(1)


@asynccontextmanager
async def open_house(
    *books: str, pace: Pace = QUICK, store: Stores | None = None, bots: int = 0, node: str = "one"
) -> AsyncIterator[House]:
    """A house with tables by some books; those that its store knows already are found again."""
    kept = store or open_store("memory:")
    house = House(kept, node=node, pace=pace, bots=bots)
    known = {record.id for record in kept.tables.all()}
    await house.start(demo=False)
    for book in books:
        if book not in known:
            await house.open(book, book, book)
    try:
        yield house
    finally:
        await house.close()


class Visitor:
    """Someone at a table, by the same viewer as over a network."""

    def __init__(self, room: Room, name: str, *roles: AccountRole, role: str = "") -> None:
        self.room, self.name = room, name
        self.viewer = Viewer(room, Person(name=name, roles=roles or ("player",)), role)
        self.viewer.enter()
        self._sent = 0

    async def say(self, **message: Any) -> dict[str, Any]:
        """Send a message; return its answer."""
        self._sent += 1
        answer = await self.viewer.take(json.dumps(message), 10.0 * self._sent)
        return {} if answer is None else msgspec.to_builtins(answer)

    async def ask(self, type_: str, /, id_: str = "", version: int | None = None, **fields: Any) -> dict[str, Any]:
        """Send a command; return its answer."""
        name = id_ or f"id-{next(IDS)}"
        meant = {} if version is None else {"version": version}
        return await self.say(type="command", id=name, command={"type": type_, **fields}, **meant)

    def leave(self) -> None:
        """Be gone."""
        self.viewer.leave()


async def seated(house: House, room: Room, seat: int, name: str = "") -> Visitor:
    """Return someone who sits at a seat with chips."""
    name = name or f"Guest-{seat}"
    await house.committer.run(lambda: house.stores.wallets.fund(name, MONEY, "test", at=1, who="test"))
    visitor = Visitor(room, name)
    answer = await visitor.ask("Sit", seat=seat, player="", cents=50_000)
    assert answer["accepted"], answer
    return visitor


def base(cents: int = 500) -> dict[str, int]:
    """Three equal bets."""
    return {"base-1": cents, "base-2": cents, "base-$": cents}


async def until(room: Room, holds: Callable[[Table], bool], seconds: float = 50.0) -> Table:
    """Wait until a table is so."""
    async with asyncio.timeout(seconds):
        while True:
            changed = room.host.changed
            if holds(room.table):
                return room.table
            assert not room.host.halted, room.host.halted
            await changed.wait()


async def betting(room: Room) -> Table:
    """Wait until bets are taken; where the first player has to look the deck over, they do."""

    def ready(table: Table) -> bool:
        return table.phase == "betting" or asked(table, "await_inspection")

    table = await until(room, ready)
    if table.next_step is not None and table.next_step.kind == "await_inspection":
        seat = table.next_step.seat
        await Visitor(room, table.seats[seat].player).ask("LookOver", seat=seat)
    return await until(room, lambda table: table.phase == "betting")


def asked(table: Table, kind: str, seat: int = 0, number: int = 0) -> bool:
    """Whether the table waits for something of a player."""
    step = table.next_step
    return step is not None and step.kind == kind and seat in {0, step.seat} and number in {0, step.number}


async def comes(room: Room, holds: Callable[[], bool], seconds: float = 50.0) -> None:
    """Wait until something around a table is so: looked at whenever the table moves or says something new."""
    rung, (on_change, on_news) = asyncio.Event(), (room.host.on_change, room.on_news)

    def ring(tell: Callable[[], None]) -> None:
        tell()
        rung.set()

    room.host.on_change, room.on_news = partial(ring, on_change), partial(ring, on_news)
    try:
        async with asyncio.timeout(seconds):
            while not holds():
                await rung.wait()
                rung.clear()
    finally:
        room.host.on_change, room.on_news = on_change, on_news


@asynccontextmanager
async def asking(house: House, name: str = "", *roles: AccountRole) -> AsyncIterator[httpx.AsyncClient]:
    """A client of the house's HTTP interface, with the session of someone in some roles."""
    app = create(house, demo=False)  # its lifespan does not run: the house is open already
    cookies = {}
    if name:
        cookies[COOKIE] = await session(house, name, *roles)
    transport = httpx.ASGITransport(app=app)
    async with httpx.AsyncClient(transport=transport, base_url="http://house", cookies=cookies) as client:
        yield client


class Server(uvicorn.Server):
    """A server that says when it listens."""

    def __init__(self, config: uvicorn.Config) -> None:
        super().__init__(config)
        self.up = asyncio.Event()

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Listen, and say so."""
        await super().startup(sockets)
        self.up.set()


@asynccontextmanager
async def serving(house: House, log_level: str = "error") -> AsyncIterator[str]:
    """The house on a real port; the address."""
    config = uvicorn.Config(create(house, demo=False), port=0, log_level=log_level, lifespan="off", **UVICORN)
    server = Server(config)
    task = asyncio.create_task(server._serve())
    await server.up.wait()
    port = server.servers[0].sockets[0].getsockname()[1]
    try:
        yield f"http://127.0.0.1:{port}"
    finally:
        server.should_exit = True
        await task


async def session(house: House, name: str, *roles: AccountRole) -> str:
    """The cookie of someone in some roles."""
    person = Person(name=name, roles=roles or ("player",))
    house.stores.documents.put("person", key_of(name), msgspec.json.encode(person), 0)
    return await house.people.sessions.begin(name)
