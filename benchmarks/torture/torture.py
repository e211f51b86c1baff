"""Torture run: players at every table, an act against the house every few moments, a look into the books after each."""

from __future__ import annotations

import asyncio
import random
import sqlite3
import time
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

import httpx
import psycopg
from benchmarks.torture.decks import Decks, Key
from benchmarks.torture.flood import flood
from benchmarks.torture.history import History
from benchmarks.torture.houses import Act, House, PostgresHouse, SqliteHouse
from benchmarks.torture.ledger import Ledger
from benchmarks.torture.player import GONE, Player

BOOKS = ("nsw-1", "washington-1", "shufflemaster-1", "hand-dealt-1", "california-1")
GOES_ON_SECONDS = 300.0
"""How long a table may stand still after everything is mended, on a slow machine."""
LOSSES_MAX = 25
"""After so many losses there is nothing more to learn."""
PROCESS = frozenset({"kill", "kill at start", "stop", "freeze"})
"""Acts against the process itself: one at a time."""
AGAIN = 300
"""Ends of decks that are asked for a second time at the end."""


class UnknownAct(ValueError):
    """An act that the house does not know."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """What a run is to be."""

    postgres: bool = False
    acts: int = 10**9
    seconds: float = 600.0
    seed: int = 1
    players: int = 8
    only: tuple[str, ...] = ()
    """Which acts; all that the house knows where none is named."""
    older: Path | None = None
    """The checkout of an earlier version that servers run until an act upgrades them."""
    books: tuple[str, ...] = BOOKS
    """At which tables guests play."""


@dataclass(slots=True)
class Found:
    """The result of a run."""

    seed: int
    acts: Counter[str] = field(default_factory=Counter)
    seconds: float = 0.0
    commands: Counter[str] = field(default_factory=Counter)
    refusals: Counter[str] = field(default_factory=Counter)
    decks: Counter[str] = field(default_factory=Counter)
    rounds: int = 0
    rows: int = 0
    p99_ms: float = 0.0
    still_seconds_max: float = 0.0
    """The longest that any table showed nothing new to its players."""
    losses: list[str] = field(default_factory=list)


class Run:
    """One run from a seed; what is random about the timing of processes is not in the seed."""

    def __init__(self, wanted: Wanted, folder: Path, tell: Callable[[str], None]) -> None:
        self.wanted, self._folder, self._tell = wanted, folder, tell
        self.stopped = asyncio.Event()
        """Set to end early: what was done until then is still checked to the end."""
        self._chance = random.Random(wanted.seed)  # noqa: S311 - which acts, no secret
        self.history, self.ledger = History(), Ledger(folder / "house.key")
        self.decks = Decks(self.history)
        self.found = Found(wanted.seed)
        self._players: list[Player] = []
        self._acts: dict[str, Act] = {}

    async def run(self) -> Found:
        """Do it all, and return what was found."""
        began = time.monotonic()
        limits = httpx.Limits(max_connections=200, max_keepalive_connections=0)
        async with httpx.AsyncClient(limits=limits, verify=False) as client:  # noqa: S501 - there is no TLS on loopback
            kind = PostgresHouse if self.wanted.postgres else SqliteHouse
            house = kind(self._folder, client, self.wanted.older)
            self._acts = {**house.acts, "flood": self._flood, "hang up": self._hang_up}
            if unknown := set(self.wanted.only) - self._acts.keys():
                raise UnknownAct(
                    f"expected acts among {', '.join(sorted(self._acts))}, got {', '.join(sorted(unknown))}"
                )
            try:
                await house.open()
                self._players = [self._player(number, house) for number in range(self.wanted.players)]
                tasks = [asyncio.create_task(one.play()) for one in self._players]
                try:
                    await self._trouble(house, time.monotonic() + self.wanted.seconds, tasks)
                    await self._calm(house, tasks)
                finally:
                    for task in tasks:
                        task.cancel()
                    await asyncio.gather(*tasks, return_exceptions=True)
                await self._last_look(house)
                if self.history.losses:
                    self._keep_logs(house)
            finally:
                await house.close()
        return self._sum_up(began)

    def _player(self, number: int, house: House) -> Player:
        return Player(
            number,
            self.wanted.books[number % len(self.wanted.books)],
            servers=house.addresses,
            client=house.client,
            history=self.history,
            decks=self.decks,
            chance=random.Random(f"{self.wanted.seed}/{number}"),  # noqa: S311 - as above
        )

    async def _trouble(self, house: House, end: float, tasks: list[asyncio.Task[None]]) -> None:
        names = [name for name in self._acts if not self.wanted.only or name in self.wanted.only]
        while sum(self.found.acts.values()) < self.wanted.acts and time.monotonic() < end:
            await self._some_play(tasks)
            if self.stopped.is_set() or len(self.history.losses) >= LOSSES_MAX:
                return
            together = self._choose(names)
            self._tell(f"{self._line()}; now: {' and '.join(together)}")
            server, hard = self._chance.choice(house.servers), self._chance.random()
            await asyncio.gather(*(self._acts[name](server, hard) for name in together))
            self.found.acts.update(together)
            await self._look(house)

    def _choose(self, names: list[str]) -> list[str]:
        """Return one act, or one against a process and another at the same time."""
        first, more = self._chance.choice(names), self._chance.random()
        others = [name for name in names if (name in PROCESS) != (first in PROCESS)]
        return [first, self._chance.choice(others)] if others and more < 0.25 else [first]

    async def _some_play(self, tasks: list[asyncio.Task[None]]) -> None:
        """Let players get some answers: how many, and for how much longer, is chance."""
        before, wanted = self.history.counts["accepted"], self._chance.randrange(16)
        end = time.monotonic() + 15
        while self.history.counts["accepted"] < before + wanted and time.monotonic() < end:
            if self.stopped.is_set():
                return
            for task in tasks:
                if task.done():
                    task.result()  # a player that fails is a mistake of ours, and ends the run
            await asyncio.sleep(0.02)
        await asyncio.sleep(self._chance.uniform(0.0, 0.3))

    async def _flood(self, _: object, hard: float) -> None:
        await flood(self._players[0].any_server(), 0.5 + 1.5 * hard)

    async def _hang_up(self, _: object, __: float) -> None:
        for player in self._players:
            player.hang_up()

    async def _calm(self, house: House, tasks: list[asyncio.Task[None]]) -> None:
        """Mend everything: then every table must go on, and every command get its answer."""
        self._tell(f"{self._line()}; now: everything mended, tables must go on")
        await house.heal()
        before = {player.table: player.round for player in self._players}
        await self._until(
            tasks,
            lambda: all(player.round > before[player.table] and not player.waits for player in self._players),
            lambda: [
                f"{one.table}: {one.stands()}" for one in self._players if one.round <= before[one.table] or one.waits
            ],
            "a table stands still, or a command gets no answer, after everything was mended",
        )
        for player in self._players:
            player.leaving = True
            player.hang_up()
        await self._until(
            tasks,
            lambda: all(not player.seat and not player.waits for player in self._players),
            lambda: [f"{one.table}: {one.stands()}" for one in self._players if one.seat or one.waits],
            "a player cannot leave after everything was mended",
        )

    async def _until(
        self,
        tasks: list[asyncio.Task[None]],
        so: Callable[[], bool],
        who: Callable[[], list[str]],
        sentence: str,
    ) -> None:
        end = time.monotonic() + GOES_ON_SECONDS
        while not so():
            for task in tasks:
                if task.done():
                    task.result()
            if time.monotonic() > end:
                self.history.lose(f"{sentence}: {'; '.join(who())}")
                return
            await asyncio.sleep(0.05)

    async def _look(self, house: House, *, final: bool = False) -> None:
        """Look into the books, and hold them against what clients know.

        Ends of decks are asked for first: what they say was dealt is in the journal by then.
        """
        await self._fetch_ends(house)
        end = time.monotonic() + GOES_ON_SECONDS
        while True:
            before = time.monotonic()
            try:
                wrong = await asyncio.to_thread(self._read, house)
            except (psycopg.OperationalError, sqlite3.OperationalError) as error:
                if before > end:
                    self.history.lose(f"the database does not come back: {error}")
                    return
                await asyncio.sleep(0.1)
                continue
            break
        for sentence in wrong:
            self.history.lose(sentence)
        self.history.compare(self.ledger, before, final=final)
        self.decks.compare(self.ledger, final=final)

    def _read(self, house: House) -> list[str]:
        with house.moment() as query:
            return self.ledger.look(query)

    async def _fetch_ends(self, house: House) -> None:
        for key in self.decks.unproven(self.ledger):
            await self._fetch(house, key)

    async def _fetch(self, house: House, key: Key) -> None:
        table, round_, shuffle = key
        base = random.choice(house.addresses())  # noqa: S311 - as above; what is asked here changes no act
        with suppress(*GONE, ValueError):
            found = await house.client.get(f"{base}/api/tables/{table}/proofs/{round_}/{shuffle}", timeout=5)
            if found.status_code == 200:
                self.decks.ended(key, found.json())

    async def _last_look(self, house: House) -> None:
        """Look once everybody has left; a server that is slow to publish an end, or to answer, is asked again."""
        end = time.monotonic() + GOES_ON_SECONDS
        await self._look(house)
        while self.decks.unended(self.ledger) and time.monotonic() < end:
            await asyncio.sleep(0.2)
            await self._look(house)
        await self._look(house, final=True)
        known = [key for key, deck in self.decks.heard.items() if deck.proof is not None]
        for key in self._chance.sample(known, min(AGAIN, len(known))):
            await self._fetch(house, key)
        for player in self._players:
            held = self.ledger.balances["", f"wallet:{player.name}"]
            said = None
            while said is None and time.monotonic() < end:
                with suppress(*GONE, ValueError, KeyError):
                    said = await player.wallet(house.addresses()[0])
            if said != held:
                self.history.lose(f"{player.name} is told of {said} cents in a wallet that holds {held}")

    def _keep_logs(self, house: House) -> None:
        for server in house.servers:
            self._tell(f"\nlog of {server.base}:\n{server.log()}\n")

    def _line(self) -> str:
        counts = self.history.counts
        return (
            f"{sum(self.found.acts.values())} acts, {counts['accepted']:,} commands acknowledged,"
            f" {counts['refused']:,} refused, {self.ledger.rounds:,} rounds, {len(self.history.losses)} losses"
        )

    def _sum_up(self, began: float) -> Found:
        found = self.found
        found.seconds = round(time.monotonic() - began, 1)
        found.commands, found.refusals, found.losses = self.history.counts, self.history.refusals, self.history.losses
        found.decks, found.rounds = self.decks.counts, self.ledger.rounds
        found.rows = sum(one.number for one in self.ledger.tables.values())
        waited = sorted(self.history.seconds)
        found.p99_ms = round(1000 * waited[int(len(waited) * 0.99)], 1) if waited else 0.0
        found.still_seconds_max = round(max((one.still for one in self._players), default=0.0), 1)
        return found
