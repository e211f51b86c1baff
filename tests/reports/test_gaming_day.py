"""Gaming days: none overlaps another, none leaves a gap, and those on which clocks change are an hour shorter or longer."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta

import pytest

from letitride.errors import InvalidData
from letitride.reports.pit.gaming_day import GamingDays, read_day, read_month

HOUR_MS = 3_600_000


def ms(text: str) -> int:
    return int(datetime.fromisoformat(text).timestamp() * 1000)


@pytest.mark.parametrize(
    ("zone", "day", "hours"),
    [
        ("America/Los_Angeles", date(2026, 3, 7), 23),  # begins on the 7th, and clocks go forward in its night
        ("America/Los_Angeles", date(2026, 3, 8), 24),
        ("America/Los_Angeles", date(2026, 10, 31), 25),
        ("Australia/Sydney", date(2026, 4, 4), 25),
        ("Australia/Sydney", date(2026, 10, 3), 23),
        ("Australia/Lord_Howe", date(2026, 4, 4), 24.5),
        ("Asia/Kolkata", date(2026, 3, 8), 24),
        ("UTC", date(2026, 3, 8), 24),
    ],
)
def test_a_day_on_which_clocks_change_is_shorter_or_longer(zone: str, day: date, hours: float) -> None:
    begins, ends = GamingDays(zone, 6).day(day)
    assert ends - begins == hours * HOUR_MS


def test_a_day_begins_by_the_clock_on_the_wall() -> None:
    days = GamingDays("America/Los_Angeles", 6)
    assert days.day(date(2026, 3, 7))[0] == ms("2026-03-07T06:00:00-08:00")
    assert days.day(date(2026, 3, 8))[0] == ms("2026-03-08T06:00:00-07:00")
    assert days.told(days.day(date(2026, 3, 8))[0]) == "2026-03-08 06:00:00 PDT"
    # An hour that the wall does not show: the day begins when the clocks have gone forward.
    assert GamingDays("America/Los_Angeles", 2).day(date(2026, 3, 8))[0] == ms("2026-03-08T03:00:00-07:00")


@pytest.mark.parametrize("zone", ["America/Los_Angeles", "Australia/Sydney", "America/Havana", "UTC"])
@pytest.mark.parametrize("hour", [0, 1, 2, 6, 23])
def test_every_moment_of_a_year_belongs_to_one_day(zone: str, hour: int) -> None:
    days = GamingDays(zone, hour)
    one, at = date(2026, 1, 1), datetime(2026, 1, 1, tzinfo=UTC)
    for _ in range(366):
        begins, ends = days.day(one)
        assert days.day(one + timedelta(days=1))[0] == ends
        for moment in (begins, begins + 1, (begins + ends) // 2, ends - 1):
            assert days.date_of(moment) == one, at
        one += timedelta(days=1)


def test_a_month_has_its_days() -> None:
    days = GamingDays("America/Los_Angeles", 6)
    assert [day.day for day in days.month(2026, 2)] == list(range(1, 29))
    assert len(days.month(2028, 2)) == 29
    assert days.month(2026, 12)[-1] == date(2026, 12, 31)
    touched = days.between(ms("2026-03-07T05:59:59-08:00"), ms("2026-03-08T06:00:00-07:00"))
    assert list(touched) == [date(2026, 3, 6), date(2026, 3, 7)]


def test_what_is_no_zone_hour_day_or_month_is_named() -> None:
    for zone in ("Las Vegas", "", "../etc/passwd", "America"):
        with pytest.raises(InvalidData, match="expected a time zone like 'America/Los_Angeles'"):
            GamingDays(zone)
    for hour in (-1, 24):
        with pytest.raises(InvalidData, match=f"at an hour from 0 to 23, got {hour}"):
            GamingDays("UTC", hour)
    assert (read_day("2026-03-08"), read_month("2026-03")) == (date(2026, 3, 8), (2026, 3))
    for text in ("yesterday", "2026-02-30", "", "0001-01-01"):
        with pytest.raises(InvalidData, match="expected a day like 2026-03-08"):
            read_day(text)
    for text in ("2026", "2026-13", "2026-3", "0001-01"):
        with pytest.raises(InvalidData, match="expected a month like 2026-03"):
            read_month(text)
