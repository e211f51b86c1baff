"""Ratings file: the ratings of a gaming day or month as CSV, for a player-tracking system; computes nothing."""

from __future__ import annotations

import csv
import io
from typing import Final

from letitride.analysis.exact import Exact
from letitride.reports.pit.day_data import PitReport
from letitride.rules.words import plain_cell

COLUMNS: Final = (
    *("gaming_day", "player", "minutes", "hands", "decisions_an_hour", "average_bet", "drop", "win"),
    "theoretical_win",
)
"""Amounts are in dollars; win and theoretical win are the house's."""


def as_csv(report: PitReport) -> str:
    """Return the ratings of a report, a player a line."""
    file = io.StringIO()
    writer = csv.writer(file, lineterminator="\r\n")
    writer.writerow(COLUMNS)
    for one in report.ratings:
        bet, win = _dollars(one.average_bet_cents), _dollars(one.theoretical_win_cents)
        speed = "" if one.decisions_an_hour is None else f"{one.decisions_an_hour.value:.1f}"
        drop, won = f"{one.drop_cents / 100:.2f}", f"{one.win_cents / 100:.2f}"
        writer.writerow(
            (report.day, plain_cell(one.player), f"{one.minutes:.1f}", one.hands, speed, bet, drop, won, win)
        )
    return file.getvalue()


def _dollars(cents: Exact | None) -> str:
    return "" if cents is None else f"{cents.value / 100 + 0.0:.2f}"
