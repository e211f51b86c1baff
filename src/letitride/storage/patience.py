"""Patience: how long a start waits for a database that is away, as it is during a fail-over; never for ever."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable
from typing import Final, TypeVar

from letitride.errors import StoreDown

T = TypeVar("T")
_PAUSE_SECONDS: Final = 0.05
_PAUSE_SECONDS_MAX: Final = 1.0
log = logging.getLogger(__name__)


class Patience:
    """Waits between tries, a little longer each time, until so many seconds are over; with 0 not at all."""

    def __init__(self, seconds: float, clock: Callable[[], float] = time.monotonic) -> None:
        self._seconds, self._clock = seconds, clock
        self._began: float | None = None
        self._pause = _PAUSE_SECONDS

    def pause(self, error: StoreDown) -> float:
        """Return how long to wait before the next try, or raise that the database did not come back."""
        now = self._clock()
        if not self._seconds:
            raise error
        if self._began is None:
            self._began = now
            log.warning("%s; waiting up to %g s for it", error, self._seconds)
        if now - self._began >= self._seconds:
            raise StoreDown(f"{error}; it did not come back within {self._seconds:g} s") from error
        self._pause = min(2 * self._pause, _PAUSE_SECONDS_MAX)
        return self._pause


def wait_for(work: Callable[[], T], patience: Patience) -> T:
    """Do something with a database, again and again while the database is away."""
    while True:
        try:
            return work()
        except StoreDown as error:
            time.sleep(patience.pause(error))


async def wait_in_loop(work: Callable[[], Awaitable[T]], patience: Patience) -> T:
    """Do the same where others must not be held up."""
    while True:
        try:
            return await work()
        except StoreDown as error:
            await asyncio.sleep(patience.pause(error))
