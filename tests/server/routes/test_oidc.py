"""Sign-in at the house's provider, a real one in a process of its own: what is let in, and everything that is not."""

from __future__ import annotations

import asyncio
import secrets
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, parse_qsl, urlencode, urlsplit

import httpx
import pytest

from letitride.errors import InvalidData
from letitride.server.app import create
from letitride.server.net import oidc_provider as network
from letitride.server.ops.oidc import accounts_of, oidc_of
from letitride.server.ops.settings import Settings
from letitride.server.people.oidc_starts import KIND as STARTS
from letitride.server.people.oidc_starts import START_MS
from letitride.server.tables.house import House, Pace
from letitride.storage.memory.opening import memory_stores
from tests.server.guest import COOKIE
from tests.server.inside import HOUR_MS, PASSWORD, Inside
from tests.server.oidc_provider import Provider, running_provider
from tests.server.people.test_second_factors import app_code, set_up

ADDRESS = "http://127.0.0.1:8765"
CALLBACK = f"{ADDRESS}/api/oidc/callback"
GROUPS = {"Pit": "floor", "Boxes": "dealer", "Patrons": "player"}


@pytest.fixture(scope="module")
def provider() -> Iterator[Provider]:
    """A provider that knows the house."""
    with running_provider() as one:
        one.register(CALLBACK)
        yield one


@asynccontextmanager
async def house_at(provider: Provider, **wanted: Any) -> AsyncIterator[Inside]:
    """A house whose people sign in at a provider, by the clock on the wall."""
    settings = Settings(**{"oidc_name": "Acme", **provider.settings, **wanted})
    house = House(memory_stores(), node=secrets.token_hex(4), pace=Pace(step=0.0, share=0.0), address=ADDRESS)
    house.people.staff_passwords = settings.staff_passwords
    one = Inside(house, create(house, demo=False, settings=settings))
    one.now_ms = time.time_ns() // 1_000_000
    await house.start(demo=False)
    try:
        yield one
    finally:
        await one.close()


def browser(here: Inside, cookie: str = "") -> httpx.AsyncClient:
    return here.client(cookie, base=ADDRESS)


async def begin(client: httpx.AsyncClient, **wanted: str) -> str:
    """Press the button, and return where the browser goes."""
    answer = await client.post("/api/oidc/start", json=wanted)
    assert answer.status_code == 200, answer.text
    return str(answer.json()["address"])


async def come_back(client: httpx.AsyncClient, to: str) -> tuple[str, str]:
    """Return to the house, and return the page that the browser is sent to and how the sign-in ended."""
    answer = await client.get(to)
    assert answer.status_code == 303, answer.text
    page = urlsplit(answer.headers["location"])
    assert not page.netloc, "a page of the house"
    return page.path, parse_qs(page.query)["sign_in"][0]


async def sign_in(client: httpx.AsyncClient, provider: Provider, subject: str, **wanted: str) -> str:
    """Sign in the way a person does, and return how it ended."""
    to = await asyncio.to_thread(provider.agree, await begin(client, **wanted), subject)
    return (await come_back(client, to))[1]


def changed(address: str, **values: str) -> str:
    """Return an address with other values."""
    parts = urlsplit(address)
    return parts._replace(query=urlencode(dict(parse_qsl(parts.query)) | values)).geturl()


def failures(here: Inside) -> list[str]:
    return [what for _, what in here.audited() if what.startswith("failed sign-in")]


def test_a_person_signs_in_at_the_provider_and_has_the_same_account_the_next_time(provider: Provider) -> None:
    provider.knows("sub-ann", preferred_username="ann.lee@casino.example", email="ann.lee@casino.example")

    async def check() -> None:
        async with house_at(provider) as here:
            client = browser(here)
            assert {"provider": "Acme", "staff_passwords": True, "passkeys": False} == (
                await client.get("/api/sign-in")
            ).json()
            guest = (await client.post("/api/guest")).json()["name"]
            old = client.cookies[COOKIE]
            address = await begin(client, to="/table/t1")
            asked = parse_qs(urlsplit(address).query)
            assert ["S256"] == asked["code_challenge_method"]
            assert [CALLBACK] == asked["redirect_uri"]
            started = [one for one in client.cookies.jar if one.name == "letitride_oidc"]
            assert ("Lax", True) == (
                started[0].get_nonstandard_attr("SameSite").capitalize(),
                "HttpOnly" in started[0]._rest,
            )
            to = await asyncio.to_thread(provider.agree, address, "sub-ann")
            assert ("/table/t1", "signed_in") == await come_back(client, to)
            me = (await client.get("/api/me")).json()
            assert ("ann.lee", False, ["player"]) == (me["name"], me["guest"], me["roles"])
            assert "letitride_oidc" not in client.cookies
            assert "1" == client.cookies["letitride_known"]  # the page asks who one is
            assert 401 == (await here.client(old).get("/api/me")).status_code, f"{guest} is gone"
            assert ("ann.lee", "sign-in at Acme") in here.audited()
            assert ("/", "again") == await come_back(client, to)  # the answer is good once
            again = browser(here)
            assert "signed_in" == await sign_in(again, provider, "sub-ann")
            assert "ann.lee" == (await again.get("/api/me")).json()["name"]
            assert [] == here.house.stores.documents.find(STARTS)
            kept = b"".join(one.body for one in here.house.stores.documents.find("session"))
            assert again.cookies[COOKIE].encode() not in kept

    asyncio.run(check())


def test_an_account_is_found_by_its_subject_and_never_by_a_name_or_an_address(provider: Provider) -> None:
    provider.knows("sub-bob", preferred_username="Bob", email="bob@casino.example")
    provider.knows("sub-impostor", preferred_username="Bob", email="bob@casino.example")
    provider.knows("sub-admin", preferred_username="administrator")

    async def check() -> None:
        async with house_at(provider) as here:
            await here.account("Bob", "floor")  # an embedded one
            names = []
            for subject in ("sub-bob", "sub-impostor", "sub-admin"):
                client = browser(here)
                assert "signed_in" == await sign_in(client, provider, subject)
                me = (await client.get("/api/me")).json()
                assert ["player"] == me["roles"]
                names.append(me["name"])
            assert ["Bob-2", "Bob-3"] == names[:2]
            assert "administrator" != names[2]
            assert 403 == (await log_in(here, "Bob-2", "")).status_code  # it has no password

    asyncio.run(check())


async def log_in(here: Inside, name: str, password: str = PASSWORD) -> httpx.Response:
    return await browser(here).post("/api/login", json={"name": name, "password": password})


@pytest.mark.parametrize(
    "to", ["https://evil.example/", "//evil.example", "/\\evil.example", "/a?b", "", "javascript:x"]
)
def test_no_one_is_sent_to_another_site_in_the_end(provider: Provider, to: str) -> None:
    async def check() -> None:
        async with house_at(provider) as here:
            answer = await browser(here).post("/api/oidc/start", json={"to": to})
            assert 422 == answer.status_code

    asyncio.run(check())


def test_an_answer_is_believed_only_in_the_browser_and_for_the_question_it_belongs_to(provider: Provider) -> None:
    async def check() -> None:
        async with house_at(provider) as here:
            mine, other = browser(here), browser(here)

            async def agreed(client: httpx.AsyncClient, **changes: str) -> str:
                return await asyncio.to_thread(provider.agree, changed(await begin(client), **changes), "sub-ann")

            address = await begin(mine)
            state = parse_qs(urlsplit(address).query)["state"][0]  # which this provider forgets when it says no
            refused = changed(await asyncio.to_thread(provider.deny, address), state=state)
            assert "canceled" == (await come_back(mine, refused))[1]
            assert "failed sign-in at Acme: canceled" in failures(here)
            to = await agreed(mine)
            assert "again" == (await come_back(other, to))[1], "no cookie"
            await agreed(other)
            assert "again" == (await come_back(other, to))[1], "another's cookie"
            assert "again" == (await come_back(mine, changed(to, state="x" * 43)))[1], "another state"
            assert "signed_in" == (await come_back(mine, to))[1], "strangers took nothing from it"
            to = await agreed(mine, nonce="of another sign-in")
            assert "not_believed" == (await come_back(mine, to))[1]
            to = await agreed(mine, code_challenge="A" * 43)
            assert "not_believed" == (await come_back(mine, to))[1], "a code that was asked for elsewhere"
            to = await agreed(mine)
            stolen = parse_qs(urlsplit(await agreed(other)).query)["code"][0]
            assert "not_believed" == (await come_back(mine, changed(to, code=stolen)))[1], "another's code"
            to = await agreed(mine)
            assert "not_believed" == (await come_back(mine, changed(to, iss="https://evil.example")))[1]
            to = await agreed(mine)
            here.now_ms += START_MS
            assert "again" == (await come_back(mine, to))[1], "it took too long"
            assert 1 == len(here.house.stores.documents.find("session")), "one of them was let in"

    asyncio.run(check())


@pytest.mark.parametrize("hours", [2, -1])
def test_a_token_of_another_time_is_not_believed(provider: Provider, hours: int) -> None:
    async def check() -> None:
        async with house_at(provider) as here:
            here.now_ms += hours * HOUR_MS
            client = browser(here)
            assert "not_believed" == await sign_in(client, provider, "sub-ann")
            assert 401 == (await client.get("/api/me")).status_code

    asyncio.run(check())


def test_the_provider_sends_no_one_to_an_address_that_it_does_not_know(provider: Provider) -> None:
    async def check() -> None:
        async with house_at(provider) as here:
            address = changed(await begin(browser(here)), redirect_uri="http://evil.example/api/oidc/callback")
            answer = await asyncio.to_thread(
                lambda: httpx.post(address, data={"sub": "sub-ann"}, timeout=60, trust_env=False)
            )
            assert "evil.example" not in answer.headers.get("location", "")

    asyncio.run(check())


def test_with_the_wrong_secret_there_is_no_token_and_the_secret_is_told_to_no_one(
    provider: Provider, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("DEBUG")

    async def check() -> None:
        async with house_at(provider, oidc_client_secret="a wrong secret") as here:
            assert "not_believed" == await sign_in(browser(here), provider, "sub-ann")

    asyncio.run(check())
    assert "invalid_client" in caplog.text
    assert "wrong" not in caplog.text


def test_roles_follow_the_groups_at_each_sign_in(provider: Provider) -> None:
    async def check() -> None:
        async with house_at(provider, oidc_roles=GROUPS, oidc_new_accounts="everybody") as here:
            client = browser(here)
            provider.knows("sub-eve", preferred_username="Eve", groups=["Pit", "Chess club"])
            assert "signed_in" == await sign_in(client, provider, "sub-eve")
            assert ["player", "floor"] == (await client.get("/api/me")).json()["roles"]
            assert ("sign-in provider", "hire") in here.audited()
            provider.knows("sub-eve", preferred_username="Eve", groups=["Boxes"])
            later = browser(here)
            assert "signed_in" == await sign_in(later, provider, "sub-eve")
            assert ["player", "dealer"] == (await later.get("/api/me")).json()["roles"]
            assert 401 == (await client.get("/api/me")).status_code, "no one goes on with old rights"
            assert ("sign-in provider", "change staff") in here.audited()
            provider.knows("sub-eve", preferred_username="Eve", groups=["Chess club"])
            assert "no_role" == await sign_in(browser(here), provider, "sub-eve")
            assert 401 == (await later.get("/api/me")).status_code
            assert ("player",) == here.house.people.find("Eve").roles
            assert "failed sign-in at Acme: no role (subject sub-eve)" in failures(here)
            provider.knows("sub-eve", preferred_username="Eve", groups="Patrons")
            assert "signed_in" == await sign_in(browser(here), provider, "sub-eve")

    asyncio.run(check())


def test_unknown_staff_get_no_account_unless_the_house_says_so(provider: Provider) -> None:
    provider.knows("sub-new", preferred_username="Newcomer", groups=["Pit"])
    provider.knows("sub-patron", preferred_username="Patron", groups=["Patrons"])

    async def check() -> None:
        async with house_at(provider, oidc_roles=GROUPS) as here:
            assert "unknown" == await sign_in(browser(here), provider, "sub-new")
            assert "signed_in" == await sign_in(browser(here), provider, "sub-patron")
        async with house_at(provider, oidc_roles=GROUPS, oidc_new_accounts="none") as here:
            assert "unknown" == await sign_in(browser(here), provider, "sub-patron")
            assert [] == here.house.stores.documents.find("person")

    asyncio.run(check())


def test_an_account_that_is_shut_stays_shut_and_the_last_administrator_stays(provider: Provider) -> None:
    provider.knows("sub-boss", preferred_username="Boss", groups=["Bosses"])

    async def check() -> None:
        roles = {"Bosses": "administrator", **GROUPS}
        async with house_at(provider, oidc_roles=roles, oidc_new_accounts="everybody") as here:
            client = browser(here)
            assert "signed_in" == await sign_in(client, provider, "sub-boss")
            provider.knows("sub-boss", preferred_username="Boss", groups=["Pit"])
            assert "last_administrator" == await sign_in(browser(here), provider, "sub-boss")
            assert 401 == (await client.get("/api/me")).status_code
            await here.account("Second", "administrator")
            assert "signed_in" == await sign_in(browser(here), provider, "sub-boss")
            await here.house.people.set_roles("Boss", disabled=True)
            assert "disabled" == await sign_in(browser(here), provider, "sub-boss")

    asyncio.run(check())


def test_a_person_links_the_account_they_have_after_giving_the_password(provider: Provider) -> None:
    async def check() -> None:
        async with house_at(provider, oidc_new_accounts="none") as here:
            session = await here.house.people.sessions.begin((await here.account("Ada", "floor"))[1].name)
            client = browser(here, session)
            here.now_ms += HOUR_MS
            late = await client.post("/api/oidc/start", json={"purpose": "link"})
            assert (403, "password_again") == (late.status_code, late.json()["code"])
            here.now_ms -= HOUR_MS
            assert "linked" == await sign_in(client, provider, "sub-ada", purpose="link")
            assert ("Ada", "link to Acme") in here.audited()
            fresh = browser(here)
            assert "signed_in" == await sign_in(fresh, provider, "sub-ada")
            me = (await fresh.get("/api/me")).json()
            assert ("Ada", ["player", "floor"]) == (me["name"], me["roles"])
            assert {"linked": True, "password": True} == (await fresh.get("/api/me/oidc")).json()
            other = browser(here, await here.house.people.sessions.begin((await here.account("Ben"))[1].name))
            assert "linked_already" == await sign_in(other, provider, "sub-ada", purpose="link")
            stranger = await browser(here).post("/api/oidc/start", json={"purpose": "link"})
            assert 401 == stranger.status_code

    asyncio.run(check())


def test_a_link_is_undone_by_its_owner_who_has_a_password_and_by_an_administrator(provider: Provider) -> None:
    async def check() -> None:
        async with house_at(provider) as here:
            boss, _ = await here.account("Boss", "administrator")
            client, _ = await here.account("Dot")
            assert {"linked": False, "password": True} == (await client.get("/api/me/oidc")).json()
            theirs = browser(here, client.cookies[COOKIE])
            for _ in range(2):
                assert "linked" == await sign_in(theirs, provider, "sub-dot", purpose="link")
                assert 204 == (await theirs.delete("/api/me/oidc")).status_code
                assert {"linked": False, "password": True} == (await theirs.get("/api/me/oidc")).json()
            assert ("Dot", "unlink from the provider") in here.audited()
            stranger = browser(here)
            assert "signed_in" == await sign_in(stranger, provider, "sub-dot")  # to an account of its own
            name = (await stranger.get("/api/me")).json()["name"]
            assert "Dot" != name
            assert {"linked": True, "password": False} == (await stranger.get("/api/me/oidc")).json()
            here.house.people.proof_ms = HOUR_MS
            refused = await stranger.delete("/api/me/oidc")
            assert (409, "only_way_in") == (refused.status_code, refused.json()["code"])
            assert 204 == (await boss.delete(f"/api/people/{name}/oidc", params={"why": "left"})).status_code
            assert 401 == (await stranger.get("/api/me")).status_code
            assert ("Boss", f"unlink {name}") in here.audited()
            assert "signed_in" == await sign_in(browser(here), provider, "sub-dot")
            assert 3 == len(here.house.stores.documents.find("person")) - 1  # the old account stays, without a way in

    asyncio.run(check())


def test_an_account_with_a_second_factor_is_asked_for_it_after_the_provider(provider: Provider) -> None:
    async def check() -> None:
        async with house_at(provider) as here:
            client = browser(here, await here.house.people.sessions.begin((await here.account("Ann"))[1].name))
            assert "linked" == await sign_in(client, provider, "sub-cal", purpose="link")
            secret, _ = await set_up(here, client)
            fresh = browser(here)
            assert "factor_wanted" == await sign_in(fresh, provider, "sub-cal")
            assert 401 == (await fresh.get("/api/me")).status_code
            assert 403 == (await fresh.post("/api/login/code", json={"code": "000000"})).status_code
            given = await fresh.post("/api/login/code", json={"code": app_code(secret, here.now_ms)})
            assert (200, "Ann") == (given.status_code, given.json()["name"])
            assert ("Ann", "sign-in at Acme, second factor asked for") in here.audited()

    asyncio.run(check())


def test_the_provider_confirms_who_moves_money_where_staff_have_no_passwords(provider: Provider) -> None:
    provider.knows("sub-chief", preferred_username="Chief", groups=["Bosses"])
    provider.knows("sub-else", preferred_username="Else", groups=["Bosses"])

    async def check() -> None:
        roles = {"Bosses": "administrator"}
        async with house_at(provider, oidc_roles=roles, oidc_new_accounts="everybody", staff_passwords=False) as here:
            client = browser(here)
            assert "signed_in" == await sign_in(client, provider, "sub-chief")
            assert "signed_in" == await sign_in(browser(here), provider, "sub-else")
            await here.account("Ann")
            money = {"cents": 500, "reference": "in-1", "why": "cash"}
            here.now_ms += HOUR_MS // 4
            assert 403 == (await client.post("/api/wallets/Ann/deposit", json=money)).status_code
            here.now_ms -= HOUR_MS // 4  # the provider's clock is the one on the wall
            session = here.house.people.sessions
            await session.prove_key(here.house.stores.documents.find("session")[0].id)
            address = await begin(client, purpose="confirm", to="/staff")
            asked = parse_qs(urlsplit(address).query)
            assert (["login"], ["0"]) == (asked["prompt"], asked["max_age"])
            to = await asyncio.to_thread(provider.agree, address, "sub-else")
            assert ("/staff", "other_person") == await come_back(client, to)
            here.now_ms += HOUR_MS // 20
            assert "not_believed" == await sign_in(client, provider, "sub-chief", purpose="confirm"), (
                "asked too long ago"
            )
            here.now_ms -= HOUR_MS // 20
            to = await asyncio.to_thread(provider.agree, await begin(client, purpose="confirm"), "sub-chief")
            assert ("/", "confirmed") == await come_back(client, to)
            assert (await client.post("/api/wallets/Ann/deposit", json=money)).is_success

    asyncio.run(check())


def test_staff_sign_in_with_a_password_unless_the_house_forbids_it(provider: Provider) -> None:
    async def check() -> None:
        for allowed in (True, False):
            async with house_at(provider, staff_passwords=allowed) as here:
                await here.account("Flo", "floor")
                await here.account("Pam")
                answer = await log_in(here, "Flo")
                assert (200 if allowed else 403) == answer.status_code
                assert allowed or "staff_provider" == answer.json()["code"]
                wrong = await log_in(here, "Flo", "not the password")
                assert "code" not in wrong.json() or not wrong.json()["code"], "strangers learn nothing"
                assert 200 == (await log_in(here, "Pam")).status_code

    asyncio.run(check())


def test_new_keys_of_the_provider_are_found_and_while_it_is_down_passwords_work(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(network, "KEYS_AGAIN_SECONDS", 0.0)

    async def check() -> None:
        with running_provider(known_clients_alone=False) as first:
            port = urlsplit(first.issuer).port
            async with house_at(first) as here:
                assert "signed_in" == await sign_in(browser(here), first, "sub-ann")
                with_old_keys = browser(here)
                address = await begin(with_old_keys)
                first.stop()
                to = f"{CALLBACK}?code=any&state={parse_qs(urlsplit(address).query)['state'][0]}"
                assert "provider_down" == (await come_back(with_old_keys, to))[1]
                answer = await browser(here).post("/api/oidc/start", json={})
                assert (409, "provider_down") == (answer.status_code, answer.json()["code"])
                assert "Acme" in answer.json()["detail"]
                await here.account("Pam")
                assert 200 == (await log_in(here, "Pam")).status_code
                with running_provider(known_clients_alone=False, port=port or 0) as second:
                    assert "signed_in" == await sign_in(browser(here), second, "sub-ann")

    asyncio.run(check())


def test_a_house_without_a_provider_says_so() -> None:
    async def check() -> None:
        async with house_at(Provider("")) as here:
            client = browser(here)
            assert {"provider": None, "staff_passwords": True, "passkeys": False} == (
                await client.get("/api/sign-in")
            ).json()
            assert 404 == (await client.post("/api/oidc/start", json={})).status_code
            assert 404 == (await client.get("/api/oidc/callback")).status_code

    asyncio.run(check())


@pytest.mark.parametrize(
    ("wanted", "address", "sentence"),
    [
        (
            {"oidc_client_id": ""},
            ADDRESS,
            "expected oidc_client_id, the house's name at its sign-in provider, got none",
        ),
        ({"oidc_issuer": "http://id.example"}, ADDRESS, "expected an https address for oidc_issuer, got"),
        ({}, "http://cards.example", "expected the address at which people reach this house by https"),
        ({"oidc_client_secret_file": "/nowhere/secret"}, ADDRESS, "expected the file of oidc_client_secret_file, got"),
    ],
)
def test_what_is_missing_is_one_sentence_at_the_start(wanted: dict[str, Any], address: str, sentence: str) -> None:
    settings = Settings(**{"oidc_issuer": "https://id.example", "oidc_client_id": "house", **wanted})
    house = House(memory_stores(), node="a", address=address)
    try:
        with pytest.raises(InvalidData, match=sentence):
            oidc_of(house, settings, accounts_of(house))
    finally:
        house.committer.close()


def test_the_secret_may_lie_in_a_file(provider: Provider, tmp_path: Path) -> None:
    file = tmp_path / "secret"
    file.write_text(provider.secret + "\n", encoding="utf-8")

    async def check() -> None:
        async with house_at(provider, oidc_client_secret="", oidc_client_secret_file=str(file)) as here:
            assert "signed_in" == await sign_in(browser(here), provider, "sub-ann")

    asyncio.run(check())
