"""The manufacturer's manuals; every test also runs under the Washington packet, which takes them over."""

from __future__ import annotations

import re

import pytest

from letitride.errors import InvalidData
from letitride.rules import catalog
from letitride.rules.cards import parse_cards
from letitride.rules.hands import Category, evaluate
from letitride.rules.paytables import PAYING, Award, Wager
from letitride.rules.rulebook import RuleBook, Source
from tests.clauses.helpers import paid, pays_to_one, refused, table


@pytest.mark.clause("sm:lir.1", "sm:felt.1")
@pytest.mark.books("shufflemaster-1")
def test_an_ace_or_ideal_shuffler_gives_out_packets_of_three(book: RuleBook) -> None:
    rules = table(book).rules
    assert (rules.device, rules.shuffler.mode, rules.deal.unit) == ("shuffler", "let_it_ride", "packet")
    assert rules.shuffler.models == ("ACE", "iDeal")
    assert "expected one of ACE, iDeal, got 'Q'" in refused(book, shuffler__model="Q")
    felt = catalog.rulebook(f"{book.id}+felt")
    assert table(felt).rules.shuffler.model == "iDeal"
    assert "expected one of iDeal, got 'ACE'" in refused(felt, shuffler__model="ACE")


@pytest.mark.clause("sm:bonus.table.1", "sm:bonus.table.2.s1")
def test_seven_places_and_seven_betting_areas(book: RuleBook) -> None:
    assert table(book).rules.seats == 7
    assert "which the book fixes" in refused(book, seats=6)


@pytest.mark.clause("sm:bonus.table.2.s2")
def test_three_spots_at_each_seat(book: RuleBook) -> None:
    assert set(table(book).rules.layout.spots) == {"1", "2", "$"}
    if book.document == "sm":
        assert book.rules.layout.spots == ("1", "2", "$")


@pytest.mark.clause("sm:bonus.table.2.s4")
def test_a_community_area_of_two_boxes_before_the_tray(book: RuleBook) -> None:
    assert table(book).rules.community.area == "two_boxes"


@pytest.mark.clause("sm:bonus.table.4.s1", "sm:bonus.table.4.s5")
def test_without_the_optional_controller_the_felt_uses_lammers(book: RuleBook) -> None:
    assert table(book).rules.shuffler.controller
    assert table(book).rules.bonus.stake_handling == "sensor"
    felt = table(catalog.rulebook(f"{book.id}+felt")).rules
    assert not felt.shuffler.controller
    assert felt.bonus.stake_handling == "lammer"


@pytest.mark.clause("sm:bonus.shuffler")
def test_the_bonus_game_is_dealt_from_a_shuffler(book: RuleBook) -> None:
    assert table(book).rules.device == "shuffler"
    for device in ("shoe", "hand"):
        assert "which the book fixes" in refused(book, device=device)


@pytest.mark.clause("sm:bonus.decks.1", "sm:bonus.decks.2a")
def test_two_decks_of_one_design_and_two_colours(book: RuleBook) -> None:
    assert table(book).rules.decks == 2
    assert table(book).rules.deck.backs == "different_colours"


@pytest.mark.clause("sm:bonus.bets.1.s2")
def test_a_spoken_wager_backed_by_cash_is_the_houses_choice(book: RuleBook) -> None:
    assert not table(book).rules.bet.spoken_cash
    assert table(book, bet__spoken_cash=True).rules.bet.spoken_cash


@pytest.mark.clause("sm:bonus.deal.6.s4")
def test_packets_come_face_down_or_face_up_and_fanned_either_way(book: RuleBook) -> None:
    assert table(book).rules.deal.face == "down"
    for face in ("down", "up"):
        dealt = table(book, deal__face=face).rules.deal
        assert (dealt.face, dealt.fanned) == (face, True)


@pytest.mark.clause("sm:bonus.round.7.s3")
def test_pick_and_pay_or_lay_and_pay_is_the_houses_choice(book: RuleBook) -> None:
    assert table(book).rules.settle.method == "pick_and_pay"
    assert table(book, settle__method="lay_and_pay").rules.settle.method == "lay_and_pay"
    assert "expected one of 'pick_and_pay', 'lay_and_pay'" in refused(book, settle__method="losers_first")


@pytest.mark.clause("sm:bonus.odds.1")
def test_odds_say_to_or_win_and_never_for(book: RuleBook) -> None:
    assert table(book).rules.odds.wording == ("to", "win")
    with pytest.raises(InvalidData, match="expected a list, each one of 'to', 'win'"):
        book.with_values({"odds.wording": ["to", "for"]}, Source.DOCUMENT, "test")
    for table_id in (*book.rules.base.paytables, *book.rules.three_card.paytables):
        for pays in catalog.paytable(table_id).pays.values():
            shown = [pays.odds(category) or "" for category in pays.listed]
            pattern = r"[\d,]+ to 1" if pays.award is Award.TO_ONE else r"win \$[\d,]+"
            assert all(re.fullmatch(pattern, odds) for odds in shown), shown


@pytest.mark.clause("sm:bonus.odds.2.s1", "sm:bonus.odds.select")
def test_the_casino_picks_one_of_the_published_tables_and_pays_no_less(book: RuleBook) -> None:
    for suffix in ("03", "06", "09", "10", "25", "28", "29"):
        ready = table(book, base__paytable=f"LIRB-{suffix}")
        assert ready.paytables[Wager.BASE] == ready.paytables[Wager.BONUS] == f"LIRB-{suffix}"
    for number in range(1, 7):
        ready = table(book, base__paytable=f"LIRX-0{number}", bonus__offered=False)
        assert ready.paytables[Wager.BASE] == f"LIRX-0{number}"
    assert "expected one of" in refused(book, base__paytable="HD-BASE", bonus__offered=False)
    assert (book.rules.base.odds_floor, book.rules.payout.cap) == ("exact", "none")


@pytest.mark.clause("sm:felt.overview.3")
def test_bonus_hands_are_those_the_tables_own_layout_lists(book: RuleBook) -> None:
    lowest = {"LIRB-03": Category.TENS_OR_BETTER, "LIRB-06": Category.TWO_PAIR, "LIRB-09": Category.THREE_OF_A_KIND}
    for table_id, least in lowest.items():
        pays = table(book, base__paytable=table_id).pays[Wager.BONUS]
        assert [c for c in Category if pays.pay(c) is not None] == [c for c in Category if c >= least]


@pytest.mark.clause("sm:felt.2b", "sm:3cb.opt1.overview.1", "sm:3cb.opt2.overview.1")
def test_the_3_card_bonus_may_accompany_the_base_or_the_bonus_game_or_be_left_out(book: RuleBook) -> None:
    assert Wager.THREE_CARD in table(book).pays
    assert Wager.THREE_CARD in table(book, bonus__offered=False).pays
    assert Wager.THREE_CARD not in table(book, three_card__offered=False).pays


@pytest.mark.clause("sm:3cb.opt1.overview.7")
@pytest.mark.books("shufflemaster-1")
def test_option_1_runs_only_with_a_shuffle_master_shuffler(book: RuleBook) -> None:
    first = catalog.rulebook(f"{book.id}+three_card_first")
    assert table(first).rules.three_card.settle == "before_base"
    assert first.rules.shuffler.vendor == "Shuffle Master"
    with pytest.raises(ValueError, match="expected another value than 'before_base' without a shuffler of Shuffle"):
        first.with_values({"shuffler.vendor": "another"}, Source.DOCUMENT, "test")


@pytest.mark.clause("sm:3cb.opt1.1.s2", "sm:3cb.opt2.1.s2")
def test_the_side_bet_has_limits_of_its_own(book: RuleBook) -> None:
    ready = table(book, three_card__cents_min=300, three_card__cents_max=700, limit__cents_min=1_000).rules
    assert (ready.three_card.cents_min, ready.three_card.cents_max) == (300, 700)
    assert ready.limit.cents_min == 1_000
    assert "at least the minimum of 300 cents, got 200" in refused(
        book, three_card__cents_min=300, three_card__cents_max=200
    )


@pytest.mark.clause("sm:3cb.opt1.note", "sm:3cb.opt2.note")
def test_the_side_bet_alone_is_the_houses_choice(book: RuleBook) -> None:
    assert not table(book).rules.three_card.alone
    assert table(book, three_card__alone=True).rules.three_card.alone


@pytest.mark.parametrize(
    ("number", "pays"),
    [
        pytest.param(1, "MR 40, SF 40, 3K 30, ST 6, FL 4, PR 1", marks=pytest.mark.clause("sm:pay.3CB-1")),
        pytest.param(2, "MR 40, SF 40, 3K 30, ST 5, FL 4, PR 1", marks=pytest.mark.clause("sm:pay.3CB-2")),
        pytest.param(3, "MR 40, SF 40, 3K 30, ST 6, FL 3, PR 1", marks=pytest.mark.clause("sm:pay.3CB-3")),
        pytest.param(4, "MR 50, SF 40, 3K 30, ST 6, FL 4, PR 1", marks=pytest.mark.clause("sm:pay.3CB-4")),
        pytest.param(5, "MR 50, SF 40, 3K 30, ST 5, FL 4, PR 1", marks=pytest.mark.clause("sm:pay.3CB-5")),
        pytest.param(6, "MR 50, SF 40, 3K 30, ST 6, FL 3, PR 1", marks=pytest.mark.clause("sm:pay.3CB-6")),
    ],
)
@pytest.mark.books("shufflemaster-1", "washington-1")
def test_the_six_3_card_bonus_tables(book: RuleBook, number: int, pays: str) -> None:
    ready = table(book, three_card__paytable=f"3CB-{number}")
    assert ready.paytables[Wager.THREE_CARD] == f"3CB-{number}"
    pays_to_one(ready.pays[Wager.THREE_CARD], pays)


@pytest.mark.clause("sm:pay.layout")
def test_the_sample_felt_shows_lirx_02_at_seven_seats(book: RuleBook) -> None:
    ready = table(book, base__paytable="LIRX-02", bonus__offered=False)
    assert ready.rules.seats == 7
    pays_to_one(ready.pays[Wager.BASE], "RF 500, SF 100, 4K 25, FH 15, FL 10, ST 5, 3K 3, 2P 2, 10s 1")


@pytest.mark.clause("sm:bonus.rank.1b")
def test_straight_flushes_run_from_five_high_to_king_high(book: RuleBook) -> None:
    wheel, king, royal = (evaluate(parse_cards(c)) for c in ("Ah2h3h4h5h", "9hThJhQhKh", "ThJhQhKhAh"))
    assert wheel.category == king.category == Category.STRAIGHT_FLUSH
    assert wheel < evaluate(parse_cards("2h3h4h5h6h")) < king < royal
    assert royal.category == Category.ROYAL_FLUSH
    assert paid(book, "Ah2h3h4h5h") == paid(book, "9hThJhQhKh") != paid(book, "ThJhQhKhAh")


@pytest.mark.clause("sm:bonus.rank.1f")
def test_straights_run_from_five_high_to_ace_high_without_wrapping(book: RuleBook) -> None:
    wheel, six, broadway = (evaluate(parse_cards(c)) for c in ("Ah2c3d4s5h", "2h3c4d5s6h", "ThJcQdKsAh"))
    assert {Category.STRAIGHT} == {wheel.category, six.category, broadway.category}
    assert wheel < six < broadway
    assert evaluate(parse_cards("QhKcAd2s3h")).category == Category.HIGH_CARD
    assert paid(book, "QhKcAd2s3h") is None


@pytest.mark.clause("sm:bonus.rank.2.s2")
def test_the_ace_plays_low_only_to_finish_a_2_3_4_5(book: RuleBook) -> None:
    assert evaluate(parse_cards("Ah2h3h4h5h")).ranks == (5, 4, 3, 2, 1)
    assert evaluate(parse_cards("Ah2c3d4s5h")).ranks == (5, 4, 3, 2, 1)
    assert evaluate(parse_cards("Ah2c3d4s6h")).ranks == (14, 6, 4, 3, 2)
    assert evaluate(parse_cards("AhAc3d4s5h")).ranks == (14, 5, 4, 3)
    assert paid(book, "Ah2c3d4s6h") is None


def test_every_paying_category_is_listed_best_first() -> None:
    for categories in PAYING.values():
        assert list(categories) == sorted(categories, reverse=True)
