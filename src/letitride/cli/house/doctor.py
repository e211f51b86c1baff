"""The `doctor` command: whether this machine and its database are fit to run tables."""

from __future__ import annotations

import os
from typing import Annotated

import msgspec
import typer
from rich.text import Text

from letitride.cli.io.output import Cell, Json, print_json, print_table
from letitride.server.ops.checkup import Finding, checkup
from letitride.server.ops.settings import resolve

UNFIT = 1
STYLES = {"ok": "green", "note": "dim", "warn": "yellow", "fail": "bold red"}


def doctor(
    db: Annotated[str | None, typer.Option("--db", help="The database; the one of serve by default.")] = None,
    data_dir: Annotated[
        str | None, typer.Option("--data-dir", help="The data folder; the one of serve by default.")
    ] = None,
    config: Annotated[str | None, typer.Option("--config", help="A TOML file of settings.", metavar="FILE")] = None,
    as_json: Json = False,
) -> None:
    """Check that this installation is fit to run.

    Checks code and data against their digests, SQLite, clock, disk and database. Exit code 1 if it is not fit.
    """
    settings = resolve({"db": db, "data_dir": data_dir}, os.environ, config).settings
    found = list(checkup(settings))
    if as_json:
        fit = not any(one.verdict == "fail" for one in found)
        print_json({"fit": fit, "findings": [msgspec.to_builtins(one) for one in found]})
    else:
        print_table(["", "check", "result"], [_row(one) for one in found], firm=2)
    if any(one.verdict == "fail" for one in found):
        raise typer.Exit(UNFIT)


def _row(one: Finding) -> list[Cell]:
    return [
        Text(one.verdict, style=STYLES[one.verdict]),
        one.what,
        f"{one.found}: {one.todo}" if one.todo else one.found,
    ]
