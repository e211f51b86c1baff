"""Headers: every answer says how it may be used: what is refused, what is not there, what broke, files and pages alike."""

from __future__ import annotations

import asyncio
import re

import httpx
from fastapi import FastAPI
from starlette.routing import Route

from letitride.server.app import ROUTERS, create
from letitride.server.net.bodies import BODY_MAX
from letitride.server.runtime.rates import Rate, Rates, changed
from tests.server.inside import Inside, inside
from tests.server.staffed import open_house, serving, session

ALWAYS = {
    "x-content-type-options": "nosniff",
    "referrer-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
}


def check(answer: httpx.Response, *, https: bool = False) -> None:
    said = answer.headers
    where = f"{answer.request.method} {answer.request.url} {answer.status_code}"
    assert ALWAYS == {name: said.get(name) for name in ALWAYS}, where
    policy = {part.split()[0]: part.split()[1:] for part in said["content-security-policy"].split("; ")}
    assert ["'none'"] == policy["default-src"] == policy["frame-ancestors"] == policy["base-uri"], where
    assert policy.get("script-src", []) in ([], ["'self'"]), where
    assert ("max-age=31536000; includeSubDomains" if https else None) == said.get("strict-transport-security"), where
    assert 1 == len(said.get_list("content-security-policy")) == len(said.get_list("cache-control")), where
    assert "server" not in said


async def walk(here: Inside, client: httpx.AsyncClient) -> list[httpx.Response]:
    """Ask every address there is, and some there are not, by every way."""
    wanted = []
    for route in (route for router in ROUTERS for route in router.routes if isinstance(route, Route)):
        path = re.sub(r"\{[^}]*\}", "1", re.sub(r"\{table_id[^}]*\}", "t1", route.path))
        wanted += [(method, path) for method in (*sorted(route.methods or ()), "OPTIONS")]
    ours = here.app.state.pages.is_built and next(name for name in here.app.state.pages._files if name.endswith(".js"))
    wanted += [("GET", path) for path in ("/", "/api/nothing", "/nothing.txt", "/assets/none.js", f"/assets/{ours}")]
    found = [await client.request(method, path) for method, path in wanted]
    return [
        *found,
        await client.post("/api/login", content=b"x" * (BODY_MAX + 1)),
        await client.post("/api/login", content=b"{"),
        await client.post("/api/login", json={}, headers={"Origin": "https://elsewhere.example"}),
        await client.get("/api/tables/private-none/state"),
    ]


def test_every_answer_says_how_it_may_be_used() -> None:
    async def ask() -> list[httpx.Response]:
        async with inside("t1") as here:
            here.house.rates = changed(here.house.rates, dict.fromkeys(Rates.__struct_fields__, 1e6))
            anonymous, boss = here.client(), here.client(await session(here.house, "Boss", "administrator"))
            found = [*await walk(here, anonymous), *await walk(here, boss)]
            here.house.rates = Rates(calls_from=Rate(1, 1))
            return [*found, await anonymous.get("/"), await anonymous.get("/")]

    answers = asyncio.run(ask())
    for one in answers:
        check(one)
    seen = {one.status_code for one in answers}
    assert {200, 204, 401, 403, 404, 405, 413, 422, 429} <= seen
    kept = {one.request.url.path for one in answers if one.headers["cache-control"] != "no-store"}
    assert all(path.startswith("/assets/") or not path.startswith("/api") for path in kept)
    assert any(path.startswith("/assets/") for path in kept)


def test_an_error_of_our_own_says_nothing_of_itself_and_is_as_hard() -> None:
    async def ask() -> httpx.Response:
        async with inside("t1") as here:
            app: FastAPI = create(here.house, demo=False)

            def breaks() -> None:
                raise RuntimeError("the password is swordfish")

            app.router.routes.insert(0, Route("/breaks", lambda _: breaks()))
            transport = httpx.ASGITransport(app, raise_app_exceptions=False)
            async with httpx.AsyncClient(transport=transport, base_url="http://house") as client:
                return await client.get("/breaks")

    answer = asyncio.run(ask())
    check(answer)
    assert (500, "no-store") == (answer.status_code, answer.headers["cache-control"])
    assert "swordfish" not in answer.text
    assert "expected an answer" in answer.json()["detail"]


def test_who_came_by_https_is_told_to_come_by_nothing_else() -> None:
    async def ask() -> tuple[list[httpx.Response], list[httpx.Response]]:
        async with inside("t1") as here:
            here.house.trusted_proxies = frozenset({"192.0.2.9"})
            by_https = {"X-Forwarded-Proto": "https", "X-Forwarded-For": "198.51.100.7"}
            proxied, foreign = here.client(address="192.0.2.9"), here.client()
            paths = ("/", "/api/tables", "/api/me", "/api/nothing")
            return (
                [await proxied.get(path, headers=by_https) for path in paths],
                [await foreign.get(path, headers=by_https) for path in paths],
            )

    proxied, foreign = asyncio.run(ask())
    for one in proxied:
        check(one, https=True)
    for one in foreign:
        check(one)


def test_a_report_as_html_may_have_style_and_nothing_that_runs() -> None:
    async def ask() -> httpx.Response:
        async with inside("t1") as here:
            boss = here.client(await session(here.house, "Boss", "administrator"))
            return await boss.get("/api/tables/t1/shift?format=html")

    answer = asyncio.run(ask())
    check(answer)
    assert "style-src 'unsafe-inline'" in answer.headers["content-security-policy"]
    assert "; sandbox" in answer.headers["content-security-policy"]


def test_what_is_no_request_at_all_gets_a_sentence_with_the_same_headers() -> None:
    async def ask() -> httpx.Response:
        async with open_house() as house, serving(house) as base:
            reader, writer = await asyncio.open_connection("127.0.0.1", int(base.rpartition(":")[2]))
            writer.write(b"GET nothing at all\r\n\r\n")
            head, _, body = (await reader.read()).partition(b"\r\n\r\n")
            writer.close()
            first, *lines = head.decode().split("\r\n")
            pairs = [(name, value) for name, _, value in (line.partition(": ") for line in lines)]
            asked = httpx.Request("GET", base)
            return httpx.Response(int(first.split(" ")[1]), headers=pairs, content=body, request=asked)

    answer = asyncio.run(ask())
    check(answer)
    assert (400, "no-store") == (answer.status_code, answer.headers["cache-control"])
    assert "expected a request by HTTP/1.1" in answer.json()["detail"]
