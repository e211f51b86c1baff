"""Shift reports: every figure beside the ledger's own transfers, exact theory beside results, and paper that reads."""

from __future__ import annotations

import asyncio
import io
import json
import subprocess
from fractions import Fraction
from pathlib import Path

import pytest
from pydantic import TypeAdapter
from pypdf import PdfReader

from letitride.analysis.base import price
from letitride.analysis.par import base_sheet
from letitride.engine import events
from letitride.records.reader import read_record
from letitride.records.replay import replay
from letitride.records.rounds import Moment, PlayedRound, cut
from letitride.reports.paper.html import as_html
from letitride.reports.paper.pdf import as_pdf
from letitride.reports.paper.text import as_text
from letitride.reports.shift.data import ShiftFigures, shift_figures
from letitride.reports.shift.figures import Shift, shift_report
from letitride.reports.shift.page import page
from letitride.rules import catalog
from letitride.rules.plain import encoded
from letitride.storage.roles.stores import Stores
from letitride.storage.urls import open_store
from tests.cli.command import run
from tests.server.journals import HOUSES, START_MS, STEP_MS, enter, fuzz_into, fuzzed, opened, past_of, rules_of

EVER = (0, 2**53)


def whole(store: Stores) -> Shift:
    return shift_report("t1", past_of(store, "t1").rounds_touching(*EVER))


def moved(store: Stores, source: str = "", target: str = "") -> int:
    """What the ledger says went from accounts to accounts whose names begin so."""
    return sum(
        one.cents
        for one in store.wallets.transfers("t1")
        if one.source.startswith(source) and one.target.startswith(target)
    )


@pytest.mark.parametrize("house", HOUSES)
def test_money_is_what_the_ledger_moved(house: str) -> None:
    store = fuzzed(house)
    found = whole(store)
    assert found.money.drop_cents == moved(store, source="wallet:") > 0
    assert found.money.cashed_out_cents == moved(store, target="wallet:") - awarded(store, "wallet:")
    assert found.money.fees_cents == moved(store, target="fees") - moved(store, source="fees")
    assert found.money.tray_cents == store.wallets.balances("t1").get("tray", 0)
    assert found.money.vouchers_cents == -store.wallets.balances("t1").get("promotions", 0)
    assert found.zero_sum
    assert found.accounts_before == {}
    after = {name: cents for name, cents in found.accounts_after.items() if name != "wallet"}
    assert after == store.wallets.balances("t1")


def awarded(store: Stores, to: str = "") -> int:
    decided = (e for m in past_of(store, "t1").moments() for e in m.events if isinstance(e, events.DisputeDecided))
    return sum(chips.cents for event in decided for chips in event.chips if chips.target.startswith(to))


@pytest.mark.parametrize("house", HOUSES)
def test_win_is_what_the_tray_or_the_banks_gained(house: str) -> None:
    """By transfers alone: what left and entered the tray, or a bank beside its own stake, up to the last round's end."""
    store = fuzzed(house)
    rounds = list(past_of(store, "t1").rounds())
    found = shift_report("t1", rounds)
    bank = "tray" if found.banked_by == "house" else "bank"
    gained = 0
    for moment in (moment for one in rounds for moment in one.moments):
        for event in moment.events:
            own = isinstance(event, events.BankTaken | events.BankDeclined | events.DisputeDecided)
            stake_back = isinstance(event, events.StepDone) and event.step.kind == "return_stake"
            if not own and not stake_back:
                gained += sum(chips.cents * ((chips.target == bank) - (chips.source == bank)) for chips in event.chips)
    assert found.win_cents == gained
    assert found.straddling_cents == 0


@pytest.mark.parametrize("house", HOUSES)
def test_handle_is_what_lay_on_the_felt_when_the_hands_were_read(house: str) -> None:
    """For rounds without trouble, from the accounts of the felt and what was collected from it before."""
    checked = 0
    for one in past_of(fuzzed(house), "t1").rounds():
        if one.status != "settled" or one.rulings or one.bank:
            continue
        read = next(m for m in one.moments if any(isinstance(e, events.RoundRead) for e in m.events))
        lying = sum(cents for account, cents in read.after.accounts.items() if account.startswith("felt:"))
        assert shift_report("t1", [one]).handle_cents == lying + collected(one, read)
        checked += 1
    assert checked > 3 or catalog.rulebook(house).rules.bank.mode == "player"


def collected(one: PlayedRound, read: Moment) -> int:
    """What the dealer took off the felt before the hands were read, but for bets that were withdrawn."""
    early = (event for moment in one.moments if moment.number <= read.number for event in moment.events)
    steps = (event for event in early if isinstance(event, events.StepDone) and event.step.kind != "push_back")
    return sum(chips.cents for event in steps for chips in event.chips if chips.source.startswith("felt:"))


@pytest.mark.parametrize("house", HOUSES)
def test_two_shifts_add_up_to_one(house: str) -> None:
    store = fuzzed(house)
    past, middle = past_of(store, "t1"), START_MS + 300 * STEP_MS
    all_of_it = whole(store)
    one = shift_report("t1", past.rounds_touching(EVER[0], middle), None, middle)
    two = shift_report("t1", past.rounds_touching(middle, EVER[1]), middle, None)
    for name in ("rounds", "void_rounds", "hands", "placed_cents", "handle_cents", "win_cents", "disputes_raised"):
        assert getattr(one, name) + getattr(two, name) == getattr(all_of_it, name), name
    for name in ("drop_cents", "fees_cents", "tray_cents", "cashed_out_cents", "awards_cents"):
        assert getattr(one.money, name) + getattr(two.money, name) == getattr(all_of_it.money, name), name
    assert one.accounts_after == two.accounts_before
    assert one.straddling_cents + two.straddling_cents == all_of_it.straddling_cents
    expected = one.theory.expected_cents + two.theory.expected_cents
    assert expected == all_of_it.theory.expected_cents
    assert one.theory.variance + two.theory.variance == all_of_it.theory.variance


RECORD = """
rulebook nsw-1
set limit.cents_min = 500
set limit.cents_max = 10000
dealer auto
seat 1 sits Ann 300
seat 2 sits Bob 300

round
hand 1 Qh Qd 4c
hand 2 2h 7d 9s
community Js 2d
seat 1 bets 10
seat 2 bets 20
seat 1 rides 1
seat 2 rides 1
seat 1 rides 2
seat 2 withdraws 2
"""


def test_theory_is_exact_for_hands_that_are_known() -> None:
    steps = replay(read_record(RECORD)).steps
    moments = [
        Moment(number, 0, "dealer", step.outcome, step.before if number > 1 else None, step.after)
        for number, step in enumerate(steps, 1)
    ]
    (one,) = cut(moments)
    found = shift_report("t1", [one])
    pays = catalog.paytable("LIRX-01").pays["base"]
    theory = found.theory
    assert theory.expected_cents == 3_000 * price(pays).house_edge
    assert theory.variance == (1_000**2 + 2_000**2) * base_sheet(pays).results.variance
    assert found.win_cents == -3_000 + 4_000  # Ann wins three times ten, Bob loses two of three bets
    assert found.handle_cents == 3_000 + 4_000
    assert found.placed_cents == 9_000
    assert found.money.drop_cents == 60_000
    assert found.hold(found.money.drop_cents) == Fraction(1_000, 60_000)
    assert (theory.decisions, theory.mistakes) == (4, 1)  # 2-7-9 of three suits should not have ridden
    assert theory.given_away > 0
    assert theory.as_played_cents == theory.expected_cents + theory.given_away


def test_what_is_ruled_for_a_player_who_is_away_is_no_mistake_of_theirs() -> None:
    gone = RECORD.replace(
        "seat 1 rides 1\nseat 2 rides 1\n",
        "seat 1 rides 1\nseat 2 looks\nseat 2 by dealer goes away\ndealer reports absent seat 2\n",
    )
    theory = {}
    for name, text in (("there", RECORD), ("gone", gone.replace("seat 2 withdraws 2\n", ""))):
        steps = replay(read_record(text)).steps
        told = enumerate(steps, 1)
        moments = [Moment(n, 0, "dealer", one.outcome, one.before if n > 1 else None, one.after) for n, one in told]
        theory[name] = shift_report("t1", [*cut(moments)]).theory
    assert (4, 1) == (theory["there"].decisions, theory["there"].mistakes)
    assert (2, 0) == (theory["gone"].decisions, theory["gone"].mistakes)


LIMITS = """
rulebook nsw-1
set limit.cents_min = 500
set limit.cents_max = 10000
dealer auto
seat 1 sits Ann 300

round
hand 1 Qh Qd 4c
community Js 2d
seat 1 bets 10
seat 1 rides 1
seat 1 rides 2
casino_supervisor orders limits min 5 max 300 because quiet
casino_supervisor orders limits min 4 max 300 because quieter
casino_supervisor orders limits min 3 max 1000 because late
"""


def test_orders_that_differ_are_told_one_by_one_with_their_times() -> None:
    steps = replay(read_record(LIMITS)).steps
    moments = [
        Moment(number, START_MS + number, "dealer", step.outcome, step.before if number > 1 else None, step.after)
        for number, step in enumerate(steps, 1)
    ]
    found = shift_report("t1", cut(moments, running=True))
    data = shift_figures(found)
    assert [one.count for one in data.orders] == [1, 1, 1]
    times = [one.at_ms[0] for one in data.orders]
    assert times == sorted(set(times))
    made = as_text(page(found, "", START_MS))
    for words in ("minimum $5, maximum $300", "minimum $4, maximum $300", "minimum $3, maximum $1,000"):
        (line,) = [line for line in made.splitlines() if words in line]
        assert line.startswith("2023-11-14 22:13:20 UTC")
        assert line.endswith("casino supervisor")
    identity = dict(page(found, "", START_MS + 60_000).identity)
    assert identity["From"] == "2023-11-14 22:13:20 UTC (table opened)"
    assert identity["To"] == "2023-11-14 22:13:20 UTC (last entry in the journal)"
    assert identity["Prepared"].startswith("2023-11-14 22:14:20 UTC by letitride ")


@pytest.mark.parametrize(
    ("hands", "words"), [(699, "699 hands are too few to judge the win; 700 are needed"), (700, "outside the 99%")]
)
def test_no_verdict_on_few_hands(hands: int, words: str) -> None:
    found = Shift("t1", None, None)
    found.theory.hands, found.theory.variance, found.theory.won_cents = hands, Fraction(1), 100
    made = page(found)
    assert words in made.verdict
    assert made.consistent == (hands < 700)
    better = 10_200 + 5_108 + 3_744 + 624 + 36 + 4  # straights and all above them, of 2,598,960 hands
    assert 659 == round(5 * 2_598_960 / better)
    assert shift_figures(found).theory.hands_needed == 700


def test_results_agree_with_theory_once_bad_play_is_counted() -> None:
    """Players of a fuzz run choose at random: beside best play they lose far too much, beside their own play not."""
    theory = whole(fuzzed("nsw-1", 20_000)).theory
    assert theory.hands > 400
    assert theory.mistakes > 200
    assert theory.given_away > 5 * theory.expected_cents
    z = theory.z(theory.as_played_cents)
    assert z is not None
    assert abs(z) < 3.5


def test_paper_says_what_the_figures_say() -> None:
    found = whole(fuzzed("washington-1"))
    made = page(found, "The corner table")
    text, html, pdf = as_text(made), as_html(made).decode(), as_pdf(made)
    read = " ".join(" ".join(page_.extract_text().split()) for page_ in PdfReader(io.BytesIO(pdf)).pages)
    handle = f"${found.handle_cents // 100:,}.{found.handle_cents % 100:02}"
    for where in (text, html, read):
        assert handle in where
        assert "The corner table" in where
        assert "All accounts balance." in where
        assert found.rulebooks["washington-1"] in " ".join(where.split())
        assert "Seat 1, chips" in where
        assert "felt:" not in where
    assert as_pdf(made) == pdf
    assert "<script" not in html


def test_an_empty_shift_is_a_report_too() -> None:
    past = past_of(fuzzed("nsw-1"), "t1")
    found = shift_report("t1", past.rounds_touching(0, 1), 0, 1)
    data = shift_figures(found)
    assert (data.rounds, data.theory.z, data.hold_of_drop) == (0, None, None)
    assert "no hand was settled" in as_text(page(found))


def test_shift_reports_by_http_are_for_staff() -> None:
    async def ask() -> None:
        store = fuzzed("shufflemaster-1")
        async with opened(store) as (house, client):
            address = "/api/tables/t1/shift"
            assert (await client.get(address)).status_code == 401
            await client.post("/api/guest")
            assert (await client.get(address)).status_code == 403
            await enter(house, client, "Flo", "floor")
            answer = (await client.get(address)).json()
            TypeAdapter(ShiftFigures).validate_python(answer)
            assert answer == json.loads(encoded(shift_figures(whole(store))))
            pdf = await client.get(address, params={"format": "pdf"})
            assert pdf.content.startswith(b"%PDF")
            assert (await client.get(address, params={"format": "html"})).text.startswith("<!DOCTYPE html>")
            assert "Shift report: Table t1" in (await client.get(address, params={"format": "text"})).text
            for wrong in ({"format": "doc"}, {"from": "x"}, {"from": "2026-01-02", "to": "2026-01-01"}):
                assert (await client.get(address, params=wrong)).status_code == 422
            extreme = {"from": "0001-01-01T00:00:00+14:00", "to": "9999-12-31T23:59:59-12:00", "format": "text"}
            assert (await client.get(address, params=extreme)).status_code == 200
            assert (await client.get("/api/tables/nowhere/shift")).status_code == 404

    asyncio.run(ask())


def test_shift_reports_by_command_line(tmp_path: Path) -> None:
    database = tmp_path / "house.db"
    store = open_store(str(database))
    fuzz_into(store, "t1", rules_of("california-1"), 1_200)
    store.close()

    def shift(*words: str) -> subprocess.CompletedProcess[str]:
        return run("shift", "--db", database, "--table", "t1", *words)

    data = json.loads(shift("--json").stdout)
    assert data["banked_by"] == "player"
    assert data["fees_cents"] > 0
    assert "Shift report: Table t1" in shift().stdout
    assert shift("--pdf", str(tmp_path / "shift.pdf")).returncode == 0
    assert (tmp_path / "shift.pdf").read_bytes().startswith(b"%PDF")
    assert shift("--from", "never").returncode == 2
    assert shift("--from", "2026-01-02", "--to", "2026-01-01").returncode == 2
