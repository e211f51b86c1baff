"""The `letitride` command.

Exit codes: 0 done; 1 a bug of ours, or output that cannot be written; 2 bad input (one sentence on stderr says what
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
    help="Let It Ride: one rule book, many uses.",
    epilog="Exit codes: 0 done, 1 failed, 2 bad input, 130 interrupted. NO_COLOR turns colours off.",
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)
COMMANDS = {
    "rules": ("rules.books", "app"),
    "paytables": ("rules.paytables", "app"),
    "wagers": ("rules.wagers", "app"),
    "par": ("analysis.par", "par"),
    "strategy": ("analysis.strategy", "strategy"),
    "together": ("analysis.together", "together"),
    "session": ("analysis.session", "session"),
    "design": ("analysis.design", "design"),
    "knowledge": ("analysis.knowledge", "knowledge"),
    "bank": ("analysis.bank", "bank"),
    "hand": ("rules.hand", "hand"),
    "replay": ("records.replay", "replay_file"),
    "simulate": ("simulation.simulate", "simulate"),
    "storm": ("simulation.storm", "run_storm"),
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
    """Add the command that is asked for, or all of them: one command does not wait for the rooms of the others."""
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
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version and stop.")
    ] = False,
) -> None:
    """Let It Ride: one rule book, many uses."""
    if context.invoked_subcommand is not None:
        return
    if as_json:
        summaries = import_module("letitride.cli.rules.book_data").summaries()
        print_json({"version": __version__, "rulebooks": summaries})
        return
    rules = import_module("letitride.cli.rules.books")
    print_lines(heading("letitride: the casino table game Let It Ride, by the book"))
    rules.list_books()
    print_lines(
        "letitride rules show BOOK       what a book says, key by key, with its clauses",
        "letitride rules diff A B        where two books differ, side by side",
        "letitride paytables list        every published paytable",
        "letitride par LIRX-01           what a paytable is worth, exactly",
        "letitride strategy LIRX-01      how it is best played",
        "letitride hand Th Jh Qh Kh Ah   name a hand and see what it pays",
        "letitride train                 learn to play it well: a drill, an exam, a look-up",
        "letitride play BOOK             play at a table in this terminal",
        "letitride --help                everything else",
    )


def run() -> None:
    """Run the command line; bad input ends in one sentence, never in a traceback."""
    gc.set_threshold(50_000, 20, 50)  # what a start makes stays: to look through it for garbage is a tenth of the start
    if sys.stdout is None:  # started with stdout closed
        sys.stdout = Path(os.devnull).open("w", encoding="utf-8")  # noqa: SIM115 - open to the end
    elif isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="replace")  # a terminal that lacks a sign shows another, not a traceback
    try:
        words = _json_last(sys.argv[1:])
        _add_commands(words)
        status = app(words, standalone_mode=False)
        sys.stdout.flush()
        if status == INTERRUPTED:  # Ctrl-C comes back as this status, without a word
            _fail("interrupted", INTERRUPTED)
    except InvariantBroken as error:
        _fail(f"a bug of letitride's own, please report it: {error}", FAILED)
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
            _fail(
                f"expected nothing after what the command takes, got '{more[1]}'; --help says what it takes", BAD_INPUT
            )
        _fail(f"{text.rstrip('.')}; 'letitride --help' lists what there is", BAD_INPUT)
    except OSError as error:
        discard_output()
        _fail(f"the output cannot be written: {error.strerror}", FAILED)
    sys.exit(status if isinstance(status, int) else 0)


def _fail(sentence: str, code: int) -> NoReturn:
    sys.stderr.write(f"letitride: {presentable(sentence)}\n")
    sys.exit(code)
