"""Second factors: a code after the password, once; recovery codes; what a wrong one costs; money and roles ask again."""

from __future__ import annotations

import asyncio
import base64
import json
from typing import Any

import httpx
import pytest
from cryptography.hazmat.primitives.hashes import SHA1
from cryptography.hazmat.primitives.twofactor.totp import TOTP

from letitride.rules.roles import STAFF_ACCOUNTS
from letitride.server.net.access import PENDING
from letitride.server.people.authenticator_app import step_of
from tests.server.guest import COOKIE
from tests.server.inside import MINUTE_MS, PASSWORD, Inside, inside
from tests.server.virtual import Closed, connect

STEP_MS = 30_000


def app_code(secret: str, at_ms: int) -> str:
    """What a phone shows."""
    return TOTP(base64.b32decode(secret), 6, SHA1(), 30).generate(at_ms // 1000).decode()  # noqa: S303 - as apps do


async def set_up(here: Inside, client: httpx.AsyncClient) -> tuple[str, list[str]]:
    """Set up an app, and wait for the next code; return its secret and the recovery codes."""
    draft = (await client.post("/api/me/factors/app")).json()
    given = await client.post("/api/me/factors/app/confirm", json={"code": app_code(draft["secret"], here.now_ms)})
    assert given.status_code == 200, given.text
    here.now_ms += STEP_MS
    return draft["secret"], given.json()["codes"]


async def by_password(client: httpx.AsyncClient, name: str = "Ann") -> httpx.Response:
    return await client.post("/api/login", json={"name": name, "password": PASSWORD})


async def by_code(client: httpx.AsyncClient, code: str) -> httpx.Response:
    return await client.post("/api/login/code", json={"code": code})


def said(answer: httpx.Response) -> tuple[int, str]:
    return answer.status_code, answer.json()["code"]


@pytest.mark.parametrize(
    ("seconds", "code"), [(1_234_567_890, "005924"), (1_111_111_109, "081804"), (20_000_000_000, "353130")]
)
def test_codes_are_those_of_the_standard(seconds: int, code: str) -> None:
    secret = b"12345678901234567890"  # RFC 6238, appendix B, the last six of its eight digits
    assert seconds // 30 == step_of(secret, code, seconds * 1000)
    for off, good in ((-2, False), (-1, True), (1, True), (2, False)):
        assert good == (step_of(secret, code, (seconds + 30 * off) * 1000) is not None), off
    for other in ("", code[:5], f"{code}0", "²87082", "abcdef", f" {code}"):
        assert step_of(secret, other, seconds * 1000) is None


def test_an_app_is_shown_as_a_qr_code_and_counts_once_a_code_confirms_it() -> None:
    async def check() -> None:
        async with inside() as here:
            ann, _ = await here.account("Ann", "dealer")
            elsewhere = here.client()
            await by_password(elsewhere)
            assert {"app_since_ms": None, "recovery_codes": 0, "passkeys": [], "needed": False} == (
                await ann.get("/api/me/factors")
            ).json()
            draft = (await ann.post("/api/me/factors/app")).json()
            assert draft["address"].startswith("otpauth://totp/letitride")
            assert f"secret={draft['secret']}" in draft["address"]
            assert draft["qr_code"].startswith("<svg")
            assert 200 == (await by_password(here.client())).status_code  # not before it is confirmed
            wrong = await ann.post("/api/me/factors/app/confirm", json={"code": "000000"})
            assert (403, "code_wrong") == said(wrong)
            right = {"code": app_code(draft["secret"], here.now_ms)}
            codes = (await ann.post("/api/me/factors/app/confirm", json=right)).json()["codes"]
            assert 10 == len(codes)
            assert all(len(code) == 29 for code in codes)
            assert {"app_since_ms": here.now_ms, "recovery_codes": 10, "passkeys": [], "needed": False} == (
                await ann.get("/api/me/factors")
            ).json()
            assert 401 == (await elsewhere.get("/api/me")).status_code  # all other sessions end
            assert (409, "app_anew") == said(await ann.post("/api/me/factors/app/confirm", json=right))
            second, none = await set_up(here, ann)  # a new phone keeps the recovery codes
            assert [] == none
            assert (403, "second_factor") == said(await by_password(other := here.client()))
            assert 200 == (await by_code(other, app_code(second, here.now_ms))).status_code
            assert [
                ("Ann", "second factor refused: code wrong"),
                ("Ann", "second factor: app set up"),
                ("Ann", "second factor refused: app anew"),
                ("Ann", "second factor: app set up"),
                ("Ann", "password given, second factor asked for"),
                ("Ann", "sign-in with a code"),
            ] == here.audited()[-6:]
            kept = json.dumps([(row.what, row.why) for row in here.house.stores.audit.rows()])
            assert not any(secret in kept for secret in (draft["secret"], second, *codes))

    asyncio.run(check())


def test_a_password_alone_opens_nothing_and_a_code_signs_in_once() -> None:
    async def check() -> None:
        async with inside() as here:
            ann, _ = await here.account("Ann")
            secret, recovery = await set_up(here, ann)
            browser = here.client()
            asked = await by_password(browser)
            assert (403, "second_factor") == said(asked)
            assert COOKIE not in browser.cookies
            assert 401 == (await browser.get("/api/me")).status_code
            assert 401 == (await here.client(browser.cookies[PENDING]).get("/api/me")).status_code
            code = app_code(secret, here.now_ms)
            found = await by_code(browser, code)
            assert {"name": "Ann", "guest": False, "roles": ["player"], "weak_password": False} == found.json()
            assert "Ann" == (await browser.get("/api/me")).json()["name"]
            assert PENDING not in browser.cookies
            other = here.client()
            assert (409, "sign_in_again") == said(await by_code(other, code))
            await by_password(other)
            assert (403, "code_used") == said(await by_code(other, code))
            assert (403, "code_wrong") == said(await by_code(other, app_code(secret, here.now_ms - 10 * STEP_MS)))
            assert 200 == (await by_code(other, recovery[0])).status_code
            await by_password(other)
            assert (403, "code_wrong") == said(await by_code(other, recovery[0]))
            here.now_ms += 5 * MINUTE_MS
            assert (409, "sign_in_again") == said(await by_code(other, recovery[1]))
            audited = here.audited()
            assert ("unknown person", "failed sign-in as Ann, second factor: code used") in audited
            assert ("Ann", "sign-in with a recovery code, 9 codes left") in audited

    asyncio.run(check())


def test_a_new_password_ends_the_sign_ins_that_wait_and_keeps_the_second_factor_of_the_session() -> None:
    async def check() -> None:
        async with inside() as here:
            ann, _ = await here.account("Ann")
            secret, _ = await set_up(here, ann)
            other = here.client()
            await by_password(other)
            new = {"old": PASSWORD, "new": "correct horse battery"}
            assert 204 == (await ann.post("/api/me/password", json=new)).status_code
            assert (409, "sign_in_again") == said(await by_code(other, app_code(secret, here.now_ms)))
            assert 200 == (await ann.post("/api/me/factors/recovery")).status_code  # not asked for it again

    asyncio.run(check())


def test_wrong_codes_make_the_account_wait_wherever_they_come_from() -> None:
    async def check() -> None:
        async with inside() as here:
            ann, _ = await here.account("Ann")
            secret, _ = await set_up(here, ann)
            for number in range(5):
                browser = here.client(address=f"192.0.2.{number + 10}")
                await by_password(browser)
                assert (403, "code_wrong") == said(await by_code(browser, "000000"))
            browser = here.client(address="198.51.100.1")
            await by_password(browser)
            late = await by_code(browser, app_code(secret, here.now_ms))
            assert 429 == late.status_code
            assert (
                "expected fewer wrong codes for one account, got too many: try again in 1 second"
                == late.json()["detail"]
            )
            assert "1" == late.headers["retry-after"]
            here.now_ms += 2_000
            assert 200 == (await by_code(browser, app_code(secret, here.now_ms))).status_code

    asyncio.run(check())


MOVE = {"cents": 500, "reference": "in-1", "why": "cash"}


def test_money_roles_and_the_factor_itself_ask_for_the_factor_again_where_there_is_one() -> None:
    async def check() -> None:
        async with inside() as here:
            await here.account("Zoe")
            boss, _ = await here.account("Boss", "administrator")
            secret, _ = await set_up(here, boss)
            assert boss.cookies[COOKIE]
            asks: list[tuple[str, str, dict[str, Any] | None]] = [
                ("POST", "/api/wallets/Zoe/deposit", MOVE),
                ("PATCH", "/api/staff/Zoe", {"roles": ["dealer"]}),
                ("POST", "/api/approvals/none/approve", {"why": "seen"}),
                ("POST", "/api/me/factors/app", None),
                ("POST", "/api/me/factors/recovery", None),
                ("DELETE", "/api/me/factors/app", None),
            ]
            here.now_ms += 10 * MINUTE_MS
            await boss.post("/api/me/proof", json={"password": PASSWORD})  # the password alone is not enough
            for method, path, body in asks:
                assert (403, "factor_again") == said(await boss.request(method, path, json=body)), path
            wrong = await boss.post("/api/me/factors/proof", json={"code": "000000"})
            assert (403, "code_wrong") == said(wrong)
            code = {"code": app_code(secret, here.now_ms)}
            assert 204 == (await boss.post("/api/me/factors/proof", json=code)).status_code
            for method, path, body in asks:
                answer = await boss.request(method, path, json=body)
                assert answer.is_success or answer.status_code == 404, (path, answer.text)
            assert 200 == (await by_password(here.client(), "Boss")).status_code  # the app is gone
            assert ("Boss", "second factor given again: code") in here.audited()
            assert ("Boss", "second factor: app removed") in here.audited()

    asyncio.run(check())


def test_a_guest_has_no_second_factor() -> None:
    async def check() -> None:
        async with inside() as here:
            guest, _ = await here.guest()
            answer = await guest.post("/api/me/factors/app")
            assert 422 == answer.status_code
            assert answer.json()["detail"].startswith("expected a person with an account, got a guest")

    asyncio.run(check())


def staff_need_one(here: Inside) -> None:
    here.house.people.factors.roles = frozenset(STAFF_ACCOUNTS)


def test_where_a_role_needs_a_factor_a_password_opens_nothing_but_setting_one_up() -> None:
    async def check() -> None:
        async with inside("t1") as here:
            staff_need_one(here)
            await here.account("Boss", "administrator")
            boss, player = here.client(), (await here.account("Ann"))[0]
            assert 200 == (await by_password(boss, "Boss")).status_code
            asked: list[tuple[str, str, dict[str, Any] | None]] = [
                ("GET", "/api/staff", None),
                ("GET", "/api/me/wallet", None),
                ("GET", "/api/desk", None),
                ("POST", "/api/wallets/Ann/deposit", MOVE),
                ("POST", "/api/tables/t1/join", None),
                ("POST", "/api/private-tables", {"rulebook": "nsw-1", "name": "Ours"}),
                ("PUT", "/api/me/settings", {}),
                ("POST", "/api/me/password", {"old": PASSWORD, "new": "correct horse battery"}),
                ("DELETE", "/api/me/sessions", None),
            ]
            for method, path, body in asked:
                assert (403, "factor_first") == said(await boss.request(method, path, json=body)), path
            assert "set_up" == (await boss.get("/api/me")).json()["second_factor"]
            assert "" == (await player.get("/api/me")).json()["second_factor"]
            secret, _ = await set_up(here, boss)
            for method, path, body in asked[:-2]:
                assert (await boss.request(method, path, json=body)).is_success, path
            assert "" == (await boss.get("/api/me")).json()["second_factor"]
            assert (409, "factor_needed") == said(await boss.delete("/api/me/factors/app"))
            assert (await boss.get("/api/me/factors")).json()["needed"]
            # A session from before the house wanted a factor gives it, and goes on.
            old = here.client(await here.house.people.sessions.begin("Boss"))
            assert (403, "factor_first") == said(await old.get("/api/staff"))
            assert "give" == (await old.get("/api/me")).json()["second_factor"]
            code = {"code": app_code(secret, here.now_ms)}
            assert 204 == (await old.post("/api/me/factors/proof", json=code)).status_code
            assert 200 == (await old.get("/api/staff")).status_code
            later = here.client(await here.house.people.sessions.begin("Boss"))
            assert 204 == (await later.post("/api/logout")).status_code  # the way out is always open

    asyncio.run(check())


def test_no_connection_to_a_table_opens_without_the_factor_that_a_role_needs() -> None:
    async def check() -> None:
        async with inside("t1") as here:
            staff_need_one(here)
            await here.account("Dee", "dealer")
            token = await here.house.people.sessions.begin("Dee")
            with pytest.raises(Closed):
                await connect(here.app, "t1", token, role="dealer")
            await here.house.people.sessions.prove(token, factor=True)
            socket = await connect(here.app, "t1", token, role="dealer")
            await socket.close()

    asyncio.run(check())


def test_an_administrator_resets_another_persons_factor_on_record_and_not_their_own() -> None:
    async def check() -> None:
        async with inside() as here:
            staff_need_one(here)
            boss, dee = here.client(), here.client()
            for client, name, role in ((boss, "Boss", "administrator"), (dee, "Dee", "dealer")):
                await here.house.people.register(name, PASSWORD, ("player", role))
                await by_password(client, name)
                secret, codes = await set_up(here, client)
            assert 403 == (await dee.delete("/api/people/Boss/factors")).status_code
            listed = {one["name"]: one["second_factor"] for one in (await boss.get("/api/staff")).json()}
            assert {"Boss": True, "Dee": True} == listed
            waiting = here.client()
            await by_password(waiting, "Dee")
            lost = await boss.delete("/api/people/dee/factors", params={"why": "a lost phone"})
            assert 204 == lost.status_code
            assert 401 == (await dee.get("/api/me")).status_code
            assert (403, "code_wrong") == said(await by_code(waiting, app_code(secret, here.now_ms)))
            assert (403, "code_wrong") == said(await by_code(waiting, codes[0]))
            assert 200 == (await by_password(dee, "Dee")).status_code
            assert (403, "factor_first") == said(await dee.get("/api/desk"))
            row = next(row for row in here.house.stores.audit.rows() if row.what == "reset second factor Dee")
            assert ("Boss", "a lost phone") == (row.who, row.why)
            own = await boss.delete("/api/people/Boss/factors")
            assert 422 == own.status_code
            assert "no one may reset the second factor of themselves" in own.json()["detail"]
            assert 404 == (await boss.delete("/api/people/Nobody/factors")).status_code
            here.now_ms += 10 * MINUTE_MS
            assert (403, "factor_again") == said(await boss.delete("/api/people/dee/factors"))

    asyncio.run(check())
