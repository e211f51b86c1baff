"""Table day: everything that a table did within a time, gathered in one reading of its journal and the audit."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import msgspec

from letitride.records.rounds import PlayedRound
from letitride.reports.pit.figures import Figures, as_kept, as_read, figures_of
from letitride.reports.pit.incident_log import LogEntry, People, log_entries
from letitride.reports.pit.ratings import Rating, Ratings
from letitride.reports.pit.rotation import Dealt, Stint, dealer_of, end_at, machine_steps, stints
from letitride.reports.shift.figures import shift_report
from letitride.storage.roles.audit import AuditRow

FORMAT = 1


class TableDay(msgspec.Struct, frozen=True, kw_only=True):
    """A table within a time."""

    table: str
    from_ms: int
    to_ms: int
    row: int
    """The last row of the journal that counts in it; 0: none."""
    figures: Figures
    stints: tuple[Stint, ...]
    dealt: tuple[Dealt, ...]
    log: tuple[LogEntry, ...]
    ratings: tuple[Rating, ...]
    format: int = FORMAT


def table_day(
    table_id: str,
    rounds: Iterable[PlayedRound],
    audit: Sequence[AuditRow],
    people: People,
    *,
    from_ms: int,
    to_ms: int,
    now_ms: int,
) -> TableDay:
    """Return what a table did within a time, from the rounds that touch it and the audit of that time."""
    played = list(rounds)
    shift = shift_report(table_id, played, from_ms, to_ms)
    ratings, log, dealt = Ratings(table_id, from_ms), list[LogEntry](), dict[str, Dealt]()
    row = 0
    shifts = end_at(stints(audit, table_id), [at for one in played for at in machine_steps(one)])
    for one in played:
        for moment in one.moments:
            if from_ms <= moment.at_ms < to_ms:
                row = moment.number
                ratings.moment(moment)
        log += (entry for entry in log_entries(one, table_id, people) if from_ms <= entry.at_ms < to_ms)
        if one.status != "running" and from_ms <= one.ended_ms < to_ms:
            ratings.round(one)
            _count(dealt, one, shifts)
    return TableDay(
        table=table_id,
        from_ms=from_ms,
        to_ms=to_ms,
        row=row,
        figures=figures_of(shift),
        stints=tuple(_within(shifts, from_ms, to_ms)),
        dealt=tuple(dealt.values()),
        log=tuple(log),
        ratings=tuple(ratings.finish(min(to_ms, now_ms))),
    )


def _count(dealt: dict[str, Dealt], one: PlayedRound, shifts: Iterable[Stint]) -> None:
    name = dealer_of(one, shifts)
    before = dealt.get(name, Dealt(dealer=name))
    bank = one.last.rules.rules.bank.mode
    won = shift_report("", [one]).win_cents if bank == "house" else 0
    dealt[name] = Dealt(dealer=name, rounds=before.rounds + 1, win_cents=before.win_cents + won)


def _within(found: Iterable[Stint], from_ms: int, to_ms: int) -> Iterable[Stint]:
    return (one for one in found if one.from_ms < to_ms and (one.to_ms is None or one.to_ms > from_ms))


def encoded(one: TableDay) -> bytes:
    """Return a table's day as it is kept."""
    return msgspec.json.encode(one, enc_hook=as_kept)


def decoded(kept: bytes) -> TableDay | None:
    """Return a table's day that was kept; nothing where it was kept in another form."""
    try:
        found = msgspec.json.decode(kept, type=TableDay, dec_hook=as_read)
    except msgspec.ValidationError:
        return None
    return found if found.format == FORMAT else None
