"""Fail-overs: a house of two servers on a PostgreSQL whose primary is killed under load again and again.

python -m tests.server.failovers --minutes 5     kill primaries for so long
"""

from __future__ import annotations

import argparse
import asyncio
import random
import sys
import tempfile
import time
from pathlib import Path

from tests.server.cluster import Cluster, Traveller, among, until
from tests.server.node_kills import HOUSES, Found, check, stuck
from tests.storage.replicas import Pair, pair

GOES_ON_SECONDS = 300.0
"""How long tables may stand still: the kill, the promotion, the servers' next look; and a slow machine."""


async def fail_over_under_load(
    house: Cluster, servers: Pair, chance: random.Random, found: Found, *, times: int, end: float
) -> None:
    """Kill the primary while guests play at all tables, and see them go on at the replica."""
    found.guests = [Traveller("", table, house=house, chance=chance) for table in HOUSES]

    async def go() -> None:
        await until(lambda: all(len(one.answers) > 1 for one in found.guests), house.told)
        while found.kills < times and (not found.kills or time.monotonic() < end):
            await asyncio.sleep(chance.uniform(0.0, 2.0))  # at any moment of a round
            killed = time.monotonic()
            await asyncio.to_thread(servers.fail_over)
            found.kills += 1
            # What is under way by then may have been written before: the next answer has not.
            before = {one.table: len(one.answers) + len(one.waiting) for one in found.guests}
            await until(
                lambda before=before: all(len(one.answers) > before[one.table] for one in found.guests),
                lambda: "\n".join(map(stuck, found.guests)) + house.told(),
                GOES_ON_SECONDS,
            )
            found.still_seconds_max = max(found.still_seconds_max, time.monotonic() - killed)
            await asyncio.to_thread(servers.rebuild)

    await among(found.guests, go())


def main() -> None:
    """Kill primaries for as long as asked."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--minutes", type=float, default=5.0)
    parser.add_argument("--times", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    chance, found = random.Random(asked.seed), Found()
    with tempfile.TemporaryDirectory() as folder, pair() as servers:
        house = Cluster(Path(folder), f"{servers.url}?target_session_attrs=read-write")
        try:
            house.start(2)
            end = time.monotonic() + asked.minutes * 60
            asyncio.run(fail_over_under_load(house, servers, chance, found, times=asked.times, end=end))
            for node in house.living:
                node.stop()
            check(house, found)
        finally:
            house.close()
    sys.stdout.write(
        f"{found.kills} primaries killed and replaced, {len(found.acknowledged)} acknowledged commands all there,"
        f" {found.rounds} rounds; no table stood still for more than {found.still_seconds_max:.1f} s\n"
    )


if __name__ == "__main__":
    main()
