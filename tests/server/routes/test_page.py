"""The page is served where it was built, and the server explains itself where it was not; the client's types are true."""

from __future__ import annotations

import asyncio
import json
import re
import runpy
from collections import Counter
from html import escape
from pathlib import Path
from typing import Any

import httpx
import msgspec
import pytest

from letitride import rulebook_ids
from letitride.server.app import create
from letitride.server.net import api_docs
from letitride.server.net.api_docs import page
from letitride.server.net.pages import Pages, policy
from letitride.server.tables import messages
from letitride.server.tables.house import House, demo_name
from letitride.storage.memory.opening import memory_stores
from tests.server.conftest import Server
from tests.server.guest import Guest

ROOT = Path(__file__).resolve().parents[3]


def test_a_server_without_the_page_lists_the_tables_and_says_how_to_build_it(tmp_path: Path) -> None:
    async def home() -> str:
        house = House(memory_stores(), node="one")
        app = create(house)
        app.state.pages = Pages(tmp_path / "nothing")
        async with (
            app.router.lifespan_context(app),
            httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://here") as client,
        ):
            return (await client.get("/")).text

    found = asyncio.run(home())
    assert "was not built" in found
    assert all(escape(demo_name(house)) in found for house in rulebook_ids())


def test_no_page_of_the_house_loads_anything_from_elsewhere() -> None:
    """A script on our origin acts with the session of the page's reader, an administrator's too."""

    async def read() -> None:
        app = create(House(memory_stores(), node="one"), demo=False)
        async with (
            app.router.lifespan_context(app),
            httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://here") as client,
        ):
            for path in ("/", "/api/docs", "/redoc", "//elsewhere.example/", "/table/x"):
                found = await client.get(path)
                assert found.status_code == 200, path
                assert not re.search(r"(src|href)=[\"']?(https?:)?//", found.text), path
                assert "default-src 'none'" in found.headers["content-security-policy"]
                assert "frame-ancestors 'none'" in found.headers["content-security-policy"]
                assert "unsafe" not in found.headers["content-security-policy"]
                assert (await client.head(path)).status_code == 200, path  # what a monitor asks
            told = (await client.get("/api/docs")).text
            described = (await client.get("/openapi.json")).json()
            assert all(path in told for path in described["paths"])
            assert all(f"id='{name}'" in told for name in described["components"]["schemas"])
            assert "<script" not in told

    asyncio.run(read())


def test_the_description_is_made_once_however_often_it_is_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    made = Counter[str]()

    def counted(described: Any) -> str:
        made["page"] += 1
        return page(described)

    monkeypatch.setattr(api_docs, "page", counted)

    async def read() -> None:
        app = create(House(memory_stores(), node="one"), demo=False)
        async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://here") as client:
            found = await asyncio.gather(*(client.get(path) for path in ("/api/docs", "/openapi.json") * 5))
            assert {200} == {one.status_code for one in found}
            assert app.openapi() == found[1].json()

    asyncio.run(read())
    assert 1 == made["page"]


def test_a_description_is_told_as_text() -> None:
    evil = "<script>alert('1')</script>"
    call = {
        "tags": [evil],
        "description": evil,
        "parameters": [{"name": evil, "in": "query", "schema": {"enum": [evil]}}],
    }
    schemas = {evil: {"description": evil, "properties": {evil: {"type": evil, "description": evil}}}}
    told = page(
        {"info": {"title": evil, "version": evil}, "paths": {evil: {"get": call}}, "components": {"schemas": schemas}}
    )
    assert "<script" not in told
    assert told.count("&lt;script&gt;") > 8
    assert "alert('" not in told


def test_the_page_may_reach_the_other_servers_of_the_house() -> None:
    assert "connect-src 'self' https://two.example wss://two.example;" in policy(["https://two.example", ""])


def test_the_types_of_the_client_are_those_of_the_server() -> None:
    script = runpy.run_path(str(ROOT / "scripts" / "web_types.py"))
    listed = (ROOT / "web" / "src" / "generated" / "roles.ts").read_text(encoding="utf-8")
    assert script["roles_text"]() == listed, "run 'make fix' to write web/src/generated/roles.ts anew"
    wagers = (ROOT / "web" / "src" / "generated" / "wagers.ts").read_text(encoding="utf-8")
    assert script["wagers_text"]() == wagers, "run 'make fix' to write web/src/generated/wagers.ts anew"
    engine = script["ENGINE_TARGET"].read_text(encoding="utf-8")
    assert script["engine_text"]() == engine, "run 'make fix' to write web/src/generated/engine.json anew"
    listed = script["KEPT_TARGET"].read_text(encoding="utf-8")
    assert script["kept_text"]() == listed, "run 'make fix' to write web/src/generated/kept.ts anew"
    made = script["text"]()
    kept = (ROOT / "web" / "src" / "generated" / "api.ts").read_text(encoding="utf-8")
    assert made == kept, "run 'make fix' to write web/src/generated/api.ts anew"
    assert "letitride__" not in made, "two models of the server have one name"


@pytest.mark.parametrize("house", rulebook_ids())
def test_what_is_sent_is_what_the_types_say(server: Server, house: str) -> None:
    guest = Guest(server.base, house)

    async def play() -> None:
        await guest.arrive()
        async with asyncio.timeout(120), await guest.connect() as socket:
            await guest.play(socket, 1)

    asyncio.run(play())
    kinds = {one["type"] for one in guest.frames}
    assert {"view", "table", "answer", "pledges", "commitment"} <= kinds
    for frame in guest.frames:
        read = msgspec.json.decode(json.dumps(frame), type=messages.Outgoing)
        assert frame == json.loads(msgspec.json.encode(read))
