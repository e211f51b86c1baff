"""Backups: copies of the store in a folder of the house's own, made while tables go on; never a path of a client's."""

from __future__ import annotations

import re
import secrets
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

import msgspec

from letitride.errors import InvalidData, MissingData
from letitride.storage.roles.backups import BackupStore

NAME: Final = re.compile(r"house-[0-9]{8}T[0-9]{6}Z-[0-9a-f]{8}\.(db|jsonl)")


class Backup(msgspec.Struct, frozen=True, kw_only=True):
    """A backup that is complete."""

    name: str
    bytes: int
    made_ms: int


class Backups:
    """The backups in one folder."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def make(self, store: BackupStore) -> Backup:
        """Write a new backup; it gets its name only when it is complete."""
        at = datetime.now(UTC).strftime("%Y%m%dT%H%M%SZ")
        path = self._folder / f"house-{at}-{secrets.token_hex(4)}.{store.suffix}"
        part = path.with_suffix(".part")
        try:
            self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            store.write(part)
            part.chmod(0o600)
            part.rename(path)
        except OSError as error:
            part.unlink(missing_ok=True)
            raise InvalidData(f"expected a writable folder for backups, got {error.strerror}") from None
        return _read(path)

    def all(self) -> list[Backup]:
        """Return all backups, the oldest first."""
        if not self._folder.is_dir():
            return []
        return [_read(path) for path in sorted(self._folder.iterdir()) if NAME.fullmatch(path.name)]

    def path(self, name: str) -> Path:
        """Return where a backup is."""
        path = self._folder / name
        if not NAME.fullmatch(name) or not path.is_file():
            raise MissingData(f"expected the name of a backup, got {name!r}")
        return path


def _read(path: Path) -> Backup:
    known = path.stat()
    return Backup(name=path.name, bytes=known.st_size, made_ms=known.st_mtime_ns // 1_000_000)
