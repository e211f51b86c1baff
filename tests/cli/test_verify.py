"""The commands about stores: verify, backup, restore."""

from __future__ import annotations

import json
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from letitride.cli.storm import storm_table
from letitride.storage.urls import open_store
from tests.storage.helpers import play_into

COMMAND = Path(sys.executable).parent / "letitride"


def letitride(*words: str | Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run([COMMAND, *words], capture_output=True, text=True, check=False)


@pytest.fixture(scope="module")
def database(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store with a table that was really played at."""
    path = tmp_path_factory.mktemp("store") / "store.db"
    store = open_store(str(path))
    play_into(store, "t1", storm_table("nsw-1"), 300)
    store.close()
    return path


def test_a_good_store_is_verified(database: Path) -> None:
    done = letitride("verify", "journal", database)
    assert 0 == done.returncode, done.stderr
    assert "1 journals with" in done.stdout
    found = json.loads(letitride("verify", "journal", database, "--table", "t1", "--json").stdout)
    assert found["good"]
    assert ["t1"] == [table["table_id"] for table in found["tables"]]
    assert found["tables"][0]["rows"] > 100
    assert found["tables"][0]["bad"] is None


def test_a_backup_is_restored_and_verified_and_a_changed_one_is_not(database: Path, tmp_path: Path) -> None:
    done = letitride("backup", database, tmp_path / "copy")
    assert 0 == done.returncode, done.stderr
    done = letitride("restore", tmp_path / "copy", tmp_path / "again.db")
    assert "1 tables restored" in done.stdout, done.stderr
    before = json.loads(letitride("verify", "journal", database, "--json").stdout)
    assert before == json.loads(letitride("verify", "journal", tmp_path / "again.db", "--json").stdout)
    with closing(sqlite3.connect(tmp_path / "again.db", isolation_level=None)) as raw:
        raw.execute("DROP TRIGGER journal_update")
        raw.execute("UPDATE journal SET who = 'Eve' WHERE number = 12")
    done = letitride("verify", "journal", tmp_path / "again.db")
    assert 1 == done.returncode
    assert "table t1: row 12 is bad: expected the hash" in done.stdout
    found = json.loads(letitride("verify", "journal", tmp_path / "again.db", "--json").stdout)
    assert (False, 12) == (found["good"], found["tables"][0]["bad"]["number"])


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (
            ("verify", "journal", "/nowhere/x.db"),
            "expected a SQLite database, got '/nowhere/x.db', which does not exist",
        ),
        (("verify", "journal", "{db}", "--table", "t9"), "expected the id of a table, got 't9', which is none"),
        (("backup", "{db}", "{db}"), "expected the path of a new file"),
        (("restore", "/nowhere/x", "{new}"), "expected a backup, got '/nowhere/x', which does not exist"),
        (("restore", "{db}", "{db}"), "expected an empty store to restore into"),
        (("verify", "journal", "postgresql://localhost:1/none"), "cannot be reached or used"),
    ],
)
def test_what_cannot_be_done_is_said_in_one_sentence(
    words: tuple[str, ...], sentence: str, database: Path, tmp_path: Path
) -> None:
    done = letitride(*(word.format(db=database, new=tmp_path / "new.db") for word in words))
    assert 2 == done.returncode
    assert sentence in done.stderr
    assert 1 == done.stderr.count("\n")
