"""The `verify` commands: check what others claim, from what they wrote."""

from __future__ import annotations

from typing import Annotated, Any

import msgspec
import typer

from letitride.cli.output import Json, print_json, print_lines
from letitride.storage.urls import open_store
from letitride.storage.verify import TableVerdict, Verdict
from letitride.storage.verify import verify as verify_store

app = typer.Typer(no_args_is_help=True, help="Verify: journals and their money.")


@app.callback()
def group() -> None:
    """Verify what others claim, from what they wrote."""


@app.command("journal")
def journal(
    database: Annotated[
        str, typer.Argument(help="A SQLite file, sqlite:///PATH or postgresql://…; it is only read.", metavar="DB")
    ],
    table: Annotated[
        str | None, typer.Option("--table", help="Only this table's journal and accounts.", metavar="ID")
    ] = None,
    as_json: Json = False,
) -> None:
    """Walk the journals of a store, name the first bad row, and hold the ledger against them."""
    store = open_store(database, read_only=True)
    try:
        found = verify_store(store, table)
    finally:
        store.close()
    if as_json:
        print_json(_data(found))
    else:
        print_lines(*_lines(found))
    if not found.good:
        raise typer.Exit(1)


def _data(found: Verdict) -> dict[str, Any]:
    plain: dict[str, Any] = msgspec.to_builtins(found)
    return {"good": found.good, **plain}


def _lines(found: Verdict) -> list[str]:
    lines = [line for table in found.tables for line in _table_lines(table)]
    lines += [f"the money: {sentence}" for sentence in found.wrong]
    rows = sum(table.rows for table in found.tables)
    if found.good:
        return [
            *lines,
            f"{len(found.tables)} journals with {rows:,} rows are as they were written, and so is the money",
        ]
    return [*lines, "something was changed after it was written"]


def _table_lines(table: TableVerdict) -> list[str]:
    if table.bad is not None:
        return [f"table {table.table_id}: row {table.bad.number} is bad: {table.bad.reason}"]
    head = f"table {table.table_id}: {table.rows:,} rows, ends with {table.hash}"
    return [head, *(f"  the money: {sentence}" for sentence in table.wrong)]
