"""The `verify` commands: check shuffle proofs and journals."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from letitride.chance import proof as proofs
from letitride.chance.proof import Document
from letitride.cli.io.files import read_text
from letitride.cli.io.output import Json, print_facts, print_json, print_lines
from letitride.errors import InvalidData
from letitride.rules.plain import plain
from letitride.rules.words import quantity

if TYPE_CHECKING:
    from letitride.storage.verify import TableVerdict, Verdict

app = typer.Typer(no_args_is_help=True, help="Verify shuffle proofs and journals.")

INVALID = 1


@app.command("proof")
def proof(
    file: Annotated[
        str, typer.Argument(help="The proof of a shuffle or of one card; - reads standard input.", metavar="FILE")
    ],
    root: Annotated[
        str | None, typer.Option("--root", help="The root you noted before the first card.", metavar="HEX")
    ] = None,
    nonce: Annotated[
        str | None, typer.Option("--nonce", help="The nonce you revealed, which must be in the proof.", metavar="HEX")
    ] = None,
    as_json: Json = False,
) -> None:
    """Check the proof of a shuffle, or of one card.

    Exit code 0: the proof holds; 1: it does not; 2: it cannot be read.
    """
    text = read_text(file, "proofs")
    try:
        document = proofs.read(text)
    except ValueError as error:
        raise InvalidData(f"{file}: {error}") from None
    problems = proofs.verify(document, root.strip().lower() if root is not None else None)
    if (
        not problems
        and nonce is not None
        and nonce.strip().lower() not in [one["nonce"] for one in document["reveals"]]
    ):
        seats = ", ".join(map(str, document["unrevealed"])) or "none"
        problems = [f"reveals: expected your nonce among them, got it from no seat; listed as unrevealed: {seats}"]
    if as_json:
        print_json({"file": file, "valid": not problems, "root_compared": root is not None, "problems": problems})
    elif problems:
        print_lines(f"{file} is not valid: {problems[0]}")
        if len(problems) > 1:
            print_lines(f"{quantity(len(problems) - 1, 'more problem')}: --json lists them")
    else:
        print_facts(f"{file} is valid", _facts(document, root is not None))
    if problems:
        raise typer.Exit(INVALID)


def _facts(document: Document, compared: bool) -> list[tuple[str, str]]:
    """Return what a valid proof says, label by label."""
    commitment = document["commitment"]
    name = f"table {commitment['table']!r}"  # text from outside: control characters are shown, not sent to the terminal
    facts = [
        ("shuffle", f"{name}, round {commitment['round']}, shuffle {commitment['shuffle']}"),
        ("root", f"{commitment['root']} ({'as you noted it' if compared else 'compare it with the one you noted'})"),
        *_chances(document),
        ("revealed", _seats(document["reveals"]) or "no seat: only the house made this order"),
        ("unrevealed", ", ".join(map(str, document["unrevealed"])) or "none"),
    ]
    if document["format"] == proofs.CARD_FORMAT:
        return [*facts, ("card", f"{document['face']} at place {document['place'] + 1} from the top")]
    if document["outcome"] == "void":
        opened = "opened" if document["cards"] else "not opened: its cards cannot be checked"
        seats = document["commitment"]["seats"]
        known = (
            " (all nonces were revealed: the house could know the order)"
            if seats and not document["unrevealed"]
            else ""
        )
        return [*facts, ("void", repr(document["reason"]) + known), ("deck", opened)]
    return [*facts, ("order", " ".join(document["order"]))]


def _chances(document: Document) -> list[tuple[str, str]]:
    """Return the cuts and the dice; the first protocol had none in its proofs."""
    if document["version"] == 1:
        return [("protocol", "1: cuts and dice are not in this proof, and a silent seat may be left out of it")]
    cuts = ", ".join(map(str, document["commitment"]["cuts"]))
    second = [("protocol", "2: the root does not say whether dice are thrown; compare them with those you saw")]
    facts = [*(second if document["version"] == 2 else []), ("cuts", f"{cuts} cards from the top" if cuts else "none")]
    if document["throws"]:
        dice = "; ".join(" ".join(map(str, thrown)) for thrown in document["throws"])
        facts.append(("dice", f"{dice} (by the house and {_seats(document['links']) or 'no seat'})"))
    return facts


def _seats(shares: list[Document]) -> str:
    return ", ".join(str(one["seat"]) for one in shares)


@app.command("journal")
def journal(
    database: Annotated[
        str, typer.Argument(help="A SQLite file, sqlite:///PATH or postgresql://…; it is only read.", metavar="DB")
    ],
    table: Annotated[
        str | None, typer.Option("--table", help="Only this table's journal and accounts.", metavar="ID")
    ] = None,
    archive: Annotated[
        str | None,
        typer.Option("--archive", help="The folder of archived rounds, to verify them too.", metavar="FOLDER"),
    ] = None,
    as_json: Json = False,
) -> None:
    """Verify the journals and the ledger of a database.

    Names the first changed row of each journal, and checks all balances against the journals.
    """
    from letitride.storage.archive import reader
    from letitride.storage.urls import open_store
    from letitride.storage.verify import verify as verify_store

    stores = open_store(database, read_only=True)
    try:
        found = verify_store(stores, table, reader(Path(archive)) if archive is not None else None)
    finally:
        stores.close()
    if as_json:
        print_json(_data(found))
    else:
        print_lines(*_lines(found))
    if not found.good:
        raise typer.Exit(1)


def _data(found: Verdict) -> dict[str, object]:
    return {"good": found.good, **plain(found)}


def _lines(found: Verdict) -> list[str]:
    lines = [line for table in found.tables for line in _table_lines(table)]
    lines += [f"ledger: {sentence}" for sentence in found.wrong]
    rows = sum(table.rows for table in found.tables)
    if found.good:
        counted = f"{quantity(len(found.tables), 'journal')} with {quantity(rows, 'row')}"
        return [*lines, f"Verified {counted}: unchanged, and the ledger balances."]
    return [*lines, "Verification failed: data was changed after it was written."]


def _table_lines(table: TableVerdict) -> list[str]:
    name = f"{table.name} (--table {table.table_id})"
    if table.bad is not None:
        return [f"{name}: row {table.bad.number:,} is bad: {table.bad.reason}"]
    head = f"{name}: {quantity(table.rows, 'row')}, last hash {table.hash}"
    if table.archived:
        head += (
            f"; {table.archived:,} of them are archived, only their hashes were checked: --archive FOLDER verifies them"
        )
    if table.sealed:
        numbers = f"{table.sealed[0]:,} to {table.sealed[-1]:,}" if len(table.sealed) > 1 else f"{table.sealed[0]:,}"
        head += (
            f"; {len(table.sealed):,} of them ({numbers}) belong to the round in play, sealed until its deck is opened"
        )
    return [head, *(f"  ledger: {sentence}" for sentence in table.wrong)]
