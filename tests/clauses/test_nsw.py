"""New South Wales."""

from __future__ import annotations

from pathlib import Path

import pytest

from letitride.errors import InvalidData
from letitride.rules import catalog
from letitride.rules.cards import parse_cards
from letitride.rules.hands import Category, evaluate
from letitride.rules.paytables import Wager
from letitride.rules.rulebook import RuleBook
from tests.clauses.helpers import LIRX_01, paid, pays_to_one, paytable_file, refused, table


@pytest.mark.clause("nsw:2.2.1")
def test_seven_playing_areas(book: RuleBook) -> None:
    assert table(book).rules.seats == 7
    assert "which the book fixes" in refused(book, seats=6)


@pytest.mark.clause("nsw:2.2.1.1")
def test_each_area_has_spots_marked_dollar_2_1(book: RuleBook) -> None:
    assert table(book).rules.layout.spots == ("$", "2", "1")


@pytest.mark.clause("nsw:2.2.2")
def test_two_places_for_community_cards(book: RuleBook) -> None:
    assert table(book).rules.community.area == "two_places"


@pytest.mark.clause("nsw:2.3.1", "nsw:3.6")
def test_a_table_has_a_shoe_or_a_shuffler_and_is_never_dealt_by_hand(book: RuleBook) -> None:
    assert (table(book).rules.device, table(book).rules.decks) == ("shoe", 1)
    assert table(catalog.rulebook(f"{book.id}+shuffler")).rules.device == "shuffler"
    assert "which the book fixes" in refused(book, device="hand")
    with pytest.raises(InvalidData, match="expected one of 'shuffler', 'two_decks', got the unknown variant 'hand'"):
        catalog.rulebook(f"{book.id}+hand")


@pytest.mark.clause("nsw:3.1")
def test_one_deck_of_one_colour_and_a_cutting_card(book: RuleBook) -> None:
    rules = table(book).rules
    assert (rules.decks, rules.deck.backs, rules.cut.card) == (1, "one_colour", "cutting_card")


@pytest.mark.clause("nsw:3.2.1")
def test_a_shuffler_may_hold_a_second_deck(book: RuleBook) -> None:
    assert table(catalog.rulebook(f"{book.id}+shuffler")).rules.decks == 1
    assert table(catalog.rulebook(f"{book.id}+two_decks")).rules.decks == 2
    assert "decks: expected 1, which the book fixes" in refused(book, decks=2)  # a shoe holds one deck


@pytest.mark.clause("nsw:3.2.2")
def test_two_decks_have_backs_of_different_colours(book: RuleBook) -> None:
    assert table(catalog.rulebook(f"{book.id}+two_decks")).rules.deck.backs == "different_colours"
    assert book.rules.deck.backs == "one_colour"


@pytest.mark.clause("nsw:4.5")
def test_a_hand_shuffle_before_the_machines_is_optional(book: RuleBook) -> None:
    shuffler = catalog.rulebook(f"{book.id}+shuffler")
    assert not table(shuffler).rules.shuffle.hand_first
    assert catalog.table_rules(shuffler.id, {"shuffle.hand_first": True}).rules.shuffle.hand_first


@pytest.mark.clause("nsw:6.1.s2", "nsw:6.1.s3")
def test_any_amount_over_the_minimum_unless_the_sign_sets_a_step(book: RuleBook) -> None:
    assert table(book).rules.limit.cents_step == 1
    assert table(book, limit__cents_step=500).rules.limit.cents_step == 500


@pytest.mark.clause("nsw:10.1")
def test_the_base_pays_1000_to_1_for_a_royal_and_neither_more_nor_less(book: RuleBook, tmp_path: Path) -> None:
    ready = table(book)
    assert ready.paytables == {Wager.BASE: "LIRX-01"}
    assert ready.rules.odds.wording == ("to",)
    pays_to_one(ready.pays[Wager.BASE], "RF 1000, SF 200, 4K 50, FH 11, FL 8, ST 5, 3K 3, 2P 2, 10s 1")
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
