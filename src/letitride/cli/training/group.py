"""The `train` commands: drills and exams in the terminal, line by line; with no other named, the player's."""

from __future__ import annotations

from typing import Any

import typer
from typer.core import TyperGroup

from letitride.cli.training.player import player
from letitride.cli.training.staff import dealer, floor

HELP = "Training: drills and exams; a player's where no other is named. `train player --help` has the player's options."


class _PlayersFirst(TyperGroup):
    """A group whose first word may be left out: it is a player's drill then."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Put the player's drill where no drill is named."""
        named = args and (args[0] == "--help" or not args[0].startswith("-"))
        return super().parse_args(ctx, args if named else ["player", *args])


app = typer.Typer(cls=_PlayersFirst, help=HELP)
app.command("player")(player)
app.command("dealer")(dealer)
app.command("floor")(floor)
