"""Reasons: a wager's result is told with the cards that decided it, what they make, and what cut the pay down."""

from __future__ import annotations

import pytest

import letitride
from letitride.rules.cards import parse_cards
from letitride.rules.reasons import Reason, best_of, reason
from letitride.rules.settlement import Hand, WagerResult, settle_round
from letitride.rules.table_rules import TableRules

STAKES = {"base-1": 1000, "base-2": 1000, "base-$": 1000}


def washington() -> TableRules:
    return letitride.table_rules("washington-1", {"limit.cents_max": 100_000})


def reasons(
    rules: TableRules, community: str, *hands: Hand
) -> dict[tuple[int, str], tuple[WagerResult, Reason | None]]:
    cards = parse_cards(community)
    found = {}
    for seat, results in settle_round(rules, cards, hands).items():
        own = next(hand for hand in hands if hand.seat == seat)
        for result in results:
            wager = rules.by_spot[result.wager]
            best = best_of(rules, wager, hands, cards, 0) if wager.by_hands else (0, 0)
            held = next((hand.cards for hand in hands if hand.seat == best[0]), own.cards)
            found[seat, result.wager] = result, reason(rules, cards, held, result, best)
    return found


@pytest.mark.parametrize(
    ("cards", "hand", "made", "row", "odds"),
    [
        ("Th Td 4c", "tens or better", "Th Td", "tens or better", (1, 1)),
        ("9h 9d 4c", "low pair", "9h 9d", "", None),
        ("Th 2d Kc", "two pair", "2d Kc 2s Ks", "two pair", (2, 1)),
        ("4h 5d 7c", "high card", "", "", None),
    ],
)
def test_it_names_the_hand_the_cards_that_make_it_and_the_row(cards: str, hand: str, made: str, row: str, odds: tuple[int, int] | None) -> None:  # fmt: skip
    result, why = reasons(washington(), "2s Ks", Hand(3, parse_cards(cards), STAKES))[3, "base-$"]
    assert why is not None
    assert (hand, made, row, odds) == (why.hand, " ".join(why.made), why.row, why.odds)
    assert (*cards.split(), "2s", "Ks") == why.cards
    assert ("won" if odds else "lost") == result.fate
    assert (0, 0) == (why.full_cents, why.beside_cents)


def test_a_maximum_payout_leaves_what_the_row_pays() -> None:
    stakes = dict.fromkeys(STAKES, 100_000)
    limits = {"limit.cents_max": 100_000, "payout.cap": "maximum", "payout.cents_max": 2_500_000}
    rules = letitride.table_rules("nsw-1", {**limits, "payout.scope": "hand"})
    found = reasons(rules, "Ts Js", Hand(3, parse_cards("Qs Ks As"), stakes))
    for number, spot in enumerate(STAKES):
        result, why = found[3, spot]
        assert why is not None
        assert (0 if number else 2_500_000) == result.paid_cents
        assert 100_000_000 == why.full_cents
        assert (1000, 1) == why.odds


def test_the_best_hand_at_the_table_is_told_with_its_seat_and_the_number_of_hands() -> None:
    rules = washington()
    stakes = {**STAKES, "cover_all": 500}
    hands = (Hand(2, parse_cards("4h 5d 7c"), stakes), Hand(5, parse_cards("Kh Kd 7h"), STAKES), Hand(6, parse_cards("8h 9d Jc"), STAKES))  # fmt: skip
    result, why = reasons(rules, "2s Ks", *hands)[2, "cover_all"]
    assert why is not None
    assert (5, 3, "three of a kind") == (why.seat, why.hands, why.hand)
    assert ("Kh", "Kd", "Ks") == why.made
    assert "won" == result.fate
    assert (result.paid_cents // 500, 1) == why.odds


def test_what_no_cards_decided_has_no_reason() -> None:
    hand = Hand(3, parse_cards("Th Td 4c"), STAKES, withdrawn=frozenset({"base-1"}))
    found = reasons(washington(), "2s Ks", hand)
    assert found[3, "base-1"][1] is None
    assert found[3, "base-2"][1] is not None
