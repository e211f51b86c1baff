"""Rates: a client that asks too often is told when to come back, and no memory grows with it."""

from __future__ import annotations

import asyncio
import threading

import pytest
from hypothesis import given
from hypothesis import strategies as st

from letitride.server.runtime import rates
from letitride.server.runtime.rates import Buckets, Rate, Rates, network_of
from tests.server.guest import COOKIE
from tests.server.inside import MINUTE_MS, PASSWORD, inside


class Clock:
    def __init__(self) -> None:
        self.now_ms = 0

    def __call__(self) -> int:
        return self.now_ms


@given(waits=st.lists(st.integers(0, 40_000), max_size=40), burst=st.integers(1, 5), a_minute=st.integers(1, 30))
def test_no_one_gets_more_than_the_burst_and_the_rate(waits: list[int], burst: int, a_minute: int) -> None:
    clock, rate = Clock(), Rate(burst, a_minute)
    buckets, got = Buckets(clock), 0
    for wait in waits:
        clock.now_ms += wait
        seconds = buckets.take("x", "ann", rate)
        got += not seconds
        assert got <= burst + clock.now_ms * a_minute / MINUTE_MS + 1e-6
        if seconds:  # and one who waits as long as told gets it
            clock.now_ms += seconds * 1000
            assert buckets.take("x", "ann", rate) == 0
            got += 1


def test_a_clock_that_goes_back_gives_nothing_away() -> None:
    clock = Clock()
    buckets = Buckets(clock)
    assert buckets.take("x", "ann", Rate(1, 60)) == 0
    clock.now_ms = -100_000
    assert buckets.take("x", "ann", Rate(1, 60)) == 1
    clock.now_ms += 1000
    assert buckets.take("x", "ann", Rate(1, 60)) == 0


def test_memory_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rates, "BUCKETS_MAX", 100)
    buckets = Buckets(Clock())
    for number in range(1_000):
        buckets.take("x", str(number), Rate(1, 1))
    assert len(buckets) == 100


def test_an_address_of_version_6_is_a_network() -> None:
    assert network_of("2001:db8:1:2:3:4:5:6") == network_of("2001:db8:1:2::9") == "2001:0db8:0001:0002::/64"
    assert network_of("2001:db8:1:3::9") != network_of("2001:db8:1:2::9")
    assert network_of("::ffff:192.0.2.1") == network_of("192.0.2.1") == "192.0.2.1"
    assert network_of("a unix socket") == "a unix socket"


def test_an_address_gets_only_so_many_guests_and_is_told_when_to_come_back() -> None:
    async def check() -> None:
        async with inside() as here:
            here.house.rates = Rates(guests_from=Rate(2, 6))
            found = [await here.client().post("/api/guest") for _ in range(3)]
            assert [200, 200, 429] == [one.status_code for one in found]
            assert "10" == found[2].headers["retry-after"]
            assert "expected fewer requests, got too many: try again in 10 seconds" == found[2].json()["detail"]
            assert COOKIE not in found[2].cookies
            assert 200 == (await here.client(address="192.0.2.2").post("/api/guest")).status_code
            here.now_ms += 10_000
            assert 200 == (await here.client().post("/api/guest")).status_code

    asyncio.run(check())


def test_logins_are_counted_by_address_and_by_name() -> None:
    async def check() -> None:
        async with inside() as here:
            here.house.rates = Rates(logins_from=Rate(3, 1), logins_as=Rate(2, 1))

            async def login(name: str, address: str) -> int:
                client = here.client(address=address)
                return (await client.post("/api/login", json={"name": name, "password": PASSWORD})).status_code

            assert [403, 403, 429] == [await login(name, "192.0.2.1") for name in ("Ann", "ANN", "ann")]
            assert 403 == await login("Ann", "192.0.2.2")  # what others try keeps no one out
            assert 429 == await login("Bob", "192.0.2.1")  # as anybody
            assert 403 == await login("Bob", "192.0.2.2")

    asyncio.run(check())


def test_calls_are_counted_by_address_and_by_session() -> None:
    async def check() -> None:
        async with inside() as here:
            client, _ = await here.guest()
            here.house.rates = Rates(calls_of=Rate(2, 1))
            assert [200, 200, 429] == [(await client.get("/api/me")).status_code for _ in range(3)]
            elsewhere = here.client(client.cookies[COOKIE], address="192.0.2.9")
            assert 429 == (await elsewhere.get("/api/me")).status_code
            here.house.rates = Rates(calls_from=Rate(1, 1))
            anybody = here.client(address="192.0.2.10")
            assert [200, 429] == [(await anybody.get("/healthz")).status_code for _ in range(2)]

    asyncio.run(check())


def test_a_proxy_is_believed_only_if_it_is_trusted() -> None:
    async def check() -> None:
        async with inside() as here:
            here.house.rates = Rates(guests_from=Rate(1, 1))

            async def arrive(told: str) -> int:
                headers = {"X-Forwarded-For": told}
                return (await here.client().post("/api/guest", headers=headers)).status_code

            assert [200, 429] == [await arrive("198.51.100.1"), await arrive("198.51.100.2")]
            here.house.trusted_proxies = frozenset({"192.0.2.1"})
            # What a client puts before the proxy's own word is nothing.
            assert [200, 429] == [await arrive("1.1.1.1, 198.51.100.3"), await arrive("2.2.2.2, 198.51.100.3")]

    asyncio.run(check())


def test_no_flood_of_requests_keeps_a_table_from_its_store() -> None:
    async def check() -> None:
        async with inside("t1") as here:
            _, ann = await here.account("Ann", cents=10_000)
            assert (await here.sit(ann, "t1", 10_000, seat=1))["accepted"]
            go = threading.Event()
            flood = [asyncio.create_task(asyncio.to_thread(go.wait, 100)) for _ in range(100)]
            try:
                too_early = {"type": "Choose", "seat": 1, "bet": 1, "choice": "ride"}
                assert not (await asyncio.wait_for(here.act(ann, "t1", too_early), 50))["accepted"]
            finally:
                go.set()
                await asyncio.gather(*flood)

    asyncio.run(check())


def test_digests_are_taken_for_one_at_a_time() -> None:
    async def check() -> None:
        async with inside() as here:
            client = here.client()
            answers = await asyncio.gather(*(client.get("/api/digests") for _ in range(20)))
            assert {200, 429} == {one.status_code for one in answers}
            assert 200 == (await client.get("/api/digests")).status_code

    asyncio.run(check())
