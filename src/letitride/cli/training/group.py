"""The `train` commands: drills and exams in the terminal, line by line; the player's by default."""

from __future__ import annotations

from typing import Any

import typer
from typer.core import TyperGroup

from letitride.cli.training.player import player
from letitride.cli.training.staff import dealer, floor

HELP = "Practice: drills and exams for players and staff.\n\nWithout a command, the player's drill starts."


class _PlayersFirst(TyperGroup):
    """A group whose command may be left out: the player's drill is the default."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Add the player's drill if no drill is named."""
        named = args and (args[0] == "--help" or not args[0].startswith("-"))
        return super().parse_args(ctx, args if named else ["player", *args])


app = typer.Typer(cls=_PlayersFirst, help=HELP)
app.command("player")(player)
app.command("dealer")(dealer)
app.command("floor")(floor)
