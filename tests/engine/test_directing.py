"""Directing: what is offered to those who run a table is taken, what is refused says why, and nothing hidden is told."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import msgspec
import pytest

from letitride.engine import commands, faults
from letitride.engine.decide import open_table, play
from letitride.engine.directing import decisions, orders, reports
from letitride.engine.refusal import Refusal
from letitride.engine.script import coming
from letitride.engine.state import Table
from letitride.records.reader import read_record
from letitride.records.replay import replay
from tests.server.journals import HOUSES, rules_of

RECORDS = Path(__file__).parent.parent / "records" / "irregularities"
ROLES = ("dealer", "floor", "casino_supervisor", "inspector")


@cache
def tables(house: str) -> list[Table]:
    """The table after each step of the records of a book's irregularities."""
    found = []
    for path in sorted(RECORDS.glob(f"*/{house}*.round"))[::3]:
        found += [step.after for step in replay(read_record(path.read_text(encoding="utf-8")), str(path)).steps]
    return found


@pytest.mark.parametrize("house", HOUSES)
def test_every_report_and_order_that_is_offered_is_taken(house: str) -> None:
    taken: set[str] = set()
    wrong = [table for table in tables(house) if next(faults.evident(table), None) is not None]
    for table in (*tables(house)[::41], *wrong[::11]):
        for role in ROLES:
            for one in reports(table, role):
                _, outcome = play(table, one.command)
                assert not isinstance(outcome, Refusal), outcome
                taken.add(one.command.__class__.__name__)
            for offer in orders(table, role, 600):
                order = commands.Order(
                    by=role,
                    kind=offer.kind,
                    seats=offer.seats[: max(offer.seats_min, 0)],
                    number=offer.decks[0] if offer.decks else 0,
                    cents_min=(table.rules.rules.limit.cents_min or 0) + 500 * (offer.kind == "announce_minimum"),
                    cents_max=table.rules.rules.limit.cents_max or 0,
                    minute=600,
                    when=600 + offer.notice_minutes,
                    ground=offer.grounds[0] if offer.grounds else "",
                    why="a reason",
                )
                _, outcome = play(table, order)
                assert isinstance(outcome, Refusal) == (offer.refusal is not None), (offer, outcome)
                taken |= {offer.kind} if offer.refusal is None else set()
    assert {"Report", "WentAway", "count", "limits", "annul"} <= taken


@pytest.mark.parametrize("house", HOUSES)
def test_the_next_lines_tell_nothing_of_what_lies_face_down(house: str) -> None:
    longest = 0
    for table in tables(house):
        lines = [one.step.kind for one in coming(table)]
        assert lines[:1] == [step.kind for step in table.agenda[:1]]
        if "open_hand" in lines:
            assert set(lines[lines.index("open_hand") :]) == {"open_hand"}
        longest = max(longest, len(lines))
    assert longest == 12


def test_a_complaint_is_offered_to_who_may_decide_it() -> None:
    table, _ = open_table(rules_of("nsw-1"))
    table, _ = play(table, commands.Sit(by="seat:1", seat=1, player="Ann", cents=50_000))
    table, _ = play(table, commands.RaiseDispute(by="seat:1", seat=1, about="my flush was not paid"))
    heard_by = table.disputes[0].heard_by
    deciders = {role: offers[0] for role in ROLES if (offers := decisions(table, role))}
    assert set(deciders) == set(ROLES) & set(heard_by)
    for role, offer in deciders.items():
        assert offer.absent == heard_by[: heard_by.index(role)]
        decide = commands.DecideDispute(by=role, number=1, upheld=True, cents=500, why="it was so", absent=offer.absent)
        _, outcome = play(table, decide)
        assert not isinstance(outcome, Refusal)
    assert not decisions(msgspec.structs.replace(table, disputes=()), "floor")
