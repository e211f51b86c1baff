"""Errors: the few ways letitride fails, as one tree.

    LetItRideError            anything this package raises on purpose
    ├── InvalidData           the world sent something unreadable or impossible
    │   └── MissingData       a file, an id, a key or a clause that does not exist
    └── InvariantBroken       our own bug: stop, do not go on with a wrong state

An InvalidData message is one sentence: what was expected, what came, and where.
"""


class LetItRideError(Exception):
    """Anything this package raises on purpose."""


class InvalidData(LetItRideError, ValueError):
    """What came from outside cannot be read or cannot be true."""


class MissingData(InvalidData, LookupError):
    """What was asked for does not exist."""


class InvariantBroken(LetItRideError, AssertionError):
    """Our own bug: the state can no longer be trusted."""
