"""Clock: the time that all servers of a house go by; it sets nothing, and asks its machine only where alone."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from typing import Final

SKEW_MS_MAX: Final = 5_000
"""How far a machine's clock may be from the database's before the log says so."""

log = logging.getLogger(__name__)


class SharedClock:
    """The clock of the store that servers share, carried on between two looks at it by a clock that never jumps."""

    def __init__(self, shared_ms: Callable[[], int | None]) -> None:
        self._shared_ms = shared_ms
        self._seen: tuple[int, float] | None = None
        """What the store's clock said, and our steady one then."""
        self._warned = False

    def __call__(self) -> int:
        """Return the time in milliseconds since 1970."""
        if self._seen is None:
            return own_ms()
        shared, at = self._seen
        return shared + int(1000 * (time.monotonic() - at))

    def look(self) -> None:
        """Look at the store's clock, where it has one; call it where it may be waited for."""
        before = time.monotonic()
        shared = self._shared_ms()
        if shared is None:
            return
        self._seen = (shared, (before + time.monotonic()) / 2)
        skew = own_ms() - self()
        if abs(skew) > SKEW_MS_MAX and not self._warned:
            direction = "ahead of" if skew > 0 else "behind"
            log.warning(
                "the clock of this machine is %.0f s %s the database's: the house goes by the database's, and this"
                " machine should be set by NTP",
                abs(skew) / 1000,
                direction,
            )
        self._warned = abs(skew) > SKEW_MS_MAX


def own_ms() -> int:
    """Return what this machine's clock says."""
    return time.time_ns() // 1_000_000
