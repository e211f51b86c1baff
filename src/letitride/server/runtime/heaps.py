"""Heaps: how many heaps the C library keeps for the threads of a server; it allocates nothing itself."""

from __future__ import annotations

import ctypes
from contextlib import suppress
from typing import Final

HEAPS: Final = 2
"""Threads of a server take turns at the interpreter, so that they seldom want the same heap at once."""
_ARENA_MAX: Final = -8
"""The name of that setting for `mallopt` of the GNU C library."""


def limit_heaps() -> None:
    """Let the threads share few heaps, where the C library is GNU's.

    By itself it gives each thread one of its own, up to eight for each core. Each grows to the most that its thread
    ever held, and none is given back. Call it before the threads start.
    """
    with suppress(OSError, AttributeError, TypeError):  # another library, which has no such setting
        ctypes.CDLL(None).mallopt(_ARENA_MAX, HEAPS)
