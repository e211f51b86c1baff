"""Bulk: many rows as one statement, so that a thread that writes waits for the interpreter once, not row by row.

A database works without Python's lock. Between two statements a busy server takes the lock back, and the writer waits
for it: with a statement for each row, a transaction of a hundred rows waits a hundred times. So rows go over as JSON.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache
from operator import itemgetter
from typing import Any, Final

import msgspec

from letitride.storage.sql.session import Values
from letitride.storage.sql.writes import MOVE, PUT

encode: Final = msgspec.json.Encoder().encode
_BINARY: Final = frozenset({"events", "reply", "about", "body"})
"""Columns of bytes, all of them JSON."""
_WHOLE: Final = frozenset({"number", "at", "epoch", "cents", "delta", "version", "until_ms"})
"""Columns of whole numbers."""
SQLITE_MOVES: Final = (
    "CREATE TEMP VIEW moves AS SELECT 0 AS delta, '' AS scope, '' AS name",
    """CREATE TEMP TRIGGER make_moves INSTEAD OF INSERT ON moves BEGIN
        UPDATE accounts SET cents = cents + NEW.delta WHERE scope = NEW.scope AND name = NEW.name;
    END""",
)
"""What lets a connection to SQLite make many moves in one statement: one after another, each checked by itself."""
_INSERT: Final = re.compile(r"INSERT INTO (\w+) \(([^)]*)\)\s+VALUES \(([^)]*)\)(.*)", re.DOTALL)
_POSTGRES_MOVE: Final = (
    "UPDATE accounts SET cents = cents + (v->>0)::bigint FROM jsonb_array_elements(CAST(:rows AS jsonb)) AS v"
    " WHERE scope = v->>1 AND name = v->>2"
)
_POSTGRES_PUT: Final = (
    "UPDATE documents AS d SET body = convert_to(v->>3, 'UTF8'), version = d.version + 1"
    " FROM jsonb_array_elements(CAST(:rows AS jsonb)) AS v"
    " WHERE d.kind = v->>0 AND d.id = v->>1 AND d.version = (v->>2)::bigint RETURNING json_build_array(d.kind, d.id)"
)


@cache
def sqlite(sql: str) -> tuple[str, tuple[str, ...]]:
    """Return the statement that does with a list of rows what `sql` does with one, and the order of a row's values."""
    if sql == MOVE:
        sql = "INSERT INTO moves (delta, scope, name) VALUES (:delta, :scope, :name)"

    def picked(name: str, place: int) -> str:
        value = f"json_extract(value, '$[{place}]')"
        return f"CAST({value} AS BLOB)" if name in _BINARY else value

    return _together(sql, picked, "json_each(:rows) WHERE true")


@cache
def postgres(sql: str) -> tuple[str, tuple[str, ...]]:
    """Return the same for PostgreSQL; moves only where no account is among them twice."""
    if sql == MOVE:
        return _POSTGRES_MOVE, ("delta", "scope", "name")
    if sql == PUT:
        return _POSTGRES_PUT, ("kind", "id", "version", "body")

    def picked(name: str, place: int) -> str:
        value = f"v->>{place}"
        return f"convert_to({value}, 'UTF8')" if name in _BINARY else f"({value}){'::bigint' * (name in _WHOLE)}"

    source = "jsonb_array_elements(CAST(:rows AS jsonb)) WITH ORDINALITY AS r(v, place) ORDER BY place"
    return _together(sql, picked, source)


def _together(sql: str, picked: Any, source: str) -> tuple[str, tuple[str, ...]]:
    found = _INSERT.fullmatch(sql)
    if found is None:
        raise ValueError(f"no statement for many rows: {sql}")
    table, columns, values, rest = found.groups()
    names = [value.strip() for value in values.split(",")]
    order = tuple(name[1:] for name in names if name.startswith(":"))
    taken = ", ".join(picked(name[1:], order.index(name[1:])) if name.startswith(":") else name for name in names)
    # Made of our own statements alone.
    return f"INSERT INTO {table} ({columns}) SELECT {taken} FROM {source}{rest}", order  # noqa: S608 - our own statements


def as_json(rows: Sequence[Values], order: tuple[str, ...]) -> str | None:
    """Return the values of rows, in order, as JSON; nothing where there are bytes or numbers that JSON cannot hold."""
    picked = itemgetter(*order)
    binary = [place for place, name in enumerate(order) if name in _BINARY]
    try:
        if not binary:
            return encode([picked(row) for row in rows]).decode()
        values = [list(picked(row)) for row in rows]
        for place in binary:
            for one in values:
                one[place] = bytes(one[place]).decode()
        return encode(values).decode()
    except (UnicodeDecodeError, OverflowError, msgspec.MsgspecError):
        return None


def without_repeats(moves: Sequence[Values]) -> Iterator[list[Values]]:
    """Part moves so that no account comes twice in a part: its later move is checked after the earlier one."""
    part: list[Values] = []
    seen: set[tuple[str, str]] = set()
    for move in moves:
        account = (move["scope"], move["name"])
        if account in seen:
            yield part
            part, seen = [], set()
        part.append(move)
        seen.add(account)
    yield part
