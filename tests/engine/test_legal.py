"""Legal: whatever is refused is refused with a code and a sentence, and every code there is is met by a test."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

from msgspec.structs import replace

import letitride.engine
from letitride.engine import commands, legal
from letitride.engine.decide import open_table, play
from letitride.engine.refusal import Refusal
from letitride.engine.state import Table
from letitride.records.reader import read_record
from letitride.records.replay import replay
from letitride.rules import catalog
from letitride.simulation.storm import Tally, storm
from tests.engine.recorded import ROUNDS, recorded

SOURCES = Path(letitride.engine.__file__).parent
TESTS = Path(__file__).parent.parent
CODE = re.compile(r'Refusal\(\s*"([a-z_]+)"')


def every_code() -> set[str]:
    """Return the codes of all refusals in the source of the engine."""
    return {code for path in SOURCES.glob("*.py") for code in CODE.findall(path.read_text(encoding="utf-8"))}


@cache
def met_in_storms() -> frozenset[str]:
    """Return the codes that a short storm by each book meets."""
    tallies = [storm(catalog.ready_rules(book), 3_000, seed=1) for book in catalog.rulebook_ids()]
    return frozenset(code for tally in tallies if isinstance(tally, Tally) for code in tally.codes)


def code(table: Table, command: commands.AnyCommand) -> str:
    """Return the code with which a command is refused."""
    refusal = legal.legal(table, command)
    assert refusal is not None
    assert refusal.sentence.endswith(".")
    return refusal.code


def opened(ref: str) -> Table:
    table, _ = open_table(catalog.ready_rules(ref))
    for seat in (1, 2):
        table, outcome = play(table, commands.Sit(by=f"seat:{seat}", seat=seat, player=f"P{seat}", cents=90_000))
        assert not isinstance(outcome, Refusal), outcome
    return table


def complained(ref: str) -> Table:
    table, outcome = play(opened(ref), commands.RaiseDispute(by="seat:1", seat=1, about="the last payment"))
    assert not isinstance(outcome, Refusal), outcome
    return table


def test_an_order_that_nobody_knows() -> None:
    assert "unknown_order" == code(opened("nsw-1"), commands.Order(by="floor", kind="sing"))


def test_a_mishap_that_says_what_it_cannot_know() -> None:
    assert "bad_mishap" == code(opened("nsw-1"), commands.Mishap(by="table", kind="unloaded", wagers={"base-1": 5}))


def test_a_choice_that_is_none() -> None:
    asked = next(
        step.before
        for step in recorded("examples/new-south-wales").steps
        if isinstance(step.command, commands.Choose) and step.before is not step.after
    )
    step = asked.next_step
    assert step is not None
    wish = commands.Choose(by=f"seat:{step.seat}", seat=step.seat, bet=step.number, choice="double")
    assert "bad_choice" == code(asked, wish)


def test_a_second_complaint_waits_for_the_first() -> None:
    again = commands.RaiseDispute(by="seat:1", seat=1, about="the one before")
    assert "dispute_open" == code(complained("nsw-1"), again)


def test_the_house_pays_nothing_for_a_players_bank() -> None:
    table = complained("california-1")
    (dispute,) = table.disputes
    wish = commands.DecideDispute(by=dispute.heard_by[0], number=dispute.number, upheld=True, cents=500, why="so it is")
    assert "house_does_not_pay" == code(table, wish)


def test_a_bet_that_the_book_lets_nobody_refuse() -> None:
    betting = next(step.after for step in recorded("examples/hand-dealt").steps if step.after.phase == "betting")
    table = replace(betting, rules=catalog.ready_rules("hand-dealt-1", {"bet.refuse": "no"}))
    seat = next(number for number, one in table.seats.items() if one.player)
    assert "no_refusal" == code(table, commands.Order(by="floor", kind="refuse_bet", seats=(seat,), why="a reason"))


def test_who_was_told_to_leave_neither_bets_nor_joins_again() -> None:
    steps = recorded("examples/new-south-wales").steps
    table = next(step.after for step in steps if step.after.phase == "betting" and step.after.seats[1].wagers)
    bar = commands.Order(by="casino_supervisor", kind="bar", seats=(1,), ground="collusion")
    barred, outcome = play(table, bar)
    assert not isinstance(outcome, Refusal)
    bets = commands.PlaceWagers(by="seat:1", seat=1, wagers=dict(table.seats[1].wagers))
    assert "must_leave" == code(barred, bets)
    assert "must_leave" == code(barred, commands.SitOut(by="seat:1", seat=1, out=False))


def test_a_deck_that_is_not_in_use_is_not_changed() -> None:
    table = next(step.after for step in recorded("examples/new-south-wales").steps if step.after.phase == "idle")
    by = table.rules.rules.supervisor
    assert "no_such_deck" == code(table, commands.Order(by=by, kind="change_deck", number=9, why="a reason"))


def test_what_was_ruled_and_stands_is_not_ruled_again() -> None:
    found = set()
    for name in ROUNDS:
        steps = recorded(name).steps
        for place, step in enumerate(steps):
            if isinstance(step.command, commands.Report) and not isinstance(step.outcome, Refusal):
                refusals = (legal.legal(later.after, step.command) for later in steps[place:])
                found |= {refusal.code for refusal in refusals if refusal is not None}
    assert "already_ruled" in found


def test_a_side_bet_that_was_not_made_is_not_claimed() -> None:
    claim = commands.Claim(by="seat:1", seat=1, shown=True)
    refs = [f"{book}+{variant}" for book in catalog.rulebook_ids() for variant in catalog.rulebook(book).variants]
    ref = next(ref for ref in refs if catalog.ready_rules(ref).rules.three_card.settle == "early_claim")
    assert "nothing_to_claim" == code(opened(ref), claim)


def test_a_player_who_was_told_to_leave_does_not_take_part_again() -> None:
    bets = "rulebook nsw-1\nseat 1 sits Ann 500\nround\nseat 1 bets 10\nseat 1 looks\n"
    barred = "casino_supervisor orders bar seats 1 ground device\nseat 1 rejoins => must_leave\n"
    done = replay(read_record(f"{bets}{barred}seat 1 rides 1\nseat 1 rides 2\n"))
    assert done.table.seats[1].player == ""  # gone with the end of the round
    assert done.table.barred == ("Ann",)


def test_every_code_of_a_refusal_is_met_in_a_storm_or_named_by_a_test() -> None:
    named = "".join(path.read_text(encoding="utf-8") for path in sorted(TESTS.rglob("*.py")))
    unmet = {one for one in every_code() - met_in_storms() if not re.search(rf'(?:"|=> ){one}\b', named)}
    assert set() == unmet
