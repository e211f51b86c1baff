"""Errors: the few ways letitride fails, as one tree.

    LetItRideError            anything this package raises on purpose
    ├── InvalidData           the world sent something unreadable or impossible
    │   └── MissingData       a file, an id, a key or a clause that does not exist
    ├── StoreDown             the memory of a server cannot be reached: what was not confirmed may or may not be there
    ├── ChanceFailed          the operating system's generator failed its health test: nothing may be shuffled
    └── InvariantBroken       our own bug: stop, do not go on with a wrong state

An InvalidData message is one sentence: what was expected, what came, and where. What came may be anything, so a message
escapes what a terminal would obey and shortens what no one would read.
"""

import re
from typing import Final

WORD_MAX: Final = 200
"""Characters of one word in a message; a longer one is shown by its beginning and its end."""
MESSAGE_MAX: Final = 4_000
_UNSEEN: Final = re.compile(
    "[\x00-\x09\x0b-\x1f\x7f-\x9f\xad\u0600-\u0605\u061c\u06dd\u070f\u180e\u200b-\u200f\u2028-\u202e"
    "\u2060-\u206f\ud800-\udfff\ufeff\ufff9-\ufffb\U000e0000-\U000e007f]"
)
"""Control characters but for line ends, marks that turn or hide text, line separators, halves of characters."""
_LONG: Final = re.compile(rf"\S{{{WORD_MAX + 1},}}")


def escaped(text: str) -> str:
    """Return a text that a terminal can show: what it would obey or hide is written as in code, but for line ends."""
    return _UNSEEN.sub(lambda found: ascii(found[0])[1:-1], text)


def shortened(text: str, most: int = 120) -> str:
    """Return a text for a message: where it is long, its beginning and its end."""
    return text if len(text) <= most else f"{text[: most - 40]}…{text[-30:]}"


def presentable(text: str) -> str:
    """Return a message that a person can read, whatever it quotes."""
    if len(text) > WORD_MAX:
        text = _LONG.sub(lambda found: shortened(found[0], WORD_MAX), text)
        text = shortened(text, MESSAGE_MAX)
    return escaped(text)


class LetItRideError(Exception):
    """Anything this package raises on purpose."""

    def __init__(self, message: str = "", *more: object) -> None:
        super().__init__(presentable(message), *more)


class InvalidData(LetItRideError, ValueError):
    """What came from outside cannot be read or cannot be true."""

    code: str = ""
    """What clients word it by in their own language, with its values; empty where the sentence alone is sent."""

    def __init__(self, message: str = "", *more: object, code: str = "", **values: str | int) -> None:
        super().__init__(message, *more)
        self.code = code or self.code
        self.values: dict[str, str | int] = values


class MissingData(InvalidData, LookupError):
    """What was asked for does not exist."""


class StoreDown(LetItRideError):
    """The store cannot be reached or written; what it has not confirmed may or may not be there."""


class ChanceFailed(LetItRideError):
    """What the operating system gives as chance is none: nothing may be shuffled until a person has looked."""


class InvariantBroken(LetItRideError, AssertionError):
    """Our own bug: the state can no longer be trusted."""
