"""Recovery codes: what signs a person in whose phone is gone, each once; kept as hashes, shown when they are made."""

from __future__ import annotations

import base64
import secrets
from typing import Final

from letitride.server.people.sessions import hash_of

CODES: Final = 10
GROUPS: Final = 5
LETTERS: Final = 5
"""In a group: 125 bits in all, which a plain hash keeps as well as a slow one."""


def new_codes() -> list[str]:
    """Return ten codes as people write them down: 'ABCDE-FGH23-…'."""
    return [_new_code() for _ in range(CODES)]


def hash_of_code(code: str) -> str:
    """Return what is kept of a code, however it is written."""
    return hash_of("".join(sign for sign in code.upper() if sign.isalnum()))


def _new_code() -> str:
    letters = base64.b32encode(secrets.token_bytes(16)).decode()[: GROUPS * LETTERS]
    return "-".join(letters[start : start + LETTERS] for start in range(0, GROUPS * LETTERS, LETTERS))
