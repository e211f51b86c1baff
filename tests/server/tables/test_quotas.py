"""Quotas: what one player can put into a table's journal is bounded, by rows and by words, however many connections."""

from __future__ import annotations

import asyncio
import json
import random
from collections import Counter
from itertools import count
from typing import Any

import msgspec

from letitride.engine import commands
from letitride.engine.events import TableOpened
from letitride.engine.evolve import new_table
from letitride.engine.refusal import WORDS_MAX
from letitride.rules import catalog
from letitride.server.net.sockets import DEAF_MAX, POLICY_VIOLATION, Viewer
from letitride.server.people.accounts import Person
from letitride.server.runtime.budgets import Budgets
from letitride.server.runtime.rates import Rate, Rates
from letitride.server.tables.house import House
from letitride.server.tables.messages import ErrorSent
from letitride.server.tables.quotas import OWED_MAX, TOO_MUCH, Quotas
from letitride.server.tables.room import Room
from letitride.storage.codec import decode
from tests.server.staffed import PATIENT, QUICK, Visitor, asked, base, betting, open_house, seated, until

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
            assert (await ben.ask("AskAdvice", seat=4))["accepted"]  # it is no one else's
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


def hostile(chance: random.Random, seat: int) -> tuple[str, dict[str, Any]]:
    """Return any command a player could send, as often as not one that there is always room for."""
    owed: list[tuple[str, dict[str, Any]]] = [
        *(("Choose", {"bet": bet, "choice": choice}) for bet in (1, 2) for choice in ("ride", "withdraw")),
        *((name, {}) for name in ("Look", "Tuck", "Fold", "RefuseCorrection", "LookOver", "DeclineBank", "Leave")),
        *(("SitOut", {"out": out}) for out in (True, False)),
        ("PlaceWagers", {"wagers": {}}),
        ("Claim", {"shown": True}),
        ("Correct", {"cents": 500}),
    ]
    others: list[tuple[str, dict[str, Any]]] = [
        ("PlaceWagers", {"wagers": base()}),
        ("Sit", {"player": "", "cents": 1_000}),
        ("BuyChips", {"cents": 500}),
        ("AskAdvice", {"wanted": chance.random() < 0.5}),
        ("Advise", {"words": "let it ride"}),
        ("RaiseDispute", {"about": "the pays"}),
        ("Report", {"kind": "fouled"}),
        ("TakeBank", {"cents": 5_000}),
    ]
    name, fields = chance.choice(owed if chance.random() < 0.5 else others)
    return name, {"seat": seat, **fields}


def rows_by_round(house: House, book: str, by: str) -> Counter[int]:
    """How many rows someone has in each round of a journal."""
    rows, round_ = Counter[int](), 0
    for row in house.stores.journal.rows(book, 0):
        rows[round_] += row.by == by
        round_ = max(round_, *(getattr(event, "round", 0) for event in decode(row.events)))
    return rows


def test_players_who_take_turns_at_a_seat_have_no_more_rows_together() -> None:
    async def attack() -> None:
        async with open_house(BOOK, pace=PATIENT) as house:
            stopped(house)
            room = house.room(BOOK)
            refused = 0
            for number in range(8):  # none of them alone is near the bound
                guest = (
                    await seated(house, room, 3, f"Guest-{number}") if not refused else Visitor(room, f"Guest-{number}")
                )
                for said in ({"out": True}, {"out": False}) * 12:
                    refused += not (await guest.ask("SitOut", seat=3, **said)).get("accepted", True)
                await guest.ask("Leave", seat=3)
            assert refused
            assert ROWS_MAX < max(rows_by_round(house, BOOK, "seat:3").values()) <= ROWS_MAX + OWED_MAX

    asyncio.run(attack())


def test_what_there_is_always_room_for_has_a_bound_as_well() -> None:
    table = new_table(TableOpened(rules=catalog.ready_rules(BOOK, {})))
    quotas = Quotas(lambda: 0, Budgets)
    words = commands.AskAdvice(seat=3, wanted=True, by="seat:3")
    assert [None] * ROWS_MAX == [quotas.entry(f"Guest-{number}", words)(table) for number in range(ROWS_MAX)]
    assert TOO_MUCH == quotas.entry("Ann", words)(table)
    leave = commands.Leave(seat=3, by="seat:3")
    answers = [quotas.entry(f"Guest-{number}", leave)(table) for number in range(2 * OWED_MAX)]
    assert [None] * OWED_MAX + [TOO_MUCH] * OWED_MAX == answers
    assert quotas.entry("Ben", commands.Leave(seat=4, by="seat:4"))(table) is None  # it is no one else's


def test_whatever_is_sent_at_random_a_seat_stays_within_its_bound() -> None:
    async def attack() -> None:
        async with open_house(BOOK, pace=PATIENT) as house:
            stopped(house)
            house.budgets = msgspec.structs.replace(house.budgets, rows_max=20)
            room = house.room(BOOK)
            people = [await seated(house, room, 3, "Ann"), await seated(house, room, 4, "Ben"), Visitor(room, "Cleo")]
            chance = random.Random("quotas")
            for _ in range(500):
                name, fields = hostile(chance, chance.choice((3, 3, 3, 4)))
                await people[chance.randrange(3)].ask(name, **fields)
            rows = rows_by_round(house, BOOK, "seat:3")
            assert 15 < max(rows.values()) <= 20 + OWED_MAX

    asyncio.run(attack())


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


def test_one_who_goes_on_after_many_refusals_is_disconnected() -> None:
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
