"""The `letitride` command.

Exit codes: 0 done; 2 bad input (one sentence on stderr says what was expected, what came and where);
130 interrupted.
"""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from letitride import __version__
from letitride.cli import hand, paytables, rules
from letitride.cli.output import heading, print_lines
from letitride.errors import LetItRideError

BAD_INPUT = 2
INTERRUPTED = 130

app = typer.Typer(
    name="letitride",
    help="Let It Ride: one rule book, many uses.",
    epilog="Exit codes: 0 done, 2 bad input, 130 interrupted. NO_COLOR turns colours off.",
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)
app.add_typer(rules.app, name="rules")
app.add_typer(paytables.app, name="paytables")
app.command("hand")(hand.hand)


def _version(wanted: bool) -> None:
    if wanted:
        print_lines(f"letitride {__version__}")
        raise typer.Exit


@app.callback(invoke_without_command=True)
def home(
    context: typer.Context,
    version: Annotated[  # noqa: ARG001 - handled by its callback
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version and stop.")
    ] = False,
) -> None:
    """Let It Ride: one rule book, many uses."""
    if context.invoked_subcommand is not None:
        return
    print_lines(heading("letitride: the casino table game Let It Ride, by the book"), "")
    rules.list_books()
    print_lines(
        "letitride rules diff A B     where two books differ, side by side",
        "letitride paytables list     every published paytable",
        "letitride hand Th Jh Qh Kh Ah   name a hand and see what it pays",
        "letitride --help             everything else",
    )


def run() -> None:
    """Run the command line; bad input ends in one sentence, never in a traceback."""
    try:
        status = app(standalone_mode=False)
        sys.stdout.flush()
    except LetItRideError as error:
        _fail(str(error), BAD_INPUT)
    except typer.Abort:
        _fail("interrupted", INTERRUPTED)
    except typer.TyperException as error:  # an unknown command or option
        text = str(error)  # one sentence, or the help of a group of commands
        hint = "" if "\n" in text else "; 'letitride --help' lists what there is"
        _fail(text.rstrip(".") + hint, BAD_INPUT)
    sys.exit(status if isinstance(status, int) else 0)


def _fail(sentence: str, code: int) -> None:
    sys.stderr.write(f"letitride: {sentence}\n" if "\n" not in sentence else f"{sentence}\n")
    sys.exit(code)
