"""Dump: everything a store holds as lines of JSON that any store can read again; never a database."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator
from itertools import chain
from pathlib import Path
from typing import Final

import msgspec

from letitride.errors import InvalidData, MissingData
from letitride.storage.journal import BrokenJournal, Head, Row, follows, kept, linked

FORMAT: Final = "letitride-backup/1"


class Begin(msgspec.Struct, frozen=True, tag="begin"):
    """The first line."""

    format: str


class TableLine(msgspec.Struct, frozen=True, kw_only=True, tag="table"):
    """A table; its rows follow."""

    id: str
    name: str
    about: bytes
    state: str
    reason: str
    number: int
    hash: str
    epoch: int
    node: str
    address: str
    until_ms: int


class RowLine(msgspec.Struct, frozen=True, kw_only=True, tag="row"):
    """A row of a journal."""

    table_id: str
    number: int
    at: int
    who: str
    command: str
    epoch: int
    events: bytes
    previous: str
    hash: str


class AckLine(msgspec.Struct, frozen=True, kw_only=True, tag="ack"):
    """An answer, after the row it is about."""

    client: str
    command: str
    reply: bytes
    table_id: str | None
    epoch: int
    number: int


class TransferLine(msgspec.Struct, frozen=True, kw_only=True, tag="transfer"):
    """A transfer of the ledger."""

    table_id: str | None
    number: int | None
    source: str
    target: str
    cents: int


class AccountLine(msgspec.Struct, frozen=True, kw_only=True, tag="account"):
    """A balance."""

    scope: str
    name: str
    cents: int


class DocumentLine(msgspec.Struct, frozen=True, kw_only=True, tag="document"):
    """A document."""

    kind: str
    id: str
    version: int
    body: bytes


class AuditLine(msgspec.Struct, frozen=True, kw_only=True, tag="audit"):
    """A row of the audit."""

    at: int
    who: str
    what: str
    why: str


class End(msgspec.Struct, frozen=True, tag="end"):
    """The last line: how many came before it, and their SHA-256, so that a file cut short is seen."""

    lines: int
    sha256: str


Line = TableLine | RowLine | AckLine | TransferLine | AccountLine | DocumentLine | AuditLine
_DECODER: Final[msgspec.json.Decoder[Begin | Line | End]] = msgspec.json.Decoder(Begin | Line | End)


def line_of(row: Row) -> RowLine:
    """Return the line of a row."""
    fields = {name: getattr(row, name) for name in Row.__struct_fields__}
    return RowLine(who=fields.pop("by"), **{**fields, "events": kept(row)})


def row_of(line: RowLine) -> Row:
    """Return the row of a line."""
    fields = msgspec.structs.asdict(line)
    return Row(by=fields.pop("who"), **fields)


def order(line: RowLine | AckLine) -> tuple[int, int, bool]:
    """Return a line's place in its table's history: an answer comes after the row it is about."""
    return line.epoch, line.number, isinstance(line, AckLine)


def write_dump(path: Path, lines: Iterable[Line], format_: str = FORMAT) -> str:
    """Write lines to a new file and return their SHA-256; what cannot be finished is not left behind."""
    digest, count = hashlib.sha256(), 0
    try:
        path.touch(mode=0o600, exist_ok=False)  # it will hold secrets
        with path.open("wb") as file:
            for line in chain([Begin(format_)], lines):
                written = msgspec.json.encode(line) + b"\n"
                digest.update(written)
                count += 1
                file.write(written)
            file.write(msgspec.json.encode(End(count, digest.hexdigest())) + b"\n")
            return digest.hexdigest()
    except FileExistsError:
        raise InvalidData(f"expected the path of a new file, got '{path}', which exists") from None
    except OSError as error:
        path.unlink(missing_ok=True)
        raise InvalidData(f"expected a writable path, got '{path}': {error.strerror}") from None
    except BaseException:
        path.unlink(missing_ok=True)
        raise


def read_dump(path: Path, format_: str = FORMAT, sha256: str = "") -> Iterator[Line]:
    """Yield the lines of a file; whether it was whole, and the one meant, is known when the last was asked for."""
    digest, count, begun, ended = hashlib.sha256(), 0, False, False
    try:
        with path.open("rb") as file:
            for written in file:
                if ended:
                    raise InvalidData(f"{path}: expected nothing after the last line, got more")
                line = _line(path, count + 1, written)
                if isinstance(line, End):
                    if (line.lines, line.sha256) != (count, digest.hexdigest()) or sha256 not in {"", line.sha256}:
                        raise InvalidData(f"{path}: expected the lines that were written, got others")
                    ended = True
                    continue
                digest.update(written)
                count += 1
                if isinstance(line, Begin):
                    begun = line.format == format_
                elif begun:
                    yield line
                if not begun:
                    raise InvalidData(f"{path}: expected a file in the format {format_}, got another file")
    except FileNotFoundError:
        raise MissingData(f"expected a backup, got '{path}', which does not exist") from None
    except OSError as error:
        raise InvalidData(f"expected a backup that can be read, got '{path}': {error.strerror}") from None
    if not ended:
        raise InvalidData(f"{path}: expected a whole backup, got one that ends after line {count}")


def whole(lines: Iterable[Line]) -> Iterator[Line]:
    """Yield lines as they come, each row of a journal only where it follows the one before it as it was written."""
    heads: dict[str, Head] = {}
    for line in lines:
        if isinstance(line, RowLine):
            row, last = row_of(line), heads.get(line.table_id, Head())
            # Rows without events are in an archive: whether one has them is for `verify` to say.
            if reason := (follows if row.events else linked)(row, line.table_id, last):
                raise BrokenJournal(line.table_id, last.number + 1, reason)
            heads[line.table_id] = Head(row.number, row.hash)
        yield line


def _line(path: Path, number: int, written: bytes) -> Begin | Line | End:
    try:
        return _DECODER.decode(written)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        raise InvalidData(f"{path}: expected a line of a backup, got other bytes in line {number}") from None
