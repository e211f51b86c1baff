"""Learning to play by HTTP: a drill, an exam and a look-up, as a guest, over days and on two pages at once."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any, TypeVar

import httpx
import pytest
from fastapi import FastAPI

from letitride.rules import catalog
from letitride.rules.cards import parse_cards
from letitride.server.runtime.rates import Rate, Rates
from letitride.training.player import lesson_of, look_up
from letitride.training.results import InStore, Result, score_of
from tests.server.inprocess import client, running
from tests.training.learners import always_rides, lost_per_hundred

T = TypeVar("T")
DRILL = "/api/learn/player/LIRX-01"


def as_guest(folder: Path, act: Callable[[httpx.AsyncClient, FastAPI], Awaitable[T]]) -> T:
    async def within() -> T:
        async with running(folder) as app, client(app) as one:
            app.state.house.rates = Rates(answers_of=Rate(10_000, 10_000))
            assert (await one.post("/api/guest")).status_code == 200
            return await act(one, app)

    return asyncio.run(within())


async def good(request: Awaitable[httpx.Response]) -> Any:
    answer = await request
    assert 200 == answer.status_code, answer.text
    return answer.json()


def best(cards: list[str]) -> str:
    return look_up(lesson_of(catalog.paytable("LIRX-01")), parse_cards(" ".join(cards))).best[0]


def test_a_guest_drills_a_set_to_its_end_and_is_told_the_exact_values(tmp_path: Path) -> None:
    async def learn(one: httpx.AsyncClient, _: FastAPI) -> None:
        question = await good(one.post(f"{DRILL}/question"))
        assert question == await good(one.post(f"{DRILL}/question")), "an open question stays"
        assert {"number", "place", "of", "bet", "cards"} == set(question), "nothing in it says what is right"
        for place in range(1, 21):
            assert (place, 20) == (question["place"], question["of"])
            wrong = place == 7
            right = best(question["cards"])
            choice = ("withdraw" if right == "ride" else "ride") if wrong else right
            said = {"number": question["number"], "choice": choice, "seconds": 3.5}
            told = await good(one.post(f"{DRILL}/answer", json=said))
            advice = told["judged"]["advice"]
            assert told["judged"]["right"] == (not wrong or len(advice["best"]) == 2)
            exact = look_up(lesson_of(catalog.paytable("LIRX-01")), parse_cards(" ".join(question["cards"])))
            assert str(exact.found.value) == advice["value"]["ride"]["exact"]
            assert str(exact.cost_per_hundred) == advice["cost_per_hundred_rounds"]["exact"]
            assert (told["result"] is None) == (place < 20)
            question = told["question"]
        assert 1 == question["place"]
        assert 20 == told["standing"]["asked"]
        (kept,) = await good(one.get("/api/learn/results"))
        assert kept == told["result"]
        assert ("player:LIRX-01", 20) == (kept["drill"], kept["asked"])

    as_guest(tmp_path, learn)


def test_one_who_always_rides_passes_no_exam_and_is_told_the_exact_cost(tmp_path: Path) -> None:
    async def learn(one: httpx.AsyncClient, _: FastAPI) -> None:
        told = await good(one.post(f"{DRILL}/exam"))
        assert (0, 200, None) == (told["answered"], told["of"], told["report"])
        while (question := told["question"]) is not None:
            choice = always_rides(parse_cards(" ".join(question["cards"])))
            told = await good(one.post(f"{DRILL}/exam/answer", json={"number": question["number"], "choice": choice}))
            if told["answered"] == 100:
                assert 100 == (await good(one.get(DRILL)))["exam_answered"]
                assert told == await good(one.post(f"{DRILL}/exam")), "it goes on where it was"
        lost = lost_per_hundred(catalog.paytable("LIRX-01").pays["base"], bets=3)
        assert str(lost) == told["report"]["lost_per_hundred_rounds"]["exact"]
        assert not told["report"]["passed"]
        (kept,) = await good(one.get("/api/learn/results?drill=player:LIRX-01:exam"))
        assert told["report"] == kept["details"]
        assert (await good(one.get(DRILL)))["exam_answered"] is None
        assert [] == await good(one.get("/api/learn/results?drill=dealer"))

    as_guest(tmp_path, learn)


def test_a_lesson_tells_its_rules_and_every_kind_of_decision(tmp_path: Path) -> None:
    async def learn(one: httpx.AsyncClient, app: FastAPI) -> None:
        listed = await good(one.get("/api/learn/player"))
        tables = map(catalog.paytable, catalog.paytable_ids())
        assert [table.id for table in tables if "base" in table.pays] == [told["paytable"] for told in listed]
        assert 0 == listed[0]["standing"]["asked"]
        told = await good(one.get(DRILL))
        assert 3 == len(told["rules"]["2"])
        assert {1: 33, 2: 33} == Counter(kind["bet"] for kind in told["kinds"])
        assert {"new": 66} == Counter(kind["state"] for kind in told["kinds"])
        assert 2 == sum(len(kind["best"]) == 2 for kind in told["kinds"])
        async with client(app) as stranger:
            assert (await good(stranger.get(DRILL)))["standing"] is None
            assert (await good(stranger.get("/api/learn/player")))[0]["standing"] is None
            assert 401 == (await stranger.post(f"{DRILL}/question")).status_code
        question = await good(one.post(f"{DRILL}/question"))
        await good(one.post(f"{DRILL}/answer", json={"number": question["number"], "choice": "ride"}))
        after = await good(one.get(DRILL))
        assert {"new": 65, "learning": 1} == Counter(kind["state"] for kind in after["kinds"])
        assert 204 == (await one.delete(DRILL)).status_code
        assert 0 == (await good(one.get(DRILL)))["standing"]["asked"]

    as_guest(tmp_path, learn)


def test_a_look_up_needs_no_session(tmp_path: Path) -> None:
    async def learn(_: httpx.AsyncClient, app: FastAPI) -> None:
        async with client(app) as stranger:
            told = await good(stranger.get(f"{DRILL}/lookup", params={"cards": "Ts Js Qs"}))
            assert (["ride"], "31/21") == (told["best"], told["value"]["ride"]["exact"])

    as_guest(tmp_path, learn)


def test_of_two_pages_that_answer_at_once_one_is_told_to_look_again(tmp_path: Path) -> None:
    async def learn(one: httpx.AsyncClient, _: FastAPI) -> None:
        question = await good(one.post(f"{DRILL}/question"))
        said = {"number": question["number"], "choice": "ride"}
        answers = await asyncio.gather(*(one.post(f"{DRILL}/answer", json=said) for _ in range(4)))
        assert {200: 1, 409: 3} == Counter(answer.status_code for answer in answers)
        refused = next(answer for answer in answers if answer.status_code == 409).json()["detail"]
        assert f"expected an answer to question 2, got one to question {question['number']}" == refused
        assert 1 == (await good(one.get(DRILL)))["standing"]["asked"]

    as_guest(tmp_path, learn)


def test_progress_is_ones_own_and_outlives_the_server(tmp_path: Path) -> None:
    async def first(one: httpx.AsyncClient, _: FastAPI) -> tuple[Any, dict[str, str]]:
        return await good(one.post(f"{DRILL}/question")), dict(one.cookies)

    question, cookies = as_guest(tmp_path, first)

    async def later(other: httpx.AsyncClient, app: FastAPI) -> None:
        async with client(app) as one:
            one.cookies.update(cookies)
            assert question == await good(one.post(f"{DRILL}/question"))
        answers = [await other.post(f"{DRILL}/answer", json={"number": 1, "choice": "ride"})]
        assert [409] == [answer.status_code for answer in answers], "another guest has no question open"

    as_guest(tmp_path, later)


@pytest.mark.parametrize(
    ("asked", "body", "status", "sentence"),
    [
        ("GET /api/learn/player/nothing", None, 404, "expected the id of a published paytable, got 'nothing'"),
        ("GET /api/learn/player/3CB-1", None, 404, "expected a paytable that prices the base wager"),
        (f"GET {DRILL}/lookup?cards=Ts", None, 422, "expected three cards, or four with the first community card"),
        (f"GET {DRILL}/lookup?cards=zz", None, 422, "expected a card like 'Th', got 'zz'"),
        (
            f"POST {DRILL}/answer",
            {"number": 1, "choice": "ride"},
            409,
            "expected no answer, since no question is open",
        ),
        (f"POST {DRILL}/answer", {"number": 1, "choice": "fold"}, 422, "body.choice"),
        (f"POST {DRILL}/answer", {"number": 1, "choice": "ride", "seconds": -1}, 422, "body.seconds"),
        (f"POST {DRILL}/exam/answer", {"number": 1, "choice": "ride"}, 409, "expected no answer, since no question"),
    ],
)
def test_bad_input_is_refused_in_a_sentence(tmp_path: Path, asked: str, body: Any, status: int, sentence: str) -> None:
    async def learn(one: httpx.AsyncClient, _: FastAPI) -> None:
        answer = await one.request(*asked.split(" ", 1), json=body)
        assert status == answer.status_code
        assert sentence in answer.json()["detail"]

    as_guest(tmp_path, learn)


def test_an_exam_can_be_given_up_and_answers_have_a_rate(tmp_path: Path) -> None:
    async def learn(one: httpx.AsyncClient, app: FastAPI) -> None:
        first = await good(one.post(f"{DRILL}/exam"))
        await good(one.post(f"{DRILL}/exam/answer", json={"number": 1, "choice": "ride"}))
        assert 204 == (await one.delete(f"{DRILL}/exam")).status_code
        again = await good(one.post(f"{DRILL}/exam"))
        assert 0 == again["answered"]
        assert first != again
        app.state.house.rates = Rates(answers_of=Rate(1, 1))
        told = [(await one.post(f"{DRILL}/exam")).status_code for _ in range(2)]
        assert 429 in told

    as_guest(tmp_path, learn)


def test_results_are_kept_side_by_side_and_found_by_person_and_drill(tmp_path: Path) -> None:
    async def keep(_: httpx.AsyncClient, app: FastAPI) -> None:
        keeper = InStore(app.state.house.stores.documents)

        def result(person: str, drill: str, finished_ms: int = 5) -> Result:
            score = score_of(1, 2)
            return Result(
                person=person, drill=drill, asked=2, right=1, score=score, details={}, finished_ms=finished_ms
            )

        def fill() -> None:
            for one in (result("Ann", "player:A"), result("Ann", "player:A"), result("Ann", "player:AB", 1)):
                keeper.add_result(one)
            keeper.add_result(result("Anna", "player:A:exam"))

        await app.state.house.committer.run(fill)
        assert ["player:AB", "player:A", "player:A"] == [one.drill for one in keeper.results("Ann")]
        assert ["Ann", "Ann", "Anna"] == sorted(one.person for one in keeper.results(drill="player:A"))
        assert 50.0 == keeper.results("Anna")[0].score

    as_guest(tmp_path, keep)
