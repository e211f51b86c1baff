"""Interrupts: Ctrl-C held back until work can stop; never lost."""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import current_thread, main_thread
from types import FrameType


@contextmanager
def kept_back() -> Iterator[Callable[[], None]]:
    """Keep Ctrl-C back, and give a function that raises it if it came.

    Raised within a pool of threads it can leave one of the pool's locks taken, and the pool then waits for itself for
    ever. Within this block it comes only where the function is called, and at the end.
    """
    came = False

    def note(_number: int, _frame: FrameType | None) -> None:
        nonlocal came
        came = True

    def stop_if_it_came() -> None:
        if came:
            raise KeyboardInterrupt

    if current_thread() is not main_thread():  # only the main thread gets signals
        yield stop_if_it_came
        return
    before = signal.signal(signal.SIGINT, note)
    try:
        yield stop_if_it_came
    finally:
        signal.signal(signal.SIGINT, before)
    stop_if_it_came()
