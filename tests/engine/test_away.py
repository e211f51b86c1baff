"""A player who is said to be away: what he does himself ends that, and his seat and chips are his in any case."""

from __future__ import annotations

import pytest

from letitride.autoplay.steps import command_for
from letitride.engine import commands, events
from letitride.engine.decide import Events, open_table
from letitride.engine.directing import reports
from letitride.engine.promises import play_checked
from letitride.engine.refusal import Refusal
from letitride.engine.state import Table
from letitride.records.retold import command_of
from letitride.rules.catalog import ready_rules
from tests.autoplay.at_work import seeded

BASE = {"base-1": 500, "base-2": 500, "base-$": 500}
HOUSES = ("hand-dealt-1", "nsw-1", "shufflemaster-1", "washington-1")
AWAY = commands.WentAway(by="dealer", seat=1)


class Game:
    """A table that two play at, and what happened."""

    def __init__(self, house: str) -> None:
        self.table, _ = open_table(ready_rules(house))
        self.source = seeded(1)
        for seat, name in ((1, "Ann"), (2, "Ben")):
            self.act(commands.Sit(by=f"seat:{seat}", seat=seat, player=name, cents=50_000))
        self.until("betting")
        for seat in (1, 2):
            self.act(commands.PlaceWagers(by=f"seat:{seat}", seat=seat, wagers=BASE))
        self.until("choice_1")

    def act(self, command: commands.AnyCommand) -> Events:
        """Do something that is allowed."""
        before = self.table
        self.table, happened = play_checked(before, command)
        assert not isinstance(happened, Refusal), happened
        assert command == command_of(before, command.by, happened)  # the journal tells what was done
        return happened

    def refused(self, command: commands.AnyCommand) -> str:
        """Try something that is not allowed; the code of the refusal."""
        _, outcome = play_checked(self.table, command)
        assert isinstance(outcome, Refusal)
        return outcome.code

    def until(self, phase: str, absent: int = 0) -> Table:
        """Go on until the table is in a phase: everybody lets his bets ride, or is ruled absent."""
        while self.table.phase != phase:
            self.act(self.next(absent))
        return self.table

    def over(self, absent: int = 0) -> tuple[Table, commands.AnyCommand, Events]:
        """Go on until the round is over; the table before the last command, the command and what happened."""
        while True:
            before, command = self.table, self.next(absent)
            happened = self.act(command)
            if any(isinstance(event, events.RoundEnded) for event in happened):
                return before, command, happened

    def next(self, absent: int) -> commands.AnyCommand:
        """What is to be done now."""
        step = self.table.next_step
        assert step is not None
        by = f"seat:{step.seat}"
        if step.kind == "await_inspection":
            return commands.LookOver(by=by, seat=step.seat)
        if step.kind == "await_choice" and step.seat == absent:
            return commands.Report(by="dealer", kind="absent", seat=absent)
        if step.kind == "await_choice":
            return commands.Choose(by=by, seat=step.seat, bet=1 if step.number == 1 else 2, choice="ride")
        return command_for(self.table, step, self.source)


@pytest.mark.parametrize("house", HOUSES)
@pytest.mark.clause("nsw:12.13")
def test_whoever_acts_himself_is_not_away_whatever_was_said_of_him(house: str) -> None:
    game = Game(house)
    game.act(AWAY)
    assert game.table.seats[1].away
    happened = game.act(commands.BuyChips(by="seat:1", seat=1, cents=100))
    assert (events.PlayerCameBack(seat=1), events.ChipsBought) == (happened[0], type(happened[1]))
    assert not game.table.seats[1].away
    game.act(AWAY)
    game.until("choice_2")  # he lets bet 1 ride himself
    assert not game.table.seats[1].away
    game.over()
    seat = game.table.seats[1]
    assert ("Ann", False) == (seat.player, seat.sitting_out)


def test_what_others_do_does_not_bring_a_player_back() -> None:
    game = Game("nsw-1")
    game.act(AWAY)
    game.act(commands.BuyChips(by="seat:2", seat=2, cents=100))
    game.act(commands.Look(by="seat:2", seat=2))
    assert game.table.seats[1].away


def test_those_who_run_the_table_take_it_back_and_nobody_else() -> None:
    game = Game("nsw-1")
    back = commands.CameBack(by="dealer", seat=1)
    assert "not_away" == game.refused(back)
    game.act(AWAY)
    assert "not_your_role" == game.refused(commands.CameBack(by="seat:1", seat=1))
    assert back in [one.command for one in reports(game.table, "dealer")]
    assert (events.PlayerCameBack(seat=1),) == game.act(back)
    assert back not in [one.command for one in reports(game.table, "dealer")]
    game.over()
    assert not game.table.seats[1].sitting_out


@pytest.mark.parametrize("house", HOUSES)
@pytest.mark.parametrize("looks", [False, True])
@pytest.mark.clause("nsw:12.13", "nsw:12.14")
def test_whoever_is_away_at_the_end_of_a_round_sits_out_with_his_chips_until_he_says_so(
    house: str, looks: bool
) -> None:
    game = Game(house)
    if looks and game.table.rules.rules.cards.touch != "dealer_only":
        game.act(commands.Look(by="seat:1", seat=1))
    game.act(AWAY)
    table = game.until("betting", absent=1)
    assert ("Ann", True) == (table.seats[1].player, table.seats[1].sitting_out)
    if not looks:
        assert 50_000 == table.cents("stack:1")
    assert "sitting_out" == game.refused(commands.PlaceWagers(by="seat:1", seat=1, wagers=BASE))
    happened = game.act(commands.SitOut(by="seat:1", seat=1, out=False))
    assert (events.PlayerCameBack(seat=1), events.SatOut(seat=1, out=False)) == happened
    for seat in (1, 2):
        game.act(commands.PlaceWagers(by=f"seat:{seat}", seat=seat, wagers=BASE))
    game.over()
    seat = game.table.seats[1]
    assert ("Ann", False) == (seat.player, seat.sitting_out)


def test_rounds_of_old_at_whose_end_a_player_lost_his_seat_are_told_still() -> None:
    game = Game("nsw-1")
    game.act(AWAY)
    before, command, happened = game.over(absent=1)
    left = events.PlayerLeft(seat=1, why="went away")
    old = tuple(left if isinstance(event, events.SatOut) else event for event in happened)
    assert old != happened
    assert command == command_of(before, "dealer", old)
