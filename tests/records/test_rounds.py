"""Rounds: moments cut where rounds end, and what a round shows of itself."""

from __future__ import annotations

from itertools import pairwise

import pytest

from letitride.engine.events import PhaseBegan, RoundEnded, RoundVoided
from letitride.records.rounds import PlayedRound, after_end, cut, round_page
from tests.records.acts import ACTS
from tests.records.moments import FOLDER, rounds_of


def text_of(name: str) -> str:
    return (FOLDER / name).read_text(encoding="utf-8")


TWO_ROUNDS = text_of("examples/manufacturer.round")
BANKED = text_of("examples/california.round")
VOID = text_of("irregularities/hand-count/nsw-1.round")


def test_a_round_is_everything_from_the_end_of_the_round_before_to_its_own() -> None:
    moments, (first, second) = rounds_of(TWO_ROUNDS)
    assert (first.number, second.number) == (1, 2)
    assert (*first.moments, *second.moments) == moments
    for one in (first, second):
        assert isinstance(one.moments[-1].end, RoundEnded)
        assert not any(moment.end for moment in one.moments[:-1])
        assert one.status == "settled"
        assert one.headline() == f"round {one.number}: settled"
        assert one.ended_ms == one.moments[-1].at_ms
        assert one.last is one.moments[-1].before
        assert one.results == {number: seat.results for number, seat in one.last.seats.items() if seat.results}
        assert set(one.results) == {1, 6}
    assert second.players == {1: "Fay", 6: "Gus"}
    assert (second.bank, second.rulings) == (None, ())


def test_a_round_begins_when_its_bets_can_be_placed() -> None:
    _, (first, second) = rounds_of(TWO_ROUNDS)
    opened = [
        moment.at_ms
        for moment in first.moments
        for event in moment.events
        if isinstance(event, PhaseBegan) and event.phase == "betting" and event.round == 1
    ]
    assert [first.began_ms] == opened
    assert first.began_ms > first.moments[0].at_ms
    assert second.began_ms == second.moments[0].at_ms  # its bets were opened by the end of the round before
    _, (third,) = rounds_of(VOID)
    assert third.began_ms > third.moments[0].at_ms


def test_the_last_moment_of_a_round_has_all_its_results() -> None:
    moments, (first, _) = rounds_of(TWO_ROUNDS)
    (last,) = cut(first.moments[-1:])
    assert (last.number, last.results) == (1, first.results)
    assert first.moments[-1].start is first.moments[-1].before
    assert moments[0].start is moments[0].after  # of the opening


def test_a_void_round_gives_back_what_its_end_says() -> None:
    _, (one,) = rounds_of(VOID)
    end = one.moments[-1].end
    assert isinstance(end, RoundVoided)
    assert (one.status, one.results) == ("void", dict(end.results))
    assert {row.fate for rows in one.results.values() for row in rows} == {"void"}
    assert [ruling.name for ruling in one.rulings] == ["hand_count:misdeal"]
    assert ("ruled", one.rulings[0].sentence) in one.shown().facts


def test_a_banked_round_names_its_bank() -> None:
    _, (one,) = rounds_of(BANKED)
    assert one.bank == (5, 3_000)
    assert one.shown().facts == (("bank", "seat 5 with $30"),)
    assert round_page("Title", {}, None, ()).facts == ()


def test_a_page_has_every_wager_of_every_seat() -> None:
    _, (one, _) = rounds_of(TWO_ROUNDS)
    (shown,) = one.shown().grids
    assert shown.columns == ("seat", "wager", "stake", "result", "paid", "net")
    assert shown.rows[0] == ("1", "bet 1", "$10", "won", "$10", "$10")
    assert shown.rows[3] == ("1", "Bonus", "$1", "won", "$1", "$0")
    assert [row[0] for row in shown.rows] == ["1"] * 4 + ["6"] * 5
    assert shown.rows[5] == ("6", "bet 2", "$10", "withdrawn", "$0", "$0")


def test_the_hands_that_were_turned_up_are_shown_as_they_were_read() -> None:
    _, (one, _) = rounds_of(TWO_ROUNDS)
    hands = one.shown_hands()
    assert {seat: set(hand.cards) for seat, hand in hands.items()} == {1: {"Th", "Td", "4c"}, 6: {"5h", "6h", "7h"}}
    assert "pair of tens" in hands[1].words
    assert hands[1].words == "; three cards: ".join(one.words for one in hands[1].readings)
    _, (folded,) = rounds_of(ACTS["folds"])
    assert set(folded.shown_hands()) == {1}  # what was folded is not shown


@pytest.mark.parametrize("at", [1, 30])
def test_what_is_on_is_a_round_only_where_it_is_asked_for(at: int) -> None:
    moments, (first, second) = rounds_of(TWO_ROUNDS)
    assert list(cut(moments[:at])) == []
    (one,) = cut(moments[:at], running=True)
    assert (one.number, one.status, one.results, one.moments) == (1, "running", {}, moments[:at])
    assert one.last is moments[at - 1].after
    end = len(first.moments)
    assert [each.number for each in cut(moments[: end + 3], running=True)] == [1, 2]
    assert list(cut(moments, running=True)) == [first, second]  # nothing comes after the last end
    (later,) = cut(moments[end : end + 3], running=True)
    assert (later.number, later.status) == (2, "running")
    assert list(cut(())) == list(cut((), running=True)) == []


def test_a_round_that_is_made_ready_has_the_next_number() -> None:
    """Where the decks of a book are made ready between rounds, its betting is opened later than the last end."""
    moments, (first, second) = rounds_of(ACTS["tokens"])
    end = len(first.moments)
    assert first.moments[-1].after.phase != "betting"
    (one,) = cut(moments[end : end + 1], running=True)
    assert one.number == second.number == 2
    assert isinstance(one, PlayedRound)


def test_moments_after_the_end_of_a_round() -> None:
    moments, (first, second) = rounds_of(TWO_ROUNDS)
    assert tuple(after_end(moments, 0)) == moments
    assert tuple(after_end(moments, 1)) == second.moments
    assert tuple(after_end(moments, 2)) == ()
    assert tuple(after_end(second.moments, 1)) == ()  # a later end has passed it, too
    assert first.moments[-1].number + 1 == second.moments[0].number
    assert all(one.number + 1 == two.number for one, two in pairwise(moments))
