"""A house's own book on the command line: where each value comes from, its prices under its maximum, its strategy."""

from __future__ import annotations

import pytest

from tests.cli.command import read, run

RIVERSIDE = "examples/riverside/riverside.toml"


def test_check_and_show_name_what_the_book_sets_and_departs_from() -> None:
    checked = run("rules", "check", RIVERSIDE).stdout
    assert "burn.card departs from nsw:7.3.3: nsw-1 says none; this book says the top card of the deck" in checked
    shown = " ".join(run("rules", "show", RIVERSIDE, "burn.card").stdout.split())
    assert "from set by riverside-1; departs from nsw:7.3.3" in shown
    clause = " ".join(run("rules", "show", RIVERSIDE, "nsw:7.3.3").stdout.split())
    assert "departed from by burn.card" in clause
    assert "departed from" not in run("rules", "show", "nsw-1", "nsw:7.3.3").stdout
    assert "why The top card of the shoe can be seen from seat 1" in shown
    assert "by omission" not in shown
    compared = read("rules", "diff", "nsw-1", RIVERSIDE)["differences"]
    (burn,) = [one for one in compared if one["key"] == "burn.card"]
    assert (None, ["nsw:7.3.3"]) == (burn["left"]["departs_from"], burn["right"]["departs_from"])
    assert "departs from nsw:7.3.3" in " ".join(run("rules", "diff", "nsw-1", RIVERSIDE).stdout.split())


def test_par_prices_a_book_that_names_a_paytable_by_path_under_its_maximum() -> None:
    base, side = read("par", "--rulebook", RIVERSIDE)
    assert ("RIVERSIDE-01", "pairs_plus") == (base["paytable"], side["paytable"])
    assert [1_000, 20_000] == [one["stake_cents"] for one in base["capped_at"]]
    lowest, highest = base["capped_at"]
    assert base["wagers"][0]["house_edge"] == lowest["house_edge"]
    assert highest == base["capped"]
    assert highest["house_edge"]["value"] > lowest["house_edge"]["value"]
    assert highest["element_of_risk"]["value"] == pytest.approx(
        highest["house_edge"]["value"] / highest["average_wager"]["value"]
    )
    assert "capped" not in side
    by_id = read("par", "RIVERSIDE-01", "--rulebook", RIVERSIDE, "--stake", "50")
    assert ("RIVERSIDE-01", 5_000) == (by_id[0]["paytable"], by_id[0]["capped"]["stake_cents"])


def test_strategy_takes_a_books_maximum_and_a_stake_and_names_what_changes() -> None:
    at_most = read("strategy", "--rulebook", RIVERSIDE)
    assert ("RIVERSIDE-01", 20_000) == (at_most["paytable"], at_most["capped"]["stake_cents"])
    changed = [one for one in at_most["classes"] if one["changed"]]
    assert len(changed) == len(at_most["capped"]["classes_changed"]) > 0
    at_least = read("strategy", "--rulebook", RIVERSIDE, "--stake", "10")
    assert [] == [one for one in at_least["classes"] if one["changed"]]
    bare = read("strategy", "LIRX-01", "--stake", "200", "--max-payout", "25000")
    assert 4 == len(bare["capped"]["classes_changed"])
    assert "element of risk" in run("strategy", "--rulebook", RIVERSIDE).stdout


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("strategy",), "expected a base paytable or --rulebook, got neither"),
        (("strategy", "LIRX-01", "--stake", "5"), "expected --max-payout, or a --rulebook with a maximum payout"),
        (("strategy", "LIRX-01", "--max-payout", "500"), "expected --stake with a maximum payout, got none"),
        (("par", "--rulebook", "nsw-1", "--stake", "5"), "expected a rule book with a maximum payout for --stake"),
        (("evidence", "nsw-1", "--date", "soon"), "expected a date like 2025-03-31 after --date, got 'soon'"),
    ],
)
def test_what_does_not_go_together_is_one_sentence(words: tuple[str, ...], said: str) -> None:
    done = run(*words)
    assert 2 == done.returncode
    assert said in done.stderr


def test_a_par_that_differs_by_the_tie_rule_alone_is_said_to() -> None:
    said = " ".join(run("par", "LIRX-01", "--ties", "ride", "--check").stdout.split())
    assert "prints a par of 2.86%, by the tie rule 'withdraw'; by 'ride' it is 2.8453%" in said
    assert "0 differ from the exact values" in said


def test_the_bank_says_by_which_strategy_its_opponents_play() -> None:
    words = ("bank", "LIRX-01", "--stake", "100", "--bet", "5")
    assert "The opponent plays the strategy that is best against this bank" in run(*words).stdout
    assert (
        "Both opponents play the strategy that is best where every bet is covered"
        in run(*words, "--opponents", "2").stdout
    )
