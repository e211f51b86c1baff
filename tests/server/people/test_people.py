"""People: sessions that are new at each login and end everywhere, accounts that lock, pages that are our own."""

from __future__ import annotations

import asyncio
import json
import threading
from typing import Any
from unittest.mock import patch

import httpx
import pytest
from websockets.exceptions import ConnectionClosed

from letitride.errors import InvalidData, StoreDown
from letitride.rules.roles import ACCOUNT_ROLES, AccountRole
from letitride.server.people import accounts as people
from letitride.server.people.accounts import LoginRefused, Person
from letitride.server.people.names import check_name
from letitride.server.people.sessions import SESSION_MS, hash_of
from tests.server.conftest import Server
from tests.server.guest import COOKIE, PATIENCE, Guest
from tests.server.inside import DAY_MS, MINUTE_MS, PASSWORD, Inside, inside


async def log_in(client: httpx.AsyncClient, name: str, password: str = PASSWORD) -> httpx.Response:
    return await client.post("/api/login", json={"name": name, "password": password})


def test_a_login_gives_a_new_session_and_ends_the_one_that_was_foisted() -> None:
    async def check() -> None:
        async with inside() as here:
            client, _ = await here.guest()
            before = client.cookies[COOKIE]
            await here.house.people.register("Ann", PASSWORD)
            found = await log_in(client, "Ann")
            after = client.cookies[COOKIE]
            assert found.json() == {"name": "Ann", "guest": False, "roles": ["player"], "weak_password": False}
            assert before != after
            assert len(after) >= 43  # 256 bits
            assert (await here.client(before).get("/api/me")).status_code == 401
            assert (await here.client(after).get("/api/me")).json()["name"] == "Ann"
            kept = [one.id + one.body.decode() for one in here.house.stores.documents.find("session")]
            assert not any(after in one for one in kept)
            assert any(hash_of(after) in one for one in kept)

    asyncio.run(check())


def test_sessions_are_listed_without_secrets_and_ended_one_by_one_or_all_at_once() -> None:
    async def check() -> None:
        async with inside() as here:
            await here.house.people.register("Ann", PASSWORD)
            one, two, three = (here.client() for _ in range(3))
            for client in (one, two, three):
                assert (await log_in(client, "Ann")).status_code == 200
                here.now_ms += 1
            listed = (await one.get("/api/me/sessions")).json()
            assert [True, False, False] == [session["current"] for session in listed]
            assert {"id", "began_ms", "seen_ms", "until_ms", "device", "address", "current"} == set(listed[0])
            assert not any(hash_of(one.cookies[COOKIE]) in json.dumps(session) for session in listed)
            assert (await one.delete(f"/api/me/sessions/{listed[1]['id']}")).status_code == 204
            assert (await one.delete(f"/api/me/sessions/{listed[1]['id']}")).status_code == 404
            assert (await two.get("/api/me")).status_code == 401
            other, _ = await here.account("Bob")
            assert (await other.delete(f"/api/me/sessions/{listed[2]['id']}")).status_code == 404
            assert (await one.post("/api/logout-everywhere")).json() == {"sessions": 2}
            assert (await three.get("/api/me")).status_code == 401
            assert (await other.get("/api/me")).status_code == 200

    asyncio.run(check())


FIREFOX = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0"
PHONE = "Mozilla/5.0 (Linux; Android 15) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0 Mobile Safari/537.36"


def test_a_session_says_on_which_device_it_began_and_when_it_was_last_used_and_the_others_end_at_once() -> None:
    async def check() -> None:
        async with inside() as here:
            await here.house.people.register("Ann", PASSWORD)
            desk, phone, old = (here.client() for _ in range(3))
            for client, agent in ((desk, FIREFOX), (phone, PHONE), (old, "curl/8.1 <script>")):
                client.headers["user-agent"] = agent
                here.house.people.session_addresses = client is not old
                assert (await log_in(client, "Ann")).status_code == 200
                here.now_ms += 1_000
            await phone.get("/api/me")
            listed = (await desk.get("/api/me/sessions")).json()
            assert [
                ("Firefox on Linux", "192.0.2.1", True),
                ("Chrome on Android", "192.0.2.1", False),
                ("curl", "", False),
            ] == [(one["device"], one["address"], one["current"]) for one in listed]
            assert [3_000, 2_000, 0] == [one["seen_ms"] - one["began_ms"] for one in listed]
            assert {"sessions": 2} == (await desk.delete("/api/me/sessions")).json()
            assert [200, 401, 401] == [(await one.get("/api/me")).status_code for one in (desk, phone, old)]
            assert ("Ann", "end 2 other sessions") == here.audited()[-1]

    asyncio.run(check())


def test_an_administrator_sees_where_a_person_is_signed_in_and_ends_it_on_record() -> None:
    async def check() -> None:
        async with inside() as here:
            boss, _ = await here.account("Boss", "administrator")
            dee, _ = await here.account("Dee", "dealer")
            path = "/api/people/dee/sessions"
            assert 403 == (await dee.get("/api/people/Boss/sessions")).status_code
            assert 1 == len((await boss.get(path)).json())
            assert {"sessions": 1} == (await boss.delete(path, params={"why": "a lost phone"})).json()
            assert 401 == (await dee.get("/api/me")).status_code
            assert [] == (await boss.get(path)).json()
            *_, row = here.house.stores.audit.rows()
            assert ("Boss", "end sessions Dee", "a lost phone") == (row.who, row.what, row.why)
            assert 404 == (await boss.get("/api/people/Nobody/sessions")).status_code

    asyncio.run(check())


def test_a_new_password_ends_all_other_sessions() -> None:
    async def check() -> None:
        async with inside() as here:
            mine, _ = await here.account("Ann")
            elsewhere = here.client()
            await log_in(elsewhere, "Ann")
            wrong = await mine.post("/api/me/password", json={"old": "not my password", "new": "another password"})
            assert wrong.status_code == 403
            short = await mine.post("/api/me/password", json={"old": PASSWORD, "new": "short"})
            assert short.status_code == 422
            assert (await elsewhere.get("/api/me")).status_code == 200
            done = await mine.post("/api/me/password", json={"old": PASSWORD, "new": "another password"})
            assert done.status_code == 204
            assert (await mine.get("/api/me")).json()["name"] == "Ann"
            assert (await elsewhere.get("/api/me")).status_code == 401
            assert (await log_in(here.client(), "Ann")).status_code == 403
            assert (await log_in(here.client(), "Ann", "another password")).status_code == 200

    asyncio.run(check())


def test_sessions_expire_and_are_forgotten() -> None:
    async def check() -> None:
        async with inside() as here:
            client, _ = await here.guest()
            waits = asyncio.create_task(here.house.people.sessions.until_ended(hash_of(client.cookies[COOKIE])))
            here.now_ms += SESSION_MS - 1
            await here.house.people.sessions.check_open()
            assert (await client.get("/api/me")).status_code == 200
            assert not waits.done()
            assert await here.house.people.sessions.forget_expired() == 0
            here.now_ms += 1
            assert (await client.get("/api/me")).status_code == 401
            await here.house.people.sessions.check_open()
            await asyncio.wait_for(waits, 60)
            assert await here.house.people.sessions.forget_expired() == 1
            assert here.house.stores.documents.find("session") == []

    asyncio.run(check())


def test_a_wrong_password_and_a_name_that_no_account_has_are_answered_alike() -> None:
    async def check() -> None:
        async with inside() as here:
            await here.house.people.register("Ann", PASSWORD)
            answers = [await log_in(here.client(), *one) for one in (("Ann", "a wrong password"), ("Zoe", PASSWORD))]
            assert {(403, answers[0].text)} == {(one.status_code, one.text) for one in answers}

    asyncio.run(check())


def test_a_failure_costs_one_hash_and_one_write_whether_the_account_is_there_or_not() -> None:
    async def check() -> None:
        async with inside() as here:
            await here.house.people.register("Ann", PASSWORD)
            hashed: list[str] = []
            written: list[str] = []
            verify, add = here.house.people.passwords.verify, here.house.stores.audit.add

            async def counted_verify(kept: str, password: str) -> bool:
                hashed.append(password)
                return await verify(kept, password)

            def counted_add(at: int, who: str, what: str, why: str) -> None:
                written.append(what)
                add(at, who, what, why)

            here.house.people.passwords.verify = counted_verify
            here.house.stores.audit.add = counted_add
            costs = []
            for name in ("Ann", "Nobody"):
                with pytest.raises(LoginRefused):
                    await here.house.people.login(name, "a wrong password")
                costs.append((len(hashed), len(written)))
            assert [(1, 1), (2, 2)] == costs

    asyncio.run(check())


MISLEADING = ("", " Ann", "Ann ", "A" * 25, "Ann  Lee", "a/b", "a:b", "a\u200bb", "\x00", "Аnn")
OF_THE_HOUSE = ("house", "HOUSE", "Dealer", "floor", "Table", "automatic", "out", "Bot 7", "Guest-00000001", "ｇuest-1")


def test_a_name_that_misleads_is_refused() -> None:
    async def check() -> None:
        async with inside() as here:
            for name in (*MISLEADING, *OF_THE_HOUSE):
                here.now_ms += MINUTE_MS
                found = await here.client().post("/api/accounts", json={"name": name, "password": PASSWORD})
                assert found.status_code == 422, name
                assert found.json()["detail"].startswith("expected a name"), name

    asyncio.run(check())


def test_names_that_look_the_same_are_the_same() -> None:
    async def check() -> None:
        async with inside() as here:
            client = here.client()
            assert (await client.post("/api/accounts", json={"name": "Anna", "password": PASSWORD})).status_code == 201
            for name in ("ANNA", "anna", "Ａnna"):
                found = await client.post("/api/accounts", json={"name": name, "password": PASSWORD})
                assert found.status_code == 422
            assert (await log_in(client, "aNNa")).json()["name"] == "Anna"

    asyncio.run(check())


def test_the_house_may_name_its_own_people_after_their_work() -> None:
    check_name("Floor", staff=True)
    with pytest.raises(InvalidData):
        check_name("Guest-1", staff=True)


def test_other_roles_end_the_sessions_of_the_old_ones_and_the_audit_is_read_in_pages() -> None:
    async def check() -> None:
        async with inside() as here:
            client, _ = await here.account("Ann")
            assert (await client.get("/api/audit")).status_code == 403
            await here.house.people.set_roles("ann", ("player", "inspector"))
            assert (await client.get("/api/me")).status_code == 401
            await log_in(client, "Ann")
            here.house.stores.audit.add(here.now_ms, "Boss", "roles Ann player inspector", "needed at night")
            seen = (await client.get("/api/audit", params={"limit": 1, "latest": True})).json()
            assert ["roles Ann player inspector"] == [row["what"] for row in seen]
            assert [] == (await client.get("/api/audit", params={"after": seen[0]["number"]})).json()
            for bad in ({"after": -1}, {"limit": 0}, {"limit": "many"}, {"after": 2**63}):
                assert (await client.get("/api/audit", params=bad)).status_code == 422
            with pytest.raises(InvalidData):
                await here.house.people.set_roles("Ben", ("player",))

    asyncio.run(check())


WHY = {"why": "to see"}
AMOUNT = {"cents": 1, "reference": "r", **WHY}
OPEN_TO: list[tuple[str, str, dict[str, Any] | None, set[AccountRole]]] = [
    ("GET", "/api/me", None, set(ACCOUNT_ROLES)),
    ("GET", "/api/me/sessions", None, set(ACCOUNT_ROLES)),
    ("GET", "/api/me/limits", None, set(ACCOUNT_ROLES)),
    ("PATCH", "/api/me/limits", {}, set(ACCOUNT_ROLES)),
    ("GET", "/api/me/wallet", None, set(ACCOUNT_ROLES)),
    ("GET", "/api/audit", None, {"inspector", "administrator"}),
    ("POST", "/api/wallets/Zoe/deposit", AMOUNT, {"administrator"}),
    ("POST", "/api/wallets/Zoe/withdraw", {**AMOUNT, "reference": "s"}, {"administrator"}),
    ("PATCH", "/api/people/Zoe/limits", WHY, {"administrator"}),
    ("POST", "/api/people/Zoe/exclusion", {"days": 1, **WHY}, {"administrator"}),
    ("PUT", "/api/tables/t1/limits", WHY, {"floor", "casino_supervisor", "administrator"}),
]


def test_every_role_opens_just_its_own_doors() -> None:
    async def check() -> None:
        async with inside("t1") as here:
            await here.account("Zoe", cents=10_000)
            clients: dict[AccountRole, httpx.AsyncClient] = {}
            for number, role in enumerate(ACCOUNT_ROLES):
                clients[role] = (await here.account(f"P{number}", role))[0]
            for method, path, body, roles in OPEN_TO:
                anonymous = await here.client().request(method, path, json=body)
                made_up = await here.client("made up").request(method, path, json=body)
                assert 401 == anonymous.status_code == made_up.status_code, path
                for role, client in clients.items():
                    found = await client.request(method, path, json=body)
                    assert found.is_success if role in roles else found.status_code == 403, (role, path, found.text)

    asyncio.run(check())


def test_a_cookie_is_secure_where_the_connection_is() -> None:
    async def cookie(here: Inside, base: str, **headers: str) -> str:
        found = await here.client(base=base).post("/api/guest", headers=headers)
        return found.headers["set-cookie"].lower()

    async def check() -> None:
        async with inside() as here:
            plain = await cookie(here, "http://house")
            assert "httponly" in plain
            assert "samesite=strict" in plain
            assert "secure" not in plain
            assert "secure" in await cookie(here, "https://house")
            forwarded = {"X-Forwarded-Proto": "https"}
            assert "secure" not in await cookie(here, "http://house", **forwarded)
            here.house.trusted_proxies = frozenset({"192.0.2.1"})
            assert "secure" in await cookie(here, "http://house", **forwarded)

    asyncio.run(check())


def test_over_https_a_cookie_is_this_hosts_alone_and_no_other_is_believed() -> None:
    async def check() -> None:
        async with inside() as here:
            login = {"name": "Ann", "password": "swordfish and chips"}
            secure, plain = here.client(base="https://house"), here.client(base="http://house")
            assert (await secure.post("/api/accounts", json=login)).status_code == 201
            found = await secure.post("/api/login", json=login)
            set_cookies = found.headers.get_list("set-cookie")
            assert {"__Host-letitride_session", "__Host-letitride_device"} == {
                one.partition("=")[0] for one in set_cookies
            }
            for one in set_cookies:
                parts = {part.strip().lower().partition("=")[0] for part in one.split(";")[1:]}
                assert {"secure", "httponly", "samesite", "path", "max-age"} == parts
                assert "Path=/;" in one
            token = found.cookies["__Host-letitride_session"]
            assert (await secure.get("/api/me")).json()["name"] == "Ann"
            foisted = here.client(token, base="https://house")  # as another host of the same site could set it
            assert (await foisted.get("/api/me")).status_code == 401
            assert (await here.client(token, base="http://house").get("/api/me")).json()["name"] == "Ann"
            assert [COOKIE] == [one.name for one in (await plain.post("/api/guest")).cookies.jar]
            ended = await secure.post("/api/logout")
            assert ended.headers["set-cookie"].startswith('__Host-letitride_session="";')
            assert "secure" in ended.headers["set-cookie"].lower()
            assert (await secure.get("/api/me")).status_code == 401

    asyncio.run(check())


@pytest.mark.parametrize(
    ("origin", "status"),
    [
        (None, 200),
        ("http://house", 200),
        ("https://friend.example", 200),
        ("https://elsewhere.example", 403),
        ("http://house.elsewhere.example", 403),
        ("null", 403),
        ("http://[", 403),
    ],
)
def test_only_our_own_pages_and_those_on_the_list_change_anything(origin: str | None, status: int) -> None:
    async def check() -> None:
        async with inside() as here:
            here.house.origins = frozenset({"https://friend.example"})
            headers = {} if origin is None else {"Origin": origin}
            found = await here.client().post("/api/guest", headers=headers)
            assert found.status_code == status
            assert (COOKIE in found.cookies) == (status == 200)
            assert (await here.client().get("/api/tables", headers=headers)).status_code == 200

    asyncio.run(check())


class Watched:
    """A hasher that goes on only when it has seen that the loop and the committer do."""

    def __init__(self, hasher: Any, turn: threading.Event) -> None:
        self._hasher, self._turn = hasher, turn

    def hash(self, password: str) -> str:
        """Hash, once others have had their turn."""
        self._turn.clear()
        assert self._turn.wait(20)
        return str(self._hasher.hash(password))


def test_hashes_are_made_neither_on_the_loop_nor_where_tables_write() -> None:
    async def check() -> None:
        async with inside() as here:
            turn = threading.Event()

            async def take_turns() -> None:
                while True:
                    await here.house.committer.run(turn.set)

            turning = asyncio.create_task(take_turns())
            hashing = here.house.people.passwords
            hashing._hasher = Watched(hashing._hasher, turn)
            await here.house.people.register("Ann", PASSWORD)
            turning.cancel()

    asyncio.run(check())


def test_a_socket_ends_with_its_session(server: Server) -> None:
    async def check() -> None:
        guest = Guest(server.base, "hand-dealt-1")
        await guest.arrive()
        async with httpx.AsyncClient(
            base_url=server.base, cookies={COOKIE: guest.cookie}, timeout=PATIENCE, verify=False
        ) as client:
            socket = await guest.connect()
            await asyncio.wait_for(socket.recv(), 60)
            assert (await client.post("/api/logout")).status_code == 204

            async def read_all() -> None:
                while True:
                    await asyncio.wait_for(socket.recv(), 60)

            with pytest.raises(ConnectionClosed) as closed:
                await read_all()
            assert closed.value.rcvd is not None
            assert closed.value.rcvd.code == 1008

    asyncio.run(check())


def test_guests_have_chips_and_no_password() -> None:
    async def check() -> None:
        async with inside() as here:
            client, person = await here.guest()
            assert isinstance(person, Person)
            assert (await client.get("/api/me")).json()["wallet_cents"] == people.PLAY_CENTS
            assert (await log_in(here.client(), person.name, "")).status_code == 403
            here.now_ms += DAY_MS
            assert (await client.get("/api/me")).status_code == 401

    asyncio.run(check())


def test_a_connection_made_while_the_store_is_away_ends_with_its_session_all_the_same() -> None:
    async def check() -> None:
        async with inside() as here:
            sessions = here.house.people.sessions
            token = await sessions.begin("Ann")

            asked = threading.Event()

            def away(_: str) -> None:
                asked.set()
                raise StoreDown("the database is away")

            with patch.object(sessions, "_valid", away):
                waiting = asyncio.create_task(sessions.until_ended(hash_of(token)))
                assert await asyncio.to_thread(asked.wait, 60)
            assert not waiting.done()
            await sessions.end(token)
            await asyncio.wait_for(waiting, 60)

    asyncio.run(check())


def test_a_house_without_a_setup_code_looks_through_no_accounts_for_strangers() -> None:
    async def check() -> None:
        async with inside() as here:
            wanted = {"code": "A", "name": "Eve", "password": PASSWORD}
            with patch.object(here.house.people, "administrators", side_effect=AssertionError):
                assert 409 == (await here.client().post("/api/setup", json=wanted)).status_code

    asyncio.run(check())
