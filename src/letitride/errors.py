"""Errors: the few ways letitride fails, as one tree.

    LetItRideError            anything this package raises on purpose
    ├── InvalidData           the world sent something unreadable or impossible
    │   └── MissingData       a file, an id, a key or a clause that does not exist
    ├── StoreDown             the memory of a server cannot be reached: what was not confirmed may or may not be there
    ├── ChanceFailed          the operating system's generator failed its health test: nothing may be shuffled
    └── InvariantBroken       our own bug: stop, do not go on with a wrong state

An InvalidData message is one sentence: what was expected, what came, and where.
"""


class LetItRideError(Exception):
    """Anything this package raises on purpose."""


class InvalidData(LetItRideError, ValueError):
    """What came from outside cannot be read or cannot be true."""


class MissingData(InvalidData, LookupError):
    """What was asked for does not exist."""


class StoreDown(LetItRideError):
    """The store cannot be reached or written; what it has not confirmed may or may not be there."""


class ChanceFailed(LetItRideError):
    """What the operating system gives as chance is none: nothing may be shuffled until a person has looked."""


class InvariantBroken(LetItRideError, AssertionError):
    """Our own bug: the state can no longer be trusted."""
