"""Health: watches the octets that the operating system gives for shuffles, and stops them for good where they fail.

The two continuous tests of NIST SP 800-90B (4.4.1 and 4.4.2) for a source of eight bits an octet, with a false alarm
once in 2^60 octets or windows: they find a generator that is stuck or grossly biased, and say nothing of any other.
"""

from __future__ import annotations

import os
from threading import Lock
from typing import Final, final

from letitride.errors import ChanceFailed

REPEATS_MAX: Final = 8
"""Equal octets in a row that are let pass; a ninth has a chance of 2^-64."""
WINDOW: Final = 512
SAME_MAX: Final = 25
"""Of a window the octets that may equal its first, that one included; one more has a chance of 2^-62."""
AT_START: Final = 1024
"""Octets that are tested, and used for nothing, before the first shuffle."""
_STUCK: Final = bytes(REPEATS_MAX)


@final
class Health:
    """The health of one generator. It keeps the last octet and two counts, never what could tell a deck."""

    __slots__ = ("_first", "_lock", "_same", "_seen", "_started", "_tail", "alarm")

    def __init__(self) -> None:
        self.alarm = ""
        """Why nothing is drawn any more; empty: all is well."""
        self._lock = Lock()
        self._started = False
        self._tail = b""
        """The last octets, as long as they are equal."""
        self._first, self._same, self._seen = -1, 0, 0

    def draw(self, size: int) -> bytes:
        """Return so many octets of the operating system that passed, or raise for ever."""
        octets = os.urandom(size)
        with self._lock:
            if not self._started:
                self._started = True
                self._test(os.urandom(AT_START))
            self._test(octets)
            if self.alarm:
                raise ChanceFailed(self.alarm)
        return octets

    def _test(self, octets: bytes) -> None:
        """Both tests at once, in few words: every shuffle waits for them."""
        if self.alarm:
            return
        # The repetition count test: octets equal to the one before them are zeros of a difference.
        row = self._tail + octets
        number = int.from_bytes(row, "big")
        if _STUCK in (number ^ number >> 8).to_bytes(len(row), "big")[1:]:
            self._fail(f"gave more than {REPEATS_MAX} equal octets in a row")
        last = row[-1:]
        self._tail = last if row[-2:-1] != last else row[len(row.rstrip(last)) :][:REPEATS_MAX]
        # The adaptive proportion test: how many octets of a window equal its first.
        while octets:
            if not self._seen:
                self._first, self._same = octets[0], 0
            part, octets = octets[: WINDOW - self._seen], octets[WINDOW - self._seen :]
            self._same += part.count(self._first)
            self._seen = (self._seen + len(part)) % WINDOW
            if self._same > SAME_MAX:
                self._fail(f"gave one octet more than {SAME_MAX} times in {WINDOW}")

    def _fail(self, what: str) -> None:
        self.alarm = f"the operating system's generator failed its health test: it {what}; nothing is shuffled any more"


HEALTH: Final = Health()
"""That of this process, whose generator all live tables share."""
