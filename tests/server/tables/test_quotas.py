"""Quotas: what one player can put into a table's journal is bounded, by rows and by words, however many connections."""

from __future__ import annotations

import asyncio
import json
from collections import Counter
from itertools import count

from letitride.engine.refusal import WORDS_MAX
from letitride.server.net.sockets import DEAF_MAX, POLICY_VIOLATION, Viewer
from letitride.server.people.accounts import Person
from letitride.server.runtime.budgets import Budgets
from letitride.server.runtime.rates import Rate, Rates
from letitride.server.tables.house import House
from letitride.server.tables.messages import ErrorSent
from letitride.server.tables.room import Room
from tests.server.staffed import PATIENT, QUICK, asked, base, betting, open_house, seated, until

ROWS_MAX = Budgets().rows_max
REFILL_MS = round(60_000 / Budgets().rows_a_minute)
BOOK = "california-1"
"""Players may advise one another there."""


def rows_of(house: House, seat: int) -> int:
    """How many rows of a seat the journal has."""
    return sum(row.by == f"seat:{seat}" for row in house.stores.journal.rows(BOOK, 0))


def stopped(house: House) -> None:
    """Let the clock of a house stand still, so that nothing is given back meanwhile."""
    now = house.clock_ms()
    house.clock_ms = lambda: now


def test_words_for_the_record_have_a_length() -> None:
    async def talk() -> None:
        async with open_house(BOOK, pace=PATIENT) as house:
            room = house.room(BOOK)
            ann = await seated(house, room, 3, "Ann")
            assert (await ann.ask("Advise", seat=3, words="x" * WORDS_MAX))["accepted"]
            for words in ("x" * (WORDS_MAX + 1), "x" * 15_900):
                for said in ({"type_": "Advise", "words": words}, {"type_": "RaiseDispute", "about": words}):
                    answer = await ann.ask(said.pop("type_"), seat=3, **said)
                    assert (False, "bad_words") == (answer["accepted"], answer["code"])
                    assert "What is put on record has at most 500 characters." == answer["sentence"]

    asyncio.run(talk())


def test_a_player_puts_so_many_rows_on_record_in_a_round_and_can_always_leave() -> None:
    async def toggle() -> None:
        async with open_house(BOOK, pace=PATIENT) as house:
            stopped(house)
            room = house.room(BOOK)
            ann, ben = await seated(house, room, 3, "Ann"), await seated(house, room, 4, "Ben")
            codes = Counter[str]()
            for number in range(3 * ROWS_MAX):
                said = (
                    ("AskAdvice", {"wanted": number % 2 == 0}),
                    ("Advise", {"words": "let it ride"}),
                    ("SitOut", {"out": False}),
                )[number % 3]
                answer = await ann.ask(said[0], seat=3, **said[1])
                codes[answer["code"]] += 1
            assert Counter({"too_much_on_record": 2 * ROWS_MAX + 1, "": ROWS_MAX - 1}) == codes
            assert ROWS_MAX == rows_of(house, 3)  # sitting down is one of them
            assert (await ben.ask("AskAdvice", seat=4))["accepted"]  # it is nobody else's
            now = house.clock_ms()
            house.clock_ms = lambda: now + REFILL_MS
            more = [await ann.ask("AskAdvice", seat=3) for _ in range(3)]
            assert [True, False, False] == [one["accepted"] for one in more]
            assert (await ann.ask("SitOut", seat=3))["accepted"]  # what ends something needs no room
            assert (await ann.ask("Leave", seat=3))["accepted"]
            assert "too_much_on_record" == (await ann.ask("Sit", seat=3, player="", cents=500))["code"]
            assert 2 * ROWS_MAX + 4 == house.metrics.registry.get_sample_value(
                "letitride_cut_off_total", {"what": "journal"}
            )

    asyncio.run(toggle())


def test_the_next_round_has_room_again_and_what_was_refused_took_none() -> None:
    async def play() -> None:
        async with open_house("shufflemaster-1", pace=PATIENT) as house:
            stopped(house)
            room = house.room("shufflemaster-1")
            ann = await seated(house, room, 1, "Ann")
            await betting(room)
            for _ in range(2 * ROWS_MAX):  # refused by the rules: nothing is on record
                assert not (await ann.ask("PlaceWagers", seat=1, wagers={"base-1": 1}))["accepted"]
            assert (await ann.ask("PlaceWagers", seat=1, wagers=base()))["accepted"]
            while (await ann.ask("AskAdvice", seat=1))["accepted"]:
                pass
            ann_is_asked = lambda bet: until(room, lambda table: asked(table, "await_choice", 1, bet))  # noqa: E731 - short
            for bet in (1, 2):  # the round waits for this
                await ann_is_asked(bet)
                assert (await ann.ask("Choose", seat=1, bet=bet, choice="ride"))["accepted"]
            assert not (await ann.ask("AskAdvice", seat=1))["accepted"]
            await until(room, lambda table: table.phase == "betting" and not table.seats[1].wagers)
            assert (await ann.ask("PlaceWagers", seat=1, wagers=base()))["accepted"]

    asyncio.run(play())


def viewers(room: Room, *who: tuple[str, str]) -> list[Viewer]:
    """Connections of some people from some addresses."""
    return [Viewer(room, Person(name=name, roles=("player",)), address=address) for name, address in who]


def test_a_person_and_an_address_have_a_share_by_however_many_connections() -> None:
    async def send(rates: Rates, *who: tuple[str, str]) -> list[bool]:
        async with open_house(BOOK, pace=QUICK) as house:
            house.rates = rates
            stopped(house)
            message = json.dumps({"type": "clock", "on": True})
            answers = [await one.take(message, 1.0) for one in viewers(house.room(BOOK), *who)]
            return [answer is None for answer in answers]

    here, there = "192.0.2.1", "192.0.2.2"
    by_person = asyncio.run(send(Rates(messages_by=Rate(2, 1)), *(("Ann", here),) * 3, ("Ben", here)))
    assert [True, True, False, True] == by_person
    names = (f"Guest-{number}" for number in count(1))
    by_address = asyncio.run(
        send(Rates(messages_from=Rate(2, 1)), *((next(names), here) for _ in range(3)), (next(names), there))
    )
    assert [True, True, False, True] == by_address


def test_whoever_goes_on_after_many_refusals_is_disconnected() -> None:
    async def flood() -> None:
        async with open_house(BOOK) as house:
            (ann,) = viewers(house.room(BOOK), ("Ann", "192.0.2.1"))
            message = json.dumps({"type": "clock", "on": True})
            for _ in range(house.rates.messages_of.burst):
                assert await ann.take(message, 1.0) is None
            for _ in range(DEAF_MAX):
                assert isinstance(await ann.take(message, 1.0), ErrorSent)
            assert not ann.outbox.ended
            await ann.take(message, 1.0)
            assert POLICY_VIOLATION == ann.outbox.ended

    asyncio.run(flood())
