"""Incident log: what went wrong at a table and what was ordered and decided there; it rules on nothing."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Literal

import msgspec

from letitride.engine import events
from letitride.engine.disputes import told
from letitride.records.rounds import Moment, PlayedRound
from letitride.rules.money import dollars
from letitride.rules.roles import spoken

EntryKind = Literal["irregularity", "order", "dispute", "ruling on a dispute"]
People = Mapping[tuple[int, int], str]
"""Who of the house did what, by row and time."""


class LogEntry(msgspec.Struct, frozen=True, kw_only=True):
    """An entry of the incident log."""

    at_ms: int
    table: str
    round: int
    row: int
    kind: EntryKind
    seat: int
    """0: none in particular."""
    player: str
    reporter: str
    """In which role it was reported, ordered or decided: 'dealer', 'player', 'machine'."""
    reporter_name: str
    """Who that was, where it is on record."""
    ruling: str
    clauses: tuple[str, ...]
    """None: a house default."""


def log_entries(one: PlayedRound, table_id: str, people: People) -> Iterator[LogEntry]:
    """Yield the entries of a round, in order."""
    for moment in one.moments:
        for event in moment.events:
            match event:
                case events.Ruled(ruling=ruling):
                    order = ruling.name.startswith("order:")
                    seat = ruling.seat or (ruling.seats[0] if len(ruling.seats) == 1 else 0)
                    kind: EntryKind = "order" if order else "irregularity"
                    said = "; ".join(part for part in (ruling.sentence, ruling.why) if part)
                    by, clauses = ruling.by or moment.by, ruling.clauses
                case events.DisputeRaised(dispute=dispute):
                    kind, seat, by, clauses = "dispute", dispute.seat, f"seat:{dispute.seat}", ()
                    said = f"dispute {dispute.number}: {told(dispute, moment.after)}"
                case events.DisputeDecided():
                    kind, seat, by, clauses = "ruling on a dispute", event.seat, event.by, event.clauses
                    paid = sum(chips.cents for chips in event.chips)
                    award = f", {dollars(paid)} paid" if paid else ""
                    verdict = "for the player" if event.upheld else "against the player"
                    said = f"dispute {event.number}: {verdict}{award}; {event.why}"
                case _:
                    continue
            yield LogEntry(
                at_ms=moment.at_ms,
                table=table_id,
                round=one.number,
                row=moment.number,
                kind=kind,
                seat=seat,
                player=_player(moment, seat),
                reporter=_role(by),
                reporter_name=_name(moment, by, people),
                ruling=said,
                clauses=clauses,
            )


def _player(moment: Moment, seat: int) -> str:
    sits = moment.start.seats.get(seat)
    return sits.player if sits is not None else ""


def _role(by: str) -> str:
    return "player" if by.startswith("seat:") else spoken(by)


def _name(moment: Moment, by: str, people: People) -> str:
    if by.startswith("seat:"):
        return _player(moment, int(by.removeprefix("seat:")))
    return people.get((moment.number, moment.at_ms), "")
