"""Setup: the one-time code that makes the first administrator; shown to one place only, and forgotten once used."""

from __future__ import annotations

import os
import secrets
from dataclasses import dataclass
from pathlib import Path
from typing import Final

LETTERS: Final = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789"
"""Letters and digits that are not mistaken for one another."""
FILE: Final = "setup-code"


@dataclass(slots=True)
class Setup:
    """The code of a house without an administrator; empty: there is nothing to set up."""

    code: str = ""
    file: Path | None = None

    def make_code(self, code: str = "") -> str:
        """Make a code, of 150 bits, or take one that other workers have too, and return it."""
        self.code = code or "-".join("".join(secrets.choice(LETTERS) for _ in range(5)) for _ in range(6))
        return self.code

    def write(self, folder: Path) -> Path:
        """Write the code to a file that no one else can read, and return its path."""
        path = self.file = folder / FILE
        path.unlink(missing_ok=True)
        with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="utf-8") as file:
            file.write(self.code + "\n")
        return path

    def is_right(self, code: str) -> bool:
        """Whether a code that was given is the right one."""
        return bool(self.code) and secrets.compare_digest(code.strip().upper().encode(), self.code.encode())

    def forget_code(self) -> None:
        """Forget the code."""
        code, self.code = self.code, ""
        if self.file is not None and _read(self.file) == code:  # another process may have written its own there
            self.file.unlink(missing_ok=True)


def _read(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8").strip()
    except OSError:
        return ""
