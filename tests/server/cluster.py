"""Cluster: several real servers of one house on one PostgreSQL, and guests who travel between them."""

from __future__ import annotations

import asyncio
import json
import os
import random
import secrets
import signal
import time
from collections.abc import Callable, Coroutine, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx
import psycopg
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, WebSocketException

from letitride.storage.sql.postgres import SCHEMA
from tests.cli.forked import Forked
from tests.server.conftest import Server
from tests.server.guest import COOKIE, PATIENCE, Guest

LEASE_MS = 3_000
"""Longer than a server stands still on a busy machine: else another takes its tables, as it should."""
WAIT_SECONDS = 300.0
"""A slow machine takes its time; nothing waits for as long."""
GONE = (WebSocketException, OSError, TimeoutError, httpx.TransportError)


class Node(Server):
    """One server of the house."""

    workers = 1

    def spawn(self) -> None:
        """Start it, and wait for nothing."""
        self.folder.mkdir(exist_ok=True)
        paces = ["--pace", "0.01", "--pace-bets", "0.2", "--pace-decision", "3"]
        (self.folder / "house.toml").write_text("[rates]\nchips_of = 6000\n", encoding="utf-8")  # they lose a lot
        where = ["--port", str(self.port), "--address", self.base, "--db", self.address, "--no-browser"]
        where += ["--workers", str(self.workers)]
        where += ["--config", str(self.folder / "house.toml")]
        environ = {
            **os.environ,
            "LETITRIDE_DATA_DIR": str(self.folder),
            "LETITRIDE_DECK_KEY": str(self.folder.parent / "house.key"),  # one for all servers of the house
            "LETITRIDE_LEASE_MS": str(LEASE_MS),
        }
        self.process = Forked(["serve", *where, *paces], self.folder / "server.log", environ)

    @property
    def alive(self) -> bool:
        """Whether the process runs."""
        return self.process is not None and self.process.poll() is None

    def send(self, number: int) -> None:
        """Send it a signal."""
        assert self.process is not None
        self.process.send_signal(number)

    def kill(self) -> None:
        """Kill it, and wait until it is dead."""
        self.stop(signal.SIGKILL)


class Cluster:
    """The servers of one house."""

    def __init__(self, folder: Path, database: str) -> None:
        self.folder, self.database = folder, database
        self.nodes: list[Node] = []
        self._asking: psycopg.Connection[Any] | None = None

    def start(self, many: int) -> list[Node]:
        """Start so many at once, and wait until each of them shows all tables."""
        new = [self.spawn() for _ in range(many)]
        wait_for(lambda: all(map(shows_all, new)), self.told)
        return new

    def spawn(self) -> Node:
        """Start one more, and wait for nothing."""
        self.nodes.append(Node(self.folder / f"node{len(self.nodes)}", self.database))
        self.nodes[-1].spawn()
        return self.nodes[-1]

    @property
    def living(self) -> list[Node]:
        """Those that run."""
        return [node for node in self.nodes if node.alive]

    def told(self) -> str:
        """What the servers had to say."""
        logs = [path.read_text(encoding="utf-8") for path in sorted(self.folder.glob("*/server.log"))]
        return "\n".join(line for log in logs for line in log.splitlines()[3:])  # without what each says at first

    def owners(self) -> dict[str, tuple[str, int]]:
        """Return where each table is now, and under which epoch, by the database."""
        query = f"SELECT id, address, epoch, until_ms FROM {SCHEMA}.game_tables WHERE state = 'open' ORDER BY id"  # noqa: S608 - our own name
        if self._asking is None or self._asking.closed:  # one for all the times it is asked while something is awaited
            self._asking = psycopg.connect(self.database, autocommit=True)
        try:
            ((now,),) = self._asking.execute("SELECT extract(epoch FROM clock_timestamp()) * 1000").fetchall()
            found = self._asking.execute(query).fetchall()
        except psycopg.OperationalError:  # the database was away meanwhile
            self._asking.close()
            return self.owners()
        return {table: (address if until > now else "", epoch) for table, address, epoch, until in found}

    def at(self, node: Node) -> set[str]:
        """The tables of a node."""
        return {table for table, (address, _) in self.owners().items() if address == node.base}

    def close(self) -> None:
        """End what is left of it."""
        if self._asking is not None:
            self._asking.close()
        for node in self.living:
            node.kill()


def shows_all(node: Node) -> bool:
    """Whether a node answers, and its lobby has all tables."""
    try:
        return len(node.tables()) == 5
    except (httpx.TransportError, ValueError):
        return False


def wait_for(so: Callable[[], bool], told: Callable[[], str] = str, seconds: float = WAIT_SECONDS) -> float:
    """Wait until something is so, and return how many seconds it took."""
    began = time.monotonic()
    while not so():
        assert time.monotonic() < began + seconds, told()
        time.sleep(0.05)
    return time.monotonic() - began


@contextmanager
def database(server: str) -> Iterator[str]:
    """A database of its own, so that other tests do not get in the way."""
    name = f"nodes_{secrets.token_hex(6)}"
    with psycopg.connect(server, autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {name}")
    try:
        yield server.replace("/postgres?", f"/{name}?")
    finally:
        with suppress(psycopg.OperationalError), psycopg.connect(server, autocommit=True) as connection:
            connection.execute(f"DROP DATABASE {name} WITH (FORCE)")  # the whole server goes at the end in any case


@contextmanager
def cluster(folder: Path, server: str) -> Iterator[Cluster]:
    """A house without servers yet, in a database of its own."""
    with database(server) as url:
        one = Cluster(folder, url)
        try:
            yield one
        finally:
            one.close()


@dataclass
class Traveller(Guest):
    """A guest who asks any live server where their table is, goes there, and sends again what was not answered."""

    house: Cluster | None = None
    chance: random.Random = field(default_factory=random.Random)
    waiting: dict[str, dict[str, Any]] = field(default_factory=dict)
    """Commands without an answer."""
    codes: list[int] = field(default_factory=list)
    """How their connections ended."""
    heard: float = 0.0
    """When something last happened at their table."""
    been: set[str] = field(default_factory=set)
    """The servers they played at."""
    given_cents: int = 0
    """The chips they were given after the first ones were lost."""
    unheard: int = 0
    """How often they asked for chips and were not answered."""

    async def travel(self) -> None:
        """Play until no one waits for them any more."""
        while True:
            try:
                async with await self.enter(self._any()) as socket:
                    for name, command in list(self.waiting.items()):
                        await self._say(socket, name, command)
                    async for frame in socket:
                        self.heard = time.monotonic()
                        await self.react(socket, json.loads(frame))
                    self.codes.append(socket.close_code or 1006)
            except ConnectionClosed as closed:
                self.codes.append(closed.rcvd.code if closed.rcvd else 1006)
            except GONE:
                pass
            await asyncio.sleep(self.chance.uniform(0.02, 0.1))

    async def join(self, base: str) -> httpx.Response:
        """Ask a server where the table is."""
        async with httpx.AsyncClient(
            base_url=base, cookies={COOKIE: self.cookie}, timeout=PATIENCE, verify=False
        ) as client:
            return await client.post(f"/api/tables/{self.table}/join")

    async def enter(self, base: str, **headers: str) -> ClientConnection:
        """Go to where the table is, with a ticket and nothing else."""
        if not self.cookie:
            self.base = base
            await self.arrive()
        found = await self.join(base)
        if found.status_code != 200:
            raise OSError(found.text)
        told = found.json()
        return await self.present(told["address"] or base, told["path"], told["ticket"], **headers)

    async def present(self, base: str, path: str, ticket: str, **headers: str) -> ClientConnection:
        """Connect with a ticket."""
        address = f"{base.replace('http', 'ws', 1)}{path}?ticket={ticket}"
        socket = await connect(address, additional_headers=headers, open_timeout=PATIENCE)
        self.been.add(base)
        return socket

    async def send(self, socket: ClientConnection, command: dict[str, Any], command_id: str = "") -> str:
        """Send a command, and remember it until it is answered."""
        self.sent += 1
        name = command_id or f"{self.name}-{self.sent}"
        self.waiting[name] = {key: value for key, value in command.items() if key != "by"}
        await self._say(socket, name, self.waiting[name])
        return name

    async def react(self, socket: ClientConnection, message: dict[str, Any]) -> None:
        """Do what a willing player does."""
        if message["type"] == "error":  # it was not taken; under its id it may be sent again
            await asyncio.sleep(0.1)
            for name, command in list(self.waiting.items()):
                await self._say(socket, name, command)
        elif message["type"] == "answer":
            command = self.waiting.pop(message["command"], {})
            if command.get("type") == "Sit" and not message["accepted"]:
                self.seat = 0
            if message["code"] == "not_enough_money":
                await self._ask_for_chips()
                await self._act(socket)
        if message["type"] == "view" and not any(one.get("type") == "Sit" for one in self.waiting.values()):
            self.seat = (
                self.seat if self._sits(message["view"]) else 0
            )  # a guest who was away for too long sits down again
        await super().react(socket, message)

    def _sits(self, view: dict[str, Any]) -> bool:
        return any(seat["player"] == self.name for seat in view["seats"].values())

    async def _ask_for_chips(self) -> None:
        """Get new chips for those that were lost, and buy in with them."""
        self.acted = {key for key in self.acted if key[1] != "BuyChips"}
        self.unheard += 1
        async with httpx.AsyncClient(
            base_url=self._any(), cookies={COOKIE: self.cookie}, timeout=PATIENCE, verify=False
        ) as client:
            found = await client.post("/api/me/chips")
        self.unheard -= 1
        if found.status_code == 200:
            self.given_cents += found.json()["cents"]

    def _any(self) -> str:
        assert self.house is not None
        living = self.house.living
        return self.chance.choice(living).base if living else "http://127.0.0.1:9"

    async def _say(self, socket: ClientConnection, name: str, command: dict[str, Any]) -> None:
        await socket.send(json.dumps({"type": "command", "id": name, "command": command}))


async def until(so: Callable[[], bool], told: Callable[[], str] = str, seconds: float = WAIT_SECONDS) -> float:
    """Wait in a loop until something is so, and return how many seconds it took."""
    began = time.monotonic()
    while not so():
        assert time.monotonic() < began + seconds, told()
        await asyncio.sleep(0.02)
    return time.monotonic() - began


async def among(travellers: list[Traveller], work: Coroutine[Any, Any, None]) -> None:
    """Do something while guests play."""
    playing = [asyncio.create_task(one.travel()) for one in travellers]
    try:
        await work
    finally:
        for task in playing:
            task.cancel()
        ended = await asyncio.gather(*playing, return_exceptions=True)
    assert all(isinstance(one, asyncio.CancelledError) for one in ended), ended
