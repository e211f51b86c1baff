"""Learning to deal by HTTP: drills to their end, taken up, timed by the server; an instructor who sets them."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import replace
from pathlib import Path
from threading import Event
from typing import Any, TypeVar

import httpx
import msgspec
import pytest
from fastapi import FastAPI

from letitride.chance.live import Live
from letitride.rules import catalog
from letitride.rules.catalog import ready_rules
from letitride.server.learn.progress import Change, Learning
from letitride.server.learn.sittings import Sittings, StoredDrill
from letitride.server.routes import learn_dealer
from letitride.server.runtime.rates import Rate, Rates
from letitride.storage.memory.opening import memory_stores
from letitride.training.results import KEPT, InStore, Result
from letitride.training.staff.catalogue import Sitting
from tests.server.inprocess import client, running, somebody
from tests.server.instead import Instead
from tests.training.staff_trainees import perfect

T = TypeVar("T")
DEALER = "/api/learn/dealer"
SET = "/api/learn/assignments"


def within(folder: Path, act: Callable[[FastAPI], Awaitable[T]]) -> T:
    async def inside() -> T:
        async with running(folder) as app:
            app.state.house.rates = Rates(answers_of=Rate(10_000, 10_000))
            return await act(app)

    return asyncio.run(inside())


def as_guest(folder: Path, act: Callable[[httpx.AsyncClient, FastAPI], Awaitable[T]]) -> T:
    async def inside(app: FastAPI) -> T:
        async with client(app) as one:
            assert (await one.post("/api/guest")).status_code == 200
            return await act(one, app)

    return within(folder, inside)


async def good(request: Awaitable[httpx.Response], status: int = 200) -> Any:
    answer = await request
    assert status == answer.status_code, answer.text
    return answer.json() if answer.content else None


def kept_of(app: FastAPI, person: str, drill: str) -> Sitting:
    """The drill as the store has it, played again."""
    (kept,) = (
        one for one in app.state.house.stores.documents.find("training-progress") if one.id == f"{person}/{drill}"
    )
    going_on = msgspec.json.decode(kept.body, type=StoredDrill)
    book = drill.split(":")[1]
    return Sitting(going_on.kept.plan, ready_rules(book), Live(), going_on.kept)


async def to_the_end(one: httpx.AsyncClient, app: FastAPI, path: str, drill: str, wish: dict[str, Any]) -> Any:
    """Answer a drill rightly to its end; return the result."""
    person = (await good(one.get("/api/me")))["name"]
    while True:
        state = await good(one.post(f"{path}/question", json=wish))
        same = kept_of(app, person, drill)
        assert same.question is not None
        assert same.question.text == state["question"]["text"]
        said = {"number": state["question"]["number"], "answer": perfect(same.drill, same.question)}
        marked = await good(one.post(f"{path}/answer", json=said))
        assert marked["mark"]["right"], marked
        if marked["result"] is not None:
            return marked["result"]


@pytest.mark.parametrize(
    ("house", "name", "drill"),
    [
        ("hand-dealt-1", "deal", "dealer:hand-dealt-1:deal"),
        ("washington-1", "pay", "dealer:washington-1:pay"),
        ("nsw-1", "watch", "dealer:nsw-1:watch"),
        ("california-1", "floor", "floor:california-1:floor"),
    ],
)
def test_a_perfect_trainee_ends_a_drill_with_100_percent(tmp_path: Path, house: str, name: str, drill: str) -> None:
    async def learn(one: httpx.AsyncClient, app: FastAPI) -> None:
        result = await to_the_end(one, app, f"{DEALER}/{house}/{name}", drill, {"length": 6, "level": 2})
        assert (100.0, drill) == (result["score"], result["drill"])
        assert [result] == await good(one.get("/api/learn/results"))
        assert [] == (await good(one.get(DEALER)))["going_on"]

    as_guest(tmp_path, learn)


def test_a_question_says_nothing_of_what_is_right_and_stays_open(tmp_path: Path) -> None:
    async def learn(one: httpx.AsyncClient, _: FastAPI) -> None:
        first = await good(one.post(f"{DEALER}/nsw-1/watch/question", json={"level": 3}))
        again = await good(one.post(f"{DEALER}/nsw-1/watch/question", json={}))
        assert first["question"] == again["question"]
        assert {"number", "kind", "text", "scene", "fields", "level", "seconds"} == set(first["question"])
        assert (3, 0) == (first["question"]["level"], first["summary"]["points_max"])
        cards = [card for seat in first["question"]["scene"]["seats"] for card in seat["cards"]]
        assert all(card == "[red]" or len(card) == 2 for card in cards)
        told = await good(one.get(DEALER))
        assert list(catalog.rulebook_ids()) == told["books"]
        assert [{"drill": "watch", "book": "nsw-1", "answered": 0}] == told["going_on"]

    as_guest(tmp_path, learn)


def test_the_time_an_answer_took_is_the_servers(tmp_path: Path) -> None:
    async def learn(one: httpx.AsyncClient, app: FastAPI) -> None:
        house, clock = app.state.house, {"now": 1_000_000}
        house.clock_ms = lambda: clock["now"]
        state = await good(one.post(f"{DEALER}/nsw-1/pay/question", json={}))
        wrong = {field["name"]: 1 for field in state["question"]["fields"]}  # no one is paid a cent
        clock["now"] += 5_000
        assert 5.0 == (await good(one.post(f"{DEALER}/nsw-1/pay/question", json={})))["open_seconds"]
        clock["now"] += 1_000 * state["question"]["seconds"]
        said = {"number": 1, "answer": wrong}
        mark = (await good(one.post(f"{DEALER}/nsw-1/pay/answer", json=said)))["mark"]
        assert (5.0 + state["question"]["seconds"], True) == (mark["seconds"], mark["late"])
        assert not mark["right"]
        assert mark["clauses"]
        assert len(mark["elsewhere"]) == 4
        # The next question is not open before it was looked at: no clock runs while a trainee reads.
        early = await one.post(f"{DEALER}/nsw-1/pay/answer", json={"number": 2, "answer": {}})
        assert 409 == early.status_code

    as_guest(tmp_path, learn)


def test_a_drill_goes_on_at_another_server_of_the_house(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def learn(one: httpx.AsyncClient, app: FastAPI) -> None:
        path, drill = f"{DEALER}/shufflemaster-1/watch", "dealer:shufflemaster-1:watch"
        person = (await good(one.get("/api/me")))["name"]
        for _ in range(4):
            state = await good(one.post(f"{path}/question", json={"length": 30}))
            same = kept_of(app, person, drill)
            assert same.question is not None
            said = {"number": state["question"]["number"], "answer": perfect(same.drill, same.question)}
            await good(one.post(f"{path}/answer", json=said))
        here = await good(one.post(f"{path}/question", json={}))
        monkeypatch.setattr(learn_dealer, "_SITTINGS", Sittings())  # one that has nothing at hand
        there = await good(one.post(f"{path}/question", json={}))
        assert (here["question"], here["summary"]) == (there["question"], there["summary"])
        assert (4, 100.0) == (there["summary"]["questions"], there["summary"]["score"])

    as_guest(tmp_path, learn)


def test_answers_on_two_pages_count_once(tmp_path: Path) -> None:
    async def learn(one: httpx.AsyncClient, _: FastAPI) -> None:
        await good(one.post(f"{DEALER}/nsw-1/deal/question", json={}))
        said = {"number": 1, "answer": {"step": "a"}}
        both = await asyncio.gather(*(one.post(f"{DEALER}/nsw-1/deal/answer", json=said) for _ in range(4)))
        assert [200, 409, 409, 409] == sorted(answer.status_code for answer in both)

    as_guest(tmp_path, learn)


def test_what_can_no_longer_be_played_again_is_begun_anew(tmp_path: Path) -> None:
    async def learn(one: httpx.AsyncClient, app: FastAPI) -> None:
        await good(one.post(f"{DEALER}/nsw-1/deal/question", json={}))
        store = app.state.house.stores
        (kept,) = store.documents.find("training-progress")
        broken = kept.body.replace(b'"drawn":[', b'"drawn":[999999,')
        await app.state.house.committer.run(
            lambda: store.documents.put("training-progress", kept.id, broken, kept.version)
        )
        late = await one.post(f"{DEALER}/nsw-1/deal/answer", json={"number": 1, "answer": {"step": "a"}})
        assert 409 == late.status_code
        assert 1 == (await good(one.post(f"{DEALER}/nsw-1/deal/question", json={})))["question"]["number"]

    as_guest(tmp_path, learn)


BAD_REQUESTS: list[tuple[str, dict[str, Any], int, str]] = [
    ("nsw-1/deal/answer", {"number": 1, "answer": {"step": "zz"}}, 422, "expected one of a, b, c for step"),
    ("nsw-1/deal/answer", {"number": 1, "answer": {}}, 422, "expected an answer to step, got one to nothing"),
    ("nsw-1/deal/answer", {"number": 7, "answer": {"step": "a"}}, 409, "expected an answer to question 1"),
    ("nsw-1/pay/answer", {"number": 1, "answer": {"a": 1}}, 409, "no question is open"),
    ("nsw-1/sing/question", {}, 422, "expected a request as /api/docs describes it"),
    ("..%2Fnsw-1/deal/question", {}, 404, ""),
    ("nobody-1/deal/question", {}, 404, "expected the id of a published rule book, got 'nobody-1'"),
    ("nsw-1/deal/question", {"level": 9}, 422, "expected a request as /api/docs describes it"),
    ("nsw-1/deal/question", {"assignment": "ab"}, 404, "expected one of your assignments, got 'ab'"),
]


def test_bad_input_is_refused_in_a_sentence(tmp_path: Path) -> None:
    async def learn(one: httpx.AsyncClient, _: FastAPI) -> None:
        first = await good(one.post(f"{DEALER}/nsw-1/deal/question", json={}))
        for path, body, status, sentence in BAD_REQUESTS:
            found = await one.post(f"{DEALER}/{path}", json=body)
            assert status == found.status_code, found.text
            assert sentence in found.json()["detail"]
        assert first["question"] == (await good(one.post(f"{DEALER}/nsw-1/deal/question", json={})))["question"]

    as_guest(tmp_path, learn)


def test_a_stranger_learns_nothing(tmp_path: Path) -> None:
    async def ask(app: FastAPI) -> None:
        async with client(app) as one:
            assert 4 == len((await good(one.get(DEALER)))["drills"])
            assert 401 == (await one.post(f"{DEALER}/nsw-1/deal/question", json={})).status_code
            assert 401 == (await one.get(f"{SET}/mine")).status_code

    within(tmp_path, ask)


def test_an_instructor_sets_drills_and_sees_what_came_of_them(tmp_path: Path) -> None:
    async def teach(app: FastAPI) -> None:
        async with somebody(app, "Boss", "casino_supervisor") as boss, somebody(app, "Dora", "dealer") as dora:
            wish = {"person": "dora", "drill": "dealer:nsw-1:deal", "level": 2, "length": 4, "note": "by Friday"}
            made = await good(boss.post(SET, json=wish), 201)
            assert ("Dora", "Boss", 0, None) == (made["person"], made["by"], made["attempts"], made["best_score"])
            assert [made] == await good(dora.get(f"{SET}/mine"))
            path = f"{DEALER}/nsw-1/deal"
            # What Dora does on her own is no answer to it.
            await to_the_end(dora, app, path, "dealer:nsw-1:deal", {"length": 2})
            assert 0 == (await good(dora.get(f"{SET}/mine")))[0]["attempts"]
            result = await to_the_end(dora, app, path, "dealer:nsw-1:deal", {"assignment": made["id"]})
            assert (made["id"], 4, 2) == (
                result["details"]["assignment"],
                result["details"]["questions"],
                result["details"]["level_at_start"],
            )
            (seen,) = await good(boss.get(SET, params={"person": "Dora"}))
            assert (1, 100.0, False) == (seen["attempts"], seen["best_score"], seen["late"])
            assert 2 == len(await good(boss.get(f"{SET}/results", params={"person": "Dora"})))
            await good(boss.delete(f"{SET}/{made['id']}"), 204)
            assert [] == await good(dora.get(f"{SET}/mine"))
            assert 2 == len(await good(boss.get(f"{SET}/results")))
        rows = [row for row in app.state.house.stores.audit.rows() if "assign" in row.what]
        assert [("Boss", "assign a drill"), ("Boss", "take an assignment back")] == [(r.who, r.what) for r in rows]

    within(tmp_path, teach)


def test_an_assignment_that_is_due_and_not_done_is_late(tmp_path: Path) -> None:
    async def teach(app: FastAPI) -> None:
        async with somebody(app, "Boss", "administrator") as boss, somebody(app, "Dora", "dealer"):
            now = app.state.house.clock_ms()
            for due, late in ((now - 1_000, True), (now + 10**9, False), (0, False)):
                wish = {"person": "Dora", "drill": "player:LIRX-01:exam", "due_ms": due}
                assert late == (await good(boss.post(SET, json=wish), 201))["late"]

    within(tmp_path, teach)


BAD_WISHES: list[tuple[dict[str, Any], int, str]] = [
    ({"person": "Nobody", "drill": "dealer:nsw-1:deal"}, 404, "expected the name of an account"),
    ({"person": "Dora", "drill": "dealer:nsw-1:floor"}, 422, "expected a drill such as dealer:BOOK:watch"),
    ({"person": "Dora", "drill": "dealer:../x.toml:deal"}, 422, "expected a drill such as"),
    ({"person": "Dora", "drill": "player:COVER-ALL"}, 422, "expected a drill such as"),
    ({"person": "Dora", "drill": "floor:nsw-1:floor", "level": 0}, 422, "expected a request as /api/docs"),
    ({"person": "Dora", "drill": "floor:nsw-1:floor", "note": "a\nb"}, 422, "expected a request as /api/docs"),
]


def test_an_assignment_that_cannot_be_is_refused(tmp_path: Path) -> None:
    async def teach(app: FastAPI) -> None:
        async with somebody(app, "Boss", "casino_supervisor") as boss, somebody(app, "Dora", "dealer"):
            for wish, status, sentence in BAD_WISHES:
                found = await boss.post(SET, json=wish)
                assert status == found.status_code, found.text
                assert sentence in found.json()["detail"]
            assert [] == await good(boss.get(SET))

    within(tmp_path, teach)


def test_only_an_instructor_sets_drills_and_sees_others_results(tmp_path: Path) -> None:
    async def ask(app: FastAPI) -> None:
        async with somebody(app, "Dora", "dealer") as dora, somebody(app, "Flo", "floor") as flo:
            for one in (dora, flo):
                wish = {"person": "Dora", "drill": "dealer:nsw-1:deal"}
                assert 403 == (await one.post(SET, json=wish)).status_code
                assert 403 == (await one.get(SET)).status_code
                assert 403 == (await one.get(f"{SET}/results")).status_code
                assert 403 == (await one.delete(f"{SET}/0011")).status_code

    within(tmp_path, ask)


def test_a_store_keeps_the_last_thousand_results_of_a_person_and_all_of_others() -> None:
    """A drill may be one question long: repeating it for a day must not fill the store for ever."""
    store = memory_stores()
    keeper = InStore(store.documents)

    def result(person: str, number: int) -> Result:
        return Result(
            person=person, drill="dealer:nsw-1:deal", asked=1, right=1, score=100.0, details={}, finished_ms=number
        )

    keeper.add_result(result("Ann", 1))
    for number in range(KEPT + 3):
        keeper.add_result(result("Anna", number))
    assert [one.finished_ms for one in keeper.results("Anna")] == list(range(3, KEPT + 3))
    assert [one.finished_ms for one in keeper.results("Ann")] == [1]


def test_a_drill_that_ends_at_two_servers_at_once_has_one_result(tmp_path: Path) -> None:
    """Each server writes for itself: the one that deletes what both have read has ended it."""

    class Two(Instead):
        """Documents where another server is as far as this one when this one deletes."""

        other: Callable[[], None] = staticmethod(lambda: None)

        def delete(self, kind: str, doc_id: str, version: int) -> bool:
            now, self.other = self.other, lambda: None
            now()
            done: bool = self.real.delete(kind, doc_id, version)
            return done

    real, name = memory_stores(), "dealer:nsw-1:pay"
    documents = Two(real.documents)
    store = replace(real, documents=documents)
    last = Result(person="Ann", drill=name, asked=1, right=1, score=100.0, details={}, finished_ms=1)

    async def end(app: FastAPI) -> None:
        learning = Learning(store.documents, app.state.house.committer)
        store.documents.put("training-progress", f"Ann/{name}", b"1", 0)

        def ended_elsewhere() -> None:
            assert InStore(store.documents).end_progress("Ann", name, 1)
            InStore(store.documents).add_result(last)

        documents.other = ended_elsewhere

        def act(body: bytes | None) -> Change[bool]:
            return Change(body is not None, None, last if body else None)

        assert not await learning.change("Ann", name, act)
        assert len(InStore(store.documents).results("Ann")) == 1

    within(tmp_path, end)


def test_drills_that_take_long_keep_no_one_else_waiting(tmp_path: Path) -> None:
    """A drill is taken up again by playing it anew: so many at once would take every thread that answers others."""

    async def ask(app: FastAPI) -> None:
        stop = Event()
        learning = Learning(app.state.house.stores.documents, app.state.house.committer)

        def long(_: bytes | None) -> Change[None]:
            stop.wait(300)
            return Change(None, None)

        many = [asyncio.create_task(learning.change(f"P{n}", "dealer:nsw-1:pay", long)) for n in range(40)]
        try:
            async with asyncio.timeout(120), client(app) as one:
                assert (await one.get("/api/learn/player/LIRX-01/lookup?cards=Ts Js Qs")).status_code == 200
        finally:
            stop.set()
            await asyncio.gather(*many)

    within(tmp_path, ask)
