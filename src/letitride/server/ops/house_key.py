"""House key: the key that seals decks, read from its file or made there once; never shown, never in the database."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

from letitride.errors import InvalidData
from letitride.storage.vault import KEY_SIZE, fresh_key


def house_key(path: Path) -> bytes:
    """Return the key in a file, which is made, for its owner's eyes alone, where there is none."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        _make(path)
        text = path.read_text(encoding="ascii").strip()
    except (OSError, UnicodeDecodeError) as error:
        why = error.strerror if isinstance(error, OSError) else "it is no text"
        raise InvalidData(f"expected a file with the house's key at '{path}', got none: {why}") from None
    try:
        key = bytes.fromhex(text)
    except ValueError:
        key = b""
    if len(key) != KEY_SIZE:
        raise InvalidData(f"expected {2 * KEY_SIZE} hexadecimal digits in '{path}', got something else")
    return key


def _make(path: Path) -> None:
    """Write a new key, whole or not at all: of servers that start at once, all get the key of the first."""
    if path.exists():
        return
    draft = path.with_name(f"{path.name}.{os.urandom(8).hex()}")  # two containers may have the same process number
    try:
        with os.fdopen(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="ascii") as file:
            file.write(fresh_key().hex() + "\n")
            file.flush()
            os.fsync(file.fileno())
        with suppress(FileExistsError):
            os.link(draft, path)
    finally:
        draft.unlink(missing_ok=True)
