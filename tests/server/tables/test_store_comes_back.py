"""A store that goes away and comes back: tables go on by themselves, without a restart, and no one is told where it is."""

from __future__ import annotations

import asyncio
import sqlite3
from collections import Counter
from contextlib import closing, suppress
from pathlib import Path
from typing import Any

import httpx
import pytest

from letitride.autoplay import dealer
from letitride.errors import StoreDown
from letitride.server.runtime.requests import SEND_AGAIN, STORE_AWAY
from letitride.server.tables.dealer import FAILURES_MAX
from letitride.storage.urls import open_store
from tests.promises.world import TroubledCommitter, World
from tests.server.staffed import comes, open_house
from tests.server.tables.test_store_faults import TABLE, at_a_table, buy, judge, told
from tests.server.virtual import COOKIE, Clock, VirtualLoop, connect, run, virtual

SEEDS = (10, 11, 12, 13, 14)
"""One for each book."""


class Outages(World):
    """A world where nothing happens but that every so many writes fail: of commands, decks, leases, sessions, marks."""

    every = 0
    writes = 0

    def fate(self, weight: float) -> str:  # noqa: ARG002 - all are alike here
        if not self.troubled:
            return "well"
        self.writes += 1
        fails, which = not self.writes % self.every, self.writes // self.every
        fate = ("down_before", "down_after")[which % 2] if fails else "well"
        self.found[fate] += fails
        return fate

    def _jostle(self) -> None:
        pass


class Thieves(World):
    """A world where every few seconds the tables are given to someone else, or the clock jumps."""

    ticks = 0

    def fate(self, weight: float) -> str:  # noqa: ARG002 - no write fails here
        return "well"

    def _jostle(self) -> None:
        self.ticks += self.troubled
        if not self.troubled or self.ticks % 12:
            return
        what = ("thief", "clock")[self.ticks // 12 % 2]
        self.found[what] += 1
        if what == "clock":
            self.clock.wrong_ms += (600_000, -60_000, 5_000)[self.ticks // 24 % 3]
            return
        for table in self.tables:
            stolen = self.kept.leases.take(table, "thief", "", 2**60, 1)
            assert stolen is not None
            self.kept.leases.release(table, "thief", stolen.epoch)


def lived(kind: type[World], seed: int, **more: Any) -> Counter[str]:
    """Live through a world of a kind in one life of the house; the world itself sees to all that is promised."""

    async def live(loop: VirtualLoop, clock: Clock) -> Counter[str]:
        world = kind(seed, loop, clock)
        for name, value in more.items():
            setattr(world, name, value)
        await world.run()
        assert world.life == 1, "the house was started again"
        return world.found

    with virtual(f"outages {seed}", TroubledCommitter) as (loop, clock):
        return run(loop, live(loop, clock))


@pytest.mark.parametrize("every", [2, 3, 7])
@pytest.mark.parametrize("seed", SEEDS)
def test_a_table_goes_on_whichever_write_failed_before_or_after_it_was_done(seed: int, every: int) -> None:
    found = lived(Outages, seed, every=every)
    assert found["down_before"] >= 3
    assert found["down_after"] >= 3


@pytest.mark.parametrize("seed", SEEDS)
def test_a_house_takes_again_what_was_taken_from_it_and_a_clock_that_jumps_takes_nothing(seed: int) -> None:
    found = lived(Thieves, seed)
    assert found["thief"] >= 3
    assert found["clock"] >= 3


def test_a_table_goes_on_when_a_locked_database_is_free_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("letitride.storage.sql.sqlite._BUSY_SECONDS", 0.2)
    url = str(tmp_path / "house.db")

    async def go() -> None:
        async with at_a_table(open_store(url), "one") as (house, app, socket):
            _, token = await house.people.guest()
            with closing(sqlite3.connect(url, isolation_level=None)) as other:
                other.execute("BEGIN EXCLUSIVE")
                socket.send(buy(1))
                refused = await told(socket)
                other.execute("ROLLBACK")
            assert (refused["type"], refused["sentence"]) == ("error", SEND_AGAIN)
            again = await connect(app, TABLE, token)
            while True:  # until the table has read its journal again
                again.send(
                    {"type": "command", "id": "sit", "command": {"type": "Sit", "seat": 2, "player": "", "cents": 500}}
                )
                if (answer := await told(again)).get("accepted"):
                    break
                assert (answer["type"], answer["sentence"]) == ("error", SEND_AGAIN)
                await comes(house.room(TABLE), lambda: not house.room(TABLE).host.down)
            socket.send(buy(1))
            assert (await told(socket))["accepted"]
            await again.close()

    asyncio.run(go())
    judge(url, acknowledged=2, sent=2)


def test_no_one_who_plays_is_told_where_the_store_is_or_what_it_said(tmp_path: Path) -> None:
    said: dict[str, str] = {}

    async def go() -> None:
        store = open_store(str(tmp_path / "house.db"))
        async with at_a_table(store, "one") as (house, app, socket):
            _, token = await house.people.guest()
            transport, cookies = httpx.ASGITransport(app), {COOKIE: token}
            async with httpx.AsyncClient(transport=transport, base_url="http://house", cookies=cookies) as client:
                store.close()
                for method, path in (
                    ("GET", "/api/me"),
                    ("GET", "/api/me/wallet"),
                    ("POST", "/api/guest"),
                    ("POST", "/api/me/chips"),
                    ("GET", f"/api/tables/{TABLE}/rounds"),
                    ("GET", f"/api/tables/{TABLE}/state"),
                    ("GET", "/api/tables/private-1/state"),
                    ("GET", "/readyz"),
                ):
                    found = await client.request(method, path)
                    said[path] = found.text
                    assert found.status_code == 503, (path, found.text)
            for number in range(1, 4):
                socket.send(buy(number))
                said[f"bet {number}"] = (await told(socket))["sentence"]

    with suppress(StoreDown):  # such a house cannot close its books either
        asyncio.run(go())
    assert len(said) == 11
    assert not [one for one in said.items() if str(tmp_path) in one[1] or "database /" in one[1] or "sqlite" in one[1]]
    assert {said[f"bet {number}"] for number in range(1, 4)} <= {SEND_AGAIN, STORE_AWAY}
    assert STORE_AWAY in said["/api/me"]


def test_a_dealer_who_keeps_failing_while_the_store_is_away_halts_the_table_when_it_is_back(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    tried, failed = 0, asyncio.Event()

    def fail(*_: object) -> None:
        nonlocal tried
        tried += 1
        failed.set()
        raise RuntimeError("a bug")

    async def go() -> None:
        async with open_house("nsw-1") as house:
            room = house.room("nsw-1")

            def go_away(*_: object) -> None:  # while the dealer deals: before that, the shifts left over are ended
                room.host.down = SEND_AGAIN
                monkeypatch.setattr(dealer, "next_act", fail)
                fail()

            monkeypatch.setattr(dealer, "next_act", go_away)
            while tried <= 2 * FAILURES_MAX:  # the dealer does not give up unheard
                failed.clear()
                room.host.wake()
                await failed.wait()
            assert not room.host.halted
            room.host.down = ""
            await comes(room, lambda: bool(room.host.halted))
            assert room.host.halted == "the automatic dealer failed: RuntimeError: a bug"

    asyncio.run(go())


def test_whatever_fails_where_leases_are_kept_they_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    async def go() -> None:
        async with open_house("nsw-1") as house:
            house.nodes.lease_ms = 30
            failed, looked = 0, asyncio.Event()

            async def fails(_: object) -> None:
                nonlocal failed
                failed += 1
                looked.set()
                raise KeyError("a bug")

            async def looks(house: Any) -> None:
                await real(house)
                looked.set()

            real = house.nodes.renew
            monkeypatch.setattr(house.nodes, "renew", fails)
            keeping = asyncio.create_task(house.nodes.run(house))
            while failed <= 2:
                looked.clear()
                await looked.wait()
            monkeypatch.setattr(house.nodes, "renew", looks)
            before = house.clock_ms()
            while house.stores.leases.owner("nsw-1").until_ms <= before + 30:
                looked.clear()
                await looked.wait()
            keeping.cancel()
            await asyncio.gather(keeping, return_exceptions=True)

    asyncio.run(go())
