"""Journal: what happened at the tables of a house, as typed events, past or as it happens; it only reads.

with open_journal("house.db") as journal:
    for one in journal.rounds("nsw-1"):
        print(one.number, one.net_cents)
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Final

from letitride.errors import InvalidData
from letitride.records.rounds import Moment, PlayedRound
from letitride.rules.arguments import described
from letitride.storage.past import Past
from letitride.storage.roles.stores import Stores
from letitride.storage.urls import open_store

LOOK_SECONDS: Final = 0.5
"""How long a follower waits before it looks again."""


class Journal:
    """The journals of a house's tables."""

    def __init__(self, stores: Stores) -> None:
        self._stores = stores

    def tables(self) -> list[str]:
        """Return the ids of the tables that have a journal."""
        return [one.id for one in self._stores.tables.all()]

    def moments(self, table: str) -> Iterator[Moment]:
        """Yield what followed from each command at a table, from its opening to now.

        A round in play is sealed where the house's key is not at hand: then they end before it.
        """
        return self._past(table).moments()

    def rounds(self, table: str) -> Iterator[PlayedRound]:
        """Yield the rounds of a table that are over, the first one first."""
        return self._past(table).rounds()

    def follow(self, table: str, *, past: bool = False, wait: Callable[[], bool] | None = None) -> Iterator[Moment]:
        """Yield what happens at a table as it happens; with `past`, what happened before it first.

        Where there is nothing new, `wait` is asked whether to look again; without it a moment passes, for ever.
        """
        if wait is not None and not callable(wait):
            raise InvalidData(f"expected a function that says whether to look again, got {described(wait)}")
        return self._past(table).follow(wait or _wait, past=past)

    def _past(self, table: str) -> Past:
        return Past(self._stores.journal, self._stores.documents, table)


@contextmanager
def open_journal(database: str) -> Iterator[Journal]:
    """Open a house's database to read its journals: a SQLite file or postgresql://…; a server may be using it."""
    stores = open_store(database, read_only=True)
    try:
        yield Journal(stores)
    finally:
        stores.close()


def _wait() -> bool:
    time.sleep(LOOK_SECONDS)
    return True
