"""TOML text: text read as TOML, within bounds that hold before the parser sees it; never says what a key means."""

from __future__ import annotations

import tomllib
from typing import Any, Final

from letitride.errors import InvalidData

TEXT_MAX: Final = 1_000_000
"""Characters of one text: the longest that is published has 66,000."""
BYTES_MAX: Final = 1_000_000
"""Bytes of a file: a longer one is refused before it is read."""
WHOLE_BITS_MAX: Final = 63
"""Bits of a whole number beside its sign."""
DOTS_MAX: Final = 200
"""Dots on one line. A key stands on one line, and the parser takes time by the square of a key's parts."""


def read_toml(text: str, where: str) -> dict[str, Any]:  # a TOML reader
    """Return what a text says; `where` names it in refusals."""
    if len(text) > TEXT_MAX:
        raise InvalidData(f"{where}: expected a TOML file of {TEXT_MAX:,} characters at most, got {len(text):,}")
    if text.count(".") > DOTS_MAX:  # most texts need no look at their lines
        for number, line in enumerate(text.split("\n"), 1):
            if (dots := line.count(".")) > DOTS_MAX:
                raise InvalidData(
                    f"{where}: expected {DOTS_MAX} dots on a line at most, got {dots:,} on line {number:,}"
                )
    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise InvalidData(f"{where}: expected valid TOML, got an error: {error}") from None
    except (ValueError, RecursionError):  # a number of thousands of digits, brackets without end
        raise InvalidData(f"{where}: expected a TOML file of reasonable size, got one that cannot be read") from None
    _refuse_long_numbers(data, where)
    return data


def _refuse_long_numbers(data: object, where: str) -> None:
    """Refuse whole numbers that TOML does not promise to keep: in hexadecimal the parser reads any length."""
    if isinstance(data, dict):
        for key, value in data.items():
            _refuse_long_numbers(value, f"{where}: {key}")
    elif isinstance(data, list):
        for value in data:
            _refuse_long_numbers(value, where)
    elif isinstance(data, int) and data.bit_length() > WHOLE_BITS_MAX:
        raise InvalidData(f"{where}: expected a whole number of {WHOLE_BITS_MAX + 1} bits, got a longer one")
