"""Lines: what a database holds as lines, and lines into an empty database with all its triggers on."""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Iterator
from itertools import groupby
from typing import Any, Final, TypeVar

import msgspec

from letitride.errors import InvalidData
from letitride.storage import dump
from letitride.storage.sql.session import Query, Session
from letitride.storage.sql.writes import ACK, AUDIT, JOURNAL, TRANSFER

L = TypeVar("L", bound=msgspec.Struct)
_PAGE: Final = 500


def export(query: Query) -> Iterator[dump.Line]:
    """Yield what one snapshot holds: each table with its rows and answers in the order they came, then the rest."""
    tables = [_made(dump.TableLine, row) for row in query(_select(dump.TableLine, "game_tables", "ORDER BY id"))]
    for table in tables:
        yield table
        rows = _paged(query, dump.RowLine, "journal", "number", table.id)
        asked = _select(dump.AckLine, "acks", "WHERE table_id = :table_id ORDER BY epoch, number, client, command")
        acks = (_made(dump.AckLine, row) for row in query(asked, table_id=table.id))
        history: tuple[Iterator[dump.RowLine | dump.AckLine], ...] = (rows, acks)
        yield from heapq.merge(*history, key=dump.order)
    wanted = "WHERE table_id IS NULL ORDER BY client, command"
    yield from (_made(dump.AckLine, row) for row in query(_select(dump.AckLine, "acks", wanted)))
    after = 0
    columns = ", ".join(dump.TransferLine.__struct_fields__)
    paged = f"SELECT id, {columns} FROM transfers WHERE id > :after ORDER BY id LIMIT :page"  # noqa: S608 - our names
    while found := query(paged, after=after, page=_PAGE):
        yield from (_made(dump.TransferLine, row[1:]) for row in found)
        after = found[-1][0]
    accounts = _select(dump.AccountLine, "accounts", "ORDER BY scope, name")
    yield from (_made(dump.AccountLine, row) for row in query(accounts))
    documents = _select(dump.DocumentLine, "documents", "ORDER BY kind, id")
    yield from (_made(dump.DocumentLine, row) for row in query(documents))
    audit = _select(dump.AuditLine, "audit", "ORDER BY id")
    yield from (_made(dump.AuditLine, row) for row in query(audit))


def load(session: Session, lines: Iterable[dump.Line]) -> None:
    """Write lines into an empty database; the triggers that guard a journal check every row of it again."""
    for name in ("game_tables", "accounts", "documents", "audit", "acks"):
        if session.run(f"SELECT 1 FROM {name} LIMIT 1"):  # noqa: S608 - our names
            raise InvalidData("expected an empty store to restore into, got one that holds something")
    tables: list[dump.TableLine] = []
    epochs: dict[str, int] = {}
    for kind, run in groupby(lines, type):
        for page in _pages(run):
            values = [msgspec.structs.asdict(line) for line in page]
            if kind is dump.TableLine:
                tables += [line for line in page if isinstance(line, dump.TableLine)]
                session.many("INSERT INTO game_tables (id, name, about) VALUES (:id, :name, :about)", values)
            elif kind in {dump.RowLine, dump.AckLine}:
                for (table_id, epoch), part in groupby(values, lambda one: (one["table_id"], one["epoch"])):
                    if table_id is not None and epochs.get(table_id, 0) != epoch:  # as the leases raised it
                        session.run("UPDATE game_tables SET epoch = :epoch WHERE id = :id", epoch=epoch, id=table_id)
                        epochs[table_id] = epoch
                    session.many(JOURNAL if kind is dump.RowLine else ACK, list(part))
            else:
                session.many(_INSERTS[kind], values)
    for table in tables:
        session.run(
            "UPDATE game_tables SET state = :state, reason = :reason, epoch = :epoch, node = :node,"
            " address = :address, until_ms = :until_ms WHERE id = :id",
            **{name: getattr(table, name) for name in ("id", "state", "reason", *_LEASED)},
        )
        head = session.run("SELECT number, hash FROM game_tables WHERE id = :id", id=table.id)[0]
        if tuple(head) != (table.number, table.hash):
            raise InvalidData(f"expected the journal of table {table.id} to end at row {table.number}, got {head[0]}")


_LEASED: Final = ("epoch", "node", "address", "until_ms")
_INSERTS: Final[dict[type[dump.Line], str]] = {
    dump.TransferLine: TRANSFER,
    dump.AccountLine: "INSERT INTO accounts (scope, name, cents) VALUES (:scope, :name, :cents)",
    dump.DocumentLine: "INSERT INTO documents (kind, id, version, body) VALUES (:kind, :id, :version, :body)",
    dump.AuditLine: AUDIT,
}


def _select(kind: type[msgspec.Struct], name: str, rest: str) -> str:
    return f"SELECT {', '.join(kind.__struct_fields__)} FROM {name} {rest}"  # noqa: S608 - our names


def _made(kind: type[L], row: tuple[Any, ...]) -> L:
    return msgspec.convert(dict(zip(kind.__struct_fields__, map(_plain, row), strict=True)), kind)


def _plain(value: object) -> object:
    return bytes(value) if isinstance(value, memoryview) else value


def _paged(query: Query, kind: type[L], name: str, key: str, table_id: str) -> Iterator[L]:
    asked = _select(kind, name, f"WHERE table_id = :table_id AND {key} > :after ORDER BY {key} LIMIT :page")
    after = 0
    while found := query(asked, table_id=table_id, after=after, page=_PAGE):
        yield from (_made(kind, row) for row in found)
        after = found[-1][kind.__struct_fields__.index(key)]


def _pages(run: Iterable[dump.Line]) -> Iterator[list[dump.Line]]:
    page: list[dump.Line] = []
    for line in run:
        page.append(line)
        if len(page) == _PAGE:
            yield page
            page = []
    if page:
        yield page
