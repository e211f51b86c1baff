"""Exports: rounds as records that play to the same results, and settled wagers as files that add up to the ledger."""

from __future__ import annotations

import asyncio
import io
import json
import subprocess
import sys
from pathlib import Path

import httpx
import pytest
from pyarrow import parquet

from letitride.cli.records.replay_data import round_outcome
from letitride.engine.events import DisputeDecided, StepDone
from letitride.records.exported import NoShortRecord, record_of, whole
from letitride.records.reader import read_record
from letitride.records.replay import replay
from letitride.records.retold import command_of
from letitride.records.rounds import PlayedRound
from letitride.records.settled import settled
from letitride.storage.urls import open_store
from tests.cli.command import run
from tests.paytables import base_paytable
from tests.server.conftest import Server
from tests.server.guest import Guest
from tests.server.journals import HOUSES, START_MS, STEP_MS, enter, fuzz_into, fuzzed, opened, past_of, rules_of

HOUSE_BANKED = [house for house in HOUSES if rules_of(house).rules.bank.mode == "house"]


@pytest.mark.parametrize("house", HOUSES)
def test_the_command_behind_every_row_is_found_again(house: str) -> None:
    for moment in past_of(fuzzed(house), "t1").moments():
        if moment.before is not None:
            command = command_of(moment.before, moment.by, moment.events)
            assert moment.by in {command.by, "dealer"}


@pytest.mark.parametrize("house", HOUSES)
def test_the_record_of_every_round_replays_to_the_same_results(house: str) -> None:
    past = past_of(fuzzed(house), "t1")
    moments = list(past.moments())
    forms = set()
    for one in past.rounds():
        found = record_of(one, lambda: moments)
        forms.add(found.form)
        outcome = replay(read_record(found.text)).outcomes[-1]
        assert outcome.status == one.status
        assert outcome.results == one.results
        assert outcome.bank == one.bank
        assert [ruling.name for ruling in outcome.rulings] == [ruling.name for ruling in one.rulings]
    assert "short" in forms


@pytest.mark.parametrize("house", HOUSES)
def test_the_record_of_a_whole_table_replays_to_all_its_results(house: str) -> None:
    past = past_of(fuzzed(house), "t1")
    text = "\n".join(whole(past.moments())) + "\n"
    played = replay(read_record(text)).outcomes
    rounds = list(past.rounds())
    assert [one.number for one in rounds] == [outcome.number for outcome in played]
    assert [one.results for one in rounds] == [outcome.results for outcome in played]


@pytest.mark.parametrize("house", HOUSES)
def test_no_record_tells_the_deck_of_a_later_round(house: str) -> None:
    """With two decks the next one is mixed while a round is on: its order is in the journal, and in no record yet."""
    past = past_of(fuzzed(house), "t1")
    moments, rounds = list(past.moments()), list(past.rounds())
    decks = {one.number: mixed for one in rounds if (mixed := deck_of(one))}
    for one in rounds:
        text = record_of(one, lambda: moments).text
        for number, order in decks.items():
            assert number <= one.number or order not in text, (one.number, number)
    for moment in moments[::40]:
        text = "\n".join(whole(moments[: moment.number]))
        over = max((end.round for m in moments[: moment.number] if (end := m.end) is not None), default=0)
        assert not any(order in text for number, order in decks.items() if number > over)
    assert any(order in text for order in decks.values())


def deck_of(one: PlayedRound) -> str:
    """The top of the deck of a round before its first card is dealt; a cut may have turned the whole of it round."""
    for moment in one.moments:
        for event in moment.events:
            if isinstance(event, StepDone) and event.step.kind in {"deal_packet", "deal_card"} and moment.before:
                ready = moment.before.at("ready")
                return " ".join(str(card.face) for card in ready[:8]) if len(ready) == 52 else ""
    return ""


def test_a_round_that_needs_more_than_itself_says_so() -> None:
    needy = []
    for house in HOUSES:
        for one in past_of(fuzzed(house, 3_000), "t1").rounds():
            try:
                record_of(one)
            except NoShortRecord:
                needy.append(one)
    assert needy
    with pytest.raises(NoShortRecord, match="expected a round that can be told by itself"):
        record_of(needy[0])


@pytest.mark.parametrize("house", HOUSE_BANKED)
def test_settled_wagers_add_up_to_what_the_tray_holds(house: str) -> None:
    store = fuzzed(house)
    past = past_of(store, "t1")
    rounds = list(past.rounds())
    lines, last_row = list(settled("t1", rounds)), rounds[-1].moments[-1].number
    awards = sum(
        chips.cents
        for moment in past.moments()
        for e in moment.events
        if isinstance(e, DisputeDecided)
        for chips in e.chips
    )
    on_the_felt = sum(
        transfer.cents * ((transfer.target == "tray") - (transfer.source == "tray"))
        for transfer in store.wallets.transfers("t1")
        if transfer.number > last_row
    )
    assert store.wallets.balances("t1").get("tray", 0) - on_the_felt + awards == -sum(line.net_cents for line in lines)
    assert all(line.net_cents == line.paid_cents + line.back_cents - line.stake_cents for line in lines)


def test_exports_by_http_are_for_staff_and_say_the_same_in_both_formats() -> None:
    async def ask() -> None:
        store = fuzzed("nsw-1", 3_000)
        async with opened(store) as (house, client):
            await client.post("/api/guest")
            for address in ("export", "rounds/1/record"):
                assert (await client.get(f"/api/tables/t1/{address}")).status_code == 403
            await enter(house, client, "Ines", "inspector")
            lines = [json.loads(line) for line in (await client.get("/api/tables/t1/export")).text.splitlines()]
            past = past_of(store, "t1")
            assert len(lines) == sum(len(rows) for one in past.rounds() for rows in one.results.values())
            answer = await client.get("/api/tables/t1/export?format=parquet")
            assert answer.headers["content-type"] == "application/vnd.apache.parquet"
            table = parquet.read_table(io.BytesIO(answer.content))
            rows = [
                {**row, **{name: int(row[name].timestamp() * 1000) for name in ("began_ms", "ended_ms")}}
                for row in table.to_pylist()
            ]
            assert rows == lines
            middle = START_MS + 600 * STEP_MS
            cut = {"from": START_MS + 200 * STEP_MS, "to": middle}
            some = (await client.get("/api/tables/t1/export", params={k: v / 1000 for k, v in cut.items()})).text
            assert [json.loads(line) for line in some.splitlines()] == [
                line for line in lines if cut["from"] <= line["ended_ms"] < cut["to"]
            ]
            assert some
            assert (await client.get("/api/tables/t1/export?format=csv")).status_code == 422
            assert (await client.get("/api/tables/t1/export?from=yesterday")).status_code == 422
            assert (await client.get("/api/tables/nowhere/export")).status_code == 404
            record = await client.get("/api/tables/t1/rounds/2/record")
            (outcome,) = replay(read_record(record.text)).outcomes[-1:]
            assert outcome.results == next(past.rounds(2, 2)).results
            running = past.last_round() + 1
            assert (await client.get(f"/api/tables/t1/rounds/{running}/record")).status_code == 409
            assert (await client.get(f"/api/tables/t1/rounds/{running + 1}/record")).status_code == 404

    asyncio.run(ask())


def test_without_pyarrow_a_sentence_says_what_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)

    async def ask() -> httpx.Response:
        async with opened(fuzzed("nsw-1")) as (house, client):
            await enter(house, client, "Flo", "floor")
            return await client.get("/api/tables/t1/export?format=parquet")

    answer = asyncio.run(ask())
    assert answer.status_code == 501
    assert answer.json()["detail"].startswith("Parquet needs PyArrow, which is not installed: pip install")


def letitride(*words: str | Path) -> subprocess.CompletedProcess[str]:
    return run(*words)


def test_export_by_command_line(tmp_path: Path) -> None:
    database = tmp_path / "house.db"
    store = open_store(str(database))
    fuzz_into(store, "t1", rules_of("california-1"), 1_200)
    rounds = list(past_of(store, "t1").rounds())
    store.close()
    here = ("export", "--db", database, "--table", "t1")
    told = letitride(*here, "--out", tmp_path / "all.round", "--json")
    assert json.loads(told.stdout)["rounds"] == len(rounds), told.stderr
    played = json.loads(letitride("replay", tmp_path / "all.round", "--json").stdout)["rounds"]
    assert [one["round"] for one in played] == [one.number for one in rounds]
    nets = [{seat: one["seats"][seat]["net_cents"] for seat in one["seats"]} for one in played]
    assert nets == [
        {str(seat): sum(result.net_cents for result in rows) for seat, rows in one.results.items()} for one in rounds
    ]
    lines = letitride(*here, "--format", "jsonl").stdout.splitlines()
    assert len(lines) == sum(len(rows) for one in rounds for rows in one.results.values())
    assert letitride(*here, "--format", "parquet", "--out", tmp_path / "all.parquet").returncode == 0
    assert parquet.read_table(tmp_path / "all.parquet").num_rows == len(lines)
    assert not list(tmp_path.glob(".letitride-*"))
    for wrong in (
        ("--round", "999"),
        ("--round", "0"),
        ("--format", "jsonl", "--from", "soon"),
        ("--from", "2026-01-01"),
        ("--format", "jsonl", "--round", "1"),
        ("--out", tmp_path / "no" / "folder"),
    ):
        refused = letitride(*here, *wrong)
        assert refused.returncode == 2, wrong
        assert refused.stderr.startswith("letitride: expected"), refused.stderr


OWN_BOOK = """
id = "ours-1"
title = "Our room"
extends = "PARENT"
[rules]
base.paytables = ["pays.toml"]
base.paytable = "pays.toml"
"""
OWN_PAYS = base_paytable("OURS-1", "Ours", royal_flush=900)


@pytest.mark.parametrize("parent", ["nsw-1", "california-1"])
def test_rounds_by_a_houses_own_book_are_exported_and_replay_with_that_very_book(tmp_path: Path, parent: str) -> None:
    (tmp_path / "pays.toml").write_text(OWN_PAYS)
    mine = tmp_path / "mine.toml"
    mine.write_text(OWN_BOOK.replace("PARENT", parent))
    database = tmp_path / "house.db"
    store = open_store(str(database))
    fuzz_into(store, "ours", rules_of(str(mine)), 1_200)
    rounds = list(past_of(store, "ours").rounds())
    mine.rename(tmp_path / "away.toml")  # the journal alone must do

    async def ask() -> str:
        async with opened(store) as (house, client):
            await enter(house, client, "Ines", "inspector")
            answer = await client.get("/api/tables/ours/rounds/1/record")
            assert answer.status_code == 200, answer.text
            return answer.text

    first = asyncio.run(ask())
    here = ("export", "--db", database, "--table", "ours")
    assert letitride(*here, "--round", "1").stdout == first
    assert letitride(*here, "--out", tmp_path / "all.round").returncode == 0
    assert len(first.splitlines()[0].removeprefix("rulebook ours-1 sha256:")) == 64
    refused = letitride("replay", tmp_path / "all.round")
    assert (refused.returncode, refused.stdout) == (2, "")
    assert "got 'ours-1'" in refused.stderr
    assert "--rulebook FILE" in refused.stderr
    (tmp_path / "away.toml").rename(mine)
    told = letitride("replay", tmp_path / "all.round", "--rulebook", mine, "--json")
    assert told.returncode == 0, told.stderr
    played = json.loads(told.stdout)["rounds"]
    nets = [{seat: one["seats"][seat]["net_cents"] for seat in one["seats"]} for one in played]
    assert nets == [
        {str(seat): sum(result.net_cents for result in rows) for seat, rows in one.results.items()} for one in rounds
    ]
    (tmp_path / "first.round").write_text(first)
    assert letitride("rules", "explain", tmp_path / "first.round", "--rulebook", mine).returncode == 0
    other = letitride("replay", tmp_path / "first.round", "--rulebook", "nsw-1")
    assert (other.returncode, "expected the book 'ours-1' after --rulebook, got 'nsw-1'" in other.stderr) == (2, True)
    (tmp_path / "pays.toml").write_text(OWN_PAYS.replace("900", "901"))
    changed = letitride("replay", tmp_path / "first.round", "--rulebook", mine)
    assert (changed.returncode, "the book was changed since" in changed.stderr) == (2, True)


def test_rounds_of_a_real_server_are_exported_in_short_and_replay(server: Server) -> None:
    async def play(table: str) -> None:
        guest = Guest(server.base, table)
        await guest.arrive()
        socket = await guest.connect()
        try:
            await asyncio.wait_for(guest.play(socket, 3), 120)
        finally:
            await socket.close()

    async def everywhere() -> None:
        await asyncio.gather(*(play(house) for house in HOUSE_BANKED))

    asyncio.run(everywhere())
    store = open_store(str(server.database), read_only=True)
    try:
        for house in HOUSE_BANKED:
            rounds = list(past_of(store, house).rounds(1, 3))
            assert len(rounds) == 3
            for one in rounds:
                found = record_of(one)
                assert found.form == "short", (house, one.number)
                (outcome,) = replay(read_record(found.text)).outcomes
                assert round_outcome(outcome).seats
                assert outcome.results == one.results
    finally:
        store.close()
