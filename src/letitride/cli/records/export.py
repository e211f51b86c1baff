"""The `export` command: the rounds of a table from the journal, as records or settled wagers."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Annotated, Literal

import typer

from letitride.cli.io.output import Json, print_json, print_lines
from letitride.cli.io.times import FIRST_MS, LAST_MS, From, To, parse_span
from letitride.errors import InvalidData, MissingData
from letitride.records.exported import record_of, whole
from letitride.records.rounds import Moment, PlayedRound
from letitride.records.settled import settled
from letitride.reports.data.exports import WRITERS, check_format
from letitride.reports.paper import files
from letitride.rules.words import quantity
from letitride.storage.past import Past
from letitride.storage.urls import open_store

REPORT_EVERY = 2_000


def export(  # noqa: PLR0917 - the options of a command
    database: Annotated[str, typer.Option("--db", help="A SQLite file or postgresql://…; it is only read.")],
    table: Annotated[str, typer.Option("--table", help="The id of the table.", metavar="ID")],
    file_format: Annotated[
        Literal["records", "jsonl", "parquet"],
        typer.Option("--format", help="Round records, or settled wagers as JSON Lines or Parquet."),
    ] = "records",
    out: Annotated[
        str | None, typer.Option("--out", help="The file to write; standard output by default.", metavar="PATH")
    ] = None,
    number: Annotated[
        int | None, typer.Option("--round", help="With records: this round only, in the shortest form.", metavar="N")
    ] = None,
    first: From = None,
    to: To = None,
    as_json: Json = False,
) -> None:
    """Export the rounds played at a table.

    `letitride replay` plays exported records again.
    """
    if file_format == "records" and (first or to):
        raise InvalidData(
            "expected --from and --to with jsonl or parquet, got them with records, which are exported whole"
        )
    if file_format != "records" and number is not None:
        raise InvalidData("expected --round with --format records, got it with another format")
    if out is None and (as_json or (file_format == "parquet" and sys.stdout.isatty())):
        raise InvalidData("expected a file after --out, got none")
    from_ms, to_ms = parse_span(first, to)
    target = files.place(out, "--out") if out is not None else None
    counter = _Counter(file_format)
    stores = open_store(database, read_only=True)
    try:
        past = Past(stores.journal, stores.documents, table)
        if file_format == "records":
            pieces = _records(past, number, counter)
        else:
            check_format(file_format)
            rounds = past.rounds_between(FIRST_MS if from_ms is None else from_ms, LAST_MS if to_ms is None else to_ms)
            pieces = WRITERS[file_format](settled(table, counter.each(rounds)))
        size = _write(pieces, target)
    finally:
        stores.close()
    if past.left_out:
        typer.echo(past.left_out, err=True)
    if as_json:
        print_json({"table": table, "format": file_format, "file": out, "rounds": counter.rounds, "bytes": size})
    elif target is not None:
        print_lines(f"Wrote {quantity(counter.rounds, 'round')} of table {table} to {target}.")


class _Counter:
    """Counts rounds and reports progress on stderr now and then."""

    def __init__(self, file_format: str) -> None:
        self._format = file_format
        self.rounds = 0

    def each(self, rounds: Iterable[PlayedRound]) -> Iterator[PlayedRound]:
        """Yield rounds as they come."""
        for one in rounds:
            self._count()
            yield one

    def moments(self, moments: Iterable[Moment]) -> Iterator[Moment]:
        """Yield moments as they come."""
        for moment in moments:
            if moment.end is not None:
                self._count()
            yield moment

    def _count(self) -> None:
        self.rounds += 1
        if self.rounds % REPORT_EVERY == 0:
            typer.echo(f"{self.rounds:,} rounds exported as {self._format} …", err=True)


def _records(past: Past, number: int | None, counter: _Counter) -> Iterator[bytes]:
    if number is None:
        yield from (f"{line}\n".encode() for line in whole(counter.moments(past.moments())))
        return
    if number < 1:
        raise InvalidData(f"expected the number of a round after --round, got {number}")
    found = next(past.rounds(number, number, running=True), None)
    if found is None:
        raise MissingData(f"expected a round that was played at table {past.id}, got {number}")
    counter.rounds = 1
    yield record_of(found, past.moments).text.encode()


def _write(pieces: Iterator[bytes], target: Path | None) -> int:
    """Write pieces to a file, whole or not at all, or to stdout; return how many bytes they were."""
    if target is None:
        return sum(sys.stdout.buffer.write(piece) for piece in pieces)
    beside = target.with_name(f".letitride-{os.getpid()}.part")
    try:
        with beside.open("wb") as file:
            size = sum(file.write(piece) for piece in pieces)
        beside.replace(target)
    except OSError as error:
        raise InvalidData(f"expected a file that can be written, got '{target}': {error.strerror}") from None
    finally:
        beside.unlink(missing_ok=True)
    return size
