"""The bank at the table: who is offered it, who keeps it, and what happens when people go."""

from __future__ import annotations

from typing import Any

import pytest

from letitride.autoplay.steps import Fixed, command_for
from letitride.engine import commands
from letitride.engine.decide import open_table, play
from letitride.engine.refusal import Refusal
from letitride.engine.state import Table
from letitride.engine.steps import KINDS, Step
from letitride.engine.view import view
from letitride.records.reader import read_record
from letitride.records.replay import replay
from letitride.rules.cards import DECK
from letitride.rules.catalog import ready_rules

ORDER = tuple(map(str, DECK))


def do(table: Table, command: commands.AnyCommand) -> Table:
    """Play a command that must be accepted."""
    table, outcome = play(table, command)
    assert not isinstance(outcome, Refusal), outcome
    return table


def sit(table: Table, *seats: int, name: str = "P") -> Table:
    for seat in seats:
        table = do(table, commands.Sit(by=f"seat:{seat}", seat=seat, player=f"{name}{seat}", cents=50_000))
    return table


def on(table: Table) -> Table:
    """Let the dealer go on until somebody else has to act."""
    while (step := table.next_step) and KINDS[step.kind].actor == "dealer" and step.kind != "call_no_more_bets":
        table = do(table, command_for(table, step, Fixed(ORDER)))
    return table


def take(table: Table, seat: int, cents: int = 10_000) -> Table:
    return do(table, commands.TakeBank(by=f"seat:{seat}", seat=seat, cents=cents))


def decline(table: Table, seat: int) -> Table:
    return do(table, commands.DeclineBank(by=f"seat:{seat}", seat=seat))


def a_round(table: Table, bettor: int) -> Table:
    """Play the round that is open for bets, with one bettor who lets everything ride."""
    wagers: Any = dict.fromkeys(("base-1", "base-2", "base-$"), 500)
    table = do(table, commands.PlaceWagers(by=f"seat:{bettor}", seat=bettor, wagers=wagers))
    table = on(do(table, commands.Do(kind="call_no_more_bets")))
    for bet in (1, 2):
        table = on(do(table, commands.Choose(by=f"seat:{bettor}", seat=bettor, bet=bet, choice="ride")))
    return table


@pytest.fixture
def offered() -> Table:
    """Seats 1, 3 and 5 are taken, and the bank is offered to seat 1."""
    table, _ = open_table(ready_rules("california-1"))
    table = on(sit(on(table), 1, 3, 5))
    assert Step("await_bank", 1) == table.next_step
    return table


def test_when_the_player_who_is_offered_the_bank_leaves_it_is_offered_on(offered: Table) -> None:
    table = on(do(offered, commands.Leave(by="seat:1", seat=1)))
    assert Step("await_bank", 3) == table.next_step
    for seat in (3, 5):
        table = do(table, commands.Leave(by=f"seat:{seat}", seat=seat))
    assert "idle" == table.phase
    assert Step("await_bank", 4) == on(sit(table, 4)).next_step


def test_a_player_who_sits_out_is_not_offered_the_bank_and_may_not_take_it(offered: Table) -> None:
    table = on(do(offered, commands.SitOut(by="seat:1", seat=1)))
    assert Step("await_bank", 3) == table.next_step
    _, outcome = play(table, commands.TakeBank(by="seat:1", seat=1, cents=500))
    assert isinstance(outcome, Refusal)
    assert "sitting_out" == outcome.code


def test_a_bank_against_which_nobody_bets_can_be_given_back(offered: Table) -> None:
    table = take(offered, 1, 49_800)
    assert (49_800, 200) == (table.cents("bank"), table.cents("stack:1"))
    table = on(decline(table, 1))
    assert (0, 50_000, "banking") == (table.cents("bank"), table.cents("stack:1"), table.phase)
    assert Step("await_bank", 3) == table.next_step
    bet = take(table, 3)
    bet = do(bet, commands.PlaceWagers(by="seat:5", seat=5, wagers={"base-1": 500}))
    _, outcome = play(bet, commands.DeclineBank(by="seat:3", seat=3))
    assert isinstance(outcome, Refusal)
    assert "round_running" == outcome.code


def test_two_hands_in_a_row_are_counted_by_player_and_not_by_seat(offered: Table) -> None:
    table = a_round(take(offered, 1), 3)
    table = a_round(take(on(table), 1), 3)
    assert Step("await_bank", 3) == on(table).next_step  # two hands: it goes on
    gone = on(do(on(table), commands.Leave(by="seat:1", seat=1)))
    moved = do(gone, commands.Sit(by="seat:2", seat=2, player="P1", cents=50_000))
    table = on(decline(on(decline(moved, 3)), 5))
    assert ("banking", ()) == (table.phase, table.agenda)  # nobody else is left, and P1 has had his two
    newcomer = on(sit(table, 1, name="New"))
    assert Step("await_bank", 1) == newcomer.next_step  # a newcomer in his old seat has not


def test_who_declined_is_forgotten_when_he_leaves_and_when_the_table_empties(offered: Table) -> None:
    table = on(decline(on(decline(on(decline(offered, 1)), 3)), 5))
    assert (1, 3, 5) == table.declined
    again = on(sit(do(table, commands.Leave(by="seat:3", seat=3)), 3, name="New"))
    assert Step("await_bank", 3) == again.next_step
    for seat in (1, 3, 5):
        table = do(table, commands.Leave(by=f"seat:{seat}", seat=seat))
    assert Step("await_bank", 5) == on(sit(table, 5)).next_step


def test_the_place_apart_has_no_betting_area() -> None:
    table, _ = open_table(ready_rules("california-1", {"bank.seat": "separate"}))
    table = on(sit(on(table), 1, 8))
    _, outcome = play(take(table, 1), commands.PlaceWagers(by="seat:8", seat=8, wagers={"base-1": 500}))
    assert isinstance(outcome, Refusal)
    assert "no_betting_area" == outcome.code


def test_from_the_action_seat_no_result_is_told_that_depends_on_a_closed_hand() -> None:
    record = read_record("""
rulebook california-1
set limit.cents_min = 500
set limit.cents_max = 10000
set fee.tiers = [{limit_cents_max = 10000, wager_cents = 50, bank_cents = 200}]
set bank.settle_from = action_seat
seat 1 sits Ann 500
seat 5 sits Cy 500
seat 7 sits Di 500
round
hand 1 Th Td 4c
hand 7 2c 7d Kh
community Ks 2d
dice 3
seat 1 declines
seat 5 banks 30
seat 1 bets 10
seat 7 bets 10
seat 1 rides 1
seat 7 rides 1
seat 1 rides 2
seat 7 rides 2
""")
    done = replay(record)
    opened = next(one.after for one in done.steps if one.after.at("hand:7") and one.after.at("hand:7")[0].up)
    assert () == view(opened, "seat:7").seats[7].results  # seat 1 is settled first, and still face down
    (outcome,) = done.outcomes
    assert (5, 3_000) == outcome.bank
    assert {"returned"} == {result.fate for result in outcome.results[7]}
