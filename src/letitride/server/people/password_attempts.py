"""Password attempts: how long a source waits before it tries another one; locks no name, and knows no password.

An account that wrong passwords lock is an account that anyone can lock. So it is the source that waits: an address, or
a device on which this account has signed in before. A device waits for its own wrong passwords alone. While wrong
passwords for a name come from many addresses, an address has one try at it before it waits, instead of five: the owner,
who knows the password, needs no more than that.
"""

from __future__ import annotations

import math
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, TypeVar

from letitride.errors import InvalidData
from letitride.rules.words import plural

FREE: Final = 5
"""Wrong passwords of one source for one name before it waits."""
FREE_PRESSED: Final = 1
PRESSED: Final = 20
"""So many wrong passwords for a name, wherever they come from, are an attack on it."""
PRESSED_EXPONENT: Final = 4
"""Then the first wait is not one second but sixteen."""
FREE_ALL_NAMES: Final = 20
"""Wrong passwords of one address for all names before it waits."""
WAIT_SECONDS_MAX: Final = 900
WAIT_ALL_NAMES_SECONDS_MAX: Final = 60
FORGET_MS: Final = 3600 * 1000
"""After so long without a wrong password everything is as at the beginning."""
KEPT_MAX: Final = 20_000
"""Of each kind; those who have not tried for longest are forgotten first."""

K = TypeVar("K")


class TryLater(InvalidData):
    """A sign-in that comes too soon after wrong passwords from the same source."""

    def __init__(self, seconds: int, what: str = "wrong passwords from one source") -> None:
        wait = f"{seconds} {plural('second', seconds)}"
        super().__init__(f"expected fewer {what}, got too many: try again in {wait}")
        self.seconds = seconds


@dataclass(slots=True)
class _Count:
    wrong: int = 0
    last_ms: int = 0


class PasswordAttempts:
    """Wrong passwords of late, by source and by name, at this server."""

    def __init__(self, clock_ms: Callable[[], int]) -> None:
        self._clock_ms = clock_ms
        self._pairs: OrderedDict[tuple[str, str], _Count] = OrderedDict()
        self._sources: OrderedDict[str, _Count] = OrderedDict()
        self._names: OrderedDict[str, _Count] = OrderedDict()

    def begin(self, source: str, name: str, *, known: bool) -> None:
        """Count a try as wrong until it is proven right, or refuse it; `known` sources are the account's own devices.

        It counts before the password is looked at, so that of any number of tries at the same time none comes too soon.
        """
        now = self._clock_ms()
        pair = _fresh(self._pairs, (source, name), now)
        pressed = not known and self.is_under_attack(name)
        free = FREE_PRESSED if pressed else FREE
        wait = _wait_ms(pair, free, WAIT_SECONDS_MAX, PRESSED_EXPONENT if pressed else 0, now)
        if not known:
            whole = _fresh(self._sources, source, now)
            wait = max(wait, _wait_ms(whole, FREE_ALL_NAMES, WAIT_ALL_NAMES_SECONDS_MAX, 0, now))
        if wait > 0:
            raise TryLater(math.ceil(wait / 1000))
        for count in self._counts(source, name, known=known):
            count.wrong, count.last_ms = count.wrong + 1, now

    def succeed(self, source: str, name: str, *, known: bool) -> None:
        """Take back what was counted of a try that was right; the source has a clean slate for this name."""
        for count in self._counts(source, name, known=known):
            count.wrong = max(count.wrong - 1, 0)
        self._pairs.pop((source, name), None)

    def is_under_attack(self, name: str) -> bool:
        """Whether so many wrong passwords for a name have come of late that strangers to it wait sooner."""
        return self._wrong(name) >= PRESSED

    def is_tried(self, name: str) -> bool:
        """Whether so many wrong passwords for a name have come of late that a source may wait for it."""
        return self._wrong(name) >= FREE

    def forget(self, name: str) -> None:
        """Let everybody try this name as at the beginning."""
        self._names.pop(name, None)
        for pair in [one for one in self._pairs if one[1] == name]:
            del self._pairs[pair]

    def _wrong(self, name: str) -> int:
        count = self._names.get(name)
        return 0 if count is None or self._clock_ms() - count.last_ms > FORGET_MS else count.wrong

    def _counts(self, source: str, name: str, *, known: bool) -> list[_Count]:
        now = self._clock_ms()
        pair = _fresh(self._pairs, (source, name), now)
        return [pair] if known else [pair, _fresh(self._sources, source, now), _fresh(self._names, name, now)]


def _fresh(kept: OrderedDict[K, _Count], key: K, now: int) -> _Count:
    """Return a count of what is not long ago, as the last one that is forgotten."""
    count = kept.pop(key, None)
    if count is None or now - count.last_ms > FORGET_MS:
        count = _Count(0, now)
    kept[key] = count
    while len(kept) > KEPT_MAX:
        kept.popitem(last=False)
    return count


def _wait_ms(count: _Count, free: int, seconds_max: int, exponent: int, now: int) -> int:
    """Return how long is left to wait: nothing at first, then twice as long after each wrong password."""
    over = count.wrong - free
    if over < 0:
        return 0
    seconds: int = min(2 ** min(over + exponent, 20), seconds_max)
    return count.last_ms + 1000 * seconds - now
