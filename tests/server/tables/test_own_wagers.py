"""A house's own wager at a live table: opened from files, told by the view, bet, dealt to and settled like any other."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest

from letitride.engine.view import view
from letitride.ledger import accounts
from letitride.rules.cards import Card
from letitride.rules.settlement import Hand, settle_round
from letitride.server.tables.house import House
from letitride.server.tables.room import Room
from letitride.storage.past import rebuilt
from tests.server.staffed import PATIENT, Visitor, asked, asking, base, betting, open_house, seated, until

BOOK = """
id = "my-room-1"
title = "My room"
extends = "nsw-1"
wagers = ["red_black.toml"]
"""
WAGER = """
id = "red_black"
title = "Red or Black"
label = "R/B"
judged_on = "own_five"
award = "to_one"
first_wins = true

[[rank]]
id = "all_red"
title = "all red"
when = { colour = "red" }

[[rank]]
id = "all_black"
title = "all black"
when = { colour = "black" }

[[rank]]
id = "mixed"
title = "both colours"

[keys]
cents_min = 200
cents_max = 2500
cents_step = 100

[pays]
all_red = 20
all_black = 13
"""
WANTED = {"name": "My room", "rulebook": "house.toml", "texts": {"house.toml": BOOK, "red_black.toml": WAGER}}


async def _opened(house: House, **change: Any) -> Room:
    async with asking(house, "Ada", "administrator") as ada:
        opened = await ada.post("/api/tables", json={**WANTED, **change})
        assert 201 == opened.status_code, opened.text
        (listed,) = (await ada.get("/api/tables")).json()
        assert "Red or Black" == listed["side_bets"]["red_black"]
        assert "My room" == listed["rulebook_title"]
    return house.room("my-room")


async def _ride(room: Room, seat: int) -> None:
    for bet in (1, 2):
        await until(room, lambda table: asked(table, "await_choice", seat, bet))  # noqa: B023 - awaited here
        player = room.table.seats[seat].player
        answer = await Visitor(room, player).ask("Choose", seat=seat, bet=bet, choice="ride")
        assert answer["accepted"], answer


def test_a_table_opens_by_a_book_with_a_wager_of_its_own_and_tells_it() -> None:
    async def tell() -> None:
        async with open_house(pace=PATIENT) as house:
            room = await _opened(house)
            sign = view(room.table, "spectator").sign
            (bet,) = [one for one in sign.side_bets if one.spot == "red_black"]
            assert ("Red or Black", "R/B", 200, 2_500, 100) == (
                bet.title,
                bet.label,
                bet.cents_min,
                bet.cents_max,
                bet.cents_step,
            )
            assert {"all red": "20 to 1", "all black": "13 to 1"} == sign.pays["red_black"]
            assert "red_black" == sign.paytables["red_black"]

    asyncio.run(tell())


@pytest.mark.parametrize(
    ("cents", "code"),
    [(100, "below_minimum"), (2_600, "above_maximum"), (250, "off_step"), (300, None)],
)
def test_an_own_wager_is_taken_within_its_limits(cents: int, code: str | None) -> None:
    async def bet() -> None:
        async with open_house(pace=PATIENT) as house:
            room = await _opened(house)
            ann = await seated(house, room, 1)
            await betting(room)
            answer = await ann.ask("PlaceWagers", seat=1, wagers={**base(), "red_black": cents})
            assert (code or "") == answer["code"]
            if code is None:
                assert cents == room.table.cents(accounts.felt(1, "red_black"))

    asyncio.run(bet())


def test_an_own_wager_is_dealt_to_and_paid_as_the_settlement_says() -> None:
    async def play() -> None:
        async with open_house(pace=PATIENT) as house:
            room = await _opened(house)
            ann = await seated(house, room, 1)
            before = room.table.cents("stack:1")
            await betting(room)
            wagers = {**base(), "red_black": 300}
            answer = await ann.ask("PlaceWagers", seat=1, wagers=wagers)
            assert answer["accepted"], answer
            await _ride(room, 1)
            await until(room, lambda table: table.phase == "betting" and table.round == 2)
            async with asking(house, "Guest-1") as http:
                told = (await http.get("/api/tables/my-room/rounds")).json()["rounds"][0]
                steps = (await http.get("/api/tables/my-room/rounds/1")).json()["steps"]
            (seat,) = told["seats"]
            turned = [step["view"]["community"] for step in steps if step["view"]["seats"]["1"]["results"]]
            community = [Card.parse(card) for card in turned[0]]
            hand = Hand(1, tuple(map(Card.parse, seat["cards"])), wagers)
            results = settle_round(room.table.rules, community, [hand])[1]
            due = {one.wager: (one.fate, one.paid_cents, one.back_cents) for one in results}
            assert due == {one["wager"]: (one["fate"], one["paid_cents"], one["back_cents"]) for one in seat["wagers"]}
            assert room.table.cents("stack:1") - before == sum(one.net_cents for one in results)
            shown = [one for step in steps for one in step["view"]["seats"]["1"]["results"]]
            assert "red_black" in {one["wager"] for one in shown}
            assert rebuilt(list(house.stores.journal.rows("my-room"))).rules == room.table.rules
            assert house.stores.wallets.total() == 0

    asyncio.run(play())


def test_the_meter_of_a_progressive_is_in_the_books_of_the_house_and_in_every_view() -> None:
    jackpot = (Path(__file__).parent.parent.parent.parent / "examples/wagers/jackpot.toml").read_text(encoding="utf-8")
    book = (
        BOOK.replace('"red_black.toml"', '"red_black.toml", "jackpot.toml"') + '[rules]\nodds.wording = ["to", "win"]\n'
    )
    texts = {"house.toml": book, "red_black.toml": WAGER, "jackpot.toml": jackpot}

    async def play() -> None:
        async with open_house(pace=PATIENT) as house:
            room = await _opened(house, texts=texts)
            assert {"jackpot": 1_000_000} == view(room.table, "spectator").meters
            ann = await seated(house, room, 1)
            await betting(room)
            answer = await ann.ask("PlaceWagers", seat=1, wagers={**base(), "jackpot": 100})
            assert answer["accepted"], answer
            await _ride(room, 1)
            await until(room, lambda table: table.phase == "betting" and table.round == 2)
            held = room.table.cents(accounts.meter("jackpot"))
            again = rebuilt(list(house.stores.journal.rows("my-room")))
            assert held == again.cents(accounts.meter("jackpot")) == view(room.table, "spectator").meters["jackpot"]
            assert held >= 1_000_020 or held < 1_000_000  # it was fed, or a hand in 65,000 took of it
            async with asking(house, "Guest-1") as http:
                (listed,) = (await http.get("/api/tables")).json()
            assert {"jackpot": held} == listed["meters_cents"]
            assert 0 == house.stores.wallets.total()

    asyncio.run(play())
