"""Output: data to stdout, as text for people or as JSON for programs; messages to stderr."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterable
from typing import Annotated, NoReturn

import typer
from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from letitride.rules.plain import plain

Json = Annotated[bool, typer.Option("--json", help="Print JSON instead of text.")]
Cell = str | Text

_WIDTH_WHEN_PIPED = 120


class _Console(Console):
    """A console whose reader, `head` perhaps, may have seen enough."""

    def on_broken_pipe(self) -> NoReturn:
        stop_writing()


def stop_writing() -> NoReturn:
    """End quietly when the reader has closed the pipe."""
    discard_output()
    raise SystemExit(0)


def discard_output() -> None:
    """Discard what is still to be written, so that the end of the program does not try again."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def console() -> Console:
    """Return the console for data. NO_COLOR is obeyed; piped output gets a fixed width."""
    piped = not sys.stdout.isatty() and "COLUMNS" not in os.environ
    return _Console(width=_WIDTH_WHEN_PIPED if piped else None, highlight=False, markup=False)


def json_text(data: object) -> str:
    """Return data as indented JSON, dataclasses by their fields."""
    return json.dumps(plain(data), indent=2, ensure_ascii=False, allow_nan=False) + "\n"


def print_json(data: object) -> None:
    """Print data as JSON."""
    try:
        sys.stdout.write(json_text(data))
        sys.stdout.flush()
    except BrokenPipeError:
        stop_writing()


def print_lines(*lines: Cell) -> None:
    """Print lines for people."""
    out = console()
    for line in lines:
        out.print(line, soft_wrap=not out.is_terminal)  # a log or a pipe has no width


def print_table(columns: Iterable[str], rows: Iterable[Iterable[Cell]], *, firm: int = 1) -> None:
    """Print a table in the house style; the first `firm` columns are never broken over lines."""
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    for place, column in enumerate(columns):
        table.add_column(column, overflow="fold", no_wrap=place < firm)
    for row in rows:
        table.add_row(*(Text(cell) if isinstance(cell, str) else cell for cell in row))
    console().print(table)


def print_facts(title: str, facts: Iterable[tuple[str, Cell]]) -> None:
    """Print a title and what belongs to it, label by label, wrapped text staying under its beginning."""
    grid = Table.grid(padding=(0, 2, 0, 2))
    grid.add_column(no_wrap=True, style="dim")
    grid.add_column(overflow="fold")
    for label, fact in facts:
        grid.add_row(label, Text(fact) if isinstance(fact, str) else fact)
    out = console()
    out.print(heading(title))
    out.print(grid)


def heading(text: str) -> Text:
    """Return a bold line."""
    return Text(text, style="bold")
