"""Backup store: everything in one file and back again; never a part of it."""

from __future__ import annotations

from pathlib import Path
from typing import Protocol


class BackupStore(Protocol):
    """What copies all other stores together."""

    @property
    def suffix(self) -> str:
        """How the name of a backup's file ends: db or jsonl."""

    def write(self, path: Path) -> None:
        """Write everything to a new file, while others go on writing."""

    def restore(self, path: Path) -> None:
        """Read a backup of any kind of store into this one, which must be empty."""
