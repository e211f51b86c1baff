"""Limits: the strictest wins, stricter holds at once, looser in a day, and no two tables share the last of one."""

from __future__ import annotations

import asyncio
import json
import threading
from collections.abc import Mapping
from pathlib import Path
from typing import Any
from unittest.mock import patch

import httpx
import pytest
from hypothesis import given
from hypothesis import strategies as st
from websockets.asyncio.client import ClientConnection

from letitride.errors import InvalidData
from letitride.server.people import visits
from letitride.server.people.accounts import PLAY_CENTS
from letitride.server.people.bounds import (
    NAMES,
    WAIT_MS,
    Bounds,
    OwnLimits,
    cancelled,
    changed,
    excluded,
    limits_at,
    strictest,
)
from letitride.server.people.visits import PlayerVisits, ReservedAmount, Visit
from letitride.server.runtime.requests import Queue
from letitride.storage.urls import open_store
from tests.server import staffed
from tests.server.conftest import Server
from tests.server.guest import COOKIE, PATIENCE, Guest
from tests.server.inside import DAY_MS, HOUR_MS, MINUTE_MS, Inside, inside

T0 = 1_000 * DAY_MS


def test_stricter_holds_at_once_and_looser_in_a_day() -> None:
    own = changed(OwnLimits(), {"loss_day_cents": 500, "time_day_minutes": 60}, T0)
    assert Bounds(loss_day_cents=500, time_day_minutes=60) == own.bounds
    own = changed(own, {"loss_day_cents": 900, "time_day_minutes": None}, T0)
    assert Bounds(loss_day_cents=500, time_day_minutes=60) == own.bounds
    assert Bounds(loss_day_cents=500, time_day_minutes=60) == limits_at(own, T0 + WAIT_MS - 1).bounds
    assert Bounds(loss_day_cents=900) == limits_at(own, T0 + WAIT_MS).bounds
    assert {} == limits_at(own, T0 + WAIT_MS).pending
    own = changed(own, {"loss_day_cents": 900}, T0 + HOUR_MS)  # asked again, it comes no later
    assert own.pending["loss_day_cents"].from_ms == T0 + WAIT_MS
    own = changed(own, {"loss_day_cents": 300}, T0 + HOUR_MS)  # stricter again: what waited is gone
    assert own.bounds.loss_day_cents == 300
    assert "loss_day_cents" not in own.pending
    assert {} == cancelled(own, T0 + HOUR_MS).pending
    assert 60 == limits_at(cancelled(own, T0 + HOUR_MS), T0 + 9 * DAY_MS).bounds.time_day_minutes


def test_what_cannot_be_a_limit_is_refused() -> None:
    with pytest.raises(InvalidData, match="expected bounds of"):
        changed(OwnLimits(), {"beer": 3}, T0)
    with pytest.raises(InvalidData, match="0 or more"):
        changed(OwnLimits(), {"loss_day_cents": -1}, T0)


def test_an_exclusion_can_be_made_longer_and_never_shorter() -> None:
    own = excluded(excluded(OwnLimits(), 50), 20)
    assert 50 == own.excluded_until_ms
    assert 90 == excluded(own, 90).excluded_until_ms


VALUES = st.none() | st.integers(0, 20)
WISHES = st.lists(st.tuples(st.sampled_from(NAMES), VALUES, st.integers(0, 30 * HOUR_MS)), max_size=12)


@given(wishes=WISHES)
def test_whatever_is_asked_no_bound_is_loosened_within_a_day_of_asking(
    wishes: list[tuple[str, int | None, int]],
) -> None:
    now, own = T0, OwnLimits()
    asked: list[tuple[str, int | None, int]] = []
    for name, value, wait in wishes:
        now += wait
        before = limits_at(own, now)
        own = changed(own, {name: value}, now)
        asked.append((name, value, now))
        for one in NAMES:
            was, is_now = getattr(before.bounds, one), getattr(own.bounds, one)
            assert was is None or (is_now is not None and is_now <= was)
        later = limits_at(own, now + WAIT_MS)
        for one in NAMES:
            is_now, then = getattr(own.bounds, one), getattr(later.bounds, one)
            if then != is_now:  # whatever will hold was asked for, a day before
                assert any((n, v) == (one, then) and t <= later_time(own, one) - WAIT_MS for n, v, t in asked)


def later_time(own: OwnLimits, name: str) -> int:
    return own.pending[name].from_ms


@given(several=st.lists(st.builds(Bounds, **dict.fromkeys(NAMES, VALUES)), min_size=1, max_size=4))
def test_the_strictest_wins(several: list[Bounds]) -> None:
    found = strictest(*several)
    for name in NAMES:
        stated = [value for one in several if (value := getattr(one, name)) is not None]
        assert getattr(found, name) == (min(stated) if stated else None)


def test_time_at_two_tables_at_once_counts_once() -> None:
    play = PlayerVisits(
        visits=(
            Visit(table="a", seat=1, since_ms=T0, until_ms=T0 + 60 * MINUTE_MS),
            Visit(table="b", seat=1, since_ms=T0 + 30 * MINUTE_MS, until_ms=T0 + 90 * MINUTE_MS),
            Visit(table="a", seat=1, since_ms=T0 + 120 * MINUTE_MS),
        )
    )
    now = T0 + 150 * MINUTE_MS
    assert 120 * MINUTE_MS == visits.played_ms(play, now, DAY_MS)
    assert T0 + 120 * MINUTE_MS == visits.sitting_since_ms(play, now)
    assert 20 * MINUTE_MS == visits.played_ms(play, now, 20 * MINUTE_MS)


def test_an_amount_on_its_way_counts_until_it_is_forgotten() -> None:
    play = PlayerVisits(reserved=(ReservedAmount("t1/c1", 700, T0 + 5),))
    assert 700 == visits.lost_cents(play, T0, DAY_MS)
    assert 0 == visits.lost_cents(play, T0 + 5, DAY_MS)


async def set_limits(client: httpx.AsyncClient, **limits: int | None) -> dict[str, Any]:
    found = await client.patch("/api/me/limits", json=limits)
    assert found.status_code == 200, found.text
    return dict(found.json())


async def buy(here: Inside, person: Any, table: str, cents: int, command_id: str = "") -> dict[str, Any]:
    seat = here.house.room(table).seat_of(person.name)
    return await here.act(person, table, {"type": "BuyChips", "seat": seat, "cents": cents}, command_id)


def test_a_loss_limit_holds_where_chips_are_bought_and_what_comes_back_counts() -> None:
    async def check() -> None:
        async with inside("t1", "t2") as here:
            client, person = await here.account("Ann", cents=100_000)
            await set_limits(client, loss_day_cents=10_000)
            assert "loss_limit" == (await here.sit(person, "t1", 10_001))["code"]
            assert (await here.sit(person, "t1", 6_000))["accepted"]
            refused = await buy(here, person, "t1", 4_001)
            assert ("loss_limit", False) == (refused["code"], refused["accepted"])
            assert "With $40.01 you could lose $100.01 in 24 hours; your limit is $100." == refused["sentence"]
            assert "loss_limit" == (await here.sit(person, "t2", 4_001))["code"]
            assert (await buy(here, person, "t1", 1_000))["accepted"]
            used = (await client.get("/api/me/limits")).json()["used"]
            assert (7_000, 7_000) == (used["loss_day_cents"], used["loss_month_cents"])
            assert (await here.leave(person, "t1"))["accepted"]  # with all of it
            assert 0 == (await client.get("/api/me/limits")).json()["used"]["loss_day_cents"]
            assert (await here.sit(person, "t2", 10_000))["accepted"]

    asyncio.run(check())


def test_a_command_sent_again_is_answered_as_before_whatever_the_limit_says_by_now() -> None:
    async def check() -> None:
        async with inside("t1") as here:
            client, person = await here.account("Ann", cents=100_000)
            await set_limits(client, loss_day_cents=10_000)
            assert (await here.sit(person, "t1", 5_000))["accepted"]
            first = await buy(here, person, "t1", 5_000, "the same")
            assert first["accepted"]
            assert first == await buy(here, person, "t1", 5_000, "the same")
            assert 90_000 == here.house.stores.wallets.balance("Ann")

    asyncio.run(check())


def test_what_the_table_refuses_anyway_costs_no_write() -> None:
    async def check() -> None:
        async with inside("t1") as here:
            client, person = await here.account("Ann", cents=1_000)
            _, other = await here.guest()
            await set_limits(client, loss_week_cents=10_000)
            assert (await here.sit(other, "t1", seat=1))["accepted"]
            assert "seat_taken" == (await here.sit(person, "t1", 100, seat=1))["code"]
            assert here.house.stores.documents.get("play", "Ann") is None
            poor = await here.sit(person, "t1", 1_001, seat=2)
            assert "not_enough_money" == poor["code"]
            assert () == (await here.house.limits.play("Ann")).reserved
            assert (await here.sit(person, "t1", 1_000, seat=2))["accepted"]
            assert 1_000 == (await client.get("/api/me/limits")).json()["used"]["loss_day_cents"]

    asyncio.run(check())


def test_losses_leave_their_window_when_it_is_over() -> None:
    async def check() -> None:
        async with inside("t1") as here:
            client, person = await here.account("Ann", cents=100_000)
            await set_limits(client, loss_day_cents=5_000, loss_week_cents=8_000)
            await lose(here, person, 5_000)
            assert "loss_limit" == (await here.sit(person, "t1", 100))["code"]
            here.now_ms += DAY_MS
            assert "loss_limit" == (await here.sit(person, "t1", 3_001))["code"]
            await lose(here, person, 3_000)
            here.now_ms += DAY_MS
            refused = await here.sit(person, "t1", 100)
            assert "7 days" in refused["sentence"]
            here.now_ms += 6 * DAY_MS
            assert (await here.sit(person, "t1", 5_000))["accepted"]

    asyncio.run(check())


async def lose(here: Inside, person: Any, cents: int) -> None:
    """Sit down with chips that nothing of comes back: the visit is written as a journal would tell it."""
    play = await here.house.limits.play(person.name)
    visit = Visit(table="t1", seat=1, since_ms=here.now_ms - 1, until_ms=here.now_ms, bought_cents=cents)
    kept = here.house.stores.documents.get("play", person.name)
    body = json.dumps({"visits": [*plain(play), plain(PlayerVisits(visits=(visit,)))[0]]}).encode()
    here.house.stores.documents.put("play", person.name, body, kept.version if kept else 0)


def plain(play: PlayerVisits) -> list[dict[str, Any]]:
    return [{name: getattr(one, name) for name in one.__struct_fields__} for one in play.visits]


def test_two_tables_cannot_both_take_the_last_of_a_limit() -> None:
    async def check() -> None:
        async with inside("t1", "t2") as here:
            client, person = await here.account("Ann", cents=1_000_000)
            await set_limits(client, loss_day_cents=10_000)
            both = await asyncio.gather(here.sit(person, "t1", 6_000), here.sit(person, "t2", 6_000))
            assert [False, True] == sorted(one["accepted"] for one in both)
            table = "t1" if both[0]["accepted"] else "t2"
            many = await asyncio.gather(*(buy(here, person, table, 1_000) for _ in range(12)))
            assert 4 == sum(one["accepted"] for one in many)
            assert 990_000 == here.house.stores.wallets.balance("Ann")

    asyncio.run(check())


def test_two_servers_cannot_both_take_the_last_of_a_limit(tmp_path: Path) -> None:
    async def check() -> None:
        store = open_store(str(tmp_path / "house.db"))
        async with inside("t1", store=store) as here:
            client, person = await here.account("Ann", cents=1_000_000)
            await set_limits(client, loss_day_cents=10_000)
            other = open_store(str(tmp_path / "house.db"))
            async with inside("t2", store=other) as there:
                both = await asyncio.gather(here.sit(person, "t1", 6_000), there.sit(person, "t2", 6_000))
                assert [False, True] == sorted(one["accepted"] for one in both)

    asyncio.run(check())


def test_cash_on_the_felt_is_bought_too() -> None:
    def wagers(cents: int) -> dict[str, Any]:
        spots = dict.fromkeys(("base-1", "base-2", "base-$"), cents)
        return {"type": "PlaceWagers", "seat": 1, "wagers": spots, "medium": "cash", "spoken": True}

    async def check() -> None:
        async with inside() as here:
            await here.house.open("t1", "Cash", "shufflemaster-1", {"bet.spoken_cash": True})
            client, person = await here.account("Ann", cents=100_000)
            assert (await here.sit(person, "t1", 5_000, seat=1))["accepted"]
            await set_limits(client, loss_day_cents=8_000)
            await asyncio.wait_for(betting(here), 60)
            refused = await here.act(person, "t1", wagers(1_500))
            assert "loss_limit" == refused["code"], refused
            bet_on = await here.act(person, "t1", wagers(1_000))
            assert bet_on["accepted"], bet_on
            used = (await client.get("/api/me/limits")).json()["used"]
            assert 8_000 == used["loss_day_cents"]

    asyncio.run(check())


async def betting(here: Inside) -> None:
    await staffed.betting(here.house.room("t1"))


def test_a_voucher_that_was_not_issued_is_no_money() -> None:
    async def check() -> None:
        async with inside() as here:
            await here.house.open("t1", "Vouchers", "nsw-1")
            _, person = await here.account("Ann", cents=100_000)
            assert (await here.sit(person, "t1", 5_000, seat=1))["accepted"]
            for into in ("chips", "tokens"):
                exchange = {"type": "ExchangeVoucher", "seat": 1, "cents": 900_000, "into": into}
                assert "no_voucher" == (await here.act(person, "t1", exchange))["code"]

    asyncio.run(check())


def test_time_runs_out_for_the_next_bets_and_not_for_leaving() -> None:
    async def check() -> None:
        async with inside("t1", "t2") as here:
            client, person = await here.account("Ann", cents=100_000)
            await set_limits(client, time_day_minutes=60)
            assert (await here.sit(person, "t1", 5_000))["accepted"]
            here.now_ms += 59 * MINUTE_MS
            assert "time_limit" != (await bet(here, person))["code"]
            here.now_ms += MINUTE_MS
            assert "time_limit" == (await bet(here, person))["code"]
            assert "time_limit" == (await buy(here, person, "t1", 100))["code"]
            assert "time_limit" == (await here.sit(person, "t2", 100))["code"]
            assert (await here.leave(person))["accepted"]
            used = (await client.get("/api/me/limits")).json()["used"]
            assert (60, 0) == (used["time_day_minutes"], used["sitting_since_ms"])
            here.now_ms += 23 * HOUR_MS
            assert "time_limit" == (await here.sit(person, "t1", 5_000))["code"]
            here.now_ms += HOUR_MS
            assert (await here.sit(person, "t1", 5_000))["accepted"]

    asyncio.run(check())


LEAST = {"base-1": 500, "base-2": 500, "base-$": 500}


async def bet(here: Inside, person: Any, wagers: Mapping[str, int] | None = None) -> dict[str, Any]:
    seat = here.house.room("t1").seat_of(person.name)
    return await here.act(person, "t1", {"type": "PlaceWagers", "seat": seat, "wagers": dict(wagers or LEAST)})


def test_a_reminder_stops_the_bets_until_it_is_confirmed() -> None:
    async def check() -> None:
        async with inside("t1") as here:
            client, person = await here.account("Ann", cents=100_000)
            await set_limits(client, reminder_minutes=30)
            assert (await here.sit(person, "t1", 5_000))["accepted"]
            here.now_ms += 31 * MINUTE_MS
            reminded = await bet(here, person)
            assert ("reminder", "You have been playing for 31 minutes. Confirm to keep playing.") == (
                reminded["code"],
                reminded["sentence"],
            )
            assert (await client.post("/api/me/limits/reminder")).status_code == 200
            assert "reminder" != (await bet(here, person))["code"]
            here.now_ms += 30 * MINUTE_MS
            assert "reminder" == (await bet(here, person))["code"]

    asyncio.run(check())


def test_a_player_who_is_excluded_plays_nowhere_until_the_day() -> None:
    async def check() -> None:
        async with inside("t1") as here:
            client, person = await here.account("Ann", cents=100_000)
            assert (await here.sit(person, "t1", 5_000))["accepted"]
            found = await client.post("/api/me/exclusion", json={"days": 7})
            assert here.now_ms + 7 * DAY_MS == found.json()["excluded_until_ms"]
            shorter = await client.post("/api/me/exclusion", json={"days": 1})
            assert found.json()["excluded_until_ms"] == shorter.json()["excluded_until_ms"]
            assert "excluded" == (await bet(here, person))["code"]
            assert (await here.leave(person))["accepted"]
            here.now_ms += 7 * DAY_MS - 1
            assert "excluded" == (await here.sit(person))["code"]
            here.now_ms += 1
            assert (await here.sit(person))["accepted"]
            assert ("Ann", "exclude Ann 7 days") in here.audited()

    asyncio.run(check())


def test_the_house_and_the_table_have_limits_too_and_guests_have_those() -> None:
    async def check() -> None:
        async with inside("t1", "t2") as here:
            boss, _ = await here.account("Boss", "administrator")
            _, guest = await here.guest()
            client, ann = await here.account("Ann", cents=100_000)
            here.house.limits.house = Bounds(loss_day_cents=9_000)
            wanted = {"loss_day_cents": 4_000, "why": "a small table"}
            assert (await client.put("/api/tables/t2/limits", json=wanted)).status_code == 403
            assert (await boss.put("/api/tables/t2/limits", json=wanted)).status_code == 204
            assert (await boss.put("/api/tables/nowhere/limits", json=wanted)).status_code == 404
            assert "loss_limit" == (await here.sit(guest, "t1", 9_001))["code"]
            assert "loss_limit" == (await here.sit(guest, "t2", 4_001))["code"]
            assert (await here.sit(guest, "t1", 9_000))["accepted"]
            assert 9_000 == (await set_limits(client, loss_day_cents=20_000))["in_force"]["loss_day_cents"]
            assert 3_000 == (await set_limits(client, loss_day_cents=3_000))["in_force"]["loss_day_cents"]
            assert "loss_limit" == (await here.sit(ann, "t2", 3_001))["code"]
            assert any(what.startswith("limits of table t2") for _, what in here.audited())

    asyncio.run(check())


def test_staff_may_tighten_and_exclude_on_the_record_but_not_loosen_at_once() -> None:
    async def check() -> None:
        async with inside() as here:
            boss, _ = await here.account("Boss", "administrator")
            client, _ = await here.account("Ann")
            await set_limits(client, loss_day_cents=1_000)
            wanted = {"loss_day_cents": None, "time_day_minutes": 30, "why": "a word with the family"}
            assert (await client.patch("/api/people/ann/limits", json=wanted)).status_code == 403
            found = (await boss.patch("/api/people/ann/limits", json=wanted)).json()
            assert (1_000, 30) == (found["own"]["loss_day_cents"], found["own"]["time_day_minutes"])
            assert here.now_ms + DAY_MS == found["waiting"]["loss_day_cents"]["from_ms"]
            assert {} == (await client.delete("/api/me/limits/waiting")).json()["waiting"]
            assert (await boss.post("/api/people/Ann/exclusion", json={"days": 3, "why": "asked by letter"})).is_success
            assert (await boss.post("/api/people/Nil/exclusion", json={"days": 3, "why": "who?"})).status_code == 404
            unrecorded = await boss.post("/api/people/Ann/exclusion", json={"days": 9, "why": "no text\0"})
            assert 422 == unrecorded.status_code
            assert here.now_ms + 3 * DAY_MS == (await client.get("/api/me/limits")).json()["excluded_until_ms"]
            assert ["limits Ann", "exclude Ann"] == [
                " ".join(what.split()[:2]) for who, what in here.audited() if who == "Boss"
            ]

    asyncio.run(check())


@pytest.mark.parametrize(
    "limits",
    [
        {"loss_day_cents": -1},
        {"loss_day_cents": 1.5},
        {"time_day_minutes": 1441},
        {"beer": 1},
        {"loss_day_cents": "x"},
        [],
    ],
)
def test_limits_that_make_no_sense_are_refused(limits: Any) -> None:
    async def check() -> None:
        async with inside() as here:
            client, _ = await here.guest()
            assert (await client.patch("/api/me/limits", json=limits)).status_code == 422
            assert (await here.client().patch("/api/me/limits", json={})).status_code == 401

    asyncio.run(check())


def test_limits_and_play_survive_a_restart(tmp_path: Path) -> None:
    async def before() -> int:
        async with inside("t1", store=open_store(str(tmp_path / "house.db"))) as here:
            client, person = await here.account("Ann", cents=100_000)
            assert (await here.sit(person, "t1", 6_000))["accepted"]  # before there was any limit
            await set_limits(client, loss_day_cents=10_000)
            return here.now_ms

    async def after(now_ms: int) -> None:
        async with inside("t1", store=open_store(str(tmp_path / "house.db"))) as here:
            here.now_ms = now_ms + MINUTE_MS
            person = here.house.people.find("Ann")
            assert "loss_limit" == (await buy(here, person, "t1", 4_001))["code"]
            assert (await buy(here, person, "t1", 4_000))["accepted"]
            assert (await here.leave(person))["accepted"]
            assert 0 == visits.lost_cents(await here.house.limits.play("Ann"), here.now_ms, DAY_MS)

    asyncio.run(after(asyncio.run(before())))


async def leave_when_possible(guest: Guest, socket: ClientConnection) -> None:
    """Play on until the table lets a player go."""
    asked = ""
    async for frame in socket:
        message = json.loads(frame)
        if message["type"] == "answer" and message["command"] == asked:
            if message["accepted"]:
                return
            asked = ""
        may_leave = message["type"] == "view" and any(one["type"] == "Leave" for one in message["view"]["offers"])
        if may_leave and not asked:
            asked = await guest.send(socket, {"type": "Leave", "seat": guest.seat})
        elif not may_leave:
            await guest.react(socket, message)


def test_what_rounds_cost_is_what_the_wallet_has_less(server: Server) -> None:
    async def check() -> None:
        guest = Guest(server.base, "hand-dealt-1")
        await guest.arrive()
        async with httpx.AsyncClient(
            base_url=server.base, cookies={COOKIE: guest.cookie}, timeout=PATIENCE, verify=False
        ) as client:
            await set_limits(client, loss_day_cents=50_000, time_day_minutes=600)
            socket = await guest.connect()
            await asyncio.wait_for(guest.play(socket, 3), 120)
            await asyncio.wait_for(leave_when_possible(guest, socket), 120)
            await socket.close()
            wallet = (await client.get("/api/me/wallet")).json()
            (visit,) = wallet["visits"]
            assert 50_000 == visit["bought_cents"]
            assert PLAY_CENTS - wallet["cents"] == visit["bought_cents"] - visit["back_cents"]
            assert visit["until_ms"] > visit["since_ms"]
            used = (await client.get("/api/me/limits")).json()["used"]["loss_day_cents"]
            assert max(PLAY_CENTS - wallet["cents"], 0) == used

    asyncio.run(check())


async def while_it_leaves(here: Inside, leaving: Any, coming: Any) -> dict[str, Any]:
    """Sit down where someone has left, before that is on disk."""
    begun, go, queue = threading.Event(), threading.Event(), here.house.room("t1").host._queue
    judged = asyncio.Semaphore(0)

    def put(request: Any) -> None:
        Queue.put(queue, request)
        judged.release()

    slow = asyncio.create_task(here.house.committer.run(lambda: (begun.set(), go.wait(60))))
    await asyncio.to_thread(begun.wait)
    with patch.object(queue, "put", put):
        both = asyncio.gather(here.leave(leaving), here.sit(coming, "t1", 900_000, seat=1))
        try:
            async with asyncio.timeout(60):
                for _ in range(2):  # what comes to the table's queue was judged by the limits
                    await judged.acquire()
        finally:
            go.set()
    left, answer = await both
    assert left["accepted"]
    await slow
    return answer


def test_what_the_table_refused_when_it_was_asked_passes_no_limit_a_moment_later() -> None:
    async def check() -> None:
        async with inside("t1") as here:
            client, ann = await here.account("Ann", cents=1_000_000)
            _, bob = await here.account("Bob", cents=1_000)
            await set_limits(client, loss_day_cents=10_000)
            assert (await here.sit(bob, "t1", 1_000, seat=1))["accepted"]
            assert "changed" == (await while_it_leaves(here, bob, ann))["code"]
            assert "loss_limit" == (await here.sit(ann, "t1", 900_000, seat=1))["code"]
            assert (await here.sit(ann, "t1", 10_000, seat=1))["accepted"]
            assert "changed" == (await while_it_leaves(here, ann, ann))["code"]
            assert 1_000_000 == here.house.stores.wallets.balance("Ann")

    asyncio.run(check())


def test_a_player_who_may_bet_no_more_may_take_bets_back() -> None:
    async def check() -> None:
        async with inside("t1") as here:
            client, ann = await here.account("Ann", cents=10_000)
            _, bob = await here.account("Bob", cents=10_000)
            for person in (ann, bob):
                assert (await here.sit(person, "t1", 10_000))["accepted"]
            await betting(here)
            assert (await bet(here, ann))["accepted"]
            assert 200 == (await client.post("/api/me/exclusion", json={"days": 1})).status_code
            assert "excluded" == (await bet(here, ann))["code"]
            assert (await here.act(ann, "t1", {"type": "PlaceWagers", "seat": 1, "wagers": {}}))["accepted"]
            assert {} == here.house.room("t1").table.seats[1].wagers

    asyncio.run(check())
