"""Players: people with a plan: what they bet and whether they bank; they never decide about a hand."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from letitride.engine import commands
from letitride.engine.bets import betting_open
from letitride.engine.legal import legal
from letitride.engine.state import Table
from letitride.rules.settlement import Spot


@dataclass(frozen=True, slots=True)
class Planned:
    """Players who bet the same each round, look a spread deck over, and take the bank or decline it."""

    wagers: Mapping[int, Mapping[Spot, int]]
    bank_cents: Mapping[int, int] = field(default_factory=dict)
    """The stake of each seat that takes the bank when it is offered; the others decline."""

    def __call__(self, table: Table) -> commands.AnyCommand | None:
        """Return what one of them does now; None: nothing that is planned."""
        return (self._bet(table) if table.phase == "betting" else None) or self._answer(table)

    def _bet(self, table: Table) -> commands.AnyCommand | None:
        if not betting_open(table):
            return None
        for seat, wagers in self.wagers.items():
            if not table.seats[seat].wagers and not table.banks(seat):
                bets = commands.PlaceWagers(by=f"seat:{seat}", seat=seat, wagers=dict(wagers))
                if legal(table, bets) is None:  # there may be a seat without a betting area
                    return bets
        return None

    def _answer(self, table: Table) -> commands.AnyCommand | None:
        step = table.next_step
        if step is None:
            return None
        by, seat = f"seat:{step.seat}", step.seat
        match step.kind:
            case "await_bank" if seat in self.bank_cents:
                return commands.TakeBank(by=by, seat=seat, cents=self.bank_cents[seat])
            case "await_bank":
                return commands.DeclineBank(by=by, seat=seat)
            case "await_inspection":
                return commands.LookOver(by=by, seat=seat)
            case _:
                return None
