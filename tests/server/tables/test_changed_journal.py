"""A journal that was changed behind the store's back: its table is halted with the row named, and no other one."""

from __future__ import annotations

import asyncio
import logging
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from letitride.storage.journal import BrokenJournal
from letitride.storage.urls import open_store
from tests.server.journals import enter, fuzz_into, opened, past_of, rules_of

CHANGES = {
    "who gave a command": ("UPDATE journal SET who = 'Eve' WHERE table_id = 'bad' AND number = 12", 12),
    "when it was": ("UPDATE journal SET at = at + 1 WHERE table_id = 'bad' AND number = 12", 12),
    "what the first row says": (
        "UPDATE journal SET events = CAST(replace(events, 'nsw', 'nsv') AS BLOB) WHERE table_id = 'bad' AND number = 1",
        1,
    ),
    "what cannot be read": ("UPDATE journal SET events = x'00' WHERE table_id = 'bad' AND number = 20", 20),
    "a row is lost": ("DELETE FROM journal WHERE table_id = 'bad' AND number = 30", 30),
    "the last row is lost": (
        "DELETE FROM journal WHERE table_id = 'bad' AND number = (SELECT number FROM game_tables WHERE id = 'bad')",
        0,
    ),
}


@pytest.mark.parametrize(("change", "number"), CHANGES.values(), ids=list(CHANGES))
def test_a_table_whose_journal_was_changed_is_halted_and_no_other(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, change: str, number: int
) -> None:
    store = open_store(str(tmp_path / "house.db"))
    for table_id in ("bad", "good"):
        fuzz_into(store, table_id, rules_of("nsw-1"), 200)
        store.tables.set_state(table_id, "open", "")
    end = store.journal.last("bad").number
    with closing(sqlite3.connect(tmp_path / "house.db", isolation_level=None)) as raw:
        for (name,) in raw.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'").fetchall():
            raw.execute(f"DROP TRIGGER {name}")
        raw.execute(change)
    kept = list(store.journal.rows("bad"))

    async def live() -> None:
        async with opened(store) as (house, client):
            assert set(house.rooms) == {"good"}
            await enter(house, client, "Flo", "floor", "casino_supervisor")
            again = await client.post("/api/tables/bad/recover", json={"how": "resume", "why": "try"})
            assert (again.status_code, "expected a journal that is whole" in again.text) == (409, True), again.text
            for address in ("rounds", "shift", "rounds/1/record"):
                assert (await client.get(f"/api/tables/bad/{address}")).status_code < 500, address
            if number:
                told = await client.get("/api/tables/bad/shift")
                assert (told.status_code, f"is bad from row {number} on" in told.text) == (422, True), told.text
            record = store.tables.get("bad")
            assert (record.state, store.tables.get("good").state) == ("halted", "open")
            assert f"the journal of table bad is bad from row {number or end} on: expected" in record.reason
            assert list(store.journal.rows("bad")) == kept
            (said,) = [one for one in caplog.records if one.levelno >= logging.ERROR]
            assert "table bad is halted" in said.getMessage()
            assert "\n" not in said.getMessage()
            assert said.exc_info is None

    asyncio.run(live())


def test_a_changed_row_under_a_mark_is_not_passed_over(tmp_path: Path) -> None:
    store = open_store(str(tmp_path / "house.db"))
    fuzz_into(store, "t1", rules_of("nsw-1"), 1_600)
    past = past_of(store, "t1")
    for found in past.unmarked():
        past.mark(*found)
    row = past.marks[-1].row
    with closing(sqlite3.connect(tmp_path / "house.db", isolation_level=None)) as raw:
        raw.execute("DROP TRIGGER journal_update")
        raw.execute(f"UPDATE journal SET who = 'Eve' WHERE number = {row}")  # noqa: S608 - a number
    with pytest.raises(BrokenJournal, match=f"is bad from row {row} on"):
        past_of(store, "t1").present()
    store.close()
