"""What a newcomer to round records runs into: lines that do not come true, decks that lost a card, fixed keys."""

from __future__ import annotations

from typing import get_args

import pytest

from letitride.engine import commands, places
from letitride.errors import InvalidData
from letitride.records.floor_lines import GROUNDS
from letitride.records.narrate import MISHAPS
from letitride.records.reader import read_record
from letitride.records.writer import write_record
from tests.records.told import played, refused

HEAD = "rulebook nsw-1\nseat 1 sits Ann 500\nseat 3 sits Bob 500\n"
BETS = "seat 1 bets 10\nseat 3 bets 10\n"
HANDS = "hand 1 Th Td 4c\nhand 3 9h 9d 3c\ncommunity Ks 2d\n"
CHOICES = "seat 1 rides 1\nseat 3 rides 1\nseat 1 rides 2\nseat 3 rides 2\n"


def test_a_hand_that_a_mishap_shifts_is_refused_with_the_line_that_shifts_it() -> None:
    body = f"{HEAD}\nround\n{HANDS}{BETS}mishap long seat 1\nseat 3 looks\ndealer reports hand_count seat 1\n"
    assert refused(body + "seat 3 rides 1\nseat 3 rides 2\n") == (
        "record, line 6: expected seat 1 to be dealt Th Td 4c, got 3c 9d Th, since 'mishap long seat 1' in line 11 "
        "shifts the deal: name the cards with a 'deck' line"
    )


def test_a_hand_that_was_dealt_before_the_mishap_stays_named() -> None:
    done = played(
        f"{HEAD}\nround\n{HANDS}{BETS}mishap exposed community card 2\ndealer reports exposed_community card 2\n"
    )
    assert done.outcomes[0].status == "void"


def test_a_deck_deals_what_it_names_whatever_goes_wrong() -> None:
    deck = "deck Th 9h Td 9d 4c 3c Ks 2d 5c\n"
    body = f"{HEAD}\nround\n{deck}{BETS}mishap long seat 1\nseat 3 looks\ndealer reports hand_count seat 1\n"
    done = played(f"{body}seat 3 rides 1\nseat 3 rides 2\n")
    shown = next(one.after for one in done.steps if one.after.community_up == 2)
    assert [str(card.face) for card in shown.at(places.hand(3))] == ["Td", "4c", "Ks"]


def test_a_card_that_is_missing_stays_away_until_the_deck_is_replaced() -> None:
    first = f"{HEAD}\nround\n{HANDS}missing 7c\n{BETS}{CHOICES}"
    counted = f"\nround\n{HANDS}{BETS}seat 1 looks\ninspector orders count\n"
    done = played(f"{first}{counted}{counted}{CHOICES}")
    assert [outcome.status for outcome in done.outcomes] == ["settled", "void", "settled"]
    assert [ruling.name for ruling in done.outcomes[1].rulings] == ["order:count", "deck:round_void"]
    assert [ruling.name for ruling in done.outcomes[2].rulings] == ["order:count"]


def test_a_line_that_names_a_card_the_deck_has_lost_is_refused() -> None:
    first = f"{HEAD}\nround\n{HANDS}missing 7c\n{BETS}{CHOICES}"
    lost = f"{first}\nround\nhand 1 7c Td 4c\n{BETS}{CHOICES}"
    expected = "expected cards that the deck still has, or a new deck, got 7c, which an earlier round lost"
    assert expected in refused(lost)


def test_what_is_wrong_and_unreported_is_asked_for_by_its_name() -> None:
    twice = HANDS.replace("9h 9d 3c", "Qs Qs* 3c")
    assert refused(f"{HEAD}\nround\n{twice}{BETS}{CHOICES}").startswith(
        "record, line 14: expected a report of what is wrong before the round ends, got none: something_wrong, "
        "The dealer can't"
    )


@pytest.mark.parametrize("line", ["hand 3 9h Joker* 3c", "hand 3 9h joker* 3c", "burn Joker*", "deck Joker* Th"])
def test_a_joker_is_written_with_its_star_and_read_back(line: str) -> None:
    record = read_record(f"{HEAD}\nround\n{line}\n{BETS}")
    assert "Joker*" in write_record(record)
    assert write_record(read_record(write_record(record))) == write_record(record)


@pytest.mark.parametrize("line", ["hand 3 9h Joker 3c", "deck joker Th"])
def test_a_joker_without_its_star_is_refused(line: str) -> None:
    with pytest.raises(InvalidData, match="expected 'Joker\\*', since a joker belongs to no deck"):
        read_record(f"{HEAD}\nround\n{line}\n")


@pytest.mark.parametrize(
    ("named", "setting", "said"),
    [
        (
            "nsw-1",
            "device = shuffler",
            "which the book fixes, got 'shuffler'; a table by one of 'nsw-1+shuffler', 'nsw-1+two_decks' has it",
        ),
        ("nsw-1", "decks = 2", "which the book fixes, got 2; a table by 'nsw-1+two_decks' has it"),
        ("nsw-1+shuffler", "deal.unit = single", "which the variant 'shuffler' fixes, got 'single'"),
        ("nsw-1", "deal.face = up", "which the book fixes, got 'up'; to change it, write a book that extends nsw-1"),
    ],
)
def test_a_fixed_key_names_the_variant_that_fixes_it_or_has_the_value(named: str, setting: str, said: str) -> None:
    assert said in refused(f"rulebook {named}\nset {setting}\nseat 1 sits Ann 500\n")


def test_every_word_of_a_mishap_and_of_a_ground_is_told_in_words() -> None:
    assert set(get_args(commands.MishapKind)) == set(MISHAPS)
    assert set(get_args(commands.Ground)) - {""} == set(GROUNDS)


def test_a_step_that_is_named_alone_is_the_next_of_its_kind() -> None:
    named = "dealer deal_packet\nmachine reports device_jam\ndealer mix_rest\ndealer deal_packet\ndealer slide_left\n"
    text = f"{HEAD}\nround\n{HANDS}{BETS}{named}{CHOICES}".replace("nsw-1", "nsw-1+shuffler")
    steps = [one.command for one in played(text).steps if one.line and isinstance(one.command, commands.Do)]
    assert [(one.kind, one.seat, one.number) for one in steps] == [
        ("deal_packet", 1, 0),
        ("mix_rest", 0, 1),
        ("deal_packet", 3, 0),
        ("slide_left", 0, 1),
    ]
    other = text.replace("dealer slide_left", "dealer slide_left number 2")
    assert "expected an act that is allowed, got 'dealer slide_left number 2'" in refused(other)


def test_a_value_that_the_book_refuses_is_named_with_its_own_line() -> None:
    text = "rulebook nsw-1\nset limit.cents_max = 5000\nset deal.face = up\nseat 1 sits Ann 500\n"
    assert refused(text).startswith("record, line 3: table by nsw-1: deal.face: expected 'down'")
