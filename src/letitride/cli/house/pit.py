"""The `pit` command: the gaming day or the month of a house, over all its tables."""

from __future__ import annotations

from typing import Annotated

import typer

from letitride.analysis.rounding import percent
from letitride.cli.io.output import Json, heading, print_json, print_lines, print_table
from letitride.cli.io.times import clock_ms
from letitride.errors import InvalidData
from letitride.reports.pit.day_data import PitFigures, PitReport
from letitride.reports.pit.gaming_day import DEFAULT_HOUR, DEFAULT_ZONE, GamingDays
from letitride.reports.pit.ratings_file import as_csv
from letitride.rules.money import dollars
from letitride.server.ops.pit_days import report_of
from letitride.storage.urls import open_store


def pit(  # noqa: PLR0917 - the options of a command
    database: Annotated[str, typer.Option("--db", help="A SQLite file or postgresql://…; it is only read.")],
    day: Annotated[str, typer.Option("--day", help="A gaming day, such as 2026-03-08; today by default.")] = "",
    month: Annotated[str, typer.Option("--month", help="A month, such as 2026-03.")] = "",
    zone: Annotated[str, typer.Option("--zone", help="The time zone, such as America/Los_Angeles.")] = DEFAULT_ZONE,
    hour: Annotated[int, typer.Option("--hour", help="The hour at which a gaming day begins.")] = DEFAULT_HOUR,
    ratings: Annotated[
        bool, typer.Option("--ratings", help="Print the ratings alone, as CSV for a player-tracking system.")
    ] = False,
    as_json: Json = False,
) -> None:
    """Print the pit report of a gaming day or a month.

    Lists each table with its win, theoretical win, drop, hold % and hold band, then dealers, incident log and ratings.
    """
    stores = open_store(database, read_only=True)
    try:
        found = report_of(stores, GamingDays(zone, hour), day, month, clock_ms())
    finally:
        stores.close()
    if ratings and as_json:
        raise InvalidData("expected --ratings or --json, got both: the ratings are in the JSON, too")
    if ratings:
        typer.echo(as_csv(found), nl=False)
        return
    if as_json:
        print_json(found)
        return
    _print(found)


def _print(found: PitReport) -> None:
    what = "Month" if len(found.day) == len("2026-03") else "Gaming day"
    print_lines(heading(f"{what} {found.day}, from {found.since} to {found.until}"))
    rows = [_row(one.name, one.figures) for one in found.tables]
    columns = ["table", "rounds", "handle", "drop", "win", "theoretical win", "hold %", "hold band"]
    print_table(columns, [*rows, _row("All tables", found.total)], firm=1)
    dealt = [
        [one.name, dealer.dealer, str(dealer.rounds), dollars(dealer.win_cents)]
        for one in found.tables
        for dealer in one.dealt
    ]
    if dealt:
        print_table(["table", "dealer", "rounds", "win"], dealt)
    if found.log:
        print_table(
            ["time", "table", "round", "what", "ruling", "clauses"],
            [
                [one.at, one.table, str(one.round), one.kind, one.ruling, ", ".join(one.clauses) or "house default"]
                for one in found.log
            ],
        )
    if found.ratings:
        print_table(
            ["player", "minutes", "hands", "average bet", "theoretical win", "win"],
            [
                [
                    one.player,
                    f"{one.minutes:.0f}",
                    str(one.hands),
                    "–" if one.average_bet_cents is None else dollars(round(one.average_bet_cents.value)),
                    dollars(round(one.theoretical_win_cents.value)),
                    dollars(one.win_cents),
                ]
                for one in found.ratings
            ],
        )


def _row(name: str, one: PitFigures) -> list[str]:
    hold = "–" if one.hold is None else percent(one.hold.value, 2)
    theory = dollars(round(one.theoretical_win_cents.value))
    win = dollars(one.win_cents)
    return [
        name,
        str(one.rounds),
        dollars(one.handle_cents),
        dollars(one.drop_cents),
        win,
        theory,
        hold,
        one.band_sentence if one.rounds else "not played",
    ]
