"""The script: followed line by line it plays a round by any book, and names the clauses it obeys."""

from __future__ import annotations

import random

import pytest

from letitride.autoplay.steps import Fixed, command_for
from letitride.engine import commands, places
from letitride.engine.decide import open_table, play
from letitride.engine.refusal import Refusal
from letitride.engine.script import clauses_in, script
from letitride.engine.steps import Step
from letitride.rules import catalog
from letitride.rules.cards import DECK

HOUSE_BANKED = [book for book in catalog.rulebook_ids() if catalog.rulebook(book).rules.bank.mode == "house"]
TABLES = [*HOUSE_BANKED, *(f"{b}+{v}" for b in HOUSE_BANKED for v in catalog.rulebook(b).variants)]
FACES = [str(card) for card in DECK]


@pytest.mark.parametrize("ref", TABLES)
def test_the_script_alone_leads_to_the_end_of_a_round_and_names_its_clauses(ref: str) -> None:
    table, _ = open_table(catalog.table_rules(ref))
    rng = random.Random(1)
    told = []
    while table.round < 2:
        if table.phase == "idle" and table.next_step is None:
            table, _ = play(table, commands.Sit(by="seat:4", seat=4, player="Ann", cents=100_000))
            continue
        if table.phase == "betting" and not table.seats[4].wagers:
            table, outcome = play(
                table,
                commands.PlaceWagers(by="seat:4", seat=4, wagers={"base-1": 1_000, "base-2": 1_000, "base-$": 1_000}),
            )
            assert not isinstance(outcome, Refusal)
        line = script(table)[0]
        told.append(line)
        if line.step.kind == "await_inspection":
            command: commands.AnyCommand = commands.LookOver(by="seat:4", seat=4)
        elif line.step.kind == "await_choice":
            command = commands.Choose(by="seat:4", seat=4, bet=line.step.number, choice="ride")
        else:
            command = command_for(table, line.step, Fixed(tuple(rng.sample(FACES, 52))))
            assert line.actor == command.by
        table, outcome = play(table, command)
        assert not isinstance(outcome, Refusal), line
    documents = set(catalog.documents(catalog.rulebook(ref)))
    cited = {clause.partition(":")[0] for line in told for clause in line.clauses}
    assert cited <= documents
    assert sum(bool(line.clauses) for line in told) > len(told) / 2
    assert all(line.text and "{" not in line.text for line in told)


def test_a_table_never_holds_more_than_its_decks_and_its_players_money() -> None:
    table, _ = open_table(catalog.table_rules("nsw-1"))
    assert len(table.at(places.CHEST)) == 52
    assert table.accounts == {}


def test_no_clause_is_cited_for_a_bet_that_no_document_knows() -> None:
    rules = catalog.ready_rules("examples/riverside/riverside.toml")
    assert clauses_in(rules, Step("pay", seat=1, wager="base-1"))
    assert clauses_in(rules, Step("pay", seat=1, wager="pairs_plus")) == ()
