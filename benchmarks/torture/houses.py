"""Houses: one server on SQLite, or two on a PostgreSQL with a standby; what can be done to them, and how to look in."""

from __future__ import annotations

import asyncio
import re
import signal
import sqlite3
from collections.abc import Awaitable, Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import httpx
import psycopg
from benchmarks.torture.ledger import Query
from benchmarks.torture.postgres import Postgres, first_server
from benchmarks.torture.proxy import Proxy
from benchmarks.torture.servers import Server, ready

Act = Callable[[Server, float], Awaitable[None]]
"""Does something to a server; the number, from 0 to 1, says for how long or how hard."""

STARTS_MAX = 5


class House:
    """Servers of one house, and what can be done to them."""

    def __init__(self, folder: Path, client: httpx.AsyncClient, older: Path | None = None) -> None:
        self.folder, self.client, self.older = folder, client, older
        self.servers: list[Server] = []
        self.acts: dict[str, Act] = {
            "kill": self._kill,
            "kill at start": self._kill_at_start,
            "stop": self._stop,
            "freeze": self._freeze,
            "clock": self._clock,
            "disk full": self._full,
        }
        if older is not None:
            self.acts["upgrade"] = self._upgrade
        self.jumps: tuple[int, ...] = (-1800, -60, 60, 1800)
        """By how many seconds a clock is wrong: it is the house's only one, and an hour of silence ends a session."""

    def addresses(self) -> list[str]:
        """Where players may ask."""
        return [server.base for server in self.servers if server.alive] or [self.servers[0].base]

    async def open(self) -> None:
        """Start everything."""
        for server in self.servers:
            await asyncio.to_thread(server.start)
        for server in self.servers:
            if not await ready(server, self.client):
                raise RuntimeError(f"the server did not start:\n{server.log()}")

    async def heal(self) -> None:
        """Undo whatever is still done to it, and wait until every server answers."""
        for server in self.servers:
            server.send(signal.SIGCONT)
            server.let_files_grow()
            server.set_clock(0)
        for server in self.servers:
            for _ in range(STARTS_MAX):  # one that gave up while the database was away is started again
                if not server.alive:
                    await asyncio.to_thread(server.start)
                if await ready(server, self.client):
                    break

    async def close(self) -> None:
        """End everything."""
        for server in self.servers:
            await asyncio.to_thread(server.end)

    @contextmanager
    def moment(self) -> Iterator[Query]:
        """Lend what reads the database of one moment."""
        raise NotImplementedError

    async def _kill(self, server: Server, _: float) -> None:
        await asyncio.to_thread(server.stop)
        await self._again(server)

    async def _kill_at_start(self, server: Server, hard: float) -> None:
        await asyncio.to_thread(server.stop)
        await asyncio.to_thread(server.start)
        await asyncio.sleep(hard * 1.5)
        await asyncio.to_thread(server.stop)
        await self._again(server)

    async def _stop(self, server: Server, _: float) -> None:
        await asyncio.to_thread(server.stop, signal.SIGTERM)
        await self._again(server)

    async def _upgrade(self, server: Server, _: float) -> None:
        """Stop a server of the earlier version, and start this one in its place; others stay what they are."""
        await asyncio.to_thread(server.stop, signal.SIGTERM)
        await asyncio.to_thread(server.upgrade)
        await self._again(server)

    async def _freeze(self, server: Server, hard: float) -> None:
        server.send(signal.SIGSTOP)
        await asyncio.sleep(0.2 + 5 * hard)
        server.send(signal.SIGCONT)

    async def _clock(self, server: Server, hard: float) -> None:
        server.set_clock(self.jumps[int(hard * len(self.jumps)) % len(self.jumps)])
        await asyncio.sleep(1 + 3 * hard)
        server.set_clock(0)

    async def _full(self, server: Server, hard: float) -> None:
        server.let_files_grow(0)
        await asyncio.sleep(0.3 + 3 * hard)
        server.let_files_grow()

    async def _again(self, server: Server) -> None:
        await asyncio.to_thread(server.start)
        await ready(server, self.client)


class SqliteHouse(House):
    """One server on a file."""

    def __init__(self, folder: Path, client: httpx.AsyncClient, older: Path | None = None) -> None:
        super().__init__(folder, client, older)
        self._file = folder / "house.db"
        self.servers = [Server(folder / "one", str(self._file), older=older)]

    @contextmanager
    def moment(self) -> Iterator[Query]:
        with closing(sqlite3.connect(f"{self._file.as_uri()}?mode=ro", uri=True, timeout=30)) as connection:
            connection.isolation_level = None
            connection.execute("BEGIN")
            yield lambda sql, **values: connection.execute(sql, values).fetchall()


class PostgresHouse(House):
    """Two servers on one PostgreSQL, each by a wire of its own, and a standby that every commit waits for."""

    def __init__(self, folder: Path, client: httpx.AsyncClient, older: Path | None = None) -> None:
        super().__init__(folder, client, older)
        self.leader: Postgres
        self.standby: Postgres
        self._wires: dict[str, Proxy] = {}
        del self.acts["disk full"]  # it is the database's disk here
        self.acts |= {
            "cut wire": lambda server, hard: self._wire(server, "cut", hard),
            "block wire": lambda server, hard: self._wire(server, "blocked", hard),
            "slow wire": lambda server, hard: self._wire(server, "slow", hard),
            "database crash": self._crash,
            "database backend killed": self._backend,
            "database disk full": self._full_database,
            "fail-over": self._fail_over,
        }
        self.jumps = (-86_400, -3600, 3600, 86_400)  # the database's clock is the house's time here

    async def open(self) -> None:
        self.leader, self.standby = await asyncio.to_thread(first_server, self.folder)
        await asyncio.to_thread(self.standby.follow, self.leader)
        for name in ("one", "two"):
            wire = Proxy(self.leader.socket)
            await wire.start()
            database = f"postgresql://postgres@127.0.0.1:{wire.port}/postgres"
            server = Server(self.folder / name, database, lease_ms=3_000, older=self.older)
            self.servers.append(server)
            self._wires[server.base] = wire
        await super().open()

    async def heal(self) -> None:
        for wire in self._wires.values():
            wire.set("open")
        await super().heal()

    async def close(self) -> None:
        await super().close()
        for wire in self._wires.values():
            await wire.close()
        for one in (self.standby, self.leader):
            await asyncio.to_thread(one.stop)

    @contextmanager
    def moment(self) -> Iterator[Query]:
        with psycopg.connect(self.leader.url, connect_timeout=5) as connection:
            connection.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
            connection.execute("SET LOCAL search_path = letitride")

            def query(sql: str, **values: Any) -> list[tuple[Any, ...]]:
                return connection.execute(re.sub(r":(\w+)", r"%(\1)s", sql).encode(), values).fetchall()

            yield query

    async def _wire(self, server: Server, state: Any, hard: float) -> None:
        wire = self._wires[server.base]
        wire.set(state)
        await asyncio.sleep(0.3 + 7 * hard)
        wire.set("open")

    async def _crash(self, _: Server, hard: float) -> None:
        await asyncio.to_thread(self.leader.stop)
        await asyncio.sleep(2 * hard)
        await asyncio.to_thread(self.leader.start)

    async def _backend(self, _: Server, hard: float) -> None:
        await asyncio.to_thread(self.leader.kill_backend, int(hard * 1000))
        await asyncio.to_thread(self.leader.wait)

    async def _full_database(self, _: Server, __: float) -> None:
        await asyncio.to_thread(self.leader.fill_disk)
        await asyncio.sleep(1)
        await asyncio.to_thread(self.leader.wait)

    async def _fail_over(self, _: Server, hard: float) -> None:
        """Let the leader die for good, the standby lead, and another follow it."""
        await asyncio.to_thread(self.leader.stop)
        await asyncio.sleep(hard)
        self.leader, self.standby = self.standby, self.leader
        await asyncio.to_thread(self.leader.lead)
        for wire in self._wires.values():
            wire.lead_to(self.leader.socket)
        await asyncio.to_thread(self.standby.follow, self.leader)
