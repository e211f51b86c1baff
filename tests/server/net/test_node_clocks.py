"""A node whose machine is a day ahead, beside a right one, on one PostgreSQL: no one's session or limit ends by that."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from unittest import mock

import pytest

from letitride.server.app import create
from letitride.server.people.accounts import Person
from letitride.server.people.bounds import DAY_MS
from letitride.server.runtime.clock import SharedClock
from letitride.server.tables.house import House, Pace
from letitride.storage.urls import open_store
from tests.server.cluster import database
from tests.server.inside import PASSWORD, Inside
from tests.storage.conftest import postgres

__all__ = ["postgres"]
TABLE = "hand-dealt-1"
RIGHT = time.time_ns


class Node(Inside):
    """A house that goes by its own idea of the time, whatever that is."""

    def __init__(self, house: House) -> None:
        clock_ms = house.clock_ms
        super().__init__(house, create(house, demo=False))
        house.clock_ms = clock_ms


@asynccontextmanager
async def opened(url: str, name: str, ahead_ms: int = 0) -> AsyncIterator[Node]:
    """A house on a machine whose clock is wrong for as long as this lasts."""
    with mock.patch.object(time, "time_ns", side_effect=lambda: RIGHT() + ahead_ms * 1_000_000):
        house = House(open_store(url), node=name, address=f"http://{name}", pace=Pace(step=0.0, share=0.0))
        node = Node(house)
        await house.start(demo=False)
        try:
            yield node
        finally:
            await node.close()


@pytest.mark.parametrize("ahead_ms", [DAY_MS, -DAY_MS], ids=["ahead", "behind"])
def test_a_clock_a_day_wrong_ends_no_session_and_no_limit(postgres: str, ahead_ms: int) -> None:
    async def go(url: str) -> None:
        async with opened(url, "right") as right:
            person = await right.house.people.register("Ann", PASSWORD)
            excluded = await right.house.people.register("Bob", PASSWORD)
            token = await right.house.people.sessions.begin("Ann")
            await right.house.limits.change("Ann", {"loss_day_cents": 500})
            await right.house.limits.change("Ann", {"loss_day_cents": 900_000})  # looser: in a day
            await right.house.limits.exclude("Bob", 1, "Boss", "his wish")
        async with opened(url, "wrong", ahead_ms) as wrong:
            await wrong.house.open(TABLE, "Table", TABLE)
            await wrong_node_keeps_to_the_house(wrong, person, excluded, token)
            begun = await wrong.house.people.sessions.begin("Ann")
        async with opened(url, "right again") as right:
            session = right.house.people.sessions.find(begun)
            assert session is not None
            assert abs(session.began_ms - RIGHT() // 1_000_000) < DAY_MS // 2  # and it lasts as long as any other
            entry = next(row for row in right.house.stores.audit.rows() if row.what.startswith("exclude Bob"))
            rows = list(right.house.stores.journal.rows(TABLE))
            assert all(abs(row.at - entry.at) < DAY_MS // 2 for row in rows)

    with database(postgres) as url:
        asyncio.run(go(url))


async def wrong_node_keeps_to_the_house(wrong: Node, person: Person, excluded: Person, token: str) -> None:
    sessions = wrong.house.people.sessions
    assert sessions.find(token) is not None
    assert 0 == await sessions.forget_expired()
    own, in_force = await wrong.house.limits.in_force("Ann")
    assert (500, {"loss_day_cents"}) == (in_force.loss_day_cents, set(own.pending))
    await wrong.house.wallets.deposit(person, 10_000, "first", "a beginning", "house")
    await wrong.house.wallets.deposit(excluded, 10_000, "second", "a beginning", "house")
    assert "loss_limit" == (await wrong.sit(person, TABLE, cents=1_000))["code"]
    assert "excluded" == (await wrong.sit(excluded, TABLE, cents=500))["code"]


def test_a_clock_that_jumps_between_two_looks_moves_nothing_and_is_told(caplog: pytest.LogCaptureFixture) -> None:
    began = RIGHT()
    with (
        mock.patch.object(time, "time_ns", return_value=began),
        mock.patch.object(time, "monotonic", return_value=50.0),
    ):
        clock = SharedClock(lambda: began // 1_000_000)
        assert clock() == began // 1_000_000
        clock.look()
    with (
        mock.patch.object(time, "time_ns", return_value=began + DAY_MS * 1_000_000),
        mock.patch.object(time, "monotonic", return_value=51.5),
        caplog.at_level(logging.WARNING),
    ):
        assert clock() == began // 1_000_000 + 1_500
        clock.look()
        clock.look()
    (told,) = [record.getMessage() for record in caplog.records]
    assert told.startswith("the clock of this machine is 86400 s ahead of the database's")


def test_a_database_that_fails_over_to_a_wrong_clock_ends_nothing(caplog: pytest.LogCaptureFixture) -> None:
    began, ahead = RIGHT() // 1_000_000, {"ms": 0}
    passed = {"ms": 0}
    clock = SharedClock(lambda: began + passed["ms"] + ahead["ms"])
    with (
        mock.patch.object(time, "time_ns", side_effect=lambda: (began + passed["ms"]) * 1_000_000),
        mock.patch.object(time, "monotonic", side_effect=lambda: passed["ms"] / 1000),
        caplog.at_level(logging.WARNING),
    ):
        clock.look()
        ahead["ms"] = DAY_MS
        for passed["ms"] in (1_000, 2_000):
            clock.look()
            assert clock() == began + passed["ms"]
        ahead["ms"] = 3_000  # within what clocks may differ: it is followed again
        clock.look()
        assert clock() == began + passed["ms"] + 3_000
    (told,) = [record.getMessage() for record in caplog.records]
    assert told.startswith("the clock of the database is 86400 s ahead of the house's: the house keeps its time")


def test_a_database_whose_wrong_clock_is_mended_is_followed() -> None:
    began = RIGHT() // 1_000_000
    shared = {"ms": began + DAY_MS}
    clock = SharedClock(lambda: shared["ms"])
    with (
        mock.patch.object(time, "time_ns", return_value=began * 1_000_000),
        mock.patch.object(time, "monotonic", return_value=5.0),
    ):
        clock.look()
        assert clock() == began + DAY_MS
        shared["ms"] = began
        clock.look()
        assert clock() == began


def test_a_house_alone_goes_by_its_machine() -> None:
    clock = SharedClock(lambda: None)
    clock.look()
    with mock.patch.object(time, "time_ns", return_value=7_000_000_000):
        assert clock() == 7_000
