"""New South Wales: the odds, and the hands they are paid for."""

from __future__ import annotations

from pathlib import Path

import pytest

from letitride.engine.decide import open_table
from letitride.engine.view import view
from letitride.errors import InvalidData
from letitride.rules import catalog
from letitride.rules.cards import parse_cards
from letitride.rules.hands import Category, evaluate
from letitride.rules.rulebook import RuleBook
from letitride.rules.settlement import Hand, settle_round
from tests.clauses.helpers import LIRX_01, paid, pays_to_one, paytable_file, refused, table

ODDS = {
    "As Ks Qs Js Ts": 1000,
    "9h Th Jh Qh Kh": 200,
    "7c 7d 7h 7s 2d": 50,
    "6c 6d 6h 9s 9c": 11,
    "2d 5d 9d Jd Kd": 8,
    "4c 5d 6h 7s 8c": 5,
    "3c 3d 3h 9s Kc": 3,
    "2c 2d 3h 3s Kc": 2,
    "Tc Td 4h 7s Kc": 1,
    "9c 9d 4h 7s Kc": None,
    "Ac Kd 9h 7s 2c": None,
}


@pytest.mark.clause("nsw:10.1")
@pytest.mark.parametrize(("cards", "odds"), ODDS.items())
def test_each_winning_wager_is_paid_at_the_listed_odds(book: RuleBook, cards: str, odds: int | None) -> None:
    five = tuple(parse_cards(cards))
    hand = Hand(seat=1, cards=five[:3], stakes={"base-1": 700, "base-2": 700, "base-$": 700})
    results = settle_round(table(book), five[3:], [hand])[1]
    if odds is None:
        assert [(r.fate, r.paid_cents, r.back_cents) for r in results] == [("lost", 0, 0)] * 3
    else:
        assert [(r.fate, r.paid_cents, r.back_cents) for r in results] == [("won", odds * 700, 700)] * 3


@pytest.mark.clause("nsw:10.1")
def test_odds_are_to_one_and_a_book_that_shows_awards_as_win_must_say_so_itself(book: RuleBook, tmp_path: Path) -> None:
    own = tmp_path / "own.toml"
    bonus = 'bonus.offered = true\nsettle.bets_order = ["base", "bonus"]\nbase.paytables = ["LIRB-06"]\n'
    bonus += 'base.paytable = "LIRB-06"\n'
    start = f'id = "own-1"\ntitle = "Own"\nextends = "{book.id}"\n[rules]\n{bonus}'
    own.write_text(start, encoding="utf-8")
    with pytest.raises(InvalidData, match=r"odds\.wording: expected a list with 'win', because total awards are shown"):
        catalog.ready_rules(str(own))
    own.write_text(f'{start}odds.wording = ["to", "win"]\n', encoding="utf-8")
    assert "bonus" in catalog.ready_rules(str(own)).pays
    shown = view(open_table(table(book))[0], "spectator").sign.pays["base"]
    assert all((odds or "").endswith(" to 1") for odds in shown.values())


@pytest.mark.clause("nsw:10.1")
def test_the_base_pays_1000_to_1_for_a_royal_and_neither_more_nor_less(book: RuleBook, tmp_path: Path) -> None:
    ready = table(book)
    pays_to_one(ready.pays["base"], "RF 1000, SF 200, 4K 50, FH 11, FL 8, ST 5, 3K 3, 2P 2, 10s 1")
    assert "expected 'LIRX-01', got 'LIRX-02'" in refused(book, base__paytable="LIRX-02")
    better = paytable_file(tmp_path, LIRX_01, royal_flush=2000)
    assert "expected 'LIRX-01', got 'OWN'" in refused(book, base__paytable=better)


@pytest.mark.clause("nsw:11.1.2")
def test_an_ace_may_play_low_in_a_straight_flush(book: RuleBook) -> None:
    assert evaluate(parse_cards("Ad 2d 3d 4d 5d")).category == Category.STRAIGHT_FLUSH
    assert evaluate(parse_cards("9d Td Jd Qd Kd")).category == Category.STRAIGHT_FLUSH
    assert evaluate(parse_cards("Qd Kd Ad 2d 3d")).category == Category.FLUSH
    assert (paid(book, "Ad 2d 3d 4d 5d"), paid(book, "Qd Kd Ad 2d 3d")) == ("200 to 1", "8 to 1")


@pytest.mark.clause("nsw:11.1.6")
def test_an_ace_plays_high_or_low_in_a_straight(book: RuleBook) -> None:
    assert evaluate(parse_cards("Ad 2c 3d 4d 5d")).category == Category.STRAIGHT
    assert evaluate(parse_cards("Td Jc Qd Kd Ad")).category == Category.STRAIGHT
    assert evaluate(parse_cards("Kd Ac 2d 3d 4d")).category == Category.HIGH_CARD
    assert (paid(book, "Ad 2c 3d 4d 5d"), paid(book, "Kd Ac 2d 3d 4d")) == ("5 to 1", None)
