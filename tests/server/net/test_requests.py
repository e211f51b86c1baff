"""Requests: what the server makes of requests that no page of its own sends: it traces and lists nothing, and redirects to itself alone."""

from __future__ import annotations

import asyncio

import httpx
import pytest

from tests.server.inside import inside
from tests.server.staffed import open_house, serving

TWO_ENDS = {
    "a length beside chunks": "Content-Length: 4\r\nTransfer-Encoding: chunked",
    "two lengths": "Content-Length: 0\r\nContent-Length: 5",
    "chunks that are none": "Transfer-Encoding: xchunked",
    "a name with a blank": "Content-Length : 5",
}


@pytest.fixture(scope="module")
def told() -> dict[str, bytes]:
    """What a server says to requests whose end can be read in two ways, each on a connection of its own."""

    async def ask(port: int, headers: str) -> bytes:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(f"POST /api/guest HTTP/1.1\r\nHost: localhost\r\n{headers}\r\n\r\n0\r\n\r\n".encode())
        writer.write(b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n")
        found = await reader.read()
        writer.close()
        return found

    async def ask_all() -> dict[str, bytes]:
        async with open_house() as house, serving(house) as base:
            port = int(base.rpartition(":")[2])
            return {name: await ask(port, headers) for name, headers in TWO_ENDS.items()}

    return asyncio.run(ask_all())


@pytest.mark.parametrize("name", TWO_ENDS)
def test_a_request_whose_end_can_be_read_in_two_ways_is_refused_and_nothing_after_it_is_read(
    name: str, told: dict[str, bytes]
) -> None:
    assert told[name].startswith(b"HTTP/1.1 400 ")
    assert b"200 OK" not in told[name]
    assert b"set-cookie" not in told[name].lower()


def test_nothing_is_traced_listed_or_redirected_elsewhere_and_no_other_origin_is_let_in() -> None:
    async def ask() -> dict[str, httpx.Response]:
        async with inside("t1") as here:
            client = here.client()
            asked = {
                "traced": ("TRACE", "/api/tables"),
                "listed": ("GET", "/assets/"),
                "climbed": ("GET", "/assets/..%2fapp.py"),
                "hidden": ("GET", "/.git/config"),
                "slashed": ("GET", "/api/tables/"),
                "data": ("GET", "/api/tables"),
                "page": ("GET", "/api/docs"),
            }
            elsewhere = {"Origin": "https://elsewhere.example"}
            return {
                name: await client.request(*words, headers=elsewhere if words[0] == "GET" else {})
                for name, words in asked.items()
            }

    answers = asyncio.run(ask())
    codes = {name: one.status_code for name, one in answers.items()}
    found = {"data": 200, "page": 200}
    assert {"traced": 405, "listed": 404, "climbed": 404, "hidden": 404, "slashed": 307} | found == codes
    assert ["http://house/api/tables"] == [one.headers["location"] for one in answers.values() if one.is_redirect]
    assert [] == [name for name, one in answers.items() if any("access-control" in header for header in one.headers)]
    kinds = {name: answers[name].headers["content-type"] for name in found}
    assert {"data": "application/json", "page": "text/html; charset=utf-8"} == kinds


def test_no_one_gets_a_role_by_asking_for_it_while_registering() -> None:
    async def ask() -> tuple[httpx.Response, list[str]]:
        async with inside() as here:
            wanted = {"name": "Ann", "password": "swordfish and chips", "roles": ["administrator"], "disabled": True}
            answer = await here.client().post("/api/accounts", json=wanted)
            return answer, list(here.house.people.find("Ann").roles)

    answer, roles = asyncio.run(ask())
    assert 201 == answer.status_code
    assert ["player"] == roles == answer.json()["roles"]
