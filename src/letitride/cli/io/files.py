"""Files: reads a file that a command names, or standard input, or says in a sentence why it cannot."""

from __future__ import annotations

import stat
import sys
from pathlib import Path
from typing import BinaryIO, Final

from letitride.errors import InvalidData, MissingData
from letitride.rules.words import show_value

BYTES_MAX: Final = 64_000_000
"""The longest file that is read: a device, or a file without end, is not read to its end."""


def read_text(file: str, what: str, most: int = BYTES_MAX) -> str:
    """Return the text of a file of `what`; - is standard input. A device or too long a file is refused unread."""
    try:
        if file == "-":
            return _decoded(_bounded(sys.stdin.buffer, "standard input", what, most), "standard input", what)
        _refuse_endless(file, what, most)
        with Path(file).open("rb") as opened:
            return _decoded(_bounded(opened, file, what, most), file, what)
    except FileNotFoundError:
        raise MissingData(f"expected a file of {what}, got '{file}', which does not exist") from None
    except OSError as error:
        raise InvalidData(f"expected a readable file of {what}, got '{file}': {error.strerror}") from None
    except InvalidData:
        raise
    except ValueError:  # a NUL in it
        raise InvalidData(f"expected the path of a file of {what}, got {show_value(file)}") from None


def _refuse_endless(file: str, what: str, most: int) -> None:
    found = Path(file).stat()
    if most < BYTES_MAX and not stat.S_ISREG(
        found.st_mode
    ):  # a rule book: none is piped in, and a pipe would be waited for
        raise InvalidData(f"expected a plain file of {what}, got '{file}', which is not one")
    if stat.S_ISBLK(found.st_mode) or (stat.S_ISCHR(found.st_mode) and not _is_terminal(file)):
        raise InvalidData(f"expected a file of {what}, got '{file}', which is a device")
    if found.st_size > most:
        raise InvalidData(f"{file}: expected {what} of {most:,} bytes at most, got {found.st_size:,}")


def _is_terminal(file: str) -> bool:
    with Path(file).open("rb") as opened:
        return opened.isatty()


def _bounded(opened: BinaryIO, where: str, what: str, most: int) -> bytes:
    raw = opened.read(most + 1)
    if len(raw) > most:
        raise InvalidData(f"{where}: expected {what} of {most:,} bytes at most, got more")
    return raw


def _decoded(raw: bytes, where: str, what: str) -> str:
    try:
        return raw.decode("utf-8-sig").replace("\r\n", "\n").replace("\r", "\n")
    except UnicodeDecodeError as error:
        line = raw[: error.start].count(b"\n") + 1
        byte = f"the byte 0x{raw[error.start]:02X}"
        raise InvalidData(f"{where}, line {line}: expected {what} in UTF-8, got {byte} of another encoding") from None
