"""Bets of books of one's own, in which keys meet that meet in no published book."""

from __future__ import annotations

from pathlib import Path

import pytest

from letitride.autoplay.steps import command_for
from letitride.engine import commands
from letitride.engine.decide import open_table
from letitride.engine.promises import play_checked
from letitride.engine.refusal import Refusal
from letitride.engine.state import Table
from letitride.rules.catalog import ready_rules
from tests.autoplay.at_work import seeded

BASE = {"base-1": 500, "base-2": 500, "base-$": 500}


def done(table: Table, command: commands.AnyCommand) -> Table:
    after, outcome = play_checked(table, command)
    assert not isinstance(outcome, Refusal), outcome
    return after


@pytest.mark.parametrize("handling", ["sensor", "lammer"])
def test_a_bet_whose_bonus_dollar_is_taken_in_is_not_changed_before_the_first_card(
    tmp_path: Path, handling: str
) -> None:
    path = tmp_path / "own.toml"
    keys = f'bet.cutoff = "first_card"\nbonus.stake_handling = "{handling}"'
    path.write_text(f'id = "own"\ntitle = "Own"\nextends = "shufflemaster-1"\n[rules]\n{keys}\n')
    table, _ = open_table(ready_rules(str(path)))
    source = seeded(1)
    table = done(table, commands.Sit(by="seat:1", seat=1, player="Ann", cents=50_000))
    while table.phase != "betting":
        table = done(table, command_for(table, table.agenda[0], source))
    table = done(table, commands.PlaceWagers(by="seat:1", seat=1, wagers={**BASE, "bonus": 100}))
    table = done(table, commands.PlaceWagers(by="seat:1", seat=1, wagers=BASE))
    table = done(table, commands.PlaceWagers(by="seat:1", seat=1, wagers={**BASE, "bonus": 100}))
    while table.cents("felt:1:bonus"):
        table = done(table, command_for(table, table.agenda[0], source))
    assert table.phase == "dealing"
    assert table.no_card_is_out  # until then others may still bet
    for wagers in ({}, BASE, {**BASE, "bonus": 100}):
        after, outcome = play_checked(table, commands.PlaceWagers(by="seat:1", seat=1, wagers=wagers))
        assert isinstance(outcome, Refusal)
        assert (after, outcome.code) == (table, "bet_taken_in")
