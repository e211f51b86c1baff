"""Clock: the time that all servers of a house go by; it sets nothing, and asks its machine only where alone."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from typing import Final

SKEW_MS_MAX: Final = 5_000
"""How far two clocks may be apart before one of them is taken for wrong."""
SLOW_SECONDS: Final = 1.0

log = logging.getLogger(__name__)


class SharedClock:
    """The clock of the store that servers share, carried on between two looks at it by a clock that never jumps."""

    def __init__(self, shared_ms: Callable[[], int | None]) -> None:
        self._shared_ms = shared_ms
        self._seen: tuple[int, float] | None = None
        """What the store's clock said, and our steady one then."""
        self._warned = ""

    def __call__(self) -> int:
        """Return the time in milliseconds since 1970."""
        if self._seen is None:
            return machine_ms()
        shared, at = self._seen
        return shared + int(1000 * (time.monotonic() - at))

    def look(self) -> None:
        """Look at the store's clock, where it has one; call it where it may be waited for."""
        before = time.monotonic()
        shared = self._shared_ms()
        after = time.monotonic()
        if shared is None or (self._seen is not None and after - before > SLOW_SECONDS):
            return  # an answer that was long on its way tells the time too badly
        seen, now = (shared, (before + after) / 2), self()
        if self._seen is not None and _differ(shared, now) and not _differ(machine_ms(), now):
            # Two clocks against one: after a fail-over the store may be on a machine whose clock is wrong.
            self._warn("the clock of the database is %.0f s %s the house's: the house keeps its time", shared - now)
            return
        self._seen = seen
        self._warn(
            "the clock of this machine is %.0f s %s the database's: the house goes by the database's",
            machine_ms() - self(),
        )

    def _warn(self, sentence: str, skew_ms: int) -> None:
        """Warn of a clock that is wrong, once for as long as it is."""
        wrong = sentence if abs(skew_ms) > SKEW_MS_MAX else ""
        if wrong and wrong != self._warned:
            direction = "ahead of" if skew_ms > 0 else "behind"
            log.warning(f"{sentence}; set it by NTP", abs(skew_ms) / 1000, direction)
        self._warned = wrong


def _differ(one_ms: int, other_ms: int) -> bool:
    return abs(one_ms - other_ms) > SKEW_MS_MAX


def machine_ms() -> int:
    """Return what this machine's clock says."""
    return time.time_ns() // 1_000_000
