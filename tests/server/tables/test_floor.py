"""Roles at a table, the wire's promises about ids and versions, and tables that close."""

from __future__ import annotations

import asyncio
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from letitride.engine import commands
from letitride.engine.events import RoundEnded, RoundVoided
from letitride.errors import InvalidData
from letitride.rules.roles import ACCOUNT_ROLES, OVERSEES, ROLES, STAFF
from letitride.server.net.sockets import Viewer
from letitride.server.people.accounts import Person
from letitride.server.runtime.pace import Pace
from letitride.storage.codec import decode
from letitride.storage.urls import open_store
from tests.server.staffed import PATIENT, Visitor, asked, asking, base, betting, comes, open_house, seated, until

STAFF_COMMANDS: list[dict[str, Any]] = [
    {"type": "Do", "kind": "call_no_more_bets"},
    {"type": "Order", "kind": "close"},
    {"type": "Order", "kind": "annul", "ground": "fraud"},
    {"type": "DecideDispute", "number": 1, "upheld": True, "why": "so"},
    {"type": "WentAway", "seat": 1},
    {"type": "CameBack", "seat": 1},
    {"type": "Mishap", "kind": "exposed", "seat": 1, "number": 1},
]


def test_everyone_gets_the_view_of_a_role_they_have_and_of_no_other() -> None:
    async def look() -> None:
        async with open_house("nsw-1") as house:
            room = house.room("nsw-1")
            for role in ACCOUNT_ROLES:
                person = Person(name=role, roles=(role,))
                for wanted in STAFF:
                    if ROLES[wanted].account == role:
                        expected = "floor" if wanted in OVERSEES else role
                        assert Viewer(room, person, wanted).name == expected
                    else:
                        with pytest.raises(InvalidData):
                            Viewer(room, person, wanted)
                assert Viewer(room, person).name == "spectator"

    asyncio.run(look())


@pytest.mark.parametrize("command", STAFF_COMMANDS, ids=str)
def test_a_player_cannot_give_a_command_of_the_staff(command: dict[str, Any]) -> None:
    async def try_it() -> None:
        async with open_house("hand-dealt-1", pace=PATIENT) as house:
            room = house.room("hand-dealt-1")
            ann = await seated(house, room, 1)
            table = await betting(room)
            for by in ("dealer", "floor", "operator", "table"):
                answer = await ann.say(type="command", id=f"x-{by}", command={**command, "by": by})
                assert answer["type"] == "error"
            assert room.table is table

    asyncio.run(try_it())


def test_an_inspector_watches_and_only_gives_the_orders_the_book_gives_them() -> None:
    async def watch() -> None:
        async with open_house("hand-dealt-1", pace=PATIENT) as house:
            room = house.room("hand-dealt-1")
            await seated(house, room, 1)
            await betting(room)
            inspector = Visitor(room, "Ida", "inspector", role="inspector")
            for command in STAFF_COMMANDS[:3]:
                answer = await inspector.say(type="command", id=str(command), command=command)
                assert not answer["accepted"]
                assert answer["code"] == "not_your_role"
            assert (await inspector.ask("PlaceWagers", seat=1, wagers=base()))["code"] == "not_your_seat"
            assert (await inspector.ask("Order", kind="count"))["code"] != "not_your_role"

    asyncio.run(watch())


def test_no_one_plays_and_works_at_one_table() -> None:
    async def try_both() -> None:
        async with open_house("nsw-1") as house:
            room = house.room("nsw-1")
            await seated(house, room, 1, "Ann")
            with pytest.raises(InvalidData, match="who do not play"):
                Visitor(room, "Ann", "player", "floor", role="floor")
            fay = Visitor(room, "Fay", "player", "floor", role="floor")
            assert (await Visitor(room, "Fay").ask("Sit", seat=2, player="", cents=500))["code"] == "works_here"
            fay.leave()
            answer = await Visitor(room, "Fay").ask("Sit", seat=2, player="", cents=500)
            assert answer["code"] == "not_enough_money"  # so the player would have been welcome

    asyncio.run(try_both())


def test_a_command_for_a_seat_is_judged_by_who_sits_there_when_its_turn_comes() -> None:
    async def race() -> None:
        async with open_house("hand-dealt-1", pace=PATIENT) as house:
            room = house.room("hand-dealt-1")
            ann = await seated(house, room, 3, "Ann")
            await seated(house, room, 1, "Cat")
            await betting(room)
            other = Visitor(room, "Ann")
            await house.committer.run(lambda: house.stores.wallets.fund("Bob", 50_000, "test", at=1, who="test"))
            # All three wait in the queue before the first of them is decided.
            left, sat, bet = await asyncio.gather(
                ann.ask("Leave", seat=3),
                room.submit("Bob", "sits", commands.Sit(by="seat:3", seat=3, player="Bob", cents=20_000)),
                other.ask("PlaceWagers", seat=3, wagers=base()),
            )
            assert left["accepted"]
            assert sat.accepted
            assert bet["code"] == "not_your_seat"
            assert not room.table.seats[3].wagers

    asyncio.run(race())


def test_a_command_for_another_version_of_the_table_is_stale() -> None:
    async def be_late() -> None:
        async with open_house("hand-dealt-1", pace=PATIENT) as house:
            room = house.room("hand-dealt-1")
            ann = await seated(house, room, 1)
            await seated(house, room, 2)
            table = await betting(room)
            late = await ann.ask("PlaceWagers", version=table.version - 1, seat=1, wagers=base())
            assert late["code"] == "stale"
            assert room.table is table
            meant = await ann.ask("PlaceWagers", version=table.version, seat=1, wagers=base(), id_="bet")
            assert meant["accepted"]
            assert meant == await ann.ask("PlaceWagers", version=table.version, seat=1, wagers=base(), id_="bet")

    asyncio.run(be_late())


def test_a_repeated_id_has_its_first_answer_whatever_changed_since_and_after_a_restart(tmp_path: Path) -> None:
    sit = {"seat": 3, "player": "", "cents": 20_000}

    async def first() -> dict[str, Any]:
        async with open_house("nsw-1", store=open_store(str(tmp_path / "a.db"))) as house:
            room = house.room("nsw-1")
            await house.committer.run(lambda: house.stores.wallets.fund("Ann", 100_000, "test", at=1, who="test"))
            ann = Visitor(room, "Ann")
            answer = await ann.ask("Sit", id_="one", **sit)
            assert answer["accepted"]
            assert answer == await ann.ask("Sit", id_="one", **sit)
            left = await ann.ask("Leave", id_="two", seat=3)
            assert left["accepted"]
            assert left == await ann.ask("Leave", id_="two", seat=3)
            assert answer == await ann.ask("Sit", id_="one", **sit)
            other = await ann.ask("Sit", id_="one", **{**sit, "cents": 100})
            assert other["code"] == "reused_id"
            assert not other["accepted"]
            return answer

    async def again(answer: dict[str, Any]) -> None:
        async with open_house(store=open_store(str(tmp_path / "a.db")), node="two") as house:
            ann = Visitor(house.room("nsw-1"), "Ann")
            assert answer == await ann.ask("Sit", id_="one", **sit)
            assert (await ann.ask("Leave", id_="two", seat=3))["accepted"]  # although Ann has no seat
            assert (await ann.ask("Leave", id_="two", seat=4))["code"] == "reused_id"
            assert (await ann.ask("Leave", id_="three", seat=3))["type"] == "error"
            assert house.stores.wallets.balances(None)["wallet:Ann"] == 100_000

    asyncio.run(again(asyncio.run(first())))


def test_another_command_under_a_used_id_takes_nothing_from_the_first_after_a_restart(tmp_path: Path) -> None:
    sit = {"seat": 3, "player": "", "cents": 20_000}

    async def first() -> dict[str, Any]:
        async with open_house("nsw-1", store=open_store(str(tmp_path / "a.db"))) as house:
            await house.committer.run(lambda: house.stores.wallets.fund("Ann", 100_000, "test", at=1, who="test"))
            return await Visitor(house.room("nsw-1"), "Ann").ask("Sit", id_="one", **sit)

    async def again(answer: dict[str, Any]) -> None:
        async with open_house(store=open_store(str(tmp_path / "a.db")), node="two") as house:
            room = house.room("nsw-1")
            ann = Visitor(room, "Ann")
            other, same = await asyncio.gather(  # the other one is still on its way when the first comes again
                ann.ask("SitOut", id_="one", seat=3, out=True), ann.ask("Sit", id_="one", **sit)
            )
            assert other["code"] == "reused_id"
            assert same == answer
            assert answer == await ann.ask("Sit", id_="one", **sit)
            assert not room.table.seats[3].sitting_out

    asyncio.run(again(asyncio.run(first())))


@pytest.mark.parametrize("house_book", ["nsw-1", "shufflemaster-1"])
def test_a_thousand_bets_raced_against_a_closing_table(house_book: str) -> None:
    async def race() -> None:
        async with (
            open_house(house_book, pace=Pace(step=0, bets=1000, choice=0)) as house,
            asking(house, "Fay", "floor") as floor,
        ):
            room = house.room(house_book)
            players = [await seated(house, room, seat) for seat in range(1, 7)]
            await seated(house, room, 7)  # who never bets, so that betting stays open
            await betting(room)
            acknowledged: list[int] = []

            answers: list[dict[str, Any]] = []
            midway = asyncio.Event()

            async def bet(seat: int) -> None:
                """Bet, raise, lower and take back, a thousand times in all, and a few times when it is too late."""
                sent = late = 0
                while sent < 170 or late < 5:
                    wagers = base(500 + 500 * (sent % 2)) if sent % 5 or seat == 6 or acknowledged else {}
                    late += bool(acknowledged)
                    answer = await players[seat - 1].ask("PlaceWagers", seat=seat, wagers=wagers)
                    answers.append({**answer, "bets": bool(wagers)})
                    sent += 1
                    if len(answers) >= 300:
                        midway.set()

            async def close() -> None:
                await midway.wait()
                answer = await floor.post(
                    f"/api/tables/{house_book}/state",
                    json={"state": "closing", "why": "a test", "without_notice": True},
                )
                assert answer.status_code == 200
                assert answer.json()["state"] in {"closing", "closed"}
                acknowledged.append(room.table.version)

            await asyncio.gather(close(), *(bet(seat) for seat in range(1, 7)))
            bets = [answer for answer in answers if answer["bets"]]
            assert len(answers) >= 1000
            taken = [answer for answer in bets if answer.get("accepted")]
            assert taken
            assert all(answer["version"] <= acknowledged[0] for answer in taken)
            assert any(answer.get("code") == "closing" for answer in bets)  # and "no seat" when all were paid out
            # The round that was bet on concludes by itself; then everybody is paid out and the table is closed.
            await comes(room, lambda: room.state == "closed")
            happened = [event for row in house.stores.journal.rows(house_book) for event in decode(row.events)]
            assert sum(isinstance(event, RoundEnded | RoundVoided) for event in happened) == 1
            assert not any(seat.player for seat in room.table.seats.values())
            assert house.stores.wallets.total() == 0
            assert house.stores.tables.get(house_book).state == "closed"
            assert [row.what for row in house.stores.audit.rows() if row.what.startswith("table.")] == [
                f"table.closing {house_book}",
                f"table.closed {house_book}",
            ]

    asyncio.run(race())


def test_a_table_that_closes_gives_back_bets_that_nothing_can_be_dealt_for() -> None:
    async def close() -> None:
        async with open_house("nsw-1", pace=PATIENT) as house:
            room = house.room("nsw-1")
            ann = await seated(house, room, 1, "Ann")
            await betting(room)
            assert (await ann.ask("PlaceWagers", seat=1, wagers={"base-1": 500}))["accepted"]
            await room.door.close("Fay", "end of the day")
            assert (await ann.ask("BuyChips", seat=1, cents=100)).get("code", "closing") == "closing"
            await comes(room, lambda: room.state == "closed")
            assert house.stores.wallets.balances(None)["wallet:Ann"] == 100_000

    asyncio.run(close())


def test_a_dealer_who_is_quicker_than_the_writer_still_closes_for_the_reason_that_was_given() -> None:
    async def close() -> None:
        async with open_house("hand-dealt-1") as house:
            room = house.room("hand-dealt-1")
            keep = room.keep_state

            async def keep_slowly(*words: Any, **more: Any) -> None:
                room.host.wake()  # the dealer looks: the table closes, and no one sits at it
                await asyncio.sleep(0.2)
                await keep(*words, **more)

            room.keep_state = keep_slowly
            await room.door.close("Fay", "the carpet is cleaned")
            await comes(room, lambda: room.state == "closed")
            assert (room.record.state, room.record.reason) == ("closed", "the carpet is cleaned")

    asyncio.run(close())


def test_a_closing_table_stays_so_through_a_restart_and_a_closed_one_can_be_opened(tmp_path: Path) -> None:
    path = str(tmp_path / "a.db")

    async def close() -> None:
        async with open_house("hand-dealt-1", pace=PATIENT, store=open_store(path)) as house:
            room = house.room("hand-dealt-1")
            ann = await seated(house, room, 1, "Ann")
            await betting(room)
            await ann.ask("PlaceWagers", seat=1, wagers=base())
            await until(room, lambda table: table.phase == "choice_1")
            await room.door.close("Fay", "end of the day")
            assert room.state == "closing"

    async def go_on() -> None:
        async with open_house(pace=PATIENT, store=open_store(path), node="two") as house:
            room = house.room("hand-dealt-1")
            assert room.state == "closing"
            ann = Visitor(room, "Ann")
            assert (await ann.ask("BuyChips", seat=1, cents=100))["code"] == "closing"
            for bet in (1, 2):
                await until(room, partial(asked, kind="await_choice", number=bet))
                assert (await ann.ask("Choose", seat=1, bet=bet, choice="ride"))["accepted"]
            await comes(room, lambda: room.state == "closed")

    async def open_again() -> None:
        async with open_house(store=open_store(path), node="three") as house:
            assert "hand-dealt-1" not in house.rooms
            async with asking(house, "Ann") as player, asking(house, "Fay", "floor") as floor:
                wish = {"state": "open", "why": "a new day"}
                assert (await player.post("/api/tables/hand-dealt-1/state", json=wish)).status_code == 403
                assert (await player.get("/api/tables/hand-dealt-1/state")).json()["reason"] is None
                assert (await floor.get("/api/tables/hand-dealt-1/state")).json()["reason"] == "end of the day"
                assert (await floor.post("/api/tables/nowhere/state", json=wish)).status_code == 404
                assert (await floor.post("/api/tables/hand-dealt-1/state", json={"state": "ajar"})).status_code == 422
                answer = await floor.post("/api/tables/hand-dealt-1/state", json=wish)
                assert answer.json() == {
                    "id": "hand-dealt-1",
                    "state": "open",
                    "dealer": "automatic",
                    "clock": None,
                    "reason": None,
                }
            room = house.room("hand-dealt-1")
            await seated(house, room, 2, "Bob")
            await betting(room)

    asyncio.run(close())
    asyncio.run(go_on())
    asyncio.run(open_again())


def test_where_the_rules_want_notice_a_table_closes_at_the_announced_time_by_itself() -> None:
    async def close() -> None:
        now = [12 * 60 * 60_000]
        async with open_house("nsw-1", pace=PATIENT) as house, asking(house, "Fay", "floor") as floor:
            house.clock_ms = lambda: now[0]
            room = house.room("nsw-1")
            await seated(house, room, 1)
            await betting(room)
            wish = {"state": "closing", "why": "the end of the day"}
            told = await floor.post("/api/tables/nsw-1/state", json=wish)
            assert (409, True) == (told.status_code, "posted for 20 minutes" in told.json()["detail"])
            assert room.state == "open"
            games = Visitor(room, "Fay", "floor", role="games_supervisor")
            assert (await games.ask("Order", kind="announce_closing", when=12 * 60 + 20))["accepted"]
            assert room.state == "open"
            now[0] += 20 * 60_000
            room.host.wake()
            await comes(room, lambda: room.state == "closed")
            assert room.table.phase == "closed"
            assert not any(seat.player for seat in room.table.seats.values())
            assert [row.what for row in house.stores.audit.rows() if row.what.startswith("table.")] == [
                "table.closing nsw-1",
                "table.closed nsw-1",
            ]

    asyncio.run(close())
