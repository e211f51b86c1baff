"""Script: which clauses a line names, with a ruling and without, and how far ahead lines are told."""

from __future__ import annotations

from dataclasses import replace as with_changed

import pytest
from msgspec.structs import replace

from letitride.engine.decide import open_table
from letitride.engine.script import clauses_in, clauses_of, coming, script
from letitride.engine.state import Ruling, Table
from letitride.engine.steps import KINDS, Step
from letitride.rules import catalog

CLAUSES = {
    "pay": ("nsw:1",),
    "pay:2": ("nsw:2",),
    "pay:base": ("nsw:3",),
    "deal_packet": ("nsw:4",),
    "redeal:deal_packet": ("nsw:5",),
    "return_bets": ("nsw:6",),
    "collect_hand": ("nsw:12.6b.s1", "nsw:12.6c", "nsw:12.7"),
}
MENDS = next(kind for kind, step in KINDS.items() if step.mends and kind != "return_bets")


def a_table(*rulings: Ruling, agenda: tuple[Step, ...] = ()) -> Table:
    rules = with_changed(
        catalog.table_rules("nsw-1"), step_clauses={**CLAUSES, MENDS: ("nsw:12.6b.s1", "nsw:12.6c", "nsw:12.7")}
    )
    return replace(open_table(rules)[0], rulings=rulings, agenda=agenda)


def ruling(name: str, *clauses: str) -> Ruling:
    return Ruling(name=name, sentence="X.", clauses=clauses)


def test_a_step_names_the_clauses_of_its_kind_its_number_and_its_wager() -> None:
    rules = a_table().rules
    assert ("nsw:1",) == clauses_in(rules, Step("pay", 3))
    assert ("nsw:1", "nsw:2", "nsw:3") == clauses_in(rules, Step("pay", 3, "base-1", 2))
    assert ("nsw:1", "nsw:3") == clauses_in(rules, Step("pay", 3, "base-$"))
    assert () == clauses_in(rules, Step("shuffle_deck"))


@pytest.mark.parametrize(
    ("said", "step", "clauses"),
    [
        (("x:redealt",), Step("deal_packet", 3), ("nsw:5",)),
        (("x:redealt",), Step("pay", 3), ("nsw:1",)),
        (("x:stands",), Step("deal_packet", 3), ("nsw:4",)),
        (("x:void", "nsw:12.6"), Step("pay", 3), ("nsw:1",)),
        (("x:void", "nsw:12.6"), Step("return_bets", 3), ("nsw:6",)),
        (("x:void", "nsw:12.6"), Step(MENDS, 3), ("nsw:12.6b.s1", "nsw:12.6c")),
        (("x:void", "nsw:12.6a.s2"), Step(MENDS, 3), ("nsw:12.6b.s1", "nsw:12.6c")),
        (("x:void", "nsw:12.7"), Step(MENDS, 3), ("nsw:12.7",)),
        (("x:void", "nsw:12.9"), Step(MENDS, 3), ("nsw:12.9",)),
        (("x:void",), Step(MENDS, 3), ()),
    ],
)
def test_what_carries_out_a_ruling_rests_on_that_ruling(
    said: tuple[str, ...], step: Step, clauses: tuple[str, ...]
) -> None:
    assert clauses == clauses_of(a_table(ruling("y:void", "nsw:99"), ruling(*said)), step)


def test_a_replacement_rests_on_the_ruling_that_demands_it_though_another_came_between() -> None:
    rulings = ruling("y:replaced", "nsw:1.1"), ruling("x:replaced", "nsw:2.1"), ruling("x:discarded", "nsw:3.1")
    kinds = "replace_card", "replace_community", "discard_drawn"
    assert [clauses_of(a_table(*rulings), Step(kind)) for kind in kinds] == [("nsw:2.1",), ("nsw:2.1",), ("nsw:3.1",)]
    assert clauses_of(a_table(rulings[-1]), Step("replace_card")) == ("nsw:3.1",)


def test_lines_are_told_as_far_as_no_hand_is_opened() -> None:
    agenda = (Step("ask", 1), Step("open_hand", 1), Step("open_hand", 2), Step("pay", 2), Step("open_hand", 3))
    table = a_table(agenda=agenda)
    assert list(agenda) == [line.step for line in script(table)]
    assert list(agenda[:3]) == [line.step for line in coming(table)]
    assert list(agenda[:1]) == [line.step for line in coming(table, 1)]
    plain = (Step("ask", 1),) * 20
    assert 12 == len(coming(a_table(agenda=plain)))
