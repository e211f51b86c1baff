"""Password attempts: wrong passwords make their source wait, never the account's owner; and all of it is on record with its source."""

from __future__ import annotations

import asyncio

import httpx
import pytest

from letitride.server.people.accounts import LoginRefused
from letitride.server.people.password_attempts import (
    FREE,
    KEPT_MAX,
    PRESSED,
    WAIT_SECONDS_MAX,
    PasswordAttempts,
    TryLater,
)
from letitride.server.people.sign_in_record import OTHERS, ROWS_FROM_SOURCE, ROWS_OF_KIND, SUMS_MAX, SignInRecord
from letitride.server.runtime.rates import Rate, Rates
from letitride.server.runtime.write_batching import Committer
from letitride.storage.memory.opening import memory_stores
from tests.server.inside import HOUR_MS, PASSWORD, Inside, inside

WRONG = "a wrong password"


async def log_in(client: httpx.AsyncClient, name: str, password: str = PASSWORD) -> httpx.Response:
    return await client.post("/api/login", json={"name": name, "password": password})


async def tries(here: Inside, number: int, name: str = "Ann", address: str = "192.0.2.1") -> list[int]:
    client = here.client(address=address)
    return [(await log_in(client, name, WRONG)).status_code for _ in range(number)]


def test_wrong_passwords_of_one_address_do_not_keep_the_owner_out() -> None:
    async def check() -> None:
        async with inside() as here:
            await here.house.people.register("Ann", PASSWORD)
            assert [403] * FREE + [429] * 3 == await tries(here, FREE + 3)
            assert 429 == (await log_in(here.client(), "Ann")).status_code
            assert 200 == (await log_in(here.client(address="198.51.100.7"), "Ann")).status_code
            await here.house.people.record.write_counts()
            assert ("house", "4 more failed sign-ins") == here.audited()[-1]

    asyncio.run(check())


def test_wrong_passwords_of_many_addresses_do_not_keep_the_owner_out() -> None:
    async def check() -> None:
        async with inside() as here:
            await here.house.people.register("Ann", PASSWORD)
            for number in range(PRESSED):
                await tries(here, 1, address=f"192.0.2.{number}")
            assert here.house.people.tries.is_under_attack("ann")
            assert here.house.people.is_locked(here.house.people.find("Ann"))
            assert [403, 429] == await tries(here, 2, address="203.0.113.5")  # one try, where five were free before
            assert 200 == (await log_in(here.client(address="198.51.100.7"), "Ann")).status_code

    asyncio.run(check())


def test_a_device_of_the_account_waits_for_its_own_wrong_passwords_alone() -> None:
    async def check() -> None:
        async with inside() as here:
            await here.house.people.register("Ann", PASSWORD)
            mine = here.client()
            assert 200 == (await log_in(mine, "Ann")).status_code
            await mine.post("/api/logout")
            assert 429 == (await tries(here, FREE + 1))[-1]  # from the same address
            assert 200 == (await log_in(mine, "Ann")).status_code
            await here.house.people.register("Eve", PASSWORD)
            assert 200 == (await log_in(here.client(), "Eve")).status_code  # an address waits for each name apart
            theirs = here.client()
            theirs.cookies.set("letitride_device", "1." + "0" * 64)
            assert 429 == (await log_in(theirs, "Ann")).status_code

    asyncio.run(check())


def test_a_new_password_makes_strangers_of_all_devices() -> None:
    async def check() -> None:
        async with inside() as here:
            await here.house.people.register("Ann", PASSWORD)
            mine, stolen = here.client(), here.client()
            await log_in(mine, "Ann")
            stolen.cookies.set("letitride_device", mine.cookies["letitride_device"])
            new = {"old": PASSWORD, "new": "another password"}
            assert 204 == (await mine.post("/api/me/password", json=new)).status_code
            await tries(here, FREE)
            assert 429 == (await log_in(stolen, "Ann", WRONG)).status_code
            assert 200 == (await log_in(mine, "Ann", "another password")).status_code

    asyncio.run(check())


def test_the_wait_doubles_up_to_a_quarter_of_an_hour_and_says_how_long() -> None:
    async def check() -> None:
        async with inside() as here:
            await here.house.people.register("Ann", PASSWORD)
            here.house.rates = Rates(logins_as=Rate(100, 100))  # which is another matter
            client, waits = here.client(), []
            await tries(here, FREE)
            for _ in range(12):
                refused = await log_in(client, "Ann", WRONG)
                assert 429 == refused.status_code
                seconds = int(refused.headers["Retry-After"])
                assert f"try again in {seconds} second" in refused.json()["detail"]
                waits.append(seconds)
                here.now_ms += 1000 * seconds
                assert 403 == (await log_in(client, "Ann", WRONG)).status_code
            assert [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 900, 900] == waits
            here.now_ms += 1000 * WAIT_SECONDS_MAX
            assert 200 == (await log_in(client, "Ann")).status_code

    asyncio.run(check())


def test_of_many_wrong_passwords_at_once_none_comes_too_soon() -> None:
    async def check() -> None:
        async with inside() as here:
            await here.house.people.register("Ann", PASSWORD)
            login = here.house.people.login
            found = await asyncio.gather(*(login("Ann", WRONG) for _ in range(20)), return_exceptions=True)
            assert FREE == sum(isinstance(one, LoginRefused) for one in found)
            assert 20 - FREE == sum(isinstance(one, TryLater) for one in found)

    asyncio.run(check())


def test_an_address_that_tries_many_names_waits_for_each_of_them() -> None:
    now = [0]
    tries = PasswordAttempts(lambda: now[0])
    for number in range(20):
        tries.begin("192.0.2.1", f"name {number}", known=False)
    with pytest.raises(TryLater, match="in 1 second"):
        tries.begin("192.0.2.1", "another", known=False)
    tries.begin("192.0.2.2", "another", known=False)
    now[0] += HOUR_MS + 1
    tries.begin("192.0.2.1", "another", known=False)


def test_what_is_remembered_of_tries_is_bounded() -> None:
    tries = PasswordAttempts(lambda: 0)
    for number in range(KEPT_MAX + 10):
        tries.begin(f"source {number}", f"name {number}", known=False)
    assert [KEPT_MAX] * 3 == [len(one) for one in (tries._pairs, tries._sources, tries._names)]


def test_sign_ins_failures_sign_outs_and_refusals_are_on_record_with_their_source() -> None:
    async def check() -> None:
        async with inside() as here:
            await here.house.people.register("Ann", PASSWORD)
            await here.house.people.register("Ira", PASSWORD, ("player", "inspector"))
            here.house.trusted_proxies = frozenset({"192.0.2.1"})
            proxy = here.client()
            proxy.headers.update({"X-Forwarded-For": "10.9.9.9, 2001:db8::7", "User-Agent": "curl/8.1"})
            assert 403 == (await log_in(proxy, "ann", WRONG)).status_code
            assert 403 == (await log_in(proxy, PASSWORD, WRONG)).status_code
            assert 200 == (await log_in(proxy, "Ann")).status_code
            assert 403 == (await proxy.get("/api/audit")).status_code
            assert 204 == (await proxy.post("/api/logout")).status_code
            ira = here.client(address="198.51.100.7")
            await log_in(ira, "Ira")
            seen = (await ira.get("/api/audit")).json()
            assert [
                ("unknown person", "failed sign-in as Ann", "from 2001:db8::7, curl"),
                ("unknown person", "failed sign-in as an unknown name", "from 2001:db8::7, curl"),
                ("Ann", "sign-in", "from 2001:db8::7, curl"),
                ("Ann", "refused: GET /api/audit", "from 2001:db8::7"),
                ("Ann", "sign-out", "from 2001:db8::7"),
                ("Ira", "sign-in", "from 198.51.100.7, python-httpx"),
            ] == [(row["who"], row["what"], row["why"]) for row in seen]
            assert PASSWORD not in str(seen)

    asyncio.run(check())


def test_a_flood_of_failures_is_counted_and_does_not_fill_the_store() -> None:
    async def check() -> None:
        stores, now = memory_stores(), [HOUR_MS]
        committer = Committer(stores.journal)
        record = SignInRecord(stores.audit, committer, lambda: now[0])
        for _ in range(1_000):
            await record.add("failed sign-in", "unknown person", "failed sign-in as Ann", "192.0.2.1")
        for number in range(5_000):
            await record.add("failed sign-in", "unknown person", "failed sign-in as Ann", f"source {number}")
        await record.add("sign-in", "Ann", "sign-in", "198.51.100.7")  # another kind has room of its own
        now[0] += HOUR_MS
        await record.add("failed sign-in", "unknown person", "failed sign-in as Ann", "192.0.2.1")
        rows = list(stores.audit.rows())
        committer.close()
        sums = [(row.what, row.why) for row in rows if row.who == "house"]
        assert ROWS_OF_KIND + 1 + len(sums) + 1 == len(rows)
        assert (f"{1_000 - ROWS_FROM_SOURCE} more failed sign-ins", "from 192.0.2.1, within an hour") == sums[0]
        assert SUMS_MAX + 1 == len(sums)
        assert f"from {OTHERS}, within an hour" == sums[-1][1]
        assert 6_000 - ROWS_OF_KIND == sum(int(what.split()[0]) for what, _ in sums)

    asyncio.run(check())
