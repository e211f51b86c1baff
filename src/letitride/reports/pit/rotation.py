"""Rotation: who dealt at a table from when to when, and whom they relieved; by the record, and never by a guess.

A shift ends where the audit says so. Where it does not, as after a crash, it ended before the automatic dealer's next
step: a person's step is a command of theirs in the journal, and the automatic dealer's is none.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

import msgspec

from letitride.engine.events import StepDone
from letitride.records.rounds import Moment, PlayedRound
from letitride.storage.roles.audit import AuditRow

AUTOMATIC: Final = "automatic"
UNKNOWN: Final = "not recorded"
TAKEN: Final = "shift.taken"
ENDED: Final = "shift.ended"


class Stint(msgspec.Struct, frozen=True, kw_only=True):
    """A dealer's time at a table."""

    dealer: str
    from_ms: int
    to_ms: int | None
    """Nothing where it goes on."""
    ended_by: str = ""
    why: str = ""


class Dealt(msgspec.Struct, frozen=True, kw_only=True):
    """What a dealer dealt at a table: a round counts for the one who did its last step."""

    dealer: str
    """'automatic', or who it was; 'not recorded' where the audit has no shift for a person's steps."""
    rounds: int = 0
    win_cents: int = 0


def stints(audit: Iterable[AuditRow], table_id: str) -> list[Stint]:
    """Return the shifts of dealers at a table, as the audit tells them."""
    found: list[Stint] = []
    for row in audit:
        what, _, table = row.what.partition(" ")
        if table != table_id:
            continue
        if what == TAKEN:
            found = _ended(found, row.at, "", "not recorded")
            found.append(Stint(dealer=row.who, from_ms=row.at, to_ms=None))
        elif what == ENDED:
            found = _ended(found, row.at, row.who, row.why)
    return found


def _ended(found: list[Stint], at_ms: int, by: str, why: str) -> list[Stint]:
    if not found or found[-1].to_ms is not None:
        return found
    return [*found[:-1], msgspec.structs.replace(found[-1], to_ms=at_ms, ended_by=by, why=why)]


def end_at(found: list[Stint], machine_ms: Iterable[int]) -> list[Stint]:
    """Return shifts, those without a recorded end ended by the automatic dealer's first step after they began."""
    steps = sorted(machine_ms)

    def ended(one: Stint) -> Stint:
        if one.to_ms is not None and one.ended_by:
            return one
        first = next((at for at in steps if at > one.from_ms and (one.to_ms is None or at < one.to_ms)), None)
        return one if first is None else msgspec.structs.replace(one, to_ms=first, ended_by="", why="not recorded")

    return [ended(one) for one in found]


def dealer_of(one: PlayedRound, shifts: Iterable[Stint]) -> str:
    """Return who did the last dealer's step of a round: 'automatic' where no person did."""
    last = next((moment for moment in reversed(one.moments) if _is_step(moment)), None)
    if last is None or not last.command:
        return AUTOMATIC
    there = [
        one.dealer for one in shifts if one.from_ms <= last.at_ms and (one.to_ms is None or last.at_ms <= one.to_ms)
    ]
    return there[-1] if there else UNKNOWN


def machine_steps(one: PlayedRound) -> list[int]:
    """Return when the automatic dealer did a step in a round."""
    return [moment.at_ms for moment in one.moments if _is_step(moment) and not moment.command]


def _is_step(moment: Moment) -> bool:
    return moment.by == "dealer" and any(isinstance(event, StepDone) for event in moment.events)
