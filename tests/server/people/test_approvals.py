"""Approvals: above a role's ceiling a second person decides, once, by another name; killed in between nothing is lost."""

from __future__ import annotations

import asyncio
from typing import Any

import httpx
import pytest

from letitride.errors import StoreDown
from letitride.rules.roles import CEILINGS, MONEY_ACTS, STAFF_ACCOUNTS
from letitride.server.ops.settings import Settings
from letitride.server.people.approval_records import Approval, Wish
from letitride.server.people.approvals import LATE_MS, Approvals
from letitride.server.people.ceilings import Ceilings
from letitride.server.running import make_house
from letitride.storage.memory.opening import memory_stores
from tests.server.inside import MINUTE_MS, Inside, inside

ALONE = CEILINGS["administrator"].alone
BIG = ALONE + 1


async def cash(client: httpx.AsyncClient, name: str, cents: int, reference: str) -> httpx.Response:
    body = {"cents": cents, "reference": reference, "why": "a good customer"}
    return await client.post(f"/api/wallets/{name}/deposit", json=body)


async def say(client: httpx.AsyncClient, approval: str, what: str = "approve") -> httpx.Response:
    return await client.post(f"/api/approvals/{approval}/{what}", json={"why": "seen"})


async def waiting(client: httpx.AsyncClient) -> list[dict[str, Any]]:
    return [one for one in (await client.get("/api/approvals")).json() if one["state"] == "waiting"]


def on_record(here: Inside) -> list[tuple[str, str, str]]:
    return [(row.who, row.what, row.why) for row in here.house.stores.audit.rows() if "approv" in row.what + row.why]


def test_a_deposit_above_the_ceiling_waits_for_another_person_and_is_made_once() -> None:
    async def go() -> None:
        async with inside() as here:
            ada, _ = await here.account("Ada", "administrator")
            carl, _ = await here.account("Carl", "casino_supervisor")
            fay, _ = await here.account("Fay", "floor")
            _, ann = await here.account("Ann")
            asked = await cash(ada, "Ann", BIG, "big")
            assert (409, "awaits_approval") == (asked.status_code, asked.json()["code"])
            assert 0 == await here.house.wallets.balance("Ann")
            (one,) = await waiting(carl)
            assert (one["cents"], one["asked_by"], one["refused"]) == (BIG, "Ada", None)
            # Asked again under its reference it is the same request; no one approves their own, nor without the role.
            assert 409 == (await cash(ada, "Ann", BIG, "big")).status_code
            assert 1 == len(await waiting(carl))
            own, low = await say(ada, one["id"]), await say(fay, one["id"])
            assert (403, 403) == (own.status_code, low.status_code)
            assert "no one approves their own request" in own.json()["detail"]
            assert 0 == await here.house.wallets.balance("Ann")
            done = await say(carl, one["id"])
            assert (200, "done", "Carl") == (done.status_code, done.json()["state"], done.json()["decided_by"])
            assert BIG == await here.house.wallets.balance(ann.name)
            # Once: neither a second approval nor the first request sent again pays anything.
            again = await say(carl, one["id"])
            assert (409, True) == (again.status_code, "Carl has approved" in again.json()["detail"])
            assert 200 == (await cash(ada, "Ann", BIG, "big")).status_code
            assert BIG == await here.house.wallets.balance("Ann")
            rows = on_record(here)
            paid = [why for who, what, why in rows if (who, what) == ("Ada", f"fund Ann {BIG}")]
            assert paid == ["big: a good customer; approved by Carl"]
            what = f"deposit {BIG}"
            assert [(w, t) for w, t, _ in rows if t.startswith("approval.")] == [
                ("Ada", f"approval.asked {what}"),
                ("Carl", f"approval.approved {what}"),
                ("house", f"approval.done {what}"),
            ]
            assert all("asked by Ada" in why for who, t, why in rows if t.startswith(("approval.app", "approval.done")))

    asyncio.run(go())


def test_what_one_person_moves_alone_is_counted_over_a_day_and_by_kind() -> None:
    async def go() -> None:
        async with inside() as here:
            ada, _ = await here.account("Ada", "administrator")
            await here.account("Ann")
            half = ALONE // 2
            assert 200 == (await cash(ada, "Ann", half, "a")).status_code
            assert 200 == (await cash(ada, "Ann", half, "b")).status_code
            assert 200 == (await cash(ada, "Ann", half, "b")).status_code  # the same one
            assert 409 == (await cash(ada, "Ann", 1, "c")).status_code  # in small pieces it is as much
            body = {"cents": 500, "days": None, "reference": "v", "why": "a promotion"}
            assert 201 == (await ada.post("/api/vouchers/Ann", json=body)).status_code  # another kind
            here.now_ms += 24 * 60 * MINUTE_MS
            token = await here.house.people.sessions.begin("Ada")
            assert 200 == (await cash(here.client(token), "Ann", 1, "d")).status_code
            assert ALONE + 1 == await here.house.wallets.balance("Ann")

    asyncio.run(go())


def test_declined_taken_back_expired_and_impossible_requests_change_nothing() -> None:
    async def go() -> None:
        async with inside() as here:
            ada, _ = await here.account("Ada", "administrator")
            bob, _ = await here.account("Bob", "administrator")
            await here.account("Ann")
            too_much = await cash(ada, "Ann", CEILINGS["administrator"].approves + 1, "huge")
            assert (422, "over_ceiling") == (too_much.status_code, too_much.json()["code"])
            assert [] == await waiting(bob)
            for who, state in ((bob, "declined"), (ada, "declined")):
                await cash(ada, "Ann", BIG, "one")
                (one,) = await waiting(ada)
                assert state == (await say(who, one["id"], "decline")).json()["state"]
                assert 409 == (await say(bob, one["id"])).status_code
                here.now_ms += 1
            await cash(ada, "Ann", BIG, "two")
            (late,) = await waiting(ada)
            here.now_ms += 30 * MINUTE_MS
            bob = here.client(await here.house.people.sessions.begin("Bob"))
            told = await say(bob, late["id"])
            assert (409, True) == (told.status_code, "has expired" in told.json()["detail"])
            await here.house.approvals.look()
            assert ["expired", "declined", "declined"] == [one.state for one in here.house.approvals.listed()]
            assert 404 == (await say(bob, "nothing")).status_code
            assert 0 == await here.house.wallets.balance("Ann")

    asyncio.run(go())


def test_who_gets_the_money_does_not_approve_it() -> None:
    async def go() -> None:
        async with inside() as here:
            ada, _ = await here.account("Ada", "administrator")
            bob, _ = await here.account("Bob", "administrator")
            await cash(ada, "Bob", BIG, "gift")
            (one,) = await waiting(bob)
            told = await say(bob, one["id"])
            assert (403, True) == (told.status_code, "no one approves money for themselves" in told.json()["detail"])
            assert 0 == await here.house.wallets.balance("Bob")

    asyncio.run(go())


def test_an_account_that_the_asker_made_within_a_day_does_not_approve_their_request() -> None:
    async def go() -> None:
        async with inside() as here:
            ada, _ = await here.account("Ada", "administrator")
            await here.account("Ann")
            new = {"name": "Pup", "password": "a long password", "roles": ["administrator"]}
            assert 201 == (await ada.post("/api/staff", json=new)).status_code
            pup = here.client(await here.house.people.sessions.begin("Pup"))
            await cash(ada, "Ann", BIG, "one")
            (one,) = await waiting(ada)
            told = await say(pup, one["id"])
            assert (403, True) == (told.status_code, "Ada did not make" in told.json()["detail"])
            here.now_ms += 24 * 60 * MINUTE_MS
            made = here.house.people.find("Pup")
            assert "" == here.house.approvals.refuses(here.house.approvals.find(one["id"]), made)
            assert 0 == await here.house.wallets.balance("Ann")

    asyncio.run(go())


@pytest.mark.parametrize("dies", ["before the act", "after the act"])
def test_a_kill_between_approval_and_act_loses_nothing_and_pays_once(dies: str) -> None:
    async def go() -> None:
        store = memory_stores()
        async with inside(store=store) as here:
            ada, _ = await here.account("Ada", "administrator")
            bob, _ = await here.account("Bob", "administrator")
            await here.account("Ann")
            await cash(ada, "Ann", BIG, "big")
            (one,) = await waiting(bob)
            way = here.house.approvals._ways["deposit"]

            async def killed(approval: Approval) -> None:
                if dies == "after the act":
                    await way(approval)
                raise StoreDown("the process is gone")

            here.house.approvals.carried_out_by("deposit", killed)
            assert 503 == (await say(bob, one["id"])).status_code
            assert "approved" == here.house.approvals.find(one["id"]).state
        async with inside(store=store) as after:
            after.now_ms += LATE_MS
            await after.house.approvals.look()
            await after.house.approvals.look()
            assert ("done", BIG) == (
                after.house.approvals.find(one["id"]).state,
                await after.house.wallets.balance("Ann"),
            )
            assert 0 == store.wallets.total()

    asyncio.run(go())


def test_two_servers_see_the_same_requests_and_carry_each_out_once() -> None:
    async def go() -> None:
        async with inside() as here:
            house, done = here.house, list[str]()
            other = Approvals(house.stores.documents, house.stores.audit, house.committer, lambda: here.now_ms)

            async def way(approval: Approval) -> None:
                done.append(approval.id)

            await here.account("Ada", "administrator")
            ada, bob = house.people.find("Ada"), await house.people.register("Bob", "a long password", ("floor",))
            for one in (house.approvals, other):
                one.carried_out_by("fill", way)
            wish = Wish(act="fill", cents=500_000, about="fill table 1", why="low on reds", reference="f1", body=b"{}")
            with pytest.raises(ValueError, match="second person"):
                await other.clear(bob, wish)
            (made,) = house.approvals.listed()
            told = await asyncio.gather(
                *(one.approve(made.id, ada, "seen") for one in (house.approvals, other)), return_exceptions=True
            )
            assert 1 == sum(isinstance(one, Exception) for one in told)
            assert [made.id] == done
            assert "done" == other.find(made.id).state

    asyncio.run(go())


def test_a_house_states_its_own_ceilings_and_every_act_has_someone_who_approves_it() -> None:
    stated = {"floor_alone_cents": 0, "floor_approves_cents": 700}
    house = make_house(Settings(ceilings=stated, approval_minutes=5), memory_stores(), "")
    assert (0, 700, 5) == (
        house.approvals.ceilings.alone(["floor"]),
        house.approvals.ceilings.approves("award", ["floor"]),
        house.approvals.minutes,
    )
    with pytest.raises(ValueError, match="did you mean 'floor_alone_cents'"):
        Ceilings({"flor_alone_cents": 1})
    assert set(CEILINGS) == set(STAFF_ACCOUNTS)
    for act in MONEY_ACTS:
        assert Ceilings().most(act) >= 1_000_000
        assert 0 == Ceilings().approves(act, ["player", "dealer", "inspector"])
