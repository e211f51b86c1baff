"""A maximum payout that binds side bets as well: chips, prices, kernels, signs and refusals."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest

from letitride.analysis.side_bets import price_side
from letitride.engine.decide import open_table
from letitride.engine.view import view
from letitride.errors import InvalidData
from letitride.rules import catalog
from letitride.rules.cards import parse_cards
from letitride.rules.limits import payout_words
from letitride.rules.settlement import Hand, WagerResult, settle_round
from letitride.rules.table_rules import TableRules
from letitride.simulation.plan import plan, stakes_of
from letitride.storage.rules_codec import from_wire, to_wire

PAIRS = Path(__file__).parents[2] / "examples" / "wagers" / "pairs_plus.toml"
JACKPOT = PAIRS.with_name("jackpot.toml")
BOOK = f"""
id = "capped-1"
title = "Capped"
extends = "nsw-1"
wagers = ["{PAIRS}", "{JACKPOT}"]
[rules]
odds.wording = ["to", "win"]
payout.cap = "maximum"
payout.cents_max = 10000
"""
BOUND = 'payout.sides = ["pairs_plus"]\n'


def rules_of(folder: Path, more: str = BOUND) -> TableRules:
    (folder / "capped.toml").write_text(BOOK + more, encoding="utf-8")
    return catalog.ready_rules(str(folder / "capped.toml"))


def settled(rules: TableRules, cents: int) -> WagerResult:
    hand = Hand(1, parse_cards("Ah Kh Qh"), {"pairs_plus": cents})
    return settle_round(rules, parse_cards("2c 3d"), [hand])[1][0]


def test_a_side_bet_is_paid_up_to_the_maximum_and_keeps_its_stake(tmp_path: Path) -> None:
    bound, free = rules_of(tmp_path), rules_of(tmp_path, "")
    assert settled(bound, 200) == settled(free, 200) == WagerResult("pairs_plus", 200, "won", 10_000, 200)
    assert settled(bound, 500) == WagerResult("pairs_plus", 500, "won", 10_000, 500)
    assert settled(free, 500).paid_cents == 25_000
    assert from_wire(to_wire(bound)).pays == bound.pays


def test_its_price_at_a_stake_has_the_maximum_in_it(tmp_path: Path) -> None:
    pays, free = rules_of(tmp_path).pays["pairs_plus"], rules_of(tmp_path, "").pays["pairs_plus"]
    assert price_side(pays.at(200)).house_edge == price_side(free).house_edge
    # At $5 a mini royal of 50 to 1, a straight flush of 40 and three of a kind of 30 win 20 units.
    lost = Fraction(4 * 30 + 44 * 20 + 52 * 10, 22_100)
    assert price_side(pays.at(500)).house_edge - price_side(free).house_edge == lost


def test_the_kernel_counts_by_what_is_paid(tmp_path: Path) -> None:
    rules = rules_of(tmp_path)
    stakes = stakes_of(rules) | {"pairs_plus": 500}
    exact = {one.wager.id: one for one in plan(rules, 7, stakes).exact}
    assert exact["pairs_plus"].mean / 500 == -price_side(rules.pays["pairs_plus"].at(500)).house_edge


def test_the_sign_says_so(tmp_path: Path) -> None:
    rules = rules_of(tmp_path)
    assert view(open_table(rules)[0], "spectator").sign.payout_sides == ("Pairs Plus",)
    assert payout_words(rules.rules).endswith("in a round, and on each side bet of pairs_plus")


@pytest.mark.parametrize(
    ("sides", "refused"),
    [
        ('["base"]', "payout.sides: expected a list of side bets, each one of 'bonus'"),
        ('["nothing"]', "payout.sides: expected a list of side bets"),
        ('["jackpot"]', "payout.sides: expected a list without 'jackpot', because a meter or envy pays on it besides"),
    ],
)
def test_what_cannot_be_bound_is_refused(tmp_path: Path, sides: str, refused: str) -> None:
    with pytest.raises(InvalidData, match=refused):
        rules_of(tmp_path, f"payout.sides = {sides}\n")
