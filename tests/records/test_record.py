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
