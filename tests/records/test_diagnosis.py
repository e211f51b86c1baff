"""Diagnosis: a line that cannot be played is refused with the cause, not with what the table says by then."""

from __future__ import annotations

import pytest

from letitride.errors import InvalidData
from letitride.records.reader import read_record
from letitride.records.replay import replay

HEAD = "rulebook nsw-1\nseat 1 sits Ann 500\nseat 3 sits Bob 500\nround\nseat 1 bets 10\nseat 3 bets 10\n"
SHUFFLER = HEAD.replace("nsw-1", "nsw-1+shuffler")
CHOICES = "seat 1 rides 1\nseat 3 rides 1\nseat 1 rides 2\nseat 3 rides 2\n"
LONG = "mishap long seat 3\n"
COUNT = "dealer reports hand_count seat 3\n"
WAITS = "The table waits: seat 1 rides or withdraws bet 1."
DECIDES = "decides dispute 1 upheld because the pay was short"
OFF = "seat 1 disputes the pay\n"
LINES = {
    "another seat is asked": (
        f"{HEAD}seat 3 rides 1\n",
        7,
        f"not_your_turn, Seat 3 is not asked about bet 1 now. {WAITS}",
    ),
    "the round is over": (
        f"{HEAD}{CHOICES}seat 1 rides 1\n",
        11,
        "not_your_turn, Seat 1 is not asked about bet 1 now. Round 1 is over after line 10.",
    ),
    "the round is void": (
        f"{HEAD}{LONG}{COUNT}seat 1 rides 1\n",
        9,
        "not_your_turn, Seat 1 is not asked about bet 1 now. Round 1 is void after line 8.",
    ),
    "a report after the end": (
        f"{HEAD}{CHOICES}dealer reports exposed_card seat 1\n",
        11,
        "(seat 1). Round 1 is over after line 10.",
    ),
    "the hand is void": (
        f"{HEAD}{LONG}seat 1 looks\n{COUNT}seat 1 rides 1\nseat 3 rides 1\n",
        11,
        "Seat 3 is not asked about bet 1 now. The hand of seat 3 is void. The table waits: seat 1 rides or",
    ),
    "a hand of four cards holds the dealer up": (
        f"{HEAD}{LONG}{CHOICES}dealer collect_community\n",
        12,
        "The dealer cannot put the cards of seat 3 into the rack, in order: seat 3 has 4 cards. Report what is wrong.",
    ),
    "a mishap went past the step": (
        f"{HEAD}mishap bets seat 1 1=5 2=10 $=10\ndealer call_no_more_bets\n",
        8,
        f"waiting_for_player, {WAITS} That was done already, on the way to line 7.",
    ),
    "a line did the step": (
        f"{HEAD}dealer call_no_more_bets\ndealer call_no_more_bets\n",
        8,
        f"{WAITS} That was done already, by line 7.",
    ),
    "the seat of a step was passed": (
        f"{HEAD}seat 1 looks\ndealer deal_card seat 3 number 2\n",
        8,
        "That was done already, on the way to line 7.",
    ),
    "in the second round": (
        f"{HEAD}{CHOICES}\nround\n{HEAD.partition('round')[2]}seat 1 rides 1\ndealer ask seat 1\n",
        17,
        "That was done already, on the way to line 16.",
    ),
    "an order that is not of the rest": (
        f"{SHUFFLER}dealer deal_packet seat 1\nmachine reports device_jam\ndealer mix_rest order Js 2s\n",
        9,
        "bad_order, The order of the rest names every card that is left in the deck, each once.",
    ),
    "a cut that is too thin": (
        "rulebook hand-dealt-1\nseat 1 sits Ann 500\nround\ndealer cut_deck cut 3\n",
        4,
        "bad_cut, A cut takes 10 to 51 cards from the top, not 3.",
    ),
    "a seat that is not there": (f"{HEAD}seat 9 rides 1\n", 7, "seats 1 to 7; there is no seat 9."),
    "a bet that stays": (f"{HEAD}seat 1 rides 3\n", 7, "Only bets 1 and 2 can be withdrawn; the third stays."),
    "the lower instance was not named as absent": (
        f"{HEAD}{OFF}casino_supervisor {DECIDES}\n",
        8,
        "games supervisor, not the casino supervisor. If the games supervisor is not on duty, say 'without games_supervisor'.",
    ),
    "a player is absent whose turn it is not": (
        f"{HEAD}seat 3 by dealer goes away\ndealer reports absent seat 3\n",
        8,
        f"nothing_wrong, No decision of seat 3 is due now. {WAITS}",
    ),
    "a seat without cards": (f"{HEAD}mishap exposed seat 4\n", 7, "not_now, Seat 4 is not dealt in."),
    "a seat with cards": (f"{HEAD}mishap stray seat 1\n", 7, "a stray hand lies at a seat without a bet."),
    "a card that is exposed already": (
        f"{HEAD}mishap exposed seat 1\nmishap exposed seat 1 card 1\n",
        8,
        "not_now, Card 1 is face up already.",
    ),
    "a community card that is exposed already": (
        f"{HEAD}mishap exposed community\nmishap exposed community card 1\n",
        8,
        "not_now, Card 1 is face up already.",
    ),
    "a report that does not say which card": (
        f"{HEAD}seat 1 looks\nmishap exposed community\ndealer reports exposed_community\n",
        9,
        "nothing_wrong, The report must name the exposed card: community card 2.",
    ),
    "a report of another card": (
        f"{HEAD}seat 1 looks\nmishap exposed community\ndealer reports exposed_community card 1\n",
        9,
        "nothing_wrong, The report must name the exposed card: community card 2.",
    ),
    "a report where none is exposed": (
        f"{HEAD}dealer reports exposed_community card 1\n",
        7,
        "nothing_wrong, It is not so that a community card is exposed too early (card 1).",
    ),
    "nothing more is to say": (f"{HEAD}{OFF}seat 1 disputes it\n", 8, "complaint is not settled yet."),
}


@pytest.mark.parametrize(("text", "line", "cause"), LINES.values(), ids=list(LINES))
def test_a_line_that_cannot_be_played_is_refused_with_the_cause(text: str, line: int, cause: str) -> None:
    with pytest.raises(InvalidData) as error:
        replay(read_record(text))
    assert str(error.value).startswith(f"record, line {line}: expected an act that is allowed, got '")
    assert cause in str(error.value)
    assert str(error.value).endswith(cause) or not cause.endswith(".")


def test_a_step_that_is_passed_while_its_refusal_is_waited_for_is_said_to_be_done() -> None:
    text = "rulebook hand-dealt-1\nseat 1 sits Ann 500\nround\nseat 1 bets 10\n{}"
    with pytest.raises(InvalidData) as error:
        replay(read_record(text.format("dealer call_no_more_bets => bad_cut\n")))
    assert str(error.value).endswith("That was done already, on the way to this line.")


def test_a_step_that_brings_the_wrong_cut_is_refused_when_it_is_due() -> None:
    text = "rulebook hand-dealt-1\nseat 1 sits Ann 500\nround\ndealer cut_deck cut 5 => bad_cut\nseat 1 bets 10\n"
    done = replay(read_record(f"{text}seat 1 rides 1\nseat 1 rides 2\n"))
    (at,) = (one.after for one in done.steps if one.line == 4)
    assert at.next_step is not None
    assert (at.next_step.kind, done.outcomes[0].status) == ("cut_deck", "settled")


def test_a_step_that_brings_a_cut_may_be_refused_for_another_reason_later() -> None:
    text = "rulebook hand-dealt-1\nseat 1 sits Ann 500\ndealer square_deck\nround\ndealer cut_deck cut 5 => out_of_order\nseat 1 bets 10\n"
    done = replay(read_record(f"{text}seat 1 rides 1\nseat 1 rides 2\n"))
    (at,) = (one.after for one in done.steps if one.line == 5)
    assert at.next_step is not None
    assert at.next_step.kind != "cut_deck"


def test_what_was_done_in_an_earlier_round_is_still_to_be_done_in_this_one() -> None:
    with pytest.raises(InvalidData) as error:
        replay(read_record(f"{HEAD}{CHOICES}round\ndealer open_hand seat 1\n"))
    assert str(error.value).endswith("out_of_order, The next step is to call 'no more bets'.")


def test_a_step_that_is_still_to_come_was_not_done_already() -> None:
    with pytest.raises(InvalidData) as error:
        replay(read_record(f"{HEAD}dealer ask\ndealer ask\n"))
    assert str(error.value).endswith(f"waiting_for_player, {WAITS}")
