"""Inside: a house in this process, with a clock that jumps and chance that repeats, and sockets without a network.

What the house sees is what it sees in the field: its application is called as a web server calls it. Only time, chance
and threads are the test's: time goes on when everybody waits, chance comes from a seed, and what would be done in another
thread is done at once. So the same seed gives the same world, byte by byte, in a moment.
"""

from __future__ import annotations

import asyncio
import os
import random
import selectors
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine, Iterator, Mapping
from contextlib import asynccontextmanager, contextmanager, suppress
from dataclasses import dataclass, field
from typing import Any, TypeVar
from unittest import mock

import anyio.to_thread
import msgspec

from letitride.chance import live
from letitride.chance.health import Health
from letitride.server.app import create
from letitride.server.runtime.write_batching import Committer
from letitride.server.tables.house import House, Pace
from letitride.storage.roles.journal import JournalStore, Outcome, Write
from letitride.storage.roles.stores import Stores
from letitride.storage.vault import Vault
from tests.server.shares import Nonces

T = TypeVar("T")
COOKIE = "letitride_session"
MORNING_MS = 1_750_000_000_000
"""When every world begins."""


class StandsStill(Exception):
    """No one will ever do anything again."""


class _Jump(selectors.SelectSelector):
    """Waits for nothing: where everybody waits for a time, it is that time."""

    def __init__(self) -> None:
        super().__init__()
        self.now = 0.0

    def select(self, timeout: float | None = None) -> list[Any]:
        ready = super().select(0)
        if not ready and timeout is None:
            raise StandsStill("expected someone who will do something, got a world where everyone waits for ever")
        if not ready and timeout:
            self.now += timeout
        return ready


class VirtualLoop(asyncio.SelectorEventLoop):
    """An event loop whose time is no one's time, and that has no other threads."""

    def __init__(self) -> None:
        self._jump = _Jump()
        super().__init__(self._jump)
        self.complaints: list[dict[str, Any]] = []
        self.set_exception_handler(lambda _, context: self.complaints.append(context))

    def time(self) -> float:
        return self._jump.now

    def run_in_executor(self, _: Any, func: Callable[..., T], *args: Any) -> asyncio.Future[T]:
        done: asyncio.Future[T] = self.create_future()
        try:
            done.set_result(func(*args))
        except Exception as error:
            done.set_exception(error)
        return done


class InlineCommitter(Committer):
    """A committer without a thread: what it is given is written now."""

    def __init__(self, journal: JournalStore) -> None:
        self._journal = journal
        self.transactions = self.writes = 0

    async def commit(self, write: Write) -> Outcome:
        self.transactions += 1
        self.writes += 1
        return self._journal.append([write])[0]

    async def run(self, act: Callable[[], T]) -> T:
        return act()

    def close(self) -> None:
        pass


async def _at_once(func: Callable[..., T], *args: Any, **_: Any) -> T:
    return func(*args)


class Clock:
    """The wall clock of a virtual world: the loop's time, and how far someone has set it wrong."""

    def __init__(self, loop: VirtualLoop) -> None:
        self._loop = loop
        self.wrong_ms = 0

    def time_ns(self) -> int:
        return (MORNING_MS + self.wrong_ms) * 1_000_000 + int(self._loop.time() * 1e9)

    def time(self) -> float:
        return self.time_ns() / 1e9


@contextmanager
def virtual(seed: object, committer: type[Committer] = InlineCommitter) -> Iterator[tuple[VirtualLoop, Clock]]:
    """A world of its own: a loop, and a clock; all chance inside comes from the seed."""
    loop = VirtualLoop()
    clock = Clock(loop)
    octets = random.Random(f"octets {seed}")
    with (
        mock.patch.object(os, "urandom", octets.randbytes),
        mock.patch.object(live, "HEALTH", Health()),  # it looks at octets of its own when a process begins
        mock.patch.object(random, "_urandom", octets.randbytes),
        mock.patch.object(time, "monotonic", loop.time),
        mock.patch.object(time, "perf_counter", loop.time),
        mock.patch.object(time, "time_ns", clock.time_ns),
        mock.patch.object(time, "time", clock.time),
        mock.patch.object(anyio.to_thread, "run_sync", _at_once),
        mock.patch("letitride.server.tables.house.Committer", committer),
    ):
        try:
            yield loop, clock
        finally:
            _end(loop)


def _end(loop: VirtualLoop) -> None:
    for _ in range(20):  # who tidies up for long is told again
        if not (left := asyncio.all_tasks(loop)):
            break
        for task in left:
            task.cancel()
        with suppress(StandsStill):
            loop.run_until_complete(asyncio.wait(left, timeout=1.0))
    loop.run_until_complete(loop.shutdown_asyncgens())
    loop.close()


def run(loop: VirtualLoop, what: Coroutine[Any, Any, T]) -> T:
    """Run something to its end."""
    return loop.run_until_complete(what)


class Closed(Exception):
    """A socket that was closed, or never opened, by the other side."""


class Socket:
    """A WebSocket of an application in this process: what a web server would put between them is left out."""

    def __init__(self, app: Callable[..., Awaitable[None]], path: str, headers: Mapping[str, str], query: str) -> None:
        self.frames: asyncio.Queue[bytes | None] = asyncio.Queue()
        self.code = 0
        self._in: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
        self._accepted: asyncio.Future[bool] = asyncio.get_running_loop().create_future()
        scope = {
            "type": "websocket",
            "asgi": {"version": "3.0"},
            "http_version": "1.1",
            "scheme": "ws",
            "path": path,
            "raw_path": path.encode(),
            "root_path": "",
            "query_string": query.encode(),
            "headers": [(name.lower().encode(), value.encode()) for name, value in headers.items()],
            "client": ("127.0.0.1", 50_000),
            "server": ("house", 80),
            "subprotocols": [],
            "state": {},
        }
        self._in.put_nowait({"type": "websocket.connect"})
        self._task = asyncio.ensure_future(self._serve(app, scope))

    async def _serve(self, app: Callable[..., Awaitable[None]], scope: dict[str, Any]) -> None:
        try:
            await app(scope, self._in.get, self._sent)
        finally:
            if not self._accepted.done():
                self._accepted.set_result(False)
            self.frames.put_nowait(None)

    async def _sent(self, message: dict[str, Any]) -> None:
        match message["type"]:
            case "websocket.accept":
                self._accepted.set_result(True)
            case "websocket.send":
                text = message.get("text")
                self.frames.put_nowait(message["bytes"] if text is None else text.encode())
            case "websocket.close":
                self.code = message.get("code", 1000)
                if not self._accepted.done():
                    self._accepted.set_result(False)
                self.frames.put_nowait(None)
            case _:
                self.code = message.get("status", 0)

    async def opened(self) -> Socket:
        """Return the socket when the other side has accepted it."""
        if not await self._accepted:
            raise Closed(self.code)
        return self

    def send(self, message: Any) -> None:
        """Send a message; bytes and text as they are."""
        text = message if isinstance(message, str) else msgspec.json.encode(message).decode()
        self._in.put_nowait({"type": "websocket.receive", "text": text})

    async def frame(self) -> bytes:
        """Return the next frame."""
        frame = await self.frames.get()
        if frame is None:
            self.frames.put_nowait(None)
            raise Closed(self.code)
        return frame

    async def message(self) -> dict[str, Any]:
        """Return the next message."""
        return dict(msgspec.json.decode(await self.frame()))

    async def answer(self) -> dict[str, Any]:
        """Return the next message that answers something."""
        while True:
            found = await self.message()
            if found["type"] in {"answer", "error"}:
                return found

    async def close(self) -> None:
        """Go away, and wait until the other side has noticed."""
        self._in.put_nowait({"type": "websocket.disconnect", "code": 1001})
        await asyncio.gather(self._task, return_exceptions=True)


async def connect(app: Any, table: str, token: str, *, role: str = "", **headers: str) -> Socket:
    """Open a socket at a table; raises Closed where it is refused."""
    cookie = {"cookie": f"{COOKIE}={token}"} if token else {}
    query = f"role={role}" if role else ""
    return await Socket(app, f"/api/tables/{table}/socket", {"host": "house", **cookie, **headers}, query).opened()


async def get(app: Any, path: str, token: str) -> tuple[int, list[tuple[bytes, bytes]], bytes]:
    """Ask an address of an application in this process; return status, headers and body as they left it.

    A client of HTTP takes as long as the application for it, and a test that asks thousands of times has no use for one.
    """
    told: list[dict[str, Any]] = []
    asked, answered = iter([{"type": "http.request", "body": b"", "more_body": False}]), asyncio.Event()

    async def receive() -> dict[str, Any]:
        if (request := next(asked, None)) is not None:
            return request
        await answered.wait()
        return {"type": "http.disconnect"}

    async def send(message: dict[str, Any]) -> None:
        told.append(message)
        if message["type"] == "http.response.body" and not message.get("more_body", False):
            answered.set()

    scope = {
        "type": "http",
        "asgi": {"version": "3.0"},
        "http_version": "1.1",
        "method": "GET",
        "scheme": "http",
        "path": path,
        "raw_path": path.encode(),
        "root_path": "",
        "query_string": b"",
        "headers": [(b"host", b"house"), (b"accept", b"*/*"), (b"cookie", f"{COOKIE}={token}".encode())],
        "client": ("127.0.0.1", 123),
        "server": ("house", 80),
    }
    await app(scope, receive, send)
    start, *body = told
    return start["status"], start["headers"], b"".join(part.get("body", b"") for part in body)


def seat_of(view: Mapping[str, Any], name: str) -> int:
    """Return where someone sits; 0: nowhere."""
    return next((int(number) for number, seat in view["seats"].items() if seat["player"] == name), 0)


def wanted(view: Mapping[str, Any], seat: int, chance: random.Random) -> dict[str, Any] | None:
    """Return what a willing player does now: one of the commands they are offered, or nothing."""
    mine = view["seats"][str(seat)]
    if mine["sitting_out"]:  # away for too long
        return {"type": "SitOut", "seat": seat, "out": False}
    offers: dict[str, list[dict[str, Any]]] = {}
    for offer in view["offers"]:
        offers.setdefault(offer["type"], []).append(offer)
    bets = [offer for offer in offers.get("PlaceWagers", []) if offer["wagers"]]
    if bets and not mine["wagers"]:
        return chance.choice(bets)
    if "TakeBank" in offers and offers["TakeBank"][0]["cents"] > 0 and chance.random() < 0.9:
        return offers["TakeBank"][0]
    for kind in ("DeclineBank", "LookOver", "RefuseCorrection", "Claim"):
        if kind in offers and not (kind == "DeclineBank" and view["bank"] and view["bank"]["seat"] == seat):
            return offers[kind][0]
    if "Look" in offers and not mine["looked"]:
        return offers["Look"][0]
    return chance.choice(offers["Choose"]) if "Choose" in offers else None


@asynccontextmanager
async def opened(
    store: Stores, *books: str, node: str = "node", vault: Vault | None = None, **pace: float
) -> AsyncIterator[tuple[House, Any]]:
    """A house on a store, with a table for each book, and its application."""
    house = House(store, node=node, pace=Pace(**{"step": 0.05, "bets": 3.0, "choice": 5.0, **pace}), vault=vault)
    app = create(house, demo=False)
    async with app.router.lifespan_context(app):
        known = {record.id for record in store.tables.all()}
        for book in books:
            if book not in known:
                await house.open(book, f"Table {book}", book)
        while set(books) - set(house.rooms):  # the lease of a house that died has to end
            await asyncio.sleep(0.1)
        yield house, app


@dataclass
class Player:
    """A player who plays at a table as long as they are let."""

    house: House
    app: Any
    table: str
    seat: int
    token: str = ""
    name: str = ""
    choice: str = ""
    """What they do with their bets; nothing: what chance says."""
    silent: str = ""
    """In this phase they do nothing any more."""
    looks: bool = False
    """Whether they look at their cards before they go silent."""
    frames: list[dict[str, Any]] = field(default_factory=list)
    answers: list[dict[str, Any]] = field(default_factory=list)

    async def play(self) -> None:
        """Sit down and do what is asked of a player, for ever."""
        chance = random.Random(f"player {self.seat}")
        if not self.token:
            person, self.token = await self.house.people.guest()
            self.name = person.name
        socket = await connect(self.app, self.table, self.token)
        nonces, sent = Nonces(chance.randbytes), 0
        view: dict[str, Any] = {"seats": {}}
        with suppress(Closed):
            while True:
                message = await socket.message()
                self.frames.append(message)
                command: dict[str, Any] | None = None
                if message["type"] == "view":
                    view = message["view"]
                    if not seat_of(view, self.name):
                        command = (
                            {"type": "Sit", "seat": self.seat, "player": "", "cents": 50_000} if not sent else None
                        )
                    else:
                        command = wanted(view, self.seat, chance)
                        if view["phase"] == self.silent and not (self.looks and command and command["type"] == "Look"):
                            command = None
                    if command is not None and command["type"] == "Choose" and self.choice:
                        command = {**command, "choice": self.choice}
                elif message["type"] == "answer":
                    self.answers.append(message)
                for share in nonces.replies(message, self.seat if seat_of(view, self.name) else 0):
                    socket.send(share)
                if command is not None:
                    sent += 1
                    await asyncio.sleep(0.002 * self.seat)
                    socket.send({"type": "command", "id": f"{len(self.frames)}-{sent}", "command": command})


async def until(done: Callable[[], bool], seconds: float = 600.0) -> None:
    """Wait until something is so; fails where it does not come to that."""
    loop = asyncio.get_running_loop()
    end = loop.time() + seconds
    while not done():
        assert loop.time() < end, "it does not come to that"
        await asyncio.sleep(0.01)
