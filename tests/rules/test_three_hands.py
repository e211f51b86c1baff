"""Three cards: all 22,100 hands, counted by a second method."""

from __future__ import annotations

from collections import Counter
from itertools import combinations
from math import comb
from pathlib import Path

import pytest

from letitride.errors import InvalidData
from letitride.rules.cards import DECK, JOKER, parse_cards
from letitride.rules.three_hands import ThreeCardCategory, announce_three, evaluate_three

COUNTS = Path(__file__).parent.parent / "data" / "counts" / "three-card.txt"


def counts() -> dict[str, int]:
    lines = [line.split() for line in COUNTS.read_text().splitlines() if line and not line.startswith("#")]
    return {name: int(number) for name, number in lines}


def counted_by_bits() -> dict[str, int]:
    """Count all hands of three with 13-bit masks of ranks, sharing nothing with the code under test."""
    runs = [0b111 << low for low in range(11)] + [0b1000000000011]
    tally: Counter[str] = Counter()
    for hand in combinations(range(52), 3):
        mask = 0
        for number in hand:
            mask |= 1 << (number // 4)
        kinds, suits = mask.bit_count(), {number % 4 for number in hand}
        if kinds == 1:
            tally["three_of_a_kind"] += 1
        elif kinds == 2:
            tally["pair"] += 1
        elif mask in runs and len(suits) == 1:
            tally["mini_royal" if mask == runs[10] else "straight_flush"] += 1
        elif mask in runs:
            tally["straight"] += 1
        else:
            tally["flush" if len(suits) == 1 else "high_card"] += 1
    return dict(tally)


def test_all_hands_are_counted_alike_by_a_second_method() -> None:
    ours = Counter(evaluate_three(held).name.lower() for held in combinations(DECK, 3))
    assert counts() == dict(ours) == counted_by_bits()
    assert comb(52, 3) == sum(ours.values())


def test_the_counts_in_the_repository_are_those_of_combinatorics() -> None:
    expected = {
        "mini_royal": 4,
        "straight_flush": 11 * 4,
        "three_of_a_kind": 13 * 4,
        "straight": 12 * 64 - 48,
        "flush": 4 * comb(13, 3) - 48,
        "pair": 13 * 6 * 48,
        "high_card": (comb(13, 3) - 12) * 60,
    }
    assert expected == counts()


@pytest.mark.parametrize(
    ("cards", "category", "words"),
    [
        ("Ah Kh Qh", "MINI_ROYAL", "mini royal"),
        ("Ah 2h 3h", "STRAIGHT_FLUSH", "straight flush, three high"),
        ("Kh Qh Jh", "STRAIGHT_FLUSH", "straight flush, king high"),
        ("9c 9d 9h", "THREE_OF_A_KIND", "three of a kind, nines"),
        ("Ac 2h 3h", "STRAIGHT", "straight, three high"),
        ("Ac Kh Qh", "STRAIGHT", "straight, ace high"),
        ("Kc Ah 2h", "HIGH_CARD", "ace high"),
        ("Ah 9h 2h", "FLUSH", "flush, ace high"),
        ("Ah 6h 6c", "PAIR", "pair of sixes"),
        ("2h 6h 6c", "PAIR", "pair of sixes"),
    ],
)
def test_a_hand_of_three_has_its_category_and_its_words(cards: str, category: str, words: str) -> None:
    held = parse_cards(cards)
    assert (ThreeCardCategory[category], words) == (evaluate_three(held), announce_three(held))


def test_only_three_cards_are_a_hand_of_three() -> None:
    with pytest.raises(InvalidData, match="expected three cards, got 2 in 'Th Jh'"):
        evaluate_three(parse_cards("Th Jh"))


def test_a_joker_makes_no_hand_of_three() -> None:
    with pytest.raises(InvalidData, match="expected three cards of the 52, got a joker in 'Joker 3c 4c'"):
        evaluate_three([JOKER, *parse_cards("3c 4c")])


def test_the_categories_of_three_cards_are_numbered_from_the_worst_without_a_gap() -> None:
    assert list(ThreeCardCategory) == list(range(7))
    assert max(map(evaluate_three, combinations(parse_cards("Ah Kh Qh 9c 9d"), 3))) == 6
