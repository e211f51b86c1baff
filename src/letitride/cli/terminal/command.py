"""The `play` command: a table in the terminal, full-screen or line by line."""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Callable
from typing import Annotated, Final

import typer

from letitride.cli.io.output import Json
from letitride.cli.io.values import Set, parse_values
from letitride.cli.terminal.chances import chance_of
from letitride.cli.terminal.game import Game
from letitride.cli.terminal.language import Language, language_of, speak, t
from letitride.cli.terminal.palette import Theme
from letitride.cli.terminal.plain import Plain, as_json_line, farewell, to_stderr, to_stdout
from letitride.cli.terminal.session import Session
from letitride.cli.terminal.story import Story
from letitride.cli.terminal.wanted import ready_book, wanted_table
from letitride.errors import InvalidData
from letitride.training.coach_data import CoachMode

PACE_MAX: Final = 10


def play(  # noqa: PLR0917 - the options of a command
    book: Annotated[str | None, typer.Argument(help="A rule book: an id, a variant or a file.", metavar="BOOK")] = None,
    seat: Annotated[int | None, typer.Option("--seat", help="Your seat; 1 by default.")] = None,
    seats: Annotated[
        int | None, typer.Option("--seats", help="Seats in play, yours included; house bots take the others.")
    ] = None,
    hands: Annotated[int | None, typer.Option("--hands", help="Hands you play, side by side; 1 by default.")] = None,
    bankroll: Annotated[
        str | None, typer.Option("--bankroll", help="Your chips for each of your hands.", metavar="AMOUNT")
    ] = None,
    bet: Annotated[str | None, typer.Option("--bet", help="Your first bet on each spot.", metavar="AMOUNT")] = None,
    rounds: Annotated[int | None, typer.Option("--rounds", help="Stop after this many rounds.")] = None,
    coach: Annotated[
        CoachMode | None, typer.Option("--coach", help="When the coach speaks; off where the rules bar advice.")
    ] = None,
    seed: Annotated[
        int | None, typer.Option("--seed", help="Practice: the same decisions get the same cards again.")
    ] = None,
    plain: Annotated[bool, typer.Option("--plain", help="Line by line, for screen readers and pipes.")] = False,
    script: Annotated[bool, typer.Option("--script", help="Show every step of the dealer, with its clauses.")] = False,
    letters: Annotated[
        bool, typer.Option("--letters", help="Suits as letters, for fonts without suit symbols.")
    ] = False,
    theme: Annotated[Theme, typer.Option("--theme", help="Colors of the full screen.")] = "dark",
    pace: Annotated[
        float, typer.Option("--pace", help="Seconds between the dealer's steps on the full screen.")
    ] = 0.12,
    language: Annotated[
        Language | None, typer.Option("--language", help="English or Spanish; by default your locale's.")
    ] = None,
    values: Set = None,
    as_json: Json = False,
) -> None:
    """Play at a table in the terminal.

    By any rule book, with house bots beside you. --json prints rounds as JSON lines.
    """
    speak(language_of(language))
    if not 0 <= pace <= PACE_MAX:
        raise InvalidData(t("option.pace", most=PACE_MAX, got=str(pace)))
    wanted = wanted_table(
        book or ready_book(),
        parse_values(values or [], book or ready_book()),
        seat=seat,
        seats=seats,
        hands=hands,
        bankroll=bankroll,
        bet=bet,
        coach=coach,
        rounds=rounds,
        seed=seed,
    )
    game = Game(Session(wanted, chance_of(seed)))
    if plain or as_json or not _is_screen():
        if not (plain or as_json):
            to_stderr(t("greet.plain"))
        say = to_stderr if as_json else to_stdout
        Plain(game, Story(wanted.own_seats, script=script), _reader(), say, as_json_line if as_json else None).play()
        return
    from letitride.cli.terminal.app import TableApp

    shown = TableApp(game, theme=theme, script=script, letters=letters or not _has_signs(), pace=pace)
    shown.run()
    if shown.failure is not None:
        raise shown.failure
    farewell(game, Story(wanted.own_seats), to_stdout)


def _is_screen() -> bool:
    """Whether there is a terminal to draw on, and one to read keys from."""
    streams = (sys.stdin, sys.stdout, sys.stderr)  # Textual draws on the last of them
    return all(one is not None and one.isatty() for one in streams) and os.environ.get("TERM", "dumb") != "dumb"


def _has_signs() -> bool:
    return "utf" in (getattr(sys.stdout, "encoding", "") or "").lower()


def _reader() -> Callable[[], str]:
    """Return what reads the next line of standard input; what is not UTF-8 is read as other characters."""
    if sys.stdin is None:
        return str
    if isinstance(sys.stdin, io.TextIOWrapper):
        sys.stdin.reconfigure(errors="replace")
    return sys.stdin.readline
