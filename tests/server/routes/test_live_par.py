"""Live par by HTTP: what a page shows of a paytable while it is edited, and the sheet to download."""

from __future__ import annotations

import asyncio
import json
from fractions import Fraction
from threading import Event
from typing import Any

import httpx
import pytest
from pydantic import TypeAdapter

from letitride.analysis.caps import cap
from letitride.analysis.par import sheets
from letitride.analysis.strategy import class_values, rule_list
from letitride.reports.par.live_data import LivePar
from letitride.rules import catalog
from letitride.server.runtime.pricing import WAITING_MAX, run_drawing
from letitride.storage.memory.opening import memory_stores
from tests.server.journals import opened
from tests.server.routes.test_par_routes import ask


def edited(ref: str, **changes: Any) -> dict[str, Any]:
    """A request for a published paytable, with other pays of its base game."""
    wagers: dict[str, Any] = {}
    for one in catalog.paytable(ref).as_data().wagers:
        columns = one.columns or ()
        pays = one.pays or {hand: [column.pays[hand] for column in columns] for hand in columns[0].pays}
        wagers[one.wager] = {"award": one.award, "pays": pays}
    if changes:
        wagers["base"]["pays"] = {**wagers["base"]["pays"], **changes}
    return {"wagers": wagers}


def told(wanted: dict[str, Any]) -> dict[str, Any]:
    async def post(client: httpx.AsyncClient) -> dict[str, Any]:
        answer = await client.post("/api/par/live", json=wanted)
        assert answer.status_code == 200, answer.text
        TypeAdapter(LivePar).validate_python(answer.json())
        return dict(answer.json())

    return ask(post)


def figures(told_of: dict[str, Any]) -> dict[str, dict[str, Any]]:
    return {one["name"]: one for one in told_of["figures"]}


@pytest.mark.parametrize("ref", catalog.paytable_ids())
def test_every_published_table_is_told_with_its_exact_figures_and_known_again(ref: str) -> None:
    found = told({**edited(ref), "against": ref})
    assert found["published"] is not None
    assert catalog.paytable(found["published"]).digest == catalog.paytable(ref).digest
    for sheet, wager in zip(sheets(catalog.paytable(ref)), found["wagers"], strict=True):
        shown = figures(wager)
        assert Fraction(shown["house_edge"]["exact"].replace("\N{MINUS SIGN}", "-")) == sheet.house_edge
        assert Fraction(shown["hit_frequency"]["exact"]) == sheet.hit_frequency
        assert shown["standard_deviation"]["value"] == sheet.results.standard_deviation
        assert {one["change"] for one in wager["figures"]} == {None}
        assert all(one["convention"] for one in wager["figures"])
        assert sum(one["cases"] for one in wager["distribution"]) == sheet.results.total
        assert sum(Fraction(one["result"]["exact"]) for one in wager["lines"]) == -sheet.house_edge
    if found["strategy"] is not None:
        pays = catalog.paytable(ref).pays["base"]
        assert found["strategy"]["bet1"]["rules"] == list(rule_list(pays, 3))
        assert found["strategy"]["bet2"]["changed"] == []


def test_another_pay_moves_the_edge_and_changes_the_play_class_by_class() -> None:
    found = told({**edited("LIRX-01", flush=11), "against": "LIRX-01"})
    base = found["wagers"][0]
    edge = figures(base)["house_edge"]
    assert edge["before"] == "3.5057%"
    assert edge["change"].startswith("\N{MINUS SIGN}")
    assert edge["value"] < 0.035
    flush = next(line for line in base["lines"] if line["category"] == "flush")
    assert (flush["pay"], flush["pay_before"]) == ("11", "8")
    assert found["published"] is None
    assert sum(one["cases"] for one in base["distribution_before"]) == sum(one["cases"] for one in base["distribution"])
    assert base["distribution_before"] != base["distribution"]
    published = catalog.paytable("LIRX-01").pays["base"]
    rode = {one.feature.name for one in class_values(published, 3) if one.rides}
    bet1 = found["strategy"]["bet1"]
    rides = {one["name"] for one in bet1["classes"] if one["rides"]}
    assert rides > rode
    assert {one["name"] for one in bet1["changed"]} == rides - rode
    assert bet1["new_rules"]
    assert set(bet1["new_rules"]).isdisjoint(rule_list(published, 3))


def test_a_maximum_payout_is_told_beside_the_game_without_one() -> None:
    maximum = {"stake_cents": 10_000, "payout_cents_max": 2_500_000}
    found = told({**edited("LIRX-01"), "maximum": maximum})["capped"]
    exact = cap(catalog.paytable("LIRX-01").pays["base"], 10_000, 2_500_000)
    edge = figures(found)["house_edge"]
    assert Fraction(edge["exact"]) == exact.house_edge
    assert edge["before"] == "3.5057%"
    assert len([one for one in found["changed"] if one["bet"] == 1]) == exact.changed_bet1 > 0
    assert {one["now"] for one in found["changed"]} == {"take it back instead"}
    loose = told({**edited("LIRX-01"), "maximum": {"stake_cents": 500, "payout_cents_max": 10**9}})["capped"]
    assert loose["changed"] == []
    assert {one["change"] for one in loose["figures"]} == {None}


def test_a_sheet_to_keep_is_the_report_of_just_these_pays() -> None:
    wanted = {**edited("LIRB-06", flush=9), "id": "mine/1", "title": "<b>My table</b>"}

    async def files(client: httpx.AsyncClient) -> None:
        found = {
            name: await client.post(f"/api/par/file?format={name}", json=wanted) for name in ("json", "html", "pdf")
        }
        assert {one.status_code for one in found.values()} == {200}
        assert found["pdf"].content.startswith(b"%PDF")
        assert found["pdf"].headers["content-disposition"] == 'attachment; filename="par-mine-1.pdf"'
        assert "&lt;b&gt;My table" in found["html"].text
        assert "<b>My table" not in found["html"].text
        data = json.loads(found["json"].content)
        live = (await client.post("/api/par/live", json=wanted)).json()
        assert data["sha256"] == live["sha256"]
        assert data["sha256"] in found["html"].text
        assert data["wagers"][0]["house_edge"]["exact"] == figures(live["wagers"][0])["house_edge"]["exact"]

    ask(files)


def test_what_cannot_be_priced_is_refused_in_one_sentence() -> None:
    good = edited("LIRX-01")
    side = edited("3CB-1")
    bad: list[tuple[dict[str, Any], int, str]] = [
        ({**good, "against": "nothing"}, 404, "expected the id of a published paytable, got 'nothing'"),
        ({**good, "against": "/etc/passwd.toml"}, 404, "expected the id"),
        (edited("LIRX-01", flush=1_000_000), 422, "the paytable: base.pays."),
        (edited("LIRX-01", flush="eight"), 422, "the paytable: base.pays.flush: expected a pay"),
        ({**good, "maximum": {"stake_cents": 500, "payout_cents_max": 400}}, 422, "expected a maximum payout"),
        ({**good, "maximum": {"stake_cents": 0, "payout_cents_max": 400}}, 422, "expected a request"),
        ({**side, "maximum": {"stake_cents": 1, "payout_cents_max": 4}}, 404, "expected a paytable that prices"),
        ({**good, "title": "a\nb"}, 422, "the paytable: title: expected a text"),
        ({"wagers": {}}, 422, "expected a request"),
    ]

    async def refused(client: httpx.AsyncClient) -> None:
        for wanted, status, sentence in bad:
            for address in ("/api/par/live", "/api/par/file?format=json"):
                if "against" in wanted and "file" in address:
                    continue  # a sheet is not compared with anything
                answer = await client.post(address, json=wanted)
                assert (answer.status_code, answer.json()["detail"][: len(sentence)]) == (status, sentence)
        assert (await client.post("/api/par/file?format=doc", json=good)).status_code == 422

    ask(refused)


def test_a_pay_that_is_refused_is_told_by_code_and_values() -> None:
    wrong = {
        "eight": ("paytable_pay.to_one", {"wager": "base", "hand": "flush", "got": "eight"}),
        0: ("paytable_order", {"wager": "base", "hand": "flush", "lesser": "straight", "least": "5", "got": "0"}),
    }

    async def refused(client: httpx.AsyncClient) -> None:
        for pay, (code, values) in wrong.items():
            answer = (await client.post("/api/par/live", json=edited("LIRX-01", flush=pay))).json()
            assert (answer["code"], answer["values"]) == (code, values)
        listed = {**edited("LIRX-01")}
        del listed["wagers"]["base"]["pays"]["flush"]
        answer = (await client.post("/api/par/live", json=listed)).json()
        missing = {"wager": "base", "hand": "flush", "lesser": "tens_or_better"}
        assert (answer["code"], answer["values"]) == ("paytable_missing", missing)

    ask(refused)


def test_files_are_made_only_so_often() -> None:
    async def many() -> None:
        async with opened(memory_stores()) as (house, client):
            house.clock_ms = lambda: 0  # however long they take here, no time passes
            statuses = [
                (await client.post("/api/par/file?format=json", json=edited("3CB-1"))).status_code for _ in range(12)
            ]
        assert statuses == 10 * [200] + 2 * [429]

    asyncio.run(many())


def test_no_endless_queue_waits_for_papers() -> None:
    """Each takes seconds, so a request that comes when many wait is told at once; figures are told all the while."""

    async def queue(client: httpx.AsyncClient) -> None:
        go_on = Event()
        waiting = [asyncio.create_task(run_drawing(go_on.wait)) for _ in range(WAITING_MAX + 1)]
        await asyncio.sleep(0)
        refused = await client.post("/api/par/file?format=json", json=edited("3CB-1"))
        figures_told = await client.post("/api/par/live", json=edited("3CB-1"))
        go_on.set()
        await asyncio.gather(*waiting)
        assert (refused.status_code, "try again" in refused.json()["detail"]) == (503, True)
        assert figures_told.status_code == 200
        assert (await client.post("/api/par/file?format=json", json=edited("3CB-1"))).status_code == 200

    ask(queue)
