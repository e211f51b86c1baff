"""The `paytables` commands: list, show and check paytables."""

from __future__ import annotations

from typing import Annotated

import typer

from letitride.cli.io.output import Cell, Json, heading, print_facts, print_json, print_lines, print_table
from letitride.rules import catalog
from letitride.rules.paytables import Pays
from letitride.rules.wagers import Award

app = typer.Typer(no_args_is_help=True, help="List, show and check paytables.")

_AWARDS = {
    Award.TO_ONE: "to one; the stake is returned",
    Award.TOTAL: "total awards; the stake, collected before the deal, is not returned",
    Award.FIXED: "awards in dollars, regardless of the bet; the stake is not returned",
}


def _tables() -> list[str]:
    return list(catalog.paytable_ids())


@app.command("list")
def list_tables(as_json: Json = False) -> None:
    """List the published paytables."""
    tables = [catalog.paytable(table_id) for table_id in catalog.paytable_ids()]
    if as_json:
        print_json([table.as_data() for table in tables])
        return
    rows: list[list[Cell]] = []
    for table in tables:
        for place, pays in enumerate(table.pays.values()):
            named = [heading(table.id) if place == 0 else "", pays.wager.title]
            top, lowest = _span(pays)
            par = pays.printed_par or ""
            printed = [par, ""] if pays.wager.is_base else ["", par]
            printed.append(pays.printed_hit_frequency or "")
            rows.append([*named, top, lowest, *printed, table.title if place == 0 else ""])
    print_table(
        ["paytable", "wager", "top pay", "lowest pay", "element of risk", "house edge", "hit frequency", "title"],
        rows,
        firm=2,
    )
    print_lines(
        "Figures are as printed in the source, where it prints them; sources call the first two par.",
        "Element of risk: loss in percent of the average amount left riding. House edge: loss in percent of the bet.",
    )


@app.command("show")
def show(
    ref: Annotated[
        str, typer.Argument(help="A paytable: its id or a TOML file.", metavar="ID|FILE", autocompletion=_tables)
    ],
    as_json: Json = False,
) -> None:
    """Show what a paytable pays, with its sources."""
    table = catalog.paytable(ref)
    if as_json:
        print_json(table.as_data())
        return
    print_facts(f"{table.id}: {table.title}", [("sha256", table.digest)])
    for pays in table.pays.values():
        _print_pays(pays)
        about = [("pays", _AWARDS[pays.award])]
        printed = {"par": pays.printed_par, "hit frequency": pays.printed_hit_frequency}
        claims = [f"{name} {figure}" for name, figure in printed.items() if figure]
        about += [("printed", f"{', '.join(claims)} ({pays.printed_in or 'source not named'})")] if claims else []
        about += [("source", ", ".join(pays.clauses))] if pays.clauses else []
        print_facts(pays.wager.title, about)


@app.command("check")
def check(
    file: Annotated[str, typer.Argument(help="The TOML file of a paytable, or an id.", metavar="FILE")],
    as_json: Json = False,
) -> None:
    """Check a paytable of your own."""
    table = catalog.paytable(file)
    if as_json:
        known = {"id": table.id, "title": table.title, "sha256": table.digest}
        print_json({**known, "valid": True, "wagers": list(table.pays)})
        return
    print_lines(
        f"{table.id} is a valid paytable for: {', '.join(pays.wager.title for pays in table.pays.values())}.",
        f"sha256: {table.digest}",
    )


def _span(pays: Pays) -> tuple[str, str]:
    """Return the top and the lowest pay in the words of the felt."""
    best, least, many = pays.listed[0], pays.listed[-1], len(pays.columns)
    if many == 1:
        return pays.odds(best) or "", f"{pays.odds(least)}, {least.label}"
    return f"{pays.odds(best, 1)} … {pays.odds(best, many)}", f"{pays.odds(least, 1)} … {pays.odds(least, many)}"


def _print_pays(pays: Pays) -> None:
    many = len(pays.columns)
    columns = [pays.wager.title] if many == 1 else [str(n) for n in range(1, many + 1)]
    rows = [[category.label, *(pays.odds(category, n) or "" for n in range(1, many + 1))] for category in pays.listed]
    print_table(["hand" if many == 1 else "hands dealt", *columns], rows, firm=1 + many)
