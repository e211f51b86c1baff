"""The `verify` commands: check what a table has published."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from letitride.chance import proof as proofs
from letitride.cli.files import read_text
from letitride.cli.output import Json, print_facts, print_json, print_lines
from letitride.errors import InvalidData

app = typer.Typer(no_args_is_help=True, help="Verify: check what a table has published.")

INVALID = 1


@app.command("proof")
def proof(
    file: Annotated[str, typer.Argument(help="The proof of a shuffle or of one card; - for stdin.", metavar="FILE")],
    root: Annotated[
        str | None, typer.Option("--root", help="The root you noted before betting closed.", metavar="HEX")
    ] = None,
    as_json: Json = False,
) -> None:
    """Check the proof of a shuffle, or of one of its cards. Exit code 0: it holds; 1: it does not; 2: unreadable."""
    text = read_text(file, "proofs")
    try:
        document = proofs.read(text)
    except ValueError as error:
        raise InvalidData(f"{file}: {error}") from None
    problems = proofs.verify(document, root.strip().lower() if root is not None else None)
    if as_json:
        print_json({"file": file, "valid": not problems, "root_compared": root is not None, "problems": problems})
    elif problems:
        print_lines(f"{file} is not valid: {problems[0]}")
        if len(problems) > 1:
            print_lines(f"{len(problems) - 1} more: --json lists them")
    else:
        print_facts(f"{file} is valid", _facts(document, root is not None))
    if problems:
        raise typer.Exit(INVALID)


def _facts(document: dict[str, Any], compared: bool) -> list[tuple[str, str]]:
    """Return what a valid proof says, label by label."""
    commitment = document["commitment"]
    name = f"table {commitment['table']!r}"  # a stranger's text: what would steer a terminal is shown, not obeyed
    told = ", ".join(str(one["seat"]) for one in document["reveals"]) or "no seat: the house alone made this order"
    facts = [
        ("shuffle", f"{name}, round {commitment['round']}, shuffle {commitment['shuffle']}"),
        ("root", f"{commitment['root']} ({'as you noted it' if compared else 'compare it with the one you noted'})"),
        ("revealed", told),
        ("unrevealed", ", ".join(map(str, document["unrevealed"])) or "none"),
    ]
    if document["format"] == proofs.CARD_FORMAT:
        return [*facts, ("card", f"{document['face']} at place {document['place'] + 1} from the top")]
    if document["outcome"] == "void":
        opened = "opened" if document["cards"] else "not opened"
        return [*facts, ("void", repr(document["reason"])), ("deck", opened)]
    return [*facts, ("order", " ".join(document["order"]))]
