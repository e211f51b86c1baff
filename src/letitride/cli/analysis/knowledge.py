"""The `knowledge` command: what it is worth to know a card early."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Annotated

import typer

from letitride.analysis.exact import Exact
from letitride.analysis.knowledge import SEES, Sees, edge_with
from letitride.analysis.rounding import MINUS, percent
from letitride.cli.io.output import Json, heading, print_json, print_lines, print_table
from letitride.rules import catalog
from letitride.rules.paytables import base_pays

_BASIS = "expected loss per unit bet, best play, worthless choices withdrawn"


@dataclass(frozen=True, slots=True, kw_only=True)
class EdgeKnown:
    """The house's edge against a player who sees something early, and what that gains."""

    sees: str
    house_edge: Exact
    gain: Exact


@dataclass(frozen=True, slots=True, kw_only=True)
class Knowledge:
    """What it is worth to know a card early, and what the edges are shares of."""

    paytable: str
    base: str
    edges: tuple[EdgeKnown, ...]


def knowledge(
    ref: Annotated[str, typer.Argument(help="A base paytable: an id or a path.", metavar="ID|FILE")],
    sees: Annotated[Sees | None, typer.Option("--sees", help="What the player sees; without it, everything.")] = None,
    as_json: Json = False,
) -> None:
    """Show the house's edge against a player who sees a community card, or another player's cards, early."""
    table = catalog.paytable(ref)
    pays = base_pays(table)
    honest = edge_with(pays, "nothing")
    found = [(what, edge_with(pays, what)) for what in ([sees] if sees else SEES)]
    if as_json:
        edges = tuple(EdgeKnown(sees=w, house_edge=Exact.of(e), gain=Exact.of(honest - e)) for w, e in found)
        print_json(Knowledge(paytable=table.id, base=_BASIS, edges=edges))
        return
    print_lines(heading(f"{table.id}: the house's edge on one bet against a player who sees"))
    rows = [[what, _percent(edge), _percent(honest - edge)] for what, edge in found]
    print_table(["before the first choice", "house edge", "worth to the player"], rows, firm=3)


def _percent(value: Fraction) -> str:
    """Return a share in percent with the sign that other commands print, so that programs can read it."""
    return percent(value).replace(MINUS, "-")
