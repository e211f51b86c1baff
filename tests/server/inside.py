"""Inside: a house without a network, on a clock that stands until it is moved; asked by HTTP and by table commands."""

from __future__ import annotations

import json
import secrets
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import httpx
import msgspec
from fastapi import FastAPI

from letitride.rules.roles import AccountRole
from letitride.server.app import create
from letitride.server.net.sockets import Viewer
from letitride.server.people.accounts import Person
from letitride.server.tables.house import House, Pace
from letitride.storage.memory.opening import memory_stores
from letitride.storage.roles.stores import Stores
from tests.server.guest import COOKIE

PASSWORD = "a long password"  # noqa: S105 - of no one
START_MS = 1_800_000_000_000
MINUTE_MS = 60_000
HOUR_MS = 60 * MINUTE_MS
DAY_MS = 24 * HOUR_MS


class Inside:
    """A house, its application and its clock."""

    def __init__(self, house: House, app: FastAPI) -> None:
        self.house, self.app, self.now_ms = house, app, START_MS
        house.clock_ms = lambda: self.now_ms
        self._clients: list[httpx.AsyncClient] = []

    def client(self, cookie: str = "", *, address: str = "192.0.2.1", base: str = "http://house") -> httpx.AsyncClient:
        """Someone's browser."""
        transport = httpx.ASGITransport(self.app, client=(address, 1))
        client = httpx.AsyncClient(transport=transport, base_url=base)
        if cookie:
            client.cookies.set(COOKIE, cookie)
        self._clients.append(client)
        return client

    async def guest(self) -> tuple[httpx.AsyncClient, Person]:
        """A new guest."""
        client = self.client()
        name = (await client.post("/api/guest")).json()["name"]
        return client, self.house.people.find(name)

    async def account(self, name: str, *roles: AccountRole, cents: int = 0) -> tuple[httpx.AsyncClient, Person]:
        """A new account, logged in."""
        person = await self.house.people.register(name, PASSWORD, ("player", *roles))
        if cents:
            await self.house.wallets.deposit(person, cents, f"first-{name}", "a beginning", "house")
        return self.client(await self.house.people.sessions.begin(name)), person

    async def act(self, person: Person, table: str, command: dict[str, Any], command_id: str = "") -> dict[str, Any]:
        """Give a command at a table, as over a WebSocket."""
        frame = {"type": "command", "id": command_id or secrets.token_hex(8), "command": command}
        answer = await Viewer(self.house.room(table), person).take(json.dumps(frame), 0.0)
        assert answer is not None
        told: dict[str, Any] = msgspec.to_builtins(answer)
        return told

    async def sit(self, person: Person, table: str = "t1", cents: int = 10_000, seat: int = 0) -> dict[str, Any]:
        """Take the first free seat."""
        seats = self.house.room(table).table.seats
        free = seat or next(number for number, one in seats.items() if not one.player)
        return await self.act(person, table, {"type": "Sit", "seat": free, "player": "", "cents": cents})

    async def leave(self, person: Person, table: str = "t1") -> dict[str, Any]:
        """Leave a table."""
        return await self.act(person, table, {"type": "Leave", "seat": self.house.room(table).seat_of(person.name)})

    async def close(self) -> None:
        """Close everything."""
        for client in self._clients:
            await client.aclose()
        await self.house.close()

    def audited(self) -> list[tuple[str, str]]:
        """Who did what."""
        return [(row.who, row.what) for row in self.house.stores.audit.rows()]


@asynccontextmanager
async def inside(*tables: str, store: Stores | None = None) -> AsyncIterator[Inside]:
    """A house with some tables, all by the same book."""
    house = House(store or memory_stores(), node=secrets.token_hex(4), pace=Pace(step=0.0, share=0.0))
    one = Inside(house, create(house, demo=False))
    await house.start(demo=False)
    for table in tables:
        if table not in house.rooms:
            await house.open(table, f"Table {table}", "hand-dealt-1")
    try:
        yield one
    finally:
        await one.close()
