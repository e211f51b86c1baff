"""Two versions of letitride in one house: the older gives its tables away, takes none, and is refused when it comes back."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import replace as with_stores
from unittest import mock

import pytest

from letitride.errors import InvalidData
from letitride.server.app import create
from letitride.server.tables import nodes
from letitride.server.tables.generations import OURS, Generation
from letitride.server.tables.house import House, Pace
from letitride.storage.memory.opening import memory_stores
from letitride.storage.roles.stores import Stores
from tests.server.inside import Inside

NEWER = Generation(OURS.schema, OURS.forms + 1, "9.9.9")
TABLES = ("t1", "t2", "t3", "t4")
BOOK = "hand-dealt-1"


@asynccontextmanager
async def opened(stores: Stores, node: str, generation: Generation = OURS) -> AsyncIterator[Inside]:
    """A server of a house that others use as well, of one version."""
    with mock.patch.object(nodes, "OURS", generation):
        kept = with_stores(stores, close=lambda: None)
        house = House(kept, node=node, address=f"http://{node}", pace=Pace(step=0.0, share=0.0), lease_ms=60_000)
    one = Inside(house, create(house, demo=False))
    with mock.patch.object(stores.leases, "alone", return_value=False):
        await house.start(demo=False)
    try:
        yield one
    finally:
        await one.close()


def test_tables_go_from_the_older_version_to_the_newer_and_never_back(caplog: pytest.LogCaptureFixture) -> None:
    async def go() -> None:
        stores = memory_stores()
        async with AsyncExitStack() as all_:
            old = await all_.enter_async_context(opened(stores, "old"))
            for table in TABLES:
                await old.house.open(table, table, BOOK)
            _, person = await old.guest()
            assert (await old.sit(person, "t1"))["accepted"]
            new = await all_.enter_async_context(opened(stores, "new", NEWER))
            for _ in range(2):
                await old.house.nodes.run_once(old.house)
                await new.house.nodes.run_once(new.house)
            assert {"t1"} == set(old.house.rooms)  # someone sits there: it stays until its server stops
            assert {"t2", "t3", "t4"} == set(new.house.rooms)  # all of them: the older has no share
            await new.house.nodes.stop()
            await new.house.drop_table("t2")
            await new.house.nodes.release("t2", stores.tables.get("t2").epoch)
            await old.house.nodes.run_once(old.house)
            assert {"t1"} == set(old.house.rooms)  # no one has t2, and it is not taken by who might not read it
            assert (await old.leave(person, "t1"))["accepted"]
            assert "open" == stores.tables.get("t2").state

    with caplog.at_level(logging.WARNING):
        asyncio.run(go())
    told = [record.getMessage() for record in caplog.records if "takes no more tables" in record.getMessage()]
    assert ["this server takes no more tables: expected letitride 9.9.9 or newer, which has worked in this house"] == [
        sentence.partition(", got")[0] for sentence in told
    ]


def test_an_older_version_does_not_open_a_house_that_a_newer_one_has_worked_in() -> None:
    async def go() -> None:
        stores = memory_stores()
        async with opened(stores, "new", NEWER):
            pass
        with pytest.raises(InvalidData, match=r"expected letitride 9\.9\.9 or newer.*upgrade this server, or restore"):
            async with opened(stores, "old"):
                pass
        async with opened(stores, "new again", NEWER) as new:
            await new.house.open("t1", "t1", BOOK)
            assert {"t1"} == set(new.house.rooms)

    asyncio.run(go())
