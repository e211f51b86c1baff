"""The commands about stores: verify, backup, restore."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
import typer

from letitride.cli.house import archive
from letitride.cli.house.backup import backup
from letitride.cli.house.restore import restore
from letitride.cli.records import verify
from letitride.errors import InvalidData, MissingData, StoreDown
from letitride.rules.catalog import ready_rules
from letitride.storage.dump import write_dump
from letitride.storage.sql import lines
from letitride.storage.sql.sqlite import SqliteDatabase
from letitride.storage.urls import open_store
from tests.cli.command import run
from tests.storage.helpers import play_into


def verified(capsys: pytest.CaptureFixture[str], database: Path, table: str | None = None) -> tuple[int, Any]:
    """Return the exit code of `verify journal --json` and what it printed."""
    code = 0
    try:
        verify.journal(str(database), table, as_json=True)
    except typer.Exit as ended:
        code = ended.exit_code
    return code, json.loads(capsys.readouterr().out)


@pytest.fixture(scope="module")
def database(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store with a table that was really played at."""
    path = tmp_path_factory.mktemp("store") / "store.db"
    store = open_store(str(path))
    play_into(store, "t1", ready_rules("nsw-1"), 300)
    store.close()
    return path


def test_a_good_store_is_verified(database: Path, capsys: pytest.CaptureFixture[str]) -> None:
    done = run("verify", "journal", database)
    assert 0 == done.returncode, done.stderr
    assert "Verified 1 journal with" in done.stdout
    code, found = verified(capsys, database, "t1")
    assert (0, True) == (code, found["good"])
    assert ["t1"] == [table["table_id"] for table in found["tables"]]
    assert found["tables"][0]["rows"] > 100
    assert found["tables"][0]["bad"] is None


def test_a_backup_is_restored_and_verified_and_a_changed_one_is_not(
    database: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    backup(str(database), str(tmp_path / "copy"))
    restore(str(tmp_path / "copy"), str(tmp_path / "again.db"))
    assert "Restored 1 table" in capsys.readouterr().out
    assert verified(capsys, database) == verified(capsys, tmp_path / "again.db")
    with closing(sqlite3.connect(tmp_path / "again.db", isolation_level=None)) as raw:
        raw.execute("DROP TRIGGER journal_update")
        raw.execute("UPDATE journal SET who = 'Eve' WHERE number = 12")
    code, found = verified(capsys, tmp_path / "again.db")
    assert (1, False, 12) == (code, found["good"], found["tables"][0]["bad"]["number"])
    with pytest.raises(typer.Exit):
        verify.journal(str(tmp_path / "again.db"))
    assert "(--table t1): row 12 is bad: expected the hash" in capsys.readouterr().out
    for file in (tmp_path / "again.db", dumped(tmp_path / "again.db", tmp_path / "lines")):
        with pytest.raises(InvalidData, match=r"the journal of table t1 is bad from row 12 on: expected the hash"):
            restore(str(file), str(tmp_path / "third.db"))
        assert [] == list(tmp_path.glob("third.db*"))


def dumped(database: Path, file: Path) -> Path:
    """A store's lines in a file with a true checksum, whatever its journals say."""
    kept = SqliteDatabase(database, read_only=True)
    with kept.snapshot() as query:
        write_dump(file, lines.export(query))
    kept.close()
    return file


def test_what_cannot_be_done_is_said_in_one_sentence(database: Path, tmp_path: Path) -> None:
    asked = ["verify", "journal", "/nowhere/x.db"]
    done = run(*asked)
    assert 2 == done.returncode
    assert "letitride: expected a SQLite database, got '/nowhere/x.db', which does not exist\n" == done.stderr
    with pytest.raises(MissingData, match="expected the id of a table, got 't9', which is none"):
        verify.journal(str(database), "t9")
    with pytest.raises(InvalidData, match="expected the path of a new file"):
        backup(str(database), str(database))
    with pytest.raises(MissingData, match="expected a backup, got '/nowhere/x', which does not exist"):
        restore("/nowhere/x", str(tmp_path / "new.db"))
    with pytest.raises(InvalidData, match="expected an empty store to restore into"):
        restore(str(database), str(database))
    with pytest.raises(StoreDown, match="cannot be reached or used"):
        verify.journal("postgresql://localhost:1/none")


def test_old_rounds_are_archived_verified_and_restored(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("letitride.storage.past.MARK_EVERY", 60)
    monkeypatch.setattr("letitride.storage.archive.ROUNDS_KEPT", 3)
    path, folder = tmp_path / "store.db", tmp_path / "files"
    store = open_store(str(path))
    play_into(store, "t1", ready_rules("nsw-1"), 1_200)
    store.close()
    with pytest.raises(InvalidData, match="expected a folder for the archive, got"):
        archive.write(str(path), str(folder), "2026-01-01")
    folder.mkdir()
    with pytest.raises(InvalidData, match="expected a time like .* after --before, got 'yesterday'"):
        archive.write(str(path), str(folder), "yesterday")
    archive.write(str(path), str(folder), "2026-01-01")
    assert 1 == len(list(folder.iterdir()))
    told = run("verify", "journal", path)
    assert (0, True) == (told.returncode, "of them are archived, only their hashes were checked" in told.stdout)
    whole = run("verify", "journal", path, "--archive", folder)
    assert (0, False) == (whole.returncode, "archived" in whole.stdout)
    assert run("verify", "journal", path, "--archive", tmp_path).returncode == 1
    done = run("archive", "restore", path, folder, "--json")
    assert ["t1"] == [one["table"] for one in json.loads(done.stdout)]
    assert "in an archive" not in run("verify", "journal", path).stdout
