"""Jackpots in the shift report: what they held, took in and paid adds up, and what is owed to players is no win."""

from __future__ import annotations

from pathlib import Path

import pytest

from letitride.engine import commands, events
from letitride.engine.promises import play_checked
from letitride.engine.refusal import Refusal
from letitride.records.rounds import Moment, cut
from letitride.reports.paper.text import as_text
from letitride.reports.shift.data import shift_figures
from letitride.reports.shift.figures import Shift, shift_report
from letitride.reports.shift.page import page
from letitride.rules.plain import plain
from tests.records.test_meters import NOTHING, SEED, a_round, played, room
from tests.records.test_shared_meters import SHARED, room_of

__all__ = ["room"]

ROYAL = a_round("Th Jh Qh", "2c 7d 9s", "3c 8d 9d", "Kh Ah")
MS = 1_000


def moments_of(room: Path, *rounds: str) -> list[Moment]:
    return [
        Moment(number, number * MS, "dealer", step.outcome, step.before if number > 1 else None, step.after)
        for number, step in enumerate(played(room, *rounds).steps, 1)
    ]


def meters_of(found: Shift) -> dict[str, int]:
    assert list(found.meters) == ["jackpot"]
    return {name: cents for name, cents in plain(found.meters["jackpot"]).items() if cents}


def test_a_meter_in_a_shift_is_what_it_held_took_in_and_paid(room: Path) -> None:
    moments = moments_of(room, NOTHING, ROYAL)
    found = shift_report("t1", cut(moments))
    assert meters_of(found) == {
        "fed_cents": 150,
        "seeded_cents": 2 * SEED,
        "paid_cents": SEED + 75,
        "closing_cents": SEED + 75,
    }
    (told,) = shift_figures(found).meters or ()
    assert told.opening_cents + told.fed_cents + told.seeded_cents - told.paid_cents == told.closing_cents
    assert told.closing_cents == moments[-1].after.accounts["meter:jackpot"]
    paper = as_text(page(found))
    assert "Seeded" in paper
    assert "$10,000.75" in paper


def test_what_goes_into_a_meter_is_not_win_and_what_it_pays_no_loss(room: Path) -> None:
    moments = moments_of(room, NOTHING, ROYAL)
    found = shift_report("t1", cut(moments))
    assert found.win_cents == moments[-1].after.accounts["tray"]
    assert found.straddling_cents == 0
    lost = -sum(row.net_cents for one in cut(moments) for rows in one.results.values() for row in rows)
    assert found.win_cents == lost - (SEED + 75)  # what all players lost, less what the house owes by the meter


@pytest.mark.parametrize("at", range(2, 9))
def test_two_shifts_add_up_to_one_wherever_they_part(room: Path, at: int) -> None:
    moments = moments_of(room, NOTHING, ROYAL)
    edge = moments[len(moments) * at // 10].at_ms
    whole = shift_report("t1", cut(moments))
    parts = [
        shift_report("t1", cut(moments, running=True), from_ms, to_ms)
        for from_ms, to_ms in ((None, edge), (edge, None))
    ]
    one, two = (part.meters["jackpot"] for part in parts)
    assert one.closing_cents == two.opening_cents
    assert sum(part.win_cents for part in parts) == whole.win_cents
    for name in ("fed_cents", "seeded_cents", "paid_cents"):
        assert getattr(one, name) + getattr(two, name) == getattr(whole.meters["jackpot"], name)


def test_of_a_shared_meter_the_report_tells_what_came_from_other_tables(tmp_path: Path) -> None:
    moments = moments_of(room_of(tmp_path / "shared", SHARED), NOTHING, ROYAL)
    at = max(n for n, one in enumerate(moments) if any(isinstance(e, events.MetersRead) for e in one.events))
    table = moments[at].start
    table, happened = play_checked(table, commands.ReadMeters(kind="read_meters", meters={"jackpot": SEED + 500_075}))
    assert not isinstance(happened, Refusal)
    told = [*moments[:at], Moment(at + 1, at * MS + MS, "dealer", happened, moments[at].before, table)]
    while table.phase == "settling":
        before, step = table, table.agenda[0]
        do = commands.Do(kind=step.kind, seat=step.seat, wager=step.wager, number=step.number)
        table, happened = play_checked(table, do)
        assert not isinstance(happened, Refusal)
        told.append(Moment(len(told) + 1, len(told) * MS + MS, "dealer", happened, before, table))
    found = shift_report("t1", cut(told))
    (jackpot,) = shift_figures(found).meters or ()
    assert (jackpot.shared, jackpot.fed_cents, jackpot.seeded_cents) == (True, 150, 2 * SEED)
    assert (jackpot.paid_cents, jackpot.elsewhere_cents) == (SEED + 500_075, 500_000)
    assert jackpot.closing_cents == SEED + 75
    assert found.win_cents == told[-1].after.accounts["tray"]
    assert "Other tables" in as_text(page(found))


def test_a_table_without_jackpots_has_none_in_its_report() -> None:
    assert "meters" not in plain(shift_figures(Shift("t1", None, None)))
