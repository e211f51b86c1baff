"""Steps: what carries out a ruling is done before anything else is ruled, and by the role that has to do it."""

from __future__ import annotations

from msgspec.structs import replace

from letitride.engine import commands, places
from letitride.engine.decide import play
from letitride.engine.legal import legal
from letitride.engine.places import CardObject
from letitride.engine.refusal import Refusal
from letitride.engine.state import Table
from letitride.engine.steps import KINDS, Step
from tests.engine.recorded import by_another, recorded

REPORTED = next(
    step
    for step in recorded("irregularities/exposed-community/california-1").steps
    if isinstance(step.command, commands.Report)
)
"""A community card lies face up in mid-deal."""


def reported(**values: object) -> Table:
    """The table after that was reported, by a book that says otherwise."""
    assert REPORTED.command is not None
    table, outcome = play(by_another(REPORTED.before, **values), REPORTED.command)
    assert not isinstance(outcome, Refusal), outcome
    return table


def dealers_cards(table: Table) -> tuple[CardObject, ...]:
    return (*table.at(places.PACKET), *table.community())


def refused(table: Table, command: commands.AnyCommand) -> str:
    refusal = legal(table, command)
    return refusal.code if refusal else ""


def test_an_exposed_community_card_that_stays_is_turned_face_down_before_anything_else_is_ruled() -> None:
    table = reported(irreg__exposed_community="as_player_card")
    assert [False, False, True] == [card.up for card in dealers_cards(table)]  # the first place, two left in the packet
    assert "ruling_first" == refused(table, commands.Report(by="machine", kind="device_failure"))
    after, outcome = play(table, commands.Do(kind="turn_down_community", number=1))
    assert not isinstance(outcome, Refusal), outcome
    assert [(card.serial, False) for card in dealers_cards(table)] == [(c.serial, c.up) for c in dealers_cards(after)]
    assert after.agenda == REPORTED.before.agenda
    assert "" == refused(after, commands.Report(by="machine", kind="device_failure"))


def test_a_misdeal_is_declared_by_the_floor_where_the_book_says_so() -> None:
    for declares, other, kind in (
        ("dealer", "floor", "declare_misdeal"),
        ("floor", "dealer", "floor_declares_misdeal"),
    ):
        table = reported(misdeal__declared_by=declares)
        assert "not_your_role" == refused(table, commands.Do(by=other, kind=kind))
        after, outcome = play(table, commands.Do(by=declares, kind=kind))
        assert not isinstance(outcome, Refusal), outcome
        assert after.agenda == table.agenda[1:]


def test_the_table_waits_for_players_in_what_they_do_themselves() -> None:
    waits = [kind for kind in KINDS if kind.startswith("await_")]
    assert {"await_inspection", "await_bank", "await_choice", "await_correction"} == set(waits)
    for kind in waits:
        table = replace(REPORTED.before, agenda=(Step(kind, 3, number=1),))
        for by in ("dealer", "floor"):
            assert "waiting_for_player" == refused(table, commands.Do(by=by, kind=kind, seat=3, number=1)), kind


def test_nothing_is_ruled_before_the_last_ruling_is_carried_out() -> None:
    kinds = list(KINDS)
    first = kinds.index("turn_down")  # from here on the script is about what is wrong
    mends = {*kinds[first:]} - {"await_correction", "tell_inspector"}  # these wait for a player, or only tell
    fails = commands.Report(by="machine", kind="device_failure")
    ruled = {kind: refused(replace(REPORTED.before, agenda=(Step(kind, 3),)), fails) for kind in kinds}
    assert {kind: "ruling_first" if kind in mends else "" for kind in kinds} == ruled
