"""Bets that are taken back as well as can be: by hand, by every case and beside the base game."""

from __future__ import annotations

import tomllib
from fractions import Fraction
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest

from letitride.analysis.base import CASES, best_play, plain_nets
from letitride.analysis.par import base_sheet, sheets
from letitride.analysis.side_bets import TAKEN_BACK, back_net, combine, price_side
from letitride.analysis.taken_back import decided, nets_of, riding_value, stays_by_cards
from letitride.chance.seeded import Seeded
from letitride.rules import catalog
from letitride.rules.cards import DECK, parse_cards
from letitride.rules.paytables import Pays
from tests.analysis import independent
from tests.analysis.own_hands import EXAMPLES, every_hand
from tests.simulation.own_wagers import own_table

SUITED = """
id = "suited"
title = "Suited"
judged_on = "JUDGED"
award = "to_one"
withdraw = ["DECISION"]
withdraw_percent = 50
rank = [{ id = "flush", when = { same_suit = CARDS } }, { id = "rest" }]
pays = { flush = 9 }
keys = { cents_min = 100, cents_max = 2500, cents_step = 100 }
"""
PAIR_UP = """
id = "pair_up"
title = "Pair Up"
judged_on = "community"
award = "total_award"
first_wins = true
withdraw = ["bet_1", "bet_2"]
withdraw_percent = 80
rank = [
    { id = "queens", when = { includes = ["Qh", "Qd"] } },
    { id = "pair", when = { same_rank = 2 } },
    { id = "red", when = { colour = "red" } },
    { id = "rest" },
]
pays = { queens = 50, pair = 9, red = 2 }
keys = { cents = 500 }
"""
HALF = Fraction(1, 2)


def suited(judged: str, cards: int, decision: str) -> str:
    return SUITED.replace("JUDGED", judged).replace("CARDS", str(cards)).replace("DECISION", decision)


def pays_of(folder: Path, *files: str) -> dict[str, Pays]:
    return dict(own_table(folder, files).pays)


def test_four_suited_cards_that_three_must_begin_are_priced_by_hand(tmp_path: Path) -> None:
    found = price_side(pays_of(tmp_path, suited("own_four", 4, "bet_1"))["suited"])
    suited_three = Fraction(4 * 286, 22_100)
    assert -found.house_edge == suited_three * Fraction(10 * 9 - 39, 49) - (1 - suited_three) * HALF
    assert found.hit_frequency == suited_three * Fraction(10, 49)
    assert Fraction(found.back, CASES) == 1 - suited_three


def test_a_flush_that_four_cards_must_begin_is_priced_by_hand(tmp_path: Path) -> None:
    found = price_side(pays_of(tmp_path, suited("own_five", 5, "bet_2"))["suited"])
    four = Fraction(4 * 715, 270_725)
    assert -found.house_edge == four * Fraction(9 * 9 - 39, 48) - (1 - four) * HALF
    # Three of a suit are worth less than half the bet; at the first decision none would stay.
    early = price_side(pays_of(tmp_path, suited("own_five", 5, "bet_1"))["suited"])
    assert (early.house_edge, early.back) == (HALF, CASES)


@pytest.mark.parametrize(
    ("held", "equal", "more"),
    [
        # Three of a suit win with 10 of 49 cards, four with 9 of 48: what they pay makes up for the half that is kept.
        ("2c 7c Kc", "29/20", "3/2"),
        ("2c 7c Kc 9c", "5/3", "2"),
    ],
)
def test_a_bet_that_is_worth_just_what_comes_back_is_taken_back(
    tmp_path: Path, held: str, equal: str, more: str
) -> None:
    three = len(held.split()) == 3
    text = suited("own_four", 4, "bet_1") if three else suited("own_five", 5, "bet_2")
    tie, stays = (pays_of(tmp_path, text.replace("flush = 9", f'flush = "{pay}"'))["suited"] for pay in (equal, more))
    assert riding_value(tie, parse_cards(held)) == back_net(tie.wager) == -HALF
    found = price_side(tie)
    assert (found.house_edge, found.back, found.hit_frequency) == (HALF, CASES, 0)
    assert not stays_by_cards(tie.wager, nets_of(tie)).any()
    assert riding_value(stays, parse_cards(held)) > back_net(stays.wager)
    assert 0 < price_side(stays).back < CASES


def test_what_stays_is_worth_more_to_the_player_than_taking_it_back(tmp_path: Path) -> None:
    pays, chance = pays_of(tmp_path, PAIR_UP)["pair_up"], Seeded(7)
    table = stays_by_cards(pays.wager, nets_of(pays))
    for _ in range(150):
        cards = chance.shuffled(DECK)[:4]
        assert table[tuple(card.index for card in cards)] == (riding_value(pays, cards) > back_net(pays.wager))
    held = parse_cards("2c 3c 4c")
    # Before the second decision the bet is worth what it comes to after it, card by card.
    later = [max(riding_value(pays, (*held, one)), back_net(pays.wager)) for one in DECK if one not in held]
    assert riding_value(pays, held) == sum(later) / 49


def test_the_price_is_that_of_every_hand_and_first_card_gone_through(tmp_path: Path) -> None:
    pays = pays_of(tmp_path, PAIR_UP)["pair_up"]
    found, table = decided(pays.wager, nets_of(pays)), stays_by_cards(pays.wager, nets_of(pays))
    kept = {}
    for first in (DECK[0], DECK[41]):  # 2c, and a red queen
        stays = sum(
            bool(table[a, b, c, first.index])
            for a in range(52)
            for b in range(a)
            for c in range(b)
            if first.index not in (a, b, c)
        )
        kept[str(first)] = stays
    assert kept["2c"] == 0
    assert kept[str(DECK[41])] > 0
    assert sum(found.kept) + found.back == CASES


def test_the_example_is_worth_what_every_three_cards_and_all_that_may_follow_say() -> None:
    data = tomllib.loads((EXAMPLES / "second_chance.toml").read_text(encoding="utf-8"))
    hands = every_hand(5)
    nets = np.array([*data["pays"].values(), -1])[independent.columns(hands)]
    won = np.zeros(52**3)
    for three in combinations(range(5), 3):  # each hand, by each three of its cards that may be the player's own
        first, second, third = (hands[:, place] for place in three)
        won += np.bincount((first * 52 + second) * 52 + third, weights=nets, minlength=52**3)
    of_three = won[[(a * 52 + b) * 52 + c for a, b, c in combinations(range(52), 3)]].astype(np.int64)
    back = -1_176 // 2  # half a bet for each of the 1,176 pairs that may follow
    stays = of_three > back
    found = price_side(catalog.paytable(str(EXAMPLES / "second_chance.toml")).pays["second_chance"])
    assert found.house_edge == Fraction(-int(np.where(stays, of_three, back).sum()), 22_100 * 1_176)
    assert Fraction(found.back, CASES) == Fraction(int((~stays).sum()), 22_100)


def test_a_sheet_tells_how_often_it_is_taken_back_and_adds_up(tmp_path: Path) -> None:
    file = tmp_path / "pair_up.toml"
    file.write_text(PAIR_UP, encoding="utf-8")
    (sheet,) = sheets(catalog.paytable(str(file)))
    assert sheet.lines[-1].category == TAKEN_BACK
    assert sum(line.combinations for line in sheet.lines) == sheet.combinations == CASES
    assert sum(line.result for line in sheet.lines) == -sheet.house_edge


def test_beside_the_base_game_it_keeps_its_own_price(tmp_path: Path) -> None:
    table = own_table(tmp_path, [suited("own_five", 5, "bet_2")])
    pays, nets = table.pays["suited"], plain_nets(table.base_pays)
    both = combine(nets, best_play(nets), {"suited": (pays, Fraction(2))})
    alone = base_sheet(table.base_pays)
    assert both.loss == alone.house_edge + 2 * price_side(pays).house_edge
    apart = alone.results.variance + 4 * price_side(pays).results.variance
    assert both.results.variance == apart + 2 * both.covariance["suited"]
    assert both.covariance["suited"] > 0
