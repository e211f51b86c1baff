"""Rules by HTTP: what is in force at a table, and what can be reported there, for anybody who may see the table."""

from __future__ import annotations

import asyncio

import httpx
import pytest
from pydantic import TypeAdapter

from letitride.rules import catalog
from letitride.rules.chapters import RulesText
from letitride.server.routes.rules import PossibleIrregularities
from letitride.storage.memory.opening import memory_stores
from tests.server.journals import HOUSES, fuzzed, opened
from tests.server.routes.test_par_routes import ask


@pytest.mark.parametrize("house", HOUSES)
def test_a_table_tells_the_rules_and_irregularities_of_its_book(house: str) -> None:
    async def asked() -> None:
        async with opened(fuzzed(house)) as (_, client):
            rules = (await client.get("/api/tables/t1/rules")).json()
            TypeAdapter(RulesText).validate_python(rules)
            assert rules["id"] == house
            assert rules["sha256"]
            published = (await client.get(f"/api/rulebooks/{house}/rules")).json()
            assert [one["title"] for one in published["chapters"]] == [one["title"] for one in rules["chapters"]]
            wrong = (await client.get("/api/tables/t1/irregularities")).json()
            TypeAdapter(PossibleIrregularities).validate_python(wrong)
            assert wrong["book"] == house
            assert (await client.get(f"/api/rulebooks/{house}/irregularities")).json() == wrong
            house_defaults = [one["house_default"] for each in wrong["irregularities"] for one in each["outcomes"]]
            cited = [one["clauses"] for each in wrong["irregularities"] for one in each["outcomes"]]
            assert house_defaults == [not clauses for clauses in cited]

    asyncio.run(asked())


def test_a_tables_own_limits_are_among_its_rules() -> None:
    async def asked() -> None:
        async with opened(memory_stores()) as (here, client):
            await here.open("mine", "Mine", "washington-1", {"limit.cents_max": 10_000})
            rules = (await client.get("/api/tables/mine/rules")).json()
            told = {rule["key"]: rule for chapter in rules["chapters"] for rule in chapter["rules"]}
            assert (told["limit.cents_max"]["says"], told["limit.cents_max"]["origin"]) == ("$100", "table")

    asyncio.run(asked())


@pytest.mark.parametrize(
    "address",
    ["tables/none/rules", "tables/none/irregularities", "rulebooks/none/rules", "rulebooks/%0A/irregularities"],
)
def test_what_is_not_there_is_refused(address: str) -> None:
    async def get(client: httpx.AsyncClient) -> httpx.Response:
        return await client.get(f"/api/{address}")

    answer = ask(get)
    assert answer.status_code == 404
    assert answer.json()["detail"].startswith("expected ")


def test_a_variant_has_rules_of_its_own() -> None:
    async def both(client: httpx.AsyncClient) -> list[str]:
        told = [(await client.get(f"/api/rulebooks/{ref}/rules")).json() for ref in ("nsw-1", "nsw-1%2Bshuffler")]
        return [one["sha256"] for one in told]

    assert ask(both) == [catalog.rulebook(ref).digest for ref in ("nsw-1", "nsw-1+shuffler")]
