"""An operator's day by HTTP: tables, staff, backups, health and metrics, and who may do what."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Awaitable, Callable
from functools import partial
from pathlib import Path
from typing import Any

import httpx
import pytest
from fastapi import FastAPI

from letitride.engine import commands
from letitride.errors import StoreDown
from letitride.rules import catalog
from letitride.server.ops import digests
from letitride.server.people.accounts import LoginRefused, Origin
from letitride.server.people.password_attempts import PRESSED, TryLater
from letitride.storage.urls import open_store
from letitride.storage.verify import verify
from tests.paytables import base_paytable
from tests.server.conftest import Server
from tests.server.guest import PATIENCE, Guest
from tests.server.inprocess import PASSWORD, client, running, somebody
from tests.server.routes.test_server import rounds_of
from tests.server.staffed import comes

TABLE = {"name": "High room", "rulebook": "nsw-1", "limits_cents": [1_000, 50_000]}
BOOK = """
id = "my-room-1"
title = "My room"
extends = "nsw-1"
[rules]
base.paytables = ["mine.toml"]
base.paytable = "mine.toml"
"""
PAYTABLE = base_paytable("MINE-1", "Mine", royal_flush=900)


def alive(folder: Path, act: Callable[[FastAPI], Awaitable[None]], **wanted: Any) -> None:
    """Do something with a house that runs."""

    async def live() -> None:
        async with running(folder, **wanted) as app:
            await act(app)

    asyncio.run(live())


def audits(app: FastAPI, who: str) -> list[str]:
    """What someone did, but for coming in."""
    rows = app.state.house.stores.audit.rows()
    return [row.what for row in rows if row.who == who and row.what != "sign-in"]


def test_a_table_is_opened_sat_at_closed_and_put_back(tmp_path: Path) -> None:
    async def day(app: FastAPI) -> None:
        house = app.state.house
        async with somebody(app, "Sue", "casino_supervisor") as sue:
            opened = await sue.post("/api/tables", json={**TABLE, "paytables": {"base": "LIRX-01"}})
            assert (201, {"id": "high-room"}) == (opened.status_code, opened.json())
            again = await sue.post("/api/tables", json=TABLE)
            assert 422 == again.status_code
            assert "which is in use" in again.json()["detail"]
            (listed,) = (await sue.get("/api/tables")).json()
            assert ([1_000, 50_000], "nsw-1") == (listed["limits_cents"], listed["rulebook"])

            await house.committer.run(partial(house.stores.wallets.fund, "Pat", 10_000, "chips", at=1, who="cage"))
            room = house.room("high-room")
            sat = await room.submit("t", "1", commands.Sit(by="seat:1", seat=1, player="Pat", cents=10_000))
            assert sat.accepted, sat
            door = "/api/tables/high-room/state"
            closing = await sue.post(door, json={"state": "closing", "why": "cleaning", "without_notice": True})
            assert 200 == closing.status_code, closing.text
            await comes(room, lambda: room.state == "closed", 120)
            assert "closed" == (await sue.get(door)).json()["state"]
            assert "closed" == house.stores.tables.get("high-room").state
            assert ("", 0) == (room.table.seats[1].player, room.table.cents("stack:1"))  # no one's chips stay behind
            assert 200 == (await sue.post(door, json={"state": "open", "why": "clean"})).status_code
            assert "open" == (await sue.get(door)).json()["state"]
            missing = await sue.post("/api/tables/nowhere/state", json={"state": "open", "why": "why not"})
            assert 404 == missing.status_code
        assert "open table" == audits(app, "Sue")[0]
        assert house.stores.wallets.total() == 0

    alive(tmp_path, day)


def test_a_rule_book_of_ones_own_is_sent_as_text_and_no_path_is_read(tmp_path: Path) -> None:
    (tmp_path / "secret.toml").write_text(BOOK, encoding="utf-8")

    async def day(app: FastAPI) -> None:
        async with somebody(app, "Ada", "administrator") as ada:
            wanted = {**TABLE, "rulebook": "house.toml", "texts": {"house.toml": BOOK, "mine.toml": PAYTABLE}}
            opened = await ada.post("/api/tables", json=wanted)
            assert 201 == opened.status_code, opened.text
            (listed,) = (await ada.get("/api/tables")).json()
            assert ("my-room-1", "MINE-1") == (listed["rulebook"], listed["paytables"]["base"])
            for rulebook, texts, sentence in (
                (str(tmp_path / "secret.toml"), {}, "one that was sent along"),
                ("../secret.toml", {}, "one that was sent along"),
                ("nowhere-1", {}, "the id of a rule book"),
                ("house.toml", {"house.toml": BOOK}, "one that was sent along, got 'mine.toml'"),
                ("house.toml", {"house.toml": BOOK.replace('"nsw-1"', '"/etc/a.toml"')}, "id of a published rule book"),
                ("house.toml", {"house.toml": "id = "}, "expected valid TOML"),
                ("house.toml", {"house.toml": 'id = "nsw-1"\ntitle = "Not mine"\n'}, "an id of its own"),
            ):
                refused = await ada.post("/api/tables", json={**TABLE, "rulebook": rulebook, "texts": texts})
                assert 422 == refused.status_code, rulebook
                assert sentence in refused.json()["detail"]
                assert str(tmp_path) not in refused.text or rulebook.startswith("/")

    alive(tmp_path, day)


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"limits_cents": [5_000, 100]}, "expected"),
        ({"paytables": {"base": "LIRB-06"}}, "base.paytable: expected 'LIRX-01', got 'LIRB-06'"),
        ({"paytables": {"nothing": "LIRB-06"}}, "nothing.paytable"),
        ({"values": {"deal.unit": "sideways"}}, "deal.unit"),
        ({"limits_cents": None, "rulebook": "california-1"}, "expected a value for"),
        ({"id": "No Spaces"}, "expected an id of lowercase letters, digits and '-', got 'No Spaces'"),
        ({"name": "a\nb"}, "expected"),
        ({"name": "…"}, "expected an id of lowercase letters, digits and '-', got '…'"),
        ({"surprise": 1}, "Extra inputs"),
        ({"limits_cents": [1, 10**30]}, "limit.cents_max: expected numbers up to"),
    ],
)
def test_a_table_that_cannot_be_is_refused_in_a_sentence(tmp_path: Path, change: dict[str, Any], sentence: str) -> None:
    async def day(app: FastAPI) -> None:
        async with somebody(app, "Ada", "administrator") as ada:
            refused = await ada.post("/api/tables", json={**TABLE, **change})
            assert 422 == refused.status_code
            assert sentence in refused.text
            assert [] == (await ada.get("/api/tables")).json()

    alive(tmp_path, day, database="memory:")


def test_staff_are_hired_changed_and_shut_out_and_the_last_administrator_stays(tmp_path: Path) -> None:
    async def day(app: FastAPI) -> None:
        async with somebody(app, "Ada", "administrator") as ada:
            new = {"name": "Dee", "password": PASSWORD, "roles": ["dealer"]}
            hired = await ada.post("/api/staff", json=new)
            assert (201, ["player", "dealer"]) == (hired.status_code, hired.json()["roles"])
            assert 422 == (await ada.post("/api/staff", json=new)).status_code
            assert 422 == (await ada.post("/api/staff", json={**new, "name": "X", "roles": ["king"]})).status_code
            assert 422 == (await ada.post("/api/staff", json={**new, "name": "X", "roles": []})).status_code
            async with client(app) as dee:
                assert 200 == (await dee.post("/api/login", json={"name": "Dee", "password": PASSWORD})).status_code
                assert 403 == (await dee.get("/api/staff")).status_code
                promoted = await ada.patch("/api/staff/Dee", json={"roles": ["administrator"]})
                assert ["player", "administrator"] == promoted.json()["roles"]
                # What a person may do has changed: they sign in again with their new roles.
                assert 401 == (await dee.get("/api/staff")).status_code
                assert 200 == (await dee.post("/api/login", json={"name": "Dee", "password": PASSWORD})).status_code
                assert 200 == (await dee.get("/api/staff")).status_code
                shut = await ada.patch("/api/staff/Dee", json={"disabled": True, "why": "left us"})
                assert shut.json()["disabled"]
                assert 401 == (await dee.get("/api/staff")).status_code
                assert 403 == (await dee.post("/api/login", json={"name": "Dee", "password": PASSWORD})).status_code
            for change in ({"roles": ["player"]}, {"disabled": True}):
                last = await ada.patch("/api/staff/Ada", json=change)
                assert 422 == last.status_code
                assert "expected another administrator before the last one leaves, got none" == last.json()["detail"]
            assert 404 == (await ada.patch("/api/staff/Nobody", json={"disabled": True})).status_code
            staff = (await ada.get("/api/staff")).json()
            assert [("Ada", False), ("Dee", True)] == [(one["name"], one["disabled"]) for one in staff]
            assert "argon2" not in str(staff)
        assert ["hire", "change staff", "change staff"] == audits(app, "Ada")

    alive(tmp_path, day, database="memory:")


def test_an_administrator_ends_the_waiting_after_wrong_passwords(tmp_path: Path) -> None:
    async def day(app: FastAPI) -> None:
        people, other = app.state.house.people, "another password"

        async def lock() -> None:
            for number in range(PRESSED):
                people.tries.begin(f"192.0.2.{number}", "dee", known=False)
            with pytest.raises(TryLater):
                await people.login("Dee", PASSWORD, origin=Origin(network="192.0.2.1"))

        async def locked() -> bool:
            found = (await ada.get("/api/staff")).json()
            return bool(next(one["locked"] for one in found if one["name"] == "Dee"))

        async with somebody(app, "Ada", "administrator") as ada:
            await ada.post("/api/staff", json={"name": "Dee", "password": PASSWORD, "roles": ["dealer"]})
            _, token = await people.login("Dee", PASSWORD)
            for change in ({"unlock": True, "why": "he called"}, {"disabled": False}):
                await lock()
                assert await locked()
                told = await ada.patch("/api/staff/Dee", json=change)
                assert (200, False) == (told.status_code, told.json()["locked"])
                await people.login("Dee", PASSWORD)
            assert people.entered(token) is None
            _, token = await people.login("Dee", PASSWORD)
            await lock()
            assert 422 == (await ada.patch("/api/staff/Dee", json={"new_password": "short"})).status_code
            assert await locked()
            told = await ada.patch("/api/staff/Dee", json={"new_password": other})
            assert (200, False) == (told.status_code, told.json()["locked"])
            assert people.entered(token) is None
            with pytest.raises(LoginRefused):
                await people.login("Dee", PASSWORD)
            await people.login("Dee", other)
        noted = [row.why for row in app.state.house.stores.audit.rows() if row.what == "change staff"]
        whole = "Dee: player, dealer (unlocked)"
        assert [f"{whole}; he called", whole, f"{whole} (new password)"] == noted
        assert not any(secret in str(list(app.state.house.stores.audit.rows())) for secret in (PASSWORD, other))

    alive(tmp_path, day, database="memory:")


ROUTES = [
    ("POST", "/api/tables", {"casino_supervisor", "administrator"}),
    ("POST", "/api/tables/x/state", {"floor", "casino_supervisor", "administrator"}),
    ("POST", "/api/tables/x/recover", {"floor", "casino_supervisor", "administrator"}),
    ("GET", "/api/staff", {"administrator"}),
    ("POST", "/api/staff", {"administrator"}),
    ("PATCH", "/api/staff/x", {"administrator"}),
    ("GET", "/api/backups", {"administrator"}),
    ("POST", "/api/backups", {"administrator"}),
    ("GET", "/api/backups/x", {"administrator"}),
]


def test_only_who_may_can(tmp_path: Path) -> None:
    async def day(app: FastAPI) -> None:
        async with client(app) as stranger:
            for method, path, _ in ROUTES:
                assert 401 == (await stranger.request(method, path)).status_code, (method, path)
        for role in ("player", "dealer", "floor", "inspector", "casino_supervisor", "administrator"):
            async with somebody(app, f"a {role}", role) as one:
                for method, path, may in ROUTES:
                    status = (await one.request(method, path)).status_code
                    assert (status == 403) == (role not in may), (method, path, role, status)
                    assert status < 500

    alive(tmp_path, day, database="memory:")


def test_the_server_is_ready_only_while_it_can_write_and_every_table_has_an_owner(tmp_path: Path) -> None:
    async def day(app: FastAPI) -> None:
        house, readiness = app.state.house, app.state.readiness

        async def rest(_: object) -> None:
            pass

        house.nodes.balance = rest  # or it takes up again, within a second, what no one owns

        async def ask() -> tuple[int, str]:
            readiness._until = 0.0
            async with client(app) as one:
                found = await one.get("/readyz")
                return found.status_code, found.text

        assert (200, "ready") == await ask()
        good = house.stores.documents.put

        def full(*_: object) -> int:
            raise StoreDown("the database is full")

        house.stores.documents.put = full
        assert (503, "the database cannot be written to") == await ask()
        house.stores.documents.put = good
        room = house.rooms.pop("nsw-1")
        other = partial(house.stores.leases.release, "nsw-1", "test", room.host.epoch)
        await house.committer.run(other)
        assert (503, "waiting for tables without an owner: nsw-1") == await ask()
        await house.committer.run(lambda: house.stores.leases.take("nsw-1", "other", "", house.clock_ms(), 60_000))
        assert (200, "ready") == await ask()  # another node has it
        await room.close()
        readiness.stopping = True
        assert (503, "the server is stopping") == await ask()

    alive(tmp_path, day, demo=True)


def test_metrics_are_for_this_machine_or_for_who_has_the_token(tmp_path: Path) -> None:
    async def without(app: FastAPI) -> None:
        async with client(app) as here, client(app, ("203.0.113.7", 1)) as elsewhere:
            assert 200 == (await here.get("/metrics")).status_code
            assert 403 == (await elsewhere.get("/metrics")).status_code
            passed_on = {"X-Forwarded-For": "203.0.113.7"}
            assert 403 == (await here.get("/metrics", headers=passed_on)).status_code

    async def with_token(app: FastAPI) -> None:
        async with client(app) as here, client(app, ("203.0.113.7", 1)) as elsewhere:
            assert 403 == (await here.get("/metrics")).status_code
            right = {"Authorization": "Bearer let me see"}
            assert 200 == (await elsewhere.get("/metrics", headers=right)).status_code
            assert 403 == (await elsewhere.get("/metrics", headers={"Authorization": "Bearer let me"})).status_code

    alive(tmp_path, without, database="memory:")
    alive(tmp_path, with_token, database="memory:", metrics_token="let me see")


def test_digests_are_shown_on_demand_and_a_change_since_the_start_shows(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def day(app: FastAPI) -> None:
        async with client(app) as one:
            found = (await one.get("/api/digests")).json()
            assert digests.code_digest() == found["code"] == found["code_at_start"]
            assert digests.page_digest() == found["page"]
            assert set(catalog.rulebook_ids()) == found["rulebooks"].keys()
            assert set(catalog.paytable_ids()) == found["paytables"].keys()
            monkeypatch.setattr(digests, "code_digest", lambda: "0" * 64)
            later = (await one.get("/api/digests")).json()
            assert later["code"] != later["code_at_start"]

    alive(tmp_path, day, database="memory:")


def value(text: str, name: str) -> float:
    found = re.search(rf"^{re.escape(name)} (\S+)$", text, re.MULTILINE)
    assert found, name
    return float(found[1])


def test_a_backup_taken_during_play_restores_to_a_verified_house_and_play_is_counted(
    server: Server, tmp_path: Path
) -> None:
    code = (server.folder / "setup-code").read_text(encoding="utf-8")
    ada = {"name": "Ada", "password": PASSWORD}

    async def play() -> list[str]:
        guests = [Guest(server.base, table) for table in ("nsw-1", "washington-1")]
        playing = asyncio.gather(*(rounds_of(guest, 3) for guest in guests))
        names: list[str] = []
        async with httpx.AsyncClient(base_url=server.base, timeout=60, verify=False) as one:
            assert 201 == (await one.post("/api/setup", json={"code": code, **ada})).status_code
            assert 200 == (await one.post("/api/login", json=ada)).status_code
            while not playing.done() or len(names) < 2:
                made = await one.post("/api/backups")
                assert 201 == made.status_code, made.text
                names.append(made.json()["name"])
            await playing
            assert set(names) == {kept["name"] for kept in (await one.get("/api/backups")).json()}
            for name in {names[0], names[-1]}:
                found = await one.get(f"/api/backups/{name}")
                assert 200 == found.status_code
                (tmp_path / f"fetched-{name}").write_bytes(found.content)
            for name in ("house.db", "..%2Fhouse.db", "%2e%2e%2fhouse.db", "house-20260101T000000Z-00000000.db"):
                assert 404 == (await one.get(f"/api/backups/{name}")).status_code, name
        return [names[0], names[-1]]

    first, last = asyncio.run(play())
    folder = server.folder / "backups"
    assert 0o700 == folder.stat().st_mode & 0o777
    assert all(0o600 == path.stat().st_mode & 0o777 for path in folder.iterdir())
    for place, name in enumerate((first, last)):
        restored = open_store(str(tmp_path / f"restored-{place}.db"))
        try:
            restored.backups.restore(tmp_path / f"fetched-{name}")
            assert verify(restored).good
            assert 0 == restored.wallets.total()
            assert 5 == len(restored.tables.all())
        finally:
            restored.close()

    text = httpx.get(f"{server.base}/metrics", timeout=PATIENCE, verify=False).text
    assert value(text, 'letitride_commands_total{outcome="accepted"}') > 20
    assert value(text, "letitride_rounds_total") >= 6
    assert value(text, "letitride_command_seconds_count") >= value(text, 'letitride_commands_total{outcome="accepted"}')
    assert value(text, 'letitride_messages_sent_total{kind="view"}') > 10
    assert value(text, "letitride_messages_received_total") > 10
    assert value(text, "letitride_transaction_seconds_count") > 10
    assert 0 == value(text, "letitride_halted_tables")
    assert 0 == value(text, "letitride_open_sockets")
    assert 0 == value(text, "letitride_lease_losses_total")
    assert "Ada" not in text
