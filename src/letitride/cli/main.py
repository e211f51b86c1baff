"""The `letitride` command.

Exit codes: 0 done; 1 a bug in letitride, or unwritable output; 2 bad input (one sentence on stderr says what
was expected, what came and where); 130 interrupted.
"""

from __future__ import annotations

import gc
import io
import os
import re
import sys
from importlib import import_module
from pathlib import Path
from typing import Annotated, NoReturn

import typer

from letitride.cli.io.output import Json, discard_output, heading, print_json, print_lines
from letitride.errors import InvariantBroken, LetItRideError, presentable
from letitride.version import __version__

FAILED = 1
BAD_INPUT = 2
INTERRUPTED = 130

app = typer.Typer(
    name="letitride",
    help="Let It Ride: play it, analyze it, simulate it, run it.",
    epilog="Exit codes: 0 done, 1 failed, 2 bad input, 130 interrupted. NO_COLOR turns colors off.",
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)
COMMANDS = {
    "rules": ("rules.books", "app"),
    "paytables": ("rules.paytables", "app"),
    "wagers": ("rules.wagers", "app"),
    "par": ("analysis.par", "par"),
    "strategy": ("analysis.strategy", "strategy"),
    "combined": ("analysis.combined", "combined"),
    "session": ("analysis.session", "session"),
    "design": ("analysis.design", "design"),
    "advantage": ("analysis.advantage", "advantage"),
    "bank": ("analysis.bank", "bank"),
    "hand": ("rules.hand", "hand"),
    "replay": ("records.replay", "replay_file"),
    "simulate": ("simulation.simulate", "simulate"),
    "fuzz": ("simulation.fuzz", "fuzz"),
    "certify": ("simulation.certify", "certify"),
    "verify": ("records.verify", "app"),
    "train": ("training.group", "app"),
    "play": ("terminal.command", "play"),
    "serve": ("house.serve", "serve"),
    "tables": ("house.tables", "app"),
    "staff": ("house.staff", "app"),
    "doctor": ("house.doctor", "doctor"),
    "export": ("records.export", "export"),
    "shift": ("house.shift", "shift"),
    "backup": ("house.backup", "backup"),
    "restore": ("house.restore", "restore"),
    "archive": ("house.archive", "app"),
}
"""The commands: the module each lives in, and the command or group of commands there."""


def _add(name: str) -> None:
    module, attribute = COMMANDS[name]
    found = getattr(import_module(f"letitride.cli.{module}"), attribute)
    if isinstance(found, typer.Typer):
        app.add_typer(found, name=name)
    else:
        app.command(name)(found)


def _add_commands(words: list[str]) -> None:
    """Add the command that was typed, or all of them: one command does not wait for the imports of the others."""
    first = words[0] if words else ""
    for name in [first] if first in COMMANDS else [] if first == "--version" else COMMANDS:
        _add(name)


def _json_last(words: list[str]) -> list[str]:
    """Return the words with a `--json` that stands before a command put where the command reads it."""
    if words[:1] != ["--json"] or not words[1:] or words[1].startswith("-"):
        return words
    rest = words[1:]
    end = rest.index("--") if "--" in rest else len(rest)
    return [*rest[:end], "--json", *rest[end:]]


def _version(wanted: bool) -> None:
    if wanted:
        print_lines(f"letitride {__version__}")
        raise typer.Exit


@app.callback(invoke_without_command=True)
def home(
    context: typer.Context,
    as_json: Json = False,
    version: Annotated[  # noqa: ARG001 - handled by its callback
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version and exit.")
    ] = False,
) -> None:
    """Let It Ride: play it, analyze it, simulate it, run it."""
    if context.invoked_subcommand is not None:
        return
    if as_json:
        summaries = import_module("letitride.cli.rules.book_data").summaries()
        print_json({"version": __version__, "rulebooks": summaries})
        return
    rules = import_module("letitride.cli.rules.books")
    print_lines(heading("letitride: the casino table game Let It Ride, by published rules"))
    rules.list_books()
    print_lines(
        "letitride play BOOK             play at a table in this terminal",
        "letitride train                 learn the best strategy: drill, exam, look-up",
        "letitride rules show BOOK       read a rule book, with its clauses",
        "letitride rules diff A B        compare two rule books side by side",
        "letitride paytables list        list all published paytables",
        "letitride par LIRX-01           exact par sheet of a paytable",
        "letitride strategy LIRX-01      best strategy for a paytable",
        "letitride hand Th Jh Qh Kh Ah   name a hand and see what it pays",
        "letitride serve                 run tables on a network",
        "letitride --help                list all commands",
    )


def run() -> None:
    """Run the command line; bad input ends in one sentence, never in a traceback."""
    gc.set_threshold(50_000, 20, 50)  # objects made at the start stay: collecting among them takes a tenth of the start
    if sys.stdout is None:  # started with stdout closed
        sys.stdout = Path(os.devnull).open("w", encoding="utf-8")  # noqa: SIM115 - open to the end
    elif isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="replace")  # a terminal that lacks a character shows another, not a traceback
    try:
        words = _json_last(sys.argv[1:])
        _add_commands(words)
        status = app(words, standalone_mode=False)
        sys.stdout.flush()
        if status == INTERRUPTED:  # Ctrl-C comes back as this status, without a message
            _fail("interrupted", INTERRUPTED)
    except InvariantBroken as error:
        _fail(f"this is a bug in letitride, please report it: {error}", FAILED)
    except LetItRideError as error:
        _fail(str(error), BAD_INPUT)
    except (typer.Abort, KeyboardInterrupt):
        _fail("interrupted", INTERRUPTED)
    except typer.TyperException as error:  # an unknown command or option, or the help of a group of commands
        text = error.format_message()  # names the option, where it is about one
        if "\n" in text:
            print_lines(text)
            sys.exit(0)
        if more := re.fullmatch(r"Got unexpected extra argument\S* \((.*)\)\.?", text):
            _fail(f"expected no more arguments, got '{more[1]}'; --help lists what the command takes", BAD_INPUT)
        _fail(f"{text.rstrip('.')}; try '{_help_for(error)}'", BAD_INPUT)
    except OSError as error:
        discard_output()
        _fail(f"the output cannot be written: {error.strerror}", FAILED)
    sys.exit(status if isinstance(status, int) else 0)


def _help_for(error: typer.TyperException) -> str:
    """Return the command line that shows the help of a mistyped command."""
    context = getattr(error, "ctx", None)
    command = context.command_path.split()[1:] if context is not None else []
    return " ".join(["letitride", *command, "--help"])


def _fail(sentence: str, code: int) -> NoReturn:
    sys.stderr.write(f"letitride: {presentable(sentence)}\n")
    sys.exit(code)
