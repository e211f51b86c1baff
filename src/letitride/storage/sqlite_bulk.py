"""SQLite bulk: many rows as one statement, so that a thread that writes waits for the interpreter once, not row by row.

SQLite runs a statement without Python's lock. Between two statements a busy server takes the lock back, and the writer
waits for it: with a statement for each row, a transaction of a hundred rows waits a hundred times.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from typing import Any, Final

import msgspec

from letitride.storage.sql_writes import MOVE, Values

BINARY: Final = frozenset({"events", "reply", "about", "body"})
"""Columns of bytes, all of them JSON."""
MOVES: Final = (
    "CREATE TEMP VIEW moves AS SELECT 0 AS delta, '' AS scope, '' AS name",
    """CREATE TEMP TRIGGER make_moves INSTEAD OF INSERT ON moves BEGIN
        UPDATE accounts SET cents = cents + NEW.delta WHERE scope = NEW.scope AND name = NEW.name;
    END""",
)
"""What lets a connection make many moves in one statement: one after another, each checked by itself."""
_INSERT: Final = re.compile(r"INSERT INTO (\w+) \(([^)]*)\)\s+VALUES \(([^)]*)\)(.*)", re.DOTALL)


@cache
def bulk(sql: str) -> tuple[str, tuple[str, ...]]:
    """Return the statement that does with a list of rows what `sql` does with one, and the order of a row's values."""
    if sql == MOVE:
        sql = "INSERT INTO moves (delta, scope, name) VALUES (:delta, :scope, :name)"
    found = _INSERT.fullmatch(sql)
    if found is None:
        raise ValueError(f"no statement for many rows: {sql}")
    table, columns, values, rest = found.groups()
    names = [value.strip() for value in values.split(",")]
    order = tuple(name[1:] for name in names if name.startswith(":"))
    picked = ", ".join(_picked(name, order) if name.startswith(":") else name for name in names)
    # Made of our own statements alone.
    return f"INSERT INTO {table} ({columns}) SELECT {picked} FROM json_each(:rows) WHERE true{rest}", order  # noqa: S608


def _picked(name: str, order: tuple[str, ...]) -> str:
    value = f"json_extract(value, '$[{order.index(name[1:])}]')"
    return f"CAST({value} AS BLOB)" if name[1:] in BINARY else value


def rows_as_json(rows: Sequence[Values], order: tuple[str, ...]) -> str:
    """Return the values of rows, in order, as JSON."""
    return msgspec.json.encode([[_plain(row[name]) for name in order] for row in rows]).decode()


def _plain(value: Any) -> Any:
    return value.decode() if isinstance(value, bytes) else value
