"""Coach: exact advice from what a seat sees, never where the book forbids it, and what decisions have cost."""

from __future__ import annotations

import asyncio
import json
import random
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import httpx
import pytest
from msgspec.structs import replace
from pydantic import TypeAdapter

from letitride.analysis.base import price
from letitride.analysis.strategy import advise
from letitride.engine import places
from letitride.engine.places import CardObject
from letitride.engine.state import Table
from letitride.records.rounds import Moment
from letitride.rules import catalog
from letitride.rules.cards import Card
from letitride.rules.plain import encoded
from letitride.server.routes.coach import Reviewed, SeatAdvice
from letitride.server.runtime.rates import Rate, Rates
from letitride.training.coach import Decision, decision_of, expectation, reviews
from letitride.training.coach import _Key as Key
from tests.server.conftest import Server
from tests.server.guest import COOKIE, PATIENCE, Guest
from tests.server.journals import HOUSES, enter, fuzzed, opened, past_of, rules_of

COACHED = [house for house in HOUSES if catalog.rulebook(house).rules.coach]
SILENT = [house for house in HOUSES if not catalog.rulebook(house).rules.coach]


def moments(house: str) -> Iterator[Moment]:
    return past_of(fuzzed(house), "t1").moments()


def decisions(house: str) -> Iterator[tuple[Table, int, Decision]]:
    """Every decision that was due to a seat that had looked at its cards."""
    for moment in moments(house):
        for seat in moment.after.seats:
            if (decision := decision_of(moment.after, seat)) is not None:
                yield moment.after, seat, decision


def other_world(table: Table, seat: int, chance: random.Random) -> Table:
    """The same table with other cards wherever a seat cannot see them."""
    hidden = [
        (place, index)
        for place, held in sorted(table.cards.items())
        for index, card in enumerate(held)
        if not card.up and place != places.hand(seat)
    ]
    cards = {place: list(held) for place, held in table.cards.items()}
    for (place, index), (there, at) in zip(hidden, chance.sample(hidden, len(hidden)), strict=True):
        held = table.cards[place][index]
        cards[place][index] = CardObject(held.deck, held.serial, table.cards[there][at].face, held.up)
    return replace(table, cards={place: tuple(held) for place, held in cards.items()})


@pytest.mark.parametrize("house", HOUSES)
def test_advice_is_exact_for_the_cards_seen_and_the_same_in_every_world_with_them(house: str) -> None:
    chance, found, bets = random.Random(house), 0, set()
    for table, seat, decision in list(decisions(house))[:60]:
        held = [Card.parse(card) for card in (*decision.cards, *decision.community)]
        assert held[:3] == [card.face for card in table.at(places.hand(seat))]
        known = advise(table.rules.pays["base"], held)
        assert decision.value.gain == known.value
        assert (decision.best == "ride") == known.rides
        assert decision.cost(decision.best) == 0
        other = "withdraw" if decision.best == "ride" else "ride"
        assert decision.cost(other) == known.cost * decision.stake_cents
        elsewhere = decision_of(other_world(table, seat, chance), seat)
        assert elsewhere is not None
        assert encoded(elsewhere.as_data()) == encoded(decision.as_data())
        found, bets = found + 1, bets | {decision.bet}
    assert found > 10
    assert bets == {1, 2}


@pytest.mark.parametrize("house", HOUSES)
def test_advice_says_where_a_bank_may_not_cover_what_it_reckons_with(house: str) -> None:
    _, _, decision = next(decisions(house))
    limited = decision.rules.rules.payout.cap == "bank_stake"
    assert ("no more than its stake" in decision.as_data().convention) is limited


@pytest.mark.parametrize("house", HOUSES)
def test_a_seat_that_has_not_looked_gets_no_advice(house: str) -> None:
    waiting = 0
    for moment in moments(house):
        for number, seat in moment.after.seats.items():
            if not seat.looked:
                waiting += moment.after.phase == "choice_1" and bool(moment.after.at(places.hand(number)))
                hidden = any(not card.up for card in moment.after.at(places.hand(number)))
                assert not hidden or decision_of(moment.after, number) is None
    assert waiting


def players(house: str) -> list[str]:
    return sorted({seat.player for moment in moments(house) for seat in moment.after.seats.values() if seat.player})


@pytest.mark.parametrize("house", COACHED)
def test_a_review_adds_up(house: str) -> None:
    reviewed = [
        (one, name, told)
        for one in past_of(fuzzed(house, 2_000), "t1").rounds()
        for name in sorted(set(one.players.values()))
        for told in reviews(one, name)
    ]
    assert len(reviewed) > 5
    seen = 0
    for one, name, told in reviewed:
        assert name == one.players[told.seat]
        assert told.result_cents == sum(result.net_cents for result in one.results[told.seat])
        assert float(Fraction(told.expected_cents.exact)) == told.expected_cents.value
        costs = [Fraction(made.cost_cents.exact) for made in told.decisions if made.cost_cents]
        assert Fraction(told.mistakes_cents.exact) == sum(costs)
        assert all(cost >= 0 for cost in costs)
        for made in told.decisions:
            seen += made.best is not None
            if made.best == made.chosen and made.bet == 2:
                assert made.cost_cents is not None
                assert made.cost_cents.exact == "0"
    assert seen


def test_what_stakes_come_to_is_the_edge_of_each_wager() -> None:
    rules = rules_of("washington-1")
    edge = price(rules.pays["base"])
    spots = (("base-1", 500), ("base-2", 500), ("base-$", 500))
    assert expectation(Key(rules), spots, 0).mean == -edge.house_edge * 500
    with_side = expectation(Key(rules), (*spots, ("three_card", 200)), 0)
    alone = expectation(Key(rules), (("three_card", 200),), 0)
    assert with_side.mean == -edge.house_edge * 500 + alone.mean
    assert alone.mean < 0
    covered = expectation(Key(rules), (*spots, ("cover_all", 100)), 3)
    assert covered.mean < -edge.house_edge * 500
    assert covered.variance > expectation(Key(rules), spots, 0).variance > 500**2


@pytest.mark.clause("nsw:14.1")
@pytest.mark.parametrize("house", HOUSES)
def test_advice_is_given_only_where_the_book_allows_it_and_only_to_a_session(house: str) -> None:
    async def asked() -> None:
        async with opened(fuzzed(house)) as (here, client):
            for address in ("advice", "coach"):
                assert (await client.get(f"/api/tables/t1/{address}")).status_code == 401
            await enter(here, client, players(house)[0])
            for address, shape in (("advice", SeatAdvice), ("coach", Reviewed)):
                answer = await client.get(f"/api/tables/t1/{address}")
                if house in SILENT and address == "advice":  # what is over may be looked back on
                    sentence = f"expected a table whose book allows advice, got one by {catalog.rulebook(house).title}"
                    assert (answer.status_code, answer.json()) == (403, {"detail": sentence})
                else:
                    assert answer.status_code == 200, answer.text
                    TypeAdapter(shape).validate_python(answer.json())
                assert (await client.get(f"/api/tables/none/{address}")).status_code == 404

    asyncio.run(asked())


def test_some_books_allow_advice_and_some_do_not() -> None:
    assert COACHED
    assert SILENT


@pytest.mark.parametrize("house", COACHED)
def test_a_persons_rounds_are_told_in_pages_and_to_that_person_alone(house: str) -> None:
    async def pages() -> None:
        async with opened(fuzzed(house, 2_000)) as (here, client):
            names = players(house)
            await enter(here, client, names[0])
            whole = (await client.get("/api/tables/t1/coach?after=0&limit=100")).json()
            pieces, after = [], 0
            while True:
                page = (await client.get(f"/api/tables/t1/coach?after={after}&limit=3")).json()
                pieces += page["rounds"]
                if page["through"] == after:
                    break
                after = page["through"]
            assert pieces[: len(whole["rounds"])] == whole["rounds"]
            assert whole["through"] == min(after, 100)
            await enter(here, client, "Stranger")
            assert (await client.get("/api/tables/t1/coach")).json()["rounds"] == []
            assert (await client.get("/api/tables/t1/advice")).json()["sentence"] == "You do not sit at this table."

    asyncio.run(pages())


def test_no_one_keeps_all_others_from_the_past_by_looking_back_without_end() -> None:
    async def look() -> None:
        async with opened(fuzzed(COACHED[0])) as (house, client):
            house.rates = Rates(reviews_of=Rate(3, 1))
            await enter(house, client, "Ann")
            statuses = [(await client.get("/api/tables/t1/coach?limit=1")).status_code for _ in range(5)]
            assert statuses == [200, 200, 200, 429, 429]
            await enter(house, client, "Ben")
            assert (await client.get("/api/tables/t1/coach?limit=1")).status_code == 200

    asyncio.run(look())


def test_a_guest_is_advised_in_a_round_and_told_afterwards_what_their_mistake_cost(server: Server) -> None:
    guest = Guest(server.base, "hand-dealt-1")
    told: list[dict[str, Any]] = []

    async def play() -> dict[str, Any]:
        await guest.arrive()
        cookies = {COOKIE: guest.cookie}
        client = httpx.AsyncClient(base_url=server.base, cookies=cookies, timeout=PATIENCE, verify=False)
        async with client, await guest.connect() as socket:
            async for frame in socket:
                message = json.loads(frame)
                offers = message["view"]["offers"] if message["type"] == "view" else []
                looks = [one for one in offers if one["type"] == "Look"]
                choices = {one["choice"]: one for one in offers if one["type"] == "Choose"}
                if looks and not message["view"]["seats"][str(guest.seat)]["looked"]:
                    guest.view = message["view"]
                    await guest.send(socket, looks[0])
                elif choices:
                    advice = (await client.get("/api/tables/hand-dealt-1/advice")).json()
                    if (
                        advice["decision"] is not None
                        and advice["decision"]["bet"] == next(iter(choices.values()))["bet"]
                    ):
                        worst = "withdraw" if advice["decision"]["best"] == "ride" else "ride"
                        told.append(advice["decision"])
                        await guest.send(socket, choices[worst])
                else:
                    await guest.react(socket, message)
                if message["type"] == "view" and message["view"]["round"] > 1:
                    return dict((await client.get("/api/tables/hand-dealt-1/coach")).json())
        raise AssertionError("the table went away")

    reviewed = asyncio.run(asyncio.wait_for(play(), 120))
    (one,) = [each for each in reviewed["rounds"] if each["round"] == 1]
    assert [made["bet"] for made in one["decisions"]] == [1, 2]
    wrong = {decision["bet"]: decision for decision in told}
    for made in one["decisions"]:
        advised = wrong[made["bet"]]
        assert made["chosen"] != made["best"] == advised["best"]
        assert Fraction(made["cost_cents"]["exact"]) == abs(Fraction(advised["gain_cents"]["exact"]))
        assert made["cards"] == advised["cards"]
    assert one["mistakes_cents"]["value"] > 0
