"""The `restore` command: a backup into an empty database of either kind."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from letitride.cli.io.output import print_lines
from letitride.cli.io.stores import removed_if_refused
from letitride.rules.words import quantity
from letitride.storage.urls import open_store


def restore(
    file: Annotated[str, typer.Argument(help="A backup: a SQLite file or JSON Lines.", metavar="FILE")],
    database: Annotated[
        str, typer.Argument(help="A new SQLite file, or postgresql://… of an empty database.", metavar="DB")
    ],
) -> None:
    """Restore a backup into an empty database.

    A backup in which a row was changed is refused as a whole.
    """
    with removed_if_refused(database):
        stores = open_store(database)
        try:
            stores.backups.restore(Path(file))
            tables = len(stores.tables.all())
        finally:
            stores.close()
    print_lines(f"Restored {quantity(tables, 'table')}. 'letitride verify journal DB' checks them.")
