"""Replay: what each round of a record came to, and that of one that is not over."""

from __future__ import annotations

import pytest

from letitride.errors import InvalidData
from letitride.records.exported import whole
from letitride.records.reader import read_record
from letitride.records.replay import replay
from tests.records.moments import FOLDER, replayed, rounds_of

TWO_ROUNDS = (FOLDER / "examples" / "manufacturer.round").read_text(encoding="utf-8")


def test_a_replay_shows_every_round_under_its_own_headline() -> None:
    done = replay(read_record(TWO_ROUNDS))
    page = done.shown()
    assert [one.title for one in page.grids] == [one.headline() for one in done.outcomes]
    assert [one.title for one in page.grids] == [f"round {number} by shufflemaster-1: settled" for number in (1, 2)]
    assert [len(one.rows) for one in page.grids] == [9, 6]


def test_an_outcome_names_the_bank_where_a_player_banked() -> None:
    (banked,) = replayed(FOLDER / "examples" / "california.round").outcomes
    assert (banked.bank, banked.status) == ((5, 3_000), "settled")
    assert [one.bank for one in replayed(FOLDER / "examples" / "manufacturer.round").outcomes] == [None, None]


def test_a_round_that_is_not_over_is_told_as_unfinished() -> None:
    (nothing,) = replay(read_record("rulebook nsw-1\ndealer by hand\n\nround\n")).outcomes
    assert (nothing.rulebook, nothing.number, nothing.status, nothing.results) == ("nsw-1", 0, "unfinished", {})
    moments, (first, _) = rounds_of(TWO_ROUNDS)
    lines = "\n".join(whole(moments, 1))
    (over,) = replay(read_record(lines)).outcomes
    assert (over.status, over.results) == ("settled", first.results)
    settled, begun = replay(read_record(f"{lines}\n\nround\nseat 1 bets 10\n")).outcomes
    assert (settled.number, settled.status, begun.number, begun.status) == (1, "settled", 2, "unfinished")
    assert sum(chips.cents for chips in begun.transfers) == 3_000  # its bets are told, its results are not yet there
    assert (begun.results, begun.bank, begun.rulings) == ({}, None, ())


def test_a_line_that_cannot_be_played_is_named_by_its_record() -> None:
    record = read_record("rulebook nsw-1\nseat 1 sits Ann 0\n")
    with pytest.raises(InvalidData, match="^record, line 2: expected an act that is allowed"):
        replay(record)
    with pytest.raises(InvalidData, match=r"^mine\.round, line 2: "):
        replay(record, "mine.round")
