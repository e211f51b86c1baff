"""The hand-dealt single-deck house."""

from __future__ import annotations

from pathlib import Path

import pytest

from letitride.rules.cards import parse_cards
from letitride.rules.hands import Category, evaluate
from letitride.rules.paytables import Wager
from letitride.rules.rulebook import RuleBook
from tests.clauses.helpers import HD_BASE, paid, pays_to_one, paytable_file, refused, table


@pytest.mark.clause("hd:deck.1")
def test_one_deck_of_one_colour(book: RuleBook) -> None:
    assert (table(book).rules.decks, table(book).rules.deck.backs) == (1, "one_colour")
    assert "which the book fixes" in refused(book, decks=2)


@pytest.mark.clause("hd:deck.2")
def test_one_cover_card_of_a_solid_colour(book: RuleBook) -> None:
    assert table(book).rules.cut.card == "cover_card"


@pytest.mark.clause("hd:cut.0")
def test_the_cut_is_the_tables_choice_and_the_dealers_act(book: RuleBook) -> None:
    assert table(book).rules.cut.who == "dealer"
    assert table(book, cut__who="nobody").rules.cut.who == "nobody"


@pytest.mark.clause("hd:wager.9")
def test_no_bet_is_over_ten_dollars(book: RuleBook) -> None:
    limit = table(book).rules.limit
    assert (limit.cents_max, limit.scope) == (1_000, "wager")
    assert "limit.cents_max: expected 1000, which the book fixes, got 1001" in refused(book, limit__cents_max=1_001)


@pytest.mark.clause("hd:side.2")
def test_the_side_bet_is_between_one_and_ten_dollars(book: RuleBook) -> None:
    side = table(book).rules.three_card
    assert (side.cents_min, side.cents_max) == (100, 1_000)
    assert "which the book fixes" in refused(book, three_card__cents_max=2_000)
    assert "which the book fixes" in refused(book, three_card__cents_min=50)


@pytest.mark.clause("hd:odds.1")
def test_odds_say_to_or_win_and_never_for(book: RuleBook) -> None:
    ready = table(book)
    assert ready.rules.odds.wording == ("to", "win")
    assert all(
        (pays.odds(category) or "").endswith(" to 1") for pays in ready.pays.values() for category in pays.listed
    )


@pytest.mark.clause("hd:odds.2")
def test_a_table_may_pay_more_than_the_listed_odds_and_never_less(book: RuleBook, tmp_path: Path) -> None:
    better = table(book, base__paytable=paytable_file(tmp_path, HD_BASE, royal_flush=250))
    assert better.pays[Wager.BASE].pay(Category.ROYAL_FLUSH) == 250
    worse = paytable_file(tmp_path, HD_BASE, royal_flush=250, flush=7)
    assert "expected 'HD-BASE' or a table that pays no hand less" in refused(book, base__paytable=worse)
    assert better.rules.payout.cap == "none"


@pytest.mark.clause("hd:pay.base")
def test_the_base_pays_200_to_1_for_a_royal(book: RuleBook) -> None:
    ready = table(book)
    assert ready.paytables[Wager.BASE] == "HD-BASE"
    assert book.rules.base.paytables == ("HD-BASE",)
    pays_to_one(ready.pays[Wager.BASE], "RF 200, SF 100, 4K 50, FH 11, FL 8, ST 5, 3K 3, 2P 2, 10s 1")


@pytest.mark.clause("hd:pay.side")
def test_the_side_bet_pays_40_to_1_for_a_suited_a_k_q(book: RuleBook) -> None:
    ready = table(book)
    assert ready.paytables[Wager.THREE_CARD] == "HD-SIDE"
    assert book.rules.three_card.paytables == ("HD-SIDE",)
    pays_to_one(ready.pays[Wager.THREE_CARD], "MR 40, SF 30, 3K 25, ST 5, FL 3, PR 1")


@pytest.mark.clause("hd:rank.cards.2", "hd:rank.6")
def test_the_ace_is_low_only_in_a_2_3_4_5(book: RuleBook) -> None:
    wheel, broadway = evaluate(parse_cards("As2c3d4h5s")), evaluate(parse_cards("TsJcQdKhAs"))
    assert wheel.category == broadway.category == Category.STRAIGHT
    assert wheel < evaluate(parse_cards("2s3c4d5h6s")) < broadway
    assert evaluate(parse_cards("As2s3s4s5s")).category == Category.STRAIGHT_FLUSH
    for wrapped in ("QsKcAd2h3s", "KsAc2d3h4s", "JsQcKdAh2s"):
        assert (evaluate(parse_cards(wrapped)).category, paid(book, wrapped)) == (Category.HIGH_CARD, None)
