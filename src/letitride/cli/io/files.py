"""Files: reads what a person names, or standard input, and says in a sentence why it cannot."""

from __future__ import annotations

import sys
from pathlib import Path

from letitride.errors import InvalidData, MissingData


def read_text(file: str, what: str) -> str:
    """Return the text of a file of `what`; - is standard input."""
    if file == "-":
        return sys.stdin.read()
    try:
        return Path(file).read_text(encoding="utf-8-sig")
    except FileNotFoundError:
        raise MissingData(f"expected a file of {what}, got '{file}', which does not exist") from None
    except OSError as error:
        raise InvalidData(f"expected a readable file of {what}, got '{file}': {error.strerror}") from None
    except ValueError:
        raise InvalidData(f"{file}: expected {what} in UTF-8, got other bytes") from None
