"""Generations: which versions of letitride have written in a house; an older one takes no table there.

A generation is the version of the schema and the number of forms in which events can be read, rows are sealed and
decks are proven. Both only grow, so that what a later one has written an earlier one may be unable to read, and must
not halt a table over.
"""

from __future__ import annotations

from typing import Final

import msgspec

from letitride.chance import proof
from letitride.errors import InvalidData
from letitride.storage.codec import READERS
from letitride.storage.roles.documents import DocumentStore
from letitride.storage.sealed import FORMS
from letitride.storage.sql.schema import VERSION
from letitride.version import __version__

KIND: Final = "generation"
ID: Final = "house"


class Generation(msgspec.Struct, frozen=True):
    """How far a version of letitride has come."""

    schema: int = VERSION
    forms: int = len(READERS) + FORMS + proof.VERSION
    version: str = __version__
    """How people call it."""

    @property
    def rank(self) -> tuple[int, int]:
        """What generations are compared by."""
        return self.schema, self.forms


OURS: Final = Generation()


def known(documents: DocumentStore) -> Generation | None:
    """Return the latest generation that is on record in a house, if any is."""
    kept = documents.get(KIND, ID)
    return msgspec.json.decode(kept.body, type=Generation) if kept else None


def latest(documents: DocumentStore, ours: Generation) -> Generation:
    """Return the latest generation that has worked in a house, this one included, which is then on record."""
    while True:
        kept = documents.get(KIND, ID)
        known = msgspec.json.decode(kept.body, type=Generation) if kept else None
        if known is not None and known.rank >= ours.rank:
            return known
        if documents.put(KIND, ID, msgspec.json.encode(ours), kept.version if kept else 0) is not None:
            return ours


def outdated(ours: Generation, last: Generation) -> str:
    """Return in a sentence why a server may not take tables of a house, or nothing."""
    if last.rank <= ours.rank:
        return ""
    return (
        f"expected letitride {last.version} or newer, which has worked in this house, got {ours.version}"
        f" (generation {ours.schema}.{ours.forms} after {last.schema}.{last.forms}): upgrade this server, or restore"
        " the backup from before the upgrade"
    )


def check(documents: DocumentStore, ours: Generation) -> None:
    """Refuse a house that a later generation has worked in."""
    if why := outdated(ours, latest(documents, ours)):
        raise InvalidData(why)
