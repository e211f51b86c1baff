"""Write batching: what has to be done again and again is done between any two things that wait."""

from __future__ import annotations

import asyncio

from letitride.server.runtime.write_batching import Committer
from letitride.storage.memory.opening import memory_stores


def test_a_beat_comes_before_each_thing_that_waits() -> None:
    done: list[str] = []

    async def go() -> None:
        committer = Committer(memory_stores().journal)
        committer.beat(lambda: done.append("beat"), 60.0)
        await asyncio.gather(*(committer.call(lambda number=number: done.append(str(number))) for number in range(5)))
        committer.close()

    asyncio.run(go())
    assert ["beat"] * 5 == [done[done.index(str(number)) - 1] for number in range(5)]
