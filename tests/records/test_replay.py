"""Replay: what each round of a record came to, and that of one that is not over."""

from __future__ import annotations

import pytest

from letitride.errors import InvalidData
from letitride.records.exported import whole
from letitride.records.played import Played
from letitride.records.reader import read_record
from letitride.records.replay import outcomes, replay
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
    record = read_record("rulebook hand-dealt-1\nseat 1 sits Ann 0\n")
    with pytest.raises(InvalidData, match="^record, line 2: expected an act that is allowed"):
        replay(record)
    with pytest.raises(InvalidData, match=r"^mine\.round, line 2: "):
        replay(record, "mine.round")


def test_the_cards_of_a_round_are_those_that_lay_there_last_and_how_they_were_read_out() -> None:
    """Of two hands, one has a card replaced; a hand that is void is not read out; a misdeal turns no community card."""
    head = "rulebook shufflemaster-1\nseat 1 sits Ann 500\nseat 3 sits Bob 500\n\nround\ndeck Th Td^ 4c 9h 8d 3c 2d Ks 7s Tc\n"
    bets = "seat 1 bets 10\nseat 3 bets 10\n"
    choices = "seat 1 rides 1\nseat 3 rides 1\nseat 1 rides 2\nseat 3 rides 2\n"
    (one,) = replay(read_record(f"{head}{bets}dealer reports exposed_card seat 1\n{choices}")).outcomes
    assert one.rulings[0].name == "exposed_card:replaced"
    assert {seat: sorted(cards) for seat, cards in one.laid.hands.items()} == {
        1: ["4c", "9h", "Th"],
        3: ["2d", "3c", "8d"],
    }
    assert one.laid.community == ("Ks", "7s")
    assert one.laid.read_out == {1: "king high", 3: "king high"}
    (void,) = replay(
        read_record(f"{head.replace('^', '')}{bets}mishap long seat 1\ndealer reports hand_count seat 1\n")
    ).outcomes
    assert (void.status, void.laid.hands[1], void.laid.read_out) == ("void", ("Th", "Td", "4c", "9h"), {})
    assert void.laid.community == ()


def test_community_cards_that_were_not_turned_come_last() -> None:
    text = (
        "rulebook nsw-1\nseat 1 sits Ann 500\nround\nhand 1 Th Td 4c\ncommunity Ks 2d\nseat 1 bets 10\nseat 1 rides 1\n"
    )
    done = replay(read_record(f"{text}seat 1 rides 2\n"))
    for turned, steps in enumerate(_until_turned(done.steps)):
        (one,) = outcomes(steps, 1)
        assert (one.status, one.laid.community, one.laid.read_out) == ("unfinished", ("Ks", "2d"), {}), turned


def _until_turned(steps: tuple[Played, ...]) -> list[tuple[Played, ...]]:
    """The steps up to where the first card is turned, and the second."""
    kinds = [getattr(one.command, "kind", "") for one in steps]
    return [steps[: place + 1] for place, kind in enumerate(kinds) if kind == "turn_community"]


def test_community_cards_are_told_in_the_order_in_which_they_were_turned() -> None:
    """At a table with three in a line the first one turned is laid behind the second; a void round turns none."""
    (one,) = replayed(FOLDER / "examples" / "hand-dealt.round").outcomes
    assert one.laid.community == ("Kd", "7s")
    head = "rulebook nsw-1\nseat 1 sits Ann 500\nseat 3 sits Bob 500\nround\nhand 1 Th Td 4c\ncommunity Ks 2d\n"
    annulled = "casino_supervisor orders annul ground disturbance because of a fire\n"
    for lines in ("seat 1 looks\n", "seat 1 rides 1\nseat 3 rides 1\nseat 1 looks\n"):
        (void,) = replay(read_record(f"{head}seat 1 bets 10\nseat 3 bets 10\n{lines}{annulled}")).outcomes
        assert (void.status, void.laid.community) == ("void", ("Ks", "2d")), lines


PLAYS = "seat 1 bets 10\nseat 1 rides 1\nseat 1 rides 2\n"
DISPUTED = "seat 1 disputes the pay\n"
DECIDED = """games_supervisor decides dispute 1 rejected because it was right
seat 1 appeals
casino_supervisor decides dispute 1 upheld award 5 because it was short
"""


def test_a_dispute_stands_with_the_round_it_was_raised_in_and_with_every_decision() -> None:
    head = "rulebook nsw-1\nseat 1 sits Ann 500\n"
    over = "dealer collect_stub\n"
    for text, rounds in (
        (f"{head}round\n{PLAYS}{DISPUTED}{DECIDED}round\n{PLAYS}", (1, 0)),
        (f"{head}round\n{PLAYS}{DISPUTED}round\n{PLAYS}{DECIDED}", (1, 0)),
        (f"{head}{DISPUTED}round\n{PLAYS}round\n{PLAYS}{DECIDED}", (1, 0)),
        (f"{head}round\n{PLAYS}round\n{PLAYS}{DISPUTED}{DECIDED}", (0, 1)),
        (f"{head}round\n{PLAYS}round\n{DISPUTED}{PLAYS}{DECIDED}", (1, 0)),  # round 2 has not begun
        (f"{head}round\n{PLAYS}round\n{PLAYS}{over}{DISPUTED}{DECIDED}", (0, 1)),
    ):
        done = replay(read_record(text)).outcomes
        assert tuple(len(one.disputes) for one in done) == rounds, text
        (heard,) = (heard for one in done for heard in one.disputes)
        assert (heard.dispute.about, heard.dispute.seat) == ("the pay", 1)
        assert [(one.by, one.upheld, sum(chips.cents for chips in one.chips)) for one in heard.decisions] == [
            ("games_supervisor", False, 0),
            ("casino_supervisor", True, 500),
        ]
    other = DISPUTED.replace("seat 1", "seat 3") + "games_supervisor decides dispute 2 upheld because it is so\n"
    (both,) = replay(read_record(f"{head}seat 3 sits Bob 500\nround\n{PLAYS}{DISPUTED}{other}{DECIDED}")).outcomes
    assert [(one.dispute.seat, len(one.decisions)) for one in both.disputes] == [(1, 2), (3, 1)]
    (open_one,) = replay(read_record(f"{head}round\n{PLAYS}{DISPUTED}")).outcomes
    assert [one.decisions for one in open_one.disputes] == [()]
