"""`letitride serve`: it says where it is, refuses in a sentence, and stops cleanly however many are connected."""

from __future__ import annotations

import asyncio
import json
import os
import pty
import re
import select
import signal
import socket
import sqlite3
import stat
import subprocess
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

import httpx
import pytest
from websockets.asyncio.client import ClientConnection

from letitride.server.net.shutdown import SECONDS_TO_LEAVE
from letitride.server.running import GRACE_SECONDS
from letitride.storage.urls import open_store
from letitride.storage.verify import verify
from tests.cli.forked import Forked
from tests.server.cluster import wait_for
from tests.server.conftest import COMMAND, Server
from tests.server.guest import PATIENCE, Guest

ROOT = Path(__file__).parents[3]
MINUTES = 240.0
"""Seconds that anything may take on a machine with much else to do."""


def run(folder: Path, *words: str, **environ: str) -> subprocess.CompletedProcess[str]:
    """Run a process of it as people do, to its end."""
    environ = {**os.environ, "LETITRIDE_DATA_DIR": str(folder), **environ}
    words = (str(COMMAND), "serve", *words)
    return subprocess.run(words, capture_output=True, text=True, check=False, env=environ, timeout=MINUTES)


def said_by(*folders: Path, words: tuple[str, ...]) -> list[tuple[int, str]]:
    """Start one for each folder at once; return with which code each ended, and all it said."""
    with TemporaryDirectory() as elsewhere:
        logs = [Path(elsewhere) / str(number) for number, _ in enumerate(folders)]
        environs = [{**os.environ, "LETITRIDE_DATA_DIR": str(folder)} for folder in folders]
        begun = [Forked(["serve", *words], log, environ) for log, environ in zip(logs, environs, strict=True)]
        try:
            codes = [one.wait(MINUTES) for one in begun]
        finally:
            for one in begun:
                one.kill()
        return [(code, log.read_text(encoding="utf-8")) for code, log in zip(codes, logs, strict=True)]


@contextmanager
def started(folder: Path, *words: str) -> Iterator[tuple[Forked, str]]:
    """A server on a free port that it picks, and where it says it is."""
    with TemporaryDirectory() as elsewhere:
        log = Path(elsewhere) / "server.log"
        process = Forked(["serve", "--port", "0", *words], log, {**os.environ, "LETITRIDE_DATA_DIR": str(folder)})
        try:
            wait_for(lambda: log.exists() and b"\n" in log.read_bytes(), seconds=MINUTES)
            line = log.read_text(encoding="utf-8").splitlines()[0]
            found = re.search(r"http://127\.0\.0\.1:(\d+)", line)
            assert found, line
            yield process, found[0]
        finally:
            process.kill()
            process.wait(MINUTES)


def test_a_free_port_is_taken_and_the_real_one_printed(tmp_path: Path) -> None:
    with started(tmp_path) as (process, base):
        assert not base.endswith((":0", ":8765"))
        assert "ok" == httpx.get(f"{base}/healthz", timeout=PATIENCE, verify=False).text
        process.send_signal(signal.SIGINT)
        assert 0 == process.wait(MINUTES)
    assert (tmp_path / "house.db").is_file()


def test_a_port_in_use_is_one_sentence_and_leaves_the_database_alone(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        ((code, said),) = said_by(tmp_path, words=("--port", str(port)))
    assert 2 == code
    assert re.fullmatch(rf"letitride: expected an address that is free, got 127.0.0.1 port {port}: .+\n", said)
    assert not (tmp_path / "house.db").exists()


def test_a_second_server_of_one_file_is_one_sentence_and_changes_nothing(tmp_path: Path) -> None:
    house, other = tmp_path / "house", tmp_path / "other"
    house.mkdir()
    other.symlink_to(house)

    def kept() -> list[tuple[object, ...]]:
        with closing(sqlite3.connect(house / "house.db")) as raw:
            return [
                *raw.execute("SELECT id, node, epoch FROM game_tables"),
                *raw.execute("SELECT id FROM documents WHERE kind = 'node'"),
            ]

    with started(house, "--no-browser") as (first, base):
        before = kept()
        for code, said in said_by(house, other, words=("--port", "0", "--no-browser")):  # by whatever name
            sentence = r"letitride: expected a database that no server is using, got '.+house\.db': stop .+\n"
            assert 2 == code
            assert re.fullmatch(sentence, said), said
        assert before == kept()
        assert "ready" == httpx.get(f"{base}/readyz", timeout=PATIENCE, verify=False).text
        first.send_signal(signal.SIGTERM)
        with started(house, "--no-browser") as (second, after):  # at once: it waits for the one that goes
            assert 0 == first.wait(MINUTES)
            assert "ready" == httpx.get(f"{after}/readyz", timeout=PATIENCE, verify=False).text
            second.kill()
            with started(house, "--no-browser") as (_, last):  # the dead have no locks
                assert 5 == len(httpx.get(f"{last}/api/tables", timeout=PATIENCE, verify=False).json())


def test_bad_settings_are_one_sentence(tmp_path: Path) -> None:
    done = run(tmp_path, "--port", "70000")
    assert (2, "") == (done.returncode, done.stdout)
    assert "letitride: expected a port from 0 to 65535 for port, got '70000' from --port\n" == done.stderr


def test_a_start_that_fails_is_one_sentence(tmp_path: Path) -> None:
    open_store(str(tmp_path / "house.db")).close()
    with closing(sqlite3.connect(tmp_path / "house.db")) as raw:
        raw.execute("DROP TABLE documents")
    ((code, said),) = said_by(tmp_path, words=("--port", "0"))
    assert 2 == code
    assert re.fullmatch(r"letitride: .*no such table: documents\n", said), said


def test_show_settings_names_every_origin_and_hides_secrets(tmp_path: Path) -> None:
    (tmp_path / "letitride.toml").write_text('pace = 1.5\nbots = 3\nmetrics_token = "tell nobody"\n', encoding="utf-8")
    done = run(
        tmp_path, "--show-settings", "--json", "--bots", "2", LETITRIDE_DB="postgresql://me:secret@db/x?password=other"
    )
    assert 0 == done.returncode, done.stderr
    shown = json.loads(done.stdout)
    assert {"value": 2, "from": "--bots"} == shown["bots"]
    assert {"value": 1.5, "from": f"{tmp_path}/letitride.toml:pace"} == shown["pace"]
    assert {"value": "postgresql://me:***@db/x?password=***", "from": "LETITRIDE_DB"} == shown["db"]
    assert "default" == shown["host"]["from"]
    assert "tell nobody" not in done.stdout


def test_a_server_without_an_administrator_hides_its_code_from_the_log(tmp_path: Path) -> None:
    server = Server(tmp_path)
    server.start()
    try:
        path = tmp_path / "setup-code"
        code = path.read_text(encoding="utf-8").strip()
        assert 0o600 == stat.S_IMODE(path.stat().st_mode)
        assert code not in (tmp_path / "server.log").read_text(encoding="utf-8")
        wanted = {"code": code, "name": "Ada", "password": "long enough now"}
        with httpx.Client(base_url=server.base, timeout=PATIENCE, verify=False) as client:
            assert 403 == client.post("/api/setup", json={**wanted, "code": "AAAAA"}).status_code
            assert 422 == client.post("/api/setup", json={**wanted, "password": "short"}).status_code
            assert 201 == client.post("/api/setup", json=wanted).status_code
            assert 409 == client.post("/api/setup", json={**wanted, "name": "Bob"}).status_code
            assert 200 == client.post("/api/login", json={"name": "Ada", "password": "long enough now"}).status_code
            assert "administrator" in client.get("/api/me").json()["roles"]
        assert not path.exists()
    finally:
        assert 0 == server.stop()
    server.start()  # the house has its administrator: no one is offered a code
    assert not (tmp_path / "setup-code").exists()
    assert 0 == server.stop()


def test_at_a_terminal_the_code_is_shown_and_a_browser_opened(tmp_path: Path) -> None:
    opened = tmp_path / "opened"
    browser = tmp_path / "browser"
    browser.write_text(f'#!/bin/sh\necho "$1" > {opened}.part && mv {opened}.part {opened}\n', encoding="utf-8")
    browser.chmod(0o700)
    environ = {**os.environ, "LETITRIDE_DATA_DIR": str(tmp_path), "BROWSER": f"{browser} %s", "DISPLAY": ":0"}
    ours, theirs = pty.openpty()
    words = [COMMAND, "serve", "--port", "0", "--no-demo"]
    process = subprocess.Popen(words, stdin=theirs, stdout=theirs, stderr=theirs, env=environ)
    os.close(theirs)
    shown = ""
    try:
        while "Setup code: " not in shown:
            assert select.select([ours], [], [], MINUTES)[0], shown
            shown += os.read(ours, 4_096).decode()
        end = time.monotonic() + MINUTES
        while not opened.exists():
            assert time.monotonic() < end, "expected a browser, got none"
            time.sleep(0.02)
        process.send_signal(signal.SIGINT)
        assert 0 == process.wait(MINUTES)
    finally:
        process.kill()
        process.wait(MINUTES)
        os.close(ours)
    where = re.search(r"http://127\.0\.0\.1:\d+", shown)
    assert where
    assert where[0] == opened.read_text(encoding="utf-8").strip()
    assert re.search(r"Setup code: ([A-Z2-9]{5}-){5}[A-Z2-9]{5} ", shown)
    assert not (tmp_path / "setup-code").exists()


def test_make_play_ends_at_an_address(tmp_path: Path) -> None:
    # What is installed is taken as it is: this is about what comes after.
    words = ["make", "--silent", "--assume-old=.venv/.installed", "play", "PORT=0", "ARGS=--no-browser --pace 0.01"]
    words += [f"BIN={COMMAND.parent}"]
    environ = {**os.environ, "LETITRIDE_DATA_DIR": str(tmp_path)}
    process = subprocess.Popen(
        words,
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        env=environ,
        start_new_session=True,
    )
    assert process.stdout is not None
    try:
        shown, found = "", None
        while found is None and (line := process.stdout.readline()):  # the page may be built first, which is said
            shown += line
            found = re.search(r"http://127\.0\.0\.1:\d+", line)
        assert found, shown
        assert 5 == len(httpx.get(f"{found[0]}/api/tables", timeout=PATIENCE, verify=False).json())
    finally:
        os.killpg(process.pid, signal.SIGTERM)
        process.wait(MINUTES)
        process.stdout.close()
    store = open_store(str(tmp_path / "house.db"), read_only=True)
    try:
        assert verify(store).good
    finally:
        store.close()


async def mid_round(guest: Guest) -> ClientConnection:
    """Play until a round is on."""
    await guest.arrive()
    connection = await guest.connect()
    while guest.view.get("phase") not in {"dealing", "choice_1", "choice_2"}:
        await guest.react(connection, json.loads(await asyncio.wait_for(connection.recv(), MINUTES)))
    return connection


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_it_stops_within_ten_seconds_with_people_connected_and_parks_the_round(
    server: Server, number: signal.Signals
) -> None:
    guest = Guest(server.base, "nsw-1")

    def deaf() -> socket.socket:
        """Someone who connects and never reads or closes."""
        found = httpx.post(f"{server.base}/api/guest", timeout=PATIENCE, verify=False)
        one = socket.create_connection(("127.0.0.1", server.port))
        one.sendall(
            b"GET /api/tables/nsw-1/socket HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            b"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n"
            + f"Cookie: letitride_session={found.cookies['letitride_session']}\r\n\r\n".encode()
        )
        assert b"101" in one.recv(64)
        return one

    async def play() -> int | None:
        connection = await mid_round(guest)
        stopping = asyncio.create_task(asyncio.to_thread(server.stop, number))
        async for _ in connection:  # to the end
            pass
        assert 0 == await stopping
        return connection.close_code

    # It waits for nothing else, and ends though three never leave; how quick this machine is besides is not its doing.
    assert SECONDS_TO_LEAVE + GRACE_SECONDS < 10
    silent = [deaf() for _ in range(3)]
    assert 1001 == asyncio.run(play())
    for one in silent:
        one.close()
    store = open_store(str(server.database), read_only=True)
    try:
        assert verify(store).good
        assert 0 == store.wallets.total()
        owners = [store.leases.owner(record.id) for record in store.tables.all()]
        assert all(lease is None or lease.until_ms == 0 for lease in owners), owners
    finally:
        store.close()
    server.start()  # no one waits for leases, and the round goes on
    (mine,) = [one for one in server.tables() if one["id"] == "nsw-1"]
    assert 1 == mine["seated"]


def test_readiness_and_the_log_of_a_clean_day(server: Server) -> None:
    assert "ready" == httpx.get(f"{server.base}/readyz", timeout=PATIENCE, verify=False).text
    assert 0 == server.stop()
    log = (server.folder / "server.log").read_text(encoding="utf-8")
    assert log.startswith(f"letitride is running at {server.base} ")
    assert re.search(r"code sha256 [0-9a-f]{64}", log)
    assert "Traceback" not in log


def test_a_second_interrupt_ends_at_once(tmp_path_factory: pytest.TempPathFactory) -> None:
    code, seconds = interrupted_twice(tmp_path_factory.mktemp("house"))
    while code == 0 and seconds > GRACE_SECONDS:  # this machine stood still until the server had ended by itself
        code, seconds = interrupted_twice(tmp_path_factory.mktemp("house"))
    assert 130 == code


def interrupted_twice(folder: Path) -> tuple[int, float]:
    """Interrupt a server that waits for a request to end, twice; return its exit code, and the seconds between."""
    with (
        started(folder) as (process, base),
        socket.create_connection(("127.0.0.1", int(base.rpartition(":")[2]))) as slow,
    ):
        slow.sendall(
            b"POST /api/login HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\n"
        )  # and never the rest
        assert "ok" == httpx.get(f"{base}/healthz", timeout=PATIENCE, verify=False).text
        first = time.monotonic()
        process.send_signal(signal.SIGINT)
        wait_until_deaf(base)
        process.send_signal(signal.SIGINT)
        seconds = time.monotonic() - first
        return process.wait(MINUTES), seconds


def wait_until_deaf(base: str) -> None:
    """Wait until a server takes no more connections."""
    while True:
        try:
            httpx.get(f"{base}/healthz", timeout=PATIENCE, verify=False)
        except httpx.TransportError:
            return
        time.sleep(0.02)
