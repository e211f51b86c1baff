"""Times: now, and times as typed after an option, in milliseconds since 1970."""

from __future__ import annotations

import time
from datetime import UTC, datetime, timedelta
from typing import Annotated, Final

import typer

from letitride.errors import InvalidData

FIRST_MS: Final = -(2**53)
LAST_MS: Final = 2**53
_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)

From = Annotated[
    str | None, typer.Option("--from", help="From this time on, such as 2026-03-31T18:00 (UTC).", metavar="TIME")
]
To = Annotated[str | None, typer.Option("--to", help="Up to, but not including, this time.", metavar="TIME")]


def clock_ms() -> int:
    """Return the time in milliseconds, as journals keep it."""
    return time.time_ns() // 1_000_000


def parse_time(text: str | None, option: str) -> int | None:
    """Return a time in milliseconds since 1970; UTC if it names no zone."""
    if text is None:
        return None
    try:
        found = datetime.fromisoformat(text)
    except ValueError:
        raise InvalidData(f"expected a time like 2026-03-31T18:00 after {option}, got '{text}'") from None
    aware = found if found.tzinfo is not None else found.replace(tzinfo=UTC)
    return (aware - _EPOCH) // timedelta(milliseconds=1)


def parse_span(first: str | None, end: str | None) -> tuple[int | None, int | None]:
    """Return the start and the end of a period, each if it was given."""
    from_ms, to_ms = parse_time(first, "--from"), parse_time(end, "--to")
    if from_ms is not None and to_ms is not None and from_ms >= to_ms:
        raise InvalidData(f"expected a later time after --to than after --from, got '{end}'")
    return from_ms, to_ms
