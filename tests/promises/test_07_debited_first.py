"""Promise 7: a bet is debited before the outcome, a late bet is void, no balance is negative. Five books, every phase."""

from __future__ import annotations

import asyncio
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from letitride.engine import places
from letitride.engine.events import WagersPlaced
from letitride.rules import catalog
from letitride.storage.codec import decode
from letitride.storage.memory.opening import memory_stores
from letitride.storage.urls import open_store
from tests.server.virtual import Player, connect, opened, run, until, virtual

LATE = ("dealing", "choice_1", "choice_2", "settling")


@pytest.mark.parametrize("house", catalog.rulebook_ids())
def test_chips_are_on_the_felt_before_the_first_card_and_a_late_bet_changes_nothing(house: str) -> None:
    async def go() -> tuple[list[Any], dict[str, dict[str, Any]]]:
        store, late = memory_stores(), {}
        async with opened(store, house) as (inside, app):
            players = [Player(inside, app, house, seat) for seat in (1, 2)]
            tasks = [asyncio.create_task(player.play()) for player in players]
            room = inside.rooms[house]
            for phase in LATE:
                await until(lambda phase=phase: room.table.phase == phase)
                seat = next(iter(room.table.dealt_in), 2)
                socket = await connect(app, house, players[seat - 1].token)
                wagers = {"base-1": 100_000, "base-2": 100_000, "base-$": 100_000}
                bet = {"type": "PlaceWagers", "seat": seat, "wagers": wagers}
                socket.send({"type": "command", "id": f"late {phase}", "command": bet})
                late[phase] = await socket.answer()
                await socket.close()
            await until(lambda: room.table.round >= 2)
            for task in tasks:
                task.cancel()
            rows = [(row.command, decode(row.events)) for row in store.journal.rows(house)]
        return rows, late

    with virtual(f"debited {house}") as (loop, _):
        rows, late = run(loop, go())
    assert all(not told["accepted"] and told["code"] for told in late.values()), late
    assert not any(command.startswith("late") for command, _ in rows)
    bets = cards = 0
    for _, happened in rows:
        for event in happened:
            if isinstance(event, WagersPlaced):
                assert not cards, "a bet after a card"
                bets += sum(moved.cents for moved in event.chips if moved.target.startswith("felt:"))
            hands = [move for move in getattr(event, "moves", ()) if move.target == places.hand(2)]
            cards += len(hands)
        if cards:
            break
    assert bets
    assert cards


def test_no_one_takes_more_to_a_table_than_they_have() -> None:
    async def go() -> tuple[list[dict[str, Any]], dict[str, int]]:
        store = memory_stores()
        async with opened(store, "nsw-1", step=10_000.0) as (house, app):
            _, token = await house.people.guest()
            socket = await connect(app, "nsw-1", token)
            told = []
            for number, cents in enumerate((100_001, 60_000, 60_000, 40_000, 1)):
                kind = {"type": "Sit", "player": ""} if number < 2 else {"type": "BuyChips"}
                command = {**kind, "seat": 1, "cents": cents}
                socket.send({"type": "command", "id": f"{number}", "command": command})
                told.append(await socket.answer())
            await socket.close()
            return told, store.wallets.balances("nsw-1")

    with virtual("more than he has") as (loop, _):
        told, balances = run(loop, go())
    assert [one["accepted"] for one in told] == [False, True, False, True, False]
    assert {one["code"] for one in told if not one["accepted"]} == {"not_enough_money"}
    assert balances["stack:1"] == 100_000


def test_the_database_itself_refuses_a_negative_balance(tmp_path: Path) -> None:
    store = open_store(str(tmp_path / "house.db"))
    store.wallets.fund("Ann", 100, "chips", at=1, who="house")
    with closing(sqlite3.connect(tmp_path / "house.db")) as raw:
        with pytest.raises(sqlite3.IntegrityError, match="never_owes"):
            raw.execute("UPDATE accounts SET cents = -1 WHERE name = 'wallet:Ann'")
        raw.rollback()
    assert store.wallets.balances(None) == {"cage": -100, "wallet:Ann": 100}
    store.close()
