"""Promise 15: digests of rule books and paytables wherever a table is shown. All of them: tests/data/digests.txt."""

from __future__ import annotations

import httpx

from letitride.rules import catalog
from letitride.storage.memory.opening import memory_stores
from tests.server.virtual import connect, opened, run, virtual


def test_the_lobby_and_every_view_say_by_which_rules_exactly_a_table_is_played() -> None:
    async def go() -> dict[str, tuple[str, str]]:
        found = {}
        async with opened(memory_stores(), *catalog.rulebook_ids()) as (house, app):
            _, token = await house.people.guest()
            async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://house") as client:
                lobby = {one["id"]: one["sha256"] for one in (await client.get("/api/tables")).json()}
            for book in catalog.rulebook_ids():
                socket = await connect(app, book, token)
                message = await socket.message()
                while message["type"] != "view":
                    message = await socket.message()
                found[book] = lobby[book], message["view"]["rules"]["sha256"]
                await socket.close()
        return found

    with virtual("digests") as (loop, _):
        found = run(loop, go())
    for book, told in found.items():
        assert set(told) == {catalog.ready_rules(book).book.digest}


def test_another_value_is_another_digest() -> None:
    plain = catalog.ready_rules("nsw-1")
    other = catalog.ready_rules("nsw-1", {"limit.cents_max": 777_700})
    assert plain.book.digest != other.book.digest
