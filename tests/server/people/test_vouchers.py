"""Vouchers: issued on the record, redeemed once and whole by their player, with every cent in the ledger."""

from __future__ import annotations

import asyncio
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import httpx
import msgspec
import pytest

from letitride.engine import commands
from letitride.server.people.accounts import Person
from letitride.storage.urls import open_store
from letitride.storage.verify import verify
from tests.server.inside import DAY_MS, Inside, inside


async def issued(boss: httpx.AsyncClient, name: str = "Ann", **more: Any) -> dict[str, Any]:
    body = {"cents": 2_500, "into": "chips", "days": None, "reference": "spring-1", "why": "spring promotion", **more}
    answer = await boss.post(f"/api/vouchers/{name}", json=body)
    assert 201 == answer.status_code, answer.text
    told: dict[str, Any] = answer.json()
    return told


def exchange(voucher: dict[str, Any], /, seat: int = 1, **more: Any) -> dict[str, Any]:
    of_it = {"voucher": voucher["id"], "cents": voucher["cents"], "into": voucher["into"]}
    return {"type": "ExchangeVoucher", "seat": seat, **of_it, **more}


async def at_tables(here: Inside, *tables: str) -> tuple[httpx.AsyncClient, httpx.AsyncClient, Person]:
    """Return an administrator's browser, a player's, and the player, who sits at some tables by nsw-1."""
    boss, _ = await here.account("Boss", "administrator")
    client, person = await here.account("Ann", cents=100_000)
    for table in tables:
        await here.house.open(table, f"Table {table}", "nsw-1")
        assert (await here.sit(person, table, 5_000, seat=1))["accepted"]
    return boss, client, person


def held(here: Inside, table: str) -> dict[str, int]:
    return here.house.stores.wallets.balances(table)


@pytest.mark.clause("nsw:1.1.voucher.s1", "nsw:1.1.voucher.s2")
@pytest.mark.parametrize("into", ["chips", "tokens"])
def test_a_voucher_is_exchanged_for_its_whole_value_once_and_the_ledger_says_from_where(into: str) -> None:
    async def check() -> None:
        async with inside() as here:
            boss, client, person = await at_tables(here, "t1")
            voucher = await issued(boss, into=into)
            assert {"stack:1": 5_000} == {name: c for name, c in held(here, "t1").items() if c > 0}  # a promise so far
            first = await here.act(person, "t1", exchange(voucher), "redeem-1")
            assert first["accepted"], first
            again = await here.act(person, "t1", exchange(voucher), "redeem-1")  # the same command, sent again
            assert first == again
            refused = await here.act(person, "t1", exchange(voucher))
            assert (False, "voucher_used") == (refused["accepted"], refused["code"])
            purse = {"chips": "stack:1", "tokens": "tokens:1"}[into]
            before = {"stack:1": 5_000, "tokens:1": 0}
            now = held(here, "t1")
            assert before[purse] + 2_500 == now[purse]
            assert -2_500 == now["promotions"]
            assert [("promotions", purse, 2_500)] == [
                (one.source, one.target, one.cents)
                for one in here.house.stores.wallets.transfers("t1")
                if one.source == "promotions"
            ]
            assert 0 == here.house.stores.wallets.total()
            (shown,) = (await client.get("/api/me/vouchers")).json()
            assert ("t1", here.now_ms) == (shown["redeemed_at"], shown["redeemed_ms"])
            assert ("Boss", f"voucher Ann/spring-1 2500 {into}") in here.audited()

    asyncio.run(check())


@pytest.mark.clause("nsw:1.1.voucher.s1")
def test_a_voucher_is_its_players_alone_and_keeps_to_its_conditions() -> None:
    async def check() -> None:
        async with inside() as here:
            boss, _, person = await at_tables(here, "t1")
            _, bob = await here.account("Bob", cents=100_000)
            assert (await here.sit(bob, "t1", 5_000, seat=2))["accepted"]
            voucher = await issued(boss, days=2)
            tries = {
                "no_voucher": exchange(voucher, voucher="Ann/autumn-1"),
                "voucher_differs": exchange(voucher, cents=2_400),
            }
            found = {code: (await here.act(person, "t1", one))["code"] for code, one in tries.items()}
            assert {code: code for code in tries} == found
            assert "voucher_differs" == (await here.act(person, "t1", exchange(voucher, into="tokens")))["code"]
            assert "no_voucher" == (await here.act(bob, "t1", exchange(voucher, seat=2)))["code"]
            here.now_ms += 2 * DAY_MS
            assert "voucher_expired" == (await here.act(person, "t1", exchange(voucher)))["code"]
            assert "promotions" not in held(here, "t1")

    asyncio.run(check())


def test_a_table_that_takes_no_vouchers_leaves_them_good() -> None:
    async def check() -> None:
        async with inside() as here:
            boss, client, person = await at_tables(here)
            await here.house.open("hd", "By hand", "hand-dealt-1")
            assert (await here.sit(person, "hd", 5_000, seat=1))["accepted"]
            voucher = await issued(boss)
            assert "medium_refused" == (await here.act(person, "hd", exchange(voucher)))["code"]
            (shown,) = (await client.get("/api/me/vouchers")).json()
            assert shown["redeemed_at"] is None
            assert (5_000, None) == (held(here, "hd")["stack:1"], held(here, "hd").get("promotions"))

    asyncio.run(check())


@pytest.mark.parametrize("kind", ["memory", "sqlite"])
def test_of_many_tries_at_two_tables_at_once_one_redeems_a_voucher(kind: str, tmp_path: Path) -> None:
    async def check() -> None:
        store = open_store("memory:" if kind == "memory" else f"sqlite:///{tmp_path / 'house.db'}")
        async with inside(store=store) as here:
            boss, _, _ = await at_tables(here, "t1", "t2")
            voucher = await issued(boss)
            # Past the house's own look at its vouchers, as two servers would come that both found it good.
            command = commands.ExchangeVoucher(by="seat:1", seat=1, cents=2_500, into="chips", voucher=voucher["id"])
            hosts = [here.house.room(table).host for table in ("t1", "t2") for _ in range(4)]
            answers = await asyncio.gather(*(h.submit("Ann", f"try-{n}", command) for n, h in enumerate(hosts)))
            assert 1 == sum(one.accepted for one in answers)
            assert {"voucher_used"} == {one.code for one in answers if not one.accepted}
            given = [held(here, table).get("promotions", 0) for table in ("t1", "t2")]
            assert [-2_500, 0] == sorted(given)
            assert 12_500 == sum(held(here, table)["stack:1"] for table in ("t1", "t2"))
            assert 0 == here.house.stores.wallets.total()
            assert verify(here.house.stores).good

    asyncio.run(check())


def test_verify_names_a_voucher_that_was_redeemed_again_after_its_mark_was_deleted(tmp_path: Path) -> None:
    async def check() -> None:
        path = tmp_path / "house.db"
        async with inside(store=open_store(f"sqlite:///{path}")) as here:
            boss, _, person = await at_tables(here, "t1")
            voucher = await issued(boss)
            assert (await here.act(person, "t1", exchange(voucher)))["accepted"]
            assert verify(here.house.stores).good
            with closing(sqlite3.connect(path, isolation_level=None)) as database:
                database.execute("DELETE FROM acks WHERE client = 'voucher'")
            (unmarked, _) = verify(here.house.stores).wrong
            assert "expected the voucher Ann/spring-1 to be marked as spent at table t1, row" in unmarked
            assert (await here.act(person, "t1", exchange(voucher)))["accepted"]
            (twice, money) = verify(here.house.stores).wrong
            assert "expected the voucher Ann/spring-1 to be redeemed once, got it at table t1, row" in twice
            assert "expected 2500 cents to leave promotions for the vouchers that are spent, got 5000" == money

    asyncio.run(check())


def test_vouchers_are_issued_by_an_administrator_to_an_account_once_for_each_reference() -> None:
    async def check() -> None:
        async with inside() as here:
            boss, client, _ = await at_tables(here)
            body = {"cents": 2_500, "into": "chips", "days": 7, "reference": "spring-1", "why": "spring promotion"}
            many = await asyncio.gather(*(boss.post("/api/vouchers/Ann", json=body) for _ in range(4)))
            assert [201] * 4 == [one.status_code for one in many]
            assert 1 == len({one.text for one in many})
            assert 404 == (await boss.post("/api/vouchers/Nobody", json=body)).status_code
            _, guest = await here.guest()
            assert 422 == (await boss.post(f"/api/vouchers/{guest.name}", json=body)).status_code
            assert 403 == (await client.post("/api/vouchers/Ann", json=body)).status_code
            assert 403 == (await client.get("/api/vouchers/Ann")).status_code
            assert 401 == (await here.client().get("/api/me/vouchers")).status_code
            (mine,) = (await client.get("/api/me/vouchers")).json()
            assert [mine] == (await boss.get("/api/vouchers/Ann")).json()
            assert 1 == sum(what.startswith("voucher ") for _, what in here.audited())

    asyncio.run(check())


def test_a_player_who_is_excluded_redeems_nothing_and_keeps_the_voucher() -> None:
    async def check() -> None:
        async with inside() as here:
            boss, client, person = await at_tables(here, "t1")
            voucher = await issued(boss)
            await here.house.limits.exclude("Ann", 1, "Boss", "asked for")
            assert "excluded" == (await here.act(person, "t1", exchange(voucher)))["code"]
            (shown,) = (await client.get("/api/me/vouchers")).json()
            assert shown["redeemed_at"] is None

    asyncio.run(check())


@pytest.mark.parametrize(
    "changed",
    [
        {"cents": 0},
        {"cents": True},
        {"cents": "100"},
        {"cents": 100.0},
        {"day": 7},
        {"days": 0},
        {"days": True},
        {"days": "7"},
        {"why": "   "},
        {"why": "spring\x00promotion"},
    ],
    ids=str,
)
def test_a_voucher_that_is_not_clearly_asked_for_is_not_issued(changed: dict[str, Any]) -> None:
    async def check() -> None:
        async with inside() as here:
            boss, client, _ = await at_tables(here)
            body = {"cents": 2_500, "into": "chips", "days": 7, "reference": "spring-1", "why": "spring promotion"}
            assert 422 == (await boss.post("/api/vouchers/Ann", json={**body, **changed})).status_code
            assert [] == (await client.get("/api/me/vouchers")).json()
            assert 201 == (await boss.post("/api/vouchers/Ann", json=body)).status_code

    asyncio.run(check())


def test_a_voucher_has_no_end_only_where_that_is_said() -> None:
    async def check() -> None:
        async with inside() as here:
            boss, _, _ = await at_tables(here)
            body = {"cents": 2_500, "into": "chips", "reference": "spring-1", "why": "spring promotion"}
            assert 422 == (await boss.post("/api/vouchers/Ann", json=body)).status_code
            assert 0 == (await issued(boss, days=None))["until_ms"]
            assert here.now_ms + 7 * DAY_MS == (await issued(boss, days=7, reference="spring-2"))["until_ms"]

    asyncio.run(check())


@pytest.mark.parametrize(
    "changed", [{"cents": 2_600}, {"into": "tokens"}, {"days": 8}, {"days": None}, {"why": "summer"}], ids=str
)
def test_a_reference_used_again_for_anything_else_is_refused(changed: dict[str, Any]) -> None:
    async def check() -> None:
        async with inside() as here:
            boss, client, _ = await at_tables(here)
            first = await issued(boss, days=7)
            here.now_ms += 1_000
            assert first == await issued(boss, days=7)
            body = {"cents": 2_500, "into": "chips", "days": 7, "reference": "spring-1", "why": "spring promotion"}
            assert 422 == (await boss.post("/api/vouchers/Ann", json={**body, **changed})).status_code
            assert [first] == (await client.get("/api/me/vouchers")).json()

    asyncio.run(check())


def test_issuing_again_what_was_redeemed_says_where_and_when() -> None:
    async def check() -> None:
        async with inside() as here:
            boss, _, person = await at_tables(here, "t1")
            voucher = await issued(boss)
            assert (await here.act(person, "t1", exchange(voucher)))["accepted"]
            again = await issued(boss)
            assert ("t1", here.now_ms) == (again["redeemed_at"], again["redeemed_ms"])

    asyncio.run(check())


def test_an_administrator_issues_no_voucher_to_the_own_account() -> None:
    async def check() -> None:
        async with inside() as here:
            boss, _, _ = await at_tables(here)
            body = {"cents": 2_500, "days": None, "reference": "spring-1", "why": "spring promotion"}
            assert 422 == (await boss.post("/api/vouchers/Boss", json=body)).status_code
            assert [] == (await boss.get("/api/vouchers/Boss")).json()

    asyncio.run(check())


@pytest.mark.parametrize("into", ["chips", "tokens"])
def test_a_player_with_an_empty_wallet_sits_down_to_redeem_a_voucher(into: str) -> None:
    async def check() -> None:
        async with inside() as here:
            boss, _, _ = await at_tables(here)
            client, person = await here.account("Bob")
            await here.house.open("t1", "Table t1", "nsw-1")
            voucher = await issued(boss, "Bob", into=into)
            assert (await here.sit(person, "t1", 0, seat=1))["accepted"]
            assert (await here.act(person, "t1", exchange(voucher)))["accepted"]
            assert 2_500 == held(here, "t1")[{"chips": "stack:1", "tokens": "tokens:1"}[into]]
            assert [("t1", 0)] == [(one.table, one.until_ms) for one in (await here.house.limits.play("Bob")).visits]
            assert (await here.leave(person, "t1"))["accepted"]
            assert {"chips": 2_500, "tokens": 0}[into] == (await client.get("/api/me")).json()["wallet_cents"]

    asyncio.run(check())


async def with_tokens(here: Inside, days: int | None) -> Person:
    """Return a player who holds tokens at a table."""
    boss, _, person = await at_tables(here, "t1")
    voucher = await issued(boss, into="tokens", days=days)
    assert (await here.act(person, "t1", exchange(voucher)))["accepted"]
    assert ("Ann", "voucher.redeemed Ann/spring-1 2500 tokens") in here.audited()
    return person


async def good(here: Inside) -> dict[str, Any]:
    """Return the one voucher of Ann's that is not redeemed."""
    (one,) = [voucher for voucher, redeemed in await here.house.vouchers.of("Ann") if redeemed is None]
    found: dict[str, Any] = msgspec.to_builtins(one)
    return found


@pytest.mark.parametrize("kind", ["memory", "sqlite"])
def test_tokens_held_on_leaving_are_a_voucher_again_that_is_redeemed_once(kind: str, tmp_path: Path) -> None:
    async def check() -> None:
        store = open_store("memory:" if kind == "memory" else f"sqlite:///{tmp_path / 'house.db'}")
        async with inside(store=store) as here:
            person = await with_tokens(here, 30)
            here.now_ms += 2 * DAY_MS
            assert (await here.leave(person, "t1"))["accepted"]
            rest = await good(here)
            assert (2_500, "tokens", here.now_ms + 28 * DAY_MS) == (rest["cents"], rest["into"], rest["until_ms"])
            assert ("house", f"voucher {rest['id']} 2500 tokens") in here.audited()
            assert 0 == held(here, "t1").get("promotions", 0)
            assert 100_000 == await here.house.wallets.balance("Ann")
            assert (await here.sit(person, "t1", 0, seat=1))["accepted"]
            assert (await here.act(person, "t1", exchange(rest)))["accepted"]
            assert "voucher_used" == (await here.act(person, "t1", exchange(rest)))["code"]
            assert (2_500, -2_500) == (held(here, "t1")["tokens:1"], held(here, "t1")["promotions"])
            assert (await here.leave(person, "t1"))["accepted"]
            again = await good(here)
            assert (2_500, rest["until_ms"]) == (again["cents"], again["until_ms"])
            assert verify(here.house.stores).good

    asyncio.run(check())


@pytest.mark.parametrize(("days", "later", "left"), [(None, 1, None), (10, 1, 9), (10, 8, 7), (1, 3, 7)])
def test_returned_tokens_keep_their_end_and_at_least_a_week(days: int | None, later: int, left: int | None) -> None:
    async def check() -> None:
        async with inside() as here:
            person = await with_tokens(here, days)
            here.now_ms += later * DAY_MS
            assert (await here.leave(person, "t1"))["accepted"]
            expected = 0 if left is None else here.now_ms + left * DAY_MS
            assert expected == (await good(here))["until_ms"]

    asyncio.run(check())


def test_tokens_come_back_where_the_house_closes_the_table_or_bars_the_player() -> None:
    async def check() -> None:
        async with inside() as here:
            await with_tokens(here, 30)
            room = here.house.room("t1")
            await room.door.close("Boss", "night")
            await room.door.pay_out_and_close()
            assert 2_500 == (await good(here))["cents"]
        async with inside() as here:
            await with_tokens(here, 30)
            bar = commands.Order(by="casino_supervisor", kind="bar", seats=(1,), ground="collusion", why="seen")
            answer = await here.house.room("t1").host.submit("Sue", "bar-1", bar, person="Sue")
            assert answer.accepted, answer
            assert 2_500 == (await good(here))["cents"]

    asyncio.run(check())


def test_a_voucher_redeemed_and_left_in_one_moment_keeps_its_end() -> None:
    async def check() -> None:
        async with inside() as here:
            boss, _, _ = await at_tables(here, "t1")
            voucher = await issued(boss, into="tokens", days=30)
            host = here.house.room("t1").host
            redeem = commands.ExchangeVoucher(by="seat:1", seat=1, cents=2_500, into="tokens", voucher=voucher["id"])
            both = (redeem, commands.Leave(by="seat:1", seat=1))
            answers = await asyncio.gather(*(host.submit("Ann", f"c-{n}", one) for n, one in enumerate(both)))
            assert all(one.accepted for one in answers)
            assert voucher["until_ms"] == (await good(here))["until_ms"]

    asyncio.run(check())


def test_a_coupon_is_brought_to_a_table_laid_and_kept_for_its_player_who_leaves(tmp_path: Path) -> None:
    path = tmp_path / "coupons.toml"
    path.write_text(
        'id = "coupons"\ntitle = "Coupons"\nextends = "nsw-1"\n[rules]\nbet.media = ["chips", "tokens", "match_play"]\n'
    )

    async def check() -> None:
        async with inside() as here:
            boss, client, person = await at_tables(here, "plain")
            await here.house.open("t1", "Coupons", str(path))
            assert (await here.sit(person, "t1", 5_000, seat=1))["accepted"]
            voucher = await issued(boss, into="match_play", days=30)
            refused = await here.act(person, "plain", exchange(voucher))
            assert ("medium_refused", False) == (refused["code"], refused["accepted"])
            assert (await here.act(person, "t1", exchange(voucher)))["accepted"]
            assert (2_500, -2_500) == (held(here, "t1")["coupons:1"], held(here, "t1")["promotions"])
            assert (await here.act(person, "t1", {"type": "Leave", "seat": 1}))["accepted"]
            assert not held(here, "t1").get("coupons:1")
            rest, spent = sorted((await client.get("/api/me/vouchers")).json(), key=lambda one: one["redeemed_ms"])
            assert (2_500, "match_play", None) == (rest["cents"], rest["into"], rest["redeemed_at"])
            assert (spent["until_ms"], "t1") == (rest["until_ms"], spent["redeemed_at"])
            assert "Match-play coupons you held when you left the table" == rest["why"]
            assert (await here.sit(person, "t1", 5_000, seat=1))["accepted"]
            assert (await here.act(person, "t1", exchange(rest)))["accepted"]
            assert 2_500 == held(here, "t1")["coupons:1"]
            assert 0 == here.house.stores.wallets.total()
            assert verify(here.house.stores).good

    asyncio.run(check())
