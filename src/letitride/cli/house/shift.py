"""The `shift` command: the shift report of a table, out of a store's journal."""

from __future__ import annotations

import time
from typing import Annotated

import typer

from letitride.cli.io.output import Json, print_json, print_lines
from letitride.cli.io.times import FIRST_MS, LAST_MS, From, To, parse_span
from letitride.reports.paper import files
from letitride.reports.shift.data import shift_figures
from letitride.reports.shift.figures import shift_report
from letitride.storage.past import Past
from letitride.storage.urls import open_store


def shift(  # noqa: PLR0917 - the options of a command
    database: Annotated[str, typer.Option("--db", help="A SQLite file or postgresql://…; it is only read.")],
    table: Annotated[str, typer.Option("--table", help="The id of the table.", metavar="ID")],
    first: From = None,
    to: To = None,
    pdf: Annotated[str | None, typer.Option("--pdf", help="Write the report as PDF.", metavar="FILE")] = None,
    html: Annotated[
        str | None, typer.Option("--html", help="Write the report as one HTML file.", metavar="FILE")
    ] = None,
    as_json: Json = False,
) -> None:
    """Print the shift report of a table.

    Handle, drop, win and hold compared with exact theory, and all irregularities, rulings and disputes.
    """
    from_ms, to_ms = parse_span(first, to)
    asked = {
        option: files.place(path, option) for option, path in (("--pdf", pdf), ("--html", html)) if path is not None
    }
    stores = open_store(database, read_only=True)
    try:
        past, name = Past(stores.journal, stores.documents, table), stores.tables.get(table).name
        rounds = past.rounds_touching(FIRST_MS if from_ms is None else from_ms, LAST_MS if to_ms is None else to_ms)
        found = shift_report(table, rounds, from_ms, to_ms)
    finally:
        stores.close()
    if past.left_out:
        typer.echo(past.left_out, err=True)
    # What draws and sets a report is loaded only for one.
    from letitride.reports.paper import html as html_file
    from letitride.reports.paper import pdf as pdf_file
    from letitride.reports.paper.text import as_text
    from letitride.reports.shift.page import page

    made = page(found, name, time.time_ns() // 1_000_000)
    files.write_all(
        {
            path: pdf_file.as_pdf(made) if option == "--pdf" else html_file.as_html(made)
            for option, path in asked.items()
        }
    )
    for path in asked.values():
        typer.echo(f"wrote {path}", err=True)
    if as_json:
        print_json(shift_figures(found))
    elif not asked:
        print_lines(*as_text(made).splitlines())
