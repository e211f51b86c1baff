"""The `follow` command: what happens at a table, as it happens, for people or as lines of JSON."""

from __future__ import annotations

from typing import Annotated

import msgspec
import typer

from letitride.cli.io.output import Json, print_lines
from letitride.journal import open_journal
from letitride.records.narrate import narrate
from letitride.records.played import Played
from letitride.records.rounds import Moment
from letitride.storage.codec import encode


def follow(
    database: Annotated[str, typer.Option("--db", help="A SQLite file or postgresql://…; it is only read.")],
    table: Annotated[str, typer.Option("--table", help="The id of the table.", metavar="ID")],
    past: Annotated[bool, typer.Option("--past", help="Start with the opening of the table.")] = False,
    end: Annotated[bool, typer.Option("--end", help="Stop at the end of the journal instead of waiting.")] = False,
    as_json: Json = False,
) -> None:
    """Follow what happens at a table.

    Each line is what a spectator sees. With --json, each line is an entry of the journal with its events. Without
    the house's key, cards in play are left out. Ctrl-C stops it.
    """
    with open_journal(database) as journal:
        for moment in journal.follow(table, past=past, wait=(lambda: False) if end else None):
            for line in [_row(table, moment)] if as_json else _told(moment):
                print_lines(line)


def _told(moment: Moment) -> list[str]:
    return list(narrate(Played(0, None, moment.events, moment.start, moment.after), "spectator"))


def _row(table: str, moment: Moment) -> str:
    return msgspec.json.encode(
        {
            "table": table,
            "row": moment.number,
            "at_ms": moment.at_ms,
            "by": moment.by,
            "round": moment.after.round,
            "events": msgspec.Raw(encode(moment.events)),
        }
    ).decode()
