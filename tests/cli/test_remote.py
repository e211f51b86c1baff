"""The operator's commands one after another: a server that is asked too often is waited for, and told so once."""

from __future__ import annotations

import asyncio
import base64
import io
import json
import time
from pathlib import Path
from unittest.mock import Mock

import pytest

from letitride.cli.house import staff, tables
from letitride.cli.house.remote import Remote
from letitride.client import House, HouseRefused
from letitride.errors import InvalidData
from letitride.server.people.authenticator_app import code_at
from letitride.server.runtime.rates import Rate, Rates
from letitride.server.tables.house import House as House_
from letitride.storage.urls import open_store
from tests.server.staffed import PATIENT, comes, open_house, seated, serving

PASSWORD = "long enough now"  # noqa: S105 - of no real account


def test_a_morning_of_tables_is_opened_by_as_many_commands_though_each_logs_in(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("LETITRIDE_USER", "Ada")
    monkeypatch.setenv("LETITRIDE_PASSWORD", PASSWORD)

    async def morning() -> set[str]:
        async with open_house() as house, serving(house) as address:
            await house.people.register("Ada", PASSWORD, ("player", "administrator"))
            house.rates = Rates(logins_as=Rate(1, 60))
            waited = [time.time_ns() // 1_000_000]  # no time passes but what is waited, however slow this machine is
            house.clock_ms = lambda: sum(waited)
            wait = Mock(sleep=lambda seconds: waited.append(int(seconds * 1_000)))
            monkeypatch.setattr("letitride.cli.house.remote.time", wait)
            for number in range(3):
                await asyncio.to_thread(tables.open_table, f"Table {number}", "nsw-1", server=address)
            return set(house.rooms)

    assert {"table-0", "table-1", "table-2"} == asyncio.run(morning())
    assert 2 * "letitride: too many requests; trying again in 1 s\n" == capsys.readouterr().err


def test_who_would_have_to_wait_too_long_is_told_so_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LETITRIDE_USER", "Ada")
    monkeypatch.setenv("LETITRIDE_PASSWORD", PASSWORD)

    async def twice() -> None:
        async with open_house() as house, serving(house) as address:
            await house.people.register("Ada", PASSWORD, ("player", "administrator"))
            house.rates = Rates(logins_as=Rate(1, 0.01))
            await asyncio.to_thread(Remote(address).sign_in)
            monkeypatch.setattr("letitride.cli.house.remote.time", Mock(sleep=pytest.fail))
            with pytest.raises(InvalidData, match="try again in [0-9]+ seconds"):
                await asyncio.to_thread(Remote(address).sign_in)

    asyncio.run(twice())


def test_an_account_with_a_second_factor_signs_in_by_its_code_from_commands_and_programs(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("LETITRIDE_USER", "Ada")
    monkeypatch.setenv("LETITRIDE_PASSWORD", PASSWORD)
    monkeypatch.delenv("LETITRIDE_CODE", raising=False)
    monkeypatch.setattr("sys.stdin", io.StringIO(""))

    async def sign_in() -> None:
        async with open_house() as house, serving(house) as address:
            await house.people.register("Ada", PASSWORD, ("player", "administrator"))
            secret = base64.b32decode((await house.people.factors.draw_app("Ada", "letitride")).secret)
            codes = await house.people.factors.confirm_app("Ada", code_at(secret, house.clock_ms()))
            with pytest.raises(InvalidData, match="expected LETITRIDE_CODE, or a terminal"):
                await asyncio.to_thread(Remote(address).sign_in)
            monkeypatch.setenv("LETITRIDE_CODE", codes[0])
            operator = Remote(address)
            await asyncio.to_thread(operator.sign_in)
            assert "Ada" == (await asyncio.to_thread(operator.ask, "GET", "/api/me"))["name"]
            for code, wanted in (("", "second_factor"), (codes[0], "code_wrong")):
                with pytest.raises(HouseRefused) as refused:
                    await House(address).sign_in("Ada", PASSWORD, code)
                assert wanted == refused.value.code
            assert "Ada" == await House(address).sign_in("Ada", PASSWORD, codes[1])

    asyncio.run(sign_in())


def test_a_lost_phone_is_forgotten_by_another_administrator_or_on_the_database_of_a_stopped_server(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    monkeypatch.setenv("LETITRIDE_USER", "Ada")
    monkeypatch.setenv("LETITRIDE_PASSWORD", PASSWORD)
    db = str(tmp_path / "house.db")

    async def lose(house: House_, name: str) -> None:
        secret = base64.b32decode((await house.people.factors.draw_app(name, "letitride")).secret)
        await house.people.factors.confirm_app(name, code_at(secret, house.clock_ms()))

    async def by_another() -> None:
        async with open_house(store=open_store(db)) as house, serving(house) as address:
            for name in ("Ada", "Ben"):
                await house.people.register(name, PASSWORD, ("player", "administrator"))
            await lose(house, "Ben")
            await asyncio.to_thread(staff.list_staff, server=address)
            assert "second factor" in capsys.readouterr().out
            await asyncio.to_thread(staff.reset_factor, "Ben", "a lost phone & more", server=address)
            assert not house.people.factors.of("Ben").is_set
            assert ("Ada", "a lost phone & more") in [(row.who, row.why) for row in house.stores.audit.rows()]
            with pytest.raises(InvalidData, match="expected another person's account, got your own"):
                await asyncio.to_thread(staff.reset_factor, "Ada", server=address)
            await lose(house, "Ada")

    asyncio.run(by_another())
    capsys.readouterr()
    staff.reset_factor("ada", "the only phone", db=db, as_json=True)
    assert {"name": "Ada", "second_factor": False} == json.loads(capsys.readouterr().out)
    with pytest.raises(InvalidData, match="expected the name of an account, got 'Zoe'"):
        staff.reset_factor("Zoe", db=db)
    store = open_store(db)
    assert ("command line", "reset second factor Ada", "the only phone") in [
        (row.who, row.what, row.why) for row in store.audit.rows()
    ]
    store.close()


def test_a_table_whose_rules_want_notice_is_closed_by_command_only_where_that_is_said(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("LETITRIDE_USER", "Ada")
    monkeypatch.setenv("LETITRIDE_PASSWORD", PASSWORD)

    async def close() -> None:
        async with open_house("nsw-1", pace=PATIENT) as house, serving(house) as address:
            await house.people.register("Ada", PASSWORD, ("player", "administrator"))
            room = house.room("nsw-1")
            await seated(house, room, 1)
            with pytest.raises(InvalidData, match="posted for 20 minutes"):
                await asyncio.to_thread(tables.close_table, "nsw-1", "the night", server=address)
            assert room.state == "open"
            await asyncio.to_thread(tables.close_table, "nsw-1", "a fire", without_notice=True, server=address)
            await comes(room, lambda: room.state == "closed")
            assert not any(seat.player for seat in room.table.seats.values())

    asyncio.run(close())
    assert "Table nsw-1 takes no more bets." in capsys.readouterr().out


def test_a_book_that_there_is_not_is_refused_before_anybody_is_asked() -> None:
    with pytest.raises(InvalidData, match="no-such-book"):
        tables.open_table("Table", "no-such-book", server="http://127.0.0.1:9")
    with pytest.raises(InvalidData, match=r"limit\.cents_max"):
        tables.open_table("Table", "nsw-1", limits="10:1", server="http://127.0.0.1:9")
