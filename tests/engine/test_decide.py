"""Decide: the same command at the same table always has the same consequences, and a refusal has none."""

from __future__ import annotations

import pytest

from letitride.engine import commands
from letitride.engine.decide import decide, open_table, play
from letitride.engine.legal import legal
from letitride.engine.refusal import Refusal
from letitride.rules import catalog
from tests.engine.recorded import ROUNDS, recorded

NOT_TO_BE_MADE = (
    commands.Sit(by="seat:1", seat=1, player="Eve", cents=0),
    commands.Choose(by="seat:1", seat=1, bet=3, choice="ride"),
    commands.Order(by="seat:1", kind="close"),
    commands.Mishap(by="floor", kind="exposed"),
)


@pytest.mark.parametrize("name", ROUNDS)
def test_every_command_of_a_recorded_round_is_decided_the_same_again(name: str) -> None:
    played = [step for step in recorded(name).steps if step.command is not None]
    assert played
    for step in played:
        assert step.command is not None
        assert step.outcome == decide(step.before, step.command)


@pytest.mark.parametrize("name", ROUNDS)
def test_a_command_that_must_be_refused_changes_nothing_at_any_moment(name: str) -> None:
    for step in recorded(name).steps:
        for command in NOT_TO_BE_MADE:
            after, outcome = play(step.after, command)
            assert after is step.after
            assert isinstance(outcome, Refusal)
            assert outcome == legal(step.after, command)


def test_a_table_opens_with_its_rules_and_what_is_done_first() -> None:
    for book in catalog.rulebook_ids():
        table, happened = open_table(catalog.ready_rules(book))
        assert ("opening", book) == (table.phase, table.rules.book.id)
        assert ["TableOpened", "PhaseBegan"] == [type(event).__name__ for event in happened]
        assert table.agenda
