"""The `restore` command: a backup into an empty store of any kind."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from letitride.cli.io.output import print_lines
from letitride.cli.io.stores import removed_if_refused
from letitride.storage.urls import open_store


def restore(
    file: Annotated[str, typer.Argument(help="A backup: a SQLite file or JSON lines.", metavar="FILE")],
    database: Annotated[
        str, typer.Argument(help="A new SQLite file or the postgresql://… of an empty store.", metavar="DB")
    ],
) -> None:
    """Read a backup into an empty store; a backup with a row that was changed is refused, and nothing of it kept."""
    with removed_if_refused(database):
        stores = open_store(database)
        try:
            stores.backups.restore(Path(file))
            tables = len(stores.tables.all())
        finally:
            stores.close()
    print_lines(f"{tables} tables restored; 'letitride verify journal DB' walks them")
