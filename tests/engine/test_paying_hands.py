"""Which hands pay is the paytable's to say: an early tuck and an early claim go by the pays of the table."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from letitride.rules import catalog
from letitride.rules.cards import DECK, Card
from letitride.rules.frozen import Frozen
from letitride.rules.hands import Category, evaluate
from letitride.rules.settlement import pays_already
from tests.clauses.rounds import played, results

RULES = catalog.table_rules("nsw-1")
BASE = RULES.pays["base"]
STRICT = replace(BASE, columns=(Frozen({c: pay for c, pay in BASE.columns[0].items() if c > Category.TENS_OR_BETTER}),))
"""Pays that begin with two pair."""


@settings(max_examples=60, deadline=None)
@given(held=st.lists(st.sampled_from(DECK), min_size=3, max_size=5, unique=True), pays=st.sampled_from([BASE, STRICT]))
def test_cards_pay_already_where_every_hand_they_can_become_is_paid(held: list[Card], pays: object) -> None:
    rules = replace(RULES, pays=Frozen({**RULES.pays, "base": pays}))
    table = rules.pays["base"]
    rest = combinations([card for card in DECK if card not in held], 5 - len(held))
    assert pays_already(rules, held) is all(table.pay(evaluate((*held, *more)).category) is not None for more in rest)


@pytest.mark.parametrize("pays", ["tens_or_better = 1\n", ""])
def test_tens_are_tucked_early_where_tens_are_paid(tmp_path: Path, pays: str) -> None:
    listed = "royal_flush = 1000\nstraight_flush = 200\nfour_of_a_kind = 50\nfull_house = 11\nflush = 8\nstraight = 5\n"
    listed += f"three_of_a_kind = 3\ntwo_pair = 2\n{pays}"
    (tmp_path / "own.toml").write_text(
        f'id = "OWN"\ntitle = "Own"\n[base]\naward = "to_one"\n[base.pays]\n{listed}', encoding="utf-8"
    )
    book = tmp_path / "book.toml"
    keys = 'base.paytable = "./own.toml"\nbase.paytables = ["./own.toml"]\nbase.odds_floor = "exact"\n'
    book.write_text(f'id = "own"\ntitle = "Own"\nextends = "nsw-1"\n[rules]\n{keys}', encoding="utf-8")
    ends = "seat 1 tucks" if pays else "seat 1 tucks => no_paying_hand\nseat 1 rides 1\nseat 1 rides 2"
    body = f"round\nhand 1 Th Td 4c\ncommunity Ks 2d\nseat 1 bets 10\nseat 1 looks\n{ends}\n"
    done = played(str(book), body, seated="seat 1 sits Ann 500\n")
    assert results(done, 1)["base-1"].fate == ("won" if pays else "lost")


@pytest.mark.parametrize("pays", ["pair = 1\n", ""])
def test_a_pair_is_claimed_early_where_a_pair_is_paid(tmp_path: Path, pays: str) -> None:
    listed = f"straight_flush = 40\nthree_of_a_kind = 30\nstraight = 6\nflush = 4\n{pays}"
    (tmp_path / "own.toml").write_text(
        f'id = "OWN"\ntitle = "Own"\n[three_card]\naward = "to_one"\n[three_card.pays]\n{listed}',
        encoding="utf-8",
    )
    book = tmp_path / "book.toml"
    keys = 'three_card.paytable = "./own.toml"\nthree_card.paytables = ["./own.toml"]\n'
    keys += 'three_card.settle = "early_claim"\nsettle.bets_order = ["three_card", "base", "bonus"]\n'
    book.write_text(f'id = "own"\ntitle = "Own"\nextends = "shufflemaster-1"\n[rules]\n{keys}', encoding="utf-8")
    right, wrong = ("claims", "waves => winning_hand") if pays else ("waves", "claims => no_winning_hand")
    body = "round\nhand 1 Th Td 4c\ncommunity Ks 2d\nseat 1 bets 10 three_card 5\nseat 1 looks\n"
    body += f"seat 1 {wrong}\nseat 1 {right}\nseat 1 rides 1\nseat 1 rides 2\n"
    done = played(str(book), body, seated="seat 1 sits Ann 500\n")
    assert results(done, 1)["three_card"].fate == ("won" if pays else "lost")
