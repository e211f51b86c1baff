"""Awards in dollars: what they are worth at each stake, gone through hand by hand, alone and beside the base game."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest

from letitride.analysis.base import best_play, plain_nets
from letitride.analysis.par import conventions, lint, sheets
from letitride.analysis.side_bets import combine, price_side
from letitride.rules import catalog
from letitride.rules.cards import DECK, Card
from letitride.rules.paytable_file import read_paytable
from letitride.rules.paytables import Pays
from letitride.simulation.plan import plan, stakes_of
from letitride.training.coach import _Key, expectation

CLUB: dict[str, Any] = {
    "id": "club",
    "title": "Club Award",
    "judged_on": "own_three",
    "award": "fixed_dollars",
    "ranking": "poker",
    "keys": {"cents_min": 200, "cents_max": 2_500},
    "pays": {"mini_royal": "75/2", "straight_flush": "75/2", "three_of_a_kind": "75/2"},
}
ROOM = 'id = "room-1"\ntitle = "Room"\nextends = "nsw-1"\nwagers = ["club.toml"]\nrules.odds.wording = ["to", "win"]\n'
FILE = """
id = "club"
title = "Club Award"
judged_on = "own_three"
award = "fixed_dollars"
ranking = "poker"
pays = { mini_royal = "75/2", straight_flush = "75/2", three_of_a_kind = "75/2" }
keys = { cents_min = 200, cents_max = 2500 }
"""


def _wins(hand: tuple[Card, ...]) -> bool:
    ranks, suits = sorted(card.rank for card in hand), {card.suit for card in hand}
    run = ranks == [2, 3, 14] or (ranks[1] == ranks[0] + 1 and ranks[2] == ranks[0] + 2)
    return ranks[0] == ranks[2] or (run and len(suits) == 1)


HANDS = Counter(_wins(hand) for hand in combinations(DECK, 3))
CHANCE = Fraction(HANDS[True], HANDS.total())


@pytest.fixture(scope="module")
def club() -> Pays:
    return read_paytable(CLUB, "club.toml").pays["club"]


@pytest.mark.parametrize("stake", [200, 500, 2_500])
def test_the_edge_at_a_stake_is_that_of_all_hands_one_by_one(club: Pays, stake: int) -> None:
    won = Fraction(HANDS[True] * 3_750 - HANDS.total() * stake, HANDS.total() * stake)
    found = price_side(club.at(stake))
    assert (-won, CHANCE) == (found.house_edge, found.hit_frequency)
    assert {Fraction(3_750, stake) - 1: HANDS[True], Fraction(-1): HANDS[False]} == dict(found.results.cases)


def test_a_sheet_says_at_which_stake_it_holds_and_that_is_the_lowest_where_none_is_named(club: Pays) -> None:
    (sheet,) = sheets(read_paytable(CLUB, "club.toml"))
    assert price_side(club.at(200)).house_edge == sheet.house_edge
    assert ", at a stake of $2" == sheet.priced_at
    assert "at a stake of $2" in sheet.headline()
    assert "$37.50" == sheet.told(sheet.lines[0])
    assert "N dollars in total" in conventions([club.wager])["fixed_dollars"]
    assert "fixed_dollars" not in conventions([])
    assert not any("returns no more than the stake" in one.text for one in lint(sheet))
    (dear,) = sheets(read_paytable({**CLUB, "pays": dict.fromkeys(CLUB["pays"], 2)}, "club.toml"))
    assert any("returns no more than the stake" in one.text for one in lint(dear))


def test_one_game_with_the_base_loses_what_both_lose_at_the_stake_that_is_bet(club: Pays) -> None:
    nets = plain_nets(catalog.paytable("LIRX-01").pays["base"])
    play = best_play(nets)
    alone = combine(nets, play, {}).loss
    both = combine(nets, play, {"club": (club.at(500), Fraction(1, 2))}).loss
    assert alone + price_side(club.at(500)).house_edge / 2 == both


def test_the_coach_and_the_simulation_expect_the_award_that_a_table_pays(tmp_path: Path) -> None:
    (tmp_path / "club.toml").write_text(FILE, encoding="utf-8")
    (tmp_path / "room.toml").write_text(ROOM, encoding="utf-8")
    rules = catalog.ready_rules(tmp_path / "room.toml")
    for stake in (200, 2_500):
        exact = plan(rules, 2, {**stakes_of(rules), "club": stake}).exact[-1]
        mean = CHANCE * 3_750 - stake
        assert ({3_750 - stake, -stake, 0}, mean) == ({*exact.nets.tolist()}, exact.mean)
        assert mean == expectation(_Key(rules), (("club", stake),), 2).mean
        beside = expectation(_Key(rules), (("base-1", 500), ("base-2", 500), ("base-$", 500), ("club", stake)), 2)
        base = expectation(_Key(rules), (("base-1", 500), ("base-2", 500), ("base-$", 500)), 2)
        assert base.mean + mean == beside.mean
