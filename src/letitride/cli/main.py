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
from typing import Annotated, Final, NamedTuple, NoReturn

import typer

from letitride.cli.io.output import Json, discard_output, heading, print_json, print_lines
from letitride.errors import InvariantBroken, LetItRideError, presentable
from letitride.extras import LIBRARIES, explained
from letitride.version import __version__

FAILED = 1
BAD_INPUT = 2
INTERRUPTED = 130
_COMPLETING: Final = "_LETITRIDE_COMPLETE"
"""A shell that asks how a line goes on says so in this variable."""

app = typer.Typer(
    name="letitride",
    help="Let It Ride: play it, analyze it, simulate it, run it.",
    epilog="Exit codes: 0 done, 1 failed, 2 bad input, 130 interrupted. NO_COLOR turns colors off.",
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)


class Command(NamedTuple):
    """Where a command is, and what a list of commands says of it: to read that in the module would be to load it."""

    module: str
    attribute: str
    summary: str


COMMANDS = {
    "rules": Command("rules.books", "app", "List, show, compare and check rule books."),
    "paytables": Command("rules.paytables", "app", "List, show and check paytables."),
    "wagers": Command("rules.wagers", "app", "List, show and check wagers, custom ones too."),
    "par": Command("analysis.par", "par", "Print the exact par sheet of a paytable."),
    "strategy": Command("analysis.strategy", "strategy", "Show the best strategy for a paytable."),
    "combined": Command("analysis.combined", "combined", "Price base game and side bets combined."),
    "session": Command("analysis.session", "session", "Show what to expect of a session of many rounds."),
    "design": Command("analysis.design", "design", "Find the paytables nearest to a target figure."),
    "advantage": Command("analysis.advantage", "advantage", "Show what seeing a card early is worth to a player."),
    "bank": Command("analysis.bank", "bank", "Show the risk of a player-dealer's bank."),
    "hand": Command("rules.hand", "hand", "Name a hand and show what it pays."),
    "ask": Command("rules.ask", "ask", "Ask what the rules say when something goes wrong."),
    "replay": Command("records.replay", "replay_file", "Replay a recorded round step by step."),
    "payout": Command("records.payout", "payout", "Pay a real round, spot by spot."),
    "simulate": Command("simulation.simulate", "simulate", "Simulate rounds and compare with exact values."),
    "fuzz": Command("simulation.fuzz", "fuzz", "Try to break a table with random commands."),
    "evidence": Command("simulation.evidence", "evidence", "Write the evidence pack for a test lab."),
    "verify": Command("records.verify", "app", "Verify shuffle proofs and journals."),
    "train": Command("training.group", "app", "Practice: drills and exams for players and staff."),
    "play": Command("terminal.command", "play", "Play at a table in the terminal."),
    "serve": Command("house.serve", "serve", "Run tables on a network, with automatic dealers."),
    "tables": Command("house.tables", "app", "List, open and close tables."),
    "staff": Command("house.staff", "app", "Manage staff accounts and their roles."),
    "doctor": Command("house.doctor", "doctor", "Check that this installation is fit to run."),
    "export": Command("records.export", "export", "Export the rounds played at a table."),
    "follow": Command("records.follow", "follow", "Follow what happens at a table."),
    "shift": Command("house.shift", "shift", "Print the shift report of a table."),
    "pit": Command("house.pit", "pit", "Print the pit report of a gaming day or a month."),
    "backup": Command("house.backup", "backup", "Back up a database while it is in use."),
    "restore": Command("house.restore", "restore", "Restore a backup into an empty database."),
    "archive": Command("house.archive", "app", "Move old rounds into archive files, and back."),
}
"""The commands: the module each lives in, the command or group of commands there, and a line for the list."""


def add(name: str) -> None:
    """Add a command with all it needs."""
    command = COMMANDS[name]
    found = getattr(import_module(f"letitride.cli.{command.module}"), command.attribute)
    if isinstance(found, typer.Typer):
        app.add_typer(found, name=name)
    else:
        app.command(name)(found)


def _list_only(name: str) -> None:
    """Add what a list of commands needs of one."""
    app.command(name, help=COMMANDS[name].summary)(lambda: None)


def _add_commands(words: list[str]) -> None:
    """Add the command that was typed: it does not wait for the imports of the others, nor does a list of them."""
    if words and words[0] in COMMANDS:
        add(words[0])
        return
    may_run = _COMPLETING in os.environ or not COMMANDS.keys().isdisjoint(words)  # after `--`, perhaps
    for name in COMMANDS:
        (add if may_run else _list_only)(name)


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
        status = app(words, prog_name="letitride", standalone_mode=False)
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
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] not in LIBRARIES:
            raise
        _fail(str(explained(" ".join(["letitride", *words[:1]]), error)), BAD_INPUT)
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
