"""Promise 14: a closed table takes no bet after the acknowledgement: 1,000 bets raced against the order to close it."""

from __future__ import annotations

import asyncio
import random

from letitride.engine import commands
from letitride.server.host import Answer
from letitride.storage.memory import MemoryStore
from letitride.storage.verify import verify
from tests.server.virtual import Player, opened, run, until, virtual

TABLE = "washington-1"
BETS = 1_000


def test_of_1000_bets_raced_against_a_closing_none_is_taken_after_it() -> None:
    store = MemoryStore()
    chance = random.Random(14)

    async def go() -> tuple[list[Answer], list[Answer]]:
        async with opened(store, TABLE, bets=10_000.0) as (house, app):
            room = house.rooms[TABLE]
            players = [Player(house, app, TABLE, seat, silent="betting") for seat in (1, 2, 3)]
            tasks = [asyncio.create_task(player.play()) for player in players]
            await until(lambda: room.table.phase == "betting")

            async def bet(number: int) -> Answer:
                await asyncio.sleep(chance.uniform(0.0, 1.0))
                seat = 1 + number % 2  # the third never bets, so that no round begins
                cents = chance.choice((0, 500))
                wagers = dict.fromkeys(("base-1", "base-2", "base-$"), cents) if cents else {}
                command = commands.PlaceWagers(by=f"seat:{seat}", seat=seat, wagers=wagers)  # type: ignore[arg-type]
                return await room.submit(f"bettor {seat}", f"bet {number}", command)

            async def close(number: int) -> Answer:
                await asyncio.sleep(0.2 + 0.004 * number)
                return await room.submit("the floor", f"close {number}", commands.Order(by="floor", kind="close"))

            bets = [asyncio.create_task(bet(number)) for number in range(BETS)]
            closings = [asyncio.create_task(close(number)) for number in range(BETS // 5)]
            answered = await asyncio.gather(*bets), await asyncio.gather(*closings)
            for task in tasks:
                task.cancel()
            return answered

    with virtual("closed") as (loop, _):
        bets, closings = run(loop, go())
    (closed,) = [answer for answer in closings if answer.accepted]
    taken = [answer for answer in bets if answer.accepted]
    assert taken  # there was a race
    assert max(answer.version for answer in taken) < closed.version
    assert "closed" in {answer.code for answer in bets}
    assert not [account for account in store.balances(TABLE) if account.startswith("felt:")]
    assert verify(store).good
