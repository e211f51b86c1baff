"""Kills: a real server under load that is killed with SIGKILL again and again, and what must be so after each kill.

python -m tests.promises.kills --kills 200 --minutes 10     kill a server on SQLite so often, or for so long
"""

from __future__ import annotations

import argparse
import asyncio
import random
import signal
import sys
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path

import httpx
from websockets.exceptions import WebSocketException

from letitride.engine.events import RoundEnded, RoundVoided
from letitride.server.host import rebuilt
from letitride.storage.codec import decode
from letitride.storage.urls import open_store
from letitride.storage.verify import verify
from tests.server.conftest import Server
from tests.server.guest import Guest

HOUSES = ("nsw-1", "washington-1", "shufflemaster-1", "hand-dealt-1")
GONE = (WebSocketException, OSError, TimeoutError, httpx.TransportError, AssertionError, KeyError)


LOAD_SECONDS_MAX = 15.0
"""A table may have nothing to answer for a while, such as when its betting time runs."""


class QuickServer(Server):
    """A server whose leases are over when the next one has started, so that nobody waits for those of the dead."""

    lease_ms = 1_000


@dataclass
class Toll:
    """What so many kills came to."""

    kills: int = 0
    acknowledged: set[tuple[str, str]] = field(default_factory=set)
    """Table and id of every command that a client was told is done."""
    rounds: int = 0
    guests: list[Guest] = field(default_factory=list)


async def _load(server: Server, guests: list[Guest], answers: int, seconds: float) -> None:
    """Let guests play until the server is killed: after so many answers, and so many seconds more."""

    async def one(guest: Guest) -> None:
        # Who comes back does not know what became of what he sent last: he looks at the table, and acts anew.
        guest.seat, guest.nonce, guest.acted = 0, b"", set()
        try:
            if not guest.cookie:
                await guest.arrive()
            async with await guest.connect() as socket:
                await guest.play(socket, 10**9)
        except GONE:
            pass  # the server is dead

    playing = [asyncio.create_task(one(guest)) for guest in guests]
    before, end = sum(len(guest.answers) for guest in guests), time.monotonic() + LOAD_SECONDS_MAX
    while sum(len(guest.answers) for guest in guests) < before + answers and time.monotonic() < end:
        await asyncio.sleep(0.005)
    await asyncio.sleep(seconds)
    await asyncio.to_thread(server.stop, signal.SIGKILL)
    await asyncio.gather(*playing)


def kill_once(server: Server, chance: random.Random, toll: Toll) -> None:
    """Kill a server that runs, check what is left of it, and start it again."""
    if not toll.guests:
        toll.guests = [Guest(server.base, table) for table in HOUSES]
    asyncio.run(_load(server, toll.guests, chance.randrange(16), chance.uniform(0.0, 0.1)))
    for guest in toll.guests:
        toll.acknowledged |= {(guest.table, answer["command"]) for answer in guest.answers if answer["accepted"]}
    toll.kills += 1
    check(server.address, toll)
    server.start()


def check(database: str, toll: Toll) -> None:
    """Hold what clients were told against the database alone."""
    store = open_store(database, read_only=True)
    try:
        verdict = verify(store)
        assert verdict.good, verdict
        assert store.total() == 0
        over = 0
        for table in HOUSES:
            rows = list(store.rows(table))
            carried = [row.command for row in rows if row.command]
            assert len(carried) == len(set(carried)), "a command was carried out twice"
            lost = {command for where, command in toll.acknowledged if where == table} - set(carried)
            assert not lost, f"acknowledged and lost: {lost}"
            rebuilt(rows)
            over += sum(isinstance(event, RoundEnded | RoundVoided) for row in rows for event in decode(row.events))
        toll.rounds = over
    finally:
        store.close()


def main() -> None:
    """Kill a server as often as asked."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kills", type=int, default=200)
    parser.add_argument("--minutes", type=float, default=10.0)
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    end = time.monotonic() + asked.minutes * 60
    chance, toll = random.Random(asked.seed), Toll()
    with tempfile.TemporaryDirectory() as folder:
        server = QuickServer(Path(folder))
        server.start()
        try:
            while toll.kills < asked.kills and time.monotonic() < end:
                kill_once(server, chance, toll)
        finally:
            server.stop(signal.SIGKILL)
    sys.stdout.write(
        f"{toll.kills} kills, {len(toll.acknowledged)} acknowledged commands all there, {toll.rounds} rounds\n"
    )


if __name__ == "__main__":
    main()
