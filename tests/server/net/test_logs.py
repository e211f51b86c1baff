"""Logs: a real exchange at the lowest level leaves no one's cookie, ticket, password, token, nonce or cards in the log."""

from __future__ import annotations

import asyncio
import json
import logging
import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
from websockets.asyncio.client import connect

from letitride.server.runtime.logs import LOGGING, AccessLineFormatter, LineFormatter
from letitride.server.runtime.pace import Pace
from letitride.storage.urls import open_store
from tests.server.guest import COOKIE, PATIENCE, Guest
from tests.server.shares import Nonces
from tests.server.staffed import open_house, serving

PASSWORD = "swordfish and chips"  # noqa: S105 - of no one's account
BOOK = "hand-dealt-1"


class Heard(logging.Handler):
    """Keeps what is logged, but by the clients, which are in this process here and at their owners' in the field."""

    def __init__(self) -> None:
        super().__init__(logging.NOTSET)
        self.setFormatter(logging.Formatter("%(levelname)s %(name)s %(message)s"))
        self.lines: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        if not record.name.startswith(("httpx", "httpcore", "websockets.client")):
            self.lines.append(self.format(record))


@contextmanager
def everything_heard() -> Iterator[Heard]:
    """Listen to every log at its lowest level; the server says itself how far down its own go."""
    root, heard = logging.getLogger(), Heard()
    places, before = (root, logging.getLogger("uvicorn"), logging.getLogger("uvicorn.access")), root.level
    root.setLevel(logging.NOTSET + 1)
    try:
        yield heard
    finally:
        root.setLevel(before)
        for place in places:
            place.removeHandler(heard)


def listen(heard: Heard) -> None:
    """Hear what the server's own loggers say, once it has set them up."""
    for name in ("", "uvicorn", "uvicorn.access"):
        logging.getLogger(name).addHandler(heard)


async def exchange(base: str) -> dict[str, str]:
    """Do what people do, and return the secrets that were sent meanwhile."""
    secrets: dict[str, str] = {"password": PASSWORD}
    async with httpx.AsyncClient(base_url=base, timeout=PATIENCE) as client:
        login = {"name": "Ann", "password": PASSWORD}
        assert (await client.post("/api/accounts", json=login)).status_code == 201
        secrets["session"] = (await client.post("/api/login", json=login)).cookies[COOKIE]
        made = await client.post("/api/private-tables", json={"rulebook": "nsw-1", "name": "Ours"})
        invitation = await client.post(f"/api/tables/{made.json()['id']}/invitations", json={})
        secrets["invitation"] = invitation.json()["token"]
        assert (await client.post(f"/api/invitations/{secrets['invitation']}")).status_code == 200
        joined = (await client.post(f"/api/tables/{BOOK}/join")).json()
    secrets["ticket"] = joined["ticket"]
    socket = f"{base.replace('http', 'ws', 1)}{joined['path']}"
    async with connect(f"{socket}?ticket={joined['ticket']}", open_timeout=PATIENCE) as watching:
        await watching.recv()
    drawn: list[bytes] = []

    def draw(size: int) -> bytes:
        drawn.append(os.urandom(size))
        return drawn[-1]

    guest = Guest(base, BOOK, nonces=Nonces(draw))
    await guest.arrive()
    async with await guest.connect() as playing:
        await asyncio.wait_for(guest.play(playing, rounds=1), PATIENCE)
    nonces = {f"nonce {number}": nonce.hex() for number, nonce in enumerate(drawn)}
    return secrets | {"cookie": guest.cookie} | nonces | hands(guest.frames, guest.seat)


def hands(frames: list[dict[str, Any]], seat: int) -> dict[str, str]:
    """Return the cards that a player was shown, as frames have them."""
    views = [frame["view"] for frame in frames if frame["type"] == "view"]
    held = [view["seats"][str(seat)]["cards"] for view in views if view["seats"][str(seat)]["cards"]]
    return {f"cards {number}": json.dumps(cards, separators=(",", ":")) for number, cards in enumerate(held)}


def test_no_secret_is_in_any_log_at_any_level(tmp_path: Path) -> None:
    async def play(heard: Heard) -> dict[str, str]:
        store = open_store(str(tmp_path / "house.db"))
        pace = Pace(step=0, bets=0.1, share=5)
        async with open_house(BOOK, pace=pace, store=store) as house, serving(house, log_level="debug") as base:
            listen(heard)
            return await exchange(base)

    with everything_heard() as heard:
        secrets = asyncio.run(play(heard))
    log = "\n".join(heard.lines)
    assert {"cards", "nonce", "session", "ticket"} <= {name.split(" ")[0] for name in secrets}
    assert [] == [name for name, secret in secrets.items() if secret in log]
    assert '"type"' not in log
    assert COOKIE not in log
    # What happened is told all the same.
    assert f'"WebSocket /api/tables/{BOOK}/socket" [accepted]' in log
    assert '"POST /api/invitations/… HTTP/1.1" 200' in log


def test_a_line_has_its_time_in_utc_and_no_sent_text_begins_another() -> None:
    fmt, datefmt = "%(asctime)s %(levelprefix)s %(message)s", "%Y-%m-%dT%H:%M:%SZ"
    told = logging.LogRecord("letitride", logging.WARNING, "", 1, "refused: %s", ("a\r\nERROR: b\x1b[2J",), None)
    asked = logging.LogRecord("x", logging.INFO, "", 1, "%s %s %s %s %s", ("127.0.0.1", "GET", "/", "1.1", 200), None)
    told.created = asked.created = 0
    line = LineFormatter(fmt, datefmt, use_colors=False).format(told)
    assert "1970-01-01T00:00:00Z WARNING: refused: a\\u000d\\u000aERROR: b\\u001b[2J" == re.sub(" +", " ", line)
    fmt = "%(asctime)s %(request_line)s"
    assert "1970-01-01T00:00:00Z GET / HTTP/1.1" == AccessLineFormatter(fmt, datefmt, use_colors=False).format(asked)


def test_every_handler_writes_such_lines_and_our_own_loggers_have_one() -> None:
    formatters, handlers, loggers = (LOGGING[name] for name in ("formatters", "handlers", "loggers"))
    assert {LineFormatter, AccessLineFormatter} == {one["()"] for one in formatters.values()}
    assert all(one["fmt"].startswith("%(asctime)s ") for one in formatters.values())
    assert formatters.keys() == {one["formatter"] for one in handlers.values()}
    assert ["default"] == loggers["letitride"]["handlers"]
