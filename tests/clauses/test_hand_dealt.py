"""The hand-dealt single-deck house: its paytables, limits and ranks."""

from __future__ import annotations

from pathlib import Path

import pytest

from letitride.engine.decide import open_table
from letitride.engine.view import view
from letitride.errors import InvalidData
from letitride.rules import catalog
from letitride.rules.cards import parse_cards
from letitride.rules.hands import Category, evaluate
from letitride.rules.rulebook import RuleBook, Source
from tests.clauses.helpers import HD_BASE, paid, pays_to_one, paytable_file, refused, table
from tests.clauses.rounds import CHOICES, THREE_SEATS, WHOLE_ROUND, played, results, stacks


@pytest.mark.clause("hd:wager.9")
def test_no_table_may_allow_more_than_ten_dollars(book: RuleBook) -> None:
    assert "limit.cents_max: expected 1000, which the book fixes, got 1001" in refused(book, limit__cents_max=1_001)


@pytest.mark.clause("hd:odds.1")
def test_odds_say_to_or_win_and_never_for(book: RuleBook, tmp_path: Path) -> None:
    shown = view(played(book, WHOLE_ROUND).table, "spectator").sign.pays
    assert {wager: len(rows) for wager, rows in shown.items()} == {"base": 9, "three_card": 6}
    assert shown["base"]["royal flush"] == "200 to 1"
    assert all(odds.endswith(" to 1") for rows in shown.values() for odds in rows.values())
    for words in (["to", "for"], ["for"], ["win"]):  # not even a house's own book may say it
        with pytest.raises(InvalidData, match=r"odds\.wording"):
            book.with_values({"odds.wording": words}, Source.DOCUMENT, "test")
    own = tmp_path / "own.toml"
    bonus = 'bonus.offered = true\nsettle.bets_order = ["base", "three_card", "bonus"]\n'
    bonus += 'base.paytables = ["LIRB-06"]\nbase.paytable = "LIRB-06"\n'
    own.write_text(f'id = "own-1"\ntitle = "Own"\nextends = "{book.id}"\n[rules]\n{bonus}', encoding="utf-8")
    opened = open_table(catalog.ready_rules(str(own)))[0]  # 'win $N' is a word the book allows
    assert view(opened, "spectator").sign.pays["bonus"]["royal flush"].startswith("win ")


@pytest.mark.clause("hd:odds.2")
def test_a_table_may_pay_more_than_the_listed_odds_and_never_less(book: RuleBook, tmp_path: Path) -> None:
    better = table(book, base__paytable=paytable_file(tmp_path, HD_BASE, royal_flush=250))
    assert better.pays["base"].pay(Category.ROYAL_FLUSH) == 250
    worse = paytable_file(tmp_path, HD_BASE, royal_flush=250, flush=7)
    assert "expected 'HD-BASE' or a table that pays no hand less" in refused(book, base__paytable=worse)


@pytest.mark.clause("hd:odds.2")
def test_no_limitation_cuts_a_payout(book: RuleBook) -> None:
    body = THREE_SEATS.replace("hand 1 Th Td 4c", "hand 1 As Qs Js").replace("community Ks 2d", "community Ks Ts")
    done = played(book, body + CHOICES)
    assert [r.paid_cents for r in results(done, 1).values()] == [200_000] * 3
    assert stacks(done, 1) == [50_000 + 600_000]


@pytest.mark.clause("hd:pay.base")
def test_the_base_pays_200_to_1_for_a_royal(book: RuleBook) -> None:
    ready = table(book)
    assert ready.paytables["base"] == "HD-BASE"
    assert "expected 'HD-BASE'" in refused(book, base__paytable="LIRX-03")
    pays_to_one(ready.pays["base"], "RF 200, SF 100, 4K 50, FH 11, FL 8, ST 5, 3K 3, 2P 2, 10s 1")


@pytest.mark.clause("hd:pay.side")
def test_the_side_bet_pays_40_to_1_for_a_suited_a_k_q(book: RuleBook) -> None:
    ready = table(book)
    assert ready.paytables["three_card"] == "HD-SIDE"
    assert "expected 'HD-SIDE'" in refused(book, three_card__paytable="3CB-1")
    pays_to_one(ready.pays["three_card"], "MR 40, SF 30, 3K 25, ST 5, FL 3, PR 1")


@pytest.mark.clause("hd:rank.cards.2", "hd:rank.6")
def test_the_ace_is_low_only_in_a_2_3_4_5(book: RuleBook) -> None:
    wheel, broadway = evaluate(parse_cards("As2c3d4h5s")), evaluate(parse_cards("TsJcQdKhAs"))
    assert wheel.category == broadway.category == Category.STRAIGHT
    assert wheel < evaluate(parse_cards("2s3c4d5h6s")) < broadway
    assert evaluate(parse_cards("As2s3s4s5s")).category == Category.STRAIGHT_FLUSH
    for wrapped in ("QsKcAd2h3s", "KsAc2d3h4s", "JsQcKdAh2s"):
        assert (evaluate(parse_cards(wrapped)).category, paid(book, wrapped)) == (Category.HIGH_CARD, None)


@pytest.mark.clause("hd:rank.cards.2", "hd:rank.6")
def test_a_wheel_is_paid_as_a_straight_and_a_suited_one_as_a_straight_flush(book: RuleBook) -> None:
    body = THREE_SEATS.replace("Th Td 4c", "Ac 4d 5h").replace("9h 9d 3c", "Qc Kd Ah").replace("2c 7d Kh", "As 4s 5s")
    done = played(book, body.replace("community Ks 2d", "community 2s 3s") + CHOICES)
    assert [results(done, seat)["base-$"].paid_cents for seat in (1, 3, 7)] == [5_000, 0, 100_000]
