"""Trays: slips follow one another whoever writes them, a count is of the tray as it is, and nothing is corrected."""

from __future__ import annotations

import asyncio
from typing import Any

import httpx
import pytest

from letitride.ledger.chips import DEFAULT_RACK
from tests.server.inside import inside
from tests.server.staffed import betting

ADDRESS = "/api/tables/t1/tray"
FILL = {"asked_by": "Dee", "brought_by": "Sam", "received_by": "Dee"}
TWO = {"counted_by": "Eve"}


def counted(**pieces: int) -> dict[str, int]:
    """Amounts for every denomination: counted(d500=20) is twenty $5 chips."""
    return {str(one): one * pieces.get(f"d{one}", 0) for one in DEFAULT_RACK}


async def seen(client: httpx.AsyncClient) -> dict[str, Any]:
    answer = await client.get(ADDRESS)
    assert answer.status_code == 200, answer.text
    return dict(answer.json())


async def write(client: httpx.AsyncClient, kind: str, saw: dict[str, Any] | None = None, **more: Any) -> httpx.Response:
    saw = saw or await seen(client)
    place = {name: saw[name] for name in ("tray", "version", "row")}
    return await client.post(ADDRESS, json={"kind": kind, **place, **more})


def sentence(answer: httpx.Response, status: int) -> str:
    assert answer.status_code == status, answer.text
    return str(answer.json()["detail"])


def test_a_tray_from_its_opener_to_its_closer_and_the_drop_after_it() -> None:
    async def check() -> None:
        async with inside("t1") as here:
            flo, _ = await here.account("Flo", "floor")
            _, person = await here.account("Ann", cents=50_000)
            assert (await seen(flo))["rack"] == list(DEFAULT_RACK)
            opened = await write(flo, "opener", chips=counted(d500=100, d2500=40), **TWO)
            assert opened.status_code == 201, opened.text
            assert opened.json()["cents"] == 150_000
            assert (await here.sit(person, cents=30_000))["accepted"]
            assert (await seen(flo))["expected_cents"] == 120_000
            filled = await write(flo, "fill", chips={"2500": 50_000}, **FILL)
            assert filled.json()["number"] == 2
            credit = await write(flo, "credit", chips={"500": 20_000}, **FILL)
            assert credit.json()["chips"] == {"500": 20_000}
            colour = await write(flo, "colour_up", chips={"500": 10_000}, out={"10000": 10_000})
            assert colour.status_code == 201, colour.text
            assert (await here.leave(person))["accepted"]
            now = await seen(flo)
            assert now["expected_cents"] == 150_000 - 30_000 + 50_000 - 20_000
            assert [one["number"] for one in now["slips"]] == [1, 2, 3, 4]
            closed = await write(flo, "closer", chips=counted(d500=98, d2500=40), **TWO)
            assert closed.status_code == 201, closed.text
            result = (await seen(flo))["result"]
            assert result["result_cents"] == 149_000 + 30_000 + 20_000 - 150_000 - 50_000 == -1_000
            assert (result["result_ledger_cents"], result["tray_difference_cents"]) == (0, -1_000)
            assert (result["drop_counted_cents"], result["drop_cents"], result["difference_cents"]) == (
                None,
                30_000,
                -1_000,
            )
            assert "tray 1, which is closed" in sentence(await write(flo, "fill", chips={"500": 500}, **FILL), 422)
            assert (await write(flo, "drop", box_cents=30_500, **TWO)).status_code == 201
            result = (await seen(flo))["result"]
            assert (result["drop_difference_cents"], result["difference_cents"]) == (500, -500)
            again = await write(flo, "opener", chips=counted(d500=98, d2500=40), **TWO)
            assert again.json()["number"] == 7  # slips of a table are numbered without a gap
            assert (await seen(flo))["tray"] == 2
            slips = [what for who, what in here.audited() if who == "Flo" and what.startswith("tray.")]
            kinds = ("opener", "fill", "credit", "colour_up", "closer", "drop", "opener")
            assert slips == [f"tray.{kind} t1" for kind in kinds]
            paper = await flo.get(f"{ADDRESS}/1/slips/2", params={"format": "text"})
            for words in ("Fill slip 2", "$500", "Brought by", "Sam", "Received: ____"):
                assert words in paper.text
            assert (await flo.get(f"{ADDRESS}/1/slips/2", params={"format": "pdf"})).content.startswith(b"%PDF")
            assert (await flo.get(f"{ADDRESS}/1/slips/99")).status_code == 404
            assert (await flo.get(f"{ADDRESS}/9/slips/1")).status_code == 404

    asyncio.run(check())


def test_what_cannot_be_is_refused_in_a_sentence_and_nothing_is_written() -> None:
    async def check() -> None:
        async with inside("t1") as here:
            flo, _ = await here.account("Flo", "floor")
            cases: list[tuple[str, dict[str, Any], int, str]] = [
                ("fill", {"chips": {"500": 500}, **FILL}, 422, "none: count the opener first"),
                ("opener", {"chips": {"500": 500}, **TWO}, 422, "got none for $1,000, $500, $100, $25, $1"),
                ("opener", {"chips": counted()}, 422, "the second person at the opener, got none"),
                ("opener", {"chips": counted(), "counted_by": "Flo"}, 422, "got Flo, who enters it"),
                ("opener", {"chips": counted() | {"500": 501}, **TWO}, 422, "whole $5 chips, got $5.01"),
                ("opener", {"chips": counted() | {"500": -500}, **TWO}, 422, "in $5 chips, got -$5"),
                ("opener", {"chips": counted() | {"700": 700}, **TWO}, 422, "got chips of $7"),
                ("opener", {"chips": counted(), "counted_by": "E\x00"}, 422, "a text in Unicode without NUL"),
            ]
            for kind, more, status, words in cases:
                assert words in sentence(await write(flo, kind, **more), status)
            assert (await seen(flo))["slips"] == []
            assert (await write(flo, "opener", chips=counted(d500=20), **TWO)).status_code == 201
            cases = [
                ("opener", {"chips": counted(), **TWO}, 422, "tray 1, which is open: count its closer"),
                ("fill", {"chips": {}, **FILL}, 422, "of at least one chip"),
                ("fill", {"chips": {"500": 500}}, 422, "the name of the person who asked for the chips of a fill"),
                ("fill", {"chips": {"500": 500}, **FILL, "received_by": "Sam"}, 422, "got Sam for both"),
                ("credit", {"chips": {"500": 10_500}, **FILL}, 422, "at most $100, which should lie in the tray"),
                ("drop", {"chips": {"500": 500}, **TWO}, 422, "money in the drop box"),
                ("drop", {"box_cents": -1, **TWO}, 422, "in the drop box, got -$0.01"),
                ("count", {"chips": {}, "box_cents": 5, **TWO}, 422, "an amount by denomination for a count"),
            ]
            for kind, more, status, words in cases:
                assert words in sentence(await write(flo, kind, **more), status)
            assert len((await seen(flo))["slips"]) == 1
            assert (await flo.get("/api/tables/t9/tray")).status_code == 404
            assert sum(what.startswith("tray.") for _, what in here.audited()) == 1

    asyncio.run(check())


def test_two_people_who_count_at_once_do_not_both_write() -> None:
    async def check() -> None:
        async with inside("t1") as here:
            flo, _ = await here.account("Flo", "floor")
            gus, _ = await here.account("Gus", "casino_supervisor")
            saw = await seen(flo)
            opener = {"chips": counted(d500=20), **TWO}
            answers = await asyncio.gather(write(flo, "opener", saw, **opener), write(gus, "opener", saw, **opener))
            assert sorted(answer.status_code for answer in answers) == [201, 409]
            saw = await seen(flo)
            assert (await write(gus, "fill", saw, chips={"500": 500}, **FILL)).status_code == 201
            late = await write(flo, "count", saw, chips=counted(d500=20), **TWO)
            assert "tray 1 with slip 2 (fill by Gus), got an older one" in sentence(late, 409)
            assert len((await seen(flo))["slips"]) == 2

    asyncio.run(check())


def test_a_count_during_which_chips_moved_is_refused() -> None:
    async def check() -> None:
        async with inside("t1") as here:
            flo, _ = await here.account("Flo", "floor")
            _, person = await here.account("Ann", cents=50_000)
            assert (await write(flo, "opener", chips=counted(d500=20), **TWO)).status_code == 201
            saw = await seen(flo)
            await here.sit(person, cents=5_000)
            late = await write(flo, "count", saw, chips=counted(d500=20), **TWO)
            assert f"begun at row {saw['row']}: by row" in sentence(late, 409)
            assert (await write(flo, "count", chips=counted(d500=10), **TWO)).status_code == 201
            result = (await seen(flo))["result"]
            assert (result["closed"], result["expected_cents"], result["difference_cents"]) == (False, 5_000, 0)
            seat = here.house.room("t1").seat_of("Ann")
            bets = {"type": "PlaceWagers", "seat": seat, "wagers": {"base-1": 500, "base-2": 500, "base-$": 500}}
            await betting(here.house.room("t1"))
            placed = await here.act(person, "t1", bets)
            assert placed["accepted"], placed
            # Bets that lie on the felt are the player's, and the tray is as it was: a count is fine, a closer is not.
            assert (await write(flo, "count", chips=counted(d500=10), **TWO)).status_code == 201
            early = await write(flo, "closer", chips=counted(d500=10), **TWO)
            assert "got one with $15 on the felt: count when the round is over" in sentence(early, 409)

    asyncio.run(check())


def test_no_chips_are_brought_to_a_closed_table() -> None:
    async def check() -> None:
        async with inside("t1") as here:
            flo, _ = await here.account("Flo", "floor")
            assert (await write(flo, "opener", chips=counted(d500=20), **TWO)).status_code == 201
            here.house.stores.tables.set_state("t1", "closed", "cleaning")
            for kind, more in (("fill", FILL), ("credit", FILL), ("count", TWO)):
                refused = await write(flo, kind, chips=counted(d500=1), **more)
                assert "got 'Table t1', which is closed" in sentence(refused, 409)
            assert (await write(flo, "closer", chips=counted(d500=20), **TWO)).status_code == 201
            assert "which is closed" in sentence(await write(flo, "opener", chips=counted(), **TWO), 409)
            assert (await write(flo, "drop", box_cents=0, **TWO)).status_code == 201

    asyncio.run(check())


def test_a_large_fill_waits_for_a_second_person_and_is_written_once() -> None:
    async def check() -> None:
        async with inside("t1") as here:
            flo, _ = await here.account("Flo", "floor")
            gus, second = await here.account("Gus", "casino_supervisor")
            assert (await write(flo, "opener", chips=counted(d2500=100), **TWO)).status_code == 201
            assert (await write(flo, "fill", chips={"2500": 90_000}, **FILL)).status_code == 201
            saw = await seen(flo)
            waits = await write(flo, "fill", saw, chips={"2500": 50_000}, **FILL)
            assert "$500 needs a second person's approval, so nothing was done yet" in sentence(waits, 409)
            assert (waits.json()["code"], len((await seen(flo))["slips"])) == ("awaits_approval", 2)
            assert (await write(flo, "credit", chips={"2500": 2_500}, **FILL)).status_code == 201  # meanwhile
            (request,) = here.house.approvals.listed()
            assert (request.act, request.about) == ("fill", "fill of $500 at Table t1")
            await here.house.approvals.approve(request.id, second, "a busy table")
            (*_, slip) = (await seen(gus))["slips"]
            assert (slip["number"], slip["cents"], slip["entered_by"], slip["approved_by"]) == (4, 50_000, "Flo", "Gus")
            await here.app.state.trays.carry_out(here.house.approvals.find(request.id))
            assert len((await seen(flo))["slips"]) == 4
            assert here.house.approvals.find(request.id).state == "done"
            # Asked for again as it was, it is not written a second time.
            assert "got an older one" in sentence(await write(flo, "fill", saw, chips={"2500": 50_000}, **FILL), 409)
            assert len((await seen(flo))["slips"]) == 4
            (why,) = [row.why for row in here.house.stores.audit.rows() if "slip 4" in row.why]
            assert "approved by Gus" in why

    asyncio.run(check())


def test_a_table_has_its_own_denominations_from_the_next_opener_on() -> None:
    async def check() -> None:
        async with inside("t1") as here:
            flo, _ = await here.account("Flo", "floor")
            here.house.rack = (500, 100)
            assert (await seen(flo))["rack"] == [500, 100]
            assert (await write(flo, "opener", chips={"500": 500, "100": 0}, **TWO)).status_code == 201
            assert (await flo.put(f"{ADDRESS}/rack", json={"denominations_cents": [50, 2_500]})).json() == [2_500, 50]
            assert (await seen(flo))["rack"] == [500, 100]  # the open tray's own
            assert (await write(flo, "closer", chips={"500": 500, "100": 0}, **TWO)).status_code == 201
            assert (await seen(flo))["rack"] == [2_500, 50]
            twice = await flo.put(f"{ADDRESS}/rack", json={"denominations_cents": [50, 50]})
            assert "each denomination once, got $0.50 twice" in sentence(twice, 422)

    asyncio.run(check())


@pytest.mark.parametrize("body", [{}, {"kind": "gift"}, {"kind": "fill", "tray": -1}, {"kind": "fill", "chips": [1]}])
def test_what_is_no_slip_is_refused_by_its_form(body: dict[str, Any]) -> None:
    async def check() -> None:
        async with inside("t1") as here:
            flo, _ = await here.account("Flo", "floor")
            assert (await flo.post(ADDRESS, json=body)).status_code == 422

    asyncio.run(check())
