"""Pace: a player who sits alone says how fast it goes; as soon as another person sits down it goes as ever."""

from __future__ import annotations

import asyncio
import json

import pytest

from letitride.server.runtime.pace import SHARES, Pace
from tests.server.staffed import Visitor, comes, open_house, seated


def test_it_goes_as_fast_as_the_only_player_wants() -> None:
    async def play() -> None:
        async with open_house("nsw-1", pace=Pace(step=0.5)) as house:
            room = house.room("nsw-1")
            ann = await seated(house, room, 1, "Ann")
            assert ("normal", 0.5) == (room.standing().pace, room.pause("deal_card"))
            await ann.say(type="pace", pace="fast")
            assert ("fast", 0.5 * SHARES["fast"]) == (room.standing().pace, room.pause("deal_card"))
            await ann.say(type="pace", pace="turbo")
            assert ("turbo", 0.5 * SHARES["turbo"]) == (room.standing().pace, room.pause("deal_card"))
            again = Visitor(room, "Ann")  # another of Ann's browsers, which wants nothing special
            assert "turbo" == room.standing().pace
            again.leave()
            await ann.say(type="pace", pace="normal")
            assert ("normal", 0.5) == (room.standing().pace, room.pause("deal_card"))

    asyncio.run(play())


def test_no_one_else_at_the_table_is_hurried() -> None:
    async def play() -> None:
        async with open_house("nsw-1", pace=Pace(step=0.5)) as house:
            room = house.room("nsw-1")
            ann = await seated(house, room, 1, "Ann")
            await ann.say(type="pace", pace="turbo")
            told: list[str] = []
            room.send_all = lambda message: told.append(message.pace)
            bob = await seated(house, room, 2, "Bob")
            await comes(room, lambda: told == ["normal"])
            assert 0.5 == room.pause("deal_card")
            await bob.say(type="pace", pace="turbo")  # not even where both want it
            assert "normal" == room.pace
            await ann.ask("Leave", seat=1)
            await comes(room, lambda: told == ["normal", "turbo"])
            assert "turbo" == room.pace  # as Bob wants it now
            bob.leave()
            assert ("normal", ["normal", "turbo", "normal"]) == (room.pace, told)

    asyncio.run(play())


def test_bots_are_no_company_and_watchers_say_nothing_about_the_pace() -> None:
    async def play() -> None:
        async with open_house("nsw-1", pace=Pace(step=0.5), bots=2) as house:
            room = house.room("nsw-1")
            ann = await seated(house, room, 1, "Ann")
            async with asyncio.timeout(50):
                while len({seat.player for seat in room.table.seats.values()} - {"", "Ann"}) < 2:
                    await room.host.changed.wait()
            await ann.say(type="pace", pace="fast")
            watcher = Visitor(room, "Zoe")
            await watcher.say(type="pace", pace="turbo")
            assert "fast" == room.pace

    asyncio.run(play())


@pytest.mark.parametrize("pace", ["warp", "", 1])
def test_another_pace_is_none(pace: object) -> None:
    async def ask() -> None:
        async with open_house("nsw-1") as house:
            ann = await seated(house, house.room("nsw-1"), 1, "Ann")
            answer = await ann.viewer.take(json.dumps({"type": "pace", "pace": pace}), 1e6)
            assert "unreadable" == getattr(answer, "code", "")

    asyncio.run(ask())
