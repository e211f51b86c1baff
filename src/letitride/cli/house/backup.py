"""The `backup` command: a whole database into one new file, while it is in use."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from letitride.cli.io.output import print_lines
from letitride.storage.urls import open_store


def backup(
    database: Annotated[str, typer.Argument(help="A SQLite file or postgresql://…; it is only read.", metavar="DB")],
    file: Annotated[str, typer.Argument(help="The file to write; it must not exist yet.", metavar="FILE")],
) -> None:
    """Back up a database while it is in use.

    SQLite is copied as a SQLite file, PostgreSQL as JSON Lines.
    """
    stores = open_store(database, read_only=True)
    try:
        stores.backups.write(Path(file))
    finally:
        stores.close()
    print_lines(f"Backed up to {file}. 'letitride restore {file} DB' reads it into an empty database of either kind.")
