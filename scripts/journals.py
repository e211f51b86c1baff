"""Writes the journals under tests/data/journals: two rounds by each book, played over the wire.

    python scripts/journals.py VERSION      writes VERSION-BOOK.jsonl.gz, and its digests into digests.txt

What is there is never written again: it must be read, and come to the same, by every later version.
"""

from __future__ import annotations

import argparse
import asyncio
import gzip
import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT))

from tests.promises.journals import FOLDER, as_line, digest_of  # noqa: E402 - found through the path above
from tests.server.virtual import Player, opened, run, until, virtual  # noqa: E402 - found through the path above

from letitride.rules import catalog  # noqa: E402 - found through the path above
from letitride.storage.memory.opening import memory_stores  # noqa: E402 - found through the path above
from letitride.storage.roles.stores import Stores  # noqa: E402 - found through the path above


async def played(book: str) -> Stores:
    """Return a store with a journal of two rounds."""
    store = memory_stores()
    async with opened(store, book) as (house, app):
        tasks = [asyncio.create_task(Player(house, app, book, seat).play()) for seat in (1, 2, 3)]
        await until(lambda: house.rooms[book].table.round >= 3)
        for task in tasks:
            task.cancel()
    return store


def main() -> None:
    """Write the journals of this version."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("version")
    version = parser.parse_args().version
    FOLDER.mkdir(exist_ok=True)
    for book in catalog.rulebook_ids():
        path = FOLDER / f"{version}-{book}.jsonl.gz"
        if path.exists():
            sys.exit(f"expected journals of a new version, got {version}, which has some")
        with virtual(f"journal {book}") as (loop, _):
            rows = list(run(loop, played(book)).journal.rows(book))
        path.write_bytes(gzip.compress(b"".join(as_line(row) + b"\n" for row in rows), mtime=0))
        with (FOLDER / "digests.txt").open("a", encoding="utf-8") as digests:
            digests.write(f"{path.name} {len(rows)} {rows[-1].hash} {digest_of(rows)}\n")


if __name__ == "__main__":
    main()
