"""Hands: every five-card hand against two independent evaluators, and against counting."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from functools import cache
from itertools import combinations, combinations_with_replacement
from math import comb
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from phevaluator import evaluate_cards

from letitride.errors import InvalidData
from letitride.rules.cards import DECK, JOKER, RANKS, Card, parse_cards
from letitride.rules.hands import Category, HandValue, announce, evaluate, made_category

COUNTS = Path(__file__).parent.parent / "data" / "counts" / "five-card.txt"
POKERKIT_LABELS = {
    Category.LOW_PAIR: "ONE_PAIR",
    Category.TENS_OR_BETTER: "ONE_PAIR",
    Category.ROYAL_FLUSH: "STRAIGHT_FLUSH",
}
"""Where its names differ from ours."""


@cache
def counts() -> dict[str, list[int]]:
    """Read the table of counts: category, the 13 ranks of the lowest card, the total."""
    lines = [line.split() for line in COUNTS.read_text().splitlines() if line and not line.startswith("#")]
    assert [*RANKS, "total"] == lines[0][1:]
    return {name: list(map(int, numbers)) for name, *numbers in lines[1:]}


@cache
def all_values() -> tuple[HandValue, ...]:
    """Every value a hand can have, best first, from one hand of each pattern."""
    values = set()
    for ranks in combinations_with_replacement(range(2, 15), 5):
        if max(Counter(ranks).values()) <= 4:
            values.add(evaluate(_unsuited(ranks)))
        if len(set(ranks)) == 5:
            values.add(evaluate(Card(rank, "h") for rank in ranks))
    return tuple(sorted(values, reverse=True))


def _unsuited(ranks: tuple[int, ...]) -> list[Card]:
    return [Card(rank, "cdhsc"[place]) for place, rank in enumerate(ranks)]


def test_there_are_7462_different_values() -> None:
    assert 7462 == len(all_values())


@cache
def by_pokerkit() -> Callable[[tuple[int, ...], bool], HandValue]:
    """Return what finds the value of a hand by pokerkit: by its ranks in order, and whether it is of one suit."""
    from pokerkit import Card as Theirs  # noqa: PLC0415 - slow to load, and every worker collects this file
    from pokerkit import StandardLookup  # noqa: PLC0415 - as above

    lookup = StandardLookup()
    theirs = {card: next(iter(Theirs.parse(str(card)))) for card in DECK}
    values = all_values()[::-1]

    @cache
    def found(ranks: tuple[int, ...], suited: bool) -> HandValue:
        held = [Card(rank, "h") for rank in ranks] if suited else _unsuited(ranks)
        entry = lookup.get_entry([theirs[card] for card in held])
        value = values[entry.index]
        assert POKERKIT_LABELS.get(value.category, value.category.name) == entry.label.name, held
        return value

    return found


@pytest.mark.slow
@pytest.mark.parametrize("lowest", range(2, 15), ids=lambda rank: RANKS[rank - 2])
def test_all_hands_agree_with_phevaluator_and_pokerkit(lowest: int) -> None:
    """All 2,598,960 hands, by the rank of their lowest card: same category, same place in the order."""
    place = {value: number for number, value in enumerate(all_values(), 1)}
    pokerkit = by_pokerkit()
    tally: Counter[Category] = Counter()
    first = [card for card in DECK if card.rank == lowest]
    for start in first:
        above = DECK[start.index + 1 :]
        # Three ways to say the same cards, side by side: nothing is looked up card by card two million times.
        hands = combinations(above, 4)
        numbers = combinations([card.index for card in above], 4)
        ranks = combinations([card.rank for card in above], 4)
        suits = combinations([card.suit for card in above], 4)
        for rest, told, rank, suit in zip(hands, numbers, ranks, suits, strict=True):
            held = (start, *rest)
            value = evaluate(held)
            tally[value.category] += 1
            # phevaluator numbers its cards as we do, and its ranks from 1, the best.
            assert place[value] == evaluate_cards(start.index, *told), held
            assert value == pokerkit((lowest, *rank), suit.count(start.suit) == 4), held
    assert {c.name.lower(): counts()[c.name.lower()][lowest - 2] for c in Category} == {
        c.name.lower(): tally[c] for c in Category
    }


def test_the_counts_in_the_repository_are_those_of_combinatorics() -> None:
    straights = 10 * 4**5
    expected = {
        "royal_flush": 4,
        "straight_flush": 9 * 4,
        "four_of_a_kind": 13 * 48,
        "full_house": 13 * comb(4, 3) * 12 * comb(4, 2),
        "flush": 4 * comb(13, 5) - 40,
        "straight": straights - 40,
        "three_of_a_kind": 13 * comb(4, 3) * comb(12, 2) * 16,
        "two_pair": comb(13, 2) * comb(4, 2) ** 2 * 44,
        "tens_or_better": 5 * comb(4, 2) * comb(12, 3) * 64,
        "low_pair": 8 * comb(4, 2) * comb(12, 3) * 64,
        "high_card": (comb(13, 5) - 10) * (4**5 - 4),
    }
    assert expected == {name: numbers[-1] for name, numbers in counts().items()}
    assert comb(52, 5) == sum(expected.values())
    assert all(sum(numbers[:-1]) == numbers[-1] for numbers in counts().values())


hands = st.lists(st.sampled_from(DECK), min_size=5, max_size=5, unique=True)


@given(hands, st.randoms())
def test_the_order_of_the_cards_does_not_matter(held: list[Card], random: object) -> None:
    mixed = list(held)
    random.shuffle(mixed)
    assert evaluate(held) == evaluate(mixed)


@given(hands, st.permutations("cdhs"))
def test_no_suit_outranks_another(held: list[Card], suits: list[str]) -> None:
    swap = dict(zip("cdhs", suits, strict=True))
    assert evaluate(held) == evaluate(Card(card.rank, swap[card.suit]) for card in held)


@pytest.mark.parametrize(("text", "count"), [("Th Jh", 2), ("Th Jh Qh Kh Ah 2c", 6), ("", 0)])
def test_only_five_cards_are_a_hand(text: str, count: int) -> None:
    with pytest.raises(InvalidData, match=f"expected five cards, got {count}"):
        evaluate(parse_cards(text))


def test_a_hand_with_a_card_twice_is_refused() -> None:
    ten = Card.parse("Th")
    with pytest.raises(InvalidData, match="got Th twice"):
        evaluate([ten, ten, *parse_cards("2c 3c 4c")])


@pytest.mark.parametrize(
    ("cards", "words"),
    [
        ("Th Jh Qh Kh Ah", "royal flush"),
        ("Ah 2h 3h 4h 5h", "straight flush, five high"),
        ("6c 6d 6h 6s 2c", "four of a kind, sixes"),
        ("Ac Ad Ah Ks Kc", "full house, aces over kings"),
        ("2h 9h 4h Jh 5h", "flush, jack high"),
        ("Ac 2h 3h 4h 5h", "straight, five high"),
        ("9c 9d 9h Ks Qc", "three of a kind, nines"),
        ("9c 9d Kh Ks Qc", "two pair, kings and nines"),
        ("Tc Td 3h Ks Qc", "pair of tens"),
        ("9c 9d 3h Ks Qc", "pair of nines"),
        ("9c 2d 3h Ks Qc", "king high"),
    ],
)
def test_a_hand_is_announced_in_words(cards: str, words: str) -> None:
    assert words == announce(evaluate(parse_cards(cards)))


def test_kickers_decide_within_a_category() -> None:
    worst_first = ("TcTd2h2s3c", "9c9dKhKsQc", "9c9dKhKsAc", "TcTdKhKs2c")  # upper pair, lower pair, odd card
    values = [evaluate(parse_cards(cards)) for cards in worst_first]
    assert values == sorted(set(values))


def test_a_joker_makes_no_hand() -> None:
    with pytest.raises(InvalidData, match="expected five cards of the 52, got a joker in 'Joker 3c 4c 5c 6c'"):
        evaluate([JOKER, *parse_cards("3c 4c 5c 6c")])


def test_the_ace_of_a_five_high_straight_counts_as_one() -> None:
    assert HandValue(Category.STRAIGHT, (5, 4, 3, 2, 1)) == evaluate(parse_cards("Ac 2h 3h 4h 5h"))


@pytest.mark.parametrize(
    ("cards", "made"),
    [
        ("9c", "HIGH_CARD"),
        ("Ac Kc Qc", "HIGH_CARD"),
        ("Tc Jc Qc Kc", "HIGH_CARD"),  # a straight or a flush is made by five cards only
        ("9c 9d", "LOW_PAIR"),
        ("9c Ad 9d", "LOW_PAIR"),
        ("Tc Td 2c", "TENS_OR_BETTER"),
        ("Ac Ad", "TENS_OR_BETTER"),
        ("9c 9d 2c Kd", "LOW_PAIR"),
        ("9c 9d 2c 2d", "TWO_PAIR"),
        ("9c 9d Tc Td", "TWO_PAIR"),
        ("9c 9d 9h", "THREE_OF_A_KIND"),
        ("9c 9d 9h Kc", "THREE_OF_A_KIND"),
        ("9c 9d 9h 9s", "FOUR_OF_A_KIND"),
        ("9c 9d 9h 9s 2c", "FOUR_OF_A_KIND"),
        ("9c 9d 9h 2s 2c", "FULL_HOUSE"),
        ("2c 4c 6c 8c Tc", "FLUSH"),
        ("Tc Jc Qc Kc Ac", "ROYAL_FLUSH"),
        ("2c 3c 4c 5d 6c", "STRAIGHT"),
        ("9c 9d 2c 3c 4c", "LOW_PAIR"),
    ],
)
def test_cards_in_sight_make_what_no_other_card_can_take_away(cards: str, made: str) -> None:
    assert Category[made] == made_category(parse_cards(cards))


def test_five_cards_of_which_one_is_foreign_make_what_their_ranks_make() -> None:
    queen = Card.parse("Qs")
    assert Category.TENS_OR_BETTER == made_category([queen, queen, *parse_cards("2c 3c 4c")])
    assert Category.FLUSH == made_category(parse_cards("2s 3s 4s 9s Qs"))


def test_the_categories_are_numbered_from_the_worst_without_a_gap() -> None:
    assert list(Category) == list(range(11))
    assert evaluate(parse_cards("Tc Jc Qc Kc Ac")).category == 10
