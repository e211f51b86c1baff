"""World: a house, its players, its clock and its store with all their failures, from one seed.

    python -m tests.promises.world SEED…          run these worlds, and say what was found
    python -m tests.promises.world --pots SEED…   the same, at tables that share the meter of a progressive with envy
    python -m tests.promises.world --minutes 5    run one after the other, for so long, every fourth one with pots

In a world the store goes down before or after it has written, is slow, gives tables to someone else; the clock jumps;
the house is killed in the middle of anything and started again; players send commands twice, late, again after a year of
quarrels, hang up and come back. When the failures are over, everything promised must be so.
"""

from __future__ import annotations

import argparse
import asyncio
import contextvars
import random
import sys
import time
from collections import Counter
from dataclasses import dataclass, field, fields
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, TypeVar

import msgspec

from letitride.chance.proof import verify as check_proof
from letitride.engine.events import FacesBound
from letitride.errors import LetItRideError, StoreDown
from letitride.ledger import accounts
from letitride.ledger.transfers import changes
from letitride.rules import catalog
from letitride.server.app import create
from letitride.server.tables.house import House, Pace
from letitride.server.tables.stored_shuffles import DEALT, KIND, StoredShuffle, read
from letitride.storage.codec import decode
from letitride.storage.journal import Row
from letitride.storage.memory.opening import memory_stores
from letitride.storage.past import rebuilt
from letitride.storage.roles.journal import Outcome, Write, Written
from letitride.storage.roles.stores import Stores
from letitride.storage.sealed import OpenedJournal
from letitride.storage.vault import Vault
from letitride.storage.verify import verify
from tests.server.shares import Nonces
from tests.server.virtual import (
    Clock,
    Closed,
    InlineCommitter,
    Socket,
    VirtualLoop,
    connect,
    run,
    seat_of,
    virtual,
    wanted,
)
from tests.simulation.own_meters import THREE

T = TypeVar("T")
TROUBLE_SECONDS = 20.0
CALM_SECONDS = 600.0
STEP_SECONDS = 0.1
BORED_SECONDS = 7.0
"""After so long without news a player thinks again."""
PATIENCE_SECONDS = 90.0
"""A table that has someone to play with and does nothing for so long is stuck: no clock of a table is longer."""
POT, POT_CENTS = "three_pot", 100
"""The bet of `own_meters.THREE`, and its stake."""
FATES = ("well", "down_before", "down_after", "crash_before", "crash_after")
LIFE: contextvars.ContextVar[int] = contextvars.ContextVar("life", default=0)


class WorldBroken(Exception):
    """A promise that did not hold in a world."""


class Life:
    """The stores as one life of the house sees them; after its death nothing it does has any effect."""

    def __init__(self, kept: Stores, world: World) -> None:
        self.world, self.dead = world, False
        roles = [field.name for field in fields(Stores) if field.name != "close"]
        mortal: dict[str, Any] = {role: Mortal(getattr(kept, role), self) for role in roles}
        self.stores = Stores(**mortal, close=lambda: None)


class Mortal:
    """A store of one role that dies with a life of the house."""

    def __init__(self, kept: Any, life: Life) -> None:
        self._kept, self.life = kept, life

    def __getattr__(self, name: str) -> Any:
        if self.life.dead:
            raise StoreDown("the house is dead")
        return getattr(self._kept, name)


class TroubledCommitter(InlineCommitter):
    """Writes as the world's seed will have it."""

    async def commit(self, write: Write) -> Outcome:
        def append() -> Outcome:
            outcome: Outcome = self._journal.append([write])[0]
            if isinstance(outcome, Written):
                self._journal.life.world.written.append(write)
            return outcome

        outcome: Outcome = await self._troubled(append, 1.0)
        return outcome

    async def run(self, act: Any) -> Any:
        return await self._troubled(act, 0.3)

    async def _troubled(self, act: Any, weight: float) -> Any:
        world: World = self._journal.life.world
        await asyncio.sleep(world.latency())
        fate = world.fate(weight)
        if fate == "down_before":
            raise StoreDown("the world took the store away")
        if fate == "crash_before":
            await self._crash()
        done = act()
        if fate == "down_after":
            raise StoreDown("the world took the store away after it had written")
        if fate == "crash_after":
            await self._crash()
        await asyncio.sleep(world.latency())
        return done

    async def _crash(self) -> None:
        life: Life = self._journal.life
        life.dead = True
        life.world.crashed.set()
        await asyncio.get_running_loop().create_future()


@dataclass(eq=False)
class Player:
    """A client that means well and is badly connected."""

    world: World
    table: str
    number: int
    chance: random.Random
    name: str = ""
    token: str = ""
    sent: dict[str, dict[str, Any]] = field(default_factory=dict)
    waiting: dict[str, float] = field(default_factory=dict)
    """Commands without an answer, by when they were sent last."""
    answers: dict[str, dict[str, Any]] = field(default_factory=dict)
    seat: int = 0
    trace: Any = field(default_factory=sha256)

    def __post_init__(self) -> None:
        self.nonces = Nonces(self.chance.randbytes)

    async def live(self) -> None:
        """Come, play, lose the connection, come back, for ever."""
        while True:
            await asyncio.sleep(self.chance.uniform(0.01, 0.4))
            LIFE.set(self.world.life)  # the other end of the line dies with the house
            try:
                socket = await connect(self.world.app, self.table, self.token)
            except Closed:
                continue
            finally:
                LIFE.set(0)
            try:
                await self._session(socket)
            except Closed:
                pass
            finally:
                await socket.close()

    async def _session(self, socket: Socket) -> None:
        for command in list(self.waiting):  # a client that was not answered asks again, in any order
            self._send(socket, command)
        view: dict[str, Any] | None = None
        while True:
            try:
                async with asyncio.timeout(BORED_SECONDS):
                    frame = await socket.frame()
            except TimeoutError:
                if (
                    view is not None
                ):  # nothing happens: the player may now want what they did not before, such as the bank
                    self._see(socket, view)
                continue
            self.trace.update(frame)
            message = msgspec.json.decode(frame)
            await asyncio.sleep(self.chance.uniform(0.0, 0.03))
            if message["type"] == "view":
                view = message["view"]
                self._see(socket, view)
            elif message["type"] == "answer":
                self._hear(message)
            elif message["type"] == "error":
                self.waiting.clear()  # it does not say of which: none of them is known to be carried out
            elif message["type"] == "halted":
                return
            for share in self.nonces.replies(message, self.seat):
                if self.chance.random() < 0.9:
                    socket.send(share)
            if self.world.troubled and self.chance.random() < 0.01:
                return

    def _see(self, socket: Socket, view: dict[str, Any]) -> None:
        self.seat = seat_of(view, self.name)
        roll = self.chance.random()
        if self.waiting and roll < 0.8:
            return
        if self.answers and roll > 0.97:
            self._send(socket, self.chance.choice(list(self.answers)))  # an old one, once more
        if not self.seat:
            self._new(socket, {"type": "Sit", "seat": self.number, "player": "", "cents": 30_000})
        elif roll < 0.03:
            self._new(socket, {"type": "BuyChips", "seat": self.seat, "cents": 100})
        elif (command := wanted(view, self.seat, self.chance)) is not None:
            if self.world.pots and command["type"] == "PlaceWagers":
                command = {**command, "wagers": {**command["wagers"], POT: POT_CENTS}}
            self._new(socket, command)

    def _new(self, socket: Socket, command: dict[str, Any]) -> None:
        name = f"{self.name}-{len(self.sent) + 1}"
        self.sent[name] = command
        for _ in range(self.chance.choice((1, 1, 1, 2, 3))):
            self._send(socket, name)

    def _send(self, socket: Socket, name: str) -> None:
        if name not in self.answers:
            self.waiting[name] = self.world.loop.time()
        socket.send({"type": "command", "id": name, "command": self.sent[name]})

    def _hear(self, answer: dict[str, Any]) -> None:
        name = answer["command"]
        self.waiting.pop(name, None)
        before = self.answers.setdefault(name, answer)
        if before["accepted"] and before != answer:
            self.world.broken = f"another answer to the same command: {before}, and later {answer}"


class World:
    """Everything, from one seed."""

    def __init__(self, seed: int, loop: VirtualLoop, clock: Clock, pots: str = "") -> None:
        self.seed, self.loop, self.clock, self.pots = seed, loop, clock, pots
        self.chance = random.Random(f"world {seed}")
        self.kept, self.vault = memory_stores(), Vault(bytes(32))
        books = sorted(catalog.rulebook_ids())
        self.tables = [books[seed % len(books)], *([books[(seed + 2) % len(books)]] if seed % 3 == 0 else [])]
        if pots:
            self.tables = ["pots-1", "pots-2"]
        self.written: list[Write] = []
        """What the stores took, in their order."""
        self.players = [
            Player(self, table, number, random.Random(f"player {seed} {table} {number}"))
            for table in self.tables
            for number in (1, 2)
        ]
        self.troubled = False
        self.badness = self.chance.choice((0.0, 0.005, 0.02, 0.05))
        self.slowness = self.chance.choice((0.0, 0.001, 0.02, 0.2))
        self.life = 0
        self.found: Counter[str] = Counter()
        self.broken = ""
        """What went wrong first and cannot be put right any more."""
        self.crashed = asyncio.Event()
        self.app: Any = None
        self.house: House
        self._life: Life
        self._seen: dict[str, int] = {}
        self._tasks: list[tuple[int, asyncio.Task[Any]]] = []

    def latency(self) -> float:
        """How long the store takes this time."""
        return self.chance.uniform(0.0, self.slowness) if self.troubled else 0.0

    def fate(self, weight: float) -> str:
        """What happens to a write."""
        if not self.troubled or self.chance.random() >= self.badness * weight:
            return "well"
        fate = self.chance.choice(FATES[1:])
        self.found[fate] += 1
        return fate

    def make_task(self, loop: asyncio.AbstractEventLoop, coro: Any, **more: Any) -> asyncio.Task[Any]:
        """Remember which life of the house a task belongs to, so that it dies with it."""
        task = asyncio.Task(coro, loop=loop, **more)
        context = more.get("context")
        life = context.get(LIFE, 0) if context is not None else LIFE.get()
        self._tasks = [(of, one) for of, one in self._tasks if not one.done()]
        self._tasks.append((life, task))
        return task

    async def run(self) -> str:
        """Live through everything, and return the digest of what came of it."""
        self.loop.set_task_factory(self.make_task)
        keeper = asyncio.create_task(self._keep())
        while self.app is None:
            await asyncio.sleep(0.01)
        for table in self.tables:
            await self.house.open(table, f"Table {table}", self.pots or table)
        for player in self.players:
            person, player.token = await self.house.people.guest()
            player.name = person.name
        playing = [asyncio.create_task(player.live()) for player in self.players]
        self.troubled = True
        await asyncio.sleep(TROUBLE_SECONDS)
        self.troubled = False
        before = self._rounds()
        end = self.loop.time() + CALM_SECONDS
        while self.loop.time() < end and any(now < then + 1 for now, then in zip(self._rounds(), before, strict=True)):
            self._demand(not self.broken, self.broken)
            await asyncio.sleep(1.0)
        self._demand(not self.broken, self.broken)
        self._demand(self.loop.time() < end, f"a table is stuck: rounds {before}, and later {self._rounds()}")
        for task in playing:
            task.cancel()
        await asyncio.gather(*playing, return_exceptions=True)
        self._judge()
        keeper.cancel()
        await asyncio.gather(keeper, return_exceptions=True)
        return self.digest()

    def digest(self) -> str:
        """Return a digest of all journals and of all that every player was sent."""
        whole = sha256()
        for record in self.kept.tables.all():
            whole.update(f"{record.id} {record.number} {record.hash}\n".encode())
        for player in self.players:
            whole.update(player.trace.digest())
        return whole.hexdigest()

    def _rounds(self) -> list[int]:
        rooms = self.house.rooms
        self._seen.update({table: rooms[table].table.round for table in self.tables if table in rooms})
        return [self._seen.get(table, 0) for table in self.tables]

    async def _keep(self) -> None:
        """Keep a house running, whatever happens to it."""
        while True:
            self.life += 1
            self.crashed = asyncio.Event()
            self._life = Life(self.kept, self)
            LIFE.set(self.life)
            self.house = House(
                self._life.stores,
                node=f"node-{self.life}",
                pace=Pace(step=STEP_SECONDS, bets=3.0, choice=5.0),
                vault=self.vault,
            )
            app = create(self.house, demo=False)
            open_ = asyncio.create_task(self._open(app))
            LIFE.set(0)
            await self._until_the_end()
            self._life.dead = True
            open_.cancel()
            await self._bury()

    async def _open(self, app: Any) -> None:
        try:
            async with app.router.lifespan_context(app):
                self.app = app
                await asyncio.get_running_loop().create_future()
        except LetItRideError:
            self.crashed.set()  # a server that cannot start is started again

    async def _until_the_end(self) -> None:
        moved = dict.fromkeys(self.tables, (-1, 0.0))
        while True:
            try:
                await asyncio.wait_for(self.crashed.wait(), 0.25)
            except TimeoutError:
                self._jostle()
            else:
                return
            for table, room in self.house.rooms.items():
                if room.host.halted and not room.host.lost:  # what was taken from a house, it takes again by itself
                    self.broken = self.broken or f"{table} is halted: {room.host.halted}"
            for record in self.kept.tables.all():
                number, at = moved[record.id]
                if number != record.number:
                    moved[record.id] = record.number, self.loop.time()
                elif self.loop.time() > at + PATIENCE_SECONDS:
                    self.broken = self.broken or f"{record.id} does nothing for {PATIENCE_SECONDS} seconds"

    def _jostle(self) -> None:
        """Sometimes do what is not the store's: kill the house, set the clock, give a table to someone else."""
        if not self.troubled or self.chance.random() > self.badness:
            return
        what = self.chance.choice(("kill", "clock", "thief"))
        self.found[what] += 1
        if what == "kill":
            self.loop.call_later(self.chance.uniform(0.0, 0.3), self.crashed.set)  # in the middle of anything
        elif what == "clock":
            self.clock.wrong_ms += self.chance.choice((-60_000, -5_000, 5_000, 600_000))
        else:
            table = self.chance.choice(self.tables)
            stolen = self.kept.leases.take(table, "thief", "", 2**60, 1)
            self.kept.leases.release(table, "thief", stolen.epoch if stolen else 0)

    async def _bury(self) -> None:
        """No task of a dead house does anything any more."""
        for _ in range(100):
            left = [task for of, task in self._tasks if of == self.life and not task.done()]
            if not left:
                return
            for task in left:
                task.cancel()
            await asyncio.sleep(0)
        raise WorldBroken("a dead house does not lie still")

    def _judge(self) -> None:
        verdict = verify(self.kept)
        self._demand(verdict.good, f"the journals are not good: {verdict}")
        self._demand(self.kept.wallets.total() == 0, f"all money comes to {self.kept.wallets.total()} cents")
        carried = Counter(row.command for table in self.tables for row in self.kept.journal.rows(table) if row.command)
        twice = [command for command, count in carried.items() if count > 1]
        self._demand(not twice, f"carried out twice: {twice}")
        for player in self.players:
            for name, answer in player.answers.items():
                lost = answer["accepted"] and not carried[name]
                self._demand(not lost, f"acknowledged and lost: {name} {player.sent[name]}")
        for table in self.tables:
            live = self.house.rooms[table].table
            self._demand(rebuilt(self._rows(table)) == live, f"{table} is not what its journal says")
            self._judge_decks(table)
        self._judge_pots()
        self.found["rows"] = sum(carried.values())

    def _judge_pots(self) -> None:
        """What hands took of the meter that tables share was in it in that moment, and all that is left is there."""
        meter, held = accounts.shared_meter(POT), 0
        for write in self.written:
            relied = write.holds.get(meter, 0)
            self._demand(relied <= held, f"{write.table_id} took of {relied} cents in a meter that held {held}")
            self.found["pots taken"] += bool(relied)
            held += changes(write.transfers).get(meter, 0)
            self._demand(held >= 0, f"the meter owes {-held} cents")
        left = self.kept.wallets.meter(POT) if self.pots else 0
        self._demand(held == left, f"{left} cents in the meter, and journals say {held}")

    def _rows(self, table: str) -> list[Row]:
        """Return the rows of a journal, those of a round in play opened with the house's key."""
        return list(OpenedJournal(self.kept.journal, self.kept.documents, self.vault).rows(table))

    def _judge_decks(self, table: str) -> None:
        """Every deck has one end in public: dealt and opened, or void; those in use now have none yet."""
        documents = self.kept.documents
        decks = [read(doc.body) for doc in documents.find(KIND, f"{table}/")]
        dealt = {doc.id for doc in documents.find(DEALT, f"{table}/")}
        happened = (event for row in self._rows(table) for event in decode(row.events))
        bound = Counter(event.order for event in happened if isinstance(event, FacesBound))
        for one in decks:
            assert isinstance(one, StoredShuffle)
            shown = "opened" if one.key in dealt else "void"
            self._demand(
                not one.ended or one.state == shown, f"{one.key} was {'' if one.key in dealt else 'not '}dealt"
            )
            secret = one.open(self.vault)
            self._demand(secret is not None, f"{one.key} cannot be read")
            if one.key in dealt and secret is not None:
                bound[one.fair(secret).order] -= 1
            if one.ended:
                self._demand(not check_proof(one.proof()), f"the proof of {one.key}: {check_proof(one.proof())}")
            self.found[f"deck {one.state}"] += 1
        self._demand(not +bound and not -bound, f"{table} was dealt decks without a proof, or had proofs of others")
        running = sum(not one.ended for one in decks)
        self._demand(running <= 2 * self.house.rooms[table].table.rules.rules.decks, f"{running} decks have no end")

    def _demand(self, holds: bool, what: str) -> None:
        if not holds:
            raise WorldBroken(
                f"{what}. To see it again: python -m tests.promises.world {'--pots ' * bool(self.pots)}{self.seed}"
            )


def live_through(seed: int, *, pots: bool = False) -> tuple[str, Counter[str]]:
    """Run the world of a seed; return the digest of all that happened, and what was found."""
    with TemporaryDirectory() as folder, virtual(f"world {seed}", TroubledCommitter) as (loop, clock):
        world = World(seed, loop, clock, str(pots_book(Path(folder))) if pots else "")
        return run(loop, world.run()), world.found


def pots_book(folder: Path) -> Path:
    """Write a book whose tables share the meter of a bet that is hit in every second round or so."""
    wager, book = folder / f"{POT}.toml", folder / "pots.toml"
    shared = THREE.replace("[meter]\n", "[meter]\nshared = true\n")
    wager.write_text(f"{shared}[envy]\nstraight = 20\npair = 1\n", encoding="utf-8")
    rules = '[rules]\nodds.wording = ["to", "win"]\n'
    book.write_text(
        f'id = "pots-1"\ntitle = "Pots"\nextends = "nsw-1"\nwagers = ["{wager}"]\n{rules}', encoding="utf-8"
    )
    return book


def main() -> None:
    """Run worlds from the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("seeds", nargs="*", type=int)
    parser.add_argument("--minutes", type=float, default=0.0)
    parser.add_argument("--first", type=int, default=1_000)
    parser.add_argument("--pots", action="store_true")
    asked = parser.parse_args()
    end = time.monotonic() + asked.minutes * 60
    for seed in asked.seeds:
        digest, found = live_through(seed, pots=asked.pots)
        sys.stdout.write(f"{seed} {digest[:16]} {dict(sorted(found.items()))}\n")
    seed, all_found = asked.first, Counter[str]()
    while time.monotonic() < end:
        all_found += live_through(seed, pots=asked.pots or seed % 4 == 0)[1]
        seed += 1
    if asked.minutes:
        sys.stdout.write(f"{seed - asked.first} worlds: {dict(sorted(all_found.items()))}\n")


if __name__ == "__main__":
    main()
