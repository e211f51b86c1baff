"""Promise 8: every commit sums to zero, and a client's command is carried out at most once: 30 histories of commands
that are sent twice, late and in any order, at once and after the house was started again."""

from __future__ import annotations

import asyncio
from collections import defaultdict
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from letitride.storage.codec import decode
from letitride.storage.memory.opening import memory_stores
from letitride.storage.verify import verify
from tests.server.virtual import connect, opened, run, virtual

TABLE = "nsw-1"
SENDS = st.lists(st.tuples(st.integers(1, 2), st.integers(1, 6), st.integers(0, 30)), min_size=1, max_size=25)
"""Who sends which of their commands after how many milliseconds: often the same again, and again out of order."""


@settings(max_examples=30, deadline=None, database=None, derandomize=True)
@given(first=SENDS, second=SENDS)
def test_whatever_is_sent_however_often_is_done_once(first: list[Any], second: list[Any]) -> None:
    store = memory_stores()
    answers: defaultdict[tuple[int, int], list[dict[str, Any]]] = defaultdict(list)

    async def life(sends: list[Any], tokens: dict[int, str], node: str) -> None:
        async with opened(store, TABLE, node=node, step=10_000.0) as (house, app):
            for seat in (1, 2):
                if seat not in tokens:
                    _, tokens[seat] = await house.people.guest()
                    socket = await connect(app, TABLE, tokens[seat])
                    sit = {"type": "Sit", "seat": seat, "player": "", "cents": 10_000}
                    socket.send({"type": "command", "id": f"sit {seat}", "command": sit})
                    assert (await socket.answer())["accepted"]
                    await socket.close()

            async def send(seat: int, number: int, wait: int) -> None:
                await asyncio.sleep(wait / 1000)
                socket = await connect(app, TABLE, tokens[seat])
                command = {"type": "BuyChips", "seat": seat, "cents": 10**number}
                socket.send({"type": "command", "id": f"{seat} buys {number}", "command": command})
                answers[seat, number].append(await socket.answer())
                await socket.close()

            await asyncio.gather(*(send(*one) for one in sends))

    with virtual("once") as (loop, _):
        tokens: dict[int, str] = {}
        run(loop, life(first, tokens, "one"))
        run(loop, life(second, tokens, "two"))
    rows = list(store.journal.rows(TABLE))
    commands = [row.command for row in rows if row.command]
    assert len(commands) == len(set(commands))
    for seat in (1, 2):
        done = {number for (who, number), told in answers.items() if who == seat and told[0]["accepted"]}
        assert store.wallets.balances(TABLE)[f"stack:{seat}"] == 10_000 + sum(10**number for number in done)
    for told in answers.values():
        assert not told[0]["accepted"] or all(one == told[0] for one in told)
    for row in rows:
        moved = [transfer for event in decode(row.events) for transfer in event.chips]
        assert all(transfer.cents > 0 and transfer.source != transfer.target for transfer in moved)
    assert verify(store).good
    assert store.wallets.total() == 0
