"""The roles of a book and the staff of a house: every dispute reaches a person who can rule on it."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from letitride.engine.disputes import instances
from letitride.errors import InvalidData
from letitride.rules.roles import ACCOUNT_ROLES, ROLES, STAFF
from letitride.server.people.accounts import Person
from letitride.server.people.duties import duties
from tests.server.journals import HOUSES, rules_of
from tests.server.staffed import PATIENT, Visitor, asking, open_house, seated


@pytest.mark.parametrize("house", HOUSES)
def test_every_role_that_rules_on_disputes_in_a_book_can_be_an_accounts(house: str) -> None:
    rules = rules_of(house).rules
    anybody = duties(Person(name="Everybody", roles=ACCOUNT_ROLES), rules)
    assert {rules.supervisor, *rules.dispute} <= set(anybody)
    assert duties(Person(name="Ann"), rules) == ()
    assert all(ROLES[duty].account in ACCOUNT_ROLES for duty in STAFF)


@pytest.mark.parametrize("house", HOUSES)
def test_a_complaint_goes_up_to_the_operator_who_is_an_administrator_and_ends_there(house: str) -> None:
    async def complain() -> None:
        async with open_house(house, pace=PATIENT) as here:
            room = here.room(house)
            ann = await seated(here, room, 1, "Ann")
            assert (await ann.ask("RaiseDispute", seat=1, about="My bet"))["accepted"]
            async with asking(here, "Ada", "administrator") as client:
                for instance in instances(room.table):
                    table = await glance(client, house)
                    assert table["disputes_wait_for"] == [instance]
                    assert table["roles"] == ["operator"]
                    offered = (await client.get(f"/api/tables/{house}/desk?role=operator")).json()["decisions"]
                    above = instances(room.table)[: instances(room.table).index("operator")]
                    below = above[above.index(instance) :] if instance != "operator" else ()
                    assert [(one["number"], one["absent"]) for one in offered] == [(1, list(below))]
                    who = ROLES[instance].account
                    judge = Visitor(room, f"The {instance}", who, role=instance)
                    answer = await judge.ask("DecideDispute", number=1, upheld=False, why="The cards show it")
                    assert answer["accepted"], answer
                    judge.leave()
                    if instance != "operator":
                        assert (await ann.ask("AppealDispute", seat=1))["accepted"]
                assert room.table.disputes == ()
                assert (await glance(client, house))["disputes"] == 0
            (last,) = [one for one in here.stores.audit.rows() if one.who == "The operator"]
            assert last.what == f"dispute.rejected {house}"
            assert "as operator: dispute 1: The cards show it" in last.why

    asyncio.run(complain())


async def glance(client: Any, table_id: str) -> Any:
    return next(one for one in (await client.get("/api/desk")).json() if one["id"] == table_id)


def test_the_floor_is_the_games_supervisor_where_the_book_knows_one_and_is_told_so() -> None:
    async def work() -> None:
        async with open_house("nsw-1", "washington-1", pace=PATIENT) as here:
            room = here.room("nsw-1")
            ann = await seated(here, room, 1, "Ann")
            await ann.ask("RaiseDispute", seat=1, about="My bet")
            floor = Visitor(room, "Flo", "floor", role="floor")
            can = "A floor supervisor who joins the table as games supervisor can do it."
            for told in (
                await floor.ask("DecideDispute", number=1, upheld=False, why="So"),
                await floor.ask("Order", kind="english_only"),
            ):
                assert told["code"] == "not_your_role"
                assert told["sentence"].endswith(can)
            floor.leave()
            games = Visitor(room, "Flo", "floor", role="games_supervisor")
            assert games.viewer.name == "floor"
            assert (await games.ask("Order", kind="english_only"))["accepted"]
            decided = await games.ask("DecideDispute", number=1, upheld=False, why="The cards show it")
            assert decided["accepted"]
            await ann.ask("AppealDispute", seat=1)
            told = await games.ask("DecideDispute", number=1, upheld=False, why="Again", absent=["casino_supervisor"])
            assert told["sentence"].endswith("An administrator who joins the table as operator can do it.")
            async with asking(here, "Flo", "floor") as client:
                desks = {one["id"]: one["roles"] for one in (await client.get("/api/desk")).json()}
                assert desks == {"nsw-1": ["floor", "games_supervisor"], "washington-1": ["floor"]}
                assert (await client.get("/api/tables/nsw-1/desk?role=games_supervisor")).json()["orders"]
                no = await client.get("/api/tables/washington-1/desk?role=games_supervisor")
                assert (no.status_code, "expected a role that this table's book knows" in no.text) == (403, True)
                assert (await client.get("/api/tables/nsw-1/desk?role=operator")).status_code == 403
            with pytest.raises(InvalidData, match="expected a role that Flo has here"):
                Visitor(here.room("washington-1"), "Flo", "floor", role="games_supervisor")

    asyncio.run(work())
