"""The `advantage` command: what it is worth to a player to see a card early."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Annotated, Final

import typer

from letitride.analysis.advantage import SEES, Sees, edge_with
from letitride.analysis.exact import Exact
from letitride.analysis.rounding import MINUS, percent
from letitride.cli.io.output import Json, heading, print_json, print_lines, print_table
from letitride.rules import catalog
from letitride.rules.paytables import base_pays

_BASIS: Final = "expected loss per unit bet, best play, bets worth exactly zero taken back"
_SEEN: Final[dict[Sees, str]] = {
    "nothing": "no card early",
    "community-1": "the first community card",
    "community-2": "the second community card",
    "both": "both community cards",
    "card": "one card of another hand",
    "hand": "all three cards of another hand",
}
"""What the player sees before the first decision, in words."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EdgeWhenSeen:
    """The house edge against a player who sees something early, and what seeing it gains."""

    sees: str
    house_edge: Exact
    gain: Exact


@dataclass(frozen=True, slots=True, kw_only=True)
class Advantage:
    """What it is worth to see a card early, and the basis of the edges."""

    paytable: str
    base: str
    edges: tuple[EdgeWhenSeen, ...]


def advantage(
    ref: Annotated[str, typer.Argument(help="A base paytable: its id or a TOML file.", metavar="ID|FILE")],
    sees: Annotated[
        Sees | None, typer.Option("--sees", help="What the player sees early; all cases by default.")
    ] = None,
    as_json: Json = False,
) -> None:
    """Show what seeing a card early is worth to a player.

    Lists the house edge against a player who sees a community card, or another player's cards, before the first
    decision.
    """
    table = catalog.paytable(ref)
    pays = base_pays(table)
    honest = edge_with(pays, "nothing")
    found = [(what, edge_with(pays, what)) for what in ([sees] if sees else SEES)]
    if as_json:
        edges = tuple(EdgeWhenSeen(sees=w, house_edge=Exact.of(e), gain=Exact.of(honest - e)) for w, e in found)
        print_json(Advantage(paytable=table.id, base=_BASIS, edges=edges))
        return
    print_lines(heading(f"{table.id}: house edge on one bet against a player who sees a card early"))
    rows = [[_SEEN[what], _percent(edge), _percent(honest - edge)] for what, edge in found]
    print_table(["the player sees", "house edge", "worth to the player"], rows, firm=3)


def _percent(value: Fraction) -> str:
    """Return a percentage with a plain minus sign, as other commands print it."""
    return percent(value).replace(MINUS, "-")
