"""Measures what honest people wait for while one client attacks: each attack for some seconds against a real server.

    python benchmarks/floods.py                 every attack, from an address of the attacker's own
    python benchmarks/floods.py --same          from the address of everybody else
    python benchmarks/floods.py --only pings    one of them

Server, attacker and honest people share the machine's cores. Four players send a command each tenth of a second; a
newcomer opens a connection and asks for the lobby twenty times a second. Only loopback addresses are used.
"""

from __future__ import annotations

import argparse
import asyncio
import base64
import json
import multiprocessing
import os
import resource
import signal
import socket
import struct
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Awaitable, Callable
from contextlib import suppress
from itertools import count
from pathlib import Path

HOST, ELSEWHERE = "127.0.0.1", "127.0.0.66"
TABLES = ("nsw-1", "washington-1", "shufflemaster-1", "hand-dealt-1")
COMMAND_SECONDS, NEWCOMER_SECONDS = 0.1, 0.05
LIMIT_MS = 250.0
RUN = "from letitride.cli.main import run; run()"
BYTES_A_SECOND = 2_000_000
TRIES = (OSError, EOFError, asyncio.IncompleteReadError, ValueError)


class Client:
    """One connection by hand: requests, and frames as they are wished."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.reader, self.writer = reader, writer

    @classmethod
    async def open(cls, port: int, source: str) -> Client:
        """Connect from an address."""
        return cls(*await asyncio.open_connection(HOST, port, local_addr=(source, 0)))

    async def request(self, method: str, path: str, cookie: str = "", extra: str = "") -> tuple[int, str, bytes]:
        """Ask; return the status, the session that came, and the body."""
        told = f"Cookie: {cookie}\r\n" if cookie else ""
        self.writer.write(
            f"{method} {path} HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\n{told}{extra}\r\n".encode()
        )
        head = (await self.reader.readuntil(b"\r\n\r\n")).decode("latin-1")
        lines = {name.lower(): value for name, _, value in (line.partition(": ") for line in head.split("\r\n"))}
        body = await self.reader.readexactly(int(lines.get("content-length", "0")))
        session = lines.get("set-cookie", "").partition(";")[0]
        return int(head.split(" ", 2)[1]), session, body

    async def upgrade(self, table: str, cookie: str) -> None:
        """Become a WebSocket."""
        key = base64.b64encode(os.urandom(16)).decode()
        upgrade = (
            f"Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: {key}\r\n"
        )
        status, _, _ = await self.request("GET", f"/api/tables/{table}/socket?changes=true", cookie, upgrade)
        if status != 101:
            raise ValueError(f"the socket was refused: {status}")

    def send(self, message: object) -> None:
        """Send a message."""
        self.writer.write(frame(1, json.dumps(message).encode()))

    async def receive(self) -> dict[str, object]:
        """Return the next message."""
        while True:
            first, second = await self.reader.readexactly(2)
            length = second & 127
            if length > 125:
                length = int.from_bytes(await self.reader.readexactly(2 if length == 126 else 8))
            body = await self.reader.readexactly(length)
            if first & 15 == 8:
                raise EOFError
            if first & 15 == 9:
                self.writer.write(frame(10, body))
            elif first & 15 in (1, 2):
                return dict(json.loads(body))

    def close(self) -> None:
        """End it."""
        self.writer.transport.abort()


def frame(opcode: int, body: bytes = b"", *, fin: bool = True) -> bytes:
    """A frame of a client, with a mask that changes nothing."""
    length = bytes([128 | len(body)]) if len(body) < 126 else struct.pack(">BH", 128 | 126, len(body))
    return bytes([(128 if fin else 0) | opcode]) + length + bytes(4) + body


async def guest(port: int, source: str) -> str:
    """The session of a new guest."""
    one = await Client.open(port, source)
    _, cookie, _ = await one.request("POST", "/api/guest")
    one.close()
    return cookie


# The attacks: each goes on until it is ended, and comes again wherever it is cut off.


async def flood_frames(port: int, source: str, first: bytes, more: bytes) -> None:
    """One guest's frames at two megabytes a second."""
    cookie = await guest(port, source)
    piece = more * (16_384 // len(more))

    async def read_on(one: Client) -> None:
        with suppress(*TRIES):
            while await one.reader.read(65_536):
                pass

    while True:
        with suppress(*TRIES):
            one = await Client.open(port, source)
            await one.upgrade(TABLES[0], cookie)
            reading = asyncio.create_task(read_on(one))
            one.writer.write(first)
            while not reading.done():
                one.writer.write(piece)
                await one.writer.drain()
                await asyncio.sleep(len(piece) / BYTES_A_SECOND)
        await asyncio.sleep(0.01)


async def pings(port: int, source: str) -> None:
    """Empty pings."""
    await flood_frames(port, source, b"", frame(9))


async def continuations(port: int, source: str) -> None:
    """Empty frames of a message that never ends."""
    await flood_frames(port, source, frame(1, b"x", fin=False), frame(0, fin=False))


async def headers(port: int, source: str) -> None:
    """Headers without end, without a session."""
    while True:
        with suppress(*TRIES):
            one = await Client.open(port, source)
            one.writer.write(b"GET / HTTP/1.1\r\nHost: localhost\r\nX: ")
            while True:
                one.writer.write(b"a" * 262_144)
                await one.writer.drain()
                await asyncio.sleep(0.005)


async def advice(port: int, source: str) -> None:
    """One guest's long advice over fifty connections, each as fast as it is answered."""
    cookie = await guest(port, source)
    ids = count()

    async def talk() -> None:
        while True:
            with suppress(*TRIES):
                one = await Client.open(port, source)
                await one.upgrade(TABLES[1], cookie)
                one.send(
                    {
                        "type": "command",
                        "id": f"a{next(ids)}",
                        "command": {"type": "Sit", "seat": 5, "player": "", "cents": 500},
                    }
                )
                while True:
                    said = {"type": "Advise", "seat": 5, "words": "x" * 15_900}
                    one.send({"type": "command", "id": f"a{next(ids)}", "command": said})
                    while (await one.receive())["type"] not in ("answer", "error"):
                        pass
            await asyncio.sleep(0.05)

    await asyncio.gather(*(talk() for _ in range(50)))


async def idle_sockets(port: int, source: str) -> None:
    """1,200 connections that say nothing, opened again where they are closed."""

    async def sit() -> None:
        while True:
            with suppress(*TRIES):
                one = await Client.open(port, source)
                await one.reader.read(1)
            await asyncio.sleep(0.2)

    await asyncio.gather(*(sit() for _ in range(1_200)))


async def slow_headers(port: int, source: str) -> None:
    """300 requests of a byte a second."""

    async def dribble() -> None:
        while True:
            with suppress(*TRIES):
                one = await Client.open(port, source)
                one.writer.write(b"GET / HTTP/1.1\r\nX: ")
                while not one.reader.at_eof():
                    one.writer.write(b"a")
                    await one.writer.drain()
                    await asyncio.sleep(1)
            await asyncio.sleep(0.2)

    await asyncio.gather(*(dribble() for _ in range(300)))


async def documents(port: int, source: str) -> None:
    """The description of the interface over twenty connections, as fast as it comes."""

    async def read() -> None:
        while True:
            with suppress(*TRIES):
                one = await Client.open(port, source)
                while True:
                    await one.request("GET", "/docs")

    await asyncio.gather(*(read() for _ in range(20)))


async def pipelines(port: int, source: str) -> None:
    """Requests by the thousand in one write, without a session."""
    while True:
        with suppress(*TRIES):
            one = await Client.open(port, source)
            while True:
                one.writer.write(b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n" * 5_000)
                await one.writer.drain()
                await one.reader.read(65_536)
                await asyncio.sleep(0.005)


async def unread(port: int, source: str) -> None:
    """Two hundred connections that ask for much and read nothing."""

    async def ask() -> None:
        while True:
            with suppress(*TRIES):
                one = await Client.open(port, source)
                one.writer.transport.pause_reading()
                for _ in range(16):
                    one.writer.write(b"GET /openapi.json HTTP/1.1\r\nHost: localhost\r\n\r\n")
                    await one.writer.drain()
                    await asyncio.sleep(0.2)
                await asyncio.sleep(3)
                one.close()

    await asyncio.gather(*(ask() for _ in range(200)))


async def reconnects(port: int, source: str) -> None:
    """Sockets without a session, one after another in ten lines."""

    async def knock() -> None:
        while True:
            with suppress(*TRIES):
                one = await Client.open(port, source)
                await one.upgrade(TABLES[0], "")
            one.close()

    await asyncio.gather(*(knock() for _ in range(10)))


async def guests(port: int, source: str) -> None:
    """New guests in twenty lines, as fast as they are let in."""

    async def arrive() -> None:
        while True:
            with suppress(*TRIES):
                one = await Client.open(port, source)
                while True:
                    await one.request("POST", "/api/guest")

    await asyncio.gather(*(arrive() for _ in range(20)))


async def crowd(port: int, source: str) -> None:
    """Forty guests, each with commands as fast as they are answered."""

    async def talk() -> None:
        cookie = await guest(port, source)
        while True:
            with suppress(*TRIES):
                one = await Client.open(port, source)
                await one.upgrade(TABLES[2], cookie)
                for number in count():
                    one.send(
                        {
                            "type": "command",
                            "id": f"{number}",
                            "command": {"type": "Sit", "seat": 2, "player": "", "cents": 5},
                        }
                    )
                    while (await one.receive())["type"] not in ("answer", "error"):
                        pass
            await asyncio.sleep(0.1)

    await asyncio.gather(*(talk() for _ in range(40)))


ATTACKS: dict[str, Callable[[int, str], Awaitable[None]]] = {
    "pings": pings,
    "continuations": continuations,
    "headers": headers,
    "advice": advice,
    "idle sockets": idle_sockets,
    "slow headers": slow_headers,
    "/docs": documents,
    "pipelines": pipelines,
    "unread": unread,
    "reconnects": reconnects,
    "guests": guests,
    "crowd": crowd,
}


def attack(name: str, port: int, source: str) -> None:
    """Attack until this process is ended."""
    asyncio.run(ATTACKS[name](port, source))


class Waited:
    """How long honest people waited."""

    def __init__(self) -> None:
        self.seconds: list[float] = []
        self.lost = Counter[str]()

    def __str__(self) -> str:
        if not self.seconds:
            return f"no answer at all, {dict(self.lost)}"
        waited = sorted(self.seconds)
        p50, p99 = (1000 * waited[int(len(waited) * part)] for part in (0.5, 0.99))
        lost = f", {dict(self.lost)}" if self.lost else ""
        return f"p50 {p50:6.1f} p99 {p99:6.1f} ms{'' if p99 < LIMIT_MS else ' (!)'} of {len(waited)}{lost}"


async def player(port: int, table: str, waited: Waited, at: float) -> None:
    """A client that sends a command each tenth of a second; each tenth of them moves money."""
    cookie = await guest(port, HOST)
    one = await Client.open(port, HOST)
    await one.upgrade(table, cookie)
    one.send({"type": "command", "id": "sit", "command": {"type": "Sit", "seat": 2, "player": "", "cents": 5000}})
    sent: dict[str, float] = {}

    async def hear() -> None:
        while True:
            message = await one.receive()
            if (began := sent.pop(str(message.get("command", "")), 0.0)) and message["type"] in ("answer", "error"):
                waited.seconds.append(time.perf_counter() - began)

    hearing = asyncio.create_task(hear())
    await asyncio.sleep(at)
    try:
        for number in count():
            if hearing.done():
                waited.lost["closed"] += 1
                return
            command = (
                {"type": "BuyChips", "cents": 1} if number % 10 == 0 else {"type": "Choose", "bet": 1, "choice": "ride"}
            )
            sent[f"c{number}"] = time.perf_counter()
            one.send({"type": "command", "id": f"c{number}", "command": {**command, "seat": 2}})
            await asyncio.sleep(COMMAND_SECONDS)
            late = [began for began in sent.values() if time.perf_counter() - began > 5]
            waited.lost["late by 5 s"] += len(late)
            for name in [name for name, began in sent.items() if began in late]:
                waited.seconds.append(time.perf_counter() - sent.pop(name))
    finally:
        hearing.cancel()
        waited.seconds += [time.perf_counter() - began for began in sent.values()]
        waited.lost += Counter()
        one.close()


async def newcomers(port: int, waited: Waited) -> None:
    """People who come for the first time and look at the lobby."""

    async def come() -> None:
        began = time.perf_counter()
        try:
            async with asyncio.timeout(5):
                one = await Client.open(port, HOST)
                status, _, _ = await one.request("GET", "/api/tables")
                one.close()
            if status != 200:
                waited.lost[str(status)] += 1
        except TimeoutError:
            waited.lost["late by 5 s"] += 1
        except TRIES as error:
            waited.lost[type(error).__name__] += 1
        waited.seconds.append(time.perf_counter() - began)

    async with asyncio.TaskGroup() as coming:
        while True:
            coming.create_task(come())
            await asyncio.sleep(NEWCOMER_SECONDS)


async def look_on(port: int, seconds: float) -> tuple[Waited, Waited]:
    """Let honest people play and come for some seconds."""
    played, came = Waited(), Waited()
    tasks = [asyncio.create_task(player(port, table, played, 0.025 * at)) for at, table in enumerate(TABLES)]
    tasks.append(asyncio.create_task(newcomers(port, came)))
    await asyncio.sleep(seconds)
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    return played, came


def memory_mb(pid: int) -> float:
    """How much memory a process holds."""
    lines = Path(f"/proc/{pid}/status").read_text(encoding="ascii").splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("VmRSS")) / 1000


def main() -> None:
    """Run the attacks one by one, and print what honest people waited for."""
    ask = argparse.ArgumentParser(description=__doc__.partition("\n")[0] if __doc__ else "")
    ask.add_argument("--seconds", type=float, default=5.0)
    ask.add_argument("--same", action="store_true", help="attack from the address of everybody else")
    ask.add_argument("--only", choices=tuple(ATTACKS))
    asked = ask.parse_args()
    with socket.socket() as free:
        free.bind((HOST, 0))
        port = free.getsockname()[1]
    source = HOST if asked.same else ELSEWHERE
    with tempfile.TemporaryDirectory() as folder:
        words = [sys.executable, "-c", RUN, "serve", "--port", str(port), "--no-browser", "--log-level", "error"]
        server = subprocess.Popen(words, env={**os.environ, "LETITRIDE_DATA_DIR": folder}, stdout=subprocess.DEVNULL)
        try:
            _usual_files(server.pid)
            asyncio.run(_until_ready(port))
            print(f"{os.cpu_count()} cores, load {os.getloadavg()[0]:.1f} before the first; attacks from {source}")
            for name in ("nothing", *((asked.only,) if asked.only else ATTACKS)):
                attacker = None
                if name != "nothing":
                    attacker = multiprocessing.get_context("spawn").Process(target=attack, args=(name, port, source))
                    attacker.start()
                    time.sleep(1.5)
                played, came = asyncio.run(look_on(port, asked.seconds))
                print(
                    f"{name:14} players {played}; newcomers {came}; server {memory_mb(server.pid):.0f} MB", flush=True
                )
                if attacker is not None:
                    attacker.kill()
                    attacker.join()
        finally:
            server.send_signal(signal.SIGTERM)
            server.wait(60)


def _usual_files(pid: int) -> None:
    """Let the server begin with as many open files as most systems give a process; it may ask for more."""
    _, most = resource.prlimit(pid, resource.RLIMIT_NOFILE)
    resource.prlimit(pid, resource.RLIMIT_NOFILE, (min(1_024, most), most))


async def _until_ready(port: int) -> None:
    while True:
        with suppress(*TRIES):
            one = await Client.open(port, HOST)
            status, _, _ = await one.request("GET", "/readyz")
            one.close()
            if status == 200:
                return
        await asyncio.sleep(0.1)


if __name__ == "__main__":
    main()
