"""Promise 14: a closed table takes no bet after the acknowledgement, and the round in play concludes.

1,000 bets raced against the order that closes a table by the book, and 1,000 against the floor's door over HTTP; the
same in real time, with people who go on betting, is in tests/server/tables/test_floor.py.
"""

from __future__ import annotations

import asyncio
import random
from contextlib import AsyncExitStack
from typing import Any

import httpx

from letitride.engine import commands
from letitride.engine.events import RoundEnded
from letitride.server.tables.house import House
from letitride.server.tables.table_owner import Answer
from letitride.storage.codec import decode
from letitride.storage.memory.opening import memory_stores
from letitride.storage.roles.stores import Stores
from letitride.storage.verify import verify
from tests.server.virtual import COOKIE, Player, opened, run, until, virtual

TABLE = "washington-1"
BETS = 1_000
CLOSED = {"closing", "closed", "seat_empty"}
"""What a bet that is too late is told: when everybody was paid out, that no one sits there."""


class Race:
    """A table that takes bets, and all who bet."""

    def __init__(self, store: Stores) -> None:
        self.store, self.chance, self.bets = store, random.Random(14), list[Answer]()

    async def begin(self, stack: AsyncExitStack) -> None:
        self.house, self.app = await stack.enter_async_context(opened(self.store, TABLE, bets=10_000.0))
        self.room = self.house.rooms[TABLE]
        players = [Player(self.house, self.app, TABLE, seat, silent="betting") for seat in (1, 2, 3)]
        self.players = [asyncio.create_task(player.play()) for player in players]
        await until(lambda: self.room.table.phase == "betting")
        self.betting = [asyncio.create_task(self._bet(number)) for number in range(BETS)]

    async def _bet(self, number: int) -> None:
        await asyncio.sleep(self.chance.uniform(0.0, 1.0))
        seat = 1 + number % 2  # the third never bets, so that no round begins
        cents = self.chance.choice((0, 500))
        wagers = dict.fromkeys(("base-1", "base-2", "base-$"), cents) if cents else {}
        command = commands.PlaceWagers(by=f"seat:{seat}", seat=seat, wagers=wagers)
        answer = await self.room.submit(f"bettor {seat}", f"bet {number}", command)
        if cents:
            self.bets.append(answer)

    async def end(self) -> None:
        await asyncio.gather(*self.betting)
        for task in self.players:
            task.cancel()
        await asyncio.gather(*self.players, return_exceptions=True)

    def judge(self, closed: int) -> None:
        """No bet is taken at a later version of the table than it was closed at, and no money is left behind."""
        taken = [answer for answer in self.bets if answer.accepted]
        late = {answer.code for answer in self.bets if not answer.accepted}
        assert taken  # there was a race
        assert late
        assert late <= CLOSED
        assert max(answer.version for answer in taken) <= closed
        assert not [account for account in self.store.wallets.balances(TABLE) if account.startswith("felt:")]
        assert self.store.wallets.total() == 0
        assert verify(self.store).good


def test_of_1000_bets_raced_against_the_order_to_close_none_is_taken_after_it() -> None:
    async def go() -> tuple[Race, list[Answer]]:
        race = Race(memory_stores())
        async with AsyncExitStack() as stack:
            await race.begin(stack)

            async def close(number: int) -> Answer:
                await asyncio.sleep(0.2 + 0.004 * number)
                return await race.room.submit("the floor", f"close {number}", commands.Order(by="floor", kind="close"))

            closings = await asyncio.gather(*(close(number) for number in range(BETS // 5)))
            await race.end()
        return race, closings

    with virtual("closed") as (loop, _):
        race, closings = run(loop, go())
    (closed,) = [answer for answer in closings if answer.accepted]
    race.judge(closed.version)


async def shut(house: House, app: Any) -> int:
    """Close the table as the floor does; return its version when that was acknowledged."""
    await house.people.register("Fay", "a long password", ("floor",))
    cookies = {COOKIE: await house.people.sessions.begin("Fay")}
    transport = httpx.ASGITransport(app)
    async with httpx.AsyncClient(transport=transport, base_url="http://house", cookies=cookies) as floor:
        wish = {"state": "closing", "why": "the end of the day", "without_notice": True}
        told = await floor.post(f"/api/tables/{TABLE}/state", json=wish)
        assert told.status_code == 200, told.text
        assert told.json()["state"] in {"closing", "closed"}
    return house.rooms[TABLE].table.version


def test_of_1000_bets_raced_against_the_floors_door_none_is_taken_after_it_and_the_round_concludes() -> None:
    async def go() -> tuple[Race, int]:
        race = Race(memory_stores())
        async with AsyncExitStack() as stack:
            await race.begin(stack)
            await asyncio.sleep(0.5)
            closed = await shut(race.house, race.app)
            await until(lambda: race.room.state == "closed")
            await race.end()
        return race, closed

    with virtual("shut") as (loop, _):
        race, closed = run(loop, go())
    race.judge(closed)
    happened = [event for row in race.store.journal.rows(TABLE) for event in decode(row.events)]
    assert sum(isinstance(event, RoundEnded) for event in happened) <= 1
    assert race.store.tables.get(TABLE).state == "closed"
