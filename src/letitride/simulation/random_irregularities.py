"""Random irregularities: what goes wrong at a fuzzed table, true and false reports, orders and disputes."""

from __future__ import annotations

from typing import Any, Final, get_args

from letitride.chance.seeded import Seeded
from letitride.engine import commands, faults
from letitride.engine.bets import correction_bounds
from letitride.engine.state import Table
from letitride.rules.roles import MACHINE, SPECTATOR, STAFF
from letitride.rules.rulings import Irregularity
from letitride.rules.wager_table import BASE_SPOTS

_REPORTERS: Final = (*STAFF, MACHINE, "seat:1", "seat:4", SPECTATOR)
_MISHAPS: Final = ("exposed", *get_args(commands.MishapKind))
_GROUNDS: Final = get_args(commands.Ground)


def irregularity(table: Table, chance: Seeded) -> commands.AnyCommand:
    """Return an irregularity, or a report or order about one."""
    seen = list(faults.evident(table))
    if seen and chance.chance(0.3):
        found = chance.choice(seen)
        return commands.Report(by=chance.choice(STAFF), kind=found.kind, seat=found.seat, number=found.number)
    roll = chance.below(10)
    if roll < 4:
        return _mishap(table, chance)
    if roll < 6:
        return _report(table, chance)
    return _order(table, chance) if roll < 8 else _words(table, chance)


def mend(table: Table, chance: Seeded) -> commands.AnyCommand | None:
    """Return what a player does about uneven bets when asked."""
    step = table.next_step
    if step is None or step.kind != "await_correction":
        return None
    by, seat = f"seat:{step.seat}", table.seats[step.seat]
    if step.number == 1 and chance.chance(0.3):
        return commands.Fold(by=by, seat=seat.number)
    if step.number == 2 and chance.chance(0.2):
        return commands.RefuseCorrection(by=by, seat=seat.number)
    return commands.Correct(by=by, seat=seat.number, cents=chance.choice(correction_bounds(table, seat)))


def _mishap(table: Table, chance: Seeded) -> commands.Mishap:
    seat = chance.choice((0, *table.seats))
    wagers: Any = {spot: chance.choice((0, 100, 500, 1_000, 100_000)) for spot in BASE_SPOTS}
    kind: Any = chance.choice(_MISHAPS)
    if chance.chance(0.05):  # what cannot be so
        return commands.Mishap(by="dealer", kind=kind, seat=seat, number=chance.below(4), wagers=wagers)
    return commands.Mishap(
        by="table",
        kind=kind,
        seat=0 if kind in {"drawn", "unloaded", "exposed_burn", "burn"} else seat,
        number={"exposed": chance.below(4), "drawn": chance.below(2), "burn": 2}.get(kind, 0),
        wagers=wagers if kind == "bets" else {},
    )


def _report(table: Table, chance: Seeded) -> commands.AnyCommand:
    kind: Any = chance.choice((*get_args(Irregularity), "device_jam", "device_miscount", "absent"))
    seat = chance.choice((0, 0, *table.seats))
    step = table.next_step
    if kind == "absent" and step is not None:
        seat = step.seat
    if chance.chance(0.1):
        return commands.WentAway(
            by=chance.choice(("dealer", "floor", "seat:1")), seat=chance.choice((*table.seats, 99))
        )
    return commands.Report(by=chance.choice(_REPORTERS), kind=kind, seat=seat, number=chance.below(3))


def _order(table: Table, chance: Seeded) -> commands.Order:
    seats = chance.shuffled(tuple(table.seats))[: chance.below(3)]
    kind: Any = chance.choice(get_args(commands.OrderKind))
    if kind in {"bar", "close"} and chance.chance(0.8):
        kind = "count"
    ground: Any = chance.choice(_GROUNDS)
    return commands.Order(
        by=chance.choice(STAFF),
        kind=kind,
        seats=tuple(seats),
        number=chance.below(3),
        cents_min=chance.choice((0, 500, 600)),
        cents_max=chance.choice((0, 50_000, 1_000)),
        minute=chance.below(200),
        ground=ground,
        why=chance.choice(("", "a storm")),
    )


def _words(table: Table, chance: Seeded) -> commands.AnyCommand:
    seat = chance.choice((*table.seats, 0))
    by = chance.choice((f"seat:{seat}", *STAFF))
    acts: tuple[commands.AnyCommand, ...] = (
        commands.RaiseDispute(by=f"seat:{seat}", seat=seat, about=chance.choice(("the pay", ""))),
        commands.RaiseDispute(by=f"seat:{seat}", seat=seat, about="a line\nof two"),
        commands.DecideDispute(
            by=by,
            number=chance.choice((1, table.disputes_raised)),
            upheld=chance.chance(0.5),
            cents=chance.choice((0, 500)),
            why=chance.choice(("seen", "")),
            absent=chance.choice(((), ("games_supervisor",))),
        ),
        commands.AppealDispute(by=f"seat:{seat}", seat=seat),
        commands.AskAdvice(by=f"seat:{seat}", seat=seat, wanted=chance.chance(0.5)),
        commands.Advise(by=chance.choice((*STAFF, SPECTATOR, "seat:2")), seat=seat, words="ride it"),
        commands.Correct(by=f"seat:{seat}", seat=seat, cents=chance.choice((0, 500, 1_000))),
        commands.Fold(by=f"seat:{seat}", seat=seat),
        commands.RefuseCorrection(by=f"seat:{seat}", seat=seat),
    )
    return chance.choice(acts)
