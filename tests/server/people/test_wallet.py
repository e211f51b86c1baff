"""Wallets: each reference moves money once, play chips come back, and an operator's cashier takes the place of ours."""

from __future__ import annotations

import asyncio
from typing import Any, cast

import httpx
import pytest

from letitride.errors import InvalidData
from letitride.server.ops.settings import Settings
from letitride.server.people.accounts import PLAY_CENTS
from letitride.server.people.wallet import Wallets
from letitride.server.running import make_house
from letitride.server.runtime.write_batching import Committer
from letitride.storage.memory.opening import memory_stores
from letitride.storage.roles.wallets import Moved as StoreMoved
from tests.server.cashiers import Bank
from tests.server.inside import HOUR_MS, MINUTE_MS, PASSWORD, Inside, inside
from tests.server.instead import Instead


async def cash(client: httpx.AsyncClient, name: str, what: str, cents: Any, reference: str) -> httpx.Response:
    body = {"cents": cents, "reference": reference, "why": "at the desk"}
    return await client.post(f"/api/wallets/{name}/{what}", json=body)


def test_a_reference_moves_money_once_and_is_on_record() -> None:
    async def check() -> None:
        async with inside() as here:
            boss, _ = await here.account("Boss", "administrator")
            client, _ = await here.account("Ann")
            await here.account("Zoe")
            many = await asyncio.gather(*(cash(boss, "ann", "deposit", 5_000, "slip-1") for _ in range(5)))
            assert [200] * 5 == [one.status_code for one in many]
            assert 1 == len({one.text for one in many})
            assert 422 == (await cash(boss, "Ann", "deposit", 5_001, "slip-1")).status_code
            assert 422 == (await cash(boss, "Ann", "withdraw", 5_000, "slip-1")).status_code
            assert 422 == (await cash(boss, "Zoe", "deposit", 5_000, "slip-1")).status_code
            assert 200 == (await cash(boss, "Ann", "withdraw", 2_000, "slip-2")).status_code
            assert 422 == (await cash(boss, "Ann", "withdraw", 3_001, "slip-3")).status_code
            found = (await client.get("/api/me/wallet")).json()
            assert (3_000, None) == (found["cents"], found["outside_cents"])
            assert [("withdrawal", 2_000, 3_000), ("deposit", 5_000, 5_000)] == [
                (one["kind"], one["cents"], one["balance_cents"]) for one in found["movements"]
            ]
            assert [("Boss", "fund Ann 5000"), ("Boss", "withdraw Ann 2000")] == here.audited()
            assert 0 == here.house.stores.wallets.total()

    asyncio.run(check())


async def drilled(client: httpx.AsyncClient, answers: int) -> None:
    """Answer some questions of a drill, rightly or wrongly; twenty are a set."""
    drill = "/api/learn/player/LIRX-01"
    question = (await client.post(f"{drill}/question")).json()
    for _ in range(answers):
        said = {"number": question["number"], "choice": "ride", "seconds": 1}
        told = await client.post(f"{drill}/answer", json=said)
        assert 200 == told.status_code, told.text
        question = told.json()["question"]


@pytest.mark.parametrize(
    ("name", "cents", "reference", "status"),
    [
        ("Nobody", 100, "a", 404),
        ("Ann", 0, "a", 422),
        ("Ann", -5, "a", 422),
        ("Ann", 1.5, "a", 422),
        ("Ann", 10**20, "a", 422),
        ("Ann", 100, "", 422),
        ("Ann", 100, "two words", 422),
    ],
)
def test_what_is_no_amount_moves_nothing(name: str, cents: Any, reference: str, status: int) -> None:
    async def check() -> None:
        async with inside() as here:
            boss, _ = await here.account("Boss", "administrator")
            client, _ = await here.account("Ann")
            assert status == (await cash(boss, name, "deposit", cents, reference)).status_code
            assert 403 == (await cash(client, "Ann", "deposit", 100, "b")).status_code
            assert 401 == (await cash(here.client(), "Ann", "deposit", 100, "b")).status_code
            assert {} == here.house.stores.wallets.balances(None)

    asyncio.run(check())


def test_play_chips_come_back_up_to_the_beginning_and_not_while_they_are_at_a_table() -> None:
    async def check() -> None:
        async with inside("t1") as here:
            client, person = await here.guest()
            assert 422 == (await client.post("/api/me/chips")).status_code
            assert (await here.sit(person, "t1", 40_000))["accepted"]
            assert 422 == (await client.post("/api/me/chips")).status_code
            gone = here.house.stores.wallets.withdraw(person.name, 60_000, "lost", at=1, who="house")
            assert isinstance(gone, StoreMoved)
            here.now_ms += HOUR_MS
            assert 60_000 == (await client.get("/api/me/wallet")).json()["top_up_cents"]
            both = await asyncio.gather(client.post("/api/me/chips"), client.post("/api/me/chips"))
            assert [200, 422] == sorted(one.status_code for one in both)
            assert [422, 429] == [(await client.post("/api/me/chips")).status_code for _ in range(2)]
            assert 60_000 == here.house.stores.wallets.balance(person.name)
            told = (await client.get("/api/me/wallet")).json()
            assert 0 == told["top_up_cents"]
            visits = told["visits"]
            assert [("t1", 40_000, 0, 0)] == [
                (one["table"], one["bought_cents"], one["back_cents"], one["until_ms"]) for one in visits
            ]
            assert (await here.leave(person))["accepted"]
            here.now_ms += HOUR_MS
            assert 422 == (await client.post("/api/me/chips")).status_code
            assert PLAY_CENTS == here.house.stores.wallets.balance(person.name)

    asyncio.run(check())


def test_a_guest_who_makes_an_account_brings_chips_limits_and_lessons_along() -> None:
    async def check() -> None:
        async with inside("t1") as here:
            client, person = await here.guest()
            store = here.house.stores
            assert (await here.sit(person, "t1", 40_000))["accepted"]
            login = {"name": "Ann", "password": PASSWORD}
            assert isinstance(store.wallets.fund(person.name, 25_000, "won", at=1, who="house"), StoreMoved)
            assert 200 == (await client.patch("/api/me/limits", json={"loss_day_cents": 7_000})).status_code
            await drilled(client, 21)
            lessons = ("/api/learn/player", "/api/learn/results")
            before = [(await client.get(lesson)).json() for lesson in lessons]
            for wrong in ({"name": "Dealer"}, {"password": "password1234"}):
                assert 422 == (await client.post("/api/accounts", json={**login, **wrong})).status_code
            assert PLAY_CENTS + 25_000 - 40_000 == store.wallets.balance(person.name)

            assert here.house.room("t1").seat_of(person.name)  # until there is an account
            assert 201 == (await client.post("/api/accounts", json=login)).status_code
            assert not here.house.room("t1").seat_of(person.name)
            assert (0, PLAY_CENTS + 25_000) == (store.wallets.balance(person.name), store.wallets.balance("Ann"))
            assert 201 == (await client.post("/api/accounts", json={**login, "name": "Eve"})).status_code
            assert (0, 0) == (store.wallets.balance("Eve"), store.wallets.total())
            assert 200 == (await client.post("/api/login", json=login)).status_code
            after = [(await client.get(lesson)).json() for lesson in lessons]
            assert [before[0], [{**before[1][0], "person": "Ann"}]] == after
            assert 21 == max(one["standing"]["asked"] for one in before[0] if one["standing"])
            assert [20] == [one["asked"] for one in before[1]]
            assert 7_000 == (await client.get("/api/me/limits")).json()["own"]["loss_day_cents"]
            visits = (await client.get("/api/me/wallet")).json()["visits"]
            assert [("t1", 40_000, 40_000)] == [
                (one["table"], one["bought_cents"], one["back_cents"]) for one in visits
            ]
            (moved,) = (await client.get("/api/me/wallet")).json()["movements"]
            assert ("brought along", PLAY_CENTS + 25_000) == (moved["kind"], moved["cents"])
            assert moved["cents"] == moved["balance_cents"]

    asyncio.run(check())


def test_two_servers_that_are_asked_at_once_give_chips_once() -> None:
    async def check() -> None:
        async with inside() as here:
            client, person = await here.account("Ann")
            store, house = here.house.stores, here.house
            loop = asyncio.get_running_loop()

            class Between(Instead):
                """Wallets that let the other server pay just after this one has looked."""

                def balance(self, wallet: str) -> int:
                    held: int = self.real.balance(wallet)
                    if not held:
                        here.now_ms += 1
                        asyncio.run_coroutine_threadsafe(house.wallets.top_up(person), loop).result(60)
                    return held

            committer = Committer(store.journal)
            second = Wallets(
                Between(store.wallets),
                store.journal,
                store.documents,
                committer=committer,
                clock_ms=house.clock_ms,
                people=house.people,
                limits=house.limits,
            )
            assert PLAY_CENTS == (await second.top_up(person)).cents
            committer.close()
            assert PLAY_CENTS == store.wallets.balance("Ann")
            assert 1 == len((await client.get("/api/me/wallet")).json()["movements"])

    asyncio.run(check())


def test_an_account_gets_play_chips_where_there_is_no_other_money() -> None:
    async def check() -> None:
        async with inside() as here:
            client, _ = await here.account("Ann")
            assert PLAY_CENTS == (await client.post("/api/me/chips")).json()["cents"]

    asyncio.run(check())


async def with_bank(here: Inside) -> tuple[httpx.AsyncClient, httpx.AsyncClient, Bank]:
    here.house.wallets.use_cashier("tests.server.cashiers:Bank")
    boss, _ = await here.account("Boss", "administrator")
    client, _ = await here.account("Ann")
    return boss, client, cast("Bank", here.house.wallets.cashier)


def test_an_operators_cashier_takes_the_place_of_ours() -> None:
    async def check() -> None:
        async with inside() as here:
            boss, client, bank = await with_bank(here)
            assert 200 == (await cash(boss, "Ann", "deposit", 30_000, "d1")).status_code
            assert 20_000 == (await client.get("/api/me/wallet")).json()["outside_cents"]
            refused = await cash(boss, "Ann", "deposit", 30_000, "d2")
            assert 422 == refused.status_code
            assert "he has not got that much" in refused.json()["detail"]
            assert 200 == (await cash(boss, "Ann", "withdraw", 1_000, "w1")).status_code
            assert (21_000, 29_000) == (bank.held["Ann"], here.house.stores.wallets.balance("Ann"))

    asyncio.run(check())


def test_what_a_cashier_does_not_pay_out_is_in_the_wallet_again() -> None:
    async def check() -> None:
        async with inside() as here:
            boss, client, bank = await with_bank(here)
            assert 200 == (await cash(boss, "Ann", "deposit", 30_000, "d1")).status_code
            for _ in range(3):
                assert 422 == (await cash(boss, "Ann", "withdraw", 25_000, "w1")).status_code
            assert (20_000, 30_000) == (bank.held["Ann"], here.house.stores.wallets.balance("Ann"))
            kinds = [one["kind"] for one in (await client.get("/api/me/wallet")).json()["movements"]]
            assert ["returned", "withdrawal", "deposit"] == kinds

    asyncio.run(check())


def test_a_payment_that_was_cut_off_is_finished_by_asking_again() -> None:
    async def check() -> None:
        async with inside() as here:
            boss, _, bank = await with_bank(here)
            assert "" == bank.deposit("Ann", 10_000, "d1")  # the server died before it wrote anything
            assert 200 == (await cash(boss, "Ann", "deposit", 10_000, "d1")).status_code
            assert (40_000, 10_000) == (bank.held["Ann"], here.house.stores.wallets.balance("Ann"))
            ann = here.house.people.find("Ann")
            await here.house.wallets._move("withdrawal", "Ann", 4_000, reference="w1", why="cut off", who="Boss")
            assert "w1" not in bank.done  # the server died before the cashier was asked
            await here.house.wallets.withdraw(ann, 4_000, "w1", "asked again", "Boss")
            assert (44_000, 6_000) == (bank.held["Ann"], here.house.stores.wallets.balance("Ann"))

    asyncio.run(check())


def test_with_a_cashier_no_one_gets_play_chips_and_guests_take_nothing_out() -> None:
    async def check() -> None:
        async with inside() as here:
            early, person = await here.guest()
            boss, client, _ = await with_bank(here)
            late, _ = await here.guest()
            assert 0 == (await late.get("/api/me")).json()["wallet_cents"]
            here.now_ms += MINUTE_MS
            assert 422 == (await client.post("/api/me/chips")).status_code
            assert (await client.get("/api/me/wallet")).json()["top_up_cents"] is None
            assert 422 == (await cash(boss, person.name, "withdraw", 1_000, "w1")).status_code
            assert PLAY_CENTS == (await early.get("/api/me")).json()["wallet_cents"]

    asyncio.run(check())


CASHIERS = ("", "nowhere:Bank", "a b:c", ".:x", *(f"tests.server.cashiers{end}" for end in ("", ":Nobody", ":ours")))


def test_a_cashier_that_is_not_there_is_refused() -> None:
    async def check() -> None:
        async with inside() as here:
            for path in CASHIERS:
                with pytest.raises(InvalidData, match="expected a cashier like"):
                    here.house.wallets.use_cashier(path)

    asyncio.run(check())


def test_where_money_is_real_no_bot_brings_its_own() -> None:
    with pytest.raises(InvalidData, match="no bots"):
        make_house(Settings(bots=2, cashier="tests.server.cashiers:Bank"), memory_stores(), "")
