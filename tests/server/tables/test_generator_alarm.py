"""A generator that fails while tables are dealt: those that would shuffle halt, and everybody is told why."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Iterator
from unittest import mock

import httpx
import pytest

from letitride.chance import live
from letitride.chance.health import HEALTH
from letitride.storage.memory.opening import memory_stores
from tests.server.virtual import Player, opened, run, until, virtual

TABLE = "nsw-1"


@pytest.fixture(autouse=True)
def _another_generator_afterwards() -> Iterator[None]:
    yield
    HEALTH.__init__()  # type: ignore[misc]  # as in a new process, which alone ends an alarm


def test_an_alarm_halts_the_table_that_would_shuffle_and_is_told_everywhere() -> None:
    async def go() -> None:
        store = memory_stores()
        async with opened(store, TABLE) as (house, app):
            room = house.rooms[TABLE]
            playing = asyncio.create_task(Player(house, app, TABLE, 1, choice="ride").play())
            await until(lambda: room.table.round >= 1 and room.table.phase == "settling")
            assert b"letitride_generator_alarm 0.0" in house.metrics.text()
            with mock.patch.object(os, "urandom", side_effect=bytes):
                await until(lambda: bool(room.host.halted))
                await until(lambda: store.tables.get(TABLE).state == "halted")
            assert "the operating system's generator failed its health test" in store.tables.get(TABLE).reason
            assert ("house", f"table.halted {TABLE}") in [(row.who, row.what) for row in store.audit.rows()]
            assert b"letitride_generator_alarm 1.0" in house.metrics.text()
            assert room.table.round == 1  # it was played to its end, and no deck of zeros came on the table
            async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://house") as client:
                ready = await client.get("/readyz")
            assert (503, True) == (ready.status_code, "generator failed" in ready.text)
            playing.cancel()

    with virtual("alarm") as (loop, _), mock.patch.object(live, "HEALTH", HEALTH):  # what metrics and readiness look at
        run(loop, go())
