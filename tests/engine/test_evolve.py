"""Evolve obeys: the events of a table alone give it again, and each changes what it says and nothing else."""

from __future__ import annotations

from functools import reduce

import pytest

from letitride.engine import events
from letitride.engine.decide import open_table
from letitride.engine.evolve import evolve, new_table
from letitride.engine.refusal import Refusal
from letitride.engine.state import Seat
from letitride.rules import catalog
from tests.engine.recorded import ROUNDS, recorded


@pytest.mark.parametrize("name", ROUNDS)
def test_the_events_of_a_recorded_round_give_the_same_table_as_play(name: str) -> None:
    steps = recorded(name).steps
    happened = [event for step in steps if not isinstance(step.outcome, Refusal) for event in step.outcome]
    told = [event for event in happened if not isinstance(event, events.TableOpened)]
    begun = open_table(steps[0].before.rules)[0] if len(told) == len(happened) else new_table(happened[0])
    assert steps[-1].after == reduce(evolve, told, begun)


@pytest.mark.parametrize("name", ROUNDS)
def test_each_step_of_a_recorded_round_is_what_its_events_make_of_the_table_before(name: str) -> None:
    for step in recorded(name).steps:
        if isinstance(step.outcome, Refusal):
            assert step.before is step.after
        elif not isinstance(step.outcome[0], events.TableOpened):
            assert step.after == reduce(evolve, step.outcome, step.before)


def test_every_event_adds_one_to_the_version() -> None:
    table, _ = open_table(catalog.table_rules("nsw-1"))
    after = evolve(table, events.SatOut(seat=3, out=True))
    assert (table.version + 1, True) == (after.version, after.seats[3].sitting_out)
    assert {**table.seats, 3: after.seats[3]} == after.seats


def test_whoever_leaves_leaves_an_empty_seat() -> None:
    table, _ = open_table(catalog.table_rules("nsw-1"))
    seated = evolve(table, events.PlayerSat(seat=3, player="Ann"))
    assert "Ann" == seated.seats[3].player
    assert Seat(3) == evolve(seated, events.PlayerLeft(seat=3)).seats[3]
