"""Pit days: a house's gaming day or month, gathered from the journals of its tables and the audit; it keeps nothing."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date

from letitride.errors import InvalidData
from letitride.reports.pit.day_data import PitReport, pit_report
from letitride.reports.pit.gaming_day import GamingDays, read_day, read_month
from letitride.reports.pit.table_day import TableDay, table_day
from letitride.server.tables.audit_notes import people_of
from letitride.storage.past import Past
from letitride.storage.roles.audit import entries_between
from letitride.storage.roles.stores import Stores

DAY_MS = 24 * 60 * 60_000
"""How long before the time of the report a shift may have begun that is part of it."""


def report_of(stores: Stores, days: GamingDays, day: str, month: str, now_ms: int) -> PitReport:
    """Return the report of a gaming day, or of a month; of today where neither is named."""
    if day and month:
        raise InvalidData("expected a day or a month, got both")
    dates = days.month(*read_month(month)) if month else (read_day(day) if day else days.date_of(now_ms),)
    span = _span(days, dates)
    return pit_report(month or dates[0].isoformat(), days, list(_tables(stores, span, now_ms)), span)


def _span(days: GamingDays, dates: tuple[date, ...]) -> tuple[int, int]:
    return days.day(dates[0])[0], days.day(dates[-1])[1]


def _tables(stores: Stores, span: tuple[int, int], now_ms: int) -> Iterator[tuple[str, TableDay]]:
    """Yield every table that was played within a time, by its name."""
    from_ms, to_ms = span
    audit = list(entries_between(stores.audit, from_ms - DAY_MS, to_ms))
    for record in stores.tables.all():
        past = Past(stores.journal, stores.documents, record.id)
        rounds = past.rounds_touching(from_ms, to_ms)
        people = people_of(audit, record.id)
        found = table_day(record.id, rounds, audit, people, from_ms=from_ms, to_ms=to_ms, now_ms=now_ms)
        if found.row or found.stints:
            yield record.name or record.id, found
