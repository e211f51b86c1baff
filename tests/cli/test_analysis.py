"""The commands of exact analysis: figures, conventions, refusals."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest

from tests.cli.command import read, run


def test_par_prints_exact_values_with_their_conventions() -> None:
    data = read("par", "LIRX-01")
    (base,) = data["wagers"]
    assert (data["paytable"], data["conventions"]["ties"]) == ("LIRX-01", "withdraw")
    assert base["house_edge"] == {"exact": "37963/1082900", "value": pytest.approx(0.0350568, abs=1e-7)}
    assert base["element_of_risk"]["exact"] == "37963/1325152"
    assert base["printed"] == {"par": "2.86%", "hit_frequency": "23.88%"}
    assert str(base["standard_deviation"]).startswith("5.15")
    assert sum(line["combinations"] for line in base["lines"]) == base["combinations"] == 51_979_200
    ride = read("par", "LIRX-01", "--ties", "ride")["wagers"][0]
    assert ride["house_edge"] == base["house_edge"]
    assert ride["average_wager"]["value"] > base["average_wager"]["value"]


def test_par_prices_every_wager_of_a_book_cover_all_by_hands() -> None:
    tables = read("par", "--rulebook", "washington-1")
    wagers = [(wager["wager"], wager.get("hands")) for table in tables for wager in table["wagers"]]
    assert wagers == [("base", None), ("bonus", None), ("three_card", None), *(("cover_all", n) for n in range(1, 8))]
    assert "base.paytable: expected 'LIRX-01'" in run("par", "LIRX-02", "--rulebook", "nsw-1").stderr


def test_par_check_compares_all_printed_figures() -> None:
    data = read("par", "--all", "--check")
    assert (data["printed_figures_compared"], data["wrong"]) == (40, 0)
    assert "Checked 40 printed pars and hit frequencies: 0 differ" in run("par", "--all", "--check").stdout


def test_par_as_csv_and_markdown() -> None:
    rows = run("par", "LIRX-01", "--csv").stdout.splitlines()
    assert rows[0].startswith("paytable,wager,hands,hand,combinations,of,pay")
    assert rows[1].startswith("LIRX-01,base,,royal flush,80,51979200,1000,3,")
    assert "| royal flush | 80 |" in run("par", "LIRX-01", "--markdown").stdout


def test_a_maximum_payout_is_priced_at_its_stake() -> None:
    capped = read("par", "LIRX-01", "--stake", "25", "--max-payout", "1000")["capped"]
    assert capped["house_edge"]["exact"] == "18274/270725"
    over = read("par", "LIRX-01", "--stake", "900", "--table-max", "450")["over_maximum"]
    assert (over["stake_cents"], over["settled_cents"]) == (90_000, 45_000)  # the excess takes no part
    assert over["house_edge_of_what_is_settled"]["exact"] == "37963/1082900"
    assert over["house_edge_of_what_was_put_up"]["exact"] == "37963/2165800"
    assert "A bet of $900 is settled at $450" in run("par", "LIRX-01", "--stake", "900", "--table-max", "450").stdout
    assert "a maximum payout of $1,000" in run("par", "LIRX-01", "--stake", "25", "--max-payout", "1000").stdout
    shared = ("par", "LIRX-01", "--stake", "25", "--max-payout", "1000", "--payout-scope", "round")
    assert "a maximum payout of $1,000, one player at the table" in run(*shared).stdout
    alone = read(*shared)
    assert (capped["house_edge"], "one player at the table") == (
        alone["capped"]["house_edge"],
        alone["conventions"]["capped"],
    )


def test_base_game_and_side_bets_are_one_game_under_a_maximum_payout(tmp_path: Path) -> None:
    wager = Path(__file__).parents[2] / "examples" / "wagers" / "pairs_plus.toml"
    book = tmp_path / "room.toml"
    rules = 'cap = "maximum"\ncents_max = 60000\nscope = "round"\nsides = ["pairs_plus"]\n'
    head = f'id = "room-1"\ntitle = "Room"\nextends = "nsw-1"\nwagers = ["{wager}"]\n'
    book.write_text(f"{head}[rules.payout]\n{rules}", encoding="utf-8")
    own = read("par", "--rulebook", str(book), "--stake", "25", "--combined", "pairs_plus=25")
    base = read("par", "LIRX-01", "--stake", "25", "--max-payout", "600")["capped"]["house_edge"]["exact"]
    side = read("par", str(wager), "--stake", "25", "--max-payout", "600")["wagers"][0]["house_edge"]["exact"]
    assert Fraction(own["loss_cents_per_round"]["exact"]) == 2_500 * (Fraction(base) + Fraction(side))
    assert {"scope": "round", "side_bets": ["pairs_plus"]}.items() <= own["maximum"].items()
    typed = ("par", "LIRX-01", "--stake", "25", "--max-payout", "600", "--combined", f"{wager}=25")
    free = read("par", str(wager))["wagers"][0]["house_edge"]["exact"]  # there the maximum is the base bets'
    assert Fraction(read(*typed)["loss_cents_per_round"]["exact"]) == 2_500 * (Fraction(base) + Fraction(free))
    told = run("par", "--rulebook", str(book), "--stake", "25", "--combined", "pairs_plus=25").stdout
    assert "$600 on the base bets, one player at the table; the same on Pairs Plus" in told
    refused = run(*typed, "--csv")
    assert (refused.returncode, "expected --combined with one base paytable or --rulebook" in refused.stderr) == (
        2,
        True,
    )


def test_strategy_says_what_to_do_and_what_other_play_costs(tmp_path: Path) -> None:
    data = read("strategy", "LIRX-01")
    assert data["bet2"]["rules"][1] == "four of one suit"
    assert {one["strategy"]: one["units_lost_per_100_rounds"]["exact"] for one in data["compared"]}["basic"] == "0"
    assert "Bet 1: let it ride" in run("strategy", "LIRX-01", "--hand", "5h 6h 7h").stdout
    own = tmp_path / "mine.toml"
    own.write_text('bet1 = ["high_pair"]\nbet2 = ["two_pair"]\n')
    assert "mine" in run("strategy", "LIRX-01", "--compare", str(own)).stdout
    own.write_text('bet1 = ["pairs"]\nbet2 = []\n')
    assert "mine.toml: bet1: expected one of" in run("strategy", "LIRX-01", "--compare", str(own)).stderr


def test_session_advantage_bank_combined_and_design_answer() -> None:
    assert read("session", "LIRX-01", "--rounds", "100", "--bankroll", "50")["risk_of_ruin"] > 0
    assert "50% of sessions" in run("session", "LIRX-01").stdout
    edges = {one["sees"]: one["house_edge"]["value"] for one in read("advantage", "LIRX-01")["edges"]}
    assert edges["both"] < edges["community-2"] < edges["community-1"] < 0 < edges["hand"] < edges["nothing"]
    assert read("bank", "LIRX-01", "--stake", "300", "--bet", "10")["not_covered"]["value"] > 0
    assert read("combined", "LIRB-25", "--side", "bonus=1")["loss_cents_per_round"]["value"] > 0
    (first, *_) = read("design", "--par", "2.5", "--top-award", "1000", "--keep", "two pair=2", "--count", "3")[
        "tables"
    ]
    assert (first["pays"]["royal_flush"], first["pays"]["two_pair"]) == (1000, 2)
    assert abs(first["element_of_risk"]["value"] - 0.025) < 0.0001
    small = ("--bound", "flush=5..9", "--keep", "straight flush=50", "--keep", "four of a kind=20")
    edge = read("design", "--edge", "5", "--top-award", "100", *small, "--count", "2")
    assert edge["complete"]
    assert (
        edge["searched"] + edge["excluded"]
        == edge["in_bounds"]
        == 12 * (5 * 4 - 3) * (3 * 3 - 1)  # less those that rise
    )  # flush below straight: 5 with 6 or 7, 6 with 7
    assert edge["bounds"]["flush"] == {"least": 5, "most": 9}
    shown = run("design", "--edge", "5", "--top-award", "100", *small, "--count", "2").stdout
    assert f"{edge['in_bounds']:,} paytables within the bounds: {edge['searched']:,} priced" in shown
    hits = read("design", "--hit-frequency", "7", "--bound", "tens or better=none..1", "--count", "1")
    assert (hits["tables"][0]["pays"]["tens_or_better"], hits["figure"]) == (None, "hit_frequency")


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (("par",), "expected one paytable, or --all, got neither"),
        (("par", "LIRX-01", "--all"), "expected one paytable, or --all, got both"),
        (
            ("par", "LIRX-01", "--stake", "0", "--max-payout", "5"),
            "expected an amount like 25 or 7.50 after --stake, got '0'",
        ),
        (
            ("par", "examples/wagers/jackpot.toml", "--stake", "1", "--max-payout", "100"),
            "expected a bet without a meter or envy under a maximum payout",
        ),
        (("par", "LIRX-01", "--stake", "25", "--max-payout", "5"), "expected a maximum payout of 2500 cents or more"),
        (("par", "LIRX-01", "--stake", "25"), "expected --stake together with --max-payout or --table-max"),
        (("strategy", "3CB-1"), "expected a paytable that prices the base wager, got 3CB-1"),
        (("strategy", "LIRX-01", "--hand", "5h 6h"), "expected three or four cards, got 2"),
        (("strategy", "LIRX-01", "--compare", "best"), "or the path of a TOML file after --compare, got 'best'"),
        (("session", "LIRX-01", "--rounds", "0"), "expected 1 to 10,000 rounds, got 0"),
        (("session", "LIRX-01", "--bankroll", "2"), "expected a bankroll of 3 units or more, got 2"),
        (
            ("bank", "LIRX-01", "--stake", "x", "--bet", "1"),
            "expected an amount like 25 or 7.50 after --stake, got 'x'",
        ),
        (("combined", "LIRX-01"), "expected a side bet like --side 3CB-1=5, got none"),
        (("combined", "LIRX-01", "--side", "bonus"), "expected WAGER=AMOUNT, PAYTABLE=AMOUNT or FILE=AMOUNT after"),
        (("combined", "LIRX-01", "--side", "bonus=1"), "expected a paytable that prices the bonus wager, got LIRX-01"),
        (("combined", "LIRX-01", "--side", "3CB-1=x"), "expected an amount like 25 or 7.50 after --side, got 'x'"),
        (("combined", "LIRX-01", "--side", "base=1"), "expected a side bet after --side, got Base game"),
        (
            ("combined", "LIRX-01", "--side", "LIRX-02=1"),
            "expected a paytable with one side bet after --side, got LIRX-02 with 0",
        ),
        (("combined", "LIRX-01", "--side", "3CB-1=1", "--side", "3CB-2=1"), "got 3 Card Bonus twice"),
        (("combined", "LIRX-01", "--side", "COVER-ALL=1"), "got Cover All, which goes by the best hand at the table"),
        (("design", "--par", "much"), "expected a percentage like 2.5 after --par, got 'much'"),
        (("design", "--par", "2.5", "--keep", "pair=1"), "with '=' and a whole pay after --keep, got 'pair=1'"),
        (("design", "--par", "1e99999999"), "expected a percentage like 2.5 after --par, got '1e99999999'"),
        (("design", "--par", "2.5", "--keep", "two pair=²"), "and a whole pay after --keep, got 'two pair=²'"),
        (
            ("design", "--par", "2.5", "--top-award", "9", "--keep", "royal flush=9"),
            "expected each hand once after --keep, --top-award and --bound",
        ),
        (("design",), "expected one of --par, --edge, --hit-frequency, got none"),
        (("design", "--par", "2.5", "--edge", "3"), "expected one of --par, --edge, --hit-frequency, got 2"),
        (("design", "--par", "٢.٥"), "expected a percentage like 2.5 after --par, got '٢.٥'"),
        (("design", "--par", "2.5", "--bound", "flush=5"), "and pays like 5..9 after --bound, got 'flush=5'"),
        (("design", "--par", "2.5", "--bound", "flush=9..5"), "the least first, got 9 to 5"),
        (("design", "--par", "2.5", "--tolerance", "-1"), "expected a percentage between 0 and 100 after --tolerance"),
        (("design", "--par", "2.5", "--keep", "tens or better=60"), "got bounds that hold none"),
        (("design", "--par", "2.5", "--max-deviation", "inf"), "expected a standard deviation above 0"),
        (("design", "--par", "2.5", "--max-deviation", "nan"), "expected a standard deviation above 0"),
        (
            ("par", "LIRX-01", "--stake", "25", "--max-payout", "1e9"),
            "expected an amount like 25 or 7.50 after --max-payout",
        ),
        (
            ("par", "LIRX-01", "--stake", "25", "--max-payout", "90", "--csv"),
            "expected --stake with the printed sheet or --json",
        ),
        (("design", "--par", "2.5", "--top-award", "0"), "expected pays of 1 to 1,000,000,000"),
    ],
)
def test_bad_input_is_one_sentence_and_exit_2(words: tuple[str, ...], expected: str) -> None:
    done = run(*words)
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)
    assert expected in done.stderr
