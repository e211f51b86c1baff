"""Kills: a real server under load that is killed with SIGKILL again and again, and what must be so after each kill.

python -m tests.promises.kills --kills 200 --minutes 10     kill a server on SQLite so often, or for so long
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
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import Any

import httpx
import msgspec
from websockets.exceptions import WebSocketException

from letitride.engine.events import RoundEnded, RoundVoided, TableOpened
from letitride.engine.evolve import evolve, new_table
from letitride.engine.state import Table
from letitride.engine.view import view
from letitride.storage.codec import decode
from letitride.storage.journal import Row
from letitride.storage.past import rebuilt
from letitride.storage.verify import verify
from tests.server.conftest import SECONDS, Server
from tests.server.guest import Guest
from tests.server.with_key import open_with_key

HOUSES = ("nsw-1", "washington-1", "shufflemaster-1", "hand-dealt-1")
GONE = (WebSocketException, OSError, TimeoutError, httpx.TransportError, AssertionError, KeyError)


LOAD_SECONDS_MAX = 120.0
"""A table may have nothing to answer for a while, such as when its betting time runs."""


class Killed(Server):
    """A server that is back in a moment: one that was killed does not hold the tables for long."""

    lease_ms = 1_000


class KilledWorkers(Killed):
    """A server of several workers, all of which are killed with it."""

    workers = 2
    killed_workers = 0

    def processes(self) -> list[int]:
        """Return the numbers of its workers."""
        assert self.process is not None
        pid = self.process.pid
        return [int(one) for one in Path(f"/proc/{pid}/task/{pid}/children").read_text(encoding="ascii").split()]

    def stop(self, number: int = signal.SIGTERM) -> int:
        """Stop it; where it is killed, the process that would replace a worker comes first."""
        workers = self.processes() if number == signal.SIGKILL and self.process and self.process.poll() is None else []
        code = super().stop(number)
        for worker in workers:
            with suppress(ProcessLookupError):
                os.kill(worker, number)
                self.killed_workers += 1
        return code


@dataclass
class Toll:
    """The result of so many kills."""

    kills: int = 0
    acknowledged: set[tuple[str, str]] = field(default_factory=set)
    """Table and id of every command that a client was told is done."""
    rounds: int = 0
    restored: int = 0
    """Tables whose state after a restart was the one that their journals give."""
    guests: list[Guest] = field(default_factory=list)


async def _load(server: Server, guests: list[Guest], answers: int, seconds: float) -> None:
    """Let guests play until the server is killed: after so many answers, and so many seconds more."""

    killed = asyncio.Event()

    async def one(guest: Guest) -> None:
        while not killed.is_set():  # a busy machine may end a connection that it was slow to serve
            # A client that comes back does not know the fate of what it sent last: it looks at the table, and acts anew.
            guest.seat, guest.acted = 0, set()
            with suppress(*GONE):
                if not guest.cookie:
                    await guest.arrive()
                async with await guest.connect() as socket:
                    await guest.play(socket, 10**9)
            await asyncio.sleep(0.01)

    playing = [asyncio.create_task(one(guest)) for guest in guests]
    before, end = sum(len(guest.answers) for guest in guests), time.monotonic() + LOAD_SECONDS_MAX
    while sum(len(guest.answers) for guest in guests) < before + answers and time.monotonic() < end:
        await asyncio.sleep(0.005)
    await asyncio.sleep(seconds)
    killed.set()
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
    check(server, toll)
    server.start()
    shown = asyncio.run(_shown(toll.guests))
    for guest, seen in zip(toll.guests, shown, strict=True):
        assert state_hash(seen) == replayed(server, guest, seen["version"]), f"{guest.table} was not restored"
        toll.restored += 1


async def _shown(guests: list[Guest]) -> list[dict[str, Any]]:
    """What the server shows each guest of their table now."""

    async def one(guest: Guest) -> dict[str, Any]:
        end = time.monotonic() + SECONDS
        while time.monotonic() < end:  # a busy machine may end a connection that it was slow to serve
            with suppress(WebSocketException, OSError, TimeoutError, httpx.TransportError):
                if not guest.cookie:
                    await guest.arrive()
                async with await guest.connect() as socket:
                    async for frame in socket:
                        if (message := json.loads(frame))["type"] == "view":
                            return dict(message["view"])
            await asyncio.sleep(0.1)
        raise AssertionError(f"{guest.table} shows nothing")

    return await asyncio.gather(*map(one, guests))


def state_hash(shown: dict[str, Any]) -> str:
    """Return a digest of everything that a view shows."""
    return sha256(json.dumps(shown, sort_keys=True).encode()).hexdigest()


def _tables(rows: Iterable[Row]) -> Iterator[Table]:
    """Yield a table as it was after each row of its journal."""
    table: Table | None = None
    for row in rows:
        for event in decode(row.events):
            table = new_table(event) if isinstance(event, TableOpened) else evolve(table, event)
        assert table is not None
        yield table


def replayed(server: Server, guest: Guest, version: int) -> str:
    """Return the digest of what a guest is to see at a version of their table, by the journal and nothing else."""
    store = open_with_key(server.address, server.folder)
    try:
        table = next(table for table in _tables(store.journal.rows(guest.table)) if table.version == version)
    finally:
        store.close()
    seat = next((number for number, one in table.seats.items() if one.player == guest.name), 0)
    return state_hash(json.loads(msgspec.json.encode(view(table, f"seat:{seat}" if seat else "spectator"))))


def check(server: Server, toll: Toll) -> None:
    """Hold what clients were told against the database alone."""
    store = open_with_key(server.address, server.folder)
    try:
        verdict = verify(store)
        assert verdict.good, verdict
        assert store.wallets.total() == 0
        over = 0
        for table in HOUSES:
            rows = list(store.journal.rows(table))
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
        server = Killed(Path(folder))
        server.start()
        try:
            while toll.kills < asked.kills and time.monotonic() < end:
                kill_once(server, chance, toll)
        finally:
            server.stop(signal.SIGKILL)
    sys.stdout.write(
        f"{toll.kills} kills, {len(toll.acknowledged)} acknowledged commands all there, {toll.rounds} rounds, "
        f"{toll.restored} tables shown as their journals have them\n"
    )


if __name__ == "__main__":
    main()
