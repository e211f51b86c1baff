"""The `paytables` commands: list, show and check paytables."""

from __future__ import annotations

from typing import Annotated, Any

import typer
from rich.text import Text

from letitride.cli.output import Json, heading, new_table, print_json, print_lines, print_table
from letitride.rules import catalog
from letitride.rules.paytables import Award, Pays, Paytable

app = typer.Typer(no_args_is_help=True, help="Paytables: list, show and check them.")

_AWARDS = {
    Award.TO_ONE: "pays are to one: the stake comes back as well",
    Award.TOTAL: "awards are totals: the stake was taken before the deal and stays taken",
}


@app.command("list")
def list_tables(as_json: Json = False) -> None:
    """List the published paytables."""
    tables = [catalog.paytable(table_id) for table_id in catalog.paytable_ids()]
    if as_json:
        print_json([table.as_data() for table in tables])
        return
    out = new_table("paytable", "title", "wager", "top pay", "lowest pay", "printed par", "printed hits")
    for table in tables:
        for place, pays in enumerate(table.pays.values()):
            first = place == 0
            out.add_row(
                Text(table.id if first else "", style="bold"),
                table.title if first else "",
                str(pays.wager),
                *_span(pays),
                pays.printed_par or "–",
                pays.printed_hit_frequency or "–",
            )
    print_table(out)


@app.command("show")
def show(
    ref: Annotated[str, typer.Argument(help="A paytable: an id or a path to a TOML file.", metavar="ID")],
    as_json: Json = False,
) -> None:
    """Show what a paytable pays, with its sources."""
    table = catalog.paytable(ref)
    if as_json:
        print_json(table.as_data())
        return
    print_lines(heading(f"{table.id}: {table.title}"), f"sha256 {table.digest}")
    for pays in table.pays.values():
        print_table(_pays_table(pays))
        print_lines(f"{pays.wager}: {_AWARDS[pays.award]}.")
        if pays.printed_par:
            print_lines(f"Printed by the source: par {pays.printed_par}, hit frequency {pays.printed_hit_frequency}.")
        if pays.clauses:
            print_lines(f"Source: {', '.join(pays.clauses)}")


@app.command("check")
def check(
    file: Annotated[str, typer.Argument(help="A paytable's TOML file (or an id).", metavar="FILE")],
    as_json: Json = False,
) -> None:
    """Check a paytable of your own."""
    table = catalog.paytable(file)
    if as_json:
        print_json({**_identity(table), "valid": True, "wagers": [str(wager) for wager in table.pays]})
        return
    print_lines(
        f"{table.id} is a valid paytable for: {', '.join(table.pays)}.",
        f"sha256 {table.digest}",
    )


def _identity(table: Paytable) -> dict[str, Any]:
    return {"id": table.id, "title": table.title, "sha256": table.digest}


def _span(pays: Pays) -> tuple[str, str]:
    """Return the top and the lowest pay in the words of the felt."""
    best, least = pays.listed[0], pays.listed[-1]
    if len(pays.columns) == 1:
        return pays.odds(best) or "", f"{pays.odds(least)} for a {least.label}".replace(" for a ", ", ")
    many = len(pays.columns)
    return (
        f"{pays.odds(best, 1)} … {pays.odds(best, many)}",
        f"{pays.odds(least, 1)} … {pays.odds(least, many)}",
    )


def _pays_table(pays: Pays) -> Any:
    if len(pays.columns) == 1:
        table = new_table("hand", str(pays.wager))
        for category in pays.listed:
            table.add_row(category.label, pays.odds(category) or "")
        return table
    table = new_table("hand", *(f"{hands} hand{'s' * (hands > 1)}" for hands in range(1, len(pays.columns) + 1)))
    for category in pays.listed:
        table.add_row(category.label, *(pays.odds(category, n) or "" for n in range(1, len(pays.columns) + 1)))
    return table
