"""Durability: whether a house may open on a store that could lose what it confirms; it asks once, and sets nothing."""

from __future__ import annotations

import logging

from letitride.errors import InvalidData
from letitride.storage.roles.journal import JournalStore

log = logging.getLogger(__name__)


def check(journal: JournalStore, *, unsafe_database: bool = False) -> None:
    """Refuse a store whose confirmed rows do not outlive a crash, unless told so; warn of what else is weak."""
    for one in journal.hazards():
        if one.severity == "fail" and not unsafe_database:
            raise InvalidData(
                f"expected a database that keeps what it confirms, got one where {one.found}: {one.todo}, or set"
                " unsafe_database = true"
            )
        if one.severity != "note":
            log.warning("%s: %s: %s", one.what, one.found, one.todo)
