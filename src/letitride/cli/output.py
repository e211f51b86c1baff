"""Output: data to stdout, as a table for people or as JSON for programs; talk to stderr."""

from __future__ import annotations

import json
import os
import sys
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.table import Table
from rich.text import Text

Json = Annotated[bool, typer.Option("--json", help="Print JSON for programs instead of a table for people.")]

_WIDTH_WHEN_PIPED = 120


def console() -> Console:
    """Return the console for data. NO_COLOR is obeyed; piped output gets a width of its own."""
    piped = not sys.stdout.isatty() and "COLUMNS" not in os.environ
    return Console(width=_WIDTH_WHEN_PIPED if piped else None, highlight=False, soft_wrap=False)


def print_json(data: Any) -> None:
    """Print data as JSON."""
    sys.stdout.write(json.dumps(data, indent=2, ensure_ascii=False) + "\n")


def print_table(table: Table) -> None:
    """Print a table for people."""
    console().print(table)


def print_lines(*lines: str | Text) -> None:
    """Print lines for people."""
    out = console()
    for line in lines:
        out.print(line, markup=False)


def new_table(*columns: str, title: str | None = None) -> Table:
    """Return an empty table in the house style."""
    from rich import box  # noqa: PLC0415 - only where a table is really drawn

    table = Table(title=title, title_justify="left", title_style="bold", box=box.SIMPLE_HEAD, pad_edge=False)
    for column in columns:
        table.add_column(column, overflow="fold")
    return table


def heading(text: str) -> Text:
    """Return a bold line."""
    return Text(text, style="bold")
