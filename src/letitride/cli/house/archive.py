"""The `archive` commands: move events of old rounds into files, with their hash chain intact, and back."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from letitride.cli.io.output import Json, print_json, print_lines
from letitride.cli.io.stores import changing
from letitride.cli.io.times import clock_ms, parse_time
from letitride.errors import InvalidData
from letitride.storage import archive as archives
from letitride.storage.roles.archives import Archive, archives_of
from letitride.storage.roles.stores import Stores

app = typer.Typer(no_args_is_help=True, help="Move old rounds into archive files, and back.")
WHO = "operator"

Database = Annotated[
    str, typer.Argument(help="A SQLite file that no server is using, or postgresql://….", metavar="DB")
]
Folder = Annotated[str, typer.Argument(help="The folder of the archive files.", metavar="FOLDER")]
Table = Annotated[str | None, typer.Option("--table", help="Only this table's journal.", metavar="ID")]


@app.command("write")
def write(
    database: Database,
    folder: Folder,
    before: Annotated[str, typer.Option("--before", help="Archive rounds before this time, such as 2026-01-01.")],
    table: Table = None,
    as_json: Json = False,
) -> None:
    """Move the events of old rounds into files.

    The database keeps their hashes, times and money.
    """
    before_ms = parse_time(before, "--before") or 0
    where = _folder(folder)
    with changing(database) as stores:
        made = [
            one
            for name in _tables(stores, table)
            if (one := archives.write(stores, name, where, before_ms, at=clock_ms(), who=WHO)) is not None
        ]
    _print(made, "rows archived", as_json=as_json)


@app.command("restore")
def restore(database: Database, folder: Folder, table: Table = None, as_json: Json = False) -> None:
    """Read archived rounds back; the files are kept."""
    where = _folder(folder)
    with changing(database) as stores:
        done = [one for name in _tables(stores, table) for one in archives_of(stores.documents, name)]
        for one in done:
            archives.restore(stores, one, where, at=clock_ms(), who=WHO)
    _print(done, "rows restored", as_json=as_json)


def _tables(stores: Stores, table: str | None) -> list[str]:
    return [stores.tables.get(table).id] if table is not None else [record.id for record in stores.tables.all()]


def _folder(named: str) -> Path:
    path = Path(named)
    if not path.is_dir():
        raise InvalidData(f"expected a folder for the archive, got '{named}'")
    return path


def _print(done: list[Archive], what: str, *, as_json: bool) -> None:
    if as_json:
        print_json(
            [
                {"table": one.table_id, "first": one.first, "last": one.last, "file": one.file, "sha256": one.sha256}
                for one in done
            ]
        )
        return
    for one in done:
        print_lines(f"table {one.table_id}: rows {one.first:,} to {one.last:,}, {one.file}")
    print_lines(f"{sum(one.last - one.first + 1 for one in done):,} {what}")
