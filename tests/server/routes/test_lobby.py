"""The lobby tells players where they sit themselves, and no one where others do."""

from __future__ import annotations

import asyncio

from tests.server.inside import inside


def test_the_lobby_knows_ones_own_seat_and_the_chips_there() -> None:
    async def check() -> None:
        async with inside("t1", "t2") as here:
            client, ann = await here.account("Ann", cents=50_000)
            other, _ = await here.account("Bob")
            assert (await here.sit(ann, "t2", cents=10_000, seat=3))["accepted"]
            for asks, seat, chips in ((client, 3, 10_000), (other, None, 0), (here.client(), None, 0)):
                found = {one["id"]: one for one in (await asks.get("/api/tables")).json()}
                assert (found["t2"]["your_seat"], found["t2"]["your_chips_cents"]) == (seat, chips)
                assert (found["t1"]["your_seat"], found["t1"]["your_chips_cents"]) == (None, 0)
            await here.leave(ann, "t2")
            assert [one["your_seat"] for one in (await client.get("/api/tables")).json()] == [None, None]

    asyncio.run(check())
