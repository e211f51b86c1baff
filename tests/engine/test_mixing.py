"""Mixing: after a shuffle a deck lies in its order, with what belongs to it and nothing of another deck."""

from __future__ import annotations

from msgspec.structs import replace

from letitride.engine import mixing
from letitride.engine.places import CardObject, Move
from letitride.engine.state import Table
from letitride.engine.steps import Step
from letitride.rules.cards import parse_face
from tests.engine.layouts import a_table, laid

ONE = Step("start_shuffle", number=1)


def lying(**cards: tuple[CardObject, ...]) -> Table:
    """Lay out a table with cards in some places."""
    return replace(a_table(), cards=cards)


def ordered(table: Table, order: str) -> list[Move]:
    """Where the cards of deck 1 go by an order, mixed from the nest."""
    return list(mixing.ordered(table, ONE, tuple(order.split()), ("nest",), "nest"))


def test_a_shuffle_lays_the_cards_of_its_deck_in_order_and_takes_the_others_of_it_away() -> None:
    two, three, four = laid("2c 3c 4c")
    other = laid("5c", deck=2)
    table = lying(nest=(two, three, four, *other))
    assert ordered(table, "4c 2c^") == [
        Move(four, "nest", "nest", up=False),
        Move(two, "nest", "nest", up=True),
        Move(three, "nest", "outside", up=False),  # the order does not name it: it is lost
    ]


def test_a_card_that_was_lost_comes_back_where_an_order_names_it() -> None:
    (two,), (lost,) = laid("2c"), laid("3c")
    unfit = CardObject(1, 99, parse_face("2c"))
    table = lying(nest=(two,), outside=(unfit, lost))
    assert ordered(table, "3c 2c") == [
        Move(lost, "outside", "nest", up=False),
        Move(two, "nest", "nest", up=False),
    ]  # and what is outside stays there
    assert mixing.has_cards(table, ONE, ("3c", "2c"))
    assert not mixing.has_cards(table, ONE, ("3c", "4c"))
    assert not mixing.has_cards(lying(outside=(unfit,)), ONE, ("2c",))
    assert not mixing.has_cards(lying(nest=laid("2c", deck=2)), ONE, ("2c",))
    for place in ("nest", "chest", "spread", "outside"):
        assert mixing.has_cards(lying(**{place: laid("2c 3c")}), ONE, ("2c", "3c^", "Ah*")), place
    assert not mixing.has_cards(lying(ready=laid("2c")), ONE, ("2c",))


def test_a_foreign_card_is_the_one_that_lies_there_or_comes_from_outside() -> None:
    own, alien = laid("2c"), laid("2c*")
    of_two = laid("Kh*", deck=2)
    table = lying(nest=(*alien, *own, *of_two))
    assert ordered(table, "2c 2c* Kh*") == [
        Move(own[0], "nest", "nest", up=False),
        Move(alien[0], "nest", "nest", up=False),
        Move(CardObject(1, -1 - parse_face("Kh").index, parse_face("Kh")), "outside", "nest", up=False),
    ]
    assert ordered(table, "2c") == [
        Move(own[0], "nest", "nest", up=False),
        Move(alien[0], "nest", "outside", up=False),
    ]


def test_the_rest_of_a_deck_lies_by_an_order_and_what_it_does_not_name_comes_last_face_down() -> None:
    two, three, four = laid("2c 3c 4c")
    alien, shown = laid("3c* Kh^*")
    table = lying(ready=(alien, two, shown, three, four))
    assert list(mixing.mixed_rest(table, ("9h", "4c^", "3c", "2c"))) == [
        Move(four, "ready", "ready", up=True),
        Move(three, "ready", "ready", up=False),
        Move(two, "ready", "ready", up=False),
        Move(alien, "ready", "ready", up=False),
        Move(shown, "ready", "ready", up=False),
    ]
    assert list(mixing.mixed_rest(lying(ready=(alien, three)), ("3c*", "3c"))) == [
        Move(alien, "ready", "ready", up=False),
        Move(three, "ready", "ready", up=False),
    ]
