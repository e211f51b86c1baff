"""Staffing: a house with people who work in it, and a willing player in a thread of his own."""

from __future__ import annotations

import asyncio
import json
import threading
import time
from collections.abc import Coroutine, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from typing import Any

from playwright.sync_api import BrowserContext
from websockets.exceptions import ConnectionClosed

from letitride.server.committer import Committer
from letitride.server.people import People, Role
from letitride.storage.urls import open_store
from tests.browser.conftest import House
from tests.server.guest import Guest

PASSWORD = "a long password"  # noqa: S105 - of nobody
STAFF: dict[str, tuple[Role, ...]] = {
    "Dora": ("dealer",),
    "Flo": ("floor",),
    "Cas": ("casino_supervisor", "floor"),
    "Ina": ("inspector",),
    "Ada": ("administrator",),
}


def aside(work: Coroutine[Any, Any, None]) -> None:
    """Do something of an event loop's in a thread: the browser has this one's."""
    with ThreadPoolExecutor(1) as pool:
        pool.submit(asyncio.run, work).result()


def hire(house: House) -> None:
    """Make the accounts of everybody who works in a house that has not started yet."""

    async def register() -> None:
        store = open_store(house.address)
        committer = Committer(store)
        try:
            people = People(store, committer, lambda: time.time_ns() // 1_000_000)
            for name, roles in STAFF.items():
                await people.register(name, PASSWORD, ("player", *roles))
        finally:
            committer.close()
            store.close()

    aside(register())


def sign_in(context: BrowserContext, name: str) -> None:
    """Give somebody's browser a session."""
    answer = context.request.post("/api/login", data={"name": name, "password": PASSWORD})
    assert answer.ok, answer.text()


@contextmanager
def playing(house: House, table: str, about: str = "") -> Iterator[Guest]:
    """Somebody who sits, bets and lets everything ride, until he is not needed any more; he may have a complaint."""
    guest, over = Guest(house.base, table), threading.Event()

    async def play() -> None:
        await guest.arrive()
        async with await guest.connect() as socket:
            while not over.is_set():
                try:
                    async with asyncio.timeout(0.2):
                        message = json.loads(await socket.recv())
                except TimeoutError:
                    continue
                await guest.react(socket, message)
                if about and guest.seat and message["type"] == "answer" and len(guest.answers) == 1:
                    await guest.send(socket, {"type": "RaiseDispute", "seat": guest.seat, "about": about})

    def run() -> None:
        with suppress(ConnectionClosed):  # the server may be killed under him
            asyncio.run(play())

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    try:
        yield guest
    finally:
        over.set()
        thread.join(20)
