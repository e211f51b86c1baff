"""With key: a house's database as the house itself reads it, rounds in play among it; it changes nothing there."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from letitride.server.ops.house_key import house_key
from letitride.storage.roles.stores import Stores
from letitride.storage.sealed import OpenedJournal
from letitride.storage.urls import open_store
from letitride.storage.vault import Vault


def open_with_key(database: str, folder: Path) -> Stores:
    """Return the stores of a database, only to be read, with the key that lies in a folder."""
    kept = open_store(database, read_only=True)
    journal = OpenedJournal(kept.journal, kept.documents, Vault(house_key(folder / "house.key")))
    return replace(kept, journal=journal)
