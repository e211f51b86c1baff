"""The `rules explain` command: explains each step of a recorded round."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated, Final

import typer
from rich.text import Text

from letitride.cli.io.files import read_text
from letitride.cli.io.output import Cell, Json, heading, print_facts, print_json, print_lines, print_table
from letitride.cli.io.values import OwnBook, Set, parse_values
from letitride.errors import InvalidData
from letitride.rules import catalog

if TYPE_CHECKING:
    from letitride.records.why import Because, Explained, KeyReason

_ACCOUNTS: Final = re.compile(r" \[[^\]]*→[^\]]*\]")


def explain_record(  # noqa: PLR0917 - the options of a command
    file: Annotated[str, typer.Argument(help="A file of round records; - reads standard input.", metavar="RECORD")],
    step: Annotated[
        int | None, typer.Option("--step", help="Explain this step in full; all rulings by default.", metavar="N")
    ] = None,
    under: Annotated[
        str | None, typer.Option("--under", help="Also show what this rule book would have ruled.", metavar="BOOK")
    ] = None,
    values: Set = None,
    rulebook: OwnBook = None,
    as_json: Json = False,
) -> None:
    """Explain the rulings of a recorded round.

    Shows what was ruled, under which clause, and what other rule books would have ruled.
    """
    if values and not under:
        raise InvalidData("expected --under BOOK with --set, got --set alone")
    from letitride.records.player import rules_of
    from letitride.records.reader import read_record
    from letitride.records.replay import replay
    from letitride.records.why import why

    record = read_record(read_text(file, "round records"), file)
    replayed = replay(record, file, rules_of(record, file, rulebook or ""))
    other = catalog.table_rules(under, parse_values(values or [], under)) if under else None
    explained = why(replayed, other)
    if step is not None:
        if not 1 <= step < len(explained):
            raise InvalidData(f"expected a step from 1 to {len(explained) - 1} after --step, got {step}")
        explained = (explained[step],)
    if as_json:
        print_json({"book": replayed.table.rules.book.id, "under": under, "steps": explained})
        return
    if step is None:
        _print_steps(explained)
        explained = tuple(one for one in explained if one.is_ruling)
        if not explained:
            print_lines("No irregularities in this record. --step N explains any of its steps.")
    for one in explained:
        print_lines("")
        _print(one, under or "")


def _sentence(line: str) -> str:
    """Return a line of the narration without its clauses and the accounts that money moved between."""
    return _ACCOUNTS.sub("", line.partition("  (")[0])


def _print_steps(explained: tuple[Explained, ...]) -> None:
    rows: list[list[Cell]] = []
    for one in explained:
        if one.number and one.told:
            clauses = [clause.id for reason in one.reasons for clause in reason.clauses]
            shown = ", ".join(clauses[:3]) + (f" +{len(clauses) - 3}" if len(clauses) > 3 else "")
            told = Text("\n".join(map(_sentence, one.told)), style="bold" if one.is_ruling else "")
            rows.append([str(one.number), told, Text(shown or "—", style="dim")])
    print_table(["step", "what happened", "clauses"], rows, firm=1)


def _print(one: Explained, under: str) -> None:
    at = f" (line {one.line} of the record)" if one.line else ""
    print_lines(heading(f"Step {one.number}{at}"))
    print_lines(*(f"  {_sentence(line)}" for line in one.told))
    for reason in one.reasons:
        print_facts("", list(_reason(reason, under)))


def _reason(reason: Because, under: str) -> Iterator[tuple[str, str]]:
    if reason.what:
        yield "ruled", reason.what
    if reason.circumstances:
        yield "circumstances", reason.circumstances
    yield from ((clause.id, clause.demand) for clause in reason.clauses)
    if reason.house_default:
        near = any(":" in key.origin for key in reason.keys)
        spoken = "the clauses behind this key do not cover this case" if near else "the rules document is silent"
        yield "source", f"house default: {spoken}"
    for key in reason.keys:
        yield from _key(key, under)
    if reason.under:
        yield f"under {under}", reason.under


def _key(key: KeyReason, under: str) -> Iterator[tuple[str, str]]:
    yield "rule book", f"{key.key}: {key.words} ({key.origin})" if key.origin else f"{key.key}: {key.words}"
    if key.note:
        yield "", key.note
    for one in key.alternatives:
        books = f" ({', '.join(one.books)})" if one.books else " (no published book)"
        yield "elsewhere", f"{one.meaning}{books}"
    if key.under and key.under != key.words:
        yield f"key in {under}", key.under
