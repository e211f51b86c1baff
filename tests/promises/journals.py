"""Journals: rows as lines of a file, and a digest of what a journal comes to that no later version may change."""

from __future__ import annotations

import gzip
import json
from collections.abc import Sequence
from hashlib import sha256
from pathlib import Path

import msgspec

from letitride.storage.journal import Row
from letitride.storage.past import rebuilt

FOLDER = Path(__file__).parent.parent / "data" / "journals"


def as_line(row: Row) -> bytes:
    """Return a row as one line of JSON."""
    return json.dumps({**msgspec.structs.asdict(row), "events": row.events.decode()}).encode()


def read(path: Path) -> list[Row]:
    """Return the rows of a file."""
    lines = gzip.decompress(path.read_bytes()).splitlines()
    return [Row(**{**held, "events": held["events"].encode()}) for held in map(json.loads, lines)]


def digest_of(rows: Sequence[Row]) -> str:
    """Return a digest of a table after a journal: its round, its money, and where each of its cards lies."""
    table = rebuilt(rows)
    cards = {place: [f"{card.deck}{card.face}{'^' * card.up}" for card in held] for place, held in table.cards.items()}
    told = [table.version, table.round, table.phase, sorted(table.accounts.items()), sorted(cards.items())]
    return sha256(json.dumps(told).encode()).hexdigest()
