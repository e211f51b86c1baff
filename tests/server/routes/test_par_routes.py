"""Par by HTTP: paytables, rule books and exact figures, as the command line gives them."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable
from typing import Any, TypeVar

import httpx
import pytest
from pydantic import TypeAdapter

from letitride.reports.par.sheets import ParSheets
from letitride.rules import catalog
from letitride.rules.explain import BookInFull
from letitride.rules.paytables import PaytableData
from letitride.storage.memory.opening import memory_stores
from tests.cli.command import run
from tests.server.journals import opened

T = TypeVar("T")


def ask(act: Callable[[httpx.AsyncClient], Awaitable[T]]) -> T:
    async def within() -> T:
        async with opened(memory_stores()) as (_, client):
            return await act(client)

    return asyncio.run(within())


def printed(*words: str) -> Any:
    return json.loads(run(*words).stdout)


def test_paytables_and_rule_books_are_told_as_the_command_line_tells_them() -> None:
    async def all_of_them(client: httpx.AsyncClient) -> None:
        listed = (await client.get("/api/paytables")).json()
        assert [one["id"] for one in listed] == list(catalog.paytable_ids())
        one = (await client.get("/api/paytables/LIRX-01")).json()
        TypeAdapter(PaytableData).validate_python(one)
        shown = printed("paytables", "show", "LIRX-01", "--json")
        assert one["wagers"][0]["pays"] == shown["wagers"][0]["pays"]
        assert one["sha256"] == shown["sha256"]
        books = (await client.get("/api/rulebooks")).json()
        assert [book["id"] for book in books] == list(catalog.rulebook_ids())
        for ref in (*catalog.rulebook_ids(), "nsw-1+shuffler"):
            book = (await client.get(f"/api/rulebooks/{ref.replace('+', '%2B')}")).json()
            TypeAdapter(BookInFull).validate_python(book)
            assert any(key["clauses"] for key in book["keys"])
        assert books[0].items() <= (await client.get(f"/api/rulebooks/{books[0]['id']}")).json().items()

    ask(all_of_them)


@pytest.mark.parametrize("ref", ["LIRX-01", "3CB-1", "COVER-ALL"])
def test_a_par_sheet_is_the_command_lines(ref: str) -> None:
    async def sheet(client: httpx.AsyncClient) -> Any:
        answer = await client.get(f"/api/par/{ref}")
        assert answer.status_code == 200
        TypeAdapter(ParSheets).validate_python(answer.json())
        return answer.json()["sheets"]

    assert ask(sheet) == [printed("par", ref, "--json")]


def test_a_book_has_the_sheets_of_its_paytables() -> None:
    async def sheets(client: httpx.AsyncClient) -> None:
        for ref in catalog.rulebook_ids():
            answer = (await client.get(f"/api/par/{ref}")).json()
            TypeAdapter(ParSheets).validate_python(answer)
            assert answer["of"] == ref
            assert answer["sheets"]

    ask(sheets)


def test_an_edited_paytable_is_priced_and_a_bad_one_refused_in_a_sentence() -> None:
    pays = catalog.paytable("LIRX-01").as_data().wagers[0].pays

    async def edit(client: httpx.AsyncClient) -> None:
        async def post(**base: Any) -> httpx.Response:
            return await client.post("/api/par", json={"wagers": {"base": {"award": "to_one", "pays": pays, **base}}})

        same = (await post()).json()["sheets"][0]
        TypeAdapter(ParSheets).validate_python({"of": "edited", "sheets": [same]})
        published = (await client.get("/api/par/LIRX-01")).json()["sheets"][0]
        assert same["sha256"] == published["sha256"]
        assert same["wagers"][0]["house_edge"] == published["wagers"][0]["house_edge"]
        better = (await post(pays={**pays, "flush": 9})).json()["sheets"][0]
        assert better["wagers"][0]["house_edge"]["value"] < same["wagers"][0]["house_edge"]["value"]
        for wrong in (
            {"pays": {**pays, "flush": 1000}},
            {"pays": {**pays, "flush": -1}},
            {"pays": {**pays, "flush": 10**12}},
            {"pays": {**pays, "flush": "1/0"}},
            {"pays": {**pays, "flush": "9" * 30}},
            {"pays": {**pays, "royal_flush": "999999999/999999998"}},
            {"pays": {"nothing": 1}},
            {"pays": {}},
            {"award": "total_award"},
            {"pays": {"royal_flush": [1, 2]}},
        ):
            answer = await post(**wrong)
            assert answer.status_code == 422, (wrong, answer.text)
        answer = await post(pays={**pays, "flush": 1000})
        assert answer.json()["detail"].startswith("the paytable: base.pays.")
        assert (await client.post("/api/par", json={"wagers": {}})).status_code == 422
        assert (await client.post("/api/par", json={"id": "\n", "wagers": {"base": {}}})).status_code == 422
        assert (await client.post("/api/par", content=b"\x00")).status_code == 422

    ask(edit)


@pytest.mark.parametrize(
    "address",
    [
        "paytables/nothing",
        "paytables/..%2f..%2fpyproject.toml",
        "paytables/%2Fetc%2Fpasswd.toml",
        "paytables/a%00.toml",
        "rulebooks/mine.toml",
        "rulebooks/nsw-1%2Bnothing",
        "rulebooks/%0A",
        "par/nothing",
        "par/nothing.pdf",
        "par/.%2Fhouse.toml",
    ],
)
def test_only_what_is_published_is_told(address: str) -> None:
    answer = ask(lambda client: client.get(f"/api/{address}"))
    assert answer.status_code == 404


def test_a_par_sheet_as_pdf_is_the_same_each_time() -> None:
    async def papers(client: httpx.AsyncClient) -> None:
        one = await client.get("/api/par/3CB-1.pdf")
        assert one.headers["content-type"] == "application/pdf"
        assert one.content.startswith(b"%PDF")
        assert (await client.get("/api/par/3CB-1.pdf")).content == one.content

    ask(papers)
