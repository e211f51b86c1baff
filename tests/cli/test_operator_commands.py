"""The operator's commands: tables and staff, on a running server and in a database not in use."""

from __future__ import annotations

import io
import json
import signal
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from letitride.cli.house import staff, tables
from letitride.cli.house.remote import Remote
from letitride.errors import InvalidData
from letitride.server.people.accounts import LoginRefused
from letitride.storage.urls import open_store
from letitride.storage.verify import verify
from tests.server.conftest import Server
from tests.server.guest import PATIENCE

PASSWORD = "long enough now"  # noqa: S105 - of no real account
BOOK = 'id = "my-room-1"\ntitle = "My room"\nextends = "nsw-1"\n[rules]\nbase.paytables = ["mine.toml"]\nbase.paytable = "mine.toml"\n'
PAYTABLE = """
id = "MINE-1"
title = "Mine"
[base]
award = "to_one"
pays = { royal_flush = 900, straight_flush = 200, four_of_a_kind = 50, full_house = 11, flush = 8, straight = 5, three_of_a_kind = 3, two_pair = 2, tens_or_better = 1 }
"""


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server with an administrator, whose tables are its own even if it cannot say so for a while."""
    one = Server(tmp_path_factory.mktemp("house"))
    one.lease_ms = 60_000
    one.start()
    code = (one.folder / "setup-code").read_text(encoding="utf-8")
    first = {"code": code, "name": "Ada", "password": PASSWORD}
    made = httpx.post(f"{one.base}/api/setup", json=first, timeout=PATIENCE, verify=False)
    assert 201 == made.status_code
    yield one
    one.stop(signal.SIGKILL)


@pytest.fixture
def ada(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LETITRIDE_USER", "Ada")
    monkeypatch.setenv("LETITRIDE_PASSWORD", PASSWORD)


def printed(capsys: pytest.CaptureFixture[str]) -> Any:
    return json.loads(capsys.readouterr().out)


@pytest.mark.usefixtures("ada")
def test_a_running_server_opens_a_table_by_a_custom_file(
    server: Server, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "book.toml").write_text(BOOK, encoding="utf-8")
    (tmp_path / "mine.toml").write_text(PAYTABLE, encoding="utf-8")
    tables.open_table(
        "My table",
        str(tmp_path / "book.toml"),
        limits="2.50:500",
        own=["bet.cutoff=first_card"],
        server=server.base,
        as_json=True,
    )
    assert {"id": "my-table"} == printed(capsys)
    tables.list_tables(server=server.base, as_json=True)
    (mine,) = [one for one in printed(capsys) if one["id"] == "my-table"]
    assert ("my-room-1", [250, 50_000]) == (mine["rulebook"], mine["limits_cents"])
    tables.close_table("my-table", "enough", server=server.base)
    capsys.readouterr()
    tables.list_tables(server=server.base, as_json=True)
    assert {"closing", "closed"} >= {one["state"] for one in printed(capsys) if one["id"] == "my-table"}
    with pytest.raises(InvalidData, match="expected the id of a table, got 'no-table'"):
        tables.close_table("no-table", server=server.base)
    tables.reopen_table("my-table", server=server.base)
    capsys.readouterr()
    tables.list_tables(server=server.base, as_json=True)
    assert {"open"} == {one["state"] for one in printed(capsys) if one["id"] == "my-table"}


@pytest.mark.usefixtures("ada")
def test_a_running_server_hires_and_changes_people(
    server: Server, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO(f"{PASSWORD}\n"))
    staff.add("Fred", ["floor"], server=server.base)
    staff.change("Fred", ["dealer"], disabled=True, server=server.base)
    capsys.readouterr()
    staff.verify("Fred", reference="customer 7", why="seen at the desk", server=server.base)
    with pytest.raises(InvalidData, match="expected a person without an account here"):
        staff.verify("Ada", reference="customer 7", why="seen at the desk", server=server.base)
    capsys.readouterr()
    staff.list_staff(server=server.base, as_json=True)
    (fred,) = [one for one in printed(capsys) if one["name"] == "Fred"]
    assert (["player", "dealer"], True) == (fred["roles"], fred["disabled"])
    with pytest.raises(InvalidData, match="expected another administrator before the last one leaves"):
        staff.change("Ada", disabled=True, server=server.base)
    monkeypatch.setenv("LETITRIDE_PASSWORD", "wrong")
    with pytest.raises(InvalidData, match="expected the name and password"):
        staff.list_staff(server=server.base)


def test_the_only_administrator_without_a_password_comes_back_by_the_database_of_the_house(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    db, other = str(tmp_path / "house.db"), "another password"
    monkeypatch.setattr("sys.stdin", io.StringIO(f"{PASSWORD}\n"))
    staff.add("Ada", ["administrator"], db=db)

    def tried(password: str) -> bool:
        store = open_store(db)
        try:
            staff._in_stores(store, lambda people: people.login("Ada", password))
        except LoginRefused:
            return False
        finally:
            store.close()
        return True

    with pytest.raises(InvalidData, match="expected --unlock for a running server"):
        staff.change("Ada", unlock=True, why="it was not me", db=db)
    capsys.readouterr()
    monkeypatch.setattr("sys.stdin", io.StringIO(f"{other}\n"))
    staff.change("Ada", password=True, db=db, as_json=True)
    shown = {"name": "Ada", "roles": ["player", "administrator"], "disabled": False, "locked": False}
    assert shown | {"second_factor": False} == json.loads(capsys.readouterr().out)
    assert [False, True] == [tried(PASSWORD), tried(other)]
    with pytest.raises(InvalidData, match="expected --role, --disable, --enable, --unlock or --password"):
        staff.change("Ada", db=db)
    store = open_store(db)
    try:
        noted = [(row.who, row.why) for row in store.audit.rows() if row.what == "change staff"]
    finally:
        store.close()
    whole = "Ada: player, administrator"
    assert [("command line", f"{whole} (new password)")] == noted


def test_the_file_of_a_running_server_is_its_own(server: Server) -> None:
    for act in (
        lambda: tables.open_table("X", "nsw-1", db=str(server.database)),
        lambda: staff.change("Ada", ["dealer"], db=str(server.database)),
    ):
        with pytest.raises(InvalidData, match=rf"that no server is using, got '.*': use --server {server.base}"):
            act()
    tables.list_tables(db=str(server.database), as_json=True)  # reading is free


def test_a_database_not_in_use_is_changed_directly_and_the_next_server_finds_it_all(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    db = str(tmp_path / "house.db")
    monkeypatch.setattr("sys.stdin", io.StringIO(f"{PASSWORD}\n"))
    staff.add("Ada", ["administrator"], db=db)
    with pytest.raises(InvalidData, match="expected another administrator"):
        staff.change("Ada", ["floor"], db=db)
    for number, house in enumerate(("nsw-1", "washington-1", "shufflemaster-1", "nsw-1", "nsw-1+shuffler")):
        tables.open_table(f"Table {number}", house, limits="10:500", db=db)
    tables.close_table("table-4", "too many", db=db)
    tables.reopen_table("table-4", db=db)
    with pytest.raises(InvalidData, match="got 'table-1', which is in use"):
        tables.open_table("Table 1", "nsw-1", db=db)
    store = open_store(db)
    try:
        assert verify(store).good
        assert {"command line"} == {row.who for row in store.audit.rows()}
        assert 8 == len(list(store.audit.rows()))
    finally:
        store.close()
    server = Server(tmp_path)
    server.start()  # waits for five tables
    assert not (tmp_path / "setup-code").exists()
    login = {"name": "Ada", "password": PASSWORD}
    assert 200 == httpx.post(f"{server.base}/api/login", json=login, timeout=PATIENCE, verify=False).status_code
    assert 0 == server.stop()
    capsys.readouterr()


@pytest.mark.parametrize(
    ("wanted", "sentence"),
    [
        ({"limits": "10"}, "expected dollars like 10:500 after --limits, got '10'"),
        ({"limits": "1.005:10"}, "expected dollars like 10:500 after --limits, got '1.005:10'"),
        ({"limits": "nan:10"}, "expected dollars like 10:500 after --limits, got 'nan:10'"),
        ({"paytable": ["LIRB-06"]}, "expected a wager and its paytable like base=LIRB-06 after --paytable"),
        ({"rulebook": "none.toml"}, "expected a file of rule books, got 'none.toml', which does not exist"),
        ({"rulebook": "none-1"}, "expected a path ending in .toml or the id of a rule book"),
        ({"own": ["nothing"]}, "expected KEY=VALUE after --set, got 'nothing'"),
    ],
)
def test_bad_input_is_a_sentence_and_opens_nothing(tmp_path: Path, wanted: dict[str, Any], sentence: str) -> None:
    db = str(tmp_path / "house.db")
    with pytest.raises(InvalidData) as refused:
        tables.open_table(**{"name": "X", "rulebook": "nsw-1", "db": db, **wanted})
    assert str(refused.value).startswith(sentence)
    if Path(db).exists():
        store = open_store(db, read_only=True)
        assert [] == store.tables.all()
        store.close()


def test_a_server_that_is_not_there_is_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(InvalidData, match="expected a server at http://127.0.0.1:1, got no answer"):
        Remote("http://127.0.0.1:1").ask("GET", "/api/tables")
    with pytest.raises(InvalidData, match="expected a server like http://127.0.0.1:8765, got 'file:///etc'"):
        Remote("file:///etc")
    monkeypatch.delenv("LETITRIDE_USER", raising=False)
    monkeypatch.setattr("sys.stdin", io.StringIO(""))
    with pytest.raises(InvalidData, match="expected LETITRIDE_USER and LETITRIDE_PASSWORD, or a terminal"):
        Remote("http://127.0.0.1:1").sign_in()
    with pytest.raises(InvalidData, match="expected one of 'dealer', .* after --role, got 'king'"):
        staff.add("X", ["king"], db="memory:")
