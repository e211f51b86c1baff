"""Proofs: a session ends when nothing is done in it; money and roles want the password again, and another person."""

from __future__ import annotations

import asyncio

import httpx
import pytest

from letitride.server.net.access import BACKGROUND
from letitride.server.people.accounts import IDLE_MS, PROOF_MS, STAFF_IDLE_MS
from letitride.server.people.sessions import Sessions, hash_of
from tests.server.guest import COOKIE
from tests.server.inside import HOUR_MS, MINUTE_MS, PASSWORD, Inside, inside

AMOUNT = {"cents": 100, "reference": "slip-1", "why": "at the desk"}
VOUCHER = {"cents": 100, "days": 1, "reference": "v-1", "why": "at the desk"}
HIRED = {"name": "Dee", "password": PASSWORD, "roles": ["dealer"]}
MONEY_AND_ROLES = [
    ("POST", "/api/wallets/Ann/deposit", AMOUNT),
    ("POST", "/api/wallets/Ann/withdraw", {**AMOUNT, "reference": "slip-2"}),
    ("POST", "/api/vouchers/Ann", VOUCHER),
    ("POST", "/api/staff", HIRED),
    ("PATCH", "/api/staff/Ann", {"roles": ["dealer"]}),
]


async def signed_in(here: Inside, name: str) -> httpx.AsyncClient:
    client = here.client()
    found = await client.post("/api/login", json={"name": name, "password": PASSWORD})
    assert 200 == found.status_code, found.text
    return client


async def staffed(here: Inside) -> httpx.AsyncClient:
    await here.house.people.register("Ann", PASSWORD)
    await here.house.people.register("Boss", PASSWORD, ("player", "administrator"))
    return await signed_in(here, "Boss")


def test_a_session_ends_when_nothing_is_done_in_it_and_sooner_for_staff() -> None:
    async def check() -> None:
        async with inside() as here:
            boss = await staffed(here)
            ann = await signed_in(here, "Ann")
            guest, _ = await here.guest()
            for _ in range(3):  # a person who does something stays
                here.now_ms += STAFF_IDLE_MS - 1
                assert [200, 200] == [(await one.get("/api/me")).status_code for one in (boss, ann)]
            here.now_ms += STAFF_IDLE_MS
            over = await boss.get("/api/me")
            assert 401 == over.status_code
            assert "got one that ended after 30 minutes without activity: sign in again" in over.json()["detail"]
            assert 200 == (await ann.get("/api/me")).status_code
            here.now_ms += IDLE_MS
            assert "after 60 minutes" in (await ann.get("/api/me")).json()["detail"]
            assert 200 == (await guest.get("/api/me")).status_code  # no one could sign in again as this guest
            await signed_in(here, "Boss")

    asyncio.run(check())


def test_what_a_page_asks_for_by_itself_is_no_activity() -> None:
    async def check() -> None:
        async with inside() as here:
            boss = await staffed(here)
            here.now_ms += STAFF_IDLE_MS - 1
            assert 200 == (await boss.get("/api/desk", headers={BACKGROUND: "1"})).status_code
            here.now_ms += 1
            assert 401 == (await boss.get("/api/desk")).status_code

    asyncio.run(check())


def test_activity_at_one_server_is_known_at_another_and_after_a_restart() -> None:
    async def check() -> None:
        async with inside() as here:
            boss = await staffed(here)
            stores, key, now = here.house.stores, hash_of(boss.cookies[COOKIE]), [0]
            there = Sessions(stores.documents, here.house.committer, lambda: now[0])
            here.now_ms += STAFF_IDLE_MS - MINUTE_MS
            await boss.get("/api/me")
            await here.house.people.sessions.keep_activity()
            now[0] = here.now_ms + STAFF_IDLE_MS - 1
            assert there.is_open(key)
            now[0] += 1
            assert not there.is_open(key)

    asyncio.run(check())


def test_a_connection_ends_with_a_session_in_which_nothing_is_done() -> None:
    async def check() -> None:
        async with inside() as here:
            boss = await staffed(here)
            sessions, key = here.house.people.sessions, hash_of(boss.cookies[COOKIE])
            waits = asyncio.create_task(sessions.until_ended(key))
            here.now_ms += STAFF_IDLE_MS - 1
            sessions.touch(key)
            here.now_ms += 1
            await sessions.check_open()
            assert not waits.done()
            here.now_ms += STAFF_IDLE_MS
            await sessions.check_open()
            await asyncio.wait_for(waits, 60)
            assert [] == await sessions.of("Boss")

    asyncio.run(check())


@pytest.mark.parametrize(("method", "path", "body"), MONEY_AND_ROLES)
def test_money_and_roles_want_the_password_again(method: str, path: str, body: dict[str, object]) -> None:
    async def check() -> None:
        async with inside() as here:
            boss = await staffed(here)
            here.house.stores.wallets.fund("Ann", 1_000, "test", at=1, who="test")
            here.now_ms += PROOF_MS + 1
            asked = await boss.request(method, path, json=body)
            assert (403, "password_again") == (asked.status_code, asked.json()["code"])
            assert "expected your password given within the last 10 minutes" in asked.json()["detail"]
            assert 403 == (await boss.post("/api/me/proof", json={"password": "a wrong password"})).status_code
            assert 403 == (await boss.request(method, path, json=body)).status_code
            assert 204 == (await boss.post("/api/me/proof", json={"password": PASSWORD})).status_code
            assert (await boss.request(method, path, json=body)).is_success
            assert 200 == (await boss.get("/api/staff")).status_code

    asyncio.run(check())


def test_no_one_credits_themselves_or_gives_themselves_roles_and_the_attempt_is_on_record() -> None:
    async def check() -> None:
        async with inside() as here:
            boss = await staffed(here)
            for method, path, body in (
                ("POST", "/api/wallets/bOSS/deposit", AMOUNT),
                ("POST", "/api/vouchers/Boss", VOUCHER),
                ("PATCH", "/api/staff/Boss", {"roles": ["administrator", "inspector"]}),
            ):
                refused = await boss.request(method, path, json=body)
                assert 422 == refused.status_code
                assert refused.json()["detail"].startswith("expected another person's account, got your own"), refused
            assert 0 == here.house.stores.wallets.balance("Boss")
            assert ("player", "administrator") == here.house.people.find("Boss").roles
            assert [
                "refused: credit Boss, which is themselves",
                "refused: issue a voucher to Boss, which is themselves",
                "refused: give a role to Boss, which is themselves",
            ] == [what for who, what in here.audited() if what.startswith("refused")]

    asyncio.run(check())


def test_an_old_session_without_idle_time_goes_on() -> None:
    async def check() -> None:
        async with inside() as here:
            await here.house.people.register("Ann", PASSWORD)
            body = b'{"id":"a","name":"Ann","began_ms":1,"until_ms":%d}' % (here.now_ms + 11 * HOUR_MS)
            here.house.stores.documents.put("session", hash_of("old"), body, 0)
            here.now_ms += 10 * HOUR_MS
            assert 200 == (await here.client("old").get("/api/me")).status_code

    asyncio.run(check())
