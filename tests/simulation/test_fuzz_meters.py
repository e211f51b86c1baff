"""Fuzzing over tables with a meter that others share: takes, void rounds and readings from elsewhere, and all adds up."""

from __future__ import annotations

from pathlib import Path

import pytest

from letitride.chance.seeded import Seeded
from letitride.engine import events
from letitride.engine.decide import open_table
from letitride.engine.promises import Round, check_again, play_checked
from letitride.engine.refusal import Refusal
from letitride.rules.table_rules import TableRules
from letitride.simulation.fuzz import Tally, fuzz
from letitride.simulation.random_commands import next_command
from tests.simulation.own_wagers import own_table

COLOURS = """
id = "colours"
title = "Colours"
judged_on = "own_five"
award = "total_award"
first_wins = true
pays = { black = 3, four_suited = 2 }

[keys]
cents = 100

[meter]
shared = true
seed_cents = 50000
contribution_ppm = 500000
takes = { red = 100, black = 40, four_suited = "$7" }

[[rank]]
id = "red"
when = { colour = "red" }

[[rank]]
id = "black"
when = { colour = "black" }

[[rank]]
id = "four_suited"
when = { same_suit = 4 }

[[rank]]
id = "other"
"""


@pytest.fixture(scope="module", params=["nsw-1", "washington-1"])
def rules(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> TableRules:
    folder: Path = tmp_path_factory.mktemp("colours")
    return own_table(folder, [COLOURS], request.param)


def test_every_promise_holds_where_tables_share_a_meter(rules: TableRules) -> None:
    tally = fuzz(rules, 2_000, seed=20260101)
    assert isinstance(tally, Tally), tally
    assert tally.rounds >= 2


def test_a_shared_meter_gives_what_was_taken_and_gets_back_what_was_void(rules: TableRules) -> None:
    """By the events alone: what left the meter for this table is what its hands took, and nothing stays aside."""
    (table, _), chance, money = open_table(rules), Seeded(7, "meters"), Round()
    taken = ended = void = 0
    for _ in range(4_000):
        command, before = next_command(table, chance), table
        table, outcome = play_checked(table, command)
        check_again(before, command, table, outcome)
        if isinstance(outcome, Refusal):
            continue
        money.watch(before, outcome)
        for event in outcome:
            taken += isinstance(event, events.MetersTaken)
            ended += isinstance(event, events.RoundEnded)
            void += isinstance(event, events.RoundVoided) and bool(event.chips)
        if table.phase == "betting":
            assert not table.cents("taken:colours")
    assert min(taken, ended) > 3
    assert taken > void
