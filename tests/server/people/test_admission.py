"""Admission: where a house demands accounts no guest plays, and where it verifies them no one comes back under a new name."""

from __future__ import annotations

import asyncio

import pytest

from letitride.server.ops.settings import Settings
from letitride.server.running import make_house
from letitride.storage.memory.opening import memory_stores
from tests.server.inside import MINUTE_MS, inside

KNOWN = {"reference": "customer 4711", "why": "seen at the desk"}


def test_a_house_that_demands_accounts_has_no_guests_and_seats_none() -> None:
    async def check() -> None:
        async with inside("t1") as here:
            _, guest = await here.guest()
            here.house.admission.players = "accounts"
            refused = await here.client().post("/api/guest")
            assert (403, True) == (refused.status_code, "need an account to play" in refused.json()["detail"])
            assert "account_needed" == (await here.sit(guest))["code"]
            _, ann = await here.account("Ann", cents=50_000)
            assert (await here.sit(ann))["accepted"]

    asyncio.run(check())


def test_a_guest_who_sat_before_bets_no_more_where_accounts_are_demanded() -> None:
    async def check() -> None:
        async with inside("t1") as here:
            _, guest = await here.guest()
            assert (await here.sit(guest))["accepted"]
            here.house.admission.players = "accounts"
            seat = here.house.room("t1").seat_of(guest.name)
            assert (
                "account_needed"
                == (await here.act(guest, "t1", {"type": "BuyChips", "seat": seat, "cents": 100}))["code"]
            )
            assert (await here.leave(guest))["accepted"]

    asyncio.run(check())


def test_an_excluded_person_does_not_come_back_under_a_new_name_where_the_house_verifies() -> None:
    async def check() -> None:
        async with inside("t1") as here:
            here.house.admission.players = "verified"
            boss, _ = await here.account("Boss", "administrator")
            _, ann = await here.account("Ann", cents=50_000)
            _, again = await here.account("Somebody new", cents=50_000)
            assert "not_verified" == (await here.sit(ann))["code"]
            assert 204 == (await boss.post("/api/people/Ann/verification", json=KNOWN)).status_code
            assert 204 == (await boss.post("/api/people/Ann/verification", json=KNOWN)).status_code
            assert (await here.sit(ann))["accepted"]  # also who came before
            assert (await here.leave(ann))["accepted"]
            exclusion = {"days": 30, "why": "asked for it"}
            assert 200 == (await boss.post("/api/people/Ann/exclusion", json=exclusion)).status_code
            assert "excluded" == (await here.sit(ann))["code"]

            same = {**KNOWN, "reference": " CUSTOMER 4711 "}
            refused = await boss.post("/api/people/Somebody new/verification", json=same)
            assert (422, True) == (refused.status_code, "has the account of 'ann'" in refused.json()["detail"])
            assert "not_verified" == (await here.sit(again))["code"]
            other = {**KNOWN, "reference": "customer 4712"}
            assert 422 == (await boss.post("/api/people/Ann/verification", json=other)).status_code
            assert 204 == (await boss.post("/api/people/Somebody new/verification", json=other)).status_code
            assert [("Boss", "verify Ann"), ("Boss", "verify Somebody new")] == [
                one for one in here.audited() if one[1].startswith("verify")
            ]
            kept = [one.id + one.body.decode() for one in here.house.stores.documents.find("identity")]
            assert not any("4711" in one for one in kept)

    asyncio.run(check())


@pytest.mark.parametrize("body", [{"reference": "", "why": "x"}, {"reference": "x"}, {"reference": "x", "why": "a\nb"}])
def test_a_verification_that_says_nothing_is_refused(body: dict[str, str]) -> None:
    async def check() -> None:
        async with inside() as here:
            boss, _ = await here.account("Boss", "administrator")
            client, guest = await here.guest()
            assert 422 == (await boss.post("/api/people/Boss/verification", json=body)).status_code
            assert 422 == (await boss.post(f"/api/people/{guest.name}/verification", json=KNOWN)).status_code
            assert 403 == (await client.post("/api/people/Boss/verification", json=KNOWN)).status_code

    asyncio.run(check())


def test_who_may_play_is_a_setting() -> None:
    house = make_house(Settings(players="accounts", idle_minutes=20, staff_idle_minutes=10), memory_stores(), "")
    assert not house.admission.has_guests
    assert (20 * MINUTE_MS, 10 * MINUTE_MS) == (house.people.idle_ms, house.people.staff_idle_ms)
    house.committer.close()


def test_staff_do_not_play_in_their_house_unless_it_says_so() -> None:
    async def check() -> None:
        async with inside("t1") as here:
            _, dan = await here.account("Dan", "dealer", cents=50_000)
            told = await here.sit(dan)
            assert ("works_in_house", "You work in this house, so you can't play here.") == (
                told["code"],
                told["sentence"],
            )
            assert 50_000 == await here.house.wallets.balance("Dan")
            here.house.admission.staff_play = True
            assert (await here.sit(dan))["accepted"]
            here.house.admission.staff_play = False  # one who sat before leaves with everything
            seat = here.house.room("t1").seat_of("Dan")
            more = await here.act(dan, "t1", {"type": "BuyChips", "seat": seat, "cents": 100})
            assert "works_in_house" == more["code"]
            assert (await here.leave(dan))["accepted"]
            assert 50_000 == await here.house.wallets.balance("Dan")

    asyncio.run(check())
    assert make_house(Settings(staff_play=True), memory_stores(), "").admission.staff_play
