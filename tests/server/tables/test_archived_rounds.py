"""A table whose old rounds are archived: it goes on, its last rounds are recalled, and the old ones are said to be away."""

from __future__ import annotations

import asyncio
from pathlib import Path

import httpx
import pytest

from letitride.storage import archive, past
from letitride.storage.archive import reader
from letitride.storage.memory.opening import memory_stores
from letitride.storage.verify import verify
from tests.server.guest import COOKIE
from tests.server.virtual import Player, opened, run, until, virtual

TABLE = "nsw-1"
LATER = 10**14


def test_a_table_goes_on_after_its_old_rounds_were_archived(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(past, "MARK_EVERY", 60)
    monkeypatch.setattr(archive, "ROUNDS_KEPT", 3)
    store = memory_stores()

    async def play(rounds: int, seat: int) -> None:
        async with opened(store, TABLE, bets=0.5, choice=0.5) as (house, app):
            playing = asyncio.create_task(Player(house, app, TABLE, seat, choice="ride").play())
            await until(lambda: house.rooms[TABLE].table.round >= rounds)
            playing.cancel()

    async def look(wanted: int) -> tuple[int, str]:
        async with opened(store, TABLE) as (house, app):
            await house.people.register("Boss", "a long password", ("player", "inspector"))
            token = await house.people.sessions.begin("Boss")
            transport = httpx.ASGITransport(app)
            async with httpx.AsyncClient(transport=transport, base_url="http://house", cookies={COOKIE: token}) as one:
                recalled = await one.get(f"/api/tables/{TABLE}/rounds/{wanted}")
                assert recalled.status_code == 200, recalled.text
                old = await one.get(f"/api/tables/{TABLE}/rounds/1")
                return old.status_code, old.json()["detail"]

    with virtual("archived") as (loop, _):
        run(loop, play(10, seat=1))
        made = archive.write(store, TABLE, tmp_path, LATER, at=1, who="operator")
        assert made is not None
        status, sentence = run(loop, look(9))
        assert (404, True) == (status, "which is in an archive" in sentence)
        run(loop, play(12, seat=2))  # another server, which reads what is left of the journal
    assert verify(store).good
    whole = verify(store, read_archive=reader(tmp_path))
    assert (True, 0) == (whole.good, whole.tables[0].archived)
