"""Passkeys: added, asked for after the password or alone, bound to the name of the house; every lie is refused."""

from __future__ import annotations

import asyncio
import json
from dataclasses import replace

import httpx
import pytest

from letitride.errors import InvalidData
from letitride.server.people.passkeys import PASSKEYS_MAX, site_of
from tests.server.authenticator import Authenticator
from tests.server.inside import MINUTE_MS, PASSWORD, Inside, inside
from tests.server.people.test_second_factors import MOVE, by_code, by_password, said

ADDRESS = "https://cards.example"


def device(**how: bool) -> Authenticator:
    """A device at the house's own page."""
    return Authenticator(ADDRESS, "cards.example", **how)


async def question(client: httpx.AsyncClient, path: str) -> str:
    """What the house asks a device."""
    answer = await client.post(f"{path}/options")
    assert answer.status_code == 200, answer.text
    return str(answer.json()["options"])


async def answered(client: httpx.AsyncClient, path: str, credential: str, **more: str) -> httpx.Response:
    """Send what a device said."""
    return await client.post(path, json={"credential": credential, **more})


NEW, LOGIN, AGAIN = "/api/me/factors/passkeys", "/api/login/passkey", "/api/me/factors/proof/passkey"


async def add(client: httpx.AsyncClient, one: Authenticator, name: str = "My phone") -> httpx.Response:
    return await answered(client, NEW, one.make(await question(client, NEW)), name=name)


async def enter(client: httpx.AsyncClient, one: Authenticator) -> httpx.Response:
    return await answered(client, LOGIN, one.sign(await question(client, LOGIN)))


def at_home(here: Inside) -> None:
    here.house.nodes.address = ADDRESS


@pytest.mark.parametrize(
    ("address", "site"),
    [
        ("https://cards.example", ("cards.example", "https://cards.example")),
        ("https://cards.example:8443", ("cards.example", "https://cards.example:8443")),
        ("http://localhost:8765", ("localhost", "http://localhost:8765")),
        ("http://cards.example", "expected a house that people reach over https, got 'http://cards.example'"),
        ("http://127.0.0.1:8765", "expected a house that people reach by a name, such as https://cards.example, got"),
        ("https://[::1]", "expected a house that people reach by a name"),
        ("", "expected a house that people reach by a name"),
    ],
)
def test_passkeys_are_bound_to_the_name_of_the_house_where_it_has_one(
    address: str, site: tuple[str, str] | str
) -> None:
    if isinstance(site, tuple):
        assert site == site_of(address)
    else:
        with pytest.raises(InvalidData) as refused:
            site_of(address)
        assert str(refused.value).startswith(site)


def test_a_house_without_a_name_says_so_and_offers_none() -> None:
    async def check() -> None:
        async with inside() as here:
            ann, _ = await here.account("Ann")
            assert not (await ann.get("/api/sign-in")).json()["passkeys"]
            for path in (NEW, LOGIN, AGAIN):
                assert (409, "no_passkeys_here") == said(await ann.post(f"{path}/options"))
            at_home(here)
            assert (await ann.get("/api/sign-in")).json()["passkeys"]

    asyncio.run(check())


def test_a_passkey_is_added_and_signs_in_after_the_password_or_alone_where_it_verifies_its_holder() -> None:
    async def check() -> None:
        async with inside() as here:
            at_home(here)
            ann, _ = await here.account("Ann", "floor")
            elsewhere = here.client()
            await by_password(elsewhere)
            phone, key = device(), device(verifies=False)
            asked = json.loads(await question(ann, NEW))
            assert ("cards.example", "Ann") == (asked["rp"]["id"], asked["user"]["name"])
            codes = (await add(ann, phone)).json()["codes"]
            assert 10 == len(codes)
            assert 401 == (await elsewhere.get("/api/me")).status_code  # all other sessions end
            assert [] == (await add(ann, key, "Key")).json()["codes"]
            assert ["My phone", "Key"] == [one["name"] for one in (await ann.get("/api/me/factors")).json()["passkeys"]]
            for one in (phone, key):
                browser = here.client()
                assert (403, "second_factor") == said(await by_password(browser))
                options = json.loads(await question(browser, LOGIN))
                assert 2 == len(options["allowCredentials"])
                assert "Ann" == (await enter(browser, one)).json()["name"]
                assert (await browser.get("/api/me")).json()["name"] == "Ann"
            alone = here.client()
            options = json.loads(await question(alone, LOGIN))
            assert ([], "required") == (options["allowCredentials"], options["userVerification"])
            assert "Ann" == (await enter(alone, phone)).json()["name"]
            assert (403, "passkey_wrong") == said(await enter(here.client(), key))
            other = here.client()
            await by_password(other)
            assert 200 == (await by_code(other, codes[0])).status_code  # a recovery code does, too
            record = here.audited()
            for row in (
                ("Ann", "second factor: passkey added: My phone"),
                ("Ann", "sign-in with a passkey: Key"),
                ("Ann", "sign-in with a passkey alone: My phone"),
                ("unknown person", "failed sign-in as an unknown name, second factor: passkey wrong"),
            ):
                assert row in record, row

    asyncio.run(check())


def test_what_is_not_the_answer_to_this_question_by_this_passkey_at_this_house_is_refused() -> None:
    async def check() -> None:
        async with inside() as here:
            at_home(here)
            ann, _ = await here.account("Ann")
            ben, _ = await here.account("Ben")
            phone = device()
            await add(ann, phone)
            await add(ben, bens := device())
            browser = here.client()
            lies = {
                "another page": replace(phone, origin="https://cards.example.elsewhere"),
                "another house": replace(phone, rp_id="elsewhere.example"),
                "another key": replace(phone, key=device().key),
                "an unknown passkey": device(),
            }
            for what, lie in lies.items():
                assert (403, "passkey_wrong") == said(await enter(browser, lie)), what
            answer = phone.sign(await question(browser, LOGIN))
            assert 200 == (await answered(browser, LOGIN, answer)).status_code
            assert (409, "passkey_late") == said(await answered(browser, LOGIN, answer))  # it was torn up
            await question(browser, LOGIN)
            assert (403, "passkey_wrong") == said(await answered(browser, LOGIN, answer))
            phone.count = 0
            assert (403, "passkey_wrong") == said(await enter(browser, phone))  # a copy that counts less
            phone.count = 50
            late = phone.sign(await question(browser, LOGIN))
            here.now_ms += 5 * MINUTE_MS
            assert (409, "passkey_late") == said(await answered(browser, LOGIN, late))
            for junk in ("{}", "[]", "no JSON", json.dumps({"id": "é", "rawId": 1, "type": "x", "response": None})):
                await question(browser, LOGIN)
                assert (403, "passkey_wrong") == said(await answered(browser, LOGIN, junk)), junk
                await question(ann, NEW)
                assert (403, "passkey_wrong") == said(await answered(ann, NEW, junk, name="Mine")), junk
            assert (409, "passkey_late") == said(await answered(here.client(), LOGIN, answer))
            waiting = here.client()
            await by_password(waiting)  # as Ann: Ben's passkey is not hers
            assert (403, "passkey_wrong") == said(await enter(waiting, bens))
            assert (409, "passkey_known") == said(await add(ben, phone))
            for _ in range(PASSKEYS_MAX - 1):
                here.now_ms += MINUTE_MS
                here.house.people.proof_ms = 60 * MINUTE_MS
                assert 200 == (await add(ann, device())).status_code
            assert (409, "passkeys_many") == said(await add(ann, device()))

    asyncio.run(check())


def test_a_passkey_proves_who_moves_money_and_the_last_factor_of_a_role_that_needs_one_stays() -> None:
    async def check() -> None:
        async with inside() as here:
            at_home(here)
            here.house.people.factors.roles = frozenset({"administrator"})
            await here.account("Zoe")
            await here.house.people.register("Boss", PASSWORD, ("player", "administrator"))
            boss, phone = here.client(), device()
            await by_password(boss, "Boss")
            assert (403, "factor_first") == said(await boss.get("/api/staff"))
            await add(boss, phone)
            assert 200 == (await boss.get("/api/staff")).status_code
            here.now_ms += 11 * MINUTE_MS
            assert (403, "factor_again") == said(await boss.post("/api/wallets/Zoe/deposit", json=MOVE))
            given = await answered(boss, AGAIN, phone.sign(await question(boss, AGAIN)))
            assert 204 == given.status_code
            assert (await boss.post("/api/wallets/Zoe/deposit", json=MOVE)).is_success
            own = (await boss.get("/api/me/factors")).json()["passkeys"][0]["id"]
            assert (409, "factor_needed") == said(await boss.delete(f"{NEW}/{own}"))
            assert (409, "no_passkey") == said(await boss.delete(f"{NEW}/other"))
            await add(boss, spare := device(), "Spare")
            assert 204 == (await boss.delete(f"{NEW}/{own}")).status_code
            assert (403, "passkey_wrong") == said(await enter(here.client(), phone))
            assert 200 == (await enter(here.client(), spare)).status_code
            assert ("Boss", "second factor: passkey removed: My phone") in here.audited()
            # Where staff sign in at a provider alone, a passkey is no way around it.
            here.house.people.staff_passwords = False
            assert 403 == (await enter(here.client(), spare)).status_code

    asyncio.run(check())


def test_a_reset_forgets_the_passkeys() -> None:
    async def check() -> None:
        async with inside() as here:
            at_home(here)
            ann, _ = await here.account("Ann")
            boss, _ = await here.account("Boss", "administrator")
            phone = device()
            await add(ann, phone)
            assert 204 == (await boss.delete("/api/people/Ann/factors")).status_code
            assert (403, "passkey_wrong") == said(await enter(here.client(), phone))
            ann = here.client()
            assert 200 == (await by_password(ann)).status_code
            assert 200 == (await add(ann, phone)).status_code  # the same device may come again

    asyncio.run(check())
