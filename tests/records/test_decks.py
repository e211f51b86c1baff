"""Decks: whole decks that deal what a record names, with the cards it leaves out, adds or has lost."""

from __future__ import annotations

from letitride.engine import commands
from letitride.records.decks import before_cut, cuts_to_come, named_cards, order_of, without
from letitride.records.record import Action, Dealt
from letitride.rules import catalog
from letitride.rules.cards import DECK

FACES = tuple(map(str, DECK))
SINGLE = catalog.ready_rules("nsw-1").rules
"""Dealt card by card from a shoe: three rounds of the seats, then the community cards."""


def test_a_deck_has_every_card_of_the_52_once_and_foreign_cards_besides() -> None:
    plain = order_of(Dealt(hands=((1, ("Th", "Td", "4c")),)), SINGLE, (1, 3))
    assert (plain[0], plain[2], plain[4]) == ("Th", "Td", "4c")
    assert sorted(plain) == sorted(FACES)
    foreign = order_of(Dealt(hands=((1, ("Qs*", "3c^", "Joker*")),)), SINGLE, (1,))
    assert foreign[:3] == ("Qs*", "3c^", "Joker*")
    assert sorted(card.rstrip("^") for card in foreign) == sorted((*FACES, "Qs*", "Joker*"))
    lacking = order_of(Dealt(order=("Qs*", "3c"), missing=("Qs", "Ah")), SINGLE, (1,))
    assert sorted(lacking) == sorted({*FACES, "Qs*"} - {"Qs", "Ah"})


def test_what_a_deal_names_are_its_own_cards_wherever_they_are_dealt() -> None:
    dealt = Dealt(hands=((1, ("Th^", "Qs*", "4c")), (3, ("9h", "9d", "3c"))), community=("Ks", "2d^"), burn=("5c",))
    assert named_cards(dealt) == ("Th", "4c", "9h", "9d", "3c", "Ks", "2d", "5c")
    assert named_cards(Dealt(order=("As", "Kd^", "Joker*"), burn=("Ah*",))) == ("As", "Kd")
    assert named_cards(Dealt(missing=("7c",))) == ()


def test_a_deck_that_has_lost_cards_is_dealt_without_them() -> None:
    dealt = Dealt(order=("As", "7c^", "Kd", "7d"), missing=("2c", "7d"), dice=9)
    assert without(dealt, {"7d", "7c"}) == Dealt(order=("As", "Kd"), missing=("2c", "7d", "7c"), dice=9)
    assert without(dealt, ()) == dealt
    left = order_of(without(Dealt(order=("As", "7c")), {"7c"}), SINGLE, (1,))
    assert sorted(left) == sorted(set(FACES) - {"7c"})


def test_a_cut_brings_back_the_order_it_was_made_for() -> None:
    for depth in (0, 1, 20, 51):
        laid = before_cut(FACES, depth)
        assert (*laid[depth:], *laid[:depth]) == FACES, depth


def test_a_deck_is_cut_as_deep_as_its_lines_say_and_again_where_they_order_it() -> None:
    def cut(depth: int, refused: str = "") -> Action:
        return Action(commands.Do(by="dealer", kind="cut_deck", cut=depth), 0, refused)

    def recut(refused: str = "") -> Action:
        return Action(commands.Order(by="casino_supervisor", kind="recut"), 0, refused)

    count = Action(commands.Order(by="casino_supervisor", kind="count"))
    square = Action(commands.Do(by="dealer", kind="square_deck", cut=30))
    for actions, cuts in (
        ((), (26,)),
        ((cut(30),), (30,)),
        ((cut(0),), (26,)),
        ((cut(30), cut(0)), (30,)),
        ((cut(5, "bad_cut"),), (26,)),
        ((cut(5, "bad_cut"), cut(30)), (30,)),
        ((count, square), (26,)),
        ((recut(),), (26, 26)),
        ((recut("no_recut"),), (26,)),
        ((cut(30), recut(), cut(40)), (30, 40)),
        ((recut(), cut(5, "bad_cut"), recut()), (26, 26, 26)),
    ):
        assert cuts_to_come(actions, 26) == cuts, actions
