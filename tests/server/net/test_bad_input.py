"""Bad input over a real network: frames that make no sense, floods, messages without end, and readers that do not read."""

from __future__ import annotations

import asyncio
import json
import random
import signal
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidStatus

from letitride.server.routes.socket import CONNECTIONS_MAX
from letitride.server.runtime.rates import Rates
from letitride.storage.urls import open_store
from letitride.storage.verify import verify
from tests.server.conftest import Server
from tests.server.guest import COOKIE, PATIENCE, Guest

TABLE = "nsw-1"
FLOOD = 150


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    one = Server(tmp_path_factory.mktemp("bad"))
    one.start()
    yield one
    one.stop(signal.SIGKILL)


def memory_kb(server: Server) -> int:
    """How much memory a server holds."""
    assert server.process is not None
    lines = Path(f"/proc/{server.process.pid}/status").read_text(encoding="ascii").splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("VmRSS"))


async def answer(socket: ClientConnection) -> dict[str, Any]:
    while True:
        message = json.loads(await asyncio.wait_for(socket.recv(), 60))
        if message["type"] in {"answer", "error"}:
            return dict(message)


async def guest_at(server: Server, table: str = TABLE) -> tuple[Guest, ClientConnection]:
    guest = Guest(server.base, table)
    await guest.arrive()
    return guest, await guest.connect()


def test_no_one_opens_more_connections_than_they_can_use(house: Server) -> None:
    async def flood() -> None:
        guest, other = Guest(house.base, TABLE), Guest(house.base, TABLE)
        await guest.arrive()
        await other.arrive()
        sockets = [await guest.connect() for _ in range(CONNECTIONS_MAX)]
        with pytest.raises(InvalidStatus, match="403"):
            await guest.connect()
        await (await other.connect()).close()
        await sockets.pop().close()
        async with asyncio.timeout(120):
            while True:  # the place is free when the server has seen the client go
                try:
                    sockets.append(await guest.connect())
                    break
                except InvalidStatus:
                    await asyncio.sleep(0.05)
        for socket in sockets:
            await socket.close()

    asyncio.run(flood())


def mangled(chance: random.Random) -> str | bytes:
    """Return a frame that was a good one before something happened to it."""
    good = json.dumps({"type": "command", "id": "x", "command": {"type": "Sit", "seat": 3, "player": "", "cents": 500}})
    match chance.randrange(6):
        case 0:
            return good[: chance.randrange(len(good))]
        case 1:
            at = chance.randrange(len(good))
            return good[:at] + chr(chance.randrange(0x20, 0x3000)) + good[at + 1 :]
        case 2:
            return chance.randbytes(chance.randrange(1, 200))
        case 3:
            return "[" * chance.randrange(1, 8_000)
        case 4:
            return good.replace("500", chance.choice(["1e999", "-1", "99999999999999999999", "null", "0.5", "NaN"]))
        case _:
            return good.replace('"Sit"', chance.choice(['"Mishap"', '"Order"', "7", '"\\ud800"', '""']))


@pytest.mark.parametrize("binary", [False, True])
def test_300_mangled_frames_each_get_a_sentence_and_change_nothing(house: Server, binary: bool) -> None:
    async def send_all() -> int:
        chance, told = random.Random(300), 0
        codes: list[int] = []
        _, socket = await guest_at(house)
        for number in range(300):
            frame = mangled(chance)
            if isinstance(frame, bytes) != binary:
                continue
            if number % 30 == 29:  # no one sends so much for long: come back as someone new
                await socket.close()
                _, socket = await guest_at(house)
            try:
                await socket.send(frame)
                message = await answer(socket)
            except ConnectionClosed as closed:
                codes.append(closed.rcvd.code if closed.rcvd else 0)
                _, socket = await guest_at(house)
            else:
                assert message["type"] == "error" or not message["accepted"], (frame, message)
                assert message["sentence"]
            told += 1
        assert set(codes) <= {1003, 1007, 1008}  # a connection that is ended says why, in the protocol's own words
        await socket.close()
        return told

    assert asyncio.run(send_all()) > 20
    assert not any(table["seated"] or table["state"] != "open" for table in house.tables() if table["id"] == TABLE)


POISON = [
    *(
        ("x", {"type": "Sit", "seat": 3, "player": "", "cents": cents})
        for cents in (10**15, 10**16, 10**30, 2**63, -(2**70))
    ),
    *((name, {"type": "Sit", "seat": 3, "player": "", "cents": 500}) for name in ("a\nb", "\0", "\u2028", "\u200b")),
    ("x", {"type": "Report", "kind": "deck", "number": 10**25}),
    ("x", {"type": "PlaceWagers", "seat": 3, "wagers": {"base-1": 10**40}}),
]


@pytest.mark.parametrize(("name", "command"), POISON)
def test_no_command_halts_a_table(house: Server, name: str, command: dict[str, Any]) -> None:
    async def send() -> dict[str, Any]:
        guest, socket = await guest_at(house)
        await guest.send(socket, command, name)
        found = await answer(socket)
        await socket.close()
        return found

    told = asyncio.run(send())
    assert told["type"] == "error" or not told["accepted"]
    assert {table["state"] for table in house.tables()} == {"open"}


def test_an_error_says_by_its_code_what_it_is_about(house: Server) -> None:
    cases = [
        ("?", "unreadable"),
        (json.dumps({"type": "pledge", "round": 1, "shuffle": 1, "digest": "0" * 64}), "shuffle_share"),
        (json.dumps({"type": "link", "round": 1, "shuffle": 1, "link": "0" * 64}), "shuffle_share"),
        (json.dumps({"type": "reveal", "round": 1, "shuffle": 1, "nonce": "0" * 64}), "shuffle_share"),
        (json.dumps({"type": "take_shift"}), "not_allowed"),
        (json.dumps({"type": "command", "id": "a", "command": {"type": "Leave", "seat": 3}}), "not_allowed"),
    ]

    async def send() -> list[str]:
        _, socket = await guest_at(house)
        codes = []
        for frame, _ in cases:
            await socket.send(frame)
            codes.append((await answer(socket))["code"])
        await socket.close()
        return codes

    assert asyncio.run(send()) == [code for _, code in cases]


def test_a_message_of_a_megabyte_ends_its_own_connection_alone(house: Server) -> None:
    async def send() -> int:
        _, other = await guest_at(house)
        _, socket = await guest_at(house)
        await socket.send("x" * 1_000_000)
        with pytest.raises(ConnectionClosed) as closed:  # after some views, perhaps
            await answer(socket)
        await other.send("?")
        assert (await answer(other))["type"] == "error"
        await other.close()
        assert closed.value.rcvd is not None
        return closed.value.rcvd.code

    assert asyncio.run(send()) == 1009


@pytest.mark.parametrize("path", ["/api/par/live", "/api/login", "/api/tables", "/api/learn/dealer/nsw-1/pay/answer"])
@pytest.mark.parametrize("length", ["told", "untold"])
def test_a_request_that_brings_a_heap_is_refused_before_it_is_read(house: Server, path: str, length: str) -> None:
    """It would be held in memory and taken apart by the loop that plays all tables."""
    piece = b" " * 65_536

    def heap() -> Iterator[bytes]:
        yield from [b'{"title": "'] + 40 * [piece]

    before = memory_kb(house)
    content = b"".join(heap()) if length == "told" else heap()
    with httpx.Client(base_url=house.base, timeout=PATIENCE, verify=False) as client:
        said = client.post(path, content=content, headers={"Content-Type": "application/json"})
        assert (said.status_code, "bytes at most" in said.json()["detail"]) == (413, True)
        assert client.get("/healthz").status_code == 200
    assert memory_kb(house) < before + 20_000


def test_a_flood_is_slowed_down_and_others_are_served(house: Server) -> None:
    async def flood() -> tuple[list[dict[str, Any]], dict[str, Any], float]:
        _, socket = await guest_at(house)
        calm, other = await guest_at(house)

        async def listen() -> list[dict[str, Any]]:
            return [await answer(socket) for _ in range(FLOOD)]  # who does not even read is let go

        listening, began = asyncio.create_task(listen()), time.monotonic()
        for number in range(FLOOD):
            act = {"type": "command", "id": f"f{number}", "command": {"type": "Leave", "seat": 1}}
            await socket.send(json.dumps(act))
        await calm.send(other, {"type": "Leave", "seat": 1})
        served = await answer(other)
        told = await listening
        seconds = time.monotonic() - began
        await socket.close()
        await other.close()
        return told, served, seconds

    told, served, seconds = asyncio.run(flood())
    rate = Rates().messages_of
    assert "too many" not in served["sentence"]
    assert sum("too many" not in one["sentence"] for one in told) <= rate.burst + 1 + seconds * rate.a_minute / 60


def test_a_reader_who_does_not_read_costs_no_one_anything(house: Server) -> None:
    """20 connections that never read, while a round is played before their eyes: memory stays flat, play goes on."""

    async def watch() -> tuple[int, int]:
        deaf = []
        for _ in range(20):
            guest = Guest(house.base, "washington-1")
            await guest.arrive()
            address = f"{house.base.replace('http', 'ws', 1)}/api/tables/washington-1/socket"
            how: dict[str, Any] = {"max_queue": 1, "compression": None, "open_timeout": PATIENCE}
            deaf.append(await connect(address, additional_headers={"Cookie": f"{COOKIE}={guest.cookie}"}, **how))
            deaf[-1].transport.pause_reading()
        before = memory_kb(house)
        playing = Guest(house.base, "washington-1")
        await playing.arrive()
        socket = await playing.connect()
        await asyncio.wait_for(playing.play(socket, 6), 120)
        after = memory_kb(house)
        await socket.close()
        for one in deaf:
            one.transport.abort()
        return before, after

    before, after = asyncio.run(watch())
    assert after - before < 30_000, f"{before} kB before, {after} kB after"


def test_after_all_that_the_journals_are_good(house: Server) -> None:
    async def play() -> None:
        guest, socket = await guest_at(house, "shufflemaster-1")
        await asyncio.wait_for(guest.play(socket, 1), 120)
        await socket.close()

    asyncio.run(play())
    assert httpx.get(f"{house.base}/healthz", timeout=PATIENCE, verify=False).text == "ok"
    assert house.stop() == 0
    store = open_store(house.address, read_only=True)
    assert verify(store).good
    assert store.wallets.total() == 0
    store.close()
