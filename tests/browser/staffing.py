"""Staffing: a house with people who work in it, a dealer's hand on the key, and a willing player in a thread of his own."""

from __future__ import annotations

import asyncio
import json
import re
import threading
import time
from collections.abc import Coroutine, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from typing import Any

from playwright.sync_api import BrowserContext, Page, expect
from websockets.exceptions import ConnectionClosed

from letitride.rules.roles import AccountRole
from letitride.server.people.accounts import People
from letitride.server.runtime.write_batching import Committer
from letitride.storage.urls import open_store
from tests.browser.conftest import House
from tests.server.guest import Guest

PASSWORD = "a long password"  # noqa: S105 - of nobody
STAFF: dict[str, tuple[AccountRole, ...]] = {
    "Dora": ("dealer",),
    "Flo": ("floor",),
    "Cas": ("casino_supervisor", "floor"),
    "Ina": ("inspector",),
    "Ada": ("administrator",),
}
PLAYERS = ("Pia", "Pol")
"""Accounts of people who do not work here: who does may not play."""


def aside(work: Coroutine[Any, Any, None]) -> None:
    """Do something of an event loop's in a thread: the browser has this one's."""
    with ThreadPoolExecutor(1) as pool:
        pool.submit(asyncio.run, work).result()


def hire(house: House) -> None:
    """Make the accounts of everybody who works in a house that has not started yet, and of those who play there."""

    async def register() -> None:
        store = open_store(house.address)
        committer = Committer(store.journal)
        try:
            people = People(store.documents, store.wallets, store.audit, committer, lambda: time.time_ns() // 1_000_000)
            for name in (*STAFF, *PLAYERS):
                await people.register(name, PASSWORD, ("player", *STAFF.get(name, ())))
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


def deal(page: Page, until: str) -> list[str]:
    """Press the one key whenever it is the dealer's turn, until a step comes; return what was done."""
    done: list[str] = []
    mine = page.get_by_role("button", name=re.compile("^Next step"))
    for _ in range(80):
        expect(mine).to_be_enabled()
        words = page.locator(".staff-step-words").inner_text()
        if words.startswith(until):
            return done
        press(page, words)
        done.append(words)
    raise AssertionError(f"it never came to '{until}': {done}")


PRESS_AGAIN = """words => document.querySelector(".staff-step-words")?.textContent === words
    && document.body.dispatchEvent(new KeyboardEvent("keydown", { key: "n", bubbles: true }))"""
"""Presses the key if a step is still the one that is shown: between a look and a press of ours another may have come."""


def press(page: Page, words: str) -> None:
    """Press the key until the step is done: bets may be still to come. It means the step that is shown, and no other."""
    step = page.locator(".staff-step-words").get_by_text(words, exact=True)
    page.keyboard.press("n")
    for _ in range(30):
        with suppress(AssertionError):
            return expect(step).to_have_count(0, timeout=3_000)
        page.evaluate(PRESS_AGAIN, words)
    raise AssertionError(f"it cannot be done: {words}")
