"""Record: what two records say is compared, not on which lines they say it."""

from __future__ import annotations

from letitride.engine import commands
from letitride.records.record import Action, Dealt, Record, Round, Setting


def test_where_a_value_or_a_book_is_written_is_no_part_of_what_a_record_says() -> None:
    assert Setting("seats", "5", 3) == Setting("seats", "5", 4) != Setting("seats", "6", 3)
    assert Record("nsw-1", (), (), (), 1) == Record("nsw-1", (), (), (), 2) != Record("hand-dealt-1", (), (), (), 1)


def test_what_was_not_read_from_a_text_has_no_line() -> None:
    action = Action(commands.Look(by="seat:1", seat=1))
    made = (Setting("seats", "5"), Record("nsw-1", (), (), ()), Round(Dealt(), (action,)), action)
    assert [one.line for one in made] == [0, 0, 0, 0]


def test_a_card_is_named_on_the_line_of_its_hand_its_deck_its_burn_or_the_community() -> None:
    lines = (("hand 1", 3), ("hand 4", 4), ("community", 5), ("burn", 6))
    dealt = Dealt(
        hands=((1, ("Th", "Td^", "4c")), (4, ("9h", "8d", "3c"))), community=("Ks", "2d^"), burn=("5c",), lines=lines
    )
    named = {"Th": 3, "Td": 3, "9h": 4, "3c": 4, "Ks": 5, "2d": 5, "5c": 6}
    assert {card: dealt.line_of(card) for card in named} == named
    assert Dealt(burn=("5c^",), lines=(("burn", 8),)).line_of("5c") == 8
    assert Dealt(order=("As", "Kd^"), lines=(("deck", 7),)).line_of("Kd") == 7
    assert (dealt.line("hand 4"), dealt.line("hand 2"), dealt.line("deck")) == (4, 0, 0)
