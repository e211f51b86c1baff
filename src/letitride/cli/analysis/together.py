"""The `together` command: base game and side bets as one game."""

from __future__ import annotations

from typing import Annotated

import typer

from letitride.analysis.base import Ties
from letitride.cli.analysis.combined import SIDE_METAVAR, STAKE, combined_game, print_combined
from letitride.cli.io.output import Json
from letitride.rules import catalog

_SIDE_HELP = "A side bet: a wager that the base paytable prices, or a paytable or file of its own; may be repeated."


def together(
    ref: Annotated[str, typer.Argument(help="A base paytable: an id or a path.", metavar="ID|FILE")],
    stake: Annotated[str, typer.Option("--stake", help="Each of the three base bets.", metavar="AMOUNT")] = STAKE,
    side: Annotated[list[str] | None, typer.Option("--side", help=_SIDE_HELP, metavar=SIDE_METAVAR)] = None,
    ties: Annotated[Ties, typer.Option("--ties", help="What a choice that is worth nothing does.")] = "withdraw",
    as_json: Json = False,
) -> None:
    """Show base game and side bets together: loss and deviation of a round, and how the bets go together."""
    game = combined_game(catalog.paytable(ref), stake, side or [], ties, "--side")
    print_combined(game, as_json=as_json)
