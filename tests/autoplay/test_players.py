"""Players with a plan bet the same each round, and bank only where that is planned."""

from __future__ import annotations

import pytest

from letitride.autoplay.loop import play_on
from letitride.autoplay.players import Planned
from letitride.engine import commands
from letitride.engine.state import Table
from letitride.rules.wager_table import BASE_SPOTS
from tests.autoplay.at_work import BETS, dealer, seated


def done(table: Table, plan: Planned) -> list[commands.AnyCommand]:
    """Return what the players do until one of them has to choose."""
    acts = [acted.command for acted in play_on(table, plan, dealer())]
    return [act for act in acts if act.by.startswith("seat:")]


@pytest.mark.parametrize("house", ["nsw-1", "hand-dealt-1", "washington-1", "shufflemaster-1"])
def test_each_bets_once_and_the_choice_is_left_to_a_person(house: str) -> None:
    acts = done(seated(house, 1, 2, 3), Planned({2: BETS, 3: BETS}))
    bets = [act for act in acts if not isinstance(act, commands.LookOver)]
    assert [commands.PlaceWagers(by=f"seat:{seat}", seat=seat, wagers=BETS) for seat in (2, 3)] == bets


def test_the_bank_is_taken_as_planned_and_declined_by_the_others() -> None:
    acts = done(seated("california-1", 1, 2, 3), Planned({1: BETS, 2: BETS, 3: BETS}, {3: 50_000}))
    assert [
        commands.DeclineBank(by="seat:1", seat=1),
        commands.DeclineBank(by="seat:2", seat=2),
        commands.TakeBank(by="seat:3", seat=3, cents=50_000),
    ] == acts[:3]
    assert [1, 2] == [act.seat for act in acts[3:] if isinstance(act, commands.PlaceWagers)]


def test_a_bet_that_is_not_allowed_is_left_out() -> None:
    acts = done(seated("nsw-1", 1, 2), Planned({1: dict.fromkeys(BASE_SPOTS, 1), 2: BETS}))
    assert [2] == [act.seat for act in acts if isinstance(act, commands.PlaceWagers)]
