"""Promise 19: personal limits. All 27 ways of stating three limits, the strictest holds; loosening waits a day."""

from __future__ import annotations

import asyncio
from itertools import product
from typing import Any

from letitride.server.people.bounds import Bounds
from tests.server.inside import DAY_MS, Inside, inside

STATED = (None, 3_000, 7_000)


async def most(here: Inside, person: Any) -> int | None:
    """The most of some amounts that a table lets someone sit down with, in cents."""
    for cents in (9_000, 7_000, 3_000):
        answer = await here.sit(person, "t1", cents)
        if answer["accepted"]:
            assert (await here.leave(person, "t1"))["accepted"]  # with all of it, so that nothing is lost
            return cents
        assert answer["code"] == "loss_limit"
    return None


async def wish(here: Inside, name: str, cents: int | None) -> dict[str, Any]:
    """Ask for another limit; a session does not last as long as a looser limit waits."""
    client = here.client(await here.house.people.sessions.begin(name))
    told = await client.patch("/api/me/limits", json={"loss_day_cents": cents})
    assert told.status_code == 200, told.text
    return dict(told.json())


def test_of_a_persons_the_houses_and_the_tables_limit_the_strictest_holds() -> None:
    async def check() -> None:
        async with inside("t1") as here:
            boss, _ = await here.account("Boss", "administrator")
            for number, (own, house, table) in enumerate(product(STATED, repeat=3)):
                here.house.limits.house = Bounds(loss_day_cents=house)
                for_all = {"loss_day_cents": table, "why": "a test"}
                assert (await boss.put("/api/tables/t1/limits", json=for_all)).status_code == 204
                _, person = await here.account(f"Ann {number}", cents=100_000)
                await wish(here, person.name, own)
                stated = [one for one in (own, house, table) if one is not None]
                assert await most(here, person) == min([*stated, 9_000])

    asyncio.run(check())


def test_a_stricter_limit_holds_at_once_and_a_looser_one_a_day_after_it_was_asked_for() -> None:
    async def check() -> None:
        async with inside("t1") as here:
            _, ann = await here.account("Ann", cents=100_000)
            assert await most(here, ann) == 9_000
            for cents in (7_000, 3_000):
                await wish(here, "Ann", cents)
                assert await most(here, ann) == cents
            for looser in (7_000, None):  # a larger one, and none at all
                before = await most(here, ann)
                told = await wish(here, "Ann", looser)
                assert told["waiting"]["loss_day_cents"]["from_ms"] == here.now_ms + DAY_MS
                for later in (1, DAY_MS // 2, DAY_MS // 2 - 2):
                    here.now_ms += later
                    assert await most(here, ann) == before
                here.now_ms += 1
                assert await most(here, ann) == (looser or 9_000)

    asyncio.run(check())


def test_a_looser_limit_that_waits_is_gone_when_it_is_cancelled_or_a_stricter_one_comes() -> None:
    async def check() -> None:
        async with inside("t1") as here:
            client, ann = await here.account("Ann", cents=100_000)
            await wish(here, "Ann", 7_000)
            await wish(here, "Ann", None)
            assert (await client.delete("/api/me/limits/waiting")).json()["waiting"] == {}
            here.now_ms += 2 * DAY_MS
            assert await most(here, ann) == 7_000
            await wish(here, "Ann", 9_000)
            await wish(here, "Ann", 3_000)
            here.now_ms += 2 * DAY_MS
            assert await most(here, ann) == 3_000

    asyncio.run(check())
