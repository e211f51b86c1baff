"""Rankings: the cards that each condition asks for, and how many hands have each rank, counted one by one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from itertools import combinations
from math import comb
from typing import Any

import pytest

from letitride.rules.cards import DECK, Card, parse_cards
from letitride.rules.hands import Category
from letitride.rules.rankings import (
    CONDITIONS,
    FIVE_CARD,
    THREE_CARD,
    ListedRank,
    Ranking,
    counts,
    hands_of,
    matches,
)
from letitride.rules.three_hands import ThreeCardCategory


def rank(**when: Any) -> ListedRank:
    return ListedRank(1, "asked", "asked", when)


REST = ListedRank(0, "rest", "the rest")


def has(cards: str, **when: Any) -> bool:
    held = parse_cards(cards)
    return "asked" == getattr(Ranking("own", len(held), (rank(**when), REST)).read(held), "id", None)


MET: Mapping[str, tuple[tuple[Any, str, str], ...]] = {
    "same_rank": ((2, "7c 7d 9h", "7c 8d 9h"), (3, "7c 7d 7h 2s", "7c 7d 9h 9s")),
    "same_suit": ((2, "7c 9c", "7c 9d"), (4, "2h 4h 6h 8h", "2h 4h 6h 8d"), (3, "2h 4h 6h 8d", "2h 4h 6d 8d")),
    "in_sequence": (
        (3, "Ah 2c 3d", "Kh Ac 2d"),
        (3, "Qh Kc Ad", "Jh Kc Ad"),
        (2, "Ah 2c", "Ah 3c"),
        (3, "4c 5d 6h 6s", "4c 5d 7h 7s"),
    ),
    "colour": (
        ("red", "2h 4d", "2h 4c"),
        ("black", "2s 4c", "2s 4d"),
        ("one", "2s 4c", "2s 4h"),
        ("one", "2h 4d", "2c 4d"),
    ),
    "ranks": ((("A", "K"), "Ah Ac", "Ah Qc"), (("T", "J", "Q", "K"), "Th Jc Qd", "9h Jc Qd")),
    "includes": ((("Qh",), "Qh 2c", "Qd 2c"), (("Qh", "Js"), "Js Qh", "Js Qd")),
    "pips_min": ((20, "Th Kc", "Ah Kc"), (11, "Ah Kc", "Ah 9c")),
    "pips_max": ((2, "Ah Ac", "Ah 2c"), (12, "2h Kc", "3h Kc")),
}


@pytest.mark.parametrize("name", CONDITIONS)
def test_a_condition_is_met_on_one_side_of_its_border_and_not_on_the_other(name: str) -> None:
    for wanted, cards, others in MET[name]:
        assert has(cards, **{name: wanted}), (wanted, cards)
        assert not has(others, **{name: wanted}), (wanted, others)


def test_all_conditions_of_a_rank_must_be_met_together() -> None:
    assert has("2h 4h", colour="red", same_suit=2)
    assert not has("2h 4d", colour="red", same_suit=2)
    assert has("2h 4d")


ASKED: tuple[tuple[int, dict[str, Any]], ...] = (
    (2, {"same_rank": 2}),
    (2, {"in_sequence": 2, "colour": "one"}),
    (2, {"includes": ("Qh",), "same_suit": 2}),
    (3, {"same_suit": 2, "pips_min": 20}),
    (3, {"in_sequence": 3, "ranks": ("A", "2", "3", "K")}),
    (3, {"includes": ("Qh", "Qd"), "pips_max": 21}),
)


@pytest.mark.parametrize(("cards", "when"), ASKED)
def test_hands_are_counted_as_they_are_when_looked_at_one_by_one(cards: int, when: dict[str, Any]) -> None:
    ranking = Ranking("own", cards, (rank(**when), REST))
    found = Counter(ranking.read(hand) for hand in combinations(DECK, cards))
    assert {one: found[one] for one in ranking.ranks} == dict(counts(ranking))
    assert comb(52, cards) == hands_of(cards) == sum(found.values())


def test_cards_have_the_first_rank_whose_conditions_they_meet() -> None:
    first, second = ListedRank(2, "pair", "pair", {"same_rank": 2}), ListedRank(1, "ace", "ace", {"pips_max": 2})
    ranking = Ranking("own", 2, (first, second, REST))
    assert [first, REST] == [ranking.read(parse_cards(cards)) for cards in ("Ah Ac", "Ah 2c")]
    assert {first: 78, second: 0, REST: 1326 - 78} == dict(counts(ranking))


def test_what_hands_meet_together_is_found_with_an_example_of_each() -> None:
    one, other = rank(same_suit=2), ListedRank(0, "pips", "pips", {"pips_max": 3})
    found = matches((one, other), 2)
    assert comb(52, 2) == sum(met.hands for met in found.values())
    assert {(): 52 * 39 // 2 - 18, (one,): 4 * 78 - 4, (other,): 18, (one, other): 4} == {
        met: those.hands for met, those in found.items()
    }
    for met, those in found.items():
        held: tuple[Card, ...] = those.example
        assert len(set(held)) == 2
        assert [Ranking("own", 2, (asked, REST)).read(held) is asked for asked in (one, other)] == [
            one in met,
            other in met,
        ]


def test_a_better_rank_is_the_greater_and_is_named_as_pokers_are() -> None:
    best, worst = ListedRank(1, "all_red", "all red"), ListedRank(0, "rest", "the rest")
    assert best > worst
    assert "ALL_RED" == best.name
    ranking = Ranking("own", 2, (best, worst))
    assert (best, None) == (ranking.rank("all_red"), ranking.rank("all_black"))


def test_pokers_own_rankings_are_those_of_its_hands() -> None:
    assert (Category.ROYAL_FLUSH, Category.HIGH_CARD) == (FIVE_CARD.ranks[0], FIVE_CARD.ranks[-1])
    assert Category.TENS_OR_BETTER == FIVE_CARD.read(parse_cards("Th Tc 2d 3s 4h"))
    assert ThreeCardCategory.MINI_ROYAL == THREE_CARD.ranks[0] == THREE_CARD.read(parse_cards("Qh Kh Ah"))
    assert Category.FULL_HOUSE == FIVE_CARD.rank("full_house")
