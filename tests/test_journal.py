"""The journal for people: typed events of the past and as they happen, and the command that follows a table."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from typer.testing import CliRunner

from letitride import AutoTable
from letitride.cli.main import add, app
from letitride.engine.events import TableOpened
from letitride.errors import InvalidData, MissingData
from letitride.journal import open_journal
from letitride.records.rounds import Moment
from letitride.rules import catalog
from letitride.storage.codec import decode
from letitride.storage.journal import Head
from letitride.storage.roles.journal import prepare
from letitride.storage.urls import open_store
from tests.storage.helpers import play_into


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A database with one table at which rounds were played."""
    path = tmp_path_factory.mktemp("house") / "house.db"
    store = open_store(str(path))
    play_into(store, "t1", catalog.ready_rules("nsw-1"), 600)
    store.close()
    return path


def test_the_past_is_told_as_typed_events_and_rounds(house: Path) -> None:
    with open_journal(str(house)) as journal:
        assert ["t1"] == journal.tables()
        moments = list(journal.moments("t1"))
        rounds = list(journal.rounds("t1"))
    assert isinstance(moments[0].events[0], TableOpened)
    assert len(moments) == moments[-1].number
    assert [*range(1, len(rounds) + 1)] == [one.number for one in rounds]
    assert any(one.net_cents for one in rounds)


def test_the_report_of_the_page_is_written_from_it(house: Path, capsys: pytest.CaptureFixture[str]) -> None:
    page = (Path(__file__).parent.parent / "docs" / "history.md").read_text(encoding="utf-8")
    (code,) = re.findall(r"```python\n(.*?)```", page, re.DOTALL)
    exec(code.replace('"house.db"', repr(str(house))), {})  # noqa: S102 - the page's own example
    with open_journal(str(house)) as journal:
        players = {name for one in journal.rounds("t1") for seat, name in one.players.items() if seat in one.net_cents}
    assert players == {line.rpartition(" ")[0] for line in capsys.readouterr().out.splitlines()}


def test_a_follower_is_told_what_is_new_and_ends_when_it_says_so(house: Path) -> None:
    asked: list[int] = []
    with open_journal(str(house)) as journal:
        every = [one.number for one in journal.moments("t1")]

        def wait() -> bool:
            asked.append(1)
            return len(asked) < 3

        following = journal.follow("t1", past=True, wait=wait)
        assert every == [one.number for one in following]
        assert len(asked) == 3
        assert [] == list(journal.follow("t1", wait=lambda: False))
        with pytest.raises(MissingData):
            next(journal.follow("nowhere"))
        with pytest.raises(InvalidData, match="expected a function that says whether to look again"):
            next(journal.follow("t1", wait=5))  # type: ignore[arg-type]  # what a program without types may say


def test_rows_that_are_written_meanwhile_are_told_once(tmp_path: Path) -> None:
    path = str(tmp_path / "house.db")
    store = open_store(path)
    store.tables.create("t1", "Table 1", {"book": "nsw-1"})
    store.wallets.fund("Player 1", 10**9, "for the test", at=1, who="cashier")
    played = AutoTable("nsw-1", seed=1).play_round({1: 500}).moments
    head, told = Head(), []

    def write(moments: tuple[Moment, ...]) -> None:
        nonlocal head
        for one in moments:
            written = prepare(head, table_id="t1", at=1_000, by=one.by, happened=one.events)
            store.journal.append([written])
            head = Head(written.number, written.rows[-1].hash)

    def write_the_last() -> bool:
        if head.number < len(played):
            write(played[-1:])
            return True
        return False

    write(played[:-1])
    with open_journal(path) as journal:
        told = [one.events for one in journal.follow("t1", wait=write_the_last)]
        (whole,) = journal.rounds("t1")
    store.close()
    assert [played[-1].events] == told
    assert "settled" == whole.status


def test_the_command_tells_what_a_spectator_sees_or_the_rows(house: Path) -> None:
    add("follow")
    run = CliRunner().invoke(app, ["follow", "--db", str(house), "--table", "t1", "--past", "--end"])
    assert run.exit_code == 0, run.output
    assert "takes seat" in run.output or "sits" in run.output
    rows = CliRunner().invoke(app, ["follow", "--db", str(house), "--table", "t1", "--past", "--end", "--json"])
    first = json.loads(rows.output.splitlines()[0])
    assert ("t1", 1) == (first["table"], first["row"])
    assert isinstance(decode(json.dumps(first["events"]).encode())[0], TableOpened)
