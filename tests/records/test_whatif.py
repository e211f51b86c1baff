"""What another book would have done, and why: the same deck and actions, and the reasons for each step."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from letitride.errors import InvalidData
from letitride.records.exported import whole
from letitride.records.reader import read_record
from letitride.records.replay import Replayed, replay
from letitride.records.whatif import LeftOut, WhatIf, what_if
from letitride.records.why import why
from letitride.rules import catalog
from tests.clauses.helpers import STATED
from tests.clauses.rounds import SEATED, WHOLE_ROUND, faces
from tests.records.moments import RECORDS, name_of, rounds_of

LATE = (Path(__file__).parent / "irregularities" / "hand-count-late" / "nsw-1.round").read_text(encoding="utf-8")
PLAIN = f"rulebook nsw-1\ndealer auto\n{SEATED}{WHOLE_ROUND}"


@pytest.mark.parametrize(
    ("other", "ruling", "status"),
    [
        ("nsw-1", "hand_count:hand_void", "settled"),
        ("shufflemaster-1", "hand_count:misdeal", "void"),
        ("hand-dealt-1", "hand_count:hands_void", "void"),
    ],
)
def test_one_record_has_another_outcome_under_each_book(other: str, ruling: str, status: str) -> None:
    found = what_if(read_record(LATE), other)
    (outcome,) = found.under.outcomes
    assert ([one.name for one in outcome.rulings], outcome.status) == ([ruling], status)


def test_the_three_outcomes_of_one_exposed_card() -> None:
    text = (Path(__file__).parent / "irregularities" / "exposed-card" / "nsw-1.round").read_text(encoding="utf-8")
    found = {
        name: what_if(read_record(text), name, STATED if name == "california-1" else {})
        for name in ("nsw-1", "shufflemaster-1", "hand-dealt-1", "california-1")
    }
    with_rulings = {name: one.under.outcomes[0].rulings for name, one in found.items()}
    assert {name: rulings[0].name for name, rulings in with_rulings.items() if rulings} == {
        "nsw-1": "exposed_card:turned_over",
        "shufflemaster-1": "exposed_card:replaced",
        "hand-dealt-1": "exposed_card:replaced",
    }
    told = [
        one.why for one in found["california-1"].left_out
    ]  # where a player banks, a player must take the bank first
    assert told[-1] == "The record does not go on: seat 1 to take the bank or decline it."


def test_under_its_own_book_a_record_does_not_differ() -> None:
    found = what_if(read_record(PLAIN), "nsw-1")
    assert (found.differences, found.left_out) == ((), ())
    assert found.recorded.outcomes == found.under.outcomes


def test_the_deck_is_the_same_and_the_deal_is_the_other_books() -> None:
    found = what_if(read_record(PLAIN), "shufflemaster-1")

    def first_ready(steps: object) -> list[str]:
        return next(faces(one.before, "ready") for one in steps if one.after.dealt_in and not one.after.no_hand_is_out)

    assert first_ready(found.recorded.steps) == first_ready(found.under.steps)
    hands = {seat: found.under.table.seats[seat] for seat in (1, 3, 7)}
    assert set(hands) == {1, 3, 7}
    dealt = next(one.after for one in found.under.steps if one.after.phase == "choice_1")
    assert faces(dealt, "hand:1") == first_ready(found.recorded.steps)[:3]  # packets of three


def test_differences_in_money_are_told_wager_by_wager() -> None:
    found = what_if(read_record(LATE), "hand-dealt-1")
    assert sum(one.cents or 0 for one in found.differences) == -sum(
        result.net_cents for rows in found.recorded.outcomes[0].results.values() for result in rows
    )
    assert {one.under.fate for one in found.differences if one.under} == {"void"}
    assert [one.text for one in found.left_out][:1] == ["seat 1 rides 1"]
    assert {one.why for one in found.left_out} == {"The round is over."}


def test_what_the_other_book_does_not_allow_is_left_out_and_told() -> None:
    bets = PLAIN.replace("seat 1 bets 10", "seat 1 bets 25").replace(
        "rulebook nsw-1", "rulebook nsw-1\nset limit.cents_max = 5000"
    )
    found = what_if(read_record(bets), "hand-dealt-1")
    told = {one.text: one.why for one in found.left_out}
    assert told["seat 1 bets 25"] == "The maximum for each base bet is $10."
    assert "set limit.cents_max" in told
    mine = [one for one in found.differences if one.seat == 1]
    assert {(one.under, one.cents, one.why) for one in mine} == {(None, None, "The maximum for each base bet is $10.")}
    assert all(one.cents is not None for one in found.differences if one.seat != 1)


def test_a_round_that_does_not_finish_keeps_the_next_from_beginning() -> None:
    """Seat 1's bet is too much for the hand-dealt book: round 1 has no bets there, and round 2 is not mixed up with it."""
    bets = "seat 1 bets {}\nseat 1 rides 1\nseat 1 rides 2\n"
    text = f"rulebook nsw-1\nseat 1 sits Ann 500\nround\n{bets.format(25)}\nround\n{bets.format(10)}"
    found = what_if(read_record(text.replace("nsw-1", "nsw-1\nset limit.cents_max = 5000")), "hand-dealt-1")
    *_, first, second = [(one.line, one.text, one.why, one.round) for one in found.left_out]
    assert first == (0, "the end of round 1", "The record does not go on: three equal bets.", 1)
    why_not = "Round 1 did not finish under hand-dealt-1, so this one did not begin."
    assert second == (9, "round 2", why_not, 2)
    assert [one.status for one in found.under.outcomes] == ["unfinished"]
    assert [one.number for one in found.recorded.outcomes] == [1, 2]
    assert not any(one.after.seats[1].wagers for one in found.under.steps)
    assert [(one.line, one.round) for one in found.left_out if one.text != "set limit.cents_max"] == [
        *((line, 1) for line in (5, 6, 7)),
        (0, 1),
        (9, 2),
    ]


def test_values_that_the_other_book_leaves_to_the_table_are_asked_for() -> None:
    with pytest.raises(InvalidData, match=r"limit\.cents_max.*which california-1 leaves to the table.*--set KEY=VALUE"):
        what_if(read_record(PLAIN), "california-1")


def test_every_step_says_why_and_a_ruling_says_what_else_could_have_been() -> None:
    explained = why(replay(read_record(LATE)), catalog.table_rules("shufflemaster-1"))
    (ruling,) = [one for one in explained if one.is_ruling]
    (reason,) = ruling.reasons
    assert [clause.id for clause in reason.clauses] == ["nsw:12.7", "nsw:1.1.void"]
    assert reason.circumstances == "it was noticed after the deal, when 1 of 3 players had handled their cards"
    (key,) = reason.keys
    assert (key.key, key.value) == ("irreg.count_player", "hand_void")
    assert {one.value: one.books for one in key.alternatives} == {
        "misdeal_count_deck": ("shufflemaster-1", "washington-1"),
        "all_void": ("hand-dealt-1",),
    }
    assert reason.under.startswith(
        "a hand does not have three cards: misdeal; every hand is void and all bets are returned; the floor counts"
    )
    asked = next(one for one in explained if one.told and "ask seat 1 about bet 1" in one.told[0])
    assert [clause.id for clause in asked.reasons[0].clauses] == ["nsw:8.3", "nsw:8.3.s2"]
    assert (asked.reasons[0].under or "").startswith("the same, by sm:")


def test_where_the_documents_are_silent_the_ruling_says_so() -> None:
    text = (Path(__file__).parent / "irregularities" / "absent" / "hand-dealt-1.round").read_text(encoding="utf-8")
    (ruling,) = [one for one in why(replay(read_record(text))) if one.is_ruling]
    assert ruling.reasons[0].house_default
    assert "house default" in ruling.told[0]


MOMENTS = ("drawn-card-seen", "exposed-cards-late", "over-maximum-paid", "wrong-burn-late", "examples-new-south-wales")
"""In these a line of the dealer marks the moment, or values of the table hang together: neither is carried over."""


@pytest.mark.parametrize("path", [one for one in RECORDS if not name_of(one).startswith(MOMENTS)], ids=name_of)
def test_by_its_own_book_every_record_comes_to_the_same_again(path: Path) -> None:
    record = read_record(path.read_text(encoding="utf-8"), path.name)
    found = what_if(record, record.rulebook)
    assert (found.differences, found.left_out) == ((), ())

    def came(done: Replayed) -> list[object]:
        return [(one.status, one.results, one.bank, [each.name for each in one.rulings]) for one in done.outcomes]

    assert came(found.recorded) == came(found.under)


def left(why_not: str, round_: int, seat: int = 0) -> LeftOut:
    return LeftOut(1, "a line", why_not, round_, seat)


@pytest.mark.parametrize(
    ("left_out", "told"),
    [
        ((), "Only one of the books has this wager here."),
        ((left("other seat", 2, 1),), "Only one of the books has this wager here."),
        ((left("later", 3, 3),), "Only one of the books has this wager here."),
        ((left("earlier, of the table", 1),), "Only one of the books has this wager here."),
        ((left("of the round", 2),), "of the round"),
        ((left("of the round", 2), left("earlier", 1, 3)), "earlier"),
        ((left("of the round", 2), left("earlier", 1, 3), left("mine", 2, 3)), "mine"),
        ((left("mine", 2, 3), left("mine too", 2, 3)), "mine"),
    ],
)
def test_a_wager_without_a_result_has_the_nearest_reason(left_out: tuple[LeftOut, ...], told: str) -> None:
    done = replay(read_record(PLAIN))
    wagers = done.outcomes[0].results
    one = replace(done.outcomes[0], number=2)
    gone = replace(one, results={seat: rows for seat, rows in wagers.items() if seat != 3})
    for recorded, under in ((one, gone), (gone, one)):
        found = WhatIf(replace(done, outcomes=(recorded,)), replace(done, outcomes=(under,)), left_out)
        assert {(each.round, each.seat, each.cents, each.why) for each in found.differences} == {(2, 3, None, told)}
        assert [each.wager for each in found.differences] == [row.wager for row in wagers[3]]


def test_what_is_left_out_is_told_with_its_line_its_round_and_its_seat() -> None:
    found = what_if(read_record(LATE), "hand-dealt-1")
    lines = LATE.splitlines()
    assert all(lines[one.line - 1].startswith(one.text) for one in found.left_out)
    assert {one.round for one in found.left_out} == {1}
    assert [one.seat for one in found.left_out] == [int(one.text.split()[1]) for one in found.left_out]
    values = what_if(
        read_record(PLAIN.replace("dealer auto", "set limit.cents_max = 5000\ndealer auto")), "hand-dealt-1"
    )
    assert [(one.line, one.round, one.seat) for one in values.left_out if one.text.startswith("set ")] == [(0, 0, 0)]
    stopped = what_if(read_record(PLAIN), "california-1", STATED).left_out[-1]
    assert (stopped.line, stopped.text, stopped.round, stopped.seat) == (0, "the end of round 1", 1, 0)


def test_values_that_the_other_book_leaves_open_are_kept() -> None:
    found = what_if(read_record(PLAIN.replace("dealer auto", "set limit.cents_min = 600\ndealer auto")), "nsw-1")
    assert found.left_out == ()
    assert found.under.table.rules.rules.limit.cents_min == 600
    more = what_if(read_record(PLAIN), "nsw-1", {"limit.cents_min": 700})
    assert more.under.table.rules.rules.limit.cents_min == 700
    assert (more.recorded.table.rules.book.id, more.under.table.rules.book.id) == ("nsw-1", "nsw-1")


def test_what_was_refused_is_not_tried_again_under_the_other_book() -> None:
    text = PLAIN.replace("seat 1 bets 10", "seat 1 bets 1 => below_minimum\nseat 1 bets 10", 1)
    found = what_if(read_record(text), "shufflemaster-1")
    assert not [one for one in found.left_out if "bets 1" in one.text]


def by_hand(text: str) -> str:
    """Return a record with every step done by hand."""
    moments, _ = rounds_of(text)
    return "\n".join(whole(moments)) + "\n"


def test_the_steps_of_a_record_by_hand_are_left_to_the_dealer_of_the_other_book() -> None:
    for other in ("shufflemaster-1", "hand-dealt-1"):
        told, plain = what_if(read_record(by_hand(PLAIN)), other), what_if(read_record(PLAIN), other)
        assert told.under.outcomes[0].results == plain.under.outcomes[0].results != {}
        assert [one.text for one in told.left_out] == [one.text for one in plain.left_out]
        assert not any(one.text.startswith(("dealer ", "floor ")) for one in told.left_out)


def test_a_second_deal_is_dealt_from_the_same_deck_where_only_the_steps_tell_it() -> None:
    text = (Path(__file__).parent / "irregularities" / "unloaded" / "shufflemaster-1.round").read_text(encoding="utf-8")
    assert "redeal" not in by_hand(text)
    found = what_if(read_record(by_hand(text)), "shufflemaster-1")
    assert (found.differences, found.left_out) == ((), ())
    assert found.under.outcomes[0].results == replay(read_record(text)).outcomes[0].results


def test_each_round_has_its_own_deck_and_one_that_was_not_dealt_has_that_of_its_lines() -> None:
    again = WHOLE_ROUND.replace("Th Td 4c", "Ah Ad 4c").replace("Ks 2d", "As Ac")
    found = what_if(read_record(PLAIN + again), "nsw-1")
    assert found.differences == ()
    assert found.under.outcomes[1].results == found.recorded.outcomes[1].results
    opened = by_hand(PLAIN).partition("dealer call_no_more_bets")[0].replace("\nround", "\nround\nhand 1 Ah Ad As")
    on = what_if(read_record(opened), "nsw-1")
    assert [one.text for one in on.left_out] == ["the end of round 1"]
    assert faces(on.under.table, "hand:1") == ["Ah", "Ad", "As"]


def test_values_of_the_table_that_hang_together_are_kept_together() -> None:
    own = "set limit.cents_min = 300\nset limit.cents_max = 400\ndealer auto"  # the most alone is under the minimum
    found = what_if(read_record(PLAIN.replace("dealer auto", own).replace("bets 10", "bets 4")), "nsw-1")
    limit = found.under.table.rules.rules.limit
    assert (found.left_out, limit.cents_min, limit.cents_max) == ((), 300, 400)


def test_what_was_refused_by_the_records_book_alone_is_not_tried_either() -> None:
    text = PLAIN.replace("seat 1 bets 10", "seat 1 bets 10 bonus 1 => not_offered\nseat 1 bets 10", 1)
    found = what_if(read_record(text), "shufflemaster-1")
    assert found.left_out == ()
    assert [row.wager for row in found.under.outcomes[0].results[1]] == ["base-1", "base-2", "base-$"]


def test_an_order_that_the_other_book_does_not_know_belongs_to_no_seat() -> None:
    text = PLAIN.replace("seat 1 rides 1", "casino_supervisor orders english_only\nseat 1 rides 1", 1)
    (order,) = what_if(read_record(text), "shufflemaster-1").left_out
    assert (order.text, order.round, order.seat) == ("casino_supervisor orders english_only", 1, 0)
    assert order.why == "The rules don't provide for that measure."


def test_a_record_that_cannot_be_played_at_all_is_named() -> None:
    record = read_record("rulebook hand-dealt-1\nseat 1 sits Ann 0\n")
    with pytest.raises(InvalidData, match="^record, line 2: "):
        what_if(record, "shufflemaster-1")
    with pytest.raises(InvalidData, match=r"^mine\.round, line 2: "):
        what_if(record, "shufflemaster-1", where="mine.round")
