"""The `simulate` and `evidence` commands by a book with a house's own wagers."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from pyarrow import parquet

from tests.cli.command import run
from tests.simulation.own_meters import FOUR
from tests.simulation.own_wagers import RED_BLACK, TWINS, book_file

WAGERS = Path(__file__).parents[2] / "examples" / "wagers"


def simulated(book: Path, *words: str) -> dict[str, Any]:
    done = run("simulate", "--rulebook", book, "--seed", "4", *words, "--json")
    assert done.returncode == 0, done.stderr
    return dict(json.loads(done.stdout))


def test_own_wagers_are_simulated_beside_their_exact_values(tmp_path: Path) -> None:
    book, counts = book_file(tmp_path, [RED_BLACK, TWINS]), tmp_path / "counts.parquet"
    data = simulated(book, "--rounds", "1e5", "--stake", "red_black=5", "--parquet", str(counts))
    assert {"base-1": 500, "base-2": 500, "base-$": 500, "twins": 200, "red_black": 500} == data["game"]["stake_cents"]
    assert [one["wager"] for one in data["wagers"]] == ["base", "red_black", "twins"]
    assert data["verdict"]["consistent"]
    listed = data["tallies"]["listed"]["red_black"]
    assert sum(listed["first_seat"]) == 100_000
    rows = [row for row in parquet.read_table(counts).to_pylist() if row["wager"] == "red_black"]
    assert [row["count"] for row in rows] == listed["first_seat"] + listed["other_seats"]
    assert rows[1]["net_cents"] == 1_500


def test_an_example_wager_is_named_in_a_book_by_its_path(tmp_path: Path) -> None:
    book = tmp_path / "book.toml"
    paths = json.dumps([str(WAGERS / name) for name in ("red_black.toml", "four_card.toml", "two_community.toml")])
    book.write_text(f'id = "room"\ntitle = "Room"\nextends = "nsw-1"\nwagers = {paths}\n', encoding="utf-8")
    data = simulated(book, "--rounds", "1e5", "--stake", "red_black=5")
    assert data["verdict"]["consistent"]
    assert len(data["wagers"]) == 4


def test_a_progressive_says_what_its_exact_value_assumes(tmp_path: Path) -> None:
    book = tmp_path / "book.toml"
    paths = json.dumps([str(WAGERS / "jackpot.toml")])
    rules = 'rules.odds.wording = ["to", "win"]\n'
    book.write_text(f'id = "room"\ntitle = "Room"\nextends = "nsw-1"\nwagers = {paths}\n{rules}', encoding="utf-8")
    assumed = "meter at its seed of $10,000, no envy won"
    assert [None, assumed] == [one.get("assumed") for one in simulated(book, "--rounds", "5000")["wagers"]]
    assert f"  Jackpot: {assumed}\n" in run("simulate", "--rulebook", book, "--rounds", "5000", "--seed", "4").stdout


def test_a_run_with_own_wagers_goes_on_from_its_state(tmp_path: Path) -> None:
    book, state = book_file(tmp_path, [RED_BLACK]), tmp_path / "state.json"
    simulated(book, "--rounds", "30000", "--state", str(state))
    done = run("simulate", "--resume", state, "--rounds", "70000", "--json")
    assert json.loads(done.stdout)["tallies"] == simulated(book, "--rounds", "70000")["tallies"]


def test_a_progressive_is_told_with_its_meter_as_simulated_and_goes_on_from_its_state(tmp_path: Path) -> None:
    book, state = book_file(tmp_path, [FOUR]), tmp_path / "state.json"
    simulated(book, "--seats", "3", "--rounds", "20000", "--state", str(state))
    done = run("simulate", "--resume", state, "--rounds", "70000", "--json")
    data = simulated(book, "--seats", "3", "--rounds", "70000")
    assert json.loads(done.stdout)["wagers"] == data["wagers"]
    _, four = data["wagers"]
    meter = four["meter"]
    assert [("one_suit", True), ("trips", True), ("red", True)] == [
        (one["rank"], one["hands"] > 0) for one in meter["hits"]
    ]
    assert meter["won_cents"] == sum(one["won_cents"] for one in meter["hits"])
    put_in = meter["fed_cents"] + (1 + meter["resets"]) * meter["seed_cents"]
    assert put_in == meter["won_cents"] + meter["held_cents"]
    assert 70_000 * 3 * 40 == meter["fed_cents"]
    assert abs(meter["at_a_hit"]["z"]) < 4
    assert abs(meter["house_edge"]["z"]) < 4
    assert abs(four["envy"]["result"]["z"]) < 4
    assert {"meter", "envy"}.isdisjoint(data["wagers"][0])
    text = run("simulate", "--resume", state, "--rounds", "70000").stdout
    assert "meter at its seed of $123.45, no envy won" in text
    assert f"one suit               {meter['hits'][0]['hands']:,} hits, " in text
    assert "; exactly " in next(line for line in text.splitlines() if "meter at a hit" in line)
    wager = tmp_path / "wager-0.toml"
    wager.write_text(wager.read_text(encoding="utf-8").replace("ppm = 200000", "ppm = 100000"), encoding="utf-8")
    refused = run("simulate", "--resume", state, "--rounds", "90000")
    assert (2, f"{state}: expected the meter of four_pot as it was when the run began, got another") == (
        refused.returncode,
        refused.stderr.strip().removeprefix("letitride: "),
    )


def test_sessions_stake_own_wagers_too(tmp_path: Path) -> None:
    book = book_file(tmp_path, [RED_BLACK])
    data = simulated(book, "--sessions", "500x100")
    assert data["verdict"]["consistent"]
    less = run("simulate", "--rulebook", book, "--sessions", "5x5", "--bankroll", "15", "--seed", "1")
    assert "expected a bankroll of $16 or more, got $15" in less.stderr


def test_an_unknown_wager_and_a_bank_with_side_bets_are_refused(tmp_path: Path) -> None:
    book = book_file(tmp_path, [RED_BLACK])
    done = run("simulate", "--rulebook", book, "--stake", "blue=5")
    assert "expected one of 'base', 'red_black' before '=' in --stake, got 'blue'" in done.stderr
    banked = book_file(tmp_path, [RED_BLACK], "california-1")
    done = run("simulate", "--rulebook", banked, "--bank-stake", "100", "--rounds", "1000", "--seed", "1")
    assert "expected base bets alone against a bank of limited stake, got Red Black as well" in done.stderr


def test_a_pack_of_evidence_holds_own_wagers(tmp_path: Path) -> None:
    pack = tmp_path / "pack"
    small = ("--rounds", "5e4", "--shuffle-decks", "1e4", "--live-decks", "0")
    done = run("evidence", book_file(tmp_path, [RED_BLACK]), *small, "--out", pack)
    assert done.returncode == 0, done.stderr
    assert "Red Black" in done.stdout
    assert (pack / "par-red_black.pdf").exists()
