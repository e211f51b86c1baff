"""Diagnosis: a line that cannot be played is refused with the cause, not with what the table says by then."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import msgspec
import pytest

from letitride.engine import commands
from letitride.engine.refusal import CODES, Refusal
from letitride.engine.state import Dispute
from letitride.errors import InvalidData
from letitride.records.diagnosis import brings_wrong, explain
from letitride.records.played import Played
from letitride.records.player import Player
from letitride.records.reader import read_record
from letitride.records.record import Action
from letitride.records.replay import replay

HEAD = "rulebook nsw-1\nseat 1 sits Ann 500\nseat 3 sits Bob 500\nround\nseat 1 bets 10\nseat 3 bets 10\n"
SHUFFLER = HEAD.replace("nsw-1", "nsw-1+shuffler")
CHOICES = "seat 1 rides 1\nseat 3 rides 1\nseat 1 rides 2\nseat 3 rides 2\n"
LONG = "mishap long seat 3\n"
COUNT = "dealer reports hand_count seat 3\n"
WAITS = "The table waits: seat 1 lets bet 1 ride or takes it back."
DECIDES = "decides dispute 1 upheld because the pay was short"
OFF = "seat 1 disputes the pay\n"
LINES = {
    "another seat is asked": (
        f"{HEAD}seat 3 rides 1\n",
        7,
        f"not_your_turn, Seat 3 isn't asked about bet 1 now. {WAITS}",
    ),
    "the round is over": (
        f"{HEAD}{CHOICES}seat 1 rides 1\n",
        11,
        "not_your_turn, Seat 1 isn't asked about bet 1 now. Round 1 is over after line 10.",
    ),
    "the round is void": (
        f"{HEAD}{LONG}{COUNT}seat 1 rides 1\n",
        9,
        "not_your_turn, Seat 1 isn't asked about bet 1 now. Round 1 is void after line 8.",
    ),
    "a report after the end": (
        f"{HEAD}{CHOICES}dealer reports exposed_card seat 1\n",
        11,
        "(seat 1). Round 1 is over after line 10.",
    ),
    "the hand is void": (
        f"{HEAD}{LONG}seat 1 looks\n{COUNT}seat 1 rides 1\nseat 3 rides 1\n",
        11,
        "Seat 3 isn't asked about bet 1 now. The hand of seat 3 is void. The table waits: seat 1 lets bet 2 ride",
    ),
    "a hand of four cards holds the dealer up": (
        f"{HEAD}{LONG}{CHOICES}dealer collect_community\n",
        12,
        "The dealer can't put seat 3's cards into the rack, in order: seat 3 has 4 cards. Report the irregularity.",
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
        "bad_order, The order of the rest names every card left in the deck, each of them once.",
    ),
    "a cut that is too thin": (
        "rulebook hand-dealt-1\nseat 1 sits Ann 500\nround\ndealer cut_deck cut 3\n",
        4,
        "bad_cut, A cut takes 10 to 51 cards from the top, not 3.",
    ),
    "a seat that is not there": (f"{HEAD}seat 9 rides 1\n", 7, "seats 1 to 7. There's no seat 9."),
    "a bet that stays": (f"{HEAD}seat 1 rides 3\n", 7, "Only bets 1 and 2 can be taken back. Bet $ always stays."),
    "the lower instance was not named as absent": (
        f"{HEAD}{OFF}casino_supervisor {DECIDES}\n",
        8,
        "games supervisor, not the casino supervisor. If the games supervisor is not on duty, say 'without games_supervisor'.",
    ),
    "a player is absent whose turn it is not": (
        f"{HEAD}seat 3 by dealer goes away\ndealer reports absent seat 3\n",
        8,
        f"nothing_wrong, No decision by seat 3 is due now. {WAITS}",
    ),
    "a seat without cards": (f"{HEAD}mishap exposed seat 4\n", 7, "not_now, Seat 4 isn't dealt in."),
    "a seat with cards": (f"{HEAD}mishap stray seat 1\n", 7, "A stray hand lies at a seat without a bet."),
    "a card that is exposed already": (
        f"{HEAD}mishap exposed seat 1\nmishap exposed seat 1 card 1\n",
        8,
        "not_now, Card 1 is already face up.",
    ),
    "a community card that is exposed already": (
        f"{HEAD}mishap exposed community\nmishap exposed community card 1\n",
        8,
        "not_now, Card 1 is already face up.",
    ),
    "a report that does not say which card": (
        f"{HEAD}seat 1 looks\nmishap exposed community\ndealer reports exposed_community\n",
        9,
        "nothing_wrong, Name the exposed card in the report: community card 2.",
    ),
    "a report of another card": (
        f"{HEAD}seat 1 looks\nmishap exposed community\ndealer reports exposed_community card 1\n",
        9,
        "nothing_wrong, Name the exposed card in the report: community card 2.",
    ),
    "a report where none is exposed": (
        f"{HEAD}dealer reports exposed_community card 1\n",
        7,
        "nothing_wrong, Nothing shows that a community card is exposed too early (card 1).",
    ),
    "no player is reported absent": (
        f"{HEAD}dealer reports absent\n",
        7,
        f"nothing_wrong, Name the seat of the absent player. {WAITS}",
    ),
    "a line did the step and others came after it": (
        f"{HEAD}dealer call_no_more_bets\nseat 1 looks\ndealer call_no_more_bets\n",
        9,
        f"{WAITS} That was done already, by line 7.",
    ),
    "a line went past the step and others came after it": (
        f"{HEAD}seat 1 looks\nseat 1 rides 1\ndealer call_no_more_bets\n",
        9,
        "seat 3 lets bet 1 ride or takes it back. That was done already, on the way to line 7.",
    ),
    "a step that the book does not have": (f"{HEAD}dealer power_on\n", 7, f"waiting_for_player, {WAITS}"),
    "a step that was only tried": (
        f"{HEAD}dealer power_on => waiting_for_player\ndealer power_on\n",
        8,
        f"waiting_for_player, {WAITS}",
    ),
    "a step whose programme is left out": (
        f"{HEAD.replace('nsw-1', 'shufflemaster-1')}dealer set_mode\n",
        7,
        f"{WAITS} That was done already, on the way to line 2.",
    ),
    "nothing more is to say": (f"{HEAD}{OFF}seat 1 disputes it\n", 8, "dispute is still open."),
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


def steps_of(text: str) -> list[Played]:
    """Return the steps of a record up to where it does not go on."""
    player = Player(read_record(text), "record")
    with pytest.raises(InvalidData):
        player.run()
    return player.steps


def said(command: commands.AnyCommand, code: str, steps: list[Played]) -> str:
    """Return what is said of a line after the sentence of its refusal."""
    told = explain(Action(command, 9), Refusal(code, "No."), False, steps, 1)
    _, refused, more = told.partition(f": {code}, No.")
    assert refused, told
    return more.strip()


NOT_YET = {"not_your_turn", "already_chosen", "cards_not_yours", "nothing_wrong"}
PASSED = {"out_of_order", "waiting_for_player", "nothing_to_do"}


def test_what_the_table_waits_for_and_what_is_done_is_said_where_it_is_the_cause() -> None:
    """By code: a player's act may be right later, a step may have been passed; other refusals speak for themselves."""
    steps = steps_of(HEAD)
    ride = commands.Choose(by="seat:3", seat=3, bet=1, choice="ride")
    call = commands.Do(by="dealer", kind="call_no_more_bets")
    for code in CODES:
        assert said(ride, code, steps) == (WAITS if code in NOT_YET else ""), code
        done = "That was done already, on the way to this line."
        assert said(call, code, steps) == (done if code in PASSED else ""), code


def test_a_table_that_waits_for_no_player_is_not_said_to() -> None:
    ride = commands.Choose(by="seat:3", seat=3, bet=1, choice="ride")
    steps = steps_of(HEAD)
    dealers = next(place for place, one in enumerate(steps, 1) if one.after.phase == "dealing")
    idle = [replace(steps[0], after=msgspec.structs.replace(steps[0].after, agenda=()))]
    for some in (steps[:dealers], idle):
        assert said(ride, "not_your_turn", some) == ""


def test_only_a_step_and_a_players_act_are_held_up_by_what_is_wrong() -> None:
    steps, stuck = steps_of(HEAD), Refusal("something_wrong", "Stuck.")
    report = commands.Report(by="dealer", kind="deck")
    look = commands.Look(by="seat:3", seat=3)
    for command, wrong, other in (
        (commands.Do(by="dealer", kind="ask"), True, False),
        (look, True, True),
        (report, False, False),
    ):
        for refusal, held in ((stuck, wrong), (Refusal("no_bets", "Stuck."), other)):
            told = explain(Action(command), Refusal("not_now", "No."), refusal, steps, 1)
            assert (": " + (f"{refusal.code}, Stuck." if held else "not_now, No.")) in told, (command, refusal)


def test_a_step_was_done_as_far_as_its_line_says_which() -> None:
    """Seat 3's first card is dealt by line 7; who asks for it again is told so, not who asks for another."""
    steps = steps_of(f"{HEAD}dealer deal_card seat 3 number 1\n")
    dealt = next(place for place, one in enumerate(steps, 1) if one.line == 7)
    for given, done in (
        ({"seat": 3, "number": 1}, True),
        ({"seat": 3, "number": 9}, False),
        ({"seat": 5, "number": 1}, False),
        ({"seat": 3, "number": 1, "wager": "base-1"}, False),
        ({"number": 1}, True),
        ({"seat": 3}, False),  # two more of them are to come
    ):
        fields: dict[str, Any] = given  # by name
        told = said(commands.Do(by="dealer", kind="deal_card", **fields), "out_of_order", steps[:dealt])
        assert told == ("That was done already, by line 7." if done else ""), given


def test_who_may_decide_a_complaint_where_another_is_off_duty_is_told_how_to_say_so() -> None:
    *steps, last = steps_of(HEAD)
    roles = (("games_supervisor", "casino_supervisor", "operator"), ("inspector", "operator"))
    disputes = tuple(
        Dispute(number=number, seat=1, player="Ann", about="it", heard_by=heard)
        for number, heard in enumerate(roles, 1)
    )
    steps.append(replace(last, after=msgspec.structs.replace(last.after, disputes=disputes)))
    for number, by, code, told in (
        (1, "casino_supervisor", "not_your_role", "If the games supervisor is not on duty, say 'without games_supervisor'."),
        (1, "operator", "not_your_role", "'without games_supervisor,casino_supervisor'."),
        (2, "operator", "not_your_role", "If the inspector is not on duty, say 'without inspector'."),
        (2, "casino_supervisor", "not_your_role", ""),
        (1, "dealer", "not_your_role", ""),
        (3, "operator", "not_your_role", ""),
        (1, "operator", "say_why", ""),
    ):  # fmt: skip
        decides = commands.DecideDispute(by=by, number=number, upheld=True)
        found = said(decides, code, steps)
        assert found.endswith(told), (number, by, code)
        assert bool(found) == bool(told), (number, by, code)


def test_a_step_brings_the_wrong_thing_where_it_brings_one_and_is_not_to_be_refused() -> None:
    for name, value in (("order", ("As",)), ("cut", 3), ("throw", 2), ("", None)):
        given: dict[str, Any] = {name: value} if name else {}  # by name
        step = commands.Do(by="dealer", kind="cut_deck", **given)
        for code in CODES:
            brought = code in {"bad_order", "bad_cut", "bad_reading", "bad_throw", "not_needed"} and bool(name)
            assert brings_wrong(Action(step), Refusal(code, "No.")) == brought, (name, code)
            assert not brings_wrong(Action(step, refused=code), Refusal(code, "No.")), (name, code)
        assert not brings_wrong(Action(step), None)
    assert not brings_wrong(Action(commands.Look(by="seat:1", seat=1)), Refusal("bad_cut", "No."))
