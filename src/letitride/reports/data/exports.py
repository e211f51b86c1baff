"""Exports: settled wagers as JSON Lines and as Parquet, piece by piece, so that any length fits into little memory."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from importlib.util import find_spec
from itertools import islice
from typing import Any, Final, Literal

import msgspec

from letitride.extras import missing_extra
from letitride.records.settled import SettledWager

Format = Literal["jsonl", "parquet"]
JSONL_LINES: Final = 500
"""Lines of one piece."""
PARQUET_ROWS: Final = 5_000
"""Rows of one group."""
MEDIA_TYPES: Final[dict[Format, str]] = {"jsonl": "application/jsonl", "parquet": "application/vnd.apache.parquet"}


def check_format(format_: Format) -> None:
    """Say at once where a format cannot be written here."""
    if format_ == "parquet" and find_spec("pyarrow") is None:
        raise missing_extra("Parquet", "pyarrow")


def as_json_lines(wagers: Iterable[SettledWager]) -> Iterator[bytes]:
    """Yield wagers as JSON, one a line, many lines at a time."""
    for some in _some(wagers, JSONL_LINES):
        yield b"".join(msgspec.json.encode(one) + b"\n" for one in some)


def as_parquet(wagers: Iterable[SettledWager]) -> Iterator[bytes]:
    """Yield the bytes of a Parquet file of wagers, a group of rows at a time."""
    check_format("parquet")
    import pyarrow  # noqa: PLC0415 - an extra
    from pyarrow import parquet  # noqa: PLC0415 - an extra

    schema = pyarrow.schema([_field(pyarrow, field) for field in msgspec.structs.fields(SettledWager)])
    sink = _Sink()
    with parquet.ParquetWriter(pyarrow.PythonFile(sink, mode="w"), schema, compression="zstd") as writer:
        for some in _some(wagers, PARQUET_ROWS):
            rows = [msgspec.structs.asdict(one) for one in some]
            writer.write_table(pyarrow.Table.from_pylist(rows, schema=schema))
            yield sink.taken()
    yield sink.taken()


WRITERS: Final[dict[Format, Callable[[Iterable[SettledWager]], Iterator[bytes]]]] = {
    "jsonl": as_json_lines,
    "parquet": as_parquet,
}


def _some(wagers: Iterable[SettledWager], many: int) -> Iterator[list[SettledWager]]:
    waiting = iter(wagers)
    while some := list(islice(waiting, many)):
        yield some


def _field(pyarrow: Any, field: msgspec.structs.FieldInfo) -> Any:
    kinds = {int: pyarrow.int64(), str: pyarrow.string(), int | None: pyarrow.int64(), str | None: pyarrow.string()}
    optional = field.type in {int | None, str | None}
    kind = pyarrow.timestamp("ms", tz="UTC") if field.name.endswith("_ms") else kinds[field.type]
    return pyarrow.field(field.name, kind, optional)


class _Sink:
    """A file that gives away what was written to it."""

    closed = False

    def __init__(self) -> None:
        self._held: list[bytes] = []
        self._size = 0

    def write(self, data: bytes) -> int:
        """Take bytes."""
        self._held.append(bytes(data))
        self._size += len(self._held[-1])
        return len(self._held[-1])

    def tell(self) -> int:
        """How many bytes were written."""
        return self._size

    def flush(self) -> None:
        """Nothing waits here."""

    def close(self) -> None:
        """Nothing to close: what is held may still be taken."""

    def taken(self) -> bytes:
        """Return what was written since it was last asked."""
        held, self._held = b"".join(self._held), []
        return held
