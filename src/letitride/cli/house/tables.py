"""The `tables` commands: open and close tables, on a running server or in its database."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from pathlib import Path
from typing import Annotated, Any

import msgspec
import typer

from letitride.cli.house.remote import DbOption, Remote, ServerOption
from letitride.cli.io.files import read_text
from letitride.cli.io.output import Json, print_json, print_lines, print_table
from letitride.cli.io.stores import changing
from letitride.cli.io.times import clock_ms
from letitride.cli.io.values import Set, parse_values
from letitride.errors import InvalidData, MissingData
from letitride.rules import catalog
from letitride.rules.money import dollars
from letitride.rules.refs import is_path, split_variants
from letitride.rules.toml_text import BYTES_MAX as TOML_BYTES_MAX
from letitride.rules.toml_text import read_toml
from letitride.rules.values import Values
from letitride.server.ops.opening import TableRequest, own_values, register_table, requested_rules, set_state
from letitride.storage.past import Past
from letitride.storage.roles.tables import TableRecord
from letitride.storage.urls import open_store

app = typer.Typer(no_args_is_help=True, help="List, open and close tables.")

WHO = "command line"
TableId = Annotated[str, typer.Argument(help="The id of a table.", metavar="ID")]
Why = Annotated[str, typer.Option("--reason", help="The reason, for the record.")]


@app.command("list")
def list_tables(db: DbOption = None, server: ServerOption = None, as_json: Json = False) -> None:
    """List the tables."""
    if db is not None:
        stores = open_store(db, read_only=True)
        try:
            rows = [_recorded(record) for record in stores.tables.all()]
        finally:
            stores.close()
    else:
        rows = msgspec.convert(Remote(server).ask("GET", "/api/tables"), list[ListedTable])
    if as_json:
        print_json(rows)
        return
    shown = [(one.id, one.name, _rules(one.rulebook), _limits(one.limits_cents), one.state) for one in rows]
    print_table(["id", "name", "rules", "bets", "state"], shown)


@app.command("open")
def open_table(  # noqa: PLR0917 - the options of a command
    name: Annotated[str, typer.Option("--name", help="The name players see.")],
    rulebook: Annotated[
        str, typer.Option("--rulebook", help="A rule book: its id, id+variant, or a TOML file.", metavar="BOOK")
    ],
    paytable: Annotated[
        list[str] | None,
        typer.Option(
            "--paytable", help="The paytable of a wager, such as base=LIRB-06; may be repeated.", metavar="WAGER=ID"
        ),
    ] = None,
    limits: Annotated[
        str | None,
        typer.Option("--limits", help="Minimum and maximum bet in dollars, such as 10:500.", metavar="MIN:MAX"),
    ] = None,
    own: Set = None,
    table_id: Annotated[str, typer.Option("--id", help="The id of the table; made from the name by default.")] = "",
    db: DbOption = None,
    server: ServerOption = None,
    as_json: Json = False,
) -> None:
    """Open a table under a rule book."""
    values = own_values(_cents(limits), _paytables(paytable or []), parse_values(own or [], rulebook))
    texts = _texts(rulebook, values)
    wanted = TableRequest(name=name, rulebook=rulebook, id=table_id, values=values, texts=texts)
    # What cannot be a table is said here, before anyone signs in for it.
    requested_rules(wanted)
    if db is not None:
        with changing(db) as stores:
            made = register_table(stores, wanted, at=clock_ms(), who=WHO)
    else:
        remote = Remote(server)
        remote.sign_in()
        made = remote.ask("POST", "/api/tables", msgspec.to_builtins(wanted))["id"]
    if as_json:
        print_json({"id": made})
    else:
        print_lines(f"Opened {name} (id {made})." if db is None else f"{name} (id {made}) opens when a server starts.")


@app.command("close")
def close_table(
    table_id: TableId,
    why: Why = "",
    without_notice: Annotated[
        bool, typer.Option("--without-notice", help="Close it also where the rules want the closing announced first.")
    ] = False,
    db: DbOption = None,
    server: ServerOption = None,
) -> None:
    """Close a table after the round in play.

    The table takes no more bets and closes when its round is over. Its journal is kept. Where players sit and the rules
    want notice, announce the closing first on the table's staff page: at that time the table closes by itself.
    """
    _change(table_id, "closed", why, db, server, without_notice=without_notice)
    print_lines(f"Table {table_id} takes no more bets. Reopen it: letitride tables reopen {table_id}")


@app.command("reopen")
def reopen_table(table_id: TableId, why: Why = "", db: DbOption = None, server: ServerOption = None) -> None:
    """Reopen a closed table."""
    _change(table_id, "open", why, db, server)
    print_lines(f"Table {table_id} is open.")


def _change(
    table_id: str, state: Any, why: str, db: str | None, server: str | None, *, without_notice: bool = False
) -> None:
    if db is None:
        remote = Remote(server)
        remote.sign_in()
        wish = "closing" if state == "closed" else "open"
        body = {"state": wish, "why": why or "by the operator", "without_notice": without_notice}
        remote.ask("POST", f"/api/tables/{table_id}/state", body)
        return
    with changing(db) as stores:
        owner = stores.leases.owner(table_id)
        if owner is not None and owner.until_ms > clock_ms():
            raise InvalidData(
                f"expected a table that no server owns, got '{table_id}': use --server {owner.address} instead"
            )
        if state == "closed" and any(
            seat.player for seat in Past(stores.journal, stores.documents, table_id).present()[0].seats.values()
        ):
            raise InvalidData(f"expected a table without players, got '{table_id}', where a seat is taken")
        set_state(stores.tables, stores.audit, table_id, state, why, at=clock_ms(), who=WHO)


def _cents(limits: str | None) -> tuple[int, int] | None:
    """Read limits in dollars, such as 10:500 or 2.50:100."""
    if limits is None:
        return None
    try:
        least, most = (Decimal(part) * 100 for part in limits.split(":"))
        if least == int(least) and most == int(most):
            return int(least), int(most)
    except (InvalidOperation, ValueError, OverflowError):
        pass
    raise InvalidData(f"expected dollars like 10:500 after --limits, got '{limits}'")


def _paytables(pairs: list[str]) -> dict[str, str]:
    found_pairs = [pair.partition("=") for pair in pairs]
    for wager, equals, name in found_pairs:
        if not equals or not wager or not name:
            raise InvalidData(f"expected a wager and its paytable like base=LIRB-06 after --paytable, got '{wager}'")
    return {wager: name for wager, _, name in found_pairs}


def _texts(rulebook: str, values: Values) -> dict[str, str]:
    """Return the files as text: the rule book, and those that it or the table names by path."""
    texts: dict[str, str] = {}
    named = [(str(value), Path(str(value))) for key, value in values.items() if key.endswith(".paytable")]
    book = split_variants(rulebook)[0]
    if is_path(book):
        texts[book] = read_text(book, "rule books", TOML_BYTES_MAX)
        named += [(name, Path(book).parent / name) for name in _paths_in(texts[book])]
    for name, path in named:
        if is_path(name):
            text = read_text(str(path), "paytables and wagers", TOML_BYTES_MAX)
            if texts.setdefault(name, text) != text:
                raise InvalidData(f"expected one file for each name, got two different files for '{name}'")
    return texts


def _paths_in(book: str) -> list[str]:
    """Return the paytables and wagers a rule book names by path; it does not check the rule book."""
    try:
        data = read_toml(book, "the rule book")
    except InvalidData:
        return []
    found_names: list[str] = []

    def look(value: Any, key: str) -> None:
        if isinstance(value, dict):
            for name, inner in value.items():
                look(inner, str(name))
        elif isinstance(value, list):
            for inner in value:
                look(inner, key)
        elif isinstance(value, str) and key.rpartition(".")[2] in {"paytable", "paytables", "wagers"}:
            found_names.append(value)

    look(data, "")
    return [name for name in found_names if is_path(name)]


@dataclass(frozen=True, slots=True, kw_only=True)
class ListedTable:
    """A table, from the database or as the server lists it."""

    id: str
    name: str
    rulebook: str
    limits_cents: tuple[int | None, int | None]
    state: str


def _recorded(record: TableRecord) -> ListedTable:
    least, most = record.about.get("limits_cents", (None, None))
    return ListedTable(
        id=record.id,
        name=record.name,
        rulebook=record.about.get("rulebook", ""),
        limits_cents=(least, most),
        state=record.state,
    )


def _rules(book: str) -> str:
    """Return a rule book by its title; one that is not published, by its id."""
    try:
        return catalog.rulebook(book).title
    except MissingData:
        return book


def _limits(cents: tuple[int | None, int | None]) -> str:
    least, most = ("" if one is None else dollars(one) for one in cents)
    return f"{least} to {most}" if most else f"from {least}"
