"""Pricing: work that takes the processor long, in threads of its own and little at a time; no table waits for it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Final, TypeVar

from letitride.errors import LetItRideError

PRICED_AT_ONCE: Final = 2
DRAWN_AT_ONCE: Final = 1
"""Pictures are drawn one at a time: how they look is set for the whole process."""
WAITING_MAX: Final = 8
"""Papers that wait to be drawn: each takes seconds, and a request after so many is asked to come again."""
DRILLED_AT_ONCE: Final = 2

T = TypeVar("T")


class Busy(LetItRideError):
    """So much work waits already that it is no use to wait behind it."""


_PRICING: Final = ThreadPoolExecutor(PRICED_AT_ONCE, thread_name_prefix="par")
_DRAWING: Final = ThreadPoolExecutor(DRAWN_AT_ONCE, thread_name_prefix="paper")
_DRILLING: Final = ThreadPoolExecutor(DRILLED_AT_ONCE, thread_name_prefix="drill")
_drawing: set[asyncio.Future[Any]] = set()


async def run_pricing(act: Callable[[], T]) -> T:
    """Do what takes the processor long off the loop, and not too much of it at a time."""
    return await asyncio.get_running_loop().run_in_executor(_PRICING, act)


async def run_drill(act: Callable[[], T]) -> T:
    """Do what a drill asks for: one that is taken up again is played anew, which can take seconds."""
    return await asyncio.get_running_loop().run_in_executor(_DRILLING, act)


async def run_drawing(act: Callable[[], T]) -> T:
    """Do what makes a paper, which takes seconds: in a queue of its own, so that no figure waits for it."""
    if len(_drawing) > WAITING_MAX:
        raise Busy("expected fewer sheets at a time, got too many in line: try again in a minute")
    work = asyncio.get_running_loop().run_in_executor(_DRAWING, act)
    _drawing.add(work)
    work.add_done_callback(_drawing.discard)
    return await work
