"""Files: reads what a person names, or standard input, and says in a sentence why it cannot."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import BinaryIO, Final

from letitride.errors import InvalidData, MissingData

BYTES_MAX: Final = 64_000_000
"""The longest file that is read: a device, or a file without end, is not read to its end."""


def read_text(file: str, what: str) -> str:
    """Return the text of a file of `what`; - is standard input."""
    try:
        if file == "-":
            return _decoded(_bounded(sys.stdin.buffer, "standard input", what), "standard input", what)
        with Path(file).open("rb") as opened:
            return _decoded(_bounded(opened, file, what), file, what)
    except FileNotFoundError:
        raise MissingData(f"expected a file of {what}, got '{file}', which does not exist") from None
    except OSError as error:
        raise InvalidData(f"expected a readable file of {what}, got '{file}': {error.strerror}") from None


def _bounded(opened: BinaryIO, where: str, what: str) -> bytes:
    raw = opened.read(BYTES_MAX + 1)
    if len(raw) > BYTES_MAX:
        raise InvalidData(f"{where}: expected {what} of {BYTES_MAX:,} bytes at most, got more")
    return raw


def _decoded(raw: bytes, where: str, what: str) -> str:
    try:
        return raw.decode("utf-8-sig").replace("\r\n", "\n").replace("\r", "\n")
    except UnicodeDecodeError as error:
        line = raw[: error.start].count(b"\n") + 1
        byte = f"the byte 0x{raw[error.start]:02X}"
        raise InvalidData(f"{where}, line {line}: expected {what} in UTF-8, got {byte} of another encoding") from None
