"""Cards: read, written, compared, refused."""

from __future__ import annotations

import copy
import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st

from letitride.errors import InvalidData
from letitride.rules.cards import DECK, JOKER, Card, distinct, parse_cards, parse_face, show

cards = st.sampled_from(DECK)
hands = st.lists(cards, min_size=1, max_size=7, unique=True)


def test_cards_print_as_they_are_read() -> None:
    assert ["Th", "As", "2c"] == [str(Card.parse(text)) for text in ("Th", "As", "2c")]


@pytest.mark.parametrize("text", ["th", "TH", "10h", "10H", " Th "])
def test_case_and_ten_as_10_are_forgiven(text: str) -> None:
    assert Card.parse("Th") is Card.parse(text)


@pytest.mark.parametrize("text", ["1h", "Ahh", "Tx", "", "h", "T", "11h", "100h", "T h", "AhKd", "🂱", "Th\0"])
def test_what_is_no_card_is_refused_with_an_example(text: str) -> None:
    with pytest.raises(InvalidData, match="expected a card like 'Th', got "):
        Card.parse(text)


@pytest.mark.parametrize(("rank", "suit"), [(1, "h"), (15, "h"), (10, "x"), (10, "H"), ([], "h")])
def test_a_card_that_does_not_exist_cannot_be_made(rank: int, suit: str) -> None:
    with pytest.raises(InvalidData, match="expected a rank from 2 to 14"):
        Card(rank, suit)


@given(hands)
def test_cards_written_together_apart_or_with_commas_read_alike(held: list[Card]) -> None:
    assert tuple(held) == parse_cards(show(held)) == parse_cards(", ".join(map(str, held)))
    assert tuple(held) == parse_cards("".join(map(str, held)))
    assert tuple(held) == parse_cards("".join(map(str, held)).replace("T", "10"))


def test_a_card_that_comes_twice_is_refused() -> None:
    with pytest.raises(InvalidData, match="expected 3 different cards, got Th twice in 'Th 9c Th'"):
        parse_cards("Th 9c 10h")


@pytest.mark.parametrize("text", ["Th 9c 1h", "Th9c1h", "Ah Khh"])
def test_one_bad_card_among_good_ones_is_refused(text: str) -> None:
    with pytest.raises(InvalidData, match="expected a card like 'Th'"):
        parse_cards(text)


def test_the_deck_is_52_cards_in_order() -> None:
    assert list(range(52)) == [card.index for card in DECK]
    assert "2c 2d 2h 2s 3c" == show(DECK[:5])
    assert "As" == str(DECK[-1])


@given(cards)
def test_there_is_only_one_of_each_card(card: Card) -> None:
    assert card is Card(card.rank, card.suit) is copy.deepcopy(card) is pickle.loads(pickle.dumps(card))
    assert card is eval(repr(card))
    assert {card} == {Card.parse(str(card))}


def test_a_card_never_changes() -> None:
    with pytest.raises(AttributeError, match="a card never changes"):
        DECK[0].rank = 3
    with pytest.raises(AttributeError, match="a card never changes"):
        del DECK[0].rank
    assert 2 == DECK[0].rank


def test_a_card_has_a_name_for_screen_readers() -> None:
    assert "ten of hearts" == Card.parse("Th").name
    assert [Card.parse(f"{rank}c").name.removesuffix(" of clubs") for rank in "23456789TJQKA"] == [
        *("two", "three", "four", "five", "six", "seven", "eight"),
        *("nine", "ten", "jack", "queen", "king", "ace"),
    ]
    assert [Card.parse(f"A{suit}").name for suit in "cdhs"] == [
        "ace of clubs",
        "ace of diamonds",
        "ace of hearts",
        "ace of spades",
    ]


def test_a_joker_may_turn_up_and_stands_beside_the_52() -> None:
    assert JOKER is parse_face("Joker") is parse_face(" joker ")
    assert Card.parse("Th") is parse_face("Th")
    assert (JOKER.name, str(JOKER), repr(JOKER)) == ("joker", "Joker", "JOKER")
    assert (JOKER.rank, JOKER.suit, JOKER.index) == (0, "", 52)
    assert JOKER is copy.deepcopy(JOKER) is pickle.loads(pickle.dumps(JOKER)) is Card(0, "")
    assert JOKER not in DECK
    with pytest.raises(InvalidData, match="expected a card like 'Th', got 'Joker'"):
        Card.parse("Joker")


def test_cards_are_sorted_by_rank_and_then_as_the_deck_lies() -> None:
    assert list(DECK) == sorted(set(DECK), key=lambda card: (card.rank, card.suit)) == sorted(set(DECK))
    assert not DECK[3] < DECK[3]
    assert DECK[3] < DECK[4] < JOKER


def test_the_card_that_comes_twice_is_named() -> None:
    with pytest.raises(InvalidData, match="expected 4 different cards, got 9c twice in 'Th 9c 2d 9c'"):
        distinct(map(Card.parse, ("Th", "9c", "2d", "9c")))
