"""California: a card room where a player banks."""

from __future__ import annotations

from pathlib import Path

import pytest

from letitride.errors import InvalidData
from letitride.rules import catalog
from letitride.rules.cards import DECK, parse_cards
from letitride.rules.hands import Category, evaluate
from letitride.rules.keys import FeeTier
from letitride.rules.paytables import Wager
from letitride.rules.rulebook import RuleBook, Source
from tests.clauses.helpers import FEES, LIRX_01, STATED, paid, pays_to_one, paytable_file, refused, table


@pytest.mark.clause("ca:table.1", "ca:table.2a", "ca:gloss.seats")
def test_seven_seats_are_shared_by_players_and_bank(book: RuleBook) -> None:
    rules = table(book).rules
    assert rules.seats == 7
    assert rules.bank.seat == "among_seats"
    assert "expected 7, which the book fixes" in refused(book, seats=6)


@pytest.mark.clause("ca:players.1")
def test_no_more_than_eight_take_part_even_with_a_place_apart_for_the_bank(book: RuleBook) -> None:
    apart = table(book, bank__seat="separate").rules
    assert apart.seats + (apart.bank.seat == "separate") == 8
    assert table(book).rules.seats == 7
    with pytest.raises(InvalidData, match="expected a whole number from 1 to 7, got 8"):
        book.with_values({"seats": 8}, Source.DOCUMENT, "test")


@pytest.mark.clause("ca:table.2b")
def test_three_spots_are_labelled_1_2_and_dollar(book: RuleBook) -> None:
    assert table(book).rules.layout.spots == ("1", "2", "$")


@pytest.mark.clause("ca:deck.1")
@pytest.mark.parametrize("device", ["shoe", "hand"])
def test_only_a_shuffler_deals(book: RuleBook, device: str) -> None:
    assert table(book).rules.device == "shuffler"
    assert "device: expected 'shuffler', which the book fixes" in refused(book, device=device)


@pytest.mark.clause("ca:deck.2", "nsw:3.1", "sm:bonus.cards", "hd:deck.1")
def test_a_deck_is_the_52_cards_without_jokers(book: RuleBook) -> None:
    assert table(book).rules.decks == book.rules.decks
    assert len(DECK) == len(set(DECK)) == 52
    assert {(card.rank, card.suit) for card in DECK} == {(rank, suit) for rank in range(2, 15) for suit in "cdhs"}


@pytest.mark.clause("ca:deck.3")
def test_two_decks_of_one_design_alternate(book: RuleBook) -> None:
    assert table(book).rules.decks == 2
    assert table(book).rules.deck.backs == "different_colours"  # one design, a colour for each deck


@pytest.mark.clause("ca:rank.3d")
def test_an_ace_plays_high_or_low_in_a_straight_and_never_in_the_middle(book: RuleBook) -> None:
    assert evaluate(parse_cards("Tc Jd Qh Ks Ac")).category == Category.STRAIGHT
    assert evaluate(parse_cards("Ac 2d 3h 4s 5c")).category == Category.STRAIGHT
    assert evaluate(parse_cards("Qc Kd Ah 2s 3c")).category == Category.HIGH_CARD
    assert evaluate(parse_cards("6c 7d 8h 9s Tc")).category == Category.STRAIGHT  # suits do not matter
    assert (paid(book, "Ac 2d 3h 4s 5c"), paid(book, "Qc Kd Ah 2s 3c")) == ("5 to 1", None)


@pytest.mark.clause("ca:round.10e", "ca:select")
def test_a_table_runs_by_exactly_one_of_three_paytables_and_records_which(book: RuleBook, tmp_path: Path) -> None:
    for chosen in ("LIRX-01", "LIRX-02", "LIRX-03"):
        assert table(book, base__paytable=chosen).paytables == {Wager.BASE: chosen}
    for other in ("LIRX-04", "LIRB-06", "HD-BASE"):
        assert f"expected one of 'LIRX-01', 'LIRX-02', 'LIRX-03', got '{other}'" in refused(book, base__paytable=other)
    assert "base.paytable" in refused(book, base__paytable=["LIRX-01", "LIRX-02"])
    better = paytable_file(tmp_path, LIRX_01, royal_flush=2000)
    assert "got 'OWN'" in refused(book, base__paytable=better)
    assert book.rules.base.paytable == "LIRX-01"


@pytest.mark.clause("ca:round.11e")
def test_the_banks_stake_has_no_upper_limit_and_no_table_may_set_one(book: RuleBook) -> None:
    assert table(book).rules.bank.stake_cents_max == "unlimited"
    assert "bank.stake_cents_max" in refused(book, bank__stake_cents_max=1_000_000)


@pytest.mark.clause("ca:gloss.action")
def test_where_settling_starts_can_be_set(book: RuleBook) -> None:
    assert table(book).rules.bank.settle_from == "dealer_right"
    assert table(book, bank__settle_from="action_seat").rules.bank.settle_from == "action_seat"


@pytest.mark.clause("ca:fee.2", "ca:fee.3")
def test_fees_are_flat_amounts_by_limit_for_each_wager_and_each_banked_hand(book: RuleBook) -> None:
    assert table(book).rules.fee.kind == "flat"
    assert table(book).rules.fee.tiers == tuple(FeeTier(**tier) for tier in FEES)
    assert FeeTier.__struct_fields__ == ("limit_cents_max", "wager_cents", "bank_cents")
    assert "a row for the table's limit of 10000 cents" in refused(book, fee__tiers=[])
    assert "a row for the table's limit of 60000 cents" in refused(book, limit__cents_max=60_000)
    for wrong in ("1%", 0.5, -1):
        tier = {"limit_cents_max": 10_000, "wager_cents": wrong, "bank_cents": 100}
        assert "fee.tiers" in refused(book, fee__tiers=[tier])


@pytest.mark.clause("ca:fee.4", "ca:fee.5", "ca:fee.6")
@pytest.mark.parametrize("left_out", STATED)
def test_a_table_does_not_open_without_the_limits_and_fees_of_its_card_room(book: RuleBook, left_out: str) -> None:
    assert {"limit.cents_min", "limit.cents_max", "fee.tiers"} == set(book.missing())
    stated = {name: value for name, value in STATED.items() if name != left_out}
    with pytest.raises(InvalidData, match=f"expected a value for {left_out}, got none"):
        catalog.table_rules(book.id, stated)


@pytest.mark.clause("ca:pay.LIRX-01", "ca:pay.layout")
def test_lirx_01_pays_1000_to_1_for_a_royal(book: RuleBook) -> None:
    pays = table(book).pays[Wager.BASE]
    pays_to_one(pays, "RF 1000, SF 200, 4K 50, FH 11, FL 8, ST 5, 3K 3, 2P 2, 10s 1")


@pytest.mark.clause("ca:pay.LIRX-02")
def test_lirx_02_pays_500_to_1_for_a_royal(book: RuleBook) -> None:
    pays = table(book, base__paytable="LIRX-02").pays[Wager.BASE]
    pays_to_one(pays, "RF 500, SF 100, 4K 25, FH 15, FL 10, ST 5, 3K 3, 2P 2, 10s 1")


@pytest.mark.clause("ca:pay.LIRX-03")
def test_lirx_03_pays_100_to_1_for_a_royal(book: RuleBook) -> None:
    pays = table(book, base__paytable="LIRX-03").pays[Wager.BASE]
    pays_to_one(pays, "RF 100, SF 50, 4K 30, FH 15, FL 9, ST 6, 3K 3, 2P 2, 10s 1")


@pytest.mark.clause("ca:std.1a")
def test_only_base_bets_are_offered(book: RuleBook) -> None:
    assert set(table(book).pays) == {Wager.BASE}
    for wager in ("bonus", "three_card", "cover_all"):
        assert "which the book fixes" in refused(book, **{f"{wager}__offered": True})
