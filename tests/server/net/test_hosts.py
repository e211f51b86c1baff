"""Hosts: a house answers to its own names alone, so that no other site passes its name off as the house's."""

from __future__ import annotations

import asyncio

import httpx
import pytest
from websockets.asyncio.client import connect

from letitride.server.ops.settings import Settings
from letitride.server.running import make_house
from letitride.server.runtime.hosts import Hosts
from letitride.storage.memory.opening import memory_stores
from tests.server.guest import PATIENCE
from tests.server.inside import inside
from tests.server.staffed import open_house, serving

EVERYWHERE = "0.0.0.0"  # noqa: S104 - nothing listens there
HOME = Hosts.of("127.0.0.1", ("http://127.0.0.1:8765",), ())


@pytest.mark.parametrize(
    ("hosts", "asked", "known"),
    [
        (HOME, "localhost:8765", True),
        (HOME, "LOCALHOST", True),
        (HOME, "cards.localhost:8765", True),
        (HOME, "127.0.0.1:8765", True),
        (HOME, "127.1.2.3", True),
        (HOME, "[::1]:8765", True),
        (HOME, "evil.example:8765", False),
        (HOME, "localhost.evil.example", False),
        (HOME, "evillocalhost", False),
        (HOME, "192.168.1.7:8765", False),
        (HOME, "", False),
        (HOME, "[", False),
        (Hosts.of(EVERYWHERE, (), ()), "192.168.1.7:8765", True),
        (Hosts.of("::", (), ()), "[fd00::7]:8765", True),
        (Hosts.of("::", (), ()), "evil.example", False),
        (Hosts.of("192.168.1.7", (), ()), "192.168.1.7:8765", True),
        (Hosts.of("192.168.1.7", (), ()), "192.168.1.8:8765", False),
        (Hosts.of(EVERYWHERE, (), ("Cards.Example",)), "cards.example.:443", True),
        (Hosts.of(EVERYWHERE, ("https://cards.example:8443", "https://play.example"), ()), "play.example", True),
        (Hosts.of(EVERYWHERE, ("https://cards.example:8443",), ()), "cards.example", True),
    ],
)
def test_a_name_is_the_houses_own_or_not(hosts: Hosts, asked: str, known: bool) -> None:
    assert known == hosts.knows(asked)


def test_a_house_that_is_served_answers_to_its_own_names_alone() -> None:
    async def ask() -> dict[str, httpx.Response]:
        async with inside("t1") as here:
            made = make_house(Settings(host_names=("cardbox",)), memory_stores(), "http://127.0.0.1:8765")
            here.house.hosts = made.hosts
            made.committer.close()
            client = here.client()
            hosts = ("localhost:8765", "127.0.0.1:8765", "cardbox:8765", "rebound.example:8765")
            return {host: await client.get("/api/tables", headers={"Host": host}) for host in hosts}

    found = asyncio.run(ask())
    assert [200, 200, 200, 403] == [one.status_code for one in found.values()]
    assert found["rebound.example:8765"].json()["detail"] == (
        "expected a request to a name of this house, got one to 'rebound.example': "
        "if that is its name, add it to the setting host_names"
    )


def test_a_page_under_a_name_that_points_here_opens_no_socket_and_is_told_why() -> None:
    """The attack itself: the other site's name leads to this machine, so its page's origin is the host it asks."""

    async def ask() -> httpx.Response:
        async with open_house("hand-dealt-1") as house, serving(house) as base:
            house.hosts = HOME
            port = base.rpartition(":")[2]
            rebound = f"rebound.example:{port}"
            async with httpx.AsyncClient(base_url=base, timeout=PATIENCE) as client:
                cookie = (await client.post("/api/guest")).cookies["letitride_session"]
            opening = {
                "Connection": "Upgrade",
                "Upgrade": "websocket",
                "Sec-WebSocket-Version": "13",
                "Sec-WebSocket-Key": "AAAAAAAAAAAAAAAAAAAAAA==",
                "Cookie": f"letitride_session={cookie}",
            }
            address = f"{base}/api/tables/hand-dealt-1/socket"
            async with connect(address.replace("http", "ws"), additional_headers={"Cookie": opening["Cookie"]}):
                pass
            async with httpx.AsyncClient(headers=opening, timeout=PATIENCE) as client:
                return await client.get(address, headers={"Host": rebound, "Origin": f"http://{rebound}"})

    answer = asyncio.run(ask())
    assert 403 == answer.status_code
    assert "got one to 'rebound.example'" in answer.json()["detail"]
    assert "nosniff" == answer.headers["x-content-type-options"]
