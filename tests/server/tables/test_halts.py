"""When something breaks: a table goes on, or halts alone and is recovered; no chip is lost or doubled."""

from __future__ import annotations

import asyncio
import json
import sqlite3
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed

from letitride.autoplay import dealer
from letitride.autoplay.steps import Source
from letitride.engine.commands import AnyCommand
from letitride.engine.decide import Events
from letitride.engine.events import RoundEnded, RoundVoided
from letitride.engine.promises import PromiseBroken
from letitride.engine.refusal import Refusal
from letitride.engine.state import Table
from letitride.errors import StoreDown
from letitride.server.net.access import COOKIE
from letitride.server.runtime.pace import Pace
from letitride.server.tables import table_owner as host
from letitride.server.tables.house import House
from letitride.server.tables.room import Room
from letitride.storage.codec import decode
from letitride.storage.memory.opening import memory_stores
from letitride.storage.roles.journal import JournalStore, Outcome, Write
from letitride.storage.sql import sqlite
from letitride.storage.urls import open_store
from letitride.storage.verify import verify
from tests.server.inside import inside
from tests.server.instead import Instead
from tests.server.staffed import (
    PATIENT,
    Visitor,
    asked,
    asking,
    base,
    betting,
    comes,
    open_house,
    seated,
    serving,
    session,
    until,
)

PHASES = ("between", "betting", "dealing", "choice_1", "choice_2", "settling")
BOOKS = ("nsw-1", "washington-1", "shufflemaster-1")


class Bug(Exception):
    """Something no one thought of."""


class Failing:
    """An automatic dealer that fails in one phase, so many times, once it is told to."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, book: str, phase: str, times: int) -> None:
        self._book, self._phase, self.left = book, phase, times
        self._real = dealer.next_act
        monkeypatch.setattr(dealer, "next_act", self)

    def __call__(self, table: Table, source: Source) -> AnyCommand | dealer.Waits:
        in_round = table.phase != "between" or table.round
        if table.rules.book.id == self._book and table.phase == self._phase and in_round and self.left:
            self.left -= 1
            raise Bug(f"in {self._phase}")
        return self._real(table, source)


async def choose(room: Room, enough: Callable[[Table], bool]) -> None:
    """Let everybody withdraw whatever is asked, until it is enough or the table is halted."""
    async with asyncio.timeout(120):
        while not (enough(room.table) or room.host.halted):
            changed, step = room.host.changed, room.table.next_step
            if asked(room.table, "await_choice") and step is not None:
                player = Visitor(room, room.table.seats[step.seat].player)
                await player.ask("Choose", seat=step.seat, bet=step.number, choice="withdraw")
            else:
                await changed.wait()


def happened(house: House, table_id: str) -> list[Any]:
    return [event for row in house.stores.journal.rows(table_id) for event in decode(row.events)]


def ends(house: House, table_id: str) -> int:
    return sum(isinstance(event, RoundEnded | RoundVoided) for event in happened(house, table_id))


@pytest.mark.parametrize("phase", PHASES)
def test_a_failure_of_the_dealer_in_any_phase_does_not_stop_the_game(
    monkeypatch: pytest.MonkeyPatch, phase: str
) -> None:
    async def fail_once() -> None:
        async with open_house("nsw-1", pace=PATIENT) as house:
            room = house.room("nsw-1")
            failing = Failing(monkeypatch, "nsw-1", phase, 2)
            await seated(house, room, 1)
            await seated(house, room, 2)
            await betting(room)
            for seat in (1, 2):
                await Visitor(room, f"Guest-{seat}").ask("PlaceWagers", seat=seat, wagers=base())
            await choose(room, lambda table: table.phase == "settling")
            await until(room, lambda _: ends(house, "nsw-1") == 1)
            await comes(room, lambda: not failing.left)
            assert not room.host.halted
            assert house.stores.wallets.total() == 0

    asyncio.run(fail_once())


@pytest.mark.parametrize("house_book", BOOKS)
@pytest.mark.parametrize("phase", PHASES[1:])
def test_a_dealer_that_keeps_failing_halts_its_table_alone_and_the_floor_makes_the_round_void(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, phase: str, house_book: str
) -> None:
    path = str(tmp_path / "a.db")
    slow = Pace(step=0, bets=1000, choice=1000, share=0, retry=0)

    async def halt() -> None:
        async with open_house(house_book, "hand-dealt-1", pace=slow, store=open_store(path)) as house:
            room = house.room(house_book)
            await seated(house, room, 1)
            await seated(house, room, 2)
            await betting(room)
            failing = Failing(monkeypatch, house_book, phase, 10**6)
            for seat in (1, 2):
                player = Visitor(room, f"Guest-{seat}")
                if phase != "betting" or seat == 1:
                    assert (await player.ask("PlaceWagers", seat=seat, wagers=base()))["accepted"]
            await choose(room, lambda table: table.phase == phase)
            async with asyncio.timeout(120):
                while not room.host.halted:
                    await room.host.changed.wait()
            assert room.host.halted == f"the automatic dealer failed: Bug: in {phase}"
            refused = await Visitor(room, "Guest-1").ask("BuyChips", seat=1, cents=100)
            assert (refused["type"], refused["sentence"]) == ("error", "This table is closed for now.")
            await comes(room, lambda: house.stores.tables.get(house_book).state == "halted")
            other = house.room("hand-dealt-1")
            await seated(house, other, 1, "Zoe")
            await betting(other)  # the other table goes on
            failing.left = 0

    async def recover() -> None:
        async with open_house(pace=slow, store=open_store(path), node="two") as house:
            assert house_book not in house.rooms  # halted through a restart
            async with asking(house, "Fay", "floor") as floor, asking(house, "Ann") as player:
                address, wish = f"/api/tables/{house_book}/recover", {"how": "void", "why": "the dealer fell over"}
                assert (await player.post(address, json=wish)).status_code == 403
                assert (await player.get(f"/api/tables/{house_book}/state")).json()["reason"] is None
                state = (await floor.get(f"/api/tables/{house_book}/state")).json()
                assert (state["state"], state["reason"]) == ("halted", f"the automatic dealer failed: Bug: in {phase}")
                done = await floor.post(address, json=wish)
                assert done.status_code == 200, done.text
                assert done.json()["state"] == "open"
                assert (await floor.post(address, json=wish)).status_code == 409  # voiding twice is voiding once
            room = house.room(house_book)
            for seat in (1, 2):
                assert room.table.cents(f"stack:{seat}") == 50_000
            assert sum(isinstance(event, RoundVoided) for event in happened(house, house_book)) == (phase != "betting")
            assert house.stores.wallets.total() == 0
            assert verify(house.stores).good
            # And dealing goes on.
            await betting(room)
            for seat in (1, 2):
                answer = await Visitor(room, f"Guest-{seat}").ask("PlaceWagers", seat=seat, wagers=base())
                assert answer["accepted"], answer
            await until(room, lambda table: table.phase == "choice_1")

    asyncio.run(halt())
    asyncio.run(recover())


def test_a_broken_promise_halts_its_table_alone_and_it_goes_on_from_its_journal(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async def break_it() -> None:
        async with (
            open_house("nsw-1", "hand-dealt-1", pace=PATIENT) as house,
            asking(house, "Cas", "casino_supervisor") as floor,
        ):
            room, real = house.room("nsw-1"), host.play_checked
            ann = await seated(house, room, 1, "Ann")
            await betting(room)
            before = room.table

            def broken(table: Table, command: AnyCommand) -> tuple[Table, Events | Refusal]:
                if command.by == "seat:1" and table.rules.book.id == "nsw-1":
                    raise PromiseBroken("money is conserved", "a chip too many")
                return real(table, command)

            monkeypatch.setattr(host, "play_checked", broken)
            assert (await ann.ask("PlaceWagers", seat=1, wagers=base()))["type"] == "error"
            staff = Visitor(room, "Dora", "dealer", role="dealer")
            told = await staff.say(type="next", id="x")
            assert told["sentence"] == "money is conserved: a chip too many"
            await comes(room, lambda: house.stores.tables.get("nsw-1").state == "halted")
            assert [row.what for row in house.stores.audit.rows()][-1] == "table.halted nsw-1"
            monkeypatch.setattr(host, "play_checked", real)
            done = await floor.post("/api/tables/nsw-1/recover", json={"how": "resume", "why": "mended"})
            assert done.json()["state"] == "open"
            assert house.room("nsw-1") is not room
            assert house.room("nsw-1").table == before
            assert (await Visitor(house.room("nsw-1"), "Ann").ask("PlaceWagers", seat=1, wagers=base()))["accepted"]
            assert not house.room("hand-dealt-1").host.halted

    asyncio.run(break_it())


class Vanishing(Instead):
    """A journal that goes away: before it has written, or after, so that no one knows."""

    def __init__(self, real: JournalStore) -> None:
        super().__init__(real)
        self.fails: list[str] = []

    def append(self, batch: Sequence[Write]) -> list[Outcome]:
        fails = self.fails.pop(0) if self.fails else ""
        if fails == "before":
            raise StoreDown("the disk is full")
        done: list[Outcome] = self.real.append(batch)
        if fails == "after":
            raise StoreDown("the line went dead")
        return done


@pytest.mark.parametrize("moment", ["before", "after"])
def test_a_store_that_comes_back_leaves_no_doubt_about_what_was_written(moment: str) -> None:
    async def go_on() -> None:
        real = memory_stores()
        journal = Vanishing(real.journal)
        store = replace(real, journal=journal)
        async with open_house("hand-dealt-1", pace=PATIENT, store=store) as house:
            room = house.room("hand-dealt-1")
            ann = await seated(house, room, 1, "Ann")
            await betting(room)
            journal.fails = [moment]
            wish = {"id_": "buy", "seat": 1, "cents": 7_000}
            answers = await asyncio.gather(ann.ask("BuyChips", **wish), Visitor(room, "Ann").ask("BuyChips", **wish))
            for answer in answers:
                assert answer["type"] == "error"
                assert "send the command again under the same id" in answer["sentence"]
            await comes(room, lambda: not room.host.down)
            assert room.table.cents("stack:1") == (50_000 if moment == "before" else 57_000)
            again = await ann.ask("BuyChips", **wish)
            assert again["accepted"], again
            assert room.table.cents("stack:1") == 57_000
            assert room.host.head == store.journal.last("hand-dealt-1")
            assert store.wallets.balances(None)["wallet:Ann"] == 43_000
            assert verify(store).good
            assert not room.host.halted

    asyncio.run(go_on())


def test_a_locked_database_is_waited_for(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(sqlite, "_BUSY_SECONDS", 0.05)
    path = tmp_path / "a.db"

    async def wait() -> None:
        async with open_house("hand-dealt-1", pace=PATIENT, store=open_store(str(path))) as house:
            room = house.room("hand-dealt-1")
            ann = await seated(house, room, 1, "Ann")
            await betting(room)
            thief = sqlite3.connect(path, isolation_level=None)
            thief.execute("BEGIN EXCLUSIVE")
            assert (await ann.ask("BuyChips", seat=1, cents=100))["type"] == "error"
            thief.execute("ROLLBACK")
            thief.close()
            await comes(room, lambda: not room.host.down)
            assert (await ann.ask("BuyChips", seat=1, cents=100))["accepted"]
            assert room.table.cents("stack:1") == 50_100

    asyncio.run(wait())


def test_a_store_that_stays_away_halts_the_table() -> None:
    async def wait() -> None:
        real = memory_stores()
        journal = Vanishing(real.journal)
        store = replace(real, journal=journal)
        pace = Pace(step=0, bets=1000, choice=1000, share=0, retry=0.01, patience=0.1)
        async with open_house("hand-dealt-1", pace=pace, store=store) as house:
            room = house.room("hand-dealt-1")
            ann = await seated(house, room, 1, "Ann")
            await betting(room)
            journal.fails = ["before"] * 10**5
            while not room.host.halted:
                assert (await ann.ask("BuyChips", seat=1, cents=100))["type"] == "error"
                await comes(room, lambda: bool(room.host.halted) or not room.host.down)
            assert room.host.halted == "the store did not come back: the disk is full"
            journal.fails = []
            await comes(room, lambda: store.tables.get("hand-dealt-1").state == "halted")

    asyncio.run(wait())


def test_a_table_that_was_closing_when_it_halted_takes_no_bet_when_it_is_recovered() -> None:
    async def halt() -> None:
        async with open_house("hand-dealt-1", pace=PATIENT) as house, asking(house, "Fay", "floor") as floor:
            room = house.room("hand-dealt-1")
            for seat in (1, 2):
                await seated(house, room, seat)
            await betting(room)
            for seat in (1, 2):
                await Visitor(room, f"Guest-{seat}").ask("PlaceWagers", seat=seat, wagers=base())
            await until(room, lambda table: asked(table, "await_choice"))
            await room.door.close("Fay", "late")
            await room.host.halt("a test")
            await comes(room, lambda: house.stores.tables.get("hand-dealt-1").state == "halted")
            wish = {"how": "resume", "why": "go on"}
            assert (await floor.post("/api/tables/hand-dealt-1/recover", json=wish)).json()["state"] == "closing"
            room = house.room("hand-dealt-1")
            assert (await Visitor(room, "Guest-1").ask("BuyChips", seat=1, cents=100))["code"] == "closing"
            await choose(room, lambda _: room.state == "closed")
            assert house.stores.wallets.total() == 0
            wish["how"] = "void\x00"
            assert (await floor.post("/api/tables/hand-dealt-1/recover", json=wish)).status_code == 422

    asyncio.run(halt())


def test_over_the_network_players_read_a_plain_sentence_and_staff_the_reason() -> None:
    async def listen() -> None:
        async with open_house("nsw-1", pace=PATIENT) as house, serving(house) as base_url:
            address = f"{base_url.replace('http', 'ws', 1)}/api/tables/nsw-1/socket"
            ann = {"Cookie": f"{COOKIE}={await session(house, 'Ann')}"}
            fay = {"Cookie": f"{COOKIE}={await session(house, 'Fay', 'floor')}"}
            async with (
                connect(address, additional_headers=ann) as player,
                connect(f"{address}?role=floor", additional_headers=fay) as floor,
            ):
                await player.send(b"\xff")  # not even text, and no harm done
                await floor.send(json.dumps({"type": "next"}))
                await house.room("nsw-1").host.halt("a chip too many")
                told = {"player": "", "floor": ""}
                async with asyncio.timeout(120):
                    for name, socket in (("player", player), ("floor", floor)):
                        with suppress(ConnectionClosed):
                            while True:
                                told[name] += str(await socket.recv())
                assert (player.close_code, floor.close_code) == (1013, 1013)
            assert "This table is closed for now." in told["player"]
            assert "a chip too many" not in told["player"]
            assert "a chip too many" in told["floor"]

    asyncio.run(listen())


def test_a_table_that_could_not_be_recovered_takes_no_one_without_a_dealer() -> None:
    async def check() -> None:
        async with inside("t1") as here:
            floor, _ = await here.account("Flo", "floor")
            _, ann = await here.account("Ann", cents=20_000)
            assert (await here.sit(ann, "t1"))["accepted"]
            room = here.house.room("t1")
            await betting(room)
            wagers = {"base-1": 500, "base-2": 500, "base-$": 500}
            assert (await here.act(ann, "t1", {"type": "PlaceWagers", "seat": 1, "wagers": wagers}))["accepted"]
            await room.host.halt("a test")
            await comes(room, lambda: here.house.stores.tables.get("t1").state == "halted")
            wish = {"how": "void", "why": "it stands"}

            def away(_: object) -> None:
                raise StoreDown("the database is away")

            with patch.object(here.house.stores.journal, "append", away):
                assert 503 == (await floor.post("/api/tables/t1/recover", json=wish)).status_code
            assert "halted" == (await floor.get("/api/tables/t1/state")).json()["state"]
            assert 200 == (await floor.post("/api/tables/t1/recover", json=wish)).status_code
            assert "open" == (await floor.get("/api/tables/t1/state")).json()["state"]
            assert 10_000 == here.house.stores.wallets.balances("t1")["stack:1"]

    asyncio.run(check())
