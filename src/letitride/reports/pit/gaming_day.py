"""Gaming day: from which moment to which a house's day and month go, in its own time zone; it reads no clock.

A gaming day bears the date on which it begins, and lasts until the next one begins: 23 or 25 hours where clocks change.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from functools import cached_property
from typing import Final
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from letitride.errors import InvalidData

HOURS: Final = range(24)
DEFAULT_ZONE: Final = "UTC"
DEFAULT_HOUR: Final = 6
_MS: Final = timedelta(milliseconds=1)
_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_YEARS: Final = range(1971, 9999)


@dataclass(frozen=True)
class GamingDays:
    """How a house counts its days."""

    zone: str = DEFAULT_ZONE
    """By its name in the time zone database: 'America/Los_Angeles'."""
    hour: int = DEFAULT_HOUR
    """The hour by the clock on the wall at which a gaming day begins."""

    def __post_init__(self) -> None:
        if self.hour not in HOURS:
            raise InvalidData(f"expected a gaming day that begins at an hour from 0 to 23, got {self.hour}")
        _ = self._zone

    @cached_property
    def _zone(self) -> ZoneInfo:
        try:
            return ZoneInfo(self.zone)
        except (ZoneInfoNotFoundError, ValueError, OSError):
            raise InvalidData(f"expected a time zone like 'America/Los_Angeles', got '{self.zone}'") from None

    def day(self, on: date) -> tuple[int, int]:
        """Return the first millisecond of a gaming day and that of the next."""
        return self._begins(on), self._begins(on + timedelta(days=1))

    def month(self, year: int, month: int) -> tuple[date, ...]:
        """Return the gaming days of a month."""
        first = date(year, month, 1)
        return tuple(day for day in (first + timedelta(days=n) for n in range(31)) if day.month == month)

    def date_of(self, at_ms: int) -> date:
        """Return the gaming day to which a moment belongs."""
        here = self.local(at_ms)
        one = here.date()
        # By the clock on the wall the hour may come twice, or never: what counts is where the moment lies.
        return one if at_ms >= self._begins(one) else one - timedelta(days=1)

    def local(self, at_ms: int) -> datetime:
        """Return a moment by the clock on the wall."""
        return (_EPOCH + at_ms * _MS).astimezone(self._zone)

    def told(self, at_ms: int) -> str:
        """Return a moment for people: '2026-03-08 06:00:00 PDT'."""
        return self.local(at_ms).strftime("%Y-%m-%d %H:%M:%S %Z")

    def between(self, from_ms: int, to_ms: int) -> Iterator[date]:
        """Yield the gaming days that a time touches."""
        one = self.date_of(from_ms)
        while self._begins(one) < to_ms:
            yield one
            one += timedelta(days=1)

    def _begins(self, on: date) -> int:
        return (datetime.combine(on, time(self.hour), self._zone) - _EPOCH) // _MS


def read_day(text: str) -> date:
    """Return a date as it is typed: 2026-03-08."""
    try:
        found = date.fromisoformat(text)
    except ValueError:
        found = None
    if found is None or found.year not in _YEARS:
        raise InvalidData(f"expected a day like 2026-03-08, got '{text}'")
    return found


def read_month(text: str) -> tuple[int, int]:
    """Return a month as it is typed: 2026-03."""
    try:
        found = date.fromisoformat(f"{text}-01")
    except ValueError:
        found = None
    if found is None or found.year not in _YEARS or len(text) != len("2026-03"):
        raise InvalidData(f"expected a month like 2026-03, got '{text}'")
    return found.year, found.month
